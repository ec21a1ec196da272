"""The one trick-taking core: deal, bid, play, score, next hand. The games hang on it by a few hooks.

Hooks are the methods under "what a game says"; everything else is the same for all games. A state is a value:
every handler takes one and returns another with what is announced, the event's own line first, or a refusal.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from table.cards import NO_TRUMP, SUITS, Card, pack
from table.games.base import (
    Bid,
    BidsRevealed,
    BidsTied,
    BidValue,
    Came,
    CardsPassed,
    Dealt,
    Ended,
    Event,
    Expected,
    Game,
    HandResult,
    LeadsTied,
    Left,
    Passed,
    Phase,
    Play,
    Played,
    Rapped,
    Refusal,
    Said,
    State,
    Step,
    SuitNamed,
    TakenBack,
    ThrownIn,
    Trick,
    TrickTaken,
    TurnedUp,
)
from table.games.options import Check, check_seats, resolve
from table.games.tricks import Revoke, following, revokes, suit_led, winning

DOUBLE_NIL = "double nil"


@dataclass(frozen=True)
class TableState(State):
    """What the core keeps besides."""

    forced: bool = False
    """A tie took the others' right to bid or lead: only the default may."""
    calls: tuple[tuple[str, str], ...] = ()
    """The auction so far, such as ``("Ada", "6C")`` and ``("Ben", "pass")``."""
    declarer: str | None = None
    card_passes: int = 0
    """How often cards have been handed on in this hand."""
    play_off: tuple[tuple[str, ...], ...] = ()
    """The groups of tied players that still have to play off, the one that plays now first."""
    away: frozenset[str] = frozenset()
    """Who has left, or has not come yet."""


Change: TypeAlias = tuple[TableState, list[Said]]
"""A new state and what is announced."""


class TrickGame(Game):
    """A game of tricks."""

    free: ClassVar[bool] = False
    """Whether anyone may bid and lead, with a default player for when nobody wants to."""
    checks: ClassVar[Mapping[str, Check]]

    def __init__(self, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(self.name, seats, self.seats_allowed(options or {}))
        self.options = resolve(self.name, self.seats, self.options_offered, self.checks, options)
        self.settle_options()
        self._pack = self.make_pack()
        self._copies = {one: self._pack.count(one) for one in self._pack}
        self._handlers: dict[type, Callable[[TableState, Any], Change | Refusal]] = {
            Dealt: self._dealt,
            TurnedUp: self._turned_up,
            Rapped: self._rapped,
            Bid: self._bid,
            Passed: self.passed,
            BidsTied: self._bids_tied,
            BidsRevealed: self._bids_revealed,
            LeadsTied: self._leads_tied,
            Played: self._played,
            TakenBack: self._taken_back,
            SuitNamed: self._suit_named,
            TrickTaken: self._trick_taken,
            CardsPassed: self._cards_passed,
            ThrownIn: self._thrown_in,
            Left: self._left,
            Came: self._came,
            Ended: self._ended,
        }

    # --- what a game says ---------------------------------------------------------------------------------

    @classmethod
    def seats_allowed(cls, given: Mapping[str, Any]) -> tuple[int, int]:
        """The fewest and the most players under the options given (not checked yet)."""
        return cls.seat_range

    def settle_options(self) -> None:
        """Check the options against each other and against the seats (``ValueError``); change derived ones."""

    def make_pack(self) -> tuple[Card, ...]:
        """Every card that the game is played with."""
        return pack()

    @abstractmethod
    def size_of(self, state: TableState, number: int) -> int | None:
        """The cards of the ``number``-th counting hand (from 1), or None when the game ends before it."""

    def trump_of(self, state: TableState) -> str | None:
        """The trump suit where the rules fix it for a new hand, else None."""
        return None

    def turns_up(self, state: TableState) -> bool:
        """Whether a card is turned up for trumps in this hand."""
        return False

    def trump_turned(self, card: Card) -> str | Refusal:
        """The trump suit that a turned card makes."""
        return card.suit or NO_TRUMP

    def turned_stays_out(self, state: TableState) -> bool:
        """Whether the turned card can't be played in this hand (it belongs to the stock)."""
        return True

    def cards_to_pass(self, state: TableState) -> int:
        """How many cards everybody is to hand on now; 0 for none, and once it has been done."""
        return 0

    def bid_phase(self, state: TableState) -> Phase:
        """How the bidding goes: ``BID``, ``SECRET_BID``, ``AUCTION``; ``LEAD`` for none."""
        return Phase.BID

    def bids_by_rule(self, state: TableState) -> tuple[tuple[str, BidValue], ...]:
        """The bids of a hand that is played without bidding."""
        return ()

    def bidders(self, state: TableState) -> tuple[str, ...]:
        """Who bids, in the order in which they must when nobody wants to."""
        return self.round_from(self.after(state.dealer, state), state)

    def bid_values(self, state: TableState, seat: str) -> tuple[BidValue, ...]:
        """The bids there are in this hand, the hook left aside."""
        return tuple(range(state.cards + 1))

    def hooked(self, state: TableState) -> bool:
        """Whether the last bidder may not make the sum equal to the number of tricks."""
        return True

    def first_leader(self, state: TableState) -> str:
        """Who leads the first trick (by default, with free leads)."""
        return self.after(state.dealer, state)

    def later_leader(self, state: TableState, winner: str) -> str:
        """Who leads the next trick (by default, with free leads)."""
        return winner

    def joker_wins(self, state: TableState, plays: Sequence[Play]) -> int | None:
        """The index of a joker that wins the complete trick outright, if one does."""
        return None

    def names_suit(self, state: TableState, lead: Play) -> bool:
        """Whether the player of this lead must name its suit."""
        return False

    def may_name(self, state: TableState, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """The suits that the leader of a joker may name, as far as is public or by the known hand."""
        return SUITS

    def proved(self, state: TableState, seat: str) -> tuple[Revoke, ...]:
        """The revokes of a seat that have been proved so far in this hand."""
        return revokes((*state.tricks, state.trick), seat, state.trump)

    def playable(self, state: TableState, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a known hand that may be played by the player whose turn it is."""
        led = self.led(state)
        return following(hand, led, state.trump) if led else tuple(hand)

    @abstractmethod
    def points(self, state: TableState) -> dict[str, int]:
        """What each player of the finished hand gets for it."""

    def start_totals(self) -> dict[str, int]:
        """The totals before the first hand."""
        return dict.fromkeys(self.seats, 0)

    def extra_score(self, state: TableState, result: HandResult) -> dict[str, Any]:
        """Further fields of ``hand_scored``."""
        return {}

    def extra_lines(self, state: TableState) -> list[Said]:
        """What is said right after ``hand_scored``; ``state`` holds the result."""
        return []

    def living(self, state: TableState) -> tuple[str, ...]:
        """Who plays the next hand, in seat order."""
        return self.seats

    def finished(self, state: TableState) -> bool:
        """Whether the game ends now although hands are left."""
        return False

    def ranking(self, state: TableState) -> list[list[str]]:
        """The places, best first, equal ones in seat order together."""
        return self.ranked(lambda seat: state.totals[seat])

    def ties_to_play(self, state: TableState) -> tuple[tuple[str, ...], ...]:
        """Groups of tied players that play another hand to decide, after the last hand; the next one first."""
        return ()

    def card_barred(self, state: TableState, seat: str, card: Card) -> Refusal | None:
        """Why this player can't have this card, where the game tells."""
        return None

    @staticmethod
    def play_off_points(state: State, seat: str) -> tuple[int, ...]:
        """What a seat got in the play-offs it took part in, in order."""
        return tuple(one.points[seat] for one in state.results if one.play_off and seat in one.points)

    def play_off_size(self, state: TableState) -> int:
        """The cards of a hand that decides a tie."""
        raise NotImplementedError

    def passed(self, state: TableState, event: Passed) -> Change | Refusal:
        """A pass, in a game with an auction."""
        return Refusal("wrong_phase", "there is no passing in this game")

    def auction_bid(self, state: TableState, event: Bid) -> Change | Refusal:
        """A bid in the auction, in a game with one."""
        return Refusal("wrong_phase", "there is no auction in this game")

    # --- small helpers ------------------------------------------------------------------------------------

    def after(self, seat: str, state: State) -> str:
        """The next player to the left of ``seat`` who plays this hand."""
        at = self.seats.index(seat)
        for step in range(1, len(self.seats) + 1):
            found = self.seats[(at + step) % len(self.seats)]
            if found in state.players:
                return found
        raise AssertionError("nobody plays")

    def round_from(self, seat: str, state: State) -> tuple[str, ...]:
        """All who play this hand, from ``seat`` on to the left."""
        at = state.players.index(seat)
        return (*state.players[at:], *state.players[:at])

    def ranked(self, key: Callable[[str], Any]) -> list[list[str]]:
        """The seats by a key, the highest first, equal ones together in seat order."""
        return ranked(self.seats, key)

    def led(self, state: TableState) -> str | None:
        """The suit to be followed in the current trick; None before the lead."""
        lead = self._lead(state)
        return suit_led(lead, state.trick.named, state.trump) if lead else None

    def last_trick(self, state: State) -> bool:
        """Whether the current trick is the hand's last."""
        return len(state.tricks) == state.cards - 1

    @staticmethod
    def _lead(state: State) -> Play | None:
        return next((play for play in state.trick.plays if play.seat == state.leader), None)

    def _turn(self, state: TableState) -> str | None:
        """Whose card is missing next from the current trick."""
        if state.leader is None:
            return None
        have = {play.seat for play in state.trick.plays}
        return next((seat for seat in self.round_from(state.leader, state) if seat not in have), None)

    def _waiting(self, state: TableState) -> tuple[str, ...]:
        """Who has still to bid, the one whose turn it is first."""
        done = state.bid_of
        order = self.bidders(state)
        if self.free and state.bids:
            order = self.round_from(self.after(state.bids[-1][0], state), state)
        return tuple(seat for seat in order if seat not in done)

    def _default_leader(self, state: TableState) -> str:
        winner = state.tricks[-1].winner if state.tricks else None
        return self.later_leader(state, winner) if winner else self.first_leader(state)

    # --- what may happen next -----------------------------------------------------------------------------

    def pack(self) -> tuple[Card, ...]:
        """Every card that the game is played with."""
        return self._pack

    def expected(self, state: State) -> Expected:
        """What may happen next, and who may do it."""
        state = own(state)
        phase = state.phase
        if phase in (Phase.DEAL, Phase.TURN_UP):
            return Expected(phase, (state.dealer,), state.dealer, must=True)
        if phase is Phase.PASS_CARDS or phase is Phase.SECRET_BID:
            order = self.round_from(self.after(state.dealer, state), state)
            waiting = tuple(seat for seat in order if seat not in state.raps)
            return Expected(phase, waiting or order, None)
        if phase is Phase.AUCTION:
            turn = self.auction_turn(state)
            return Expected(phase, (turn,), turn, must=True)
        if phase is Phase.BID:
            return self._freely(state, self._waiting(state))
        if phase is Phase.LEAD:
            if state.leader is not None:
                return Expected(phase, (state.leader,), state.leader, must=True)
            return self._freely(state, self.round_from(self._default_leader(state), state))
        if phase is Phase.NAME_SUIT:
            assert state.leader is not None
            return Expected(phase, (state.leader,), state.leader, must=True)
        if phase is Phase.FOLLOW:
            seat = self._turn(state)
            assert seat is not None
            return Expected(phase, (seat,), seat, must=True)
        if phase is Phase.PICK_UP:
            winner = state.trick.winner
            assert winner is not None
            return Expected(phase, (winner,), winner, must=True)
        return Expected(phase, (), None)

    def _freely(self, state: TableState, order: tuple[str, ...]) -> Expected:
        """``order`` with its first as the default; the others only where anyone may and none is bound."""
        default = order[0]
        must = not self.free or state.forced or all(seat in state.raps for seat in order[1:])
        return Expected(state.phase, order[:1] if must else order, default, free=not must, must=must)

    def auction_turn(self, state: TableState) -> str:
        """Whose turn it is in the auction."""
        order = self.round_from(state.dealer, state)
        return order[len(state.calls) % len(order)]

    def legal_bids(self, state: State, seat: str) -> tuple[BidValue, ...]:
        """The bids that ``seat`` may make now; empty when it may not bid."""
        state = own(state)
        if state.phase is Phase.SECRET_BID:
            ready = set(state.players) <= state.raps
            return self.bid_values(state, seat) if ready and seat in state.players else ()
        if state.phase not in (Phase.BID, Phase.AUCTION) or seat not in self.expected(state).seats:
            return ()
        barred = self._barred(state, seat)
        return tuple(
            bid for bid in self.bid_values(state, seat) if barred is None or number_of(bid) != barred
        )

    def _barred(self, state: TableState, seat: str) -> int | None:
        """The number that the hook forbids ``seat`` now."""
        if (
            state.phase is not Phase.BID
            or len(state.bids) != len(state.players) - 1
            or not self.hooked(state)
        ):
            return None
        left = state.cards - sum(number_of(bid) for _, bid in state.bids)
        return left if left >= 0 else None

    def legal_plays(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""
        state = own(state)
        if state.phase not in (Phase.LEAD, Phase.FOLLOW) or seat not in self.expected(state).seats:
            return ()
        return self.playable(state, seat, hand)

    def legal_suits(self, state: State, seat: str, hand: Sequence[Card] | None = None) -> tuple[str, ...]:
        """The suits that ``seat`` may name now for the joker it has led; empty when it may not.

        ``hand``: the rest of its hand, where it is known.
        """
        state = own(state)
        if state.phase is not Phase.NAME_SUIT or seat != state.leader:
            return ()
        return self.may_name(state, hand)

    # --- hands --------------------------------------------------------------------------------------------

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

    def _score_hand(self, state: TableState) -> Change:
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
        """Who has won the game."""
        return list(ranking[0])

    # --- events -------------------------------------------------------------------------------------------

    def apply(self, state: State, event: Event) -> Step | Refusal:
        """What comes of an event. Never raises for any event, however impossible."""
        state = own(state)
        handler = self._handlers.get(type(event))
        if handler is None:
            return Refusal("no_such_event", f"{type(event).__name__} is nothing that happens at a table")
        if state.phase is Phase.OVER:
            return Refusal("game_over", "the game is over")
        if hasattr(event, "seat") and (refusal := self._stranger(state, event)):
            return refusal
        changed = handler(state, event)
        if isinstance(changed, Refusal):
            return changed
        return Step(changed[0], tuple(changed[1]))

    def _stranger(self, state: TableState, event: Any) -> Refusal | None:
        seat = event.seat
        if not isinstance(seat, str) or seat not in self.seats:
            return Refusal("no_such_seat", f"nobody called {seat} plays here")
        if seat not in state.players and not isinstance(event, Left | Came):
            return Refusal("not_in_hand", f"{seat} does not play in this hand")
        return None

    def _waits_for(self, state: TableState) -> str:
        """What the table waits for, in words."""
        expected = self.expected(state)
        default = expected.default
        return {
            Phase.DEAL: f"{state.dealer} is to deal {state.cards} each and rap",
            Phase.TURN_UP: f"{state.dealer} is to lay the turned-up card on the mark",
            Phase.PASS_CARDS: "everybody is to pass the cards on and rap",
            Phase.AUCTION: f"it is {default}'s turn to bid",
            Phase.BID: f"{default} is to bid" if expected.must else "the bidding is not over",
            Phase.SECRET_BID: "everybody is to bid at once",
            Phase.LEAD: f"{default} is to lead" if expected.must else "the lead is open",
            Phase.NAME_SUIT: f"{default} is to name the joker's suit",
            Phase.FOLLOW: f"it is {default}'s turn to play",
            Phase.PICK_UP: f"{default} is to pick up the trick first",
            Phase.OVER: "the game is over",
        }[state.phase]

    def wrong_phase(self, state: TableState, what: str) -> Refusal:
        """The refusal of what can't be now, with what the table waits for."""
        if state.phase in (Phase.DEAL, Phase.TURN_UP):
            return Refusal("not_dealt", f"{what}: {self._waits_for(state)}")
        return Refusal("wrong_phase", f"{what}: {self._waits_for(state)}")

    # Dealing ----------------------------------------------------------------------------------------------

    def _dealt(self, state: TableState, event: Dealt) -> Change | Refusal:
        if state.phase is not Phase.DEAL:
            return Refusal("wrong_phase", f"the cards have been dealt: {self._waits_for(state)}")
        if event.seat != state.dealer:
            return Refusal("not_your_turn", f"{event.seat} does not deal: {self._waits_for(state)}")
        said = [Said("dealt", {"dealer": event.seat})]
        if self.turns_up(state) and state.turned is None:
            return replace(state, phase=Phase.TURN_UP), said
        state, more = self.open_bidding(state)
        return state, said + more

    def _turned_up(self, state: TableState, event: TurnedUp) -> Change | Refusal:
        if not self.turns_up(state):
            return Refusal("wrong_phase", "no card is turned up in this hand")
        if state.phase not in (Phase.DEAL, Phase.TURN_UP):
            return Refusal("wrong_phase", f"the trumps are known: {self._waits_for(state)}")
        if state.turned is not None:
            return Refusal("already_turned", f"the {state.turned.sign} has been turned up already")
        if not isinstance(event.card, Card) or event.card not in self._copies:
            return no_such_card(event.card)
        trump = self.trump_turned(event.card)
        if isinstance(trump, Refusal):
            return trump
        turned = replace(state, turned=event.card, trump=trump)
        said = [Said("trump", {"suit": trump, "card": str(event.card)})]
        if state.phase is Phase.DEAL:
            return turned, said
        turned, more = self.open_bidding(turned)
        return turned, said + more

    def open_bidding(self, state: TableState) -> Change:
        """All is dealt: cards are handed on, or the bidding begins, or the play where there is none."""
        if self.cards_to_pass(state):
            return replace(state, phase=Phase.PASS_CARDS, raps=frozenset()), []
        phase = self.bid_phase(state)
        if phase is Phase.LEAD:
            return self.close_bidding(replace(state, bids=self.bids_by_rule(state)))
        return replace(state, phase=phase, raps=frozenset()), []

    def _pass_cards(self, state: TableState, **more: Any) -> Change:
        said = [Said("cards_passed", {"cards": self.cards_to_pass(state), "to": "left", **more})]
        state, opened = self.open_bidding(replace(state, card_passes=state.card_passes + 1, calls=()))
        return state, said + opened

    def _cards_passed(self, state: TableState, event: CardsPassed) -> Change | Refusal:
        if state.phase is not Phase.PASS_CARDS:
            return self.wrong_phase(state, "no cards are passed now")
        return self._pass_cards(state)

    # Bidding ----------------------------------------------------------------------------------------------

    def _rapped(self, state: TableState, event: Rapped) -> Change | Refusal:
        seat = event.seat
        expected = self.expected(state)
        said = [Said("rap", {"seat": seat})]
        if state.phase in (Phase.DEAL, Phase.TURN_UP):
            return Refusal("not_dealt", f"{seat}'s rap means nothing yet: {self._waits_for(state)}")
        gathers = state.phase in (Phase.PASS_CARDS, Phase.SECRET_BID)
        if not gathers and not (self.free and state.phase in (Phase.BID, Phase.LEAD)):
            return Refusal("wrong_phase", f"{seat}'s rap means nothing here: {self._waits_for(state)}")
        if seat in state.raps:
            return Refusal("already_rapped", f"{seat} has rapped already")
        if seat not in expected.seats:
            return Refusal("not_your_turn", f"{seat}'s rap means nothing here: {self._waits_for(state)}")
        if not gathers and expected.must:
            return Refusal("must_act", f"{seat} can't rap: {self._waits_for(state)}")
        state = replace(state, raps=state.raps | {seat})
        if state.phase is Phase.PASS_CARDS and set(state.players) <= state.raps:
            state, more = self._pass_cards(replace(state, raps=frozenset()), derived=True)
            return state, said + more
        return state, said

    def _bid(self, state: TableState, event: Bid) -> Change | Refusal:
        seat, bid = event.seat, event.bid
        if state.phase is Phase.AUCTION:
            return self.auction_bid(state, event)
        if state.phase is Phase.SECRET_BID:
            return Refusal("wrong_phase", f"{seat} can't bid alone: {self._waits_for(state)}")
        if state.phase is not Phase.BID:
            over = state.phase not in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)
            why = f"the bidding is over, {seat}" if over else f"{seat} can't bid yet"
            return self.wrong_phase(state, why)
        if seat in state.bid_of:
            return Refusal("already_bid", f"{seat} has bid {state.bid_of[seat]} already")
        expected = self.expected(state)
        if seat not in expected.seats:
            return Refusal("not_your_turn", f"{seat} can't bid now: {self._waits_for(state)}")
        if refusal := self._no_bid(state, seat, bid):
            return refusal
        said = [Said("bid", {"seat": seat, "bid": bid})]
        state = replace(state, bids=(*state.bids, (seat, bid)), raps=frozenset(), forced=False)
        if len(state.bids) < len(state.players):
            return state, said
        state, more = self.close_bidding(state)
        return state, said + more

    def _no_bid(self, state: TableState, seat: str, bid: object) -> Refusal | None:
        """Why this can't be bid, whoever's turn it is."""
        values = self.bid_values(state, seat)
        if isinstance(bid, bool) or not isinstance(bid, int | str):
            return Refusal("no_such_bid", f"{seat}: there is no bid {bid}")
        if bid not in values:
            if isinstance(bid, int) and bid > state.cards:
                tricks = "trick" if state.cards == 1 else "tricks"
                return Refusal("too_many", f"{seat} can't bid {bid}: the hand has {state.cards} {tricks}")
            return Refusal("no_such_bid", f"{seat} can't bid {bid} in this hand")
        barred = self._barred(state, seat)
        if barred is not None and number_of(bid) == barred:
            total = f"the bids would add up to {state.cards}"
            return Refusal("forbidden_bid", f"{seat} can't bid {bid}: {total}")
        return None

    def _bids_tied(self, state: TableState, event: BidsTied) -> Change | Refusal:
        expected = self.expected(state)
        if state.phase is not Phase.BID or not expected.free:
            return Refusal("wrong_phase", f"no bids can tie now: {self._waits_for(state)}")
        seats = event.seats
        if not isinstance(seats, tuple) or len(seats) < 2 or not distinct(seats):
            return Refusal("no_tie", "a tie needs bids of two players or more")
        for seat in seats:
            if seat not in expected.seats:
                return Refusal("not_your_turn", f"{seat} may not bid now, so nothing ties with it")
        state = replace(state, raps=frozenset(), forced=True)
        default = self.expected(state).default
        return state, [Said("bids_tied", {"seats": list(seats), "next": default})]

    def _bids_revealed(self, state: TableState, event: BidsRevealed) -> Change | Refusal:
        if state.phase is not Phase.SECRET_BID:
            return self.wrong_phase(state, "no bids are shown at once now")
        if not set(state.players) <= state.raps:
            return Refusal("not_ready", "not everybody has put the fist on the table: all rap first")
        bids = pairs(event.bids)
        if bids is None or set(bids) != set(state.players) or len(bids) != len(event.bids):
            return Refusal("bids_missing", "the bids of all are shown at once: one bid of each player")
        order = self.round_from(self.after(state.dealer, state), state)
        for seat in order:
            if refusal := self._no_bid(state, seat, bids[seat]):
                return refusal
        said = [Said("bids_revealed", {"bids": {seat: bids[seat] for seat in state.players}})]
        said += [Said("bid", {"seat": seat, "bid": bids[seat], "derived": True}) for seat in order]
        state, more = self.close_bidding(replace(state, bids=tuple((seat, bids[seat]) for seat in order)))
        return state, said + more

    def close_bidding(self, state: TableState) -> Change:
        """All have bid: the play begins."""
        bids = state.bid_of
        over = sum(number_of(bid) for bid in bids.values()) - state.cards
        said = Said("bidding_over", {"bids": {seat: bids[seat] for seat in state.players}, "over": over})
        return self._open_lead(state), [said]

    # Playing ----------------------------------------------------------------------------------------------

    def _open_lead(self, state: TableState) -> TableState:
        state = replace(state, phase=Phase.LEAD, trick=Trick(), raps=frozenset(), forced=False, leader=None)
        return state if self.free else replace(state, leader=self._default_leader(state))

    def _no_play(self, state: TableState, seat: str, card: object) -> Refusal | None:
        """Why this card can't be played by this player, whoever's turn it is."""
        if not isinstance(card, Card) or card not in self._copies:
            return no_such_card(card)
        seen = state.seen().count(card)
        if state.turned == card and self.turned_stays_out(state):
            seen += 1
        if seen >= self._copies[card]:
            where = (
                "is the turned-up card" if state.turned == card else "has been played in this hand already"
            )
            return Refusal("card_twice", f"{seat} can't play the {card.sign}: it {where}")
        return self.card_barred(state, seat, card)

    def _played(self, state: TableState, event: Played) -> Change | Refusal:
        seat, card = event.seat, event.card
        if state.phase is Phase.PICK_UP:
            if self.last_trick(state):
                return Refusal("too_many_cards", f"{seat} has played all {state.cards} cards of this hand")
            return Refusal("not_picked_up", f"{seat} can't lead yet: {self._waits_for(state)}")
        if state.phase not in (Phase.LEAD, Phase.FOLLOW):
            return self.wrong_phase(state, f"{seat} can't play a card yet")
        expected = self.expected(state)
        if seat not in expected.seats:
            if any(play.seat == seat for play in state.trick.plays):
                return Refusal("out_of_turn", f"{seat} has played to this trick already")
            return Refusal("out_of_turn", f"{seat} is not next: {self._waits_for(state)}")
        if refusal := self._no_play(state, seat, card):
            return refusal
        leader = state.leader or seat
        order = self.round_from(leader, state)
        plays = sorted((*state.trick.plays, Play(seat, card)), key=lambda play: order.index(play.seat))
        # A card put in the place of the lead leaves its suit to be named anew.
        named = None if seat == leader else state.trick.named
        state = replace(state, leader=leader, raps=frozenset(), trick=Trick(tuple(plays), named=named))
        said = [Said("card_played", {"seat": seat, "card": str(card)})]
        said += self._fresh_revokes(state, seat)
        if seat == leader and self.names_suit(state, Play(seat, card)):
            return replace(state, phase=Phase.NAME_SUIT), said
        state, more = self._go_on(state)
        return state, said + more

    def _fresh_revokes(self, state: TableState, seat: str) -> list[Said]:
        """The revokes that the card just played by ``seat`` proves."""
        now = len(state.tricks) + 1
        return [said_revoke(one) for one in self.proved(state, seat) if one.proved_in == now]

    def _go_on(self, state: TableState) -> Change:
        """After a card: the next player's turn, or the trick is won."""
        if self._turn(state) is not None:
            return replace(state, phase=Phase.FOLLOW), []
        plays = state.trick.plays
        winner = winning(plays, self.led(state), state.trump, joker=self.joker_wins(state, plays))
        state = replace(state, phase=Phase.PICK_UP, trick=replace(state.trick, winner=winner))
        number = len(state.tricks) + 1
        cards = [play.line() for play in plays]
        return state, [Said("trick_won", {"trick": number, "seat": winner, "cards": cards})]

    def _taken_back(self, state: TableState, event: TakenBack) -> Change | Refusal:
        seat, card = event.seat, event.card
        play = Play(seat, card)
        if play not in state.trick.plays:
            return Refusal("not_there", f"{seat} has no {sign(card)} in this trick to take back")
        rest = tuple(one for one in state.trick.plays if one != play)
        # Says that it was a card of the trick: one that had to go back anyway was never played.
        said = [Said("card_taken_back", {**play.line(), "played": True})]
        if not rest:
            # A tie without a kept card still binds the default leader; otherwise a free lead is free again.
            leader = None if self.free else state.leader
            return replace(state, phase=Phase.LEAD, trick=Trick(), leader=leader, raps=frozenset()), said
        if all(one.seat != state.leader for one in rest):
            # The lead is missing under the others' cards: its player fills the hole.
            return replace(state, phase=Phase.LEAD, trick=Trick(rest)), said
        phase = Phase.NAME_SUIT if state.phase is Phase.NAME_SUIT else Phase.FOLLOW
        return replace(state, phase=phase, trick=Trick(rest, named=state.trick.named)), said

    def _leads_tied(self, state: TableState, event: LeadsTied) -> Change | Refusal:
        expected = self.expected(state)
        if state.phase is not Phase.LEAD or not expected.free:
            return Refusal("wrong_phase", f"no leads can tie now: {self._waits_for(state)}")
        kept, back = event.kept, event.taken_back
        if not isinstance(back, tuple) or not (kept is None or isinstance(kept, Play)):
            return Refusal("no_tie", "a tie needs leads of two players or more")
        plays = (*((kept,) if kept else ()), *back)
        if len(plays) < 2 or not all(isinstance(play, Play) for play in plays):
            return Refusal("no_tie", "a tie needs leads of two players or more")
        if not distinct([play.seat for play in plays]) or not distinct([play.card for play in plays]):
            return Refusal("no_tie", "tied leads are different cards of different players")
        for play in plays:
            if play.seat not in expected.seats:
                return Refusal("not_your_turn", f"{play.seat} may not lead now, so nothing ties with it")
            if refusal := self._no_play(state, play.seat, play.card):
                return refusal
        if kept is not None and not self.options.get("mark", True):
            return Refusal("no_mark", "without the mark all tied cards are taken back")
        next_seat = self.after(kept.seat, state) if kept else expected.default
        fields = {
            "kept": kept.line() if kept else None,
            "taken_back": [play.line() for play in back],
            "next": next_seat,
        }
        # The kept card's own `Played` follows; until then nobody else leads.
        return replace(state, raps=frozenset(), leader=kept.seat if kept else None, forced=kept is None), [
            Said("leads_tied", fields)
        ]

    def _suit_named(self, state: TableState, event: SuitNamed) -> Change | Refusal:
        seat, suit = event.seat, event.suit
        if state.phase is not Phase.NAME_SUIT:
            return self.wrong_phase(state, "there is no suit to be named")
        if seat != state.leader:
            return Refusal("not_your_turn", f"{seat} can't name the suit: {self._waits_for(state)}")
        if suit not in SUITS:
            return Refusal("no_such_suit", f"{seat}'s joker stands for a suit, not for {suit}")
        state = replace(state, trick=replace(state.trick, named=suit))
        said = [Said("joker_named", {"seat": seat, "suit": suit}), *self._fresh_revokes(state, seat)]
        state, more = self._go_on(state)
        return state, said + more

    def _trick_taken(self, state: TableState, event: TrickTaken) -> Change | Refusal:
        if state.phase is not Phase.PICK_UP:
            return self.wrong_phase(state, "there is no trick to pick up")
        said = [Said("trick_taken", {"seat": event.seat})]
        if self.last_trick(state):
            state, more = self._score_hand(state)
            return state, said + more
        return self._open_lead(replace(state, tricks=(*state.tricks, state.trick))), said

    # Leaving the usual way --------------------------------------------------------------------------------

    def redeal(self, state: TableState, why: str, **more: Any) -> Change:
        """The hand is thrown in and dealt again by the same dealer."""
        state, said = self._deal_anew(state)
        return state, [Said("thrown_in", {"why": why, **more}), *said]

    def _thrown_in(self, state: TableState, event: ThrownIn) -> Change | Refusal:
        return self.redeal(state, str(event.why))

    def _left(self, state: TableState, event: Left) -> Change | Refusal:
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

    def _came(self, state: TableState, event: Came) -> Change | Refusal:
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

    def _ended(self, state: TableState, event: Ended) -> Change | Refusal:
        return self._game_over(state, ended=True)


# --- functions ----------------------------------------------------------------------------------------------


def own(state: State) -> TableState:
    """The state as the core made it."""
    assert isinstance(state, TableState)
    return state


def number_of(bid: BidValue) -> int:
    """The tricks that a bid of the play stands for; a double nil counts 0."""
    return bid if isinstance(bid, int) else 0


def ranked(seats: Sequence[str], key: Callable[[str], Any]) -> list[list[str]]:
    """``seats`` by a key, the highest first, equal ones together in the given order."""
    values = {seat: key(seat) for seat in seats}
    return [
        [seat for seat in seats if values[seat] == value]
        for value in sorted(set(values.values()), reverse=True)
    ]


def said_revoke(revoke: Revoke) -> Said:
    """The journal's line of a revoke."""
    fields = {
        "seat": revoke.seat,
        "card": str(revoke.card),
        "trick": revoke.trick,
        "proved_by": str(revoke.proved_by),
    }
    return Said("revoke", fields)


def distinct(values: Sequence[object]) -> bool:
    """Whether no value comes twice (values of any kind)."""
    return all(value not in values[:at] for at, value in enumerate(values))


def pairs(bids: object) -> dict[str, BidValue] | None:
    """Bids by seat, or None for something else."""
    if not isinstance(bids, tuple):
        return None
    found: dict[str, BidValue] = {}
    for pair in bids:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            return None
        found[pair[0]] = pair[1]
    return found


def sign(card: object) -> str:
    """A card as people write it, whatever was given."""
    return card.sign if isinstance(card, Card) else str(card)


def no_such_card(card: object) -> Refusal:
    """The refusal of a card that is not in the pack."""
    return Refusal("no_such_card", f"the {sign(card)} is not in the pack that is played with")
