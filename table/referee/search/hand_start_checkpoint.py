"""A checkpoint of the search at the beginning of the hand in play: the committed hypothesis of the hand before.

Stored beside the journal it spares a restart the search of that hand, which is only needed once people change it.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.cards import BidValue
from table.events.event_spec import Announcement
from table.events.game_events import Event
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Refusal
from table.games.game import Game
from table.referee.model.hypothesis import DepartingTrick, Hypothesis, StoryEntry, TableCard
from table.referee.model.notices import Notice
from table.referee.search.beam_search import BeamSearch


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """A story entry without its predecessors and without states, for storage."""

    t_ns: int
    cause: Event | Announcement | None
    announcements: tuple[Announcement, ...]
    notices: tuple[Notice, ...] = ()
    observation_number: int | None = None
    card_id: int | None = None


@dataclass(frozen=True, slots=True)
class HandCheckpoint:
    """The committed hypothesis of a closed hand, as entries and cards on top of the search's root."""

    commit_point: int
    """The commit point: the place in the log where the hand in play begins."""
    entries: tuple[EntryRecord, ...]
    table_cards: tuple[TableCard, ...] = ()
    departing_trick: DepartingTrick | None = None
    dial_value: tuple[str, str] | None = None
    secret_bids: tuple[tuple[str, BidValue], ...] = ()

    def restore_on(self, root: Hypothesis, game: Game) -> Hypothesis | None:
        """Return the stored hypothesis, rebuilt on top of ``root``; None where the rules don't allow its events."""
        hypothesis = root
        for told in self.entries:
            state = hypothesis.state
            if told.cause is not None and not isinstance(told.cause, Announcement):
                step = game.apply(state, told.cause)
                if isinstance(step, Refusal):
                    return None
                state = step.state
            hypothesis = hypothesis.add_entry(
                told.cause,
                told.announcements,
                told.t_ns,
                state,
                told.observation_number,
                told.card_id,
                told.notices,
            )
        return evolve(
            hypothesis,
            table_cards=self.table_cards,
            departing_trick=self.departing_trick,
            dial_value=self.dial_value,
            secret_bids=self.secret_bids,
            log_place=self.commit_point - 1,
        )


def make_hand_checkpoint(search: BeamSearch) -> HandCheckpoint | None:
    """Return the checkpoint of the hand in play of a search; None while no hand is committed."""
    gate, hypothesis = search.commit_point, search.hand_start
    if not gate:
        return None
    told: list[StoryEntry] = []
    for entry in hypothesis.entries():
        if entry is search.root.last_entry:
            break
        told.append(entry)
    parts = [
        EntryRecord(
            each.t_ns, each.cause, each.announcements, each.notices, each.observation_number, each.card_id
        )
        for each in told
    ]
    return HandCheckpoint(
        gate,
        tuple(reversed(parts)),
        hypothesis.table_cards,
        hypothesis.departing_trick,
        hypothesis.dial_value,
        hypothesis.secret_bids,
    )
