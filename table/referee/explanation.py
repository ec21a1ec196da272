"""An explanation: one way in which everything seen in this hand may have come about.

It is a value. What the game stands at, whose each card on the mark is and what it counts for, what the journal says
and the screen shows: all of it belongs to an explanation and is derived from the facts. So a changed mind changes all
of it at once, and the mark and the game cannot disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from table.cards import Card
from table.events.happenings import BidValue, Event
from table.events.kind import Said
from table.events.known import told
from table.games.base import Refusal, State
from table.games.copies import but
from table.games.game import Game
from table.referee.notices import Notice
from table.referee.odds import ODDS, Habit
from table.referee.past import Past

Kind = Literal["played", "back", "turned up", "unread", "nothing", "done"]
"""``played``: a card of the trick; ``back``: to be taken back; ``unread``: face down; ``nothing``: there is no card;
``done``: of a trick that has been taken, though it still seems to lie there."""

Waits = Literal["no", "turn", "tied"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A card on the mark, as an explanation has it."""

    id: int | None
    """Its number on the mark; None while it is out of sight, beneath others or lost."""
    card: Card | None
    seat: str | None
    kind: Kind
    waits: Waits = "no"
    """A card to be taken back may yet count: at its player's ``turn``, or as a ``tied`` lead that is left lying."""
    confidence: float = 0.0
    looks: str | None = None
    """What it was read as, where that is not what it is believed to be: it looks the same whenever it is seen anew."""
    dark: bool = False
    """It lay there when the camera was last awake, and has not been looked for since."""
    open: int | None = None
    """The number that it landed as, where nobody watched its tie window to its end: others may be tied with it."""
    missed: bool = False
    """It was not seen to land, though people may have said what it was."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One cause of journal lines, and the entries before it."""

    t_ns: int
    cause: Event | Said | None
    """An event of the game, what the referee said on its own, or None for words on the screen alone."""
    said: tuple[Said, ...]
    """The journal's lines."""
    before: State
    """The state that it changed."""
    upon: Entry | Past[Entry] | None
    """The entry before it, or all those before it, where they have not been read back from the journal yet."""
    place: int
    """How many entries come before it."""
    notices: tuple[Notice, ...] = ()
    """What the screen says of it."""
    item: int | None = None
    """The number of the observation that it came from; None for what was read back from a journal."""
    piece: int | None = None
    """The number of the card on the mark that it is about."""

    @property
    def earlier(self) -> Entry | None:
        """The entry before it."""
        return self.upon.last if isinstance(self.upon, Past) else self.upon

    @property
    def changes(self) -> bool:
        """Whether it is an event of the game."""
        return self.cause is not None and not isinstance(self.cause, Said)

    def same(self, other: Entry) -> bool:
        """Whether it tells people the same of the same moment; how sure that is may differ."""
        if self is other:
            return True
        said = [[told(one.event, one.fields) for one in entry.said] for entry in (self, other)]
        return self.t_ns == other.t_ns and said[0] == said[1]


@dataclass(frozen=True, slots=True)
class Leaving:
    """A complete trick of which cards have begun to leave."""

    ids: tuple[int, ...]
    taker: str | None
    quiet_ns: int | None
    """When the pause has been too long for a pick-up in several grabs; None once that has been counted."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Where the game stands, what lies on the mark, what was said, and what all that costs."""

    state: State
    pieces: tuple[Piece, ...] = ()
    """In the order of landing."""
    cost: float = 0.0
    """Nats: minus the logarithm of how likely all this is."""
    last: Entry | None = None
    leaving: Leaving | None = None
    revokes: frozenset[tuple[str, str, int]] = frozenset()
    """Those that have been proved, each counted once however often its proof is laid: seat, card, trick."""
    careless: float = ODDS.careless
    """How probable it is that these people play without care, after what they did in this hand."""
    dialled: tuple[str, BidValue] | None = None
    """Whose turn it is in the auction, and what the dial shows: it may have been called, and the rap not heard."""
    kept: tuple[tuple[str, BidValue], ...] = ()
    """The bids made in secret that have not come to light yet."""
    earlier: Explanation | None = field(default=None, repr=False)
    """What it grew from, at the observation before."""
    item: int = -1
    """The place in the log of the observation that it accounts for last."""
    past: Past[Entry] | None = field(default=None, repr=False)
    """The entries before all those that it knows itself."""

    # --- what it holds ------------------------------------------------------------------------------------------

    @property
    def length(self) -> int:
        """How many entries it has."""
        if self.last is not None:
            return self.last.place + 1
        return self.past.count if self.past is not None else 0

    def piece(self, number: int) -> Piece | None:
        """The card of that number."""
        return next((one for one in self.pieces if one.id == number), None)

    def laid(self) -> tuple[Piece, ...]:
        """The cards of the trick, as they lie or are believed to lie."""
        return tuple(one for one in self.pieces if one.kind == "played")

    def in_sight(self) -> tuple[Piece, ...]:
        """Those that have not been told of as gone."""
        return tuple(one for one in self.pieces if one.kind == "played" and one.id is not None)

    def waiting(self, seat: str | None, waits: Waits) -> Piece | None:
        """The earliest card that ``seat`` has to take back and that may yet count; none that nobody has looked for."""
        backs = (one for one in self.pieces if one.kind == "back" and one.waits == waits and not one.dark)
        return next((one for one in backs if one.seat == seat), None)

    def entries(self) -> Iterator[Entry]:
        """The newest first."""
        entry = self.last
        while entry is not None:
            yield entry
            entry = entry.earlier

    def key(self) -> tuple[object, ...]:
        """Explanations that agree on this can't be told apart by anything that is yet to come."""
        state = self.state
        game = (
            state.phase,
            state.hand,
            state.deal,
            state.leader,
            state.trick,
            state.tricks,
            state.raps,
            state.bids,
        )
        # Once a hand is over its tricks are known by what each has taken and what that scored.
        taken = tuple(state.results[-1].tricks.items()) if state.results else ()
        scored = (tuple(state.totals.items()), taken)
        calls = (state.calls, self.dialled, self.kept)
        return (game, state.turned, calls, scored, self.revokes, self.pieces, self.leaving)

    def present(self) -> tuple[object, ...]:
        """How it sees what goes on now, whatever it makes of the tricks before."""
        state = self.state
        return (
            state.phase,
            state.deal,
            state.leader,
            state.trick,
            len(state.tricks),
            len(state.calls),
            self.pieces,
        )

    # --- how it grows -------------------------------------------------------------------------------------------

    def before(self, entry: Entry) -> Explanation:
        """As the game stood before an entry; of the mark it says nothing new."""
        return but(self, state=entry.before, last=entry.earlier, past=None)

    def costing(self, nats: float) -> Explanation:
        """The same, less likely."""
        return but(self, cost=self.cost + nats) if nats else self

    def doing(self, habit: Habit) -> Explanation:
        """After people did what some do more often than others."""
        nats, careless = habit.of(self.careless)
        return but(self, cost=self.cost + nats, careless=careless)

    def applied(
        self,
        game: Game,
        event: Event,
        t_ns: int,
        *,
        extra: Mapping[str, Any] | None = None,
        item: int | None = None,
        piece: int | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> Explanation | Refusal:
        """After an event of the game; ``extra`` fields go into its own line."""
        step = game.apply(self.state, event)
        if isinstance(step, Refusal):
            return step
        said = with_fields(step.said, extra)
        proved = {_revoke(one) for one in said if one.event == "revoke"} - self.revokes
        fresh = {seat for seat, _, _ in proved - self.revokes} - {seat for seat, _, _ in self.revokes}
        after = but(
            self.told(event, said, t_ns, step.state, item, piece, notices),
            revokes=self.revokes | proved,
            leaving=None,
            dialled=None,
            kept=self.kept if step.state.phase is self.state.phase else (),
        )
        for _ in fresh:
            after = after.doing(ODDS.revoke)
        return after.costing((len(proved) - len(fresh)) * ODDS.revoke_too)

    def remarked(
        self,
        said: Said | None,
        t_ns: int,
        *,
        item: int | None = None,
        piece: int | None = None,
        notices: tuple[Notice, ...] = (),
    ) -> Explanation:
        """After something is said that changes no state: a journal line, words on the screen, or both."""
        lines = (said,) if said is not None else ()
        return self.told(said, lines, t_ns, self.state, item, piece, notices)

    def told(
        self,
        cause: Event | Said | None,
        said: tuple[Said, ...],
        t_ns: int,
        state: State,
        item: int | None,
        piece: int | None,
        notices: tuple[Notice, ...],
    ) -> Explanation:
        """With one more entry, after which the game stands at ``state``."""
        upon = self.last if self.last is not None else self.past
        entry = Entry(t_ns, cause, said, self.state, upon, self.length, notices, item, piece)
        return but(self, state=state, last=entry)

    def with_piece(self, piece: Piece) -> Explanation:
        """A card comes to lie on the mark."""
        return but(self, pieces=(*self.pieces, piece))

    def changed(self, old: Piece, new: Piece | None) -> Explanation:
        """A card counts for something else now, or is gone."""
        return but(
            self,
            pieces=tuple(
                changed
                for one in self.pieces
                if (changed := new if one is old or one == old else one) is not None
            ),
        )

    def out_of_sight(self, waiting: Collection[int] = ()) -> Explanation:
        """After a power cut: the cards may lie as they lay; the camera that starts anew has not looked for them yet.

        ``waiting``: the cards whose tie window nobody watched to its end.
        """
        known = (one for one in self.pieces if one.card is not None and one.kind != "nothing")
        pieces = tuple(
            replace(one, id=None, dark=True, open=one.id if one.id in waiting else None) for one in known
        )
        return but(self, pieces=pieces, leaving=None, dialled=None, kept=())


def with_fields(said: tuple[Said, ...], extra: Mapping[str, Any] | None) -> tuple[Said, ...]:
    """What an event says, with ``extra`` fields in its own line."""
    return (Said(said[0].event, {**said[0].fields, **extra}), *said[1:]) if extra and said else said


def _revoke(said: Said) -> tuple[str, str, int]:
    fields = said.fields
    return (fields["seat"], fields["card"], fields["trick"])
