"""The judge of card facts: groups those that belong together, and decides when they can be accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from table.games.engine.game_state import Phase
from table.observed_facts import MS, CardFact, CardGone, CardLanded, Fact
from table.referee.model.observations import (
    CameraCaughtUp,
    CardsLanded,
    CardsLeft,
    HandMayBeOver,
    Observation,
    PickUpOver,
)
from table.referee.moves.card_plays import PLAY_PHASES
from table.referee.moves.tied_leads import leads_may_tie
from table.referee.records.state_shared_by_judges import SharedState

IDLE_NS = 45_000 * MS
"""How long nothing must happen, while a card or a pick-up is waited for, until the hand may be over."""
CATCH_UP_NS = 2_500 * MS
"""How long a restarted camera needs to have reported all cards: no hand hovers over the mark for so long."""


class CardJudge:
    """Turns card facts into observations for the search."""

    def __init__(self, shared: SharedState) -> None:
        self.shared = shared

    def deadlines(self) -> Iterator[tuple[int, Callable[[], None]]]:
        """Yield when a pick-up, a restarted camera or a card has been waited for long enough, and what notes that."""
        moments = (
            (self._paused_ns, PickUpOver),
            (self._caught_up_ns, CameraCaughtUp),
            (self._idle_ns, HandMayBeOver),
        )
        for moment, kind in moments:
            if moment is not None:
                yield moment, partial(self._time_out, kind, moment)

    def _time_out(self, kind: Callable[[int, int], Observation], t_ns: int) -> None:
        self.shared.add_observation(kind(self.shared.next_number(), t_ns))

    @property
    def _caught_up_ns(self) -> int | None:
        """When every card that lies there will have been reported since the camera restarted."""
        search, since = self.shared.search, self.shared.view_since_ns
        if since is None or not any(
            piece.unseen_since_restart for hypothesis in search.beam for piece in hypothesis.table_cards
        ):
            return None
        return max(since + CATCH_UP_NS, search.log[-1].t_ns)

    @property
    def _paused_ns(self) -> int | None:
        pauses = (
            hypothesis.departing_trick.pause_ends_ns
            for hypothesis in self.shared.search.beam
            if hypothesis.departing_trick is not None
        )
        return min((pause for pause in pauses if pause is not None), default=None)

    @property
    def _idle_ns(self) -> int | None:
        log = self.shared.search.log
        if (
            not log
            or isinstance(log[-1], HandMayBeOver)
            or self.shared.state.phase not in (*PLAY_PHASES, Phase.PICK_UP)
        ):
            return None
        return log[-1].t_ns + IDLE_NS

    def complete_by_ns(self, fact: CardFact) -> int:
        """Return up to when all facts must be known before ``fact`` can be judged: the end of its tie window."""
        if isinstance(fact, CardLanded) and self._may_tie():
            return fact.t_ns + self.shared.times.lead_tie_ns
        return fact.t_ns

    def _may_tie(self) -> bool:
        return leads_may_tie(self.shared.game, self.shared.state)

    def judge(self, fact: CardFact) -> None:
        """Turn one card fact, with those that belong to it, into an observation for the search."""
        if isinstance(fact, CardLanded):
            self._landed(fact)
        elif isinstance(fact, CardGone):
            self._gone(fact)
        else:
            self.shared.search.update_reading(fact.id, fact.readings)
            self.shared.sync_journal()

    def _landed(self, fact: CardLanded) -> None:
        cards = [fact]
        if self._may_tie():
            window_ends = fact.t_ns + self.shared.times.lead_tie_ns
            others = self.shared.fact_queue.extract(window_ends, lambda other: isinstance(other, CardLanded))
            cards += [other for other in others if isinstance(other, CardLanded)]
        found = any(self._unwatched(card) for card in cards)
        self.shared.add_observation(CardsLanded(self.shared.next_number(), fact.t_ns, tuple(cards), found))

    def _unwatched(self, fact: CardLanded) -> bool:
        """Return whether a card may have landed so long before its stamp that its order among leads is not known."""
        return fact.unseen_ns >= max(1, self.shared.times.lead_tie_ns)

    def _gone(self, fact: CardGone) -> None:
        def together(other: Fact) -> bool:
            return isinstance(other, CardGone) and other.t_ns == fact.t_ns

        others = self.shared.fact_queue.extract(fact.t_ns + 1, together)
        cards = (fact, *(other for other in others if isinstance(other, CardGone)))
        self.shared.add_observation(CardsLeft(self.shared.next_number(), fact.t_ns, cards))
