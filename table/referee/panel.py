"""The panel behind "that's wrong": undo, correct, deal again, leave and come, end, another game, by the same buttons.

Its player steps through the choices by taps, a rap does what is shown, "that's wrong" closes it. The likeliest choice
stands first. Only what the game allows at this moment is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from table.cards import card
from table.facts import Call, Gesture
from table.games.base import Came, Ended, Event, Left, Phase, Played, Refusal, ThrownIn, TrickTaken
from table.referee.corrections import told
from table.referee.desk import Desk
from table.referee.explanation import Entry
from table.referee.mending import Mending
from table.referee.view import OpenPanel

UNLIKELY = 0.01
"""Other readings of a card below this are not offered."""
MOST_READINGS = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of the panel, and what it does at a time."""

    text: str
    do: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Panel:
    """An open panel: whose, what it offers, and which line is marked."""

    seat: str
    choices: tuple[Choice, ...]
    at: int = 0

    def step(self, taps: int) -> Panel:
        """So many lines down, and round."""
        return replace(self, at=(self.at + taps) % len(self.choices))


class PanelJudge:
    """Opens the panel, and takes its player's calls while it is open."""

    def __init__(self, desk: Desk, mending: Mending) -> None:
        self.desk = desk
        self._mending = mending
        self.panel: Panel | None = None
        self.offers_next = False
        """Whether another game can be chosen when this one is over."""
        self.wants_next = False
        """Whether it has been."""

    @property
    def shown(self) -> OpenPanel | None:
        """The open panel, for the screen."""
        panel = self.panel
        if panel is None:
            return None
        asks = "What comes next" if self.desk.state.phase is Phase.OVER else "What is wrong"
        return OpenPanel(panel.seat, tuple(choice.text for choice in panel.choices), panel.at, asks)

    def takes(self, call: Call) -> bool:
        """Whether the call is for the panel; then it is dealt with."""
        panel = self.panel
        if panel is None or call.seat != panel.seat:
            if call.gesture is not Gesture.WRONG and not self._after_the_game(call):
                return False
            # Somebody else's "that's wrong" opens a panel of their own.
            self.panel = Panel(call.seat, tuple(self._choices(call.seat)))
        elif call.gesture is Gesture.TAPS:
            self.panel = panel.step(call.count)
        elif call.gesture is Gesture.WRONG:
            self.panel = None
        elif call.gesture is Gesture.RAP:
            self.panel = None
            panel.choices[panel.at].do(call.t_ns)
        return True

    def _after_the_game(self, call: Call) -> bool:
        """A rap when all is over asks what comes next."""
        over = self.desk.state.phase is Phase.OVER
        return over and call.gesture is Gesture.RAP and self.panel is None

    # --- what is offered ----------------------------------------------------------------------------------

    def _choices(self, by: str) -> Iterator[Choice]:
        if self.offers_next and self.desk.state.phase is Phase.OVER:
            yield Choice("Play another game", lambda t_ns: self._next())
        last = self.desk.book.last(lambda entry: entry.changes)
        if last is not None:
            entry = self.desk.book.entries[last]
            yield from self._corrections(last, entry, by)
            yield Choice(f"Undo: {told(entry)}", lambda t_ns: self._undo(last, by))
        yield from self._events(by)
        first = self._first_of_hand()
        if first is not None and first != last:
            yield Choice("Play this hand again from its deal", lambda t_ns: self._undo(first, by))
        yield Choice("Close: all is right", lambda t_ns: None)

    def _corrections(self, at: int, entry: Entry, by: str) -> Iterator[Choice]:
        """Another reading, and another owner, of the card that was played last."""
        played = entry.cause
        if not isinstance(played, Played):
            return
        landed = self.desk.search.setting.landed.get(entry.piece) if entry.piece is not None else None
        for reading in landed.readings[: MOST_READINGS + 1] if landed else ():
            if reading.confidence >= UNLIKELY and reading.card != str(played.card):
                other = Played(played.seat, card(reading.card))
                if self._fits(entry, other):
                    text = f"{played.seat}'s {played.card.sign} is the {other.card.sign}"
                    yield Choice(text, lambda t_ns, other=other: self._correct(at, other, by))  # type: ignore[misc]
        for seat in self.desk.state.players:
            other = Played(seat, played.card)
            if seat != played.seat and self._fits(entry, other):
                text = f"The {played.card.sign} is {seat}'s"
                yield Choice(text, lambda t_ns, other=other: self._correct(at, other, by))  # type: ignore[misc]

    def _events(self, by: str) -> Iterator[Choice]:
        """What may happen at a table besides the game, where the game agrees."""
        winner = self.desk.state.trick.winner
        offered: list[tuple[str, Event]] = []
        if winner is not None:
            offered.append((f"{winner} has picked up the trick", TrickTaken(winner)))
        offered.append(("Misdeal: throw the hand in and deal it again", ThrownIn("misdeal")))
        offered += [(f"{seat} comes in", Came(seat)) for seat in self.desk.game.seats]
        offered += [(f"{seat} leaves", Left(seat)) for seat in (by, *self.desk.game.seats)]
        offered.append(("End the game here", Ended()))
        told = set()
        for text, event in offered:
            if text not in told and not isinstance(self.desk.game.apply(self.desk.state, event), Refusal):
                told.add(text)
                yield Choice(text, lambda t_ns, event=event: self._happen(event, t_ns))  # type: ignore[misc]

    def _fits(self, entry: Entry, event: Event) -> bool:
        assert entry.before is not None
        return not isinstance(self.desk.game.apply(entry.before, event), Refusal)

    def _first_of_hand(self) -> int | None:
        """The first event of this hand."""
        hand = self.desk.state.hand
        entries = self.desk.book.entries
        return next(
            (n for n, one in enumerate(entries) if one.changes and one.before and one.before.hand == hand),
            None,
        )

    # --- what is done -------------------------------------------------------------------------------------

    def _happen(self, event: Event, t_ns: int) -> None:
        self.desk.happen(event, t_ns, certain=True)

    def _next(self) -> None:
        self.wants_next = True

    def _undo(self, at: int, by: str) -> None:
        self._mending.undo(at, by)

    def _correct(self, at: int, event: Played, by: str) -> None:
        self._mending.correct(at, event, by)
