"""What every explanation of a hand has in common: the game, the seats, the times, what people have said for certain."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log

from table.cards import SUITS, UNSEEN_LOSER, UNSEEN_WINNER, Card, card, unseen
from table.events.happenings import BidValue, Event
from table.facts import MS, CardGone, CardLanded, Reading
from table.games.base import Phase, State
from table.games.game import Game
from table.referee.explanation import Explanation
from table.referee.odds import NO_ARM, ODDS, SLIM, Arm, arm_of

UNSEEN_CARDS = ((UNSEEN_LOSER, ODDS.unseen_loses), (UNSEEN_WINNER, ODDS.unseen_wins))
UNSEEN_LEADS = (
    *UNSEEN_CARDS,
    *((unseen(won=False, suit=suit), ODDS.unseen_loses + ODDS.unseen_suit) for suit in SUITS),
)
"""What a card that nobody knows may have been, as far as that matters, with what it costs."""

MOST_READ = 4
"""So many readings of a card are followed."""
SAID = 1e-7
"""A person may err too, but nearly never."""


@dataclass(frozen=True, slots=True)
class RefereeTimes:
    """The windows of judgement, in nanoseconds. The defaults are those of ``table.toml``."""

    bid_tie_ns: int = 30 * MS
    lead_tie_ns: int = 250 * MS
    tap_gap_ns: int = 500 * MS
    dial_ns: int = 2_500 * MS
    pick_up_ns: int = 1_500 * MS
    """A complete trick leaves the mark in grabs that are no farther apart than this."""


DEFAULT_TIMES = RefereeTimes()


@dataclass(frozen=True, slots=True)
class Pins:
    """What people have said of this hand: it holds against whatever was seen."""

    cards: Mapping[int, Card] = field(default_factory=dict)
    """What a card on the mark is, by its number."""
    seats: Mapping[int, str] = field(default_factory=dict)
    """Whose a card on the mark is, by its number."""
    unseen: Mapping[tuple[int, int, str], Card] = field(default_factory=dict)
    """What a player's card was, by deal, trick and seat."""
    bids: Mapping[tuple[int, str], BidValue] = field(default_factory=dict)
    """What a player bid, by deal and seat, where it was not heard."""
    first: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Whose lead was first, by deal and trick."""
    events: Mapping[int, Event] = field(default_factory=dict)
    """What a call meant, by the observation's number."""
    struck: frozenset[int] = frozenset()
    """The observations that count for nothing: they have been undone."""
    calls: Mapping[tuple[int, int], BidValue] = field(default_factory=dict)
    """What was called in an auction and not heard, by deal and place in the auction, from 0; ``pass`` for a pass."""
    silences: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The deal and the trick that had been played when nothing moved any more, by the observation's number."""
    suits: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The suit that was named for a led joker and not heard, by deal and trick."""

    def with_card(self, number: int, found: Card) -> Pins:
        """The card of that number is this one."""
        return replace(self, cards={**self.cards, number: found})

    def with_seat(self, number: int, seat: str) -> Pins:
        """The card of that number is this player's."""
        return replace(self, seats={**self.seats, number: seat})

    def with_unseen(self, deal: int, trick: int, seat: str, found: Card) -> Pins:
        """What a player played to a trick."""
        return replace(self, unseen={**self.unseen, (deal, trick, seat): found})

    def with_bid(self, deal: int, seat: str, bid: BidValue) -> Pins:
        """What a player bid."""
        return replace(self, bids={**self.bids, (deal, seat): bid})

    def with_call(self, deal: int, place: int, bid: BidValue) -> Pins:
        """What was called at that place of the auction."""
        return replace(self, calls={**self.calls, (deal, place): bid})

    def with_suit(self, deal: int, trick: int, suit: str) -> Pins:
        """The suit that was named for the joker led to a trick."""
        return replace(self, suits={**self.suits, (deal, trick): suit})

    def with_silence(self, number: int, deal: int, trick: int) -> Pins:
        """A trick had been played by the silence of that number, although its cards were not seen."""
        return replace(self, silences={**self.silences, number: (deal, trick)})

    def with_first(self, deal: int, trick: int, seat: str) -> Pins:
        """Whose lead was first."""
        return replace(self, first={**self.first, (deal, trick): seat})

    def with_event(self, number: int, event: Event) -> Pins:
        """What a call meant."""
        return replace(self, events={**self.events, number: event})

    def striking(self, numbers: frozenset[int]) -> Pins:
        """These observations count for nothing, and no others."""
        return replace(self, struck=numbers)


@dataclass(frozen=True, slots=True)
class Reach:
    """How much is followed at once."""

    most: int
    """So many explanations are kept."""
    views: int
    """So many of them, at least, differ in what lies there now."""
    margin: float
    """Nats: what is so much less likely than the best is not followed any further."""
    unseen: int
    """So many cards in a row may have been missed."""


NARROW = Reach(most=16, views=8, margin=9.0, unseen=2)
"""While all goes on as may be expected."""
WIDE = Reach(most=48, views=24, margin=14.0, unseen=3)
"""Where more has gone wrong than any single mishap."""
WIDEST = Reach(most=144, views=72, margin=14.0, unseen=3)
"""... than two."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a card may be."""

    card: Card
    confidence: float
    cost: float
    plain: bool = True
    """Whether no better reading had to be passed over."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One game at one table, and what is known of it for certain."""

    game: Game
    angles: Mapping[str, float]
    times: RefereeTimes
    landed: Mapping[int, CardLanded]
    """Every card that came to lie on the mark in this hand, as it was read last."""
    pins: Pins
    doubted: frozenset[int] = frozenset()
    """Cards that may be others than was read for sure."""
    denied: int | None = None
    """A card that is none of those that were read."""
    reach: Reach = NARROW

    def arm(self, fact: CardLanded | CardGone, state: State) -> Arm:
        """Whose arm brought or took a card."""
        pinned = self.pins.seats.get(fact.id) if isinstance(fact, CardLanded) else None
        if pinned is not None:
            return Arm({seat: 1.0 if seat == pinned else SAID for seat in state.players})
        return (
            arm_of(fact, tuple((seat, self.angles[seat]) for seat in state.players))
            if self.angles
            else NO_ARM
        )

    def names(self, fact: CardLanded, explanation: Explanation) -> list[Name]:
        """What a card may be, by its readings and by what has been played; something unreadable comes last."""
        pinned = self.pins.cards.get(fact.id)
        if pinned is not None:
            # What people have named lies nowhere else, if there is one alone of it.
            return [Name(pinned, 1.0, 0.0 if self.possible(pinned, explanation) else ODDS.contradicted)]
        read = [one for one in fact.readings if one.confidence >= SLIM]
        names = self._read(read[:MOST_READ], explanation) if fact.id != self.denied else []
        rest = 1.0 - sum(reading.confidence for reading in read)
        doubt = ODDS.misread if rest < SLIM else -log(rest)
        if not read:
            doubt = ODDS.nameless
        if not names or doubt < ODDS.misread or fact.id in self.doubted:
            names += [Name(found, 0.0, doubt + cost, False) for found, cost in unknown(explanation.state)]
        return [*names, *self._said(names, explanation)]

    def _read(self, readings: Sequence[Reading], explanation: Explanation) -> list[Name]:
        """The cards that were read and may be played now."""
        names: list[Name] = []
        for reading in readings:
            found = card(reading.card)
            if self.possible(found, explanation):
                plain = not names and reading is readings[0]
                names.append(Name(found, reading.confidence, -log(min(1.0, reading.confidence)), plain))
        return names

    def _said(self, names: Collection[Name], explanation: Explanation) -> Iterator[Name]:
        """What people have said that was played to this trick: a card may be that one, and have been misread."""
        here = (explanation.state.deal, len(explanation.state.tricks) + 1)
        read = {name.card for name in names}
        for (deal, trick, _), found in self.pins.unseen.items():
            if (deal, trick) == here and found not in read and self.possible(found, explanation):
                yield Name(found, 1.0, ODDS.misread, False)

    def gainsays(self, state: State, seat: str, laid: Card) -> bool:
        """Whether people have said that a player laid another card to the trick in play."""
        meant = self.pins.unseen.get((state.deal, len(state.tricks) + 1, seat)) if self.pins.unseen else None
        return meant not in (None, laid)

    def said_otherwise(self, state: State) -> float:
        """What it costs besides that cards of the trick in play, as it is taken, are others than people have said.

        As one is laid it may yet be taken back for the card that was meant.
        """
        if not self.pins.unseen:
            return 0.0
        others = sum(self.gainsays(state, play.seat, play.card) for play in state.trick.plays)
        return (ODDS.contradicted - ODDS.meant_otherwise) * others

    def said_elsewhere(self, state: State) -> bool:
        """Whether people have said that a card of the trick in play, of which there is one alone, was of another."""
        here, copies = len(state.tricks) + 1, self.game.rules.copies
        single = {play.card for play in state.trick.plays if copies.get(play.card) == 1}
        said = ((deal, trick) for (deal, trick, _), found in self.pins.unseen.items() if found in single)
        return any(deal == state.deal and trick != here for deal, trick in said)

    def looks(self, number: int | None, found: Card) -> str | None:
        """What the card of that number was read as, where it is believed to be another one."""
        fact = self.landed.get(number) if number is not None else None
        best = fact.readings[0].card if fact is not None and fact.readings else None
        return best if best != str(found) else None

    def possible(self, found: Card, explanation: Explanation) -> bool:
        """Whether the card could be played now by anybody, by the pack and the cards already seen."""
        copies = self.game.rules.copies.get(found, 0)
        waiting = sum(piece.kind == "back" and piece.card == found for piece in explanation.pieces)
        return waiting < copies and explanation.state.seen().count(found) + waiting < copies

    def buried(self, number: int, explanation: Explanation, gone: Collection[int]) -> bool:
        """Whether another card of the trick lies upon this one and stays when those of ``gone`` leave."""
        stay = [other.id for other in explanation.laid() if other.id is not None and other.id not in gone]
        return any(number in self.landed[other].upon for other in stay if other in self.landed)


def unknown(state: State) -> Sequence[tuple[Card, float]]:
    """What a card that nobody knows may be where it is played next, each with what it costs."""
    return UNSEEN_LEADS if state.phase is Phase.LEAD and not state.trick.plays else UNSEEN_CARDS
