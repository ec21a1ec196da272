"""How far work has come is said on a terminal, once it takes long; elsewhere nothing is written."""

from __future__ import annotations

import io

import pytest

from table.phrase import make_phrase
from table.system.progress_line import FIRST_S, Progress, show_progress


class Stream(io.StringIO):
    """What is written, on a terminal or not."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("table.system.progress_line.time.monotonic", lambda: now[0])
    return now


def stream(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> Stream:
    found = Stream(terminal=terminal)
    monkeypatch.setattr("sys.stderr", found)
    return found


def test_what_takes_long_says_how_far_it_has_come(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    written = stream(monkeypatch, terminal=True)
    with Progress(make_phrase("progress.enrol")) as progress:
        clock[0] += FIRST_S - 0.1
        progress(0.2)
        assert written.getvalue() == ""
        clock[0] += 0.2
        progress(0.25)
        assert "25%" in written.getvalue()
        progress(0.26)
        assert "26%" not in written.getvalue(), "not more often than eyes follow"
        assert "\n" not in written.getvalue()
    *_, said, gone, end = written.getvalue().split("\r")
    assert (gone, end) == (" " * len(said), "")


def test_nothing_is_written_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    written = stream(monkeypatch, terminal=False)
    for _ in show_progress(make_phrase("progress.enrol"), range(5), 5):
        clock[0] += 10
    assert written.getvalue() == ""


def test_items_that_are_followed_come_in_their_order(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    written = stream(monkeypatch, terminal=True)
    found = []
    for item in show_progress(make_phrase("progress.enrol"), "abcd", 4):
        found.append(item)
        clock[0] += 10
    assert found == list("abcd")
    assert "75%" in written.getvalue()
