"""The beam search: the few likeliest hypotheses of everything observed in the hand in play.

Each observation expands every hypothesis into those that may follow from it; the unlikely ones are dropped. Where the
past is seen in another light, everything from there on is computed again: so whatever the referee believes follows
from the log and from what people have said, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase
from table.observed_facts import Reading
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.observations import CardsLanded, Observation
from table.referee.model.search_context import BeamLimits, Pins, SearchContext
from table.referee.moves.expand import expand
from table.referee.moves.step import CostBound
from table.referee.search.beam_width import BeamWidth, wider_widths
from table.referee.search.suspected_misreadings import assumed_misread, find_misread_candidates

SWITCH_MARGIN = 0.7
"""The margin in nats by which another hypothesis must be likelier before the table changes its mind."""
MISREAD_BEAM_SIZE = 4
"""The number of hypotheses that are followed when a confident reading is doubted."""
MIN_CONFIDENCE_GAIN = 0.2
"""The gain in confidence from which a new reading of a card replaces the old one."""


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
        self.beam: tuple[Hypothesis, ...] = (root,)
        """The current hypotheses, the likeliest first."""
        self._beams: list[tuple[Hypothesis, ...]] = []
        """The beam before each observation."""
        self.best = root
        """The hypothesis in force: the likeliest, or a nearly as likely one that extends what was in force before.

        It follows from the log and from what people have said, so what is undone leaves no trace in it.
        """
        self._bests: list[Hypothesis] = []
        """The hypothesis in force before each observation."""
        self._commit_points: list[int] = []
        """The commit points: places in the log where hands begin of which the one before is closed."""
        self._dropped = 0
        """The number of observations before the log, which count in the places that hypotheses know."""
        self.width = BeamWidth()
        """The current beam width, and from where on it holds."""
        self._widths: list[BeamWidth] = []
        """The beam width before each observation."""
        self.until_s: float | None = None
        """Processor time of this thread, in seconds, after which ``TooMuchError`` is raised; None: no limit."""

    # --- queries ------------------------------------------------------------------------------------------------

    @property
    def hand(self) -> int:
        """The number of the hand in play: the one before is closed."""
        return self.hand_start.state.hand

    @property
    def commit_point(self) -> int:
        """The commit point: the place in the log where the hand in play begins."""
        return self._commit_points[-1] if self._commit_points else 0

    @property
    def hand_start(self) -> Hypothesis:
        """The committed hypothesis with which the hand in play began."""
        return (self._beams[self.commit_point] if self.commit_point < len(self._beams) else self.beam)[0]

    @property
    def beams(self) -> tuple[tuple[Hypothesis, ...], ...]:
        """The hypotheses before each observation, and the current ones last."""
        return (*self._beams, self.beam)

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
        other.log, other._beams, other.beam = list(self.log), list(self._beams), self.beam
        other._bests, other.best = list(self._bests), self.best
        other._widths, other.width = list(self._widths), self.width
        other._commit_points, other._dropped = list(self._commit_points), self._dropped
        return other

    def adopt_readings(self, other: BeamSearch) -> None:
        """Take over the card readings of another search, and search again where they differ."""
        better = {
            number: other.context.landed.get(number, fact) for number, fact in self.context.landed.items()
        }
        if better != self.context.landed:
            self.context = replace(self.context, landed=better)
            self.search_again(0)

    def replace_root(self, root: Hypothesis) -> None:
        """Replace the committed hypothesis before the log, and search the log again on top of it."""
        self.start_from(root, self.log)

    def search_again(self, at: int) -> None:
        """Search again from the observation at place ``at`` of the log on."""
        if at < len(self._beams):
            self.beam, self.best, self.width = self._beams[at], self._bests[at], self._widths[at]
        del self._beams[at:], self._bests[at:], self._widths[at:]
        self._commit_points = [gate for gate in self._commit_points if gate <= at and gate]
        for place in range(at, len(self.log)):
            self._advance(place)

    def start_from(self, root: Hypothesis, log: Sequence[Observation] = ()) -> None:
        """Start anew from a committed hypothesis, with the observations since then."""
        self.root = evolve(_committed(root), parent=None, log_place=-1)
        self.log, self._beams, self.beam, self._commit_points = list(log), [], (self.root,), []
        self._bests, self.best = [], self.root
        self._widths, self.width = [], BeamWidth()
        self._dropped = 0
        self._forget_cards()
        self.search_again(0)

    def drop_settled_hand(self) -> None:
        """Drop the hand before the previous one from the log: nobody changes it any more."""
        if len(self._commit_points) < 2:
            return
        gone = self._commit_points[-2]
        self.root = self._beams[gone][0]
        self.log, self._beams, self._bests = self.log[gone:], self._beams[gone:], self._bests[gone:]
        self._widths = self._widths[gone:]
        self._commit_points = [self._commit_points[-1] - gone]
        self._dropped += gone
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
        del self._beams[gate:], self._bests[gate:], self._widths[gate:]
        self._commit_points.append(gate)
        self.best = _committed(first)
        self.beam, self.width = (self.best,), BeamWidth()
        for later in range(gate, place + 1):
            self._account(later)

    def _account(self, place: int) -> None:
        """Expand the beam by the observation at ``place``; widen the search where it is explained badly."""
        self._beams.append(self.beam)
        self._bests.append(self.best)
        self._widths.append(self.width)
        context = replace(self.context, limits=self.width.limits)
        self.beam = self._step(self.beam, place, context)
        surprise = self.beam[0].cost - self._beams[place][0].cost
        for width in [*wider_widths(self.beam[0], surprise, self.commit_point + self._dropped)]:
            if width.is_wider_than(self.width):
                self.width = width.union(self.width)
                self.beam = prune_beam([*self.beam, *self._search_wider(width, place)], self.width.limits)
        for number in find_misread_candidates(self.beam[0], self.log[place], self.context):
            self.beam = prune_beam([*self.beam, *self._search_misread(number, place)], self.width.limits)
        self.width = self.width.narrowed(self.beam[0])
        self.best = _choose_in_force(self.beam, self.best, self.context)

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
        beam = self._beams[since]
        for later in range(since, place + 1):
            beam = self._step(beam, later, context)
        return beam

    def _search_misread(self, number: int, place: int) -> tuple[Hypothesis, ...]:
        """Return the hypotheses up to ``place`` in which card ``number`` is not what it was read as with confidence."""
        at = self._landing_place(number)
        if at is None or at > place:
            return ()
        # Cards already assumed misread in the best hypothesis stay assumed misread.
        others = frozenset(assumed_misread(self.beam[0]))
        context = replace(self.context, may_be_misread=others, excluded_reading=number)
        beam = self._beams[at][:MISREAD_BEAM_SIZE]
        for later in range(at, place + 1):
            beam = self._step(beam, later, context)[: 2 * MISREAD_BEAM_SIZE]
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
        bound = CostBound(until_s=self.until_s)
        found: list[Hypothesis] = []
        for hypothesis in beam:
            if hypothesis.cost > bound.limit:
                break  # its successors cost no less
            bound.check()
            for after in expand(hypothesis, observation, bound, context):
                if after.cost <= bound.limit:
                    found.append(evolve(after, parent=hypothesis, log_place=self._dropped + place))
                    bound.limit = min(bound.limit, after.cost + context.limits.margin)
        return prune_beam(found, context.limits)


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


def prune_beam(found: Sequence[Hypothesis], reach: BeamLimits) -> tuple[Hypothesis, ...]:
    """Return the hypotheses that are worth following, the likeliest first; equal keys are merged to the likeliest.

    Half of the places go to hypotheses that differ in the present state of trick and mark: else those that differ in
    the past would leave no room for another view of what lies there now.
    """
    apart: dict[tuple[object, ...], Hypothesis] = {}
    ranked = sorted(found, key=lambda hypothesis: hypothesis.cost)
    for hypothesis in ranked:
        if hypothesis.cost > ranked[0].cost + reach.margin:
            break
        apart.setdefault(hypothesis.merge_key(), hypothesis)
    kept = list(apart.values())
    if len(kept) <= reach.max_hypotheses:
        return tuple(kept)
    views: dict[tuple[object, ...], Hypothesis] = {}
    for hypothesis in kept:
        views.setdefault(hypothesis.present_key(), hypothesis)
    chosen = {id(hypothesis) for hypothesis in [*views.values()][: reach.min_views]}
    rest = [hypothesis for hypothesis in kept if id(hypothesis) not in chosen][
        : reach.max_hypotheses - len(chosen)
    ]
    chosen |= {id(hypothesis) for hypothesis in rest}
    return tuple(hypothesis for hypothesis in kept if id(hypothesis) in chosen)


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
