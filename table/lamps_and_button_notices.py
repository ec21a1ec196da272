"""Feedback on button presses: lamps, warnings about faulty buttons, and hints how to press, on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from table.buttons.calls_of_all_seats import Gestures, HeardCalls
from table.buttons.lamps import Lamps
from table.config.settings import SeatConfig
from table.display.table_view.prompts_and_gestures import awaited_gesture, gesture_hints_for
from table.games.engine.game_state import Phase, State
from table.observed_facts import MS, Delivery
from table.phrase import Phrase, make_phrase
from table.referee.model.notices import Notice
from table.referee.model.view import View
from table.referee.records.journal import JournalLine

NEW_FAULT_NS = 12_000 * MS
"""A button's new fault is shown before all other notices for this long, then after all of them."""
LOSS_NS = 12_000 * MS
"""A loss of button events is shown for this long; losses within this time of each other are counted together."""
HINT_AFTER_NS = 45_000 * MS
"""After waiting this long for a press the table shows how it is made. People do think for longer."""


class ButtonFeedback:
    """Drives the lamps and makes the notices about faulty buttons and awaited presses."""

    def __init__(self, seats: Sequence[SeatConfig], gestures: Gestures, lamps: Lamps | None = None) -> None:
        """``lamps``: None where the table has none."""
        self._seats = {seat.name: seat for seat in seats}
        self._gestures = gestures
        self._lamps = lamps
        self._lost_events = 0
        """The number of button events lost since the notice last left the screen ..."""
        self._lost_ns = 0
        """... and when the last of them were reported."""
        self._bidding_at_once = False
        self._since: dict[Phrase, int] = {}
        """Since when each trouble has been shown."""
        self._state: State | None = None
        """The state of the game after the last delivery ..."""
        self._waited_ns = 0
        """... and since when it has been that, as far as this process knows."""

    def update_seats(self, seats: Sequence[SeatConfig], gestures: Gestures) -> None:
        """Follow players who have changed chairs: ``seats`` as before, with other names."""
        if self._lamps is not None:
            self._lamps.rename_seats({old: new.name for old, new in zip(self._seats, seats, strict=True)})
        self._seats = {seat.name: seat for seat in seats}
        self._gestures = gestures

    def serve_during_pause(self, delivery: Delivery, heard: HeardCalls) -> None:
        """Serve a delivery during a pause: lamps answer presses, and nobody is waited for."""
        self._count_losses(delivery)
        self._state = None
        if self._lamps is not None:
            self._lamps.show_feedback(heard.feedback, delivery.now_ns)
            self._lamps.update((), delivery.now_ns)

    def serve(
        self,
        delivery: Delivery,
        heard: HeardCalls,
        state: State,
        decided: Sequence[JournalLine],
        view: Callable[[], View],
    ) -> None:
        """Light the lamps after a delivery and the lines that came of it; only lamps need the ``view``."""
        now_ns = delivery.now_ns
        self._count_losses(delivery)
        if state is not self._state and state != self._state:
            self._waited_ns = now_ns
        self._state = state
        if self._lamps is None:
            return
        shown = view()
        at_once = is_secret_bidding(shown)
        if at_once and not self._bidding_at_once:
            # Who pressed before the count is over is answered again after it.
            self._lamps.show_feedback((), now_ns)
        self._bidding_at_once = at_once
        self._lamps.show_feedback(heard.feedback, now_ns, secret=at_once)
        self._lamps.blink_refusal(seats_refused(decided), now_ns)
        self._lamps.update(seats_with_glowing_lamp(shown), now_ns)

    def notices(self, view: View, wrong: Iterable[Phrase] = ()) -> tuple[Notice, ...]:
        """Return the notices of ``view`` with those about buttons, hints and ``wrong``: new ones first, old last."""
        now_ns = view.now_ns
        added = [Notice(now_ns, "trouble", phrase) for phrase in wrong]
        for trouble in self._gestures.faulty_lines():
            added.append(Notice(now_ns, "trouble", trouble.message, (trouble.seat,)))
        added += self._hints(view)
        self._since = {notice.phrase: self._since.get(notice.phrase, now_ns) for notice in added}
        first: list[Notice] = []
        last: list[Notice] = []
        if self._has_recent_losses(now_ns):
            lost = make_phrase("button.lost", n=self._lost_events)
            first.append(Notice(self._lost_ns, "trouble", lost))
        for notice in added:
            (first if now_ns - self._since[notice.phrase] < NEW_FAULT_NS else last).append(notice)
        return (*first, *view.notices, *last)

    def _count_losses(self, delivery: Delivery) -> None:
        if delivery.lost > 0:
            before = self._lost_events if self._has_recent_losses(delivery.now_ns) else 0
            self._lost_events = before + delivery.lost
            self._lost_ns = delivery.now_ns

    def _has_recent_losses(self, now_ns: int) -> bool:
        return self._lost_events > 0 and now_ns - self._lost_ns < LOSS_NS

    def _hints(self, view: View) -> list[Notice]:
        """Return hints how to press the buttons of those whom the table has waited for too long."""
        if self._state is None or view.now_ns - self._waited_ns < HINT_AFTER_NS or view.panel is not None:
            return []
        by_way: dict[Phrase, list[str]] = {}
        acting = seats_with_glowing_lamp(view)
        for seat in (seat for seat in self._seats if seat in acting):
            how = awaited_gesture(view.state, view.expected, gesture_hints_for((seat,), view.controls))
            if how is not None:
                by_way.setdefault(how, []).append(seat)
        hints = []
        for how, seats in by_way.items():
            others = gesture_hints_for((name for name in self._seats if seats != [name]), view.controls)
            said = make_phrase("button.awaited", seats=tuple(seats), how=how, wrong=others("wrong"))
            hints.append(Notice(view.now_ns, "hint", said, tuple(seats)))
        return hints

    def close(self) -> None:
        """Switch all lamps off."""
        if self._lamps is not None:
            self._lamps.close()


def seats_with_glowing_lamp(view: View) -> frozenset[str]:
    """Return whose lamps glow: those whom the table waits for; of players who may act freely, who has not rapped."""
    expected, state = view.expected, view.state
    if view.panel is not None and view.panel.seat is not None:
        return frozenset((view.panel.seat,))
    if expected.phase is Phase.OVER:
        return frozenset()
    if expected.phase is Phase.SECRET_BID and view.countdown_ends_ns is not None:
        # All alike until all are in: how soon a lamp went out would tell how long its player tapped.
        return frozenset(state.players) if is_secret_bidding(view) else frozenset()
    if expected.must_act:
        return frozenset(seat for seat in (expected.default_seat,) if seat is not None)
    return frozenset(seat for seat in expected.seats if seat not in state.raps)


def is_secret_bidding(view: View) -> bool:
    """Return whether secret bids are being made now."""
    return (
        view.expected.phase is Phase.SECRET_BID
        and view.countdown_ends_ns is not None
        and view.now_ns >= view.countdown_ends_ns
    )


def seats_refused(lines: Sequence[JournalLine]) -> list[str]:
    """Return the seats whose bids these journal lines refuse or call tied; a correction's repeats don't count."""
    seats: list[str] = []
    for line in lines:
        if line["event"] == "corrected":
            break
        if line["event"] == "bid_refused":
            seats.append(line["seat"])
        elif line["event"] == "bids_tied":
            seats += line["seats"]
    return seats
