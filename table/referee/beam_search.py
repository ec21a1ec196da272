"""The beam search: the few likeliest hypotheses of everything observed in the hand in play.

Each observation expands every hypothesis into those that may follow from it; the unlikely ones are dropped. Where the
past is seen in another light, everything from there on is computed again: so whatever the referee believes follows
from the log and from what people have said, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice

from table.cards import PlayedCard, UnseenCard, card
from table.events.game_events import Played, TrickTaken
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase
from table.observed_facts import CardLanded, Reading
from table.referee.model.beam import LIMITS_BY_LEVEL, MISREAD, BeamBuilder, recent_level, wider_level
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.observations import CardsLanded, Observation, landed_cards
from table.referee.model.search_context import Pins, SearchContext, Step
from table.referee.moves.expand import expand

SWITCH_MARGIN = 0.69
"""The margin in nats by which another hypothesis must be likelier before the table changes its mind.

Those costs that are constants are multiples of 0.025: no sums of them differ by exactly this, so that no choice depends
on the order in which floats were added.
"""
MISREAD_START_SIZE = 4
"""The number of hypotheses with which the search begins when a confident reading is doubted."""
MIN_NAME_CONFIDENCE = 0.5
"""The confidence from which on a reading is taken as a card's name."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What the search believes at one place of the log."""

    beam: tuple[Hypothesis, ...]
    """The hypotheses, the likeliest first."""
    best: Hypothesis
    """The hypothesis in force: the likeliest, or a nearly as likely one that extends what was in force before.

    It follows from the log and from what people have said, so what is undone leaves no trace in it.
    """
    level: int = 0
    """The level of the beam's limits."""


class _HandSearch:
    """The observations of one hand, and what is believed before each of them and after the last."""

    def __init__(
        self, root: Hypothesis, log: Iterable[Observation] = (), beliefs: Iterable[Belief] = ()
    ) -> None:
        """``root``: the committed hypothesis with which the hand begins."""
        self.log = [*log]
        self.beliefs = [*beliefs] or [Belief((root,), root)]

    @property
    def root(self) -> Hypothesis:
        """The committed hypothesis with which the hand begins."""
        return self.beliefs[0].best

    @property
    def is_searched(self) -> bool:
        """Whether the observations have been searched."""
        return len(self.beliefs) > len(self.log)

    def landing_place(self, number: int) -> int | None:
        """Return the place in the log where card ``number`` landed."""
        for place, observation in enumerate(self.log):
            if isinstance(observation, CardsLanded) and any(card.id == number for card in observation.cards):
                return place
        return None


class BeamSearch:
    """The beam search over the hypotheses of the hand in play, on top of the committed one of the hand before.

    The log begins with the hand before, so that people may still correct that. When the next hand is dealt the best
    hypothesis of the previous hand is committed: no later observation changes it. Where hands begin follows from the
    log and from what people have said, so undoing the deal reopens the hand.
    """

    def __init__(
        self,
        context: SearchContext,
        root: Hypothesis,
        log: Sequence[Observation] = (),
        *,
        hand: Hypothesis | None = None,
        at: int = 0,
        until_s: float | None = None,
    ) -> None:
        """``root``: the hypothesis from before the log. ``hand``: what the hand in play begins with at place ``at`` of
        the log, where that is known. What was observed before is then searched by ``search_again`` alone, as for a
        correction that may reach it.
        """
        self.context = context
        self.until_s = until_s
        """Processor time of this thread, in seconds, after which `SearchTimeoutError` is raised; None: no limit."""
        self._hands = [_HandSearch(_committed(root))]
        """The hand in play last, and before it those that are closed."""
        if hand is not None:
            self._hands = [_HandSearch(_committed(root), log[:at]), _HandSearch(_committed(hand))]
        self._forget_cards(log)
        self._advance(*log[at:])

    # --- queries ------------------------------------------------------------------------------------------------

    @property
    def root(self) -> Hypothesis:
        """The committed hypothesis from before the log: where the hand before began, or this one, the first."""
        return self._hands[0].root

    @property
    def log(self) -> list[Observation]:
        """The observations of all hands that may still be corrected."""
        return [observation for hand in self._hands for observation in hand.log]

    @property
    def beam(self) -> tuple[Hypothesis, ...]:
        """The current hypotheses, the likeliest first."""
        return self._hands[-1].beliefs[-1].beam

    @property
    def best(self) -> Hypothesis:
        """The hypothesis in force."""
        return self._hands[-1].beliefs[-1].best

    @property
    def bests(self) -> tuple[Hypothesis, ...]:
        """The hypotheses in force before each observation, and the current one last."""
        return tuple(belief.best for hand in self._hands for belief in hand.beliefs)

    @property
    def hand(self) -> int:
        """The number of the hand in play: the one before is closed."""
        return self._hands[-1].root.state.hand

    @property
    def lacks_closed_hand(self) -> bool:
        """Whether the observations before the hand in play have not been searched: resuming leaves them out."""
        return not self._hands[0].is_searched

    # --- changes ------------------------------------------------------------------------------------------------

    def add_observation(self, observation: Observation) -> None:
        """Add an observation to the log, and expand the hypotheses by it."""
        self._note_cards(observation)
        self._advance(observation)

    def update_reading(self, number: int, readings: tuple[Reading, ...]) -> None:
        """Replace the reading of card ``number`` in its landing, and search the hand in play again from there on."""
        for hand in self._hands:
            at = hand.landing_place(number)
            if at is None:
                continue
            landing = hand.log[at]
            assert isinstance(landing, CardsLanded)
            better = landing.reread(number, readings)
            if better == landing:
                return
            hand.log[at] = better
            self._note_cards(better)
            if hand is self._hands[-1]:
                self._hands[-1] = _HandSearch(hand.root, hand.log[:at], hand.beliefs[: at + 1])
                self._advance(*hand.log[at:])
            return

    def with_pins(self, pins: Pins) -> BeamSearch:
        """Return a copy in which people have said ``pins``: it has searched this hand and the one before again."""
        other = copy(self)
        other.context = replace(self.context, pins=pins)
        other.search_again()
        return other

    def search_again(self) -> None:
        """Search this hand and the one before again."""
        log, self._hands = self.log, [_HandSearch(self.root)]
        self._advance(*log)

    def drop_settled_hand(self) -> None:
        """Drop the hand before the previous one from the log: nobody changes it any more."""
        if len(self._hands) > 2:
            del self._hands[:-2]
            self.context = replace(self.context, history=())
            self._forget_cards(self.log)

    def _note_cards(self, *observations: Observation) -> None:
        """Note the cards of observations as they were read last."""
        landed = {fact.id: fact for fact in landed_cards(observations)}
        if landed:
            self.context = replace(self.context, landed={**self.context.landed, **landed})

    def _forget_cards(self, log: Iterable[Observation]) -> None:
        """Forget cards that are in no observation of the log and didn't lie on the mark before it."""
        lying = {piece.id for piece in self.root.table_cards}
        landed = {number: fact for number, fact in self.context.landed.items() if number in lying}
        self.context = replace(self.context, landed=landed)
        self._note_cards(*log)

    # --- the search ---------------------------------------------------------------------------------------------

    def _advance(self, *observations: Observation) -> None:
        """Account for further observations; where one closes a hand, commit that and search what was observed since
        anew.
        """
        for observation in observations:
            hand = self._hands[-1]
            hand.log.append(observation)
            self._account(hand)
            first = self._hypothesis_to_commit()
            if first is not None:
                since = first.log_place + 1
                later = hand.log[since:]
                del hand.log[since:], hand.beliefs[since + 1 :]
                self._hands.append(_HandSearch(_committed(first)))
                for again in later:
                    self._hands[-1].log.append(again)
                    self._account(self._hands[-1])

    def _account(self, hand: _HandSearch) -> None:
        """Expand the beam by the last observation; widen the search where it is explained badly."""
        before, place = hand.beliefs[-1], len(hand.log) - 1
        level = before.level
        beam = self._step(before.beam, hand, place, replace(self.context, limits=LIMITS_BY_LEVEL[level]))
        wider, since = wider_level(beam[0], beam[0].cost - before.beam[0].cost)
        if wider > level:
            level, limits = wider, LIMITS_BY_LEVEL[wider]
            wide = self._search_from(since, hand, replace(self.context, limits=limits))
            beam = BeamBuilder(limits, [*beam, *wide]).beam()
        for number in _find_misread_candidates(beam[0], hand.log[place], self.context):
            misread = self._search_misread(number, hand, beam[0])
            beam = BeamBuilder(LIMITS_BY_LEVEL[level], [*beam, *misread]).beam()
        best = _choose_in_force(beam, before.best)
        hand.beliefs.append(Belief(beam, best, min(level, recent_level(beam[0]))))

    def _hypothesis_to_commit(self) -> Hypothesis | None:
        """Return the hypothesis to be committed for the hand in play, once the next one is dealt; None before."""
        hand = self.best.state.hand
        if hand == self.hand or self.best.state.phase is Phase.DEAL:
            return None
        first = self.best
        while first.parent is not None and first.parent.state.hand == hand:
            first = first.parent
        return first

    def _search_misread(self, number: int, hand: _HandSearch, best: Hypothesis) -> tuple[Hypothesis, ...]:
        """Return the hypotheses in which card ``number`` is not what it was read as with confidence.

        Cards that are assumed misread in ``best`` stay assumed misread.
        """
        at = hand.landing_place(number)
        if at is None:
            return ()
        others = frozenset(_assumed_misread(best))
        context = replace(self.context, may_be_misread=others, excluded_reading=number, limits=MISREAD)
        return self._search_from(at, hand, context, MISREAD_START_SIZE)

    def _search_from(
        self, at: int, hand: _HandSearch, context: SearchContext, size: int | None = None
    ) -> tuple[Hypothesis, ...]:
        """Return the hypotheses of another search from place ``at`` on, with the ``size`` likeliest of that place."""
        beam = hand.beliefs[at].beam[:size]
        for place in range(at, len(hand.log)):
            beam = self._step(beam, hand, place, context)
        return beam

    def _step(
        self, beam: Sequence[Hypothesis], hand: _HandSearch, place: int, context: SearchContext
    ) -> tuple[Hypothesis, ...]:
        """Return the beam after the observation at ``place``."""
        observation = hand.log[place]
        builder = BeamBuilder(context.limits, until_s=self.until_s)
        step = Step(context, observation, builder, observation.t_ns)
        streams = [(hypothesis, expand(step, hypothesis)) for hypothesis in beam]
        # The likeliest successor of each hypothesis comes first: that shows soon what is not worth generating.
        for count in (1, None):
            for hypothesis, successors in streams:
                if hypothesis.cost > builder.max_cost:
                    break  # its successors cost no less
                builder.check_time()
                for after in islice(successors, count):
                    if after.cost <= builder.max_cost:
                        builder.add(evolve(after, parent=hypothesis, log_place=place))
        return builder.beam()


def _choose_in_force(beam: tuple[Hypothesis, ...], before: Hypothesis) -> Hypothesis:
    """Return the likeliest hypothesis, or a nearly as likely one that extends the one in force before."""
    near = (hypothesis for hypothesis in beam if hypothesis.cost <= beam[0].cost + SWITCH_MARGIN)
    return next((hypothesis for hypothesis in near if _extends(hypothesis, before)), beam[0])


def _committed(hypothesis: Hypothesis) -> Hypothesis:
    """Return a committed copy of a hypothesis: its cost, its habits and its past in the search start anew."""
    return evolve(
        hypothesis, cost=0.0, proved_revokes=frozenset(), careless=COSTS.careless, parent=None, log_place=-1
    )


def _extends(hypothesis: Hypothesis, said: Hypothesis) -> bool:
    """Return whether a hypothesis extends the entries of another one."""
    mine, theirs = hypothesis.entries_beyond(said), said.entries_beyond(hypothesis)
    pairs = zip(mine, theirs, strict=False)
    return len(mine) >= len(theirs) and all(entry.reads_same_as(other) for entry, other in pairs)


# --- cards that may have been misread --------------------------------------------------------------------------------
# Those whose confident readings make the latest observation surprising. A proved revoke is no such surprise: people
# revoke more often than a confident reading is wrong. Two revokes in one trick are. The search assumes misreadings only
# of these cards, which keeps the table from asking idle questions.


def _find_misread_candidates(best: Hypothesis, observation: Observation, context: SearchContext) -> list[int]:
    """Return the ids of the cards each of which, if misread, would alone explain a surprising observation."""
    found: list[int] = []
    if isinstance(observation, CardsLanded):
        for fact in observation.cards:
            known = _certain_card(fact, context)
            if known is not None:
                found += _earlier_holders(best, known, fact.id, context)
    for entry in best.entries():
        if entry.observation_number != observation.number:
            break
        found += _suspects_of_taker(best, entry)
        found += _suspects_of_revokes(best, entry)
    return list(dict.fromkeys(found))


def _assumed_misread(best: Hypothesis) -> list[int]:
    """Return the ids of the detected cards that the hypothesis assumes to be misread."""
    return [
        entry.card_id
        for entry in _plays(best)
        if entry.card_id is not None
        and isinstance(entry.cause, Played)
        and isinstance(entry.cause.card, UnseenCard)
    ]


def _certain_card(fact: CardLanded, context: SearchContext) -> PlayedCard | None:
    """Return what a card certainly is: as people have said, else as it was read."""
    said = context.pins.cards.get(fact.id)
    if said is not None or not fact.readings or fact.readings[0].confidence < MIN_NAME_CONFIDENCE:
        return said
    return card(fact.readings[0].card)


def _earlier_holders(
    best: Hypothesis, found: PlayedCard, number: int, context: SearchContext
) -> Iterator[int]:
    """Yield the id of the earlier card, where a card single in the pack is detected a second time."""
    # Once a hand is over the cards are shuffled, and each may be played again.
    if context.game.pack().count(found) > 1 or best.state.phase is Phase.DEAL:
        return
    for seat_entry in _plays(best):
        played = seat_entry.cause
        if isinstance(played, Played) and played.card == found and seat_entry.card_id not in (None, number):
            assert seat_entry.card_id is not None
            yield seat_entry.card_id


def _suspects_of_taker(best: Hypothesis, entry: StoryEntry) -> Iterator[int]:
    """Yield the cards to doubt where another player than the winner takes a trick: the two players' cards and the
    lead.
    """
    taken = entry.cause
    trick = entry.state_before.trick
    if not isinstance(taken, TrickTaken) or taken.seat == trick.winner:
        return
    about = {taken.seat, trick.winner, trick.lead.seat if trick.lead else None}
    for other in _plays(best):
        same = len(other.state_before.tricks) == len(entry.state_before.tricks)
        if same and getattr(other.cause, "seat", None) in about and other.card_id is not None:
            yield other.card_id


def _suspects_of_revokes(best: Hypothesis, entry: StoryEntry) -> Iterator[int]:
    """Yield the lead of a trick in which two or more players are now proved to have revoked: it may be misread."""
    proved = {said.fields["trick"] for said in entry.announcements if said.event == "revoke"}
    tricks = [trick for _, _, trick in best.proved_revokes if trick in proved]
    for other in _plays(best):
        leads = isinstance(other.cause, Played) and not other.state_before.trick.plays
        if leads and other.card_id is not None and tricks.count(len(other.state_before.tricks) + 1) > 1:
            yield other.card_id


def _plays(best: Hypothesis) -> Iterator[StoryEntry]:
    """Return the cards played since the last deal, the latest first; while a hand is to be dealt, those of the deal
    before.
    """
    deal = best.state.deal - (best.state.phase is Phase.DEAL)
    return (entry for entry in best.entries_of_deal(deal) if isinstance(entry.cause, Played))
