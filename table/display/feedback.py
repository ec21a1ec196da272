"""Feedback to the buttons: what their layer has to tell the players, by their lamps and on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.buttons.gestures import Gestures, Heard
from table.buttons.lamps import Lamps
from table.buttons.losses import Losses
from table.config import SeatConfig
from table.display.press import awaited_gesture, pressing
from table.facts import MS, Delivery
from table.games.base import Phase, State
from table.phrase import Phrase, say
from table.referee.journal import Journal, JournalLine
from table.referee.referee import Referee
from table.referee.view import Controls, Notice, View

FRESH_NS = 12_000 * MS
"""A button's new trouble is told before all else for this long, then whenever there is nothing else to tell."""
HINT_NS = 45_000 * MS
"""The table has waited for somebody's press for so long that it tells how it is made. People do think for longer."""


class ButtonFeedback:
    """Drives the lamps, and says which buttons are in trouble and which presses are awaited."""

    def __init__(self, seats: Sequence[SeatConfig], gestures: Gestures, lamps: Lamps | None = None) -> None:
        """``lamps``: None where the table has none."""
        self._seats = {seat.name: seat for seat in seats}
        self._gestures = gestures
        self._lamps = lamps
        self._losses = Losses()
        self._journal: Journal | None = None
        self._read = 0
        """How many lines of the journal have been looked at."""
        self._bidding_at_once = False
        self._since: dict[Phrase, int] = {}
        """Since when each trouble has been told."""
        self._state: State | None = None
        """Where the game stood after the last delivery ..."""
        self._waited_ns = 0
        """... and since when it has stood there, as far as this process knows."""

    def seat(self, seats: Sequence[SeatConfig], gestures: Gestures) -> None:
        """The players have changed chairs: ``seats`` as before, with other names."""
        if self._lamps is not None:
            self._lamps.rename({old: new.name for old, new in zip(self._seats, seats, strict=True)})
        self._seats = {seat.name: seat for seat in seats}
        self._gestures = gestures

    def wait(self, delivery: Delivery, heard: Heard) -> None:
        """Nothing counts for a while: presses are answered, and nobody is waited for."""
        self._losses.add(delivery.lost, delivery.now_ns)
        self._state = None
        if self._lamps is not None:
            self._lamps.answer(heard.receipts, delivery.now_ns)
            self._lamps.show((), delivery.now_ns)

    def serve(self, delivery: Delivery, heard: Heard, referee: Referee) -> None:
        """A delivery has been worked off: light the lamps, count what was lost."""
        now_ns = delivery.now_ns
        self._losses.add(delivery.lost, now_ns)
        if referee.state is not self._state and referee.state != self._state:
            self._waited_ns = now_ns
        self._state = referee.state
        if self._lamps is None:
            return
        view = referee.view(now_ns)
        at_once = bids_at_once(view)
        if at_once and not self._bidding_at_once:
            self._lamps.answer((), now_ns)  # who pressed before the count is over is answered again after it
        self._bidding_at_once = at_once
        self._lamps.answer(heard.receipts, now_ns, secret=at_once)
        self._lamps.refuse(refused(self._fresh(referee.journal)), now_ns)
        self._lamps.show(must_act(view), now_ns)

    def notices(self, view: View, wrong: Iterable[Phrase] = ()) -> tuple[Notice, ...]:
        """Troubles with buttons, hints, and what else is ``wrong`` now, put among the notices of ``view``.

        New ones come first, standing ones last.
        """
        now_ns = view.now_ns
        told = [Notice(now_ns, "trouble", said) for said in wrong]
        told += [
            Notice(now_ns, "trouble", trouble.said, (trouble.seat,)) for trouble in self._gestures.troubles()
        ]
        told += self._hints(view)
        self._since = {one.said: self._since.get(one.said, now_ns) for one in told}
        first: list[Notice] = []
        last: list[Notice] = []
        if self._losses.recent(now_ns):
            first.append(Notice(self._losses.last_ns, "trouble", self._losses.said))
        for one in told:
            (first if now_ns - self._since[one.said] < FRESH_NS else last).append(one)
        return (*first, *view.notices, *last)

    def _hints(self, view: View) -> list[Notice]:
        """Once the table has waited long for a press: how it is made with the buttons of those whom it waits for."""
        if self._state is None or view.now_ns - self._waited_ns < HINT_NS or view.panel is not None:
            return []
        controls = {name: Controls(seat.kind) for name, seat in self._seats.items()}
        by_way: dict[Phrase, list[str]] = {}
        acting = must_act(view)
        for seat in (seat for seat in self._seats if seat in acting):
            how = awaited_gesture(view.state, view.expected, pressing((seat,), controls))
            if how is not None:
                by_way.setdefault(how, []).append(seat)
        hints = []
        for how, seats in by_way.items():
            others = pressing((name for name in controls if seats != [name]), controls)
            said = say("button.awaited", seats=tuple(seats), how=how, wrong=others("wrong"))
            hints.append(Notice(view.now_ns, "hint", said, tuple(seats)))
        return hints

    def close(self) -> None:
        """All lamps out."""
        if self._lamps is not None:
            self._lamps.close()

    def _fresh(self, journal: Journal) -> Sequence[JournalLine]:
        """The lines that the journal has now and had not after the last delivery; none of a game taken up again."""
        if journal is not self._journal:
            self._journal, self._read = journal, len(journal.lines)
        fresh = journal.lines[self._read :]
        self._read += len(fresh)
        return fresh


def must_act(view: View) -> frozenset[str]:
    """Whose lamps glow: whom the table waits for. Of those who may act freely, who has not rapped."""
    expected, state = view.expected, view.state
    if view.panel is not None:
        return frozenset((view.panel.seat,))
    if expected.phase is Phase.OVER:
        return frozenset()
    if expected.phase is Phase.SECRET_BID and view.pump_ends_ns is not None:
        # All alike until all are in: how soon a lamp went out would tell how long its player tapped.
        return frozenset(state.players) if view.now_ns >= view.pump_ends_ns else frozenset()
    if expected.must:
        return frozenset(seat for seat in (expected.default,) if seat is not None)
    return frozenset(seat for seat in expected.seats if seat not in state.raps)


def bids_at_once(view: View) -> bool:
    """Whether bids are being made now that nobody may know yet."""
    return (
        view.expected.phase is Phase.SECRET_BID
        and view.pump_ends_ns is not None
        and view.now_ns >= view.pump_ends_ns
    )


def refused(lines: Sequence[JournalLine]) -> list[str]:
    """The seats whose bids these lines of the journal refuse, or call tied; not those merely said again."""
    seats: list[str] = []
    for line in lines:
        if line["event"] == "corrected":
            break
        if line["event"] == "bid_refused":
            seats.append(line["seat"])
        elif line["event"] == "bids_tied":
            seats += line["seats"]
    return seats
