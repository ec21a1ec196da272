"""Export of a game as Portable Bridge Notation (PBN 2.1, https://www.tistis.nl/pbn/pbn_v21.txt).

PBN holds four players' hands of thirteen cards and the play. What bridge does not have is written in tags of our own
(``Bids`` and so on), which programs skip. The auction is left out, because its bids begin at five tricks and everybody
plays for himself. A declarer's number from seven on is written as the bridge contract of as many tricks, although the
bid meant exactly so many, of one player alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table.cards import SUITS, pack
from table.errors import TableError
from table.referee.records.journal import JournalLine, effective_lines

COMPASS: Final = "NESW"
HAND_SIZE: Final = 13
"""The cards of each player's hand."""
BOOK: Final = 6
"""Tricks that a bridge contract does not count."""
ALL_CARDS: Final = frozenset(map(str, pack(52)))
"""The names of all 52 cards."""
UNKNOWN: Final = "?"


@dataclass
class _HandRecord:
    """The facts of one hand that are needed for its board."""

    number: int
    dealer: str
    trump: str = UNKNOWN
    declarer: str | None = None
    bid: str = ""
    """The declarer's bid."""
    tricks: list[Mapping[str, str]] = field(default_factory=list)
    """Each trick's cards by seat, in playing order."""


def board_texts(lines: Iterable[JournalLine], date: str | None) -> tuple[list[str], int]:
    """Return a board's text for each finished hand that fits PBN, and the number of finished hands that don't.

    ``date``: the day as ``2026-11-20``; None if not known. ``TableError`` for a line that lacks or garbles a field.
    """
    texts: list[str] = []
    omitted = 0
    head: JournalLine = {}
    hand: _HandRecord | None = None
    try:
        for line in effective_lines(lines):
            if line["event"] == "game_started":
                head = line
            elif line["event"] == "hand_started":
                hand = _HandRecord(line["hand"], line["dealer"])
            elif hand is not None and line["event"] == "hand_scored":
                fits = _fits(hand, head["seats"])
                omitted += not fits
                if fits:
                    texts.append(_board(head, hand, line, date))
            elif hand is not None:
                _record_line(hand, line)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise TableError("row.garbled", error=error) from None
    return texts, omitted


def _record_line(hand: _HandRecord, line: JournalLine) -> None:
    """Add a line's facts to the hand."""
    if line["event"] == "trump":
        hand.trump = line["suit"]
    elif line["event"] == "bid" and isinstance(line["bid"], str) and line["bid"][:1].isdigit():
        hand.declarer, hand.bid = line["seat"], line["bid"]
    elif line["event"] == "trick_won":
        hand.tricks.append({play["seat"]: play["card"] for play in line["cards"]})


def _fits(hand: _HandRecord, seats: Sequence[str]) -> bool:
    """Return whether four players have played all 52 cards, each of them known."""
    cards = [card for trick in hand.tricks for card in trick.values()]
    return (
        len(seats) == len(COMPASS)
        and all(set(trick) == set(seats) for trick in hand.tricks)
        and len(cards) == len(ALL_CARDS)
        and set(cards) == ALL_CARDS
    )


def _board(head: JournalLine, hand: _HandRecord, scored: JournalLine, date: str | None) -> str:
    """Return the text of a hand's board: its tags and its play."""
    seats: Sequence[str] = head["seats"]
    letter = dict(zip(seats, COMPASS, strict=True))
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
    return text + "".join(" ".join(_card(trick[seat]) for seat in columns) + "\n" for trick in hand.tricks)


def _deal(hand: _HandRecord, seats: Iterable[str]) -> str:
    """Return the hands as they were played, North's first: spades, hearts, diamonds, clubs, high cards first."""
    order = [str(card) for card in sorted(pack(52), key=lambda card: -card.strength)]

    def seat_cards(seat: str) -> str:
        cards = {trick[seat] for trick in hand.tricks}
        return ".".join(
            "".join(_card(card)[1] for card in order if card in cards and card[-1] == suit) for suit in SUITS
        )

    return f"N:{' '.join(map(seat_cards, seats))}"


def _contract(hand: _HandRecord) -> str:
    """Return the bridge contract of the declarer's bid; unknown below seven tricks."""
    number, denomination = hand.bid.rstrip("SHDCNT"), hand.bid.lstrip("0123456789")
    if not number or int(number) <= BOOK:
        return UNKNOWN
    return f"{int(number) - BOOK}{denomination}"


def _card(card: str) -> str:
    """Return a card in PBN's notation: suit, then one letter of rank."""
    return card[-1] + card[:-1].replace("10", "T")


def _by_seat(letter: Mapping[str, str], values: Mapping[str, Any]) -> str:
    """Return values by seat as text, such as ``N:3 E:2``."""
    return " ".join(f"{letter[seat]}:{value}" for seat, value in values.items())


def _escaped(value: str) -> str:
    """Return a tag's value escaped; PBN's letters are those of Latin-1."""
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return plain.encode("latin-1", "replace").decode("latin-1")


def pbn_file_text(texts: Iterable[str]) -> str:
    """Return the text of a PBN file with these boards."""
    return "\n".join(("% PBN 2.1\n", *texts))
