"""Cards, packs and bids, written as in journals and set-up files: ``AS 10H 12C JOKER`` and ``7``, ``6C``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

SUITS = ("S", "H", "D", "C")
"""The suits in the order in which the journal lists them."""

NO_TRUMP = "NT"

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K", "A")
"""The ranks from low to high; 11, 12 and 13 exist only in the 63-card pack (Oh Shit's source)."""

_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))
_MIDDLE_PAIR = ((-1.0, 0.0), (1.0, 0.0))
_FOUR_PAIRS = tuple((x, y) for x in (-1.0, 1.0) for y in (-1.0, -1 / 3, 1 / 3, 1.0))
PIP_LAYOUTS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": ((0.0, 0.0),),
    "2": ((0.0, -1.0), (0.0, 1.0)),
    "3": ((0.0, -1.0), (0.0, 0.0), (0.0, 1.0)),
    "4": _CORNERS,
    "5": (*_CORNERS, (0.0, 0.0)),
    "6": (*_CORNERS, *_MIDDLE_PAIR),
    "7": (*_CORNERS, *_MIDDLE_PAIR, (0.0, -0.5)),
    "8": (*_CORNERS, *_MIDDLE_PAIR, (0.0, -0.5), (0.0, 0.5)),
    "9": (*_FOUR_PAIRS, (0.0, 0.0)),
    "10": (*_FOUR_PAIRS, (0.0, -2 / 3), (0.0, 2 / 3)),
    "11": (*_FOUR_PAIRS, (0.0, -2 / 3), (0.0, 0.0), (0.0, 2 / 3)),
    "12": tuple((x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, -1 / 3, 1 / 3, 1.0)),
}
"""Where the pips stand on a face: columns and rows from -1 to 1, from left to right and from top to bottom.

Packs differ in how they lay out a 13.
"""

SUIT_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", NO_TRUMP: "NT"}

_STRENGTH = {rank: strength for strength, rank in enumerate(RANKS, start=2)}


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A playing card, the one value of its name: see :func:`card`. The joker has rank ``JOKER`` and no suit."""

    rank: str
    suit: str | None
    strength: int
    """The rank as a number, from 2 upwards; it is comparable only within one suit."""

    def __reduce__(self) -> tuple[Callable[[str], Card], tuple[str]]:
        return card, (str(self),)  # A copy, and a card from another process, is the same value.

    def __str__(self) -> str:
        return self.rank + (self.suit or "")

    def __repr__(self) -> str:
        return f"card({str(self)!r})"

    @property
    def is_joker(self) -> bool:
        """Whether this card is the joker."""
        return self is JOKER

    @property
    def symbol(self) -> str:
        """The card as people write it: ``10♥``, ``Joker``."""
        return "Joker" if self.suit is None else self.rank + SUIT_SYMBOLS[self.suit]


JOKER = Card("JOKER", None, 99)


@dataclass(frozen=True, slots=True)
class UnseenCard:
    """A card that was played without being seen. What matters of it is declared."""

    won: bool
    """Whether it wins its trick: its player took the trick or led next."""
    suit: str | None = None
    """The suit of a lead that the others followed, where that is not simply the next card's."""

    def __str__(self) -> str:
        return "?"


PlayedCard: TypeAlias = Card | UnseenCard
"""A card as it was played."""


@cache
def card(name: str) -> Card:
    """Return the card of that name, such as ``10H``; ``ValueError`` when no pack has such a card."""
    if name == "JOKER":
        return JOKER
    rank, suit = name[:-1], name[-1:]
    if rank not in _STRENGTH or suit not in SUITS or (rank == "13" and suit in "SC"):
        raise ValueError(f"no such card: {name!r} (expected a rank and a suit such as 10H, or JOKER)")
    return Card(rank, suit, _STRENGTH[rank])


def is_card_name(name: str) -> bool:
    """Return whether the text is the name of a card."""
    try:
        card(name)
    except ValueError:
        return False
    return True


def cards(names: str | Iterable[str]) -> tuple[Card, ...]:
    """Return several cards at once: ``cards("AS 10H")``."""
    return tuple(card(name) for name in (names.split() if isinstance(names, str) else names))


def pack(kind: int = 52, *, joker: bool = False, packs: int = 1) -> tuple[Card, ...]:
    """Return the cards of a pack.

    ``kind`` is 52, or 63 for the six-handed pack (11 and 12 of every suit, 13 of the red ones, and its joker, which is
    the 63rd card); ``joker`` adds one to a 52-card pack; ``packs`` shuffles that many together.
    """
    if kind not in (52, 63):
        raise ValueError(f"no pack of {kind} cards (expected 52 or 63)")
    extra = {"S": ("11", "12"), "C": ("11", "12"), "H": ("11", "12", "13"), "D": ("11", "12", "13")}
    standard = [rank for rank in RANKS if rank not in ("11", "12", "13")]
    pack_cards = [card(rank + suit) for suit in SUITS for rank in standard]
    if kind == 63:
        pack_cards += [card(rank + suit) for suit in SUITS for rank in extra[suit]]
    if joker or kind == 63:
        pack_cards.append(JOKER)
    return tuple(pack_cards) * packs


# --- bids ---------------------------------------------------------------------------------------------------------

DENOMINATIONS = ("C", "D", "H", "S", NO_TRUMP)
"""What may be trumps, from low to high as in bridge."""

DOUBLE_NIL: Final = "double nil"
"""A bid of no trick, made before looking at the own cards."""
PASS: Final = "pass"
"""A call in an auction without a bid."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A bid of an auction: a number of tricks and the trumps, such as ``6C`` or ``9NT``."""

    tricks: int
    trump: str

    def __str__(self) -> str:
        return f"{self.tricks}{self.trump}"

    def __lt__(self, other: Contract) -> bool:
        return (self.tricks, DENOMINATIONS.index(self.trump)) < (
            other.tricks,
            DENOMINATIONS.index(other.trump),
        )


BidValue: TypeAlias = int | Contract | Literal["double nil"]
"""A number of tricks, in an auction with trumps; or Double Nil."""
CallValue: TypeAlias = BidValue | Literal["pass"]

_WRITTEN_BID = re.compile("([0-9]{1,2})(C|D|H|S|NT)?")


def parse_bid(written: object) -> BidValue:
    """Parse a bid as the journal has it: ``7``, ``"6C"``, ``"9NT"``, ``"double nil"``; ``ValueError`` if it is none."""
    if written == DOUBLE_NIL:
        return DOUBLE_NIL
    if type(written) is int:
        return written
    match = _WRITTEN_BID.fullmatch(str(written))
    if match is None:
        raise ValueError(f"no such bid: {written!r} (expected a number, or with trumps as in 6C and 9NT)")
    number, trump = int(match[1]), match[2]
    return Contract(number, trump) if trump else number


def parse_call(written: object) -> CallValue:
    """Parse a call of an auction: a bid or a pass."""
    return PASS if written == PASS else parse_bid(written)


def bid_to_json(bid: BidValue) -> int | str:
    """Return a bid as the journal has it."""
    return str(bid) if isinstance(bid, Contract) else bid


def tricks_of_bid(bid: BidValue) -> int:
    """Return the number of tricks of a bid."""
    return bid.tricks if isinstance(bid, Contract) else 0 if bid == DOUBLE_NIL else bid
