"""Oh Shit: all bid at once with their fists; an ace or the joker turned means no trumps; a revoke costs points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from table.cards import JOKER, NO_TRUMP, SUITS, Card, pack
from table.events.kind import Play
from table.games.accounts import page
from table.games.base import HandResult, Option, Phase, Refusal, State, Trick
from table.games.core import TrickGame
from table.games.options import FIRST_DEALER, HANDS, check_sizes, one_of, truth
from table.games.state import TableState, number_of
from table.games.tricks import Revoke, revokes, suit_led

PEAK = 9
DECIDER = 5
"""The cards of the deal that decides a tie."""
REVOKE = -5


class OhShit(TrickGame):
    """The rules of one game of Oh Shit."""

    name: ClassVar[str] = "oh-shit"
    title: ClassVar[str] = "Oh Shit"
    seat_range: ClassVar[tuple[int, int]] = (3, 7)
    options_offered: ClassVar[tuple[Option, ...]] = (
        HANDS,
        FIRST_DEALER,
        Option("half", "true or false", False, "a half game: from nine cards down to one"),
        Option(
            "joker", "true or false", False, "a joker is the highest trump (the 63-card pack has it anyway)"
        ),
        Option("pack", "52 or 63", 52, "63: with 11 and 12 of all suits, 13 of the red ones and a joker"),
    )
    checks: ClassVar = {
        "half": truth,
        "joker": truth,
        "pack": one_of(52, 63),
    }

    def settle_options(self) -> None:
        """The hands: to nine cards, or as far as the pack goes, and back; or down only."""
        cards, players = len(self.make_pack()), len(self.seats)
        hands = self.options["hands"]
        if hands is None:
            peak = min(PEAK, cards // players)
            down = list(range(peak, 0, -1))
            hands = down if self.options["half"] else [*range(1, peak), *down]
        else:
            check_sizes("oh-shit", hands, players, cards)
        self.options = {**self.options, "hands": hands}

    def make_pack(self) -> tuple[Card, ...]:
        """52 cards, with the joker by agreement, or the 63 of the six-handed pack."""
        return pack(self.options["pack"], joker=self.options["joker"])

    def size_of(self, state: TableState, number: int) -> int | None:
        """The list's ``number``-th hand."""
        hands: list[int] = self.options["hands"]
        return hands[number - 1] if number <= len(hands) else None

    # Trumps -----------------------------------------------------------------------------------------------

    def turns_up(self, state: TableState) -> bool:
        """A card always makes the trumps."""
        return True

    def trump_turned(self, card: Card) -> str | Refusal:
        """Its suit; an ace or the joker means no trumps."""
        return NO_TRUMP if card.suit is None or card.rank == "A" else card.suit

    def stock_used_up(self, state: TableState) -> bool:
        """Whether all cards are dealt, so that the dealer shows the own last card for trumps."""
        return state.cards * len(state.players) == len(self.pack())

    def turned_stays_out(self, state: TableState) -> bool:
        """The turned card belongs to the stock, if there is one."""
        return not self.stock_used_up(state)

    def card_barred(self, state: TableState, seat: str, card: Card) -> Refusal | None:
        """The last card that the dealer showed is in the dealer's hand."""
        if card == state.turned and seat != state.dealer:
            return Refusal("card_twice", f"{seat} can't play the {card.sign}: it is in {state.dealer}'s hand")
        return None

    # Bids -------------------------------------------------------------------------------------------------

    def bid_phase(self, state: TableState) -> Phase:
        """All at once."""
        return Phase.SECRET_BID

    def hooked(self, state: TableState) -> bool:
        """The sum of the bids is free."""
        return False

    # The joker without trumps -----------------------------------------------------------------------------

    def names_suit(self, state: TableState, lead: Play) -> bool:
        """A joker led without trumps names its suit; in a trump deal it is of the trump suit."""
        return lead.card.is_joker and state.trump == NO_TRUMP

    def may_name(self, state: TableState, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """Suits by rule 1 or 2 for the joker that has been led; all in the last trick, or if there is none."""
        seat = state.leader
        assert seat is not None
        if self.last_trick(state):
            return SUITS
        return tuple(suit for suit in SUITS if self._joker_fits(state, seat, suit, hand)) or SUITS

    def _joker_fits(self, state: TableState, seat: str, suit: str, hand: Sequence[Card] | None) -> bool:
        """Rules 1 and 2; with the hand unknown its holder is believed to have run out of the suit."""
        if discarded(state.tricks, seat, suit):
            return False
        return hand is None or not played(state.tricks, seat, suit) or all(card.suit != suit for card in hand)

    def playable(self, state: TableState, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """As always, but without trumps the joker by its three rules; it is never forced there."""
        found = super().playable(state, seat, hand)
        if state.trump != NO_TRUMP or JOKER not in hand or len(hand) == 1:
            return found
        led = self.led(state)
        others = tuple(card for card in found if not card.is_joker)
        if led is None:
            fits = any(self._joker_fits(state, seat, suit, hand) for suit in SUITS)
        else:
            fits = self._joker_fits(state, seat, led, hand)
        return tuple(card for card in hand if card in others or (fits and card.is_joker))

    def joker_wins(self, state: TableState, plays: Sequence[Play]) -> int | None:
        """Without trumps a joker wins in the last trick, or when what is public allows it."""
        if state.trump != NO_TRUMP:
            return None
        at = next((at for at, play in enumerate(plays) if play.card.is_joker), None)
        if at is None or self.last_trick(state):
            return at
        led = self.led(state)
        return None if led is None or discarded(state.tricks, plays[at].seat, led) else at

    def proved(self, state: TableState, seat: str) -> tuple[Revoke, ...]:
        """Revokes; without trumps those with the joker by its own rules."""
        tricks = (*state.tricks, state.trick)
        if state.trump != NO_TRUMP:
            return revokes(tricks, seat, state.trump)
        # A joker follows whatever it is played to, so it is no failure of its own.
        plain = tuple(Trick() if card_of(trick, seat) == JOKER else trick for trick in tricks)
        found = [*revokes(plain, seat, NO_TRUMP), *joker_revokes(tricks, seat, state.cards)]
        return tuple(sorted(found, key=lambda revoke: (revoke.proved_in, revoke.trick)))

    # Scores -----------------------------------------------------------------------------------------------

    def points(self, state: TableState) -> dict[str, int]:
        """By the contract; a revoke makes it -5, or leaves what is worse."""
        bids = state.bid_of
        return {
            seat: points_for(number_of(bids[seat]), state.won(seat), revoked=bool(self.proved(state, seat)))
            for seat in state.players
        }

    def ranking(self, state: TableState) -> list[list[str]]:
        """By points, then by the three tie-breaks, then by the deals that decided."""
        return self.ranked(
            lambda seat: (state.totals[seat], *tie_breaks(state, seat), self.play_off_points(state, seat))
        )

    def ties_to_play(self, state: TableState) -> tuple[tuple[str, ...], ...]:
        """Every group of tied players, the best position first."""
        return tuple(tuple(place) for place in self.ranking(state) if len(place) > 1)

    def play_off_size(self, state: TableState) -> int:
        """A deciding deal has five cards."""
        return DECIDER

    def account(self) -> str:
        """The rules as played with these options, a page of plain text."""
        options = self.options
        joker = JOKER in self.pack()
        cards = {52: "52 cards", 63: "63 cards (11 and 12 of all suits, 13 of the red ones)"}[options["pack"]]
        rows = [
            f"Oh Shit, {len(self.seats)} players, {cards}{' with the joker' if joker else ''}, aces high.",
            "",
            f"Deals of {', '.join(map(str, options['hands']))} cards.",
            f"{options['first_dealer']} deals first, then the player to the left. The dealer raps when all is",
            "dealt.",
            "",
            "Trumps: the dealer lays the next card of the stock on the mark, or, when all are dealt, shows the",
            "own last",
            "card there and takes it back. Its suit is trumps; an ace or the joker means no trumps.",
            "",
            "Bidding. When you know how many tricks you will win, from 0 to all, put the fist on the table",
            "(rap). When all",
            "have, the screen counts three, two, one, and all tap their bids at once. The sum is free.",
            "",
            "Play. The player to the dealer's left leads; then the winner of each trick. Follow suit if you can;",
            "if not,",
            "play any card. The highest trump wins, else the highest card of the suit led.",
        ]
        if joker:
            rows += [
                "The joker is the highest trump. Without trumps it wins, and may be played only",
                "  1. to a suit of which you have played no card and not shown out,",
                "  2. to a suit that you have run out of and not discarded on,",
                "  3. to the last trick.",
                "Led without trumps its suit is named (by the button). Played against this it is a revoke and wins",
                "nothing.",
                "It is never forced without trumps.",
            ]
        rows += [
            "",
            "Score: for winning exactly the tricks bid 10 and 1 a trick, for zero 5. Too many: 1 a trick. Too",
            "few: -1 for",
            "each trick short. A proved revoke: -5 in all, unless the result was worse.",
            "",
            "The highest score wins. Ties for any place are broken by 1. contracts fulfilled, 2. winning",
            "contracts (of a",
            "trick or more) fulfilled, 3. contracts fulfilled or exceeded; a revoke counts as unfulfilled. Then",
            "the tied",
            f"play deals of {DECIDER} cards until it is decided; their points are not added to the totals.",
            "",
        ]
        return page(rows)


def points_for(bid: int, tricks: int, *, revoked: bool) -> int:
    """What a contract brings."""
    if tricks < bid:
        points = tricks - bid
    elif tricks > bid:
        points = tricks
    else:
        points = 10 + tricks if bid else 5
    return min(points, REVOKE) if revoked else points


def tie_breaks(state: State, seat: str) -> tuple[int, int, int]:
    """Contracts fulfilled, winning ones fulfilled, fulfilled or exceeded; a revoke counts as unfulfilled."""
    counting = [
        (number_of(result.bids[seat]), result.tricks[seat])
        for result in state.results
        if seat in result.bids and not result.play_off and not _revoked(result, seat)
    ]
    return (
        sum(bid == tricks for bid, tricks in counting),
        sum(bid == tricks and bid > 0 for bid, tricks in counting),
        sum(bid <= tricks for bid, tricks in counting),
    )


def _revoked(result: HandResult, seat: str) -> bool:
    return seat in result.revoked


def card_of(trick: Trick, seat: str) -> Card | None:
    """What a player has played to a trick."""
    return next((play.card for play in trick.plays if play.seat == seat), None)


def led_in(trick: Trick) -> str | None:
    """The suit led to a trick of a deal without trumps."""
    return suit_led(trick.plays[0], trick.named, NO_TRUMP) if trick.plays else None


def played(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Whether a player has played a card of a suit (the joker left aside)."""
    cards = (card_of(trick, seat) for trick in tricks)
    return any(card is not None and card.suit == suit for card in cards)


def discarded(tricks: Sequence[Trick], seat: str, suit: str) -> bool:
    """Whether a player has played another suit, not the joker, to a trick of this suit."""
    for trick in tricks:
        card = card_of(trick, seat)
        if card is None or card.is_joker or card.is_unseen:
            continue
        if led_in(trick) == suit and card.suit != suit:
            return True
    return False


def joker_revokes(tricks: Sequence[Trick], seat: str, cards: int) -> list[Revoke]:
    """Revokes with the joker in a deal without trumps; ``tricks`` end with the current one.

    To a suit discarded on before it is one at once. To a suit of which the player had played cards it says that
    there are no more of them: a later one proves the opposite.
    """
    at = next((at for at, trick in enumerate(tricks) if card_of(trick, seat) == JOKER), None)
    if at is None or at == cards - 1:
        return []
    led = led_in(tricks[at])
    if led is None:
        return []
    if discarded(tricks[:at], seat, led):
        return [Revoke(seat, JOKER, at + 1, JOKER, at + 1)]
    if not played(tricks[:at], seat, led):
        return []
    for later, trick in enumerate(tricks[at + 1 :], start=at + 2):
        card = card_of(trick, seat)
        if card is not None and card.suit == led:
            return [Revoke(seat, JOKER, at + 1, card, later)]
    return []
