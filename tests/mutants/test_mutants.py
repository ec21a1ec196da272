"""Each mutant is one small fault: it can be compiled, differs, and touches only code that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.runner import ROOT, run_tests
from tests.mutants.sites import mutants_of

SOURCE = b'''"""Words of a < b and 1 stay."""
def count(a: "1 < 2", b=2) -> int:
    """Not 3 either."""
    total = 0
    for each in a:
        if each < b and each != 4 or not each:
            total += each - 1
    print(total, b)
    if total in (5,):
        raise ValueError(f"{total + 6}")
    return total
'''


def faults(kind: str) -> list[str]:
    lines = []
    for mutant in mutants_of("count.py", SOURCE):
        if mutant.kind == kind:
            changed = set(mutant.apply(SOURCE).decode().splitlines()) - set(SOURCE.decode().splitlines())
            lines += [line.strip() for line in changed]
    return lines


def test_each_kind_of_fault_is_found_where_code_runs() -> None:
    assert faults("comparison") == [
        "if each <= b and each != 4 or not each:",
        "if each < b and each == 4 or not each:",
        "if total not in (5,):",
    ]
    assert faults("junction") == [
        "if each < b or each != 4 or not each:",
        "if each < b and each != 4 and not each:",
    ]
    assert faults("sign") == ["total += each + 1"]
    assert faults("statement") == ["pass", "pass"]
    assert faults("return") == ["return None"]
    assert faults("arguments") == ["print(b, total)"]
    assert faults("condition") == [
        "if not (each < b and each != 4 or not each):",
        "if not (total in (5,)):",
    ]
    assert {"total = 1", "total = -1"} <= set(faults("constant"))
    assert not [line for line in faults("constant") if "Words" in line or "Not" in line or "raise" in line]


def test_every_mutant_of_real_code_can_be_compiled_and_differs() -> None:
    source = (ROOT / "table/games/engine/shared_rules.py").read_bytes()
    mutants = mutants_of("shared_rules.py", source)
    assert len(mutants) > 50
    assert source not in [mutant.apply(source) for mutant in mutants]
    assert len({mutant.key for mutant in mutants}) > len(mutants) / 2


@pytest.mark.thorough
def test_a_test_that_fails_is_told_and_one_that_does_not_is_not(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["thorough: long"]\n')
    (tmp_path / "tests" / "test_one.py").write_text("def test_good():\n    assert True\n")
    (tmp_path / "tests" / "test_two.py").write_text("def test_bad():\n    assert False\n")
    assert run_tests(tmp_path, ["tests/test_one.py"], 60).noticed_by == ""
    assert run_tests(tmp_path, ["tests/test_one.py", "tests/test_two.py"], 60).noticed_by.endswith("test_bad")
    assert run_tests(tmp_path, ["tests/none.py"], 60).noticed_by == "exit status 4"
