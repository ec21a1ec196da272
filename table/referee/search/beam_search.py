"""The beam search: the few likeliest hypotheses of everything observed in the hand in play.

Each observation expands every hypothesis into those that may follow from it; the unlikely ones are dropped. Where the
past is seen in another light, everything from there on is computed again: so whatever the referee believes follows
from the log and from what people have said, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase
from table.observed_facts import Reading
from table.referee.model.beam import MISREAD, ORDINARY_WIDTH, BeamBuilder, BeamWidth, wider_widths
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.observations import CardsLanded, Observation
from table.referee.model.search_context import Pins, SearchContext, Step
from table.referee.moves.expand import expand
from table.referee.search.suspected_misreadings import assumed_misread, find_misread_candidates

SWITCH_MARGIN = 0.69
"""The margin in nats by which another hypothesis must be likelier before the table changes its mind.

Those costs that are constants are multiples of 0.025: no sums of them differ by exactly this, so that no choice depends
on the order in which floats were added.
"""
MISREAD_START_SIZE = 4
"""The number of hypotheses with which the search begins when a confident reading is doubted."""
MIN_CONFIDENCE_GAIN = 0.2
"""The gain in confidence from which a new reading of a card replaces the old one."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What the search believes at one place of the log."""

    beam: tuple[Hypothesis, ...]
    """The hypotheses, the likeliest first."""
    best: Hypothesis
    """The hypothesis in force: the likeliest, or a nearly as likely one that extends what was in force before.

    It follows from the log and from what people have said, so what is undone leaves no trace in it.
    """
    width: BeamWidth = ORDINARY_WIDTH
    """The beam width, and from where on it holds."""


class BeamSearch:
    """The beam search over the hypotheses of the hand in play, on top of the committed one of the hand before.

    The log begins with the hand before, so that people may still correct that. When the next hand is dealt the best
    hypothesis of the previous hand is committed: no later observation changes it. The commit point is computed from
    the log and from what people have said, so undoing the deal reopens the hand.
    """

    def __init__(self, context: SearchContext, root: Hypothesis) -> None:
        self.context = context
        self.log: list[Observation] = []
        self.root = root
        """The committed hypothesis from before the log: where the hand before began, or this one, if it is the first.
        """
        self._history = [Belief((root,), root)]
        """The belief before each observation, and the current one last."""
        self._commit_points: list[int] = []
        """The commit points: places in the log where hands begin of which the one before is closed."""
        self._dropped = 0
        """The number of observations before the log, which count in the places that hypotheses know."""
        self.lacks_closed_hand = False
        """Whether the observations before the hand in play have not been searched: resuming leaves them out."""
        self.until_s: float | None = None
        """Processor time of this thread, in seconds, after which `SearchTimeoutError` is raised; None: no limit."""

    # --- queries ------------------------------------------------------------------------------------------------

    @property
    def beam(self) -> tuple[Hypothesis, ...]:
        """The current hypotheses, the likeliest first."""
        return self._history[-1].beam

    @property
    def best(self) -> Hypothesis:
        """The hypothesis in force."""
        return self._history[-1].best

    @property
    def bests(self) -> tuple[Hypothesis, ...]:
        """The hypotheses in force before each observation, and the current one last."""
        return tuple(belief.best for belief in self._history)

    @property
    def commit_point(self) -> int:
        """The commit point: the place in the log where the hand in play begins."""
        return self._commit_points[-1] if self._commit_points else 0

    @property
    def hand_start(self) -> Hypothesis:
        """The committed hypothesis with which the hand in play began."""
        return self._history[self.commit_point].beam[0]

    @property
    def hand(self) -> int:
        """The number of the hand in play: the one before is closed."""
        return self.hand_start.state.hand

    # --- changes ------------------------------------------------------------------------------------------------

    def add_observation(self, observation: Observation) -> None:
        """Add an observation to the log, and expand the hypotheses by it."""
        if isinstance(observation, CardsLanded):
            landed = {**self.context.landed, **{fact.id: fact for fact in observation.cards}}
            self.context = replace(self.context, landed=landed)
        self.log.append(observation)
        self._advance(len(self.log) - 1)

    def update_reading(self, number: int, readings: tuple[Reading, ...]) -> None:
        """Merge a new reading of card ``number`` into the old one, and search again from where the card landed."""
        fact = self.context.landed.get(number)
        if fact is None:
            return
        better = replace(fact, readings=_merge_readings(fact.readings, readings))
        if better.readings == fact.readings:
            return
        self.context = replace(self.context, landed={**self.context.landed, number: better})
        at = self._landing_place(number)
        if at is not None and at >= self.commit_point:
            self.search_again(at)

    def set_pins(self, pins: Pins) -> None:
        """Replace what people have said by ``pins``, and search this hand and the one before again."""
        self.context = replace(self.context, pins=pins)
        self.search_again(0)

    def copy(self) -> BeamSearch:
        """Return an independent copy for trying a change."""
        other = BeamSearch(self.context, self.root)
        other.log, other._history = list(self.log), list(self._history)
        other._commit_points, other._dropped = list(self._commit_points), self._dropped
        other.lacks_closed_hand = self.lacks_closed_hand
        return other

    def search_again(self, at: int) -> None:
        """Search again from the observation at place ``at`` of the log on."""
        self.lacks_closed_hand = self.lacks_closed_hand and at > 0
        del self._history[at + 1 :]
        self._commit_points = [gate for gate in self._commit_points if gate <= at and gate]
        for place in range(at, len(self.log)):
            self._advance(place)

    def start_from(
        self, root: Hypothesis, log: Sequence[Observation] = (), hand: Hypothesis | None = None, at: int = 0
    ) -> None:
        """Start anew from a committed hypothesis, with the observations since then.

        ``hand``: what the hand in play begins with at place ``at`` of the log, where that is known. What was observed
        before is then searched by ``search_again(0)`` alone, as for a correction that may reach it.
        """
        self.root = evolve(_committed(root), parent=None, log_place=-1)
        self.log, self._commit_points, self._dropped = list(log), [], 0
        self._history = [Belief((self.root,), self.root)]
        self._forget_cards()
        if hand is not None:
            first = evolve(_committed(hand), parent=None, log_place=at - 1)
            self._history += [Belief((first,), first)] * at
            self._commit_points, self.lacks_closed_hand = [at], True
        self.search_again(at)

    def drop_settled_hand(self) -> None:
        """Drop the hand before the previous one from the log: nobody changes it any more."""
        if len(self._commit_points) < 2:
            return
        gone = self._commit_points[-2]
        self.root = self._history[gone].beam[0]
        self.log, self._history = self.log[gone:], self._history[gone:]
        self._commit_points = [self._commit_points[-1] - gone]
        self._dropped += gone
        self.lacks_closed_hand = False
        self._forget_cards()

    def _forget_cards(self) -> None:
        """Forget cards that are in no observation of the log and don't lie on the mark."""
        known = {
            fact.id
            for observation in self.log
            if isinstance(observation, CardsLanded)
            for fact in observation.cards
        }
        known |= {piece.id for piece in self.root.table_cards if piece.id is not None}
        landed = {number: fact for number, fact in self.context.landed.items() if number in known}
        self.context = replace(self.context, landed=landed)

    # --- the search ---------------------------------------------------------------------------------------------

    def _advance(self, place: int) -> None:
        """Account for the observation at ``place``; where it closes a hand, commit that and search the observations
        since anew.
        """
        self._account(place)
        first = self._hypothesis_to_commit()
        if first is None:
            return
        gate = first.log_place + 1 - self._dropped
        first = _committed(first)
        self._history[gate:] = [Belief((first,), first)]
        self._commit_points.append(gate)
        for later in range(gate, place + 1):
            self._account(later)

    def _account(self, place: int) -> None:
        """Expand the beam by the observation at ``place``; widen the search where it is explained badly."""
        before = self._history[-1]
        width = before.width
        beam = self._step(before.beam, place, replace(self.context, limits=width.limits))
        surprise = beam[0].cost - before.beam[0].cost
        for wider in [*wider_widths(beam[0], surprise, self.commit_point + self._dropped)]:
            union = wider.union(width)
            if union != width:
                width = union
                beam = BeamBuilder(width.limits, [*beam, *self._search_wider(wider, place)]).beam()
        for number in find_misread_candidates(beam[0], self.log[place], self.context):
            misread = self._search_misread(number, place, beam[0])
            beam = BeamBuilder(width.limits, [*beam, *misread]).beam()
        best = _choose_in_force(beam, before.best, self.context)
        self._history.append(Belief(beam, best, width.narrowed(beam[0])))

    def _hypothesis_to_commit(self) -> Hypothesis | None:
        """Return the hypothesis to be committed for the hand in play, once the next one is dealt; None before."""
        hand = self.best.state.hand
        if hand == self.hand or self.best.state.phase is Phase.DEAL:
            return None
        first = self.best
        while first.parent is not None and first.parent.state.hand == hand:
            first = first.parent
        return first

    def _search_wider(self, width: BeamWidth, place: int) -> tuple[Hypothesis, ...]:
        """Return the hypotheses up to ``place`` of a search with a wider beam."""
        context = replace(self.context, limits=width.limits)
        since = round(width.since) - self._dropped
        beam = self._history[since].beam
        for later in range(since, place + 1):
            beam = self._step(beam, later, context)
        return beam

    def _search_misread(self, number: int, place: int, best: Hypothesis) -> tuple[Hypothesis, ...]:
        """Return the hypotheses up to ``place`` in which card ``number`` is not what it was read as with confidence.

        Cards that are assumed misread in ``best`` stay assumed misread.
        """
        at = self._landing_place(number)
        if at is None or at > place:
            return ()
        others = frozenset(assumed_misread(best))
        context = replace(self.context, may_be_misread=others, excluded_reading=number, limits=MISREAD)
        beam = self._history[at].beam[:MISREAD_START_SIZE]
        for later in range(at, place + 1):
            beam = self._step(beam, later, context)
        return beam

    def _landing_place(self, number: int) -> int | None:
        """Return the place in the log where card ``number`` landed."""
        for place, observation in enumerate(self.log):
            if isinstance(observation, CardsLanded) and any(card.id == number for card in observation.cards):
                return place
        return None

    def _step(self, beam: Sequence[Hypothesis], place: int, context: SearchContext) -> tuple[Hypothesis, ...]:
        """Return the beam after the observation at ``place``."""
        observation = self.log[place]
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
                        builder.add(evolve(after, parent=hypothesis, log_place=self._dropped + place))
        return builder.beam()


def _choose_in_force(beam: tuple[Hypothesis, ...], before: Hypothesis, context: SearchContext) -> Hypothesis:
    """Return the likeliest hypothesis, or a nearly as likely one that extends the one in force before.

    Of the trick in play what people have said holds already.
    """
    costs = [hypothesis.cost + context.contradiction_cost(hypothesis.state) for hypothesis in beam]
    least = min(costs)
    near = [hypothesis for hypothesis, cost in zip(beam, costs, strict=True) if cost <= least + SWITCH_MARGIN]
    first = beam[costs.index(least)]
    return next((hypothesis for hypothesis in near if _extends(hypothesis, before)), first)


def _committed(hypothesis: Hypothesis) -> Hypothesis:
    """Return a committed copy of a hypothesis: its cost and its habits start anew."""
    return evolve(hypothesis, cost=0.0, proved_revokes=frozenset(), careless=COSTS.careless)


def _extends(hypothesis: Hypothesis, said: Hypothesis) -> bool:
    """Return whether a hypothesis extends the entries of another one."""
    if said.last_entry is None:
        return True
    mine = next((entry for entry in hypothesis.entries() if entry.index <= said.last_entry.index), None)
    theirs: StoryEntry | None = said.last_entry
    while mine is not theirs:
        if mine is None or theirs is None or not mine.reads_same_as(theirs):
            return False
        mine, theirs = mine.previous, theirs.previous
    return True


def _merge_readings(old: tuple[Reading, ...], new: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Merge two readings of the same card: the more confident one, or, where neither is much better, both."""
    if not old or not new:
        return old or new
    first, second = old[0], new[0]
    if first.card == second.card:
        return old if first.confidence >= second.confidence else new
    if second.confidence >= first.confidence + MIN_CONFIDENCE_GAIN:
        return new
    shares = {reading.card: reading.confidence for reading in new}
    for reading in old:
        shares[reading.card] = max(reading.confidence, shares.get(reading.card, 0.0))
    total = max(1.0, sum(shares.values()))
    order = sorted(shares, key=lambda name: (name != first.card, -shares[name], name))
    return tuple(Reading(name, shares[name] / total) for name in order)
