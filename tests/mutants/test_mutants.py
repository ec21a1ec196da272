"""Each mutant is one small fault: it can be compiled, differs, and touches only code that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.calls import TestRun, choose_tests, read_runs
from tests.mutants.runner import ROOT, run_tests
from tests.mutants.sites import Mutant, mutants_of

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


def test_a_mutant_is_for_the_tests_that_call_its_function() -> None:
    source = b"LIMIT = 1\n\ndef outer():\n    def inner():\n        return 1\n    return inner\n"
    runs = {
        "long": TestRun(2.0, frozenset({("a.py", 3), ("a.py", 4)})),
        "short": TestRun(1.0, frozenset({("a.py", 4)})),
        "outer": TestRun(0.5, frozenset({("a.py", 3)})),
        "other": TestRun(0.1, frozenset({("b.py", 4)})),
    }

    def chosen(line: int) -> list[str]:
        return choose_tests(Mutant("a.py", 0, 0, "", "constant", line), source, runs)

    assert chosen(5) == ["short", "long"]
    assert chosen(6) == ["outer", "long"]
    assert chosen(1) == ["outer", "short", "long"]
    assert choose_tests(Mutant("c.py", 0, 0, "", "constant", 1), b"LIMIT = 1", runs) == [
        "other",
        "outer",
        "short",
        "long",
    ]


@pytest.mark.thorough
def test_what_a_test_calls_is_noted_with_the_set_up_that_it_shares(tmp_path: Path) -> None:
    for name in ("tests", "table"):
        (tmp_path / name).mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["thorough: long"]\n')
    (tmp_path / "table" / "sums.py").write_text("def one():\n    return 1\n\ndef two():\n    return 2\n")
    (tmp_path / "tests" / "test_sums.py").write_text(
        "import pytest\nfrom table.sums import one, two\n"
        "@pytest.fixture(scope='module')\ndef shared():\n    return one()\n"
        "def test_first(shared):\n    assert shared\n"
        "def test_second(shared):\n    assert two()\n"
    )
    calls = tmp_path / "calls.json"
    assert run_tests(tmp_path, ["tests"], 60, calls).noticed_by == ""
    runs = read_runs(calls)
    assert runs["tests/test_sums.py::test_first"].functions == {("table/sums.py", 1)}
    assert runs["tests/test_sums.py::test_second"].functions == {("table/sums.py", 1), ("table/sums.py", 4)}
    assert run_tests(tmp_path, ["tests/test_sums.py::test_second"], 60).noticed_by == ""


@pytest.mark.thorough
def test_a_test_that_fails_is_told_and_one_that_does_not_is_not(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["thorough: long"]\n')
    (tmp_path / "tests" / "test_one.py").write_text("def test_good():\n    assert True\n")
    (tmp_path / "tests" / "test_two.py").write_text("def test_bad():\n    assert False\n")
    assert run_tests(tmp_path, ["tests/test_one.py"], 60).noticed_by == ""
    assert run_tests(tmp_path, ["tests/test_one.py", "tests/test_two.py"], 60).noticed_by.endswith("test_bad")
    assert run_tests(tmp_path, ["tests/none.py"], 60).noticed_by == "exit status 4"
