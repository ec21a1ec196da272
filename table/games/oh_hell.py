"""Oh Hell (Bidding Whist): a turned card makes trumps, the dealer bids last and is hooked; 10 + n for an exact bid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from table.cards import JOKER, NO_TRUMP, Card, pack
from table.events.happenings import BidValue
from table.events.kind import Play
from table.games.accounts import page
from table.games.base import HandResult, Option, Phase, Refusal, State, Tally
from table.games.core import TrickGame
from table.games.options import (
    FIRST_DEALER,
    HANDS,
    check_sizes,
    down_up,
    left_out_or,
    off_or,
    one_of,
    truth,
    whole,
)
from table.games.state import TableState, number_of, own

PROGRESSION = ("C", "D", "H", "S", NO_TRUMP)
"""Progressive trumps, one step a hand."""
MADE_ALL = 10
MOST_FAULTS = 20
"""Catastrophe: who has as many is out."""
SUDDEN_DEATH = 3
"""The cards of the hand that decides a tie."""
USUAL_START = 10
MOST_WITH_TWO_PACKS = 14


def bonus(value: Any) -> Any:
    """True (the usual 10 points), false, or a number of points."""
    return value if isinstance(value, bool) else whole(0)(value)


class OhHell(TrickGame):
    """The rules of one game of Oh Hell."""

    name: ClassVar[str] = "oh-hell"
    title: ClassVar[str] = "Oh Hell"
    seat_range: ClassVar[tuple[int, int]] = (3, 7)
    options_offered: ClassVar[tuple[Option, ...]] = (
        HANDS,
        FIRST_DEALER,
        Option("shape", "down-up, down or up-down", "down-up", "how the hands change their size"),
        Option("start", "a number of cards", None, "the largest hand: 10, or what the pack allows"),
        Option(
            "scoring",
            "standard, harsh, quick or catastrophe",
            "standard",
            "a miss: 0; harsh: -10 a trick off; quick: -10 a trick short, 15 for zero; catastrophe: 20 faults",
        ),
        Option(
            "made_all_bonus",
            "true (10 points), false or a number",
            False,
            "for bidding and making every trick",
        ),
        Option(
            "hook", "true or false", True, "the dealer may not make the sum equal the tricks; false: Screw-Up"
        ),
        Option(
            "trump",
            "turned or progressive",
            "turned",
            "a turned card, or clubs diamonds hearts spades none in turn",
        ),
        Option(
            "no_trump_every",
            "a number, or 0 for none",
            None,
            "hands whose size is a multiple of it have no trumps",
        ),
        Option("joker", "true or false", False, "a joker is the highest trump"),
        Option("exchange", "0, 1 or 2", 0, "cards handed to the left before the bidding"),
        Option("forehead", "true or false", False, "hands of one card are held to the forehead"),
        Option("nullo", "true or false", False, "every bid is 0, without bidding; most made hands win"),
        Option("packs", "1 or 2", 1, "packs shuffled together; eight and more players need 2"),
    )
    checks: ClassVar = {
        "shape": one_of("down-up", "down", "up-down"),
        "start": left_out_or(whole(1)),
        "scoring": one_of("standard", "harsh", "quick", "catastrophe"),
        "made_all_bonus": bonus,
        "hook": truth,
        "trump": one_of("turned", "progressive"),
        "no_trump_every": off_or(whole(1)),
        "joker": truth,
        "exchange": one_of(0, 1, 2),
        "forehead": truth,
        "nullo": truth,
        "packs": one_of(1, 2),
    }

    @classmethod
    def seats_allowed(cls, given: Mapping[str, Any]) -> tuple[int, int]:
        """Eight and more play with two packs."""
        return (3, MOST_WITH_TWO_PACKS) if given.get("packs") == 2 else cls.seat_range

    def settle_options(self) -> None:
        """The largest hand by pack and players; the list of hands by shape."""
        options = self.options
        most = self.room // len(self.seats)
        start = options["start"]
        if start is None:
            start = min(USUAL_START, most)
        hands = options["hands"]
        if hands is not None:
            check_sizes("oh-hell", hands, len(self.seats), self.room)
        else:
            check_sizes("oh-hell", [start], len(self.seats), self.room, option="start")
            hands = {
                "down-up": list(down_up(start)),
                "down": list(range(start, 0, -1)),
                "up-down": [*range(1, start + 1), *range(start - 1, 0, -1)],
            }[options["shape"]]
        self.options = {**options, "start": start, "hands": hands}

    @property
    def room(self) -> int:
        """The cards that may be dealt: one, and a joker turned before it, must be left to turn up."""
        cards = 52 * int(self.options["packs"]) + int(self.options["joker"])
        if self.options["trump"] == "progressive":
            return cards
        return cards - 1 - int(self.options["joker"])

    def make_pack(self) -> tuple[Card, ...]:
        """One or two packs of 52, and one joker if it is played with."""
        joker = (JOKER,) if self.options["joker"] else ()
        return (*pack(packs=self.options["packs"]), *joker)

    def size_of(self, state: TableState, number: int) -> int | None:
        """The list's ``number``-th hand."""
        hands: list[int] = self.options["hands"]
        return hands[number - 1] if number <= len(hands) else None

    # Trumps -----------------------------------------------------------------------------------------------

    def trump_of(self, state: TableState) -> str | None:
        """No trumps by the hand's size, else the next of the progression; None where a card is turned."""
        every = self.options["no_trump_every"]
        if every is not None and state.cards % every == 0:
            return NO_TRUMP
        if self.options["trump"] == "progressive":
            return PROGRESSION[(state.hand - 1) % len(PROGRESSION)]
        return None

    def turns_up(self, state: TableState) -> bool:
        """A card is turned up unless the trumps are fixed."""
        return self.trump_of(state) is None

    def trump_turned(self, card: Card) -> str | Refusal:
        """The suit of the turned card; a joker is turned again."""
        if card.suit is None:
            return Refusal("turn_another", "the Joker makes no trumps: turn another card")
        return card.suit

    def names_suit(self, state: TableState, lead: Play) -> bool:
        """A joker led at no trumps names its suit; in a trump hand it is of the trump suit."""
        return lead.card.is_joker and state.trump == NO_TRUMP

    def joker_wins(self, state: TableState, plays: Sequence[Play]) -> int | None:
        """At no trumps a joker always wins."""
        if state.trump != NO_TRUMP:
            return None
        return next((at for at, play in enumerate(plays) if play.card.is_joker), None)

    # Before the play --------------------------------------------------------------------------------------

    def cards_to_pass(self, state: State) -> int:
        """The exchange, once a hand; there is none when nobody may look at the card."""
        if own(state).card_passes or self.on_forehead(state):
            return 0
        return min(int(self.options["exchange"]), state.cards)

    def bid_phase(self, state: TableState) -> Phase:
        """Nullo has no bidding."""
        return Phase.LEAD if self.options["nullo"] else Phase.BID

    def bids_by_rule(self, state: TableState) -> tuple[tuple[str, BidValue], ...]:
        """Nullo: everybody bids 0."""
        return tuple((seat, 0) for seat in state.players)

    def hooked(self, state: TableState) -> bool:
        """The dealer, who bids last, is hooked unless it is Screw-Up."""
        return bool(self.options["hook"])

    def on_forehead(self, state: State) -> bool:
        """Every hand of one card, if so agreed."""
        return bool(self.options["forehead"]) and own(state).cards == 1

    # Scores -----------------------------------------------------------------------------------------------

    def points(self, state: TableState) -> dict[str, int]:
        """By the scoring agreed."""
        bids = state.bid_of
        return {
            seat: self.points_for(number_of(bids[seat]), state.won(seat), state.cards)
            for seat in state.players
        }

    def points_for(self, bid: int, tricks: int, cards: int) -> int:
        """The points for ``tricks`` won on a ``bid`` in a hand of ``cards``."""
        scoring = self.options["scoring"]
        if bid == tricks:
            made = 15 if bid == 0 and scoring == "quick" else 10 + bid
            return made + (self._made_all if bid == cards else 0)
        if scoring == "harsh":
            return -10 * abs(bid - tricks)
        if scoring == "quick":
            return -10 * max(bid - tricks, 0)
        return 0

    @property
    def _made_all(self) -> int:
        agreed = self.options["made_all_bonus"]
        return MADE_ALL if agreed is True else int(agreed)

    def extra_score(self, state: TableState, result: HandResult) -> dict[str, Any]:
        """Under catastrophe scoring the faults so far."""
        return {"faults": self.faults(state)} if self.options["scoring"] == "catastrophe" else {}

    def faults(self, state: State) -> dict[str, int]:
        """Catastrophe: how far off each seat's bids have been in all."""
        found = dict.fromkeys(self.seats, 0)
        for result in state.results:
            if not result.play_off:
                for seat, bid in result.bids.items():
                    found[seat] += abs(number_of(bid) - result.tricks[seat])
        return found

    def tally(self, state: State) -> Tally | None:
        """Catastrophe: the faults, and how many put a player out."""
        if self.options["scoring"] != "catastrophe":
            return None
        return Tally("faults", self.faults(state), MOST_FAULTS)

    def living(self, state: TableState) -> tuple[str, ...]:
        """Catastrophe: who has too many faults plays no more."""
        if self.options["scoring"] != "catastrophe":
            return self.seats
        faults = self.faults(state)
        return tuple(seat for seat in self.seats if faults[seat] < MOST_FAULTS)

    def finished(self, state: TableState) -> bool:
        """Catastrophe: one left, or none, ends the game."""
        return len(self.living(state)) < 2

    # The end ----------------------------------------------------------------------------------------------

    def ranking(self, state: TableState) -> list[list[str]]:
        """By points (nullo: by made hands); catastrophe: who is out or has left last, who went earlier lower."""
        goes_out = self.options["scoring"] == "catastrophe"

        def key(seat: str) -> tuple[Any, ...]:
            counts = self.made(state, seat) if self.options["nullo"] else state.totals[seat]
            lasted = self.lasted(state, seat) if goes_out else ()
            return (lasted, counts, self._decided(state, seat))

        return self.ranked(key)

    def made(self, state: State, seat: str) -> int:
        """The counting hands in which a seat made its bid."""
        return sum(
            number_of(result.bids[seat]) == result.tricks[seat]
            for result in state.results
            if seat in result.bids and not result.play_off
        )

    def _decided(self, state: State, seat: str) -> tuple[int, ...]:
        if not self.options["nullo"]:
            return self.play_off_points(state, seat)
        return tuple(
            int(result.tricks[seat] == 0)
            for result in state.results
            if result.play_off and seat in result.bids
        )

    def ties_to_play(self, state: TableState) -> tuple[tuple[str, ...], ...]:
        """A tie for the first place is decided by sudden death among the tied alone."""
        first = self.ranking(state)[0]
        return (tuple(first),) if len(first) > 1 else ()

    def play_off_size(self, state: TableState) -> int:
        """Sudden death is a hand of three cards."""
        return SUDDEN_DEATH

    def account(self) -> str:
        """The rules as played with these options, a page of plain text."""
        options = self.options
        packs = "two packs of 52 cards" if options["packs"] == 2 else "52 cards"
        joker = " and a joker" if options["joker"] else ""
        rows = [
            f"Oh Hell (Bidding Whist), {len(self.seats)} players, {packs}{joker}, aces high.",
            "",
            f"Hands of {', '.join(map(str, options['hands']))} cards.",
            f"{options['first_dealer']} deals first, then the player to the left. The dealer raps when all is",
            "dealt.",
            "",
        ]
        every, progressive = options["no_trump_every"], options["trump"] == "progressive"
        sizes = {*options["hands"], SUDDEN_DEATH}
        trumps = any(every is None or size % every for size in sizes)
        no_trumps = progressive or any(every is not None and size % every == 0 for size in sizes)
        if not trumps:
            rows += ["There are no trumps."]
        elif progressive:
            rows += ["Trumps: hand by hand clubs, diamonds, hearts, spades, no trumps, and again."]
        else:
            rows += [
                "Trumps: the dealer lays the next card of the stock on the mark; its suit is trumps. It is taken off",
                "the",
                "mark before the first lead and takes no part in the play.",
            ]
        if trumps and every is not None:
            rows += [f"Hands whose size is a multiple of {every} have no trumps."]
        if options["joker"] and trumps:
            rows += ["The joker is the highest trump."]
            if not progressive:
                rows += ["A turned joker is turned again."]
        if options["joker"] and no_trumps:
            rows += [
                "Without trumps the joker is of no suit: it does not follow, so who can follow may not play it. It",
                "always wins then; who leads it names its suit.",
            ]
        if options["packs"] == 2:
            rows += ["Of two equal cards in a trick the first wins."]
        if options["exchange"] or options["forehead"]:
            rows += [""]
        if options["exchange"]:
            cards = "a card" if options["exchange"] == 1 else "two cards"
            rows += [f"Before the bidding everybody hands {cards} to the left and raps."]
        if options["forehead"]:
            rows += ["Hands of one card: nobody looks at the own card; all hold it to the forehead."]
        rows += [""]
        if options["nullo"]:
            rows += ["Nullo: there is no bidding; everybody is to win no trick at all."]
        else:
            rows += [
                "Bidding, from the dealer's left to the dealer: how many tricks you will win, from 0 to all."
            ]
            if options["hook"]:
                rows += ["The dealer may not make the sum of the bids equal to the number of tricks."]
        rows += [
            "",
            "Play. The player to the dealer's left leads; then the winner of each trick. Follow suit if you can;",
            "if not,",
            "play any card. The highest trump wins, else the highest card of the suit led.",
            "A card that proves an earlier failure to follow suit is announced; there is no other penalty.",
            "",
            *self._account_of_scores(),
            "",
        ]
        return page(rows)

    def _account_of_scores(self) -> list[str]:
        options = self.options
        rows = {
            "standard": ["Score: 10 and 1 a trick for winning exactly the tricks bid, otherwise 0."],
            "harsh": ["Score: 10 and 1 a trick for winning exactly the tricks bid; -10 for each trick off."],
            "quick": [
                "Score: 10 and 1 a trick for winning exactly the tricks bid, 15 for zero; -10 for each trick",
                "short,",
                "0 for too many.",
            ],
            "catastrophe": [
                "Score: 10 and 1 a trick for winning exactly the tricks bid, otherwise 0; and each trick off is a",
                "fault.",
                f"Who has {MOST_FAULTS} faults is out.",
            ],
        }[options["scoring"]]
        if self._made_all:
            rows += [f"Bidding and winning every trick of a hand: {self._made_all} points more."]
        best = "Most made hands win" if options["nullo"] else "The highest score wins"
        if options["scoring"] == "catastrophe":
            best += ", of those who are not out"
        rows += [
            f"{best}. A tie for the first place is decided by hands of {SUDDEN_DEATH} cards among the tied alone,",
            "whose points are not added to the totals.",
        ]
        return rows
