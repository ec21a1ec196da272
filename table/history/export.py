"""Export of games to CSV, PBN and HTML, and copies into a folder, such as one on a USB stick.

PBN is Portable Bridge Notation (PBN 2.1, https://www.tistis.nl/pbn/pbn_v21.txt). It holds four players' hands of
thirteen cards and the play. What bridge does not have is written in tags of our own (``Bids`` and so on), which
programs skip. The auction is left out, because its bids begin at five tricks and everybody plays for himself. A
declarer's number from seven on is written as the bridge contract of as many tricks, although the bid meant exactly so
many, of one player alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from table.cards import SUITS, Contract, pack, parse_bid
from table.errors import TableError, convert_errors
from table.files.atomic_writing import make_folder, replace_file
from table.history.archive import GARBLED_LINE, Summary, read_game
from table.history.moment_pictures import read_picture
from table.history.page.game_page import game_page
from table.history.played_hands import PlayedHand, PlayedTrick, read_hands
from table.i18n.phrase_rendering import PhraseRenderer
from table.i18n.terminal_output import terminal_renderer
from table.phrase import Phrase, make_phrase
from table.referee.records.journal import JournalLine
from table.system.disks import find_stick

STICK_FOLDER: Final = "cardtable"
PAGE_SUFFIX: Final = ".html"
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of a text cell that a spreadsheet would run as a formula (OWASP, "CSV Injection")."""

COMPASS: Final = "NESW"
BOOK: Final = 6
"""Tricks that a bridge contract does not count."""
HIGH_CARDS_FIRST: Final = [str(card) for card in sorted(pack(52), key=lambda card: -card.strength)]
UNKNOWN: Final = "?"


class NotWrittenError(TableError):
    """The error that a file can't be written: the disk is full, or has gone."""


def write_page(path: Path, into: Path, words: PhraseRenderer) -> Path:
    """Write the page of the game with the journal ``path`` into a folder; return its path, or raise ``TableError``."""
    game, journal = read_game(path)
    with convert_errors(TableError, at=path):
        text = game_page(game, journal.lines, words, partial(read_picture, path))
    page = into / f"{path.stem}{PAGE_SUFFIX}"
    _write(page, text.encode())
    return page


def export_game(path: Path, into: Path) -> list[Path]:
    """Copy a game as JSON lines, CSV, a page and, where it fits, PBN; return the files, or raise ``TableError``."""
    game, journal = read_game(path)
    with convert_errors(TableError, at=path):
        texts = {".jsonl": journal.head_bytes(len(journal.lines)), ".csv": csv_text(journal.lines).encode()}
        texts[PAGE_SUFFIX] = game_page(
            game, journal.lines, terminal_renderer(), partial(read_picture, path)
        ).encode()
        pbn, count, _ = pbn_text(game, journal.lines)
    if count:
        texts[".pbn"] = pbn.encode("latin-1", "replace")
    copies = {into / f"{path.stem}{ending}": data for ending, data in texts.items()}
    for copy, data in copies.items():
        _write(copy, data)
    return list(copies)


def _write(path: Path, data: bytes) -> None:
    with convert_errors(OSError, "file.not_written", at=path, into=NotWrittenError):
        replace_file(path, data)


def make_stick_folder() -> Path:
    """Make the folder for games on the USB stick, and return it; ``StickError`` if there is no stick.

    Nothing that writes into it makes it again: once the stick is pulled out, its mount point is a folder of the
    system's own disk, in which root may make anything.
    """
    folder = find_stick() / STICK_FOLDER
    with convert_errors(OSError, "file.not_written", at=folder, into=NotWrittenError):
        make_folder(folder)
    return folder


def copy_to_stick(games: Iterable[Path]) -> tuple[Phrase, list[TableError]]:
    """Copy games to the USB stick (or ``TableError``); return what to tell people, and why some were not copied.

    A stick that can't be written, because it is full or has been pulled out, is told once, and takes no further game.
    """
    stick = make_stick_folder()
    copied = 0
    errors = []
    for path in games:
        try:
            export_game(path, stick)
            copied += 1
        except TableError as error:
            errors.append(error)
            if isinstance(error, NotWrittenError):
                break
    return make_phrase("history.copied", n=copied, folder=str(stick)), errors


# --- CSV ------------------------------------------------------------------------------------------------------------


HAND_COLUMNS: Final = ("hand", "cards", "dealer", "trump", "seat", "bid", "tricks", "points", "total")


def hand_rows(lines: Iterable[JournalLine]) -> list[dict[str, object]]:
    """Return :data:`HAND_COLUMNS` for each player of each finished hand, corrected; ``TableError`` if garbled."""
    with convert_errors(GARBLED_LINE, "row.garbled"):
        return [
            dict(zip(HAND_COLUMNS, (*head, seat, *cells, total), strict=True))
            for hand in read_hands(lines)
            for head in [(hand.number, hand.cards, hand.dealer, hand.trump)]
            for seat, total in hand.totals.items()
            for cells in [[values.get(seat) for values in (hand.bids, hand.taken, hand.points)]]
        ]


def csv_text(lines: Iterable[JournalLine]) -> str:
    """Return the hands as CSV, a row for each player of each finished hand; ``TableError`` for a garbled line."""
    text = io.StringIO()
    writer = csv.DictWriter(text, HAND_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in hand_rows(lines))
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a value as a cell that every spreadsheet shows unchanged: the apostrophe before a text is not shown."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


# --- PBN ------------------------------------------------------------------------------------------------------------


def pbn_text(game: Summary, lines: Iterable[JournalLine]) -> tuple[str, int, int]:
    """Return the hands as PBN, how many it holds, and how many finished hands PBN can't hold."""
    day = game.began[0] if game.began is not None and not game.unsure else None
    texts, omitted = board_texts(lines, day)
    return "\n".join(("% PBN 2.1\n", *texts)), len(texts), omitted


def board_texts(lines: Iterable[JournalLine], date: str | None) -> tuple[list[str], int]:
    """Return the boards that fit PBN and how many don't; ``date``: as ``2026-11-20``. ``TableError`` if garbled."""
    lines = list(lines)
    with convert_errors((KeyError, TypeError, AttributeError, ValueError, IndexError), "row.garbled"):
        hands = [hand for hand in read_hands(lines) if hand.is_scored]
        texts = [_board(lines[0]["game"], hand, date) for hand in hands if _fits(hand.tricks, hand.seats)]
    return texts, len(hands) - len(texts)


def _fits(tricks: Iterable[PlayedTrick], seats: Sequence[str]) -> bool:
    """Return whether four players have played all 52 cards, each of them known."""
    cards = [card for trick in tricks for card in trick.cards.values()]
    everybody_played = len(seats) == len(COMPASS) and all(set(trick.cards) == set(seats) for trick in tricks)
    return everybody_played and len(cards) == len(HIGH_CARDS_FIRST) and set(cards) == set(HIGH_CARDS_FIRST)


def _board(game: str, hand: PlayedHand, date: str | None) -> str:
    """Return the text of a hand's board: its tags and its play."""
    seats = hand.seats
    letter = dict(zip(seats, COMPASS, strict=True))
    leader = hand.tricks[0].leader
    declarer, contract = UNKNOWN, None
    for line in hand.lines:
        if line["event"] == "bid" and isinstance(bid := parse_bid(line["bid"]), Contract):
            declarer, contract = letter[line["seat"]], bid
    tags = {
        "Event": game,
        "Site": UNKNOWN,
        "Date": date.replace("-", ".") if date is not None else "????.??.??",
        "Board": str(hand.number),
        "West": seats[3],
        "North": seats[0],
        "East": seats[1],
        "South": seats[2],
        "Dealer": letter[hand.dealer],
        "Vulnerable": "None",
        "Deal": _deal(hand.tricks, seats),
        "Scoring": UNKNOWN,
        "Declarer": declarer,
        "Contract": _contract(contract),
        "Result": UNKNOWN,
        "Trump": hand.trump or UNKNOWN,
        **{
            name: " ".join(f"{letter[seat]}:{value}" for seat, value in values.items())
            for name, values in (("Bids", hand.bids), ("Tricks", hand.taken), ("Points", hand.points))
        },
        "Play": letter[leader],
    }
    text = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    first = seats.index(leader)
    columns = (*seats[first:], *seats[:first])
    return text + "".join(
        " ".join(_card(trick.cards[seat]) for seat in columns) + "\n" for trick in hand.tricks
    )


def _deal(tricks: Sequence[PlayedTrick], seats: Iterable[str]) -> str:
    """Return the hands as they were played, North's first: spades, hearts, diamonds, clubs, high cards first."""
    hands = []
    for seat in seats:
        played = {trick.cards[seat] for trick in tricks}
        cards = [card for card in HIGH_CARDS_FIRST if card in played]
        hands.append(
            ".".join("".join(_card(card)[1] for card in cards if card[-1] == suit) for suit in SUITS)
        )
    return f"N:{' '.join(hands)}"


def _contract(bid: Contract | None) -> str:
    """Return the bridge contract of the declarer's bid; unknown below seven tricks."""
    return str(Contract(bid.tricks - BOOK, bid.trump)) if bid is not None and bid.tricks > BOOK else UNKNOWN


def _card(card: str) -> str:
    """Return a card in PBN's notation: suit, then one letter of rank."""
    return card[-1] + card[:-1].replace("10", "T")


def _escaped(value: str) -> str:
    """Return a tag's value escaped; PBN's letters are those of Latin-1."""
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return plain.encode("latin-1", "replace").decode("latin-1")
