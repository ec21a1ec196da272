"""What may have happened unseen before an observation: calls not heard, cards not detected, a trick picked up.

People say later what a missed call or card was; until then the likeliest is assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, log
from typing import TypeAlias

from table.cards import BidValue, PlayedCard, UnseenCard
from table.events.game_events import Bid, BidsRevealed, Dealt, Event, Passed, Played, Rapped, SuitNamed
from table.games.engine.game_state import Phase, Refusal, State
from table.observed_facts import MS
from table.referee.model.event_costs import COSTS, ArmEvidence
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.search_context import Step, call_key, unknown_candidates
from table.referee.moves.card_plays import lead_cost, play_pending_cards, take_trick

CALL_PHASES = (
    Phase.DEAL,
    Phase.PASS_CARDS,
    Phase.AUCTION,
    Phase.BID,
    Phase.SECRET_BID,
    Phase.NAME_SUIT,
)
"""The phases in which play goes on only once somebody has called."""
DIAL_PHASES = (Phase.AUCTION, Phase.NAME_SUIT)
"""The phases in which a player's taps turn a dial."""

MIN_PICK_UP_NS = 700 * MS
"""The least time for picking a trick up and laying another card."""
MIN_DEAL_NS = 1_500 * MS
"""The least time for gathering a hand's last trick, dealing and turning a card up."""
MAX_GUESSED_BIDS = 2
"""The number of bids that are tried in the place of a missed one: by the hook one alone could forbid what was heard."""


def unseen_continuations(
    step: Step, hypothesis: Hypothesis, *, up_to: Phase | None = None, arm: ArmEvidence | None = None
) -> Iterator[Hypothesis]:
    """Yield hypotheses about what happened unseen before this step: nothing, missed calls or cards, a pick-up.

    ``up_to``: the phase after which nothing more is assumed to have happened unseen. ``arm``: the evidence for the
    player of the card that landed then, if one did; what makes its player too unlikely is left out.
    """
    yield hypothesis
    frontier = [(hypothesis, 0)]
    while frontier:
        earlier, missed = frontier.pop(0)
        if earlier.state.phase is up_to:
            continue
        for after, more in _unseen_events(step, earlier, arm):
            if not step.is_too_costly(after) and missed + more <= step.context.limits.max_missed_cards:
                yield after
                frontier.append((after, missed + more))


def _unseen_events(
    step: Step, hypothesis: Hypothesis, arm: ArmEvidence | None
) -> Iterator[tuple[Hypothesis, int]]:
    """Yield the hypotheses after one unseen event, each with the number of misses that it counts for."""
    phase = hypothesis.state.phase
    if phase is Phase.PICK_UP:
        yield from ((after, 0) for after in take_trick_unseen(step, hypothesis))
    elif phase in CALL_PHASES:
        yield from _miss_calls(step, hypothesis)
    elif phase.is_play and not step.is_too_costly(hypothesis, COSTS.undetected_card):
        for seat in step.game.expected(hypothesis.state).seats:
            yield from ((after, 1) for after in _miss_card(step, hypothesis, seat, arm))


# --- a trick picked up ----------------------------------------------------------------------------------------------


def take_trick_unseen(step: Step, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which the complete trick was picked up, partly or wholly unseen."""
    gone = sum(piece.id is None for piece in hypothesis.trick_cards())
    begun = hypothesis.departing_trick is not None or gone == len(hypothesis.trick_cards())
    after = take_trick(step, hypothesis, None)
    if after is not None:
        takes = MIN_DEAL_NS if hypothesis.state.is_last_trick else MIN_PICK_UP_NS
        hurried = COSTS.pick_up_too_fast if ns_since_last_card(step, hypothesis) < takes else 0.0
        yield after.add_cost((COSTS.pick_up_partly_detected if begun else COSTS.pick_up_undetected) + hurried)


def ns_since_last_card(step: Step, hypothesis: Hypothesis) -> float:
    """Return how long ago the last card of the trick landed, in ns; ``inf`` where none is known.

    Of the cards that are in sight or have just gone.
    """
    gone = hypothesis.departing_trick.departed_ids if hypothesis.departing_trick is not None else ()
    ids = (*(piece.id for piece in hypothesis.trick_cards() if piece.id is not None), *gone)
    lying = (step.context.landed.get(number) for number in ids)
    return min((step.t_ns - card.t_ns for card in lying if card is not None), default=inf)


# --- a card not detected --------------------------------------------------------------------------------------------


def _miss_card(
    step: Step, hypothesis: Hypothesis, seat: str, arm: ArmEvidence | None
) -> Iterator[Hypothesis]:
    """Yield the hypotheses after a player's card was not detected: it won the trick, or not.

    ``arm``: the evidence for the player of the card that landed then, if one did.
    """
    state = hypothesis.state
    next_cost = _least_cost_of_next(hypothesis, seat, arm) if arm is not None else 0.0
    before = hypothesis.add_cost(COSTS.undetected_card + lead_cost(step.context, state, seat))
    named = step.context.named_card(state, seat)
    if named is not None and not step.context.can_be_played(named, hypothesis):
        return
    # Where people have named the card only its identity is certain: missing it costs as much as ever.
    for found, cost in unknown_candidates(state) if named is None else ((named, 0.0),):
        twice = found == UnseenCard(won=True) and any(play.card == found for play in state.trick.plays)
        if not twice and not step.is_too_costly(before, cost + next_cost):
            after = _play_unseen(step, before, seat, found)
            if after is not None:
                yield after.add_cost(cost)


def _least_cost_of_next(hypothesis: Hypothesis, seat: str, arm: ArmEvidence) -> float:
    """Return a lower bound on what the landed card still costs if the card of ``seat`` was missed before it.

    It is of a player whose turn comes later in this trick, if the cards in between were missed too, or it came after
    the trick. ``arm``: the evidence for its player.
    """
    state, missed, least = hypothesis.state, 0.0, inf
    # A card that was laid out of turn is played without being missed.
    waiting = {piece.seat for piece in hypothesis.table_cards if piece.claim == "turn"}
    for other in state.seats_from(seat)[1:]:
        if state.trick.card_of(other) is None:
            least = min(least, missed + arm.cost_for(other))
            missed += COSTS.undetected_card if other not in waiting else 0.0
    return min(least, missed + COSTS.pick_up_partly_detected)


def _play_unseen(step: Step, hypothesis: Hypothesis, seat: str, found: PlayedCard) -> Hypothesis | None:
    """Return the hypothesis after an undetected card is played; ``found`` is the card, as far as it is known."""
    unknown = isinstance(found, UnseenCard)
    after = step.apply(
        hypothesis,
        Played(seat, found),
        extra={"confidence": 0.0 if unknown else 1.0, "by": "camera" if unknown else "corrected"},
        notices=[step.notice("trouble", "not_seen", seat, seat=seat)] if unknown else (),
    )
    if isinstance(after, Refusal):
        return None
    return play_pending_cards(
        step, after.add_card(TableCard(None, found, seat, "played", landing_missed=True))
    )


# --- a call not heard -----------------------------------------------------------------------------------------------

_AssumedCalls: TypeAlias = tuple[Event, tuple[str, ...], float]
"""The event that calls are assumed to have been, the players of whom nothing was heard and nobody has said anything
since, and the cost in nats of its being this event and no other that it may have been."""


def _miss_calls(step: Step, hypothesis: Hypothesis) -> Iterator[tuple[Hypothesis, int]]:
    """Yield the hypotheses after the call that is waited for was made but not heard."""
    for event, seats, guess_cost in _assumed_calls(step, hypothesis):
        cost = len(seats) * COSTS.missed_call + guess_cost
        if step.is_too_costly(hypothesis, cost):
            return
        notices = [step.notice("trouble", "not_heard", seat, seat=seat) for seat in seats]
        unheard = {"unheard": list(seats)} if isinstance(event, BidsRevealed) else {"heard": False}
        after = step.apply(hypothesis, event, extra=unheard if seats else None, notices=notices)
        if not isinstance(after, Refusal):
            yield play_pending_cards(step, after.add_cost(cost)), max(1, len(seats))


def _assumed_calls(step: Step, hypothesis: Hypothesis) -> Iterator[_AssumedCalls]:
    """Yield what may take the game on from where it waits for a call, the likeliest first."""
    state = hypothesis.state
    if state.phase is Phase.DEAL:
        yield Dealt(state.dealer), (state.dealer,), 0.0
    elif state.phase is Phase.PASS_CARDS:
        missing = [seat for seat in state.players if seat not in state.raps]
        yield from ((Rapped(seat), (seat,), 0.0) for seat in missing[:1])
    elif state.phase is Phase.SECRET_BID:
        yield from _assumed_secret_bids(step, hypothesis)
    else:
        seat = step.game.expected(state).seats[0]
        said = step.context.pins.calls.get(call_key(state, seat))
        if said is not None:
            yield said, (), 0.0
        else:
            yield from ((call, (seat,), cost) for call, cost in _likely_calls(step, hypothesis, seat))


def _likely_calls(step: Step, hypothesis: Hypothesis, seat: str) -> Iterator[tuple[Event, float]]:
    """Yield the calls that a player may have made, each with its cost: what the dial showed; else a pass of an auction,
    each legal suit of a led joker (later cards tell which), or the likeliest bids.
    """
    state, dial = hypothesis.state, hypothesis.dial
    if state.phase is Phase.AUCTION:
        yield dial.bid if dial is not None else Passed(seat), 0.0
    elif state.phase is Phase.NAME_SUIT:
        suits = step.game.legal_suits(state, seat) if dial is None else (str(dial.shown),)
        yield from ((SuitNamed(seat, suit), log(len(suits))) for suit in suits)
    else:
        likely = _likely_bids(state, step.game.legal_bids(state, seat))
        for place, bid in enumerate(likely[:MAX_GUESSED_BIDS]):
            yield Bid(seat, bid), place * COSTS.unlikely_guess


def _assumed_secret_bids(step: Step, hypothesis: Hypothesis) -> Iterator[_AssumedCalls]:
    """Yield the bids that were made in secret, completed by assumed ones; nothing while a player has no legal bid."""
    state = hypothesis.state
    bids, seats = dict(hypothesis.secret_bids), []
    for seat in state.players:
        legal = step.game.legal_bids(state, seat)
        if not legal:
            return
        said = step.context.pins.calls.get(call_key(state, seat))
        if isinstance(said, Bid):
            bids[seat] = said.bid
        elif seat not in bids:
            bids[seat] = _likely_bids(state, legal)[0]
            seats.append(seat)
    yield BidsRevealed(tuple((seat, bids[seat]) for seat in state.players)), tuple(seats), 0.0


def _likely_bids(state: State, legal: Sequence[BidValue]) -> list[BidValue]:
    """Return the legal bids by likelihood: the nearest to each player's share of the tricks first."""
    share = state.cards // len(state.players)
    numbers = [bid for bid in legal if isinstance(bid, int)]
    nearest = sorted(numbers, key=lambda bid: (abs(bid - share), bid))
    return [*nearest] if nearest else [*legal]
