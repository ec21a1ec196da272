"""What the search is given beside hypotheses: game, seats, time windows, readings, what people have said, a step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Any, TypeAlias

from table.cards import SUITS, PlayedCard, UnseenCard, card
from table.events.event_spec import Announcement
from table.events.game_events import Event
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.observed_facts import MS, CardGone, CardLanded, Reading
from table.phrase import Phrase
from table.referee.model.beam import NARROW, BeamBuilder, BeamLimits
from table.referee.model.event_costs import COSTS, MIN_CONFIDENCE, ArmEvidence, arm_evidence
from table.referee.model.hypothesis import CardRole, Hypothesis, TableCard, add_line_fields
from table.referee.model.notices import Notice, Tone, make_notice
from table.referee.model.observations import CardsLanded, Observation

UNSEEN_CARDS = (
    (UnseenCard(won=False), COSTS.undetected_loses),
    (UnseenCard(won=True), COSTS.undetected_wins),
)
UNSEEN_LEADS = (
    *UNSEEN_CARDS,
    *((UnseenCard(won=False, suit=suit), COSTS.undetected_loses + COSTS.undetected_suit) for suit in SUITS),
)
"""The possible values of an unknown card, as far as they matter to the game, each with its cost in nats."""

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


CallKey: TypeAlias = tuple[int, int, int | None, str]
"""A call by its deal, its trick (of a led joker's suit, from 1; else 0), its place in an auction (from 0; else None)
and its player."""


def call_key(state: State, seat: str) -> CallKey:
    """Return the key of the call that ``seat`` is to make in this state."""
    trick = len(state.tricks) + 1 if state.phase is Phase.NAME_SUIT else 0
    return state.deal, trick, len(state.calls) if state.phase is Phase.AUCTION else None, seat


@dataclass(frozen=True, slots=True)
class Pins:
    """What people have said of this hand: constraints that hold against all observations."""

    cards: Mapping[int, PlayedCard] = field(default_factory=dict)
    """The identity of a card on the mark, by card id."""
    seats: Mapping[int, str] = field(default_factory=dict)
    """The owner of a card on the mark, by card id."""
    plays: Mapping[tuple[int, int, str], PlayedCard] = field(default_factory=dict)
    """The card that a player played to a trick, by deal, trick and seat."""
    calls: Mapping[CallKey, Event] = field(default_factory=dict)
    """A bid, a pass or a named suit that was not heard."""
    first_leads: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The player whose lead was first, by deal and trick."""
    events: Mapping[int, Event] = field(default_factory=dict)
    """The meaning of a call, by the observation's number."""
    undone: frozenset[int] = frozenset()
    """The numbers of observations that have been undone and count for nothing."""
    idle_tricks: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """The deal and the trick that had been played when nothing moved any more, by the observation's number."""

    def including(self, **said: Mapping[Any, Any]) -> Pins:
        """Return a copy that says more: ``said`` has the additional entries of the fields that it names."""
        fields: dict[str, Any] = {name: {**getattr(self, name), **more} for name, more in said.items()}
        return replace(self, **fields)


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """A correction, undo or answer that can be taken back."""

    description: Phrase
    journal_value: Any
    """The correction as the journal has it: the line of what happened, an answer, or nothing."""
    was_undo: bool
    """Whether it was an undo."""
    pins: Pins
    """What people had said before it."""


@dataclass(frozen=True, slots=True)
class CardCandidate:
    """One possible identity of a detected card, with confidence and cost in nats."""

    card: PlayedCard
    confidence: float
    cost: float
    is_best_reading: bool = True
    """Whether no better reading had to be passed over for this one."""

    def laid_by(self, seat: str | None, number: int, role: CardRole = "played") -> TableCard:
        """Return the card with id ``number`` on the mark, if it is this one and ``seat`` has laid it."""
        return TableCard(number, self.card, seat, role, confidence=self.confidence)


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The inputs of the search other than the log: game, seats, readings, people's statements and beam limits."""

    game: Game
    angles: Mapping[str, float]
    times: RefereeTimes
    landed: Mapping[int, CardLanded]
    """Every card that landed on the mark in this hand, by card id, as it was read last."""
    pins: Pins
    history: tuple[UndoRecord, ...] = ()
    """The corrections that can be taken back, the latest last, until the hand before is committed."""
    may_be_misread: frozenset[int] = frozenset()
    """The ids of cards that may be others than their confident readings say."""
    excluded_reading: int | None = None
    """The id of a card that is none of those that were read for it; None for no such card."""
    limits: BeamLimits = NARROW

    def card_candidates(self, fact: CardLanded, hypothesis: Hypothesis) -> list[CardCandidate]:
        """Return what a card may be, by its readings and by what has been played; an unknown card comes last."""
        pinned = self.pins.cards.get(fact.id)
        if pinned is not None:
            # A card that people have named, single in the pack, can lie nowhere else.
            return [
                CardCandidate(
                    pinned, 1.0, 0.0 if self.can_be_played(pinned, hypothesis) else COSTS.contradicts_people
                )
            ]
        read = [reading for reading in fact.readings if reading.confidence >= MIN_CONFIDENCE]
        names = self._read_candidates(read, hypothesis) if fact.id != self.excluded_reading else []
        rest = 1.0 - sum(reading.confidence for reading in read)
        doubt = COSTS.misread if rest < MIN_CONFIDENCE else -log(rest)
        if not read:
            doubt = COSTS.unreadable_played
        if not names or doubt < COSTS.misread or fact.id in self.may_be_misread:
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
            if self.can_be_played(found, hypothesis):
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
        for (deal, trick, _), found in self.pins.plays.items():
            if (deal, trick) == here and found not in read and self.can_be_played(found, hypothesis):
                yield CardCandidate(found, 1.0, COSTS.misread, False)

    def named_card(self, state: State, seat: str) -> PlayedCard | None:
        """Return the card that ``seat`` laid to the trick in play, as people have said; None where nobody has."""
        return self.pins.plays.get((state.deal, len(state.tricks) + 1, seat)) if self.pins.plays else None

    def is_named_in_other_trick(self, state: State) -> bool:
        """Return whether people have named a card of the trick in play, single in the pack, for another trick."""
        here, copies = len(state.tricks) + 1, self.game.rules.card_counts
        single = {play.card for play in state.trick.plays if copies.get(play.card) == 1}
        said = ((deal, trick) for (deal, trick, _), found in self.pins.plays.items() if found in single)
        return any(deal == state.deal and trick != here for deal, trick in said)

    def misread_as(self, number: int | None, found: PlayedCard) -> str | None:
        """Return what the card of id ``number`` was read as, if that differs from ``found``; else None."""
        fact = self.landed.get(number) if number is not None else None
        best = fact.readings[0].card if fact is not None and fact.readings else None
        return best if best != str(found) else None

    def can_be_played(self, found: PlayedCard, hypothesis: Hypothesis) -> bool:
        """Return whether a card could be played now by anybody, given the pack and the cards already seen."""
        copies = self.game.rules.card_counts.get(found, 0)
        waiting = sum(piece.role == "back" and piece.card == found for piece in hypothesis.table_cards)
        return hypothesis.state.cards_played().count(found) + waiting < copies


@dataclass(frozen=True, slots=True)
class Step:
    """The expansion of hypotheses by one observation: what each function of this package is given beside them."""

    context: SearchContext
    observation: Observation
    beam: BeamBuilder
    """Collects what follows from all hypotheses, and knows what is not worth generating."""
    t_ns: int
    """The stamp of the entries that are made."""

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.context.game

    @property
    def unobserved(self) -> bool:
        """Whether the cards landed in no frame: when the camera restarted, or went on after a gap."""
        return isinstance(self.observation, CardsLanded) and self.observation.unobserved

    def at(self, t_ns: int) -> Step:
        """Return the same step with another stamp, for one of several cards."""
        return self if t_ns == self.t_ns else replace(self, t_ns=t_ns)

    def is_too_costly(self, hypothesis: Hypothesis, nats: float = 0.0) -> bool:
        """Return whether a hypothesis that costs ``nats`` more is not worth following."""
        return hypothesis.cost + nats > self.beam.max_cost

    def arm_evidence(self, fact: CardLanded | CardGone, hypothesis: Hypothesis) -> ArmEvidence:
        """Return the evidence for whose arm brought or took a card; what people have said of its owner comes first."""
        players, angles = hypothesis.state.players, self.context.angles
        pinned = self.context.pins.seats.get(fact.id) if isinstance(fact, CardLanded) else None
        if pinned is not None:
            return ArmEvidence({seat: 1.0 if seat == pinned else PERSON_ERROR for seat in players})
        return arm_evidence(fact, tuple((seat, angles[seat]) for seat in players) if angles else ())

    def notice(self, tone: Tone, code: str, *seats: str | None, **fields: object) -> Notice:
        """Build a notice with the stamp of the step."""
        return make_notice(self.t_ns, tone, code, *seats, **fields)

    def apply(
        self,
        hypothesis: Hypothesis,
        event: Event,
        *,
        extra: Mapping[str, Any] | None = None,
        card_id: int | None = None,
        notices: Iterable[Notice] = (),
    ) -> Hypothesis | Refusal:
        """Return the hypothesis after an event of the game, or the refusal of the rules.

        ``extra``: fields added to the event's own journal line.
        """
        step = self.game.apply(hypothesis.state, event)
        if isinstance(step, Refusal):
            return step
        said = add_line_fields(step.announcements, extra)
        same_phase = step.state.phase is hypothesis.state.phase
        after = hypothesis.add_entry(
            event,
            said,
            self.t_ns,
            observation_number=self.observation.number,
            card_id=card_id,
            notices=tuple(notices),
            state=step.state,
            departing_trick=None,
            dial=None,
            secret_bids=hypothesis.secret_bids if same_phase else (),
        )
        revokes = (line.fields for line in said if line.event == "revoke")
        return after.add_revokes([(line["seat"], line["card"], line["trick"]) for line in revokes])

    def add_remark(
        self,
        hypothesis: Hypothesis,
        said: Announcement | None,
        *notices: Notice,
        card_id: int | None = None,
    ) -> Hypothesis:
        """Return the hypothesis after a journal line, notices, or both, that change no state."""
        lines = (said,) if said is not None else ()
        number = self.observation.number
        return hypothesis.add_entry(
            said, lines, self.t_ns, observation_number=number, card_id=card_id, notices=notices
        )


def unknown_candidates(state: State) -> Sequence[tuple[UnseenCard, float]]:
    """Return what an unknown card may be where it is played next, each possibility with its cost."""
    return UNSEEN_LEADS if state.phase is Phase.LEAD and not state.trick.plays else UNSEEN_CARDS
