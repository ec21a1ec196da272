"""From hand to hand: the deal, the score, the next one, the end; and who comes and goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from table.cards import NO_TRUMP
from table.events.happenings import Came, Ended, Left, Rescored, Reseated, ThrownIn
from table.events.kind import Said
from table.events.known import said_of
from table.games.base import Change, HandResult, Phase, Refusal, Revoke, State, Trick, refuse
from table.games.choices import places_by
from table.games.copies import but
from table.games.given import pairs
from table.games.rules import Rules
from table.games.tricks import revokes

# --- the deal ---------------------------------------------------------------------------------------------


def first_hand(rules: Rules, seats: tuple[str, ...], dealer: str) -> Change:
    """The game's first hand, to be dealt."""
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
    size = rules.cards(state, 1)
    assert size is not None
    return _open_hand(rules, state, size, dealer, seats)


def _open_hand(rules: Rules, state: State, size: int, dealer: str, players: tuple[str, ...]) -> Change:
    return _deal_anew(rules, but(state, hand=state.hand + 1, cards=size, dealer=dealer, players=players))


def _deal_anew(rules: Rules, state: State) -> Change:
    """The hand of ``state``, to be dealt."""
    state = but(
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
    level = rules.level(state)
    if level:
        fields["level"] = list(level)
    said = [Said("hand_started", fields)]
    trump = rules.trumps(state)
    if trump is not None:
        state = but(state, trump=trump)
        said.append(Said("trump", {"suit": trump, "card": None}))
    return state, said


def redeal(rules: Rules, state: State, why: str) -> Change:
    """By the rules the hand is thrown in and dealt again by the same dealer."""
    state, said = _deal_anew(rules, state)
    return state, [said_of(ThrownIn(why), derived=True), *said]


# --- the score --------------------------------------------------------------------------------------------


def proved(rules: Rules, state: State, seat: str) -> tuple[Revoke, ...]:
    """The revokes of a seat that have been proved so far in this hand."""
    if state.trump == NO_TRUMP:
        return rules.joker.revokes(state, seat)
    return revokes((*state.tricks, state.trick), seat, state.trump)


def score_hand(rules: Rules, state: State) -> Change:
    """The hand is over: what it counts, and what comes next."""
    players = state.players
    state = but(state, announced=tuple(one for seat in players for one in proved(rules, state, seat)))
    points = {seat: rules.points(state, seat) for seat in players}
    counts = not state.play_off
    totals = _added(state.totals, points if counts else {})
    bids = state.bid_of
    result = HandResult(
        hand=state.hand,
        cards=state.cards,
        dealer=state.dealer,
        bids={seat: bids[seat] for seat in players},
        tricks={seat: state.won(seat) for seat in players},
        points=points,
        totals=totals,
        revoked=tuple(seat for seat in players if state.has_revoked(seat)),
        play_off=not counts,
    )
    state = _told_out(rules, but(state, results=(*state.results, result), totals=totals))
    fields: dict[str, Any] = {
        "hand": result.hand,
        "bids": dict(result.bids),
        "tricks": dict(result.tricks),
        "points": dict(points),
        "totals": dict(totals),
    }
    said = [Said("hand_scored", fields)]
    tally = rules.tally(state)
    if tally is not None and tally.kind == "faults":
        fields["faults"] = dict(tally.of)
    elif tally is not None:
        out = [seat for seat in players if seat in state.out]
        said.append(Said("lives", {"lives": dict(tally.of), "out": out}))
    state, more = _next_hand(rules, state)
    return state, said + more


def _added(totals: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {seat: total + more.get(seat, 0) for seat, total in totals.items()}


def _told_out(rules: Rules, state: State) -> State:
    """The state with those who are out by their score."""
    tally = rules.tally(state)
    return state if tally is None else but(state, out=tally.out)


def _next_hand(rules: Rules, state: State) -> Change:
    players = state.present
    if not state.play_off and not rules.finished(state) and len(players) > 1:
        size = rules.cards(state, len(state.counting) + 1)
        if size is not None:
            dealer = but(state, players=players).left_of(state.dealer)
            return _open_hand(rules, state, size, dealer, players)
    # A place that is tied with somebody who has left stays shared.
    groups = rules.ties(ranking(rules, state))
    ties = tuple(group for group in groups if not state.away & set(group))
    if not ties:
        return _game_over(rules, state)
    dealer = but(state, players=ties[0]).left_of(state.dealer)
    announced = Said("play_off", {"seats": list(ties[0]), "cards": rules.decider})
    state, said = _open_hand(rules, but(state, play_off=ties), rules.decider, dealer, ties[0])
    return state, [announced, *said]


# --- the end ----------------------------------------------------------------------------------------------


def ranking(rules: Rules, state: State) -> list[list[str]]:
    """The places, best first, equal ones in seat order together."""
    goes_out = rules.tally(state) is not None
    keys = {seat: (_lasted(state, seat) if goes_out else (), rules.rank(state, seat)) for seat in state.seats}
    return places_by(state.seats, keys)


def _lasted(state: State, seat: str) -> tuple[bool, int]:
    """How long a seat has lasted where players go out: whether it is in it still, else its last counting hand.

    Who has left the table is in it no more.
    """
    if seat in state.present:
        return True, 0
    return False, max((result.hand for result in state.counting if seat in result.bids), default=0)


def _game_over(rules: Rules, state: State) -> Change:
    """The game ends; nobody has won where no hand has been scored."""
    places = ranking(rules, state)
    winners = tuple(places[0]) if state.results else ()
    over = but(
        state,
        phase=Phase.OVER,
        raps=frozenset(),
        leader=None,
        trick=Trick(),
        play_off=(),
        winners=winners,
    )
    fields = {"totals": dict(state.totals), "ranking": places, "winners": list(winners)}
    return over, [Said("game_over", fields)]


# --- out of the ordinary ----------------------------------------------------------------------------------


def thrown_in(rules: Rules, state: State, event: ThrownIn) -> Change | Refusal:
    """A misdeal, or whatever the players agree on: dealt again by the same dealer."""
    state, said = _deal_anew(rules, state)
    return state, [said_of(ThrownIn(str(event.why))), *said]


def left(rules: Rules, state: State, event: Left) -> Change | Refusal:
    """A player leaves: a hand under way is thrown in and dealt again to the others."""
    seat = event.seat
    if seat in state.away:
        return refuse("away", seat=seat)
    gone = but(state, away=state.away | {seat})
    if len(state.seats) - len(gone.away) < rules.fewest or len(gone.present) < 2:
        return refuse("too_few", seat=seat)
    said = [said_of(event)]
    if seat not in state.players:
        return gone, said
    if state.play_off:
        return refuse("play_off", seat=seat)
    if state.phase is not Phase.DEAL or state.turned is not None:
        said.append(said_of(ThrownIn("left"), derived=True))
    gone, more = _gather(rules, gone)
    return gone, said + more


def came(rules: Rules, state: State, event: Came) -> Change | Refusal:
    """A player comes (back), and is in the next deal."""
    seat = event.seat
    if seat not in state.away:
        return refuse("not_away", seat=seat)
    back = but(state, away=state.away - {seat})
    said = [said_of(event)]
    undealt = state.phase is Phase.DEAL and state.turned is None
    if undealt and not state.play_off and seat in back.alive:
        back, more = _gather(rules, back)
        said += more
    return back, said


def reseated(rules: Rules, state: State, event: Reseated) -> Change | Refusal:
    """People change chairs before a hand is dealt; who deals deals."""
    seats = event.seats
    if not isinstance(seats, tuple) or sorted(map(str, seats)) != sorted(state.seats):
        return refuse("chairs")
    if state.phase is not Phase.DEAL or state.turned is not None or state.play_off:
        return refuse("between_hands")
    players = tuple(seat for seat in seats if seat in state.players)
    return replace(state, seats=seats, players=players), [said_of(event)]


def _gather(rules: Rules, state: State) -> Change:
    """The same hand anew for those who are there; who deals stays unless gone."""
    there = but(state, players=state.present)
    dealer = state.dealer if state.dealer in there.players else there.left_of(state.dealer)
    return _deal_anew(rules, but(there, dealer=dealer))


def ended(rules: Rules, state: State, event: Ended) -> Change | Refusal:
    """The game is over here; the finished hands count."""
    over, (said,) = _game_over(rules, state)
    return over, [said_of(event, **said.fields, ended=True)]


def rescored(rules: Rules, state: State, event: Rescored) -> Change | Refusal:
    """Totals and ranking follow from the score put right; the hands dealt since stand as they were played."""
    at = next((at for at, result in enumerate(state.results) if result.hand == event.hand), None)
    if at is None:
        return refuse("no_such_hand", hand=str(event.hand))
    known = state.results[at].points
    right = {seat: points for seat, points in (pairs(event.points) or {}).items() if type(points) is int}
    if not right or len(right) < len(event.points) or not right.keys() <= known.keys():
        return refuse("no_such_score", hand=event.hand)
    counts = not state.results[at].play_off
    more = {seat: points - known[seat] for seat, points in right.items() if counts}
    results = list(state.results)
    results[at] = replace(results[at], points={**known, **right})
    results[at:] = [replace(result, totals=_added(result.totals, more)) for result in results[at:]]
    state = _told_out(rules, but(state, results=tuple(results), totals=_added(state.totals, more)))
    said = [said_of(event, totals=dict(state.totals))]
    if state.phase is not Phase.OVER:
        return state, said
    state, over = _game_over(rules, state)
    return state, said + over
