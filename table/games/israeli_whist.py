"""Israeli Whist: an auction for the trumps, then bids by the others; exact bids score, thirteen cards each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from table.cards import NO_TRUMP, SUIT_SIGNS
from table.events.happenings import Bid, BidValue, Passed
from table.events.kind import Said
from table.games.accounts import page
from table.games.base import Option, Phase, Refusal, State
from table.games.core import TrickGame
from table.games.options import FIRST_DEALER, HANDS, check_sizes, left_out_or, one_of, whole
from table.games.state import Change, TableState, number_of, own

DENOMINATIONS = ("C", "D", "H", "S", NO_TRUMP)
"""From low to high, as at bridge."""
LOWEST = 5
CARDS = 13
PASSED_ON = 3
"""Gulash: cards that each player hands to the left."""
PASS = "pass"
PROPOSED_TARGET = 300


def gulash(value: Any) -> str:
    """``off`` may be written as false."""
    return str(one_of("off", "plain", "rising")("off" if value is False else value))


class IsraeliWhist(TrickGame):
    """The rules of one game of Israeli Whist."""

    name: ClassVar[str] = "israeli-whist"
    title: ClassVar[str] = "Israeli Whist"
    seat_range: ClassVar[tuple[int, int]] = (4, 4)
    proposed: ClassVar = {"target": PROPOSED_TARGET}
    # The auction begins at five tricks.
    short: ClassVar[tuple[int, ...]] = (CARDS,)
    options_offered: ClassVar[tuple[Option, ...]] = (
        HANDS,
        FIRST_DEALER,
        Option(
            "target",
            f"a number of points such as {PROPOSED_TARGET}",
            None,
            f"who reaches it ends the game; to be agreed, {PROPOSED_TARGET} is proposed",
        ),
        Option(
            "gulash",
            "off, plain or rising",
            "off",
            "all pass: three cards to the left and a new auction; rising: from 6, 7, 8",
        ),
        Option("scoring", "standard or elhanani", "standard", "10 and the square, or Yoni Elhanani's"),
    )
    checks: ClassVar = {
        "target": left_out_or(whole(1)),
        "gulash": gulash,
        "scoring": one_of("standard", "elhanani"),
    }

    def settle_options(self) -> None:
        """A target must be agreed, unless a list of hands ends the game."""
        hands = self.options["hands"]
        check_sizes("israeli-whist", hands or [], len(self.seats), 52)
        if hands is None and self.options["target"] is None:
            raise ValueError(
                "israeli-whist: option target: it has to be agreed on "
                f"(expected a number of points such as {PROPOSED_TARGET})"
            )

    # The end of the game ----------------------------------------------------------------------------------

    def size_of(self, state: TableState, number: int) -> int | None:
        """Thirteen cards, or the list's ``number``-th hand; after it further hands while the first are tied."""
        hands: list[int] | None = self.options["hands"]
        if hands is None:
            return CARDS
        if number <= len(hands):
            return hands[number - 1]
        return hands[-1] if self._tied(state) else None

    def finished(self, state: TableState) -> bool:
        """Somebody has reached the target, and one player alone is the highest."""
        goal = self.options["target"]
        reached = goal is not None and any(
            total >= goal for result in state.results for total in result.totals.values()
        )
        return reached and not self._tied(state)

    def _tied(self, state: TableState) -> bool:
        return len(self.ranking(state)[0]) > 1

    # The auction ------------------------------------------------------------------------------------------

    def bid_phase(self, state: TableState) -> Phase:
        """First the auction; the three other bids follow it."""
        return Phase.AUCTION

    def bid_values(self, state: TableState, seat: str) -> tuple[BidValue, ...]:
        """In the auction all that outranks the last bid, from low to high; then numbers from zero upwards."""
        if state.phase is not Phase.AUCTION:
            return tuple(range(state.cards + 1))
        values = [
            f"{number}{suit}"
            for number in range(self.lowest(state), state.cards + 1)
            for suit in DENOMINATIONS
        ]
        last = last_bid(state.calls)
        if last is not None:
            above = rank(last[1])
            values = [value for value in values if rank(value) > above]
        return tuple(values)

    def lowest(self, state: TableState) -> int:
        """The lowest number in the auction: 5, after each pass of cards one more if rising; never above the cards."""
        rising = state.card_passes if self.options["gulash"] == "rising" else 0
        return min(LOWEST + rising, state.cards)

    def auction_bid(self, state: TableState, event: Bid) -> Change | Refusal:
        """A bid in the auction."""
        seat, bid = event.seat, event.bid
        if seat != self.auction_turn(state):
            return Refusal("not_your_turn", f"{seat} can't bid now: it is {self.auction_turn(state)}'s turn")
        if not isinstance(bid, str) or bid not in self.bid_values(state, seat):
            return self._no_auction_bid(state, seat, bid)
        return replace(state, calls=(*state.calls, (seat, bid))), [Said("bid", {"seat": seat, "bid": bid})]

    def _no_auction_bid(self, state: TableState, seat: str, bid: object) -> Refusal:
        last = last_bid(state.calls)
        lowest = self.lowest(state)
        every = [f"{number}{suit}" for number in range(1, state.cards + 1) for suit in DENOMINATIONS]
        if not isinstance(bid, str) or bid not in every:
            return Refusal(
                "no_such_bid",
                f"{seat}: the auction has no bid {bid} (bids are such as {lowest}C or {lowest}NT)",
            )
        if last is not None and rank(bid) <= rank(last[1]):
            return Refusal(
                "too_low", f"{seat} can't bid {spoken(bid)}: it is not above {last[0]}'s {spoken(last[1])}"
            )
        return Refusal("too_low", f"{seat} can't bid {spoken(bid)}: the auction starts from {lowest}")

    def passed(self, state: TableState, event: Passed) -> Change | Refusal:
        """A pass; four in a row end the auction."""
        if state.phase is not Phase.AUCTION:
            return self.wrong_phase(state, f"{event.seat} can't pass")
        turn = self.auction_turn(state)
        if event.seat != turn:
            return Refusal("not_your_turn", f"{event.seat} can't pass now: it is {turn}'s turn")
        state = replace(state, calls=(*state.calls, (event.seat, PASS)))
        said = [Said("pass", {"seat": event.seat})]
        passes = len(state.players)
        if len(state.calls) < passes or any(call != PASS for _, call in state.calls[-passes:]):
            return state, said
        last = last_bid(state.calls)
        state, more = self._declare(state, *last) if last else self._passed_out(state)
        return state, said + more

    def _declare(self, state: TableState, seat: str, bid: str) -> Change:
        number, suit = split(bid)
        state = replace(state, phase=Phase.BID, declarer=seat, trump=suit, bids=((seat, number),))
        return state, [Said("trump", {"suit": suit, "card": None})]

    def _passed_out(self, state: TableState) -> Change:
        if self.cards_to_pass(state):
            return replace(state, phase=Phase.PASS_CARDS, raps=frozenset()), []
        return self.redeal(state, "all passed", derived=True)

    def cards_to_pass(self, state: State) -> int:
        """Gulash, once all have passed: three cards, at most twice (plain) or three times (rising)."""
        state = own(state)
        passed_out = bool(state.calls) and last_bid(state.calls) is None
        most = {"off": 0, "plain": 2, "rising": 3}[self.options["gulash"]]
        if not passed_out or len(state.calls) < len(state.players) or state.card_passes >= most:
            return 0
        return min(PASSED_ON, state.cards)

    # The other bids, the play -----------------------------------------------------------------------------

    def bidders(self, state: TableState) -> tuple[str, ...]:
        """From declarer's left; declarer's right-hand neighbour is the last and hooked."""
        assert state.declarer is not None
        return self.round_from(self.after(state.declarer, state), state)

    def first_leader(self, state: TableState) -> str:
        """The declarer leads."""
        assert state.declarer is not None
        return state.declarer

    # Scores -----------------------------------------------------------------------------------------------

    def points(self, state: TableState) -> dict[str, int]:
        """By the scoring agreed; by Elhanani's nobody scores when all fail."""
        bids = {seat: number_of(bid) for seat, bid in state.bids}
        won = {seat: state.won(seat) for seat in state.players}
        over = sum(bids.values()) > state.cards
        if self.options["scoring"] == "standard":
            return {seat: standard_points(bids[seat], won[seat], over=over) for seat in state.players}
        if all(bids[seat] != won[seat] for seat in state.players):
            return dict.fromkeys(state.players, 0)
        return {seat: elhanani_points(bids[seat], won[seat], over=over) for seat in state.players}

    def account(self) -> str:
        """The rules as played with these options, a page of plain text."""
        options = self.options
        if options["hands"] is None:
            rows = ["Israeli Whist, 4 players, 52 cards, 13 each, aces high.", ""]
        else:
            listed = ", ".join(map(str, options["hands"]))
            rows = [f"Israeli Whist, 4 players, 52 cards, aces high, hands of {listed} cards.", ""]
        rows += [
            f"{options['first_dealer']} deals first, then the player to the left. The dealer raps when all is",
            "dealt.",
            "",
            f"The auction, from the dealer: pass, or bid a number of tricks from {LOWEST} and a suit or no",
            "trumps, higher",
            "than the last bid: more tricks, or as many in a higher denomination (clubs, diamonds, hearts,",
            "spades, no",
            "trumps). Who has passed may bid later. Four passes in a row end it; the last bidder is the",
            "declarer, the",
            "last bid is declarer's number of tricks and makes the trumps.",
        ]
        rows += {
            "off": ["If all four pass at once, the same dealer deals again."],
            "plain": [
                "If all four pass at once: gulash. Everybody hands three cards to the left, chosen before looking at",
                "the",
                "received ones, and raps; then there is another auction. After the third without a bid the same",
                "dealer",
                "deals again.",
            ],
            "rising": [
                "If all four pass at once: gulash. Everybody hands three cards to the left, chosen before looking at",
                "the",
                "received ones, and raps; then there is another auction, from 6, then from 7, then from 8. After",
                "that",
                "the same dealer deals again.",
            ],
        }[options["gulash"]]
        rows += [
            "",
            "Then the others, from declarer's left, say how many tricks they will win, from zero upwards. The",
            "last may not",
            "make the sum of all four equal to the number of tricks. Above it the hand is over, below it under.",
            "",
            "Play. The declarer leads; then the winner of each trick. Follow suit if you can; if not, play any",
            "card. The",
            "highest trump wins, else the highest card of the suit led.",
            "A card that proves an earlier failure to follow suit is announced; there is no other penalty.",
            "",
        ]
        if options["scoring"] == "standard":
            rows += [
                "Score: for winning exactly the tricks bid 10 and the square of their number; for each trick off",
                "-10.",
                "Zero made: 30 when over, 50 when under. Zero failed: -50 for the first trick and 10 for each",
                "further one.",
            ]
        else:
            rows += [
                "Score (Yoni Elhanani): for winning exactly the tricks bid the square of their number; for each",
                "trick off",
                "-5. Zero made: 25 when over, 50 when under; failed: -25 and -5 for each trick. If all fail nobody",
                "scores.",
            ]
        goal = options["target"]
        if goal is not None:
            rows += [f"When somebody has {goal} points the game ends and the highest total wins."]
        if options["hands"] is not None:
            rows += ["After the last of the hands the highest total wins."]
        rows += [
            "A tie for the first place: further hands are played until one player alone is the highest.",
            "",
        ]
        return page(rows)


def last_bid(calls: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """The last call of an auction that was no pass."""
    return next((call for call in reversed(calls) if call[1] != PASS), None)


def split(bid: str) -> tuple[int, str]:
    """``"10NT"`` -> ``(10, "NT")``."""
    suit = NO_TRUMP if bid.endswith(NO_TRUMP) else bid[-1:]
    return int(bid.removesuffix(suit)), suit


def rank(bid: str) -> tuple[int, int]:
    """What an auction bid is compared by."""
    number, suit = split(bid)
    return number, DENOMINATIONS.index(suit)


def spoken(bid: str) -> str:
    """``"6C"`` -> ``"6♣"``."""
    number, suit = split(bid)
    return f"{number}{'' if len(suit) == 1 else ' '}{SUIT_SIGNS[suit]}"


def standard_points(bid: int, tricks: int, *, over: bool) -> int:
    """The source's scoring; a failed zero is not capped."""
    if bid == 0:
        if tricks == 0:
            return 30 if over else 50
        return -50 + 10 * (tricks - 1)
    return 10 + bid * bid if bid == tricks else -10 * abs(bid - tricks)


def elhanani_points(bid: int, tricks: int, *, over: bool) -> int:
    """Yoni Elhanani's scoring, when somebody made the bid."""
    if bid == 0:
        if tricks == 0:
            return 25 if over else 50
        return -25 - 5 * tricks
    return bid * bid if bid == tricks else -5 * abs(bid - tricks)
