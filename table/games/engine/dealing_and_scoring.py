"""From hand to hand: the deal, the score, the next hand, the end, and players who come and go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from table.cards import bid_to_json
from table.events.game_events import Came, Ended, Left, Rescored, Reseated, ThrownIn
from table.games.engine.change import Change, values_by_seat
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import HandResult, Phase, RefusedError, State, Trick
from table.games.engine.ruleset import Rules

# --- the deal ---------------------------------------------------------------------------------------------


def start_first_hand(change: Change) -> None:
    """Begin the game with its first hand."""
    size = change.rules.hand_size(change.state, 1)
    assert size is not None
    _open_hand(change, size, change.state.dealer, change.state.players)


def _open_hand(change: Change, cards: int, dealer: str, players: tuple[str, ...]) -> None:
    state = change.state
    change.state = evolve(state, hand=state.hand + 1, cards=cards, dealer=dealer, players=players)
    _start_deal(change)


def _start_deal(change: Change) -> None:
    rules = change.rules
    change.state = state = evolve(
        change.state,
        phase=Phase.DEAL,
        deal=change.state.deal + 1,
        trump=None,
        turned=None,
        card_passes=0,
        bids=(),
        calls=(),
        raps=frozenset(),
        forced=False,
        trick=Trick(),
        tricks=(),
        failures=(),
        revokes=(),
    )
    fields: dict[str, Any] = {"hand": state.hand, "cards": state.cards, "dealer": state.dealer}
    if len(state.players) < len(state.seats):
        fields["players"] = list(state.players)
    tied = rules.tied_players(state)
    if tied:
        fields["level"] = list(tied)
    change.announce_line("hand_started", **fields)
    trump = rules.fixed_trump(state)
    if trump is not None:
        change.state = evolve(state, trump=trump)
        change.announce_line("trump", suit=trump, card=None)


def redeal(change: Change, why: str) -> None:
    """Throw the hand in by the rules; the same dealer deals it again."""
    change.announce(ThrownIn(why), derived=True)
    _start_deal(change)


# --- the score --------------------------------------------------------------------------------------------


def score_hand(change: Change) -> None:
    """Score the finished hand, and begin the next one or end the game."""
    rules, state = change.rules, change.state
    players, bids = state.players, state.bids_by_seat
    points = {seat: rules.score(state, seat) for seat in players}
    totals = _add_points(state.totals, {} if state.play_off else points)
    result = HandResult(
        hand=state.hand,
        cards=state.cards,
        dealer=state.dealer,
        bids={seat: bids[seat] for seat in players},
        tricks={seat: state.tricks_won(seat) for seat in players},
        points=points,
        totals=totals,
        revoked=tuple(seat for seat in players if state.has_revoked(seat)),
        play_off=state.play_off,
    )
    change.state = evolve(state, results=(*state.results, result), totals=totals)
    _eliminate(change)
    tally = rules.elimination_tally(change.state)
    change.announce_line(
        "hand_scored",
        hand=result.hand,
        bids={seat: bid_to_json(bid) for seat, bid in result.bids.items()},
        tricks=dict(result.tricks),
        points=dict(points),
        totals=dict(totals),
        **({"faults": dict(tally.counts)} if tally is not None and tally.kind == "faults" else {}),
    )
    if tally is not None and tally.kind == "lives":
        out = [seat for seat in players if seat in change.state.out]
        change.announce_line("lives", lives=dict(tally.counts), out=out)
    _next_hand(change)


def _add_points(totals: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {seat: total + more.get(seat, 0) for seat, total in totals.items()}


def _eliminate(change: Change) -> None:
    tally = change.rules.elimination_tally(change.state)
    if tally is not None:
        change.state = evolve(change.state, out=tally.eliminated)


def _next_hand(change: Change) -> None:
    """Go on after a hand: with the next one, with a hand that decides a tie, or with the end of the game."""
    rules, state = change.rules, change.state
    players = state.present
    if not state.play_off and not rules.is_finished(state) and len(players) > 1:
        size = rules.hand_size(state, len(state.counted_results) + 1)
        if size is not None:
            _open_hand(change, size, _next_dealer(state, players), players)
            return
    # Players tied with somebody who has left share their place.
    groups = rules.play_off_groups(ranking(rules, state))
    tied = next((group for group in groups if not state.away & set(group)), None)
    if tied is None:
        _end_game(change)
        return
    change.announce_line("play_off", seats=list(tied), cards=rules.play_off_cards)
    change.state = evolve(state, play_off=True)
    _open_hand(change, rules.play_off_cards, _next_dealer(state, tied), tied)


def _next_dealer(state: State, players: tuple[str, ...]) -> str:
    return evolve(state, players=players).left_of(state.dealer)


# --- the end ----------------------------------------------------------------------------------------------


def ranking(rules: Rules, state: State) -> list[list[str]]:
    """Return the players by places, best first, tied ones together in seat order."""
    eliminates = rules.elimination_tally(state) is not None
    keys = {
        seat: (_survival(state, seat) if eliminates else (), rules.ranking_key(state, seat))
        for seat in state.seats
    }
    places = sorted(set(keys.values()), reverse=True)
    return [[seat for seat in state.seats if keys[seat] == place] for place in places]


def _survival(state: State, seat: str) -> tuple[bool, int]:
    """Return how long a player has lasted: whether still in the game (not once away), and the last counting hand."""
    if seat in state.present:
        return True, 0
    return False, max((result.hand for result in state.counted_results if seat in result.bids), default=0)


def _end_game(change: Change) -> None:
    change.announce_line("game_over", **_close_game(change))


def _close_game(change: Change) -> dict[str, Any]:
    """End the game; return the result. Nobody has won where no hand has been scored."""
    state = change.state
    places = ranking(change.rules, state)
    winners = tuple(places[0]) if state.results else ()
    change.state = evolve(
        state, phase=Phase.OVER, raps=frozenset(), trick=Trick(), play_off=False, winners=winners
    )
    return {"totals": dict(state.totals), "ranking": places, "winners": list(winners)}


# --- exceptions -------------------------------------------------------------------------------------------


def apply_thrown_in(change: Change, event: ThrownIn) -> None:
    """Apply a misdeal, or any other hand that the players throw in: the same dealer deals again."""
    change.announce(ThrownIn(str(event.why)))
    _start_deal(change)


def apply_left(change: Change, event: Left) -> None:
    """Apply a player's leaving: a hand under way is thrown in and dealt again to the others."""
    state, seat = change.state, event.seat
    if seat in state.away:
        raise RefusedError("away", seat=seat)
    change.state = evolve(state, away=state.away | {seat})
    staying = len(state.seats) - len(change.state.away)
    if staying < change.rules.min_players or len(change.state.present) < 2:
        raise RefusedError("too_few", seat=seat)
    change.announce(event)
    if seat not in state.players:
        return
    if state.play_off:
        raise RefusedError("play_off", seat=seat)
    if state.is_dealt:
        change.announce(ThrownIn("left"), derived=True)
    _restart_hand(change)


def apply_came(change: Change, event: Came) -> None:
    """Apply a player's coming (back): the player takes part in the next deal."""
    state, seat = change.state, event.seat
    if seat not in state.away:
        raise RefusedError("not_away", seat=seat)
    change.state = evolve(state, away=state.away - {seat})
    change.announce(event)
    if not state.is_dealt and not state.play_off and seat in change.state.not_eliminated:
        _restart_hand(change)


def apply_reseated(change: Change, event: Reseated) -> None:
    """Apply a change of chairs before a hand is dealt; the dealer stays the same person."""
    state, seats = change.state, event.seats
    if not isinstance(seats, tuple) or sorted(map(str, seats)) != sorted(state.seats):
        raise RefusedError("chairs")
    if state.is_dealt or state.play_off:
        raise RefusedError("between_hands")
    change.state = evolve(state, seats=seats, players=tuple(seat for seat in seats if seat in state.players))
    change.announce(event)


def _restart_hand(change: Change) -> None:
    """Deal the same hand to the players who are present; the dealer stays unless away."""
    state, present = change.state, change.state.present
    dealer = state.dealer if state.dealer in present else _next_dealer(state, present)
    change.state = evolve(state, players=present, dealer=dealer)
    _start_deal(change)


def apply_ended(change: Change, event: Ended) -> None:
    """Apply the end of the game by the players; the finished hands count."""
    change.announce(event, **_close_game(change), ended=True)


def apply_rescored(change: Change, event: Rescored) -> None:
    """Apply a corrected score: totals and ranking follow; the hands dealt since stay as they were played."""
    state = change.state
    index = next((index for index, result in enumerate(state.results) if result.hand == event.hand), None)
    if index is None:
        raise RefusedError("no_such_hand", hand=str(event.hand))
    old_points, counts = state.results[index].points, not state.results[index].play_off
    new_points = {
        seat: points for seat, points in values_by_seat(event.points).items() if type(points) is int
    }
    if not new_points or len(new_points) < len(event.points) or not new_points.keys() <= old_points.keys():
        raise RefusedError("no_such_score", hand=event.hand)
    differences = {seat: points - old_points[seat] for seat, points in new_points.items() if counts}
    results = list(state.results)
    results[index] = replace(results[index], points={**old_points, **new_points})
    results[index:] = [
        replace(result, totals=_add_points(result.totals, differences)) for result in results[index:]
    ]
    totals = _add_points(state.totals, differences)
    change.state = evolve(state, results=tuple(results), totals=totals)
    _eliminate(change)
    change.announce(event, totals=dict(totals))
    if state.phase is Phase.OVER:
        _end_game(change)
