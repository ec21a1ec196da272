"""Dead buttons: a line that is silent while the game waits for nothing but a press of it.

Edges can't tell a dead button from one that nobody presses. The game can: when it has waited :data:`WAIT_NS` for
a seat's rap or bid, and that line was not heard from, the seat's other line is from then on read as the one
button of a one-button table, until the silent line speaks. All of it is judged in the order of facts, so a replay
judges it alike.
"""

from __future__ import annotations

from table.facts import MS, Call, Control
from table.games.base import Phase
from table.referee.blackboard import Blackboard

WAIT_NS = 45_000 * MS
"""The game waits this long for a silent line before the other one stands in for it."""
AUCTION_WAIT_NS = 2 * WAIT_NS
"""In an auction people think longer, and holding BID means something of its own."""


class Silence:
    """Knows which lines the game has waited for in vain."""

    def __init__(self, blackboard: Blackboard) -> None:
        self.blackboard = blackboard
        self._given_up: dict[str, Control] = {}

    def counts(self, call: Call) -> bool:
        """Whether a call is the reading of its presses that holds: with both buttons, or ``alone``."""
        if call.silent is None:
            return not call.alone
        return call.alone == self.suspects(call.seat, call.silent, call.t_ns)

    def note(self, call: Call) -> None:
        """A call is judged now: what it shows of its seat's lines."""
        if call.silent is None:
            self._given_up.pop(call.seat, None)
        elif self.suspects(call.seat, call.silent, call.t_ns):
            self._given_up[call.seat] = call.silent

    def suspects(self, seat: str, control: Control, at_ns: int) -> bool:
        """Whether a line, if it is silent, counts as dead at ``at_ns``."""
        if self._given_up.get(seat) == control:
            return True
        if (seat, control) not in self._waited_for():
            return False
        longest = AUCTION_WAIT_NS if self.blackboard.expected.phase is Phase.AUCTION else WAIT_NS
        return at_ns - self._since_ns() >= longest

    def stands_in(self, seat: str) -> bool:
        """Whether one of the seat's buttons does the work of both."""
        return seat in self._given_up

    def _waited_for(self) -> set[tuple[str, Control]]:
        """The presses without which the game can't go on, or a player can't say what there is to say."""
        expected, state = self.blackboard.expected, self.blackboard.state
        seat = expected.default
        match expected.phase:
            case Phase.DEAL:
                return {(state.dealer, "rap")}
            case Phase.PASS_CARDS | Phase.SECRET_BID:
                waiting = {player for player in expected.seats if player not in state.raps}
                if waiting:
                    return {(player, "rap") for player in waiting}
                return {(player, "bid") for player in expected.seats}
            case Phase.AUCTION if seat is not None:
                return {(seat, "rap")}  # not the bid: RAP alone is a pass, which must stay one
            case Phase.NAME_SUIT if seat is not None:
                return {(seat, "rap"), (seat, "bid")}
            case Phase.BID if seat is not None and expected.must:
                return {(seat, "bid")}
        return set()

    def _since_ns(self) -> int:
        """Since when the game has waited for what it waits for now."""
        book = self.blackboard.book
        last = book.last(lambda entry: entry.changes)
        if last is not None:
            return book.entries[last].t_ns
        return int(book.journal.lines[0]["t_ns"]) if book.journal.lines else 0
