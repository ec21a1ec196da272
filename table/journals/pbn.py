"""A game as Portable Bridge Notation (PBN 2.1, https://www.tistis.nl/pbn/pbn_v21.txt), as far as that can hold it.

It holds four players' hands of thirteen cards and the play. What bridge has not got stands in tags of our own (``Bids``
and so on), which programs pass over; the auction is left out, for its bids begin at five tricks, and everybody plays
for himself. A declarer's number from seven on is told as the bridge contract of as many tricks:
the bid meant exactly so many, of one player alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table.cards import SUITS, pack
from table.errors import TableError
from table.referee.journal import JournalLine, effective

SEATS: Final = "NESW"
HAND: Final = 13
BOOK: Final = 6
"""Tricks that a bridge contract does not count."""
LAID_OUT: Final = frozenset(map(str, pack(52)))
UNKNOWN: Final = "?"


@dataclass
class _Hand:
    """What is known of a hand."""

    number: int
    dealer: str
    trump: str = UNKNOWN
    declarer: str | None = None
    bid: str = ""
    """The declarer's."""
    tricks: list[Mapping[str, str]] = field(default_factory=list)
    """Each trick's cards by seat, in playing order."""


def boards(lines: Iterable[JournalLine], date: str | None) -> tuple[list[str], int]:
    """A text for each finished hand that fits, and how many finished ones don't.

    ``date``: the day as ``2026-11-20``; None where nobody knows. ``TableError`` for a line that lacks or garbles a
    field.
    """
    texts: list[str] = []
    others = 0
    head: JournalLine = {}
    hand: _Hand | None = None
    try:
        for line in effective(lines):
            if line["event"] == "game_started":
                head = line
            elif line["event"] == "hand_started":
                hand = _Hand(line["hand"], line["dealer"])
            elif hand is not None and line["event"] == "hand_scored":
                fits = _fits(hand, head["seats"])
                others += not fits
                if fits:
                    texts.append(_board(head, hand, line, date))
            elif hand is not None:
                _follow(hand, line)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise TableError("row.garbled", error=error) from None
    return texts, others


def _follow(hand: _Hand, line: JournalLine) -> None:
    if line["event"] == "trump":
        hand.trump = line["suit"]
    elif line["event"] == "bid" and isinstance(line["bid"], str) and line["bid"][:1].isdigit():
        hand.declarer, hand.bid = line["seat"], line["bid"]
    elif line["event"] == "trick_won":
        hand.tricks.append({one["seat"]: one["card"] for one in line["cards"]})


def _fits(hand: _Hand, seats: Sequence[str]) -> bool:
    """Whether four players have played all 52 cards, each of them known."""
    cards = [card for trick in hand.tricks for card in trick.values()]
    return (
        len(seats) == len(SEATS)
        and all(set(trick) == set(seats) for trick in hand.tricks)
        and len(cards) == len(LAID_OUT)
        and set(cards) == LAID_OUT
    )


def _board(head: JournalLine, hand: _Hand, scored: JournalLine, date: str | None) -> str:
    seats: Sequence[str] = head["seats"]
    letter = dict(zip(seats, SEATS, strict=True))
    leader = next(iter(hand.tricks[0]))
    declarer = letter[hand.declarer] if hand.declarer is not None else UNKNOWN
    tags = {
        "Event": head["game"],
        "Site": UNKNOWN,
        "Date": date.replace("-", ".") if date is not None else "????.??.??",
        "Board": str(hand.number),
        "West": seats[3],
        "North": seats[0],
        "East": seats[1],
        "South": seats[2],
        "Dealer": letter[hand.dealer],
        "Vulnerable": "None",
        "Deal": _deal(hand, seats),
        "Scoring": UNKNOWN,
        "Declarer": declarer,
        "Contract": _contract(hand),
        "Result": UNKNOWN,
        "Trump": hand.trump,
        **{name: _by_seat(letter, scored[name.lower()]) for name in ("Bids", "Tricks", "Points")},
        "Play": letter[leader],
    }
    text = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    first = seats.index(leader)
    columns = (*seats[first:], *seats[:first])
    return text + "".join(" ".join(_card(trick[one]) for one in columns) + "\n" for trick in hand.tricks)


def _deal(hand: _Hand, seats: Iterable[str]) -> str:
    """The hands as they were played, North's first: spades, hearts, diamonds, clubs, high cards first."""
    order = [str(card) for card in sorted(pack(52), key=lambda card: -card.strength)]

    def held(seat: str) -> str:
        cards = {trick[seat] for trick in hand.tricks}
        return ".".join(
            "".join(_card(card)[1] for card in order if card in cards and card[-1] == suit) for suit in SUITS
        )

    return f"N:{' '.join(map(held, seats))}"


def _contract(hand: _Hand) -> str:
    number, denomination = hand.bid.rstrip("SHDCNT"), hand.bid.lstrip("0123456789")
    if not number or int(number) <= BOOK:
        return UNKNOWN
    return f"{int(number) - BOOK}{denomination}"


def _card(card: str) -> str:
    """Suit, then one letter of rank."""
    return card[-1] + card[:-1].replace("10", "T")


def _by_seat(letter: Mapping[str, str], values: Mapping[str, Any]) -> str:
    return " ".join(f"{letter[seat]}:{value}" for seat, value in values.items())


def _escaped(value: str) -> str:
    """A tag's value; PBN's letters are those of Latin-1."""
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return plain.encode("latin-1", "replace").decode("latin-1")


def file_of(texts: Iterable[str]) -> str:
    """A file's text of boards."""
    return "\n".join(("% PBN 2.1\n", *texts))
