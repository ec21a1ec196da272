"""From hand to hand: the deal, the score, the next one, the end; and who comes and goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from table.events.happenings import Came, Ended, Left, Rescored, ThrownIn
from table.events.kind import Said
from table.games.base import HandResult, Phase, Refusal, Step, Trick
from table.games.state import (
    Change,
    TableState,
    pairs,
)
from table.games.turns import Turns


class Hands(Turns):
    """The sequence of hands."""

    def start(self) -> Step:
        """The first hand, to be dealt; says ``game_started``, ``hand_started``, and ``trump`` where fixed."""
        options = {name: list(v) if isinstance(v, tuple) else v for name, v in self.options.items()}
        opening = Said("game_started", {"game": self.name, "seats": list(self.seats), "options": options})
        state = TableState(
            phase=Phase.DEAL,
            hand=0,
            cards=0,
            dealer=self.options["first_dealer"],
            players=self.seats,
            trump=None,
            totals=self.start_totals(),
        )
        size = self.size_of(state, 1)
        assert size is not None
        state, said = self._open_hand(state, size, state.dealer, self.seats)
        return Step(state, (opening, *said))

    def _open_hand(self, state: TableState, size: int, dealer: str, players: tuple[str, ...]) -> Change:
        return self._deal_anew(
            replace(state, hand=state.hand + 1, cards=size, dealer=dealer, players=players)
        )

    def _deal_anew(self, state: TableState) -> Change:
        """The hand of ``state``, to be dealt."""
        state = replace(
            state,
            phase=Phase.DEAL,
            trump=None,
            turned=None,
            bids=(),
            raps=frozenset(),
            leader=None,
            trick=Trick(),
            tricks=(),
            forced=False,
            announced=(),
            calls=(),
            declarer=None,
            card_passes=0,
        )
        fields: dict[str, Any] = {"hand": state.hand, "cards": state.cards, "dealer": state.dealer}
        if len(state.players) < len(self.seats):
            fields["players"] = list(state.players)
        said = [Said("hand_started", fields)]
        trump = self.trump_of(state)
        if trump is not None:
            state = replace(state, trump=trump)
            said.append(Said("trump", {"suit": trump, "card": None}))
        return state, said

    def score_hand(self, state: TableState) -> Change:
        """The hand is over: what it counts, and what comes next."""
        revoked = tuple(seat for seat in state.players if self.proved(state, seat))
        points = self.points(state)
        totals = dict(state.totals)
        if not state.play_off:
            for seat, won in points.items():
                totals[seat] += won
        bids = state.bid_of
        result = HandResult(
            hand=state.hand,
            cards=state.cards,
            dealer=state.dealer,
            bids={seat: bids[seat] for seat in state.players},
            tricks={seat: state.won(seat) for seat in state.players},
            points={seat: points[seat] for seat in state.players},
            totals=totals,
            revoked=revoked,
            play_off=bool(state.play_off),
        )
        state = replace(state, results=(*state.results, result), totals=totals)
        fields: dict[str, Any] = {
            "hand": result.hand,
            "bids": dict(result.bids),
            "tricks": dict(result.tricks),
            "points": dict(result.points),
            "totals": dict(totals),
            **self.extra_score(state, result),
        }
        said = [Said("hand_scored", fields), *self.extra_lines(state)]
        state, more = self._next_hand(state)
        return state, said + more

    def _next_hand(self, state: TableState) -> Change:
        players = self._present(state)
        if not state.play_off and not self.finished(state) and len(players) > 1:
            played = sum(not result.play_off for result in state.results)
            size = self.size_of(state, played + 1)
            if size is not None:
                dealer = self.after(state.dealer, replace(state, players=players))
                return self._open_hand(state, size, dealer, players)
        # A place that is tied with somebody who has left stays shared.
        ties = tuple(group for group in self.ties_to_play(state) if not state.away & set(group))
        if not ties:
            return self._game_over(state)
        size = self.play_off_size(state)
        dealer = self.after(state.dealer, replace(state, players=ties[0]))
        announced = Said("play_off", {"seats": list(ties[0]), "cards": size})
        state, said = self._open_hand(replace(state, play_off=ties), size, dealer, ties[0])
        return state, [announced, *said]

    def _game_over(self, state: TableState, **more: Any) -> Change:
        ranking = self.ranking(state)
        winners = self.winners(state, ranking)
        state = replace(
            state,
            phase=Phase.OVER,
            winners=tuple(winners),
            leader=None,
            trick=Trick(),
            play_off=(),
            raps=frozenset(),
        )
        fields = {"totals": dict(state.totals), "ranking": ranking, "winners": winners, **more}
        return state, [Said("game_over", fields)]

    def winners(self, state: TableState, ranking: list[list[str]]) -> list[str]:
        """Who has won the game: nobody where no hand has been scored."""
        return list(ranking[0]) if state.results else []

    # --- out of the ordinary

    def redeal(self, state: TableState, why: str, **more: Any) -> Change:
        """The hand is thrown in and dealt again by the same dealer."""
        state, said = self._deal_anew(state)
        return state, [Said("thrown_in", {"why": why, **more}), *said]

    def on_thrown_in(self, state: TableState, event: ThrownIn) -> Change | Refusal:
        """A misdeal, or whatever the players agree on."""
        return self.redeal(state, str(event.why))

    def on_left(self, state: TableState, event: Left) -> Change | Refusal:
        """A player leaves: a hand under way is thrown in and dealt again to the others."""
        seat = event.seat
        if seat in state.away:
            return Refusal("away", f"{seat} has left already")
        fewest = self.seats_allowed(self.options)[0]
        left = replace(state, away=state.away | {seat})
        if len(self.seats) - len(left.away) < fewest or len(self._present(left)) < 2:
            return Refusal(
                "too_few", f"without {seat} there are too few for {self.title}: end the game instead"
            )
        said = [Said("player_left", {"seat": seat})]
        if seat not in state.players:
            return left, said
        if state.play_off:
            return Refusal("play_off", f"{seat} can't leave while a tie is played off: end the game instead")
        begun = state.phase is not Phase.DEAL or state.turned is not None
        if begun:
            said.append(Said("thrown_in", {"why": f"{seat} has left", "derived": True}))
        left, more = self._gather(left)
        return left, said + more

    def on_came(self, state: TableState, event: Came) -> Change | Refusal:
        """A player comes (back), and is in the next deal."""
        seat = event.seat
        if seat not in state.away:
            return Refusal("not_away", f"{seat} is here already")
        came = replace(state, away=state.away - {seat})
        said = [Said("player_came", {"seat": seat})]
        undealt = state.phase is Phase.DEAL and state.turned is None
        if undealt and not state.play_off and seat in self.living(came):
            came, more = self._gather(came)
            said += more
        return came, said

    def _gather(self, state: TableState) -> Change:
        """The same hand anew for those who are there; who deals stays unless gone."""
        there = replace(state, players=self._present(state))
        dealer = state.dealer if state.dealer in there.players else self.after(state.dealer, there)
        return self._deal_anew(replace(there, dealer=dealer))

    def _present(self, state: TableState) -> tuple[str, ...]:
        """Who plays the next hand and is there."""
        return tuple(seat for seat in self.living(state) if seat not in state.away)

    def on_ended(self, state: TableState, event: Ended) -> Change | Refusal:
        """The game is over here; the finished hands count."""
        return self._game_over(state, ended=True)

    def on_rescored(self, state: TableState, event: Rescored) -> Change | Refusal:
        """Totals and ranking follow from the score put right; the hands dealt since stand as they were played."""
        at = next((at for at, result in enumerate(state.results) if result.hand == event.hand), None)
        if at is None:
            return Refusal("no_such_hand", f"hand {event.hand} has not been scored")
        known = state.results[at].points
        right = {seat: points for seat, points in (pairs(event.points) or {}).items() if type(points) is int}
        if not right or len(right) < len(event.points) or not right.keys() <= known.keys():
            return Refusal("no_such_score", f"expected whole points for players of hand {event.hand}")
        counts = not state.results[at].play_off
        more = {seat: points - known[seat] for seat, points in right.items() if counts}
        results = list(state.results)
        results[at] = replace(results[at], points={**known, **right})
        results[at:] = [replace(result, totals=_added(result.totals, more)) for result in results[at:]]
        state = replace(state, results=tuple(results), totals=_added(state.totals, more))
        fields = {"hand": event.hand, "points": right, "totals": dict(state.totals)}
        said = [Said("hand_rescored", fields)]
        if state.phase is not Phase.OVER:
            return state, said
        state, over = self._game_over(state)
        return state, said + over


def _added(totals: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {seat: total + more.get(seat, 0) for seat, total in totals.items()}
