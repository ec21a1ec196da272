"""What stood when the hand in play began: of the hand before, one explanation.

Kept beside the journal it spares working that hand out again; that is only wanted once people change it.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.events.happenings import BidValue, Event
from table.events.kind import Said
from table.games.base import Refusal
from table.games.copies import but
from table.games.game import Game
from table.referee.explanation import Entry, Explanation, Leaving, Piece
from table.referee.notices import Notice
from table.referee.search import Search


@dataclass(frozen=True, slots=True)
class Told:
    """An entry, without those before it and what they led to."""

    t_ns: int
    cause: Event | Said | None
    said: tuple[Said, ...]
    notices: tuple[Notice, ...] = ()
    item: int | None = None
    piece: int | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """An explanation on top of what is settled, at the end of the hand that it closes."""

    gate: int
    """The place in the log where the hand in play begins."""
    told: tuple[Told, ...]
    pieces: tuple[Piece, ...] = ()
    leaving: Leaving | None = None
    dialled: tuple[str, BidValue] | None = None
    kept: tuple[tuple[str, BidValue], ...] = ()

    def upon(self, root: Explanation, game: Game) -> Explanation | None:
        """The explanation, on top of what is settled; None where the rules don't allow for it."""
        one = root
        for told in self.told:
            state = one.state
            if told.cause is not None and not isinstance(told.cause, Said):
                step = game.apply(state, told.cause)
                if isinstance(step, Refusal):
                    return None
                state = step.state
            one = one.told(told.cause, told.said, told.t_ns, state, told.item, told.piece, told.notices)
        return but(
            one,
            pieces=self.pieces,
            leaving=self.leaving,
            dialled=self.dialled,
            kept=self.kept,
            item=self.gate - 1,
        )


def opened_by(search: Search) -> Opened | None:
    """What stands of the hand before in a search; None while there is none."""
    gate, one = search.gate, search.opened
    if not gate:
        return None
    told: list[Entry] = []
    for entry in one.entries():
        if entry is search.root.last:
            break
        told.append(entry)
    parts = [Told(each.t_ns, each.cause, each.said, each.notices, each.item, each.piece) for each in told]
    return Opened(gate, tuple(reversed(parts)), one.pieces, one.leaving, one.dialled, one.kept)
