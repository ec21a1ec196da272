"""A checkpoint of the search at the beginning of the hand in play: the committed hypothesis of the hand before.

Stored beside the journal it spares a restart the search of that hand, which is only needed once people change it.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.events.event_spec import Announcement
from table.events.game_events import BidValue, Event
from table.games.engine.evolve import evolve
from table.games.engine.state import Refusal
from table.games.game import Game
from table.referee.model.hypothesis import DepartingTrick, Hypothesis, StoryEntry, TableCard
from table.referee.model.notices import Notice
from table.referee.search.beam_search import BeamSearch


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """A story entry without its predecessors and without states, for storage."""

    t_ns: int
    cause: Event | Announcement | None
    said: tuple[Announcement, ...]
    notices: tuple[Notice, ...] = ()
    item: int | None = None
    piece: int | None = None


@dataclass(frozen=True, slots=True)
class HandCheckpoint:
    """The committed hypothesis of a closed hand, as entries and cards on top of the search's root."""

    gate: int
    """The commit point: the place in the log where the hand in play begins."""
    told: tuple[EntryRecord, ...]
    pieces: tuple[TableCard, ...] = ()
    leaving: DepartingTrick | None = None
    dialled: tuple[str, BidValue] | None = None
    kept: tuple[tuple[str, BidValue], ...] = ()

    def upon(self, root: Hypothesis, game: Game) -> Hypothesis | None:
        """Return the stored hypothesis, rebuilt on top of ``root``; None where the rules don't allow its events."""
        hypothesis = root
        for told in self.told:
            state = hypothesis.state
            if told.cause is not None and not isinstance(told.cause, Announcement):
                step = game.apply(state, told.cause)
                if isinstance(step, Refusal):
                    return None
                state = step.state
            hypothesis = hypothesis.told(
                told.cause, told.said, told.t_ns, state, told.item, told.piece, told.notices
            )
        return evolve(
            hypothesis,
            pieces=self.pieces,
            leaving=self.leaving,
            dialled=self.dialled,
            kept=self.kept,
            item=self.gate - 1,
        )


def make_hand_checkpoint(search: BeamSearch) -> HandCheckpoint | None:
    """Return the checkpoint of the hand in play of a search; None while no hand is committed."""
    gate, hypothesis = search.gate, search.opened
    if not gate:
        return None
    told: list[StoryEntry] = []
    for entry in hypothesis.entries():
        if entry is search.root.last:
            break
        told.append(entry)
    parts = [
        EntryRecord(each.t_ns, each.cause, each.said, each.notices, each.item, each.piece) for each in told
    ]
    return HandCheckpoint(
        gate,
        tuple(reversed(parts)),
        hypothesis.pieces,
        hypothesis.leaving,
        hypothesis.dialled,
        hypothesis.kept,
    )
