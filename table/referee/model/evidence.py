"""The context that all hypotheses of a hand share: game, seats, time windows, readings, what people have said."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log

from table.cards import SUITS, UNSEEN_LOSER, UNSEEN_WINNER, Card, card, unseen_card
from table.events.game_events import BidValue, Event
from table.facts import MS, CardGone, CardLanded, Reading
from table.games.engine.state import Phase, State
from table.games.game import Game
from table.referee.model.costs import COSTS, MIN_CONFIDENCE, NO_ARM, ArmEvidence, arm_evidence
from table.referee.model.hypothesis import Hypothesis

UNSEEN_CARDS = ((UNSEEN_LOSER, COSTS.unseen_loses), (UNSEEN_WINNER, COSTS.unseen_wins))
UNSEEN_LEADS = (
    *UNSEEN_CARDS,
    *((unseen_card(won=False, suit=suit), COSTS.unseen_loses + COSTS.unseen_suit) for suit in SUITS),
)
"""The possible values of an unknown card, as far as they matter to the game, each with its cost in nats."""

MAX_READINGS = 4
"""How many readings of a card are followed."""
PERSON_ERROR = 1e-7
"""The probability that a person errs about whose a card is: nearly never."""


@dataclass(frozen=True, slots=True)
class RefereeTimes:
    """The time windows of the referee, in nanoseconds. The defaults are those of ``table.toml``."""

    bid_tie_ns: int = 30 * MS
    lead_tie_ns: int = 250 * MS
    tap_gap_ns: int = 500 * MS
    dial_ns: int = 2_500 * MS
    pick_up_ns: int = 1_500 * MS
    """The longest pause between two grabs of one pick-up of a complete trick."""


DEFAULT_TIMES = RefereeTimes()


@dataclass(frozen=True, slots=True)
class Pins:
    """What people have said of this hand: constraints that hold against all observations."""

    cards: Mapping[int, Card] = field(default_factory=dict)
    """The identity of a card on the mark, by card id."""
    seats: Mapping[int, str] = field(default_factory=dict)
    """The owner of a card on the mark, by card id."""
    unseen: Mapping[tuple[int, int, str], Card] = field(default_factory=dict)
    """The card that a player played to a trick, by deal, trick and seat."""
    bids: Mapping[tuple[int, str], BidValue] = field(default_factory=dict)
    """A player's bid that was not heard, by deal and seat."""
    first: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The player whose lead was first, by deal and trick."""
    events: Mapping[int, Event] = field(default_factory=dict)
    """The meaning of a call, by the observation's number."""
    struck: frozenset[int] = frozenset()
    """The numbers of observations that have been undone and count for nothing."""
    calls: Mapping[tuple[int, int], BidValue] = field(default_factory=dict)
    """A call of an auction that was not heard, by deal and place in the auction, from 0; ``pass`` for a pass."""
    silences: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The deal and the trick that had been played when nothing moved any more, by the observation's number."""
    suits: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The suit that was named for a led joker and not heard, by deal and trick."""

    def with_card(self, number: int, found: Card) -> Pins:
        """Return a copy in which the card of id ``number`` is the card ``found``."""
        return replace(self, cards={**self.cards, number: found})

    def with_seat(self, number: int, seat: str) -> Pins:
        """Return a copy in which the card of id ``number`` belongs to ``seat``."""
        return replace(self, seats={**self.seats, number: seat})

    def with_unseen(self, deal: int, trick: int, seat: str, found: Card) -> Pins:
        """Return a copy that says which card ``seat`` played to a trick."""
        return replace(self, unseen={**self.unseen, (deal, trick, seat): found})

    def with_bid(self, deal: int, seat: str, bid: BidValue) -> Pins:
        """Return a copy that says what ``seat`` bid in a deal."""
        return replace(self, bids={**self.bids, (deal, seat): bid})

    def with_call(self, deal: int, place: int, bid: BidValue) -> Pins:
        """Return a copy that says what was called at ``place`` of a deal's auction, from 0."""
        return replace(self, calls={**self.calls, (deal, place): bid})

    def with_suit(self, deal: int, trick: int, suit: str) -> Pins:
        """Return a copy that says which suit was named for the joker led to a trick."""
        return replace(self, suits={**self.suits, (deal, trick): suit})

    def with_silence(self, number: int, deal: int, trick: int) -> Pins:
        """Return a copy that says a trick had been played unseen by the time of the idle observation ``number``."""
        return replace(self, silences={**self.silences, number: (deal, trick)})

    def with_first(self, deal: int, trick: int, seat: str) -> Pins:
        """Return a copy that says whose lead to a trick was first."""
        return replace(self, first={**self.first, (deal, trick): seat})

    def with_event(self, number: int, event: Event) -> Pins:
        """Return a copy that says what the call of observation ``number`` meant."""
        return replace(self, events={**self.events, number: event})

    def striking(self, numbers: frozenset[int]) -> Pins:
        """Return a copy in which exactly the observations ``numbers`` are undone."""
        return replace(self, struck=numbers)


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """The limits of the beam search: how many hypotheses it keeps."""

    most: int
    """The number of hypotheses that are kept."""
    views: int
    """How many of them, at least, differ in the present state of the mark and the trick."""
    margin: float
    """The largest cost above the best hypothesis at which one is still followed, in nats."""
    unseen: int
    """The number of cards in a row that may have been missed."""


NARROW = BeamLimits(most=16, views=8, margin=9.0, unseen=2)
"""The limits while play goes on as expected."""
WIDE = BeamLimits(most=48, views=24, margin=14.0, unseen=3)
"""The limits where more has gone wrong than any single mishap explains."""
WIDEST = BeamLimits(most=144, views=72, margin=14.0, unseen=3)
"""The limits where more has gone wrong than two mishaps explain."""


@dataclass(frozen=True, slots=True)
class CardCandidate:
    """One possible identity of a detected card, with confidence and cost in nats."""

    card: Card
    confidence: float
    cost: float
    plain: bool = True
    """Whether no better reading had to be passed over for this one."""


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The inputs of the search other than the log: game, seats, readings, people's statements and beam limits."""

    game: Game
    angles: Mapping[str, float]
    times: RefereeTimes
    landed: Mapping[int, CardLanded]
    """Every card that landed on the mark in this hand, by card id, as it was read last."""
    pins: Pins
    doubted: frozenset[int] = frozenset()
    """The ids of cards that may be others than their confident readings say."""
    denied: int | None = None
    """The id of a card that is none of those that were read for it; None for no such card."""
    reach: BeamLimits = NARROW

    def arm(self, fact: CardLanded | CardGone, state: State) -> ArmEvidence:
        """Return the evidence for whose arm brought or took a card; what people have said of its owner comes first."""
        pinned = self.pins.seats.get(fact.id) if isinstance(fact, CardLanded) else None
        if pinned is not None:
            return ArmEvidence({seat: 1.0 if seat == pinned else PERSON_ERROR for seat in state.players})
        return (
            arm_evidence(fact, tuple((seat, self.angles[seat]) for seat in state.players))
            if self.angles
            else NO_ARM
        )

    def names(self, fact: CardLanded, hypothesis: Hypothesis) -> list[CardCandidate]:
        """Return what a card may be, by its readings and by what has been played; an unknown card comes last."""
        pinned = self.pins.cards.get(fact.id)
        if pinned is not None:
            # A card that people have named, single in the pack, can lie nowhere else.
            return [
                CardCandidate(pinned, 1.0, 0.0 if self.possible(pinned, hypothesis) else COSTS.contradicted)
            ]
        read = [reading for reading in fact.readings if reading.confidence >= MIN_CONFIDENCE]
        names = self._read_candidates(read[:MAX_READINGS], hypothesis) if fact.id != self.denied else []
        rest = 1.0 - sum(reading.confidence for reading in read)
        doubt = COSTS.misread if rest < MIN_CONFIDENCE else -log(rest)
        if not read:
            doubt = COSTS.nameless
        if not names or doubt < COSTS.misread or fact.id in self.doubted:
            names += [
                CardCandidate(found, 0.0, doubt + cost, False)
                for found, cost in unknown_candidates(hypothesis.state)
            ]
        return [*names, *self._named_candidates(names, hypothesis)]

    def _read_candidates(self, readings: Sequence[Reading], hypothesis: Hypothesis) -> list[CardCandidate]:
        """Return the cards that were read and may be played now."""
        names: list[CardCandidate] = []
        for reading in readings:
            found = card(reading.card)
            if self.possible(found, hypothesis):
                plain = not names and reading is readings[0]
                names.append(
                    CardCandidate(found, reading.confidence, -log(min(1.0, reading.confidence)), plain)
                )
        return names

    def _named_candidates(
        self, names: Collection[CardCandidate], hypothesis: Hypothesis
    ) -> Iterator[CardCandidate]:
        """Yield the cards that people say were played to this trick: the detected card may be one of them, misread."""
        here = (hypothesis.state.deal, len(hypothesis.state.tricks) + 1)
        read = {name.card for name in names}
        for (deal, trick, _), found in self.pins.unseen.items():
            if (deal, trick) == here and found not in read and self.possible(found, hypothesis):
                yield CardCandidate(found, 1.0, COSTS.misread, False)

    def gainsays(self, state: State, seat: str, laid: Card) -> bool:
        """Return whether people have said that ``seat`` laid another card than ``laid`` to the trick in play."""
        meant = self.pins.unseen.get((state.deal, len(state.tricks) + 1, seat)) if self.pins.unseen else None
        return meant not in (None, laid)

    def said_otherwise(self, state: State) -> float:
        """Return the additional cost of a finished trick whose cards differ from what people have said.

        When such a card is laid only part of the cost counts, as it may yet be taken back for the card that was
        meant.
        """
        if not self.pins.unseen:
            return 0.0
        others = sum(self.gainsays(state, play.seat, play.card) for play in state.trick.plays)
        return (COSTS.contradicted - COSTS.meant_otherwise) * others

    def said_elsewhere(self, state: State) -> bool:
        """Return whether people have named a card of the trick in play, single in the pack, for another trick."""
        here, copies = len(state.tricks) + 1, self.game.rules.copies
        single = {play.card for play in state.trick.plays if copies.get(play.card) == 1}
        said = ((deal, trick) for (deal, trick, _), found in self.pins.unseen.items() if found in single)
        return any(deal == state.deal and trick != here for deal, trick in said)

    def looks(self, number: int | None, found: Card) -> str | None:
        """Return what the card of id ``number`` was read as, if that differs from ``found``; else None."""
        fact = self.landed.get(number) if number is not None else None
        best = fact.readings[0].card if fact is not None and fact.readings else None
        return best if best != str(found) else None

    def possible(self, found: Card, hypothesis: Hypothesis) -> bool:
        """Return whether a card could be played now by anybody, given the pack and the cards already seen."""
        copies = self.game.rules.copies.get(found, 0)
        waiting = sum(piece.kind == "back" and piece.card == found for piece in hypothesis.pieces)
        return waiting < copies and hypothesis.state.seen().count(found) + waiting < copies

    def buried(self, number: int, hypothesis: Hypothesis, gone: Collection[int]) -> bool:
        """Return whether another card of the trick lies upon card ``number``, and stays when those of ``gone`` go."""
        stay = [other.id for other in hypothesis.laid() if other.id is not None and other.id not in gone]
        return any(number in self.landed[other].upon for other in stay if other in self.landed)


def unknown_candidates(state: State) -> Sequence[tuple[Card, float]]:
    """Return what an unknown card may be where it is played next, each possibility with its cost."""
    return UNSEEN_LEADS if state.phase is Phase.LEAD and not state.trick.plays else UNSEEN_CARDS
