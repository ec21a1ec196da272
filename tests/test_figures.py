"""The page of figures is what the benches printed, and every command on it exists."""

from __future__ import annotations

import importlib.util
import shlex

from tests.figures import BENCHES, PAGE, ROOT, page, read


def test_the_page_is_written_from_what_the_benches_printed() -> None:
    assert PAGE.read_text() == page(read()), "python -m tests.figures writes it anew"


def test_every_stored_figure_belongs_to_a_bench() -> None:
    assert set(read()) <= set(BENCHES)


def test_every_bench_can_be_run() -> None:
    for bench in BENCHES.values():
        words = shlex.split(bench.command)
        if words[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(words[2]) is not None
        elif words[0] == "python":
            assert (ROOT / words[1]).is_file()
        else:
            assert words[0] in ("cardtable", "make")
