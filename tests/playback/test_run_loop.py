"""What is played back ends by itself: its last picture stands for a while, then the window closes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from table.display.view_picture import ScreenView
from table.observed_facts import MS
from table.playback import run_loop
from table.playback.run_loop import LAST_PICTURE_NS, hold_last_picture, run_to_end


class Clock:
    """The wall's clock, which goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.ns = 0

    def monotonic_ns(self) -> int:
        """What it shows."""
        return self.ns

    def sleep(self, seconds: float) -> None:
        """Time passes."""
        self.ns += round(seconds * 1e9)


class Game:
    """Three seconds of a game, of which each picture is its own time."""

    def run(self) -> Iterator[int]:
        """A delivery every 30 ms."""
        yield from range(0, 3_000 * MS, 30 * MS)

    def view(self, now_ns: int) -> ScreenView:
        """What is shown then."""
        return cast(ScreenView, now_ns)


class Window:
    """Remembers what it showed; somebody may close it at some moment of the wall's clock."""

    def __init__(self, clock: Clock, closed_ns: int | None = None) -> None:
        self._clock, self._closed_ns = clock, closed_ns
        self.shown: list[int] = []

    def show(self, view: ScreenView) -> None:
        """Draw the view."""
        self.shown.append(cast(int, view))

    def quits(self) -> bool:
        """Whether its user wants it closed."""
        return self._closed_ns is not None and self._clock.ns >= self._closed_ns


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(run_loop, "time", clock)
    return clock


def test_what_is_played_back_ends_with_nobody_there(clock: Clock) -> None:
    window = Window(clock)
    ended_ns = run_to_end(Game(), realtime=True, window=window)
    assert ended_ns == window.shown[-1] == 2_970 * MS
    assert clock.ns == ended_ns
    hold_last_picture(Game(), window, ended_ns)
    assert clock.ns - ended_ns == pytest.approx(LAST_PICTURE_NS, rel=0.01)
    assert window.shown[-1] == pytest.approx(ended_ns + LAST_PICTURE_NS, rel=0.01)


def test_the_last_picture_can_be_closed_before(clock: Clock) -> None:
    window = Window(clock, closed_ns=4_000 * MS)
    ended_ns = run_to_end(Game(), realtime=True, window=window)
    assert ended_ns is not None
    hold_last_picture(Game(), window, ended_ns)
    assert clock.ns == pytest.approx(4_000 * MS, rel=0.02)


def test_of_what_was_closed_before_its_end_no_end_is_known(clock: Clock) -> None:
    assert run_to_end(Game(), realtime=True, window=Window(clock, closed_ns=1_000 * MS)) is None
    assert clock.ns < 1_100 * MS
