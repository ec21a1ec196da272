"""Card facts as observations: which belong together, and when they can be accounted for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from table.games.engine.game_state import Phase
from table.observed_facts import MS, CardFact, CardGone, CardLanded
from table.referee.model.observations import (
    CardsLanded,
    CardsLeft,
    HandMayBeOver,
    Observation,
    PickUpOver,
    Restarted,
)
from table.referee.moves.tied_leads import leads_may_tie
from table.referee.records.state_shared_by_judges import SharedState

IDLE_NS = 45_000 * MS
"""How long nothing must happen, while a card or a pick-up is waited for, until the hand may be over."""
CATCH_UP_NS = 2_500 * MS
"""How long a restarted camera needs to have reported all cards: no hand hovers over the mark for so long."""


def card_deadlines(shared: SharedState) -> Iterator[tuple[int, Callable[[], None]]]:
    """Yield when a pick-up, a restarted camera or a card has been waited for long enough, and what notes that."""
    moments = (
        (_paused_ns(shared), PickUpOver),
        (_caught_up_ns(shared), _all_cards),
        (_idle_ns(shared), HandMayBeOver),
    )
    for moment, kind in moments:
        if moment is not None:
            yield moment, partial(_time_out, shared, kind, moment)


def _time_out(shared: SharedState, kind: Callable[[int, int], Observation], t_ns: int) -> None:
    shared.add_observation(kind(shared.next_number(), t_ns))


def _paused_ns(shared: SharedState) -> int | None:
    pauses = (
        hypothesis.departing_trick.pause_ends_ns
        for hypothesis in shared.search.beam
        if hypothesis.departing_trick is not None
    )
    return min((pause for pause in pauses if pause is not None), default=None)


def is_looking_again(shared: SharedState) -> bool:
    """Return whether the camera has restarted, and what lies on the mark has not been accounted for yet."""
    for observation in reversed(shared.search.log):
        if isinstance(observation, Restarted):
            return True
        if isinstance(observation, CardsLanded) and observation.after_restart:
            return False
    return False


def _caught_up_ns(shared: SharedState) -> int | None:
    """Return when every card that lies there will have been reported since the camera restarted."""
    since = shared.view_since_ns
    if since is None or not is_looking_again(shared):
        return None
    return max(since + CATCH_UP_NS, shared.search.log[-1].t_ns)


def _idle_ns(shared: SharedState) -> int | None:
    log = shared.search.log
    is_waiting = shared.state.phase.is_play or shared.state.phase is Phase.PICK_UP
    if not log or isinstance(log[-1], HandMayBeOver) or not is_waiting:
        return None
    return log[-1].t_ns + IDLE_NS


def card_complete_by_ns(shared: SharedState, fact: CardFact) -> int:
    """Return up to when all facts must be known before ``fact`` can be judged: the end of its tie window.

    After a restart that is not before every card that lies there will have been reported.
    """
    ties = is_looking_again(shared) or leads_may_tie(shared.game, shared.state)
    window_ns = shared.times.lead_tie_ns if isinstance(fact, CardLanded) and ties else 0
    return max(fact.t_ns + window_ns, _caught_up_ns(shared) or 0)


def judge_card(shared: SharedState, fact: CardFact) -> None:
    """Turn one card fact, with those that belong to it, into an observation for the search."""
    if is_looking_again(shared) and _judge_restart(shared, fact):
        return
    if isinstance(fact, CardLanded):
        _judge_landing(shared, fact)
    elif isinstance(fact, CardGone):
        _judge_departure(shared, fact)
    else:
        shared.search.update_reading(fact.id, fact.readings)
        shared.sync_journal()


def _judge_restart(shared: SharedState, fact: CardFact) -> bool:
    """Add the observation of all cards that lie there after a restart. Return whether ``fact`` is of one of them."""
    is_there = partial(_is_unobserved, shared)
    others = shared.fact_queue.extract(CardLanded, _caught_up_ns(shared) or fact.t_ns, is_there)
    cards = [fact, *others] if isinstance(fact, CardLanded) and is_there(fact) else others
    shared.add_observation(_all_cards(shared.next_number(), fact.t_ns, cards))
    return fact in cards


def _all_cards(number: int, t_ns: int, cards: Sequence[CardLanded] = ()) -> CardsLanded:
    """Return the observation of all cards that lie there after a restart."""
    return CardsLanded(number, t_ns, tuple(cards), unobserved=True, after_restart=True)


def _is_unobserved(shared: SharedState, fact: CardLanded) -> bool:
    """Return whether a card may have landed so long before its stamp that its order among leads is not known."""
    return fact.unseen_ns >= max(1, shared.times.lead_tie_ns)


def _judge_landing(shared: SharedState, fact: CardLanded) -> None:
    cards, window_ns = [fact], shared.times.lead_tie_ns
    if leads_may_tie(shared.game, shared.state):
        cards += shared.fact_queue.extract(CardLanded, fact.t_ns + window_ns)
    unobserved = any(_is_unobserved(shared, card) for card in cards)
    shared.add_observation(CardsLanded(shared.next_number(), fact.t_ns, tuple(cards), unobserved))


def _judge_departure(shared: SharedState, fact: CardGone) -> None:
    others = shared.fact_queue.extract(CardGone, fact.t_ns + 1)
    shared.add_observation(CardsLeft(shared.next_number(), fact.t_ns, (fact, *others)))
