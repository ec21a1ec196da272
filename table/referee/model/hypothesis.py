"""A hypothesis: one way in which everything observed in this hand may have come about.

It is an immutable value. The game's state, the owner and role of each card on the mark, the journal lines and the
notices on the screen all belong to a hypothesis and are derived from the facts. So a changed mind changes all of it
at once, and the mark and the game cannot disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Any, Literal, NamedTuple

from table.cards import BidValue, PlayedCard
from table.events.event_registry import comparable_fields
from table.events.event_spec import Announcement
from table.events.game_events import Event
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, State
from table.games.game import Game
from table.referee.model.bid_dial import Dial
from table.referee.model.event_costs import COSTS, Habit
from table.referee.model.notices import Notice

CardRole = Literal["played", "back", "may stay", "turned up", "unread", "nothing", "done"]
"""The role of a card on the mark.

``played``: a card of the trick; ``back``: to be taken back; ``may stay``: the same, but its player may now leave it
there (so in a view alone); ``unread``: face down; ``nothing``: a false detection; ``done``: of a trick that has been
taken, though it still seems to lie there.
"""

Claim = Literal["no", "turn", "tied"]
"""Whether a card to be taken back may yet count: at its player's ``turn``, or as a ``tied`` lead that is left lying."""


class TableCard(NamedTuple):
    """A card on the mark, with the owner and role that a hypothesis gives it."""

    id: int | None
    """The card's id on the mark; None while it is out of sight, beneath others or lost."""
    card: PlayedCard | None
    seat: str | None
    role: CardRole
    claim: Claim = "no"
    """Whether a card to be taken back may yet count: at its player's ``turn``, or as a ``tied`` lead that is left
    lying."""
    confidence: float = 0.0
    read_as: str | None = None
    """What the card was read as, where that differs from what it is believed to be: each new detection reads the
    same."""
    tie_window_id: int | None = None
    """The id with which it landed, if nobody watched its tie window to the end: other leads may be tied with it."""
    landing_missed: bool = False
    """The landing was not detected, though people may have said what the card was."""


@dataclass(frozen=True, slots=True, eq=False)
class StoryEntry:
    """One event of a hypothesis with the journal lines that it causes, linked to the entries before it."""

    t_ns: int
    cause: Event | Announcement | None
    """An event of the game, a remark of the referee, or None for notices on the screen alone."""
    announcements: tuple[Announcement, ...]
    """The journal lines."""
    state_before: State
    """The state of the game before the event."""
    previous: StoryEntry | None
    """The entry before it; None for the first."""
    index: int
    """The number of entries before it."""
    notices: tuple[Notice, ...] = ()
    """The notices that the screen shows with it."""
    observation_number: int | None = None
    """The number of the observation that it came from; None for an entry that was read back from a journal."""
    card_id: int | None = None
    """The id of the card on the mark that it is about."""

    @property
    def is_event(self) -> bool:
        """Whether the entry is an event of the game, and no mere remark or notice."""
        return self.cause is not None and not isinstance(self.cause, Announcement)

    @property
    def is_assumed_call(self) -> bool:
        """Whether the entry is a call that was not heard, but must have been made."""
        return any(said.fields.get("heard") is False for said in self.announcements)

    def reads_same_as(self, other: StoryEntry) -> bool:
        """Return whether both entries have the same stamp and read the same to people; confidences may differ."""
        if self is other:
            return True
        said = [
            [
                comparable_fields(announcement.event, announcement.fields)
                for announcement in entry.announcements
            ]
            for entry in (self, other)
        ]
        return self.t_ns == other.t_ns and said[0] == said[1]


@dataclass(frozen=True, slots=True)
class DepartingTrick:
    """A complete trick of which some cards have left: a pick-up that has begun."""

    departed_ids: tuple[int, ...]
    taker: str | None
    pause_ends_ns: int | None
    """When the pause becomes too long for a pick-up in several grabs; None once that has been counted."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A hypothesis: the game's state, the cards on the mark, the entries so far, and the cost of all that."""

    state: State
    table_cards: tuple[TableCard, ...] = ()
    """In the order of landing."""
    cost: float = 0.0
    """Nats: minus the logarithm of how likely all this is."""
    last_entry: StoryEntry | None = None
    departing_trick: DepartingTrick | None = None
    proved_revokes: frozenset[tuple[str, str, int]] = frozenset()
    """The proved revokes (seat, card, trick), each counted once however often its proof is laid."""
    careless: float = COSTS.careless
    """The probability that these people play without care, after what they did in this hand."""
    dial: Dial | None = None
    """The dial of the player whose turn it is, while it shows a value: a rap that was not heard may have called it."""
    secret_bids: tuple[tuple[str, BidValue], ...] = ()
    """The bids made in secret that are not revealed yet."""
    parent: Hypothesis | None = field(default=None, repr=False)
    """The hypothesis that this one extends, from before the last observation."""
    log_place: int = -1
    """The place in the log of the last observation that it accounts for."""

    # --- contents -----------------------------------------------------------------------------------------------

    @property
    def entry_count(self) -> int:
        """The number of entries."""
        return self.last_entry.index + 1 if self.last_entry is not None else 0

    def trick_cards(self) -> tuple[TableCard, ...]:
        """Return the cards of the trick that are believed to lie on the mark, in sight or not."""
        return tuple(piece for piece in self.table_cards if piece.role == "played")

    def entries(self) -> Iterator[StoryEntry]:
        """Yield the entries, the newest first."""
        entry = self.last_entry
        while entry is not None:
            yield entry
            entry = entry.previous

    def entries_of_deal(self, deal: int) -> Iterator[StoryEntry]:
        """Yield the entries of a deal, the newest first."""
        since = takewhile(lambda entry: entry.state_before.deal >= deal, self.entries())
        return (entry for entry in since if entry.state_before.deal == deal)

    def last_deal(self, hand: int) -> int:
        """Return the number of the last deal of a hand; 0 where nothing has been dealt yet.

        A hand that was thrown in is the last deal until the next one is dealt: only then it is certain that nobody
        plays it.
        """
        states = chain((self.state,), (entry.state_before for entry in self.entries()))
        held = takewhile(lambda state: state.hand >= hand, states)
        return next((state.deal for state in held if state.hand == hand and state.phase is not Phase.DEAL), 0)

    def entries_beyond(self, other: Hypothesis) -> list[StoryEntry]:
        """Return the entries after the last one that another hypothesis has too, the oldest first."""
        beyond: list[StoryEntry] = []
        mine, theirs = self.last_entry, other.last_entry
        while mine is not theirs:
            if mine is None or (theirs is not None and theirs.index > mine.index):
                theirs = theirs.previous if theirs is not None else None
            else:
                beyond.append(mine)
                mine = mine.previous
        return beyond[::-1]

    def merge_key(self) -> tuple[object, ...]:
        """Return what later observations depend on: hypotheses with equal keys are merged.

        Nothing that is yet to come can tell them apart.
        """
        state = self.state
        # Once a hand is over only its score and the numbers of tricks taken matter.
        taken = tuple(state.results[-1].tricks.items()) if state.results else ()
        scored = (tuple(state.totals.items()), taken)
        calls = (state.raps, state.bids, state.calls, self.dial, self.secret_bids)
        cards = (state.turned, state.trick, state.tricks, self.table_cards, self.departing_trick)
        return (state.phase, state.hand, state.deal, calls, cards, scored, self.proved_revokes)

    def present_key(self) -> tuple[object, ...]:
        """Return the present state of trick and mark, without past tricks: the beam keeps several different ones."""
        state = self.state
        return (state.phase, state.deal, state.trick, len(state.tricks), len(state.calls), self.table_cards)

    # --- extensions ---------------------------------------------------------------------------------------------

    def rewind_before(self, entry: StoryEntry) -> Hypothesis:
        """Return a copy with the game as it stood before ``entry``; the cards on the mark stay as they are."""
        return evolve(self, state=entry.state_before, last_entry=entry.previous)

    def add_cost(self, nats: float) -> Hypothesis:
        """Return a copy that costs ``nats`` more."""
        return evolve(self, cost=self.cost + nats) if nats else self

    def add_habit(self, habit: Habit) -> Hypothesis:
        """Return a copy after one occurrence of a habit: its cost is added, and the belief in careless play updated."""
        nats, careless = habit.cost_and_posterior(self.careless)
        return evolve(self, cost=self.cost + nats, careless=careless)

    def add_revokes(self, proved: Collection[tuple[str, str, int]]) -> Hypothesis:
        """Return a copy after the proof of revokes (seat, card, trick), with the cost of those not proved before."""
        proved = {*proved} - self.proved_revokes
        if not proved:
            return self
        players = {seat for seat, _, _ in proved} - {seat for seat, _, _ in self.proved_revokes}
        after = evolve(self, proved_revokes=self.proved_revokes.union(proved))
        for _ in players:
            after = after.add_habit(COSTS.revoke)
        return after.add_cost((len(proved) - len(players)) * COSTS.further_revoke)

    def add_entry(
        self,
        cause: Event | Announcement | None,
        said: tuple[Announcement, ...],
        t_ns: int,
        *,
        observation_number: int | None = None,
        card_id: int | None = None,
        notices: tuple[Notice, ...] = (),
        **changes: Any,
    ) -> Hypothesis:
        """Return the hypothesis with one more entry; ``changes``: the fields of the hypothesis that change with it."""
        upon, index = self.last_entry, self.entry_count
        entry = StoryEntry(t_ns, cause, said, self.state, upon, index, notices, observation_number, card_id)
        return evolve(self, last_entry=entry, **changes)

    def add_card(self, piece: TableCard) -> Hypothesis:
        """Return a copy with one more card on the mark."""
        return evolve(self, table_cards=(*self.table_cards, piece))

    def replace_card(self, old: TableCard, new: TableCard | None) -> Hypothesis:
        """Return a copy in which the card ``old`` on the mark is replaced by ``new``, or removed if that is None."""
        at = self.table_cards.index(old)
        changed = (new,) if new is not None else ()
        return evolve(self, table_cards=(*self.table_cards[:at], *changed, *self.table_cards[at + 1 :]))

    def lose_from_sight(self, pieces: Collection[TableCard]) -> Hypothesis:
        """Return a copy in which these cards on the mark are out of sight."""
        seen = [piece._replace(id=None) if piece in pieces else piece for piece in self.table_cards]
        return evolve(self, table_cards=tuple(seen))


def add_line_fields(
    said: tuple[Announcement, ...], extra: Mapping[str, Any] | None
) -> tuple[Announcement, ...]:
    """Return an event's announcements with ``extra`` fields added to the first, which is the event's own.

    Of the fields that the rules give it, those stay as they are.
    """
    if not extra or not said:
        return said
    fields = said[0].fields
    return (Announcement(said[0].event, {**fields, **extra, **fields}), *said[1:])


# --- cards that may yet count -----------------------------------------------------------------------------------------


def find_claim(game: Game, hypothesis: Hypothesis, claim: Claim) -> TableCard | None:
    """Return the earliest card to be taken back that may count for the reason ``claim``, as its player's turn has
    come; None where there is none, or anyone may lead.
    """
    waiting = [piece for piece in hypothesis.table_cards if piece.role == "back" and piece.claim == claim]
    if not waiting or not hypothesis.state.phase.is_play:
        return None
    expected = game.expected(hypothesis.state)
    in_turn = (piece for piece in waiting if piece.seat == expected.default_seat)
    return None if expected.anyone_may_act else next(in_turn, None)


def find_lead_that_may_stay(game: Game, hypothesis: Hypothesis) -> TableCard | None:
    """Return the tied lead that its player, whose turn has come, may leave lying; None where there is none.

    Source: RULES.md, Whysteria: it must follow suit or be the hand's last trick. So may the default leader, when all go
    back.
    """
    left, state = find_claim(game, hypothesis, "tied"), hypothesis.state
    if left is None or left.card is None:
        return None
    lead = state.trick.lead
    return left if lead is None or left.card.suit == lead.card.suit or state.is_last_trick else None
