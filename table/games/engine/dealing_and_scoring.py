"""From hand to hand: the deal, the score, the next hand, the end, and players who come and go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from table.cards import NO_TRUMP
from table.events.event_registry import announcement_of
from table.events.event_spec import Announcement
from table.events.game_events import Came, Ended, Left, Rescored, Reseated, ThrownIn
from table.games.engine.copy_with_changes import evolve
from table.games.engine.event_value_checks import bids_by_seat
from table.games.engine.game_state import Change, HandResult, Phase, Refusal, Revoke, State, Trick, refuse
from table.games.engine.ruleset import Rules
from table.games.engine.shared_rules import group_by_rank
from table.games.engine.trick_rules import proved_revokes

# --- the deal ---------------------------------------------------------------------------------------------


def start_first_hand(rules: Rules, seats: tuple[str, ...], dealer: str) -> Change:
    """Return the state and announcements before the deal of the first hand."""
    totals = dict.fromkeys(seats, rules.start_total)
    state = State(
        phase=Phase.DEAL,
        hand=0,
        cards=0,
        dealer=dealer,
        seats=seats,
        players=seats,
        trump=None,
        totals=totals,
    )
    size = rules.hand_size(state, 1)
    assert size is not None
    return _open_hand(rules, state, size, dealer, seats)


def _open_hand(rules: Rules, state: State, hand_size: int, dealer: str, players: tuple[str, ...]) -> Change:
    """Return the state before the deal of the next hand, with its announcements."""
    return _start_deal(
        rules, evolve(state, hand=state.hand + 1, cards=hand_size, dealer=dealer, players=players)
    )


def _start_deal(rules: Rules, state: State) -> Change:
    """Return ``state`` before the deal of its hand, with its announcements."""
    state = evolve(
        state,
        phase=Phase.DEAL,
        deal=state.deal + 1,
        trump=None,
        turned=None,
        card_passes=0,
        bids=(),
        calls=(),
        declarer=None,
        raps=frozenset(),
        forced=False,
        leader=None,
        trick=Trick(),
        tricks=(),
        announced=(),
    )
    fields: dict[str, Any] = {"hand": state.hand, "cards": state.cards, "dealer": state.dealer}
    if len(state.players) < len(state.seats):
        fields["players"] = list(state.players)
    tied = rules.tied_players(state)
    if tied:
        fields["level"] = list(tied)
    announcements = [Announcement("hand_started", fields)]
    trump = rules.fixed_trump(state)
    if trump is not None:
        state = evolve(state, trump=trump)
        announcements.append(Announcement("trump", {"suit": trump, "card": None}))
    return state, announcements


def redeal(rules: Rules, state: State, why: str) -> Change:
    """Throw the hand in by the rules; the same dealer deals it again."""
    state, announcements = _start_deal(rules, state)
    return state, [announcement_of(ThrownIn(why), derived=True), *announcements]


# --- the score --------------------------------------------------------------------------------------------


def current_revokes(rules: Rules, state: State, seat: str) -> tuple[Revoke, ...]:
    """Return the revokes of a seat that have been proved so far in this hand."""
    if state.trump == NO_TRUMP:
        return rules.joker_rules.revokes(state, seat)
    return proved_revokes((*state.tricks, state.trick), seat, state.trump)


def score_hand(rules: Rules, state: State) -> Change:
    """Score the finished hand, and begin the next one or end the game."""
    players = state.players
    state = evolve(
        state, announced=tuple(revoke for seat in players for revoke in current_revokes(rules, state, seat))
    )
    points = {seat: rules.score(state, seat) for seat in players}
    counts = not state.play_off
    totals = _add_points(state.totals, points if counts else {})
    bids = state.bids_by_seat
    result = HandResult(
        hand=state.hand,
        cards=state.cards,
        dealer=state.dealer,
        bids={seat: bids[seat] for seat in players},
        tricks={seat: state.tricks_won(seat) for seat in players},
        points=points,
        totals=totals,
        revoked=tuple(seat for seat in players if state.has_revoked(seat)),
        play_off=not counts,
    )
    state = _eliminate(rules, evolve(state, results=(*state.results, result), totals=totals))
    fields: dict[str, Any] = {
        "hand": result.hand,
        "bids": dict(result.bids),
        "tricks": dict(result.tricks),
        "points": dict(points),
        "totals": dict(totals),
    }
    announcements = [Announcement("hand_scored", fields)]
    tally = rules.elimination_tally(state)
    if tally is not None and tally.kind == "faults":
        fields["faults"] = dict(tally.counts)
    elif tally is not None:
        out = [seat for seat in players if seat in state.out]
        announcements.append(Announcement("lives", {"lives": dict(tally.counts), "out": out}))
    state, more = _next_hand(rules, state)
    return state, announcements + more


def _add_points(totals: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """Return the totals with points added."""
    return {seat: total + more.get(seat, 0) for seat, total in totals.items()}


def _eliminate(rules: Rules, state: State) -> State:
    """Return the state with the players marked who are eliminated by their score."""
    tally = rules.elimination_tally(state)
    return state if tally is None else evolve(state, out=tally.eliminated)


def _next_hand(rules: Rules, state: State) -> Change:
    """Go on after a hand: with the next one, with a hand that decides a tie, or with the end of the game."""
    players = state.present
    if not state.play_off and not rules.is_finished(state) and len(players) > 1:
        size = rules.hand_size(state, len(state.counted_results) + 1)
        if size is not None:
            dealer = evolve(state, players=players).left_of(state.dealer)
            return _open_hand(rules, state, size, dealer, players)
    # Players tied with somebody who has left share their place.
    groups = rules.play_off_groups(ranking(rules, state))
    ties = tuple(group for group in groups if not state.away & set(group))
    if not ties:
        return _game_over(rules, state)
    dealer = evolve(state, players=ties[0]).left_of(state.dealer)
    announcement = Announcement("play_off", {"seats": list(ties[0]), "cards": rules.play_off_cards})
    state, announcements = _open_hand(
        rules, evolve(state, play_off=ties), rules.play_off_cards, dealer, ties[0]
    )
    return state, [announcement, *announcements]


# --- the end ----------------------------------------------------------------------------------------------


def ranking(rules: Rules, state: State) -> list[list[str]]:
    """Return the players by places, best first, tied ones together in seat order."""
    eliminates = rules.elimination_tally(state) is not None
    keys = {
        seat: (_survival(state, seat) if eliminates else (), rules.ranking_key(state, seat))
        for seat in state.seats
    }
    return group_by_rank(state.seats, keys)


def _survival(state: State, seat: str) -> tuple[bool, int]:
    """Return how long a player has lasted in a game with elimination: whether still in it, and the last counting hand.

    A player who has left the table is in it no more.
    """
    if seat in state.present:
        return True, 0
    return False, max((result.hand for result in state.counted_results if seat in result.bids), default=0)


def _game_over(rules: Rules, state: State) -> Change:
    """End the game; nobody has won where no hand has been scored."""
    places = ranking(rules, state)
    winners = tuple(places[0]) if state.results else ()
    final_state = evolve(
        state,
        phase=Phase.OVER,
        raps=frozenset(),
        leader=None,
        trick=Trick(),
        play_off=(),
        winners=winners,
    )
    fields = {"totals": dict(state.totals), "ranking": places, "winners": list(winners)}
    return final_state, [Announcement("game_over", fields)]


# --- exceptions -------------------------------------------------------------------------------------------


def apply_thrown_in(rules: Rules, state: State, event: ThrownIn) -> Change | Refusal:
    """Apply a misdeal, or any other hand that the players throw in: the same dealer deals again."""
    state, announcements = _start_deal(rules, state)
    return state, [announcement_of(ThrownIn(str(event.why))), *announcements]


def apply_left(rules: Rules, state: State, event: Left) -> Change | Refusal:
    """Apply a player's leaving: a hand under way is thrown in and dealt again to the others."""
    seat = event.seat
    if seat in state.away:
        return refuse("away", seat=seat)
    state_without = evolve(state, away=state.away | {seat})
    if len(state.seats) - len(state_without.away) < rules.min_players or len(state_without.present) < 2:
        return refuse("too_few", seat=seat)
    announcements = [announcement_of(event)]
    if seat not in state.players:
        return state_without, announcements
    if state.play_off:
        return refuse("play_off", seat=seat)
    if state.phase is not Phase.DEAL or state.turned is not None:
        announcements.append(announcement_of(ThrownIn("left"), derived=True))
    state_without, more = _restart_hand(rules, state_without)
    return state_without, announcements + more


def apply_came(rules: Rules, state: State, event: Came) -> Change | Refusal:
    """Apply a player's coming (back): the player takes part in the next deal."""
    seat = event.seat
    if seat not in state.away:
        return refuse("not_away", seat=seat)
    state_with = evolve(state, away=state.away - {seat})
    announcements = [announcement_of(event)]
    not_dealt = state.phase is Phase.DEAL and state.turned is None
    if not_dealt and not state.play_off and seat in state_with.not_eliminated:
        state_with, more = _restart_hand(rules, state_with)
        announcements += more
    return state_with, announcements


def apply_reseated(rules: Rules, state: State, event: Reseated) -> Change | Refusal:
    """Apply a change of chairs before a hand is dealt; the dealer stays the same person."""
    seats = event.seats
    if not isinstance(seats, tuple) or sorted(map(str, seats)) != sorted(state.seats):
        return refuse("chairs")
    if state.phase is not Phase.DEAL or state.turned is not None or state.play_off:
        return refuse("between_hands")
    players = tuple(seat for seat in seats if seat in state.players)
    return replace(state, seats=seats, players=players), [announcement_of(event)]


def _restart_hand(rules: Rules, state: State) -> Change:
    """Deal the same hand to the players who are present; the dealer stays unless away."""
    with_present = evolve(state, players=state.present)
    dealer = state.dealer if state.dealer in with_present.players else with_present.left_of(state.dealer)
    return _start_deal(rules, evolve(with_present, dealer=dealer))


def apply_ended(rules: Rules, state: State, event: Ended) -> Change | Refusal:
    """Apply the end of the game by the players; the finished hands count."""
    final_state, (announcement,) = _game_over(rules, state)
    return final_state, [announcement_of(event, **announcement.fields, ended=True)]


def apply_rescored(rules: Rules, state: State, event: Rescored) -> Change | Refusal:
    """Apply a corrected score: totals and ranking follow; the hands dealt since stay as they were played."""
    index = next((index for index, result in enumerate(state.results) if result.hand == event.hand), None)
    if index is None:
        return refuse("no_such_hand", hand=str(event.hand))
    old_points = state.results[index].points
    new_points = {
        seat: points for seat, points in (bids_by_seat(event.points) or {}).items() if type(points) is int
    }
    if not new_points or len(new_points) < len(event.points) or not new_points.keys() <= old_points.keys():
        return refuse("no_such_score", hand=event.hand)
    counts = not state.results[index].play_off
    differences = {seat: points - old_points[seat] for seat, points in new_points.items() if counts}
    results = list(state.results)
    results[index] = replace(results[index], points={**old_points, **new_points})
    results[index:] = [
        replace(result, totals=_add_points(result.totals, differences)) for result in results[index:]
    ]
    state = _eliminate(
        rules, evolve(state, results=tuple(results), totals=_add_points(state.totals, differences))
    )
    announcements = [announcement_of(event, totals=dict(state.totals))]
    if state.phase is not Phase.OVER:
        return state, announcements
    state, announcements_of_end = _game_over(rules, state)
    return state, announcements + announcements_of_end
