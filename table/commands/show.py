"""``cardtable show``: any moment of a recording or a journal as a picture of the screen."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.commands.arguments import about, checked, usage
from table.config import LEAST_SCREEN, ScreenConfig
from table.display.contact import contact_sheet
from table.display.draw import seen
from table.display.look import Look
from table.display.reel import Reel, spans
from table.display.screen import save, save_picture
from table.display.theme import Size
from table.errors import TableError, complain
from table.events.known import sentence
from table.files.reading import MOST_PIXELS, is_folder
from table.host.progress import followed
from table.phrase import expected, say
from table.playback.moments import MATTERS, Moment, mattering, of_journal, of_recording, time_of
from table.referee.journal import JournalLine
from table.referee.rows import scan
from table.referee.view import View
from table.sources.recording import open_recording
from table.words.render import Words, words_of
from table.words.spoken import spoken, tell

OUT = Path("table.png")
MOST_TILES = 60
"""So many pictures are on a contact sheet; what matters less is left out."""
_SECOND_NS = 1_000_000_000
_SIZE = re.compile(r"(\d{3,4})x(\d{3,4})")
_SECONDS = re.compile(r"(\d{1,7}(?:\.\d{1,9})?)s")
_CLOCK = re.compile(r"(\d{1,5}):([0-5]\d(?:\.\d{1,9})?)")


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("show", **about("show"))
    parser.add_argument("what", metavar="DIR|JOURNAL", type=Path, help=usage("usage.show_what"))
    parser.add_argument(
        "--at",
        metavar="WHEN",
        type=checked(_when),
        help=usage("usage.show_at"),
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, default=OUT, help=usage("usage.show_out", usual=OUT)
    )
    parser.add_argument("--sheet", action="store_true", help=usage("usage.show_sheet"))
    parser.add_argument("--film", metavar="FILE", type=Path, help=usage("usage.show_film"))
    parser.add_argument("--size", metavar="WxH", type=checked(_size), help=usage("usage.show_size"))
    parser.set_defaults(run=run)


def _when(given: str) -> tuple[str, int]:
    """``seq`` and a line's number, or ``ns`` and nanoseconds from the start."""
    if given.isdecimal() and given.isascii() and int(given[:9]) >= 1 and len(given) < 9:
        return "seq", int(given)
    if seconds := _SECONDS.fullmatch(given):
        return "ns", round(float(seconds[1]) * _SECOND_NS)
    if clock := _CLOCK.fullmatch(given):
        return "ns", round((60 * int(clock[1]) + float(clock[2])) * _SECOND_NS)
    raise expected("expected.moment", instead=given)


def _size(given: str) -> Size:
    found = _SIZE.fullmatch(given)
    size = (int(found[1]), int(found[2])) if found is not None else (0, 0)
    if size[0] < LEAST_SCREEN[0] or size[1] < LEAST_SCREEN[1] or size[0] * size[1] > MOST_PIXELS:
        raise expected("expected.screen_size", instead=given)
    return size


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if (arguments.at is not None) + arguments.sheet + (arguments.film is not None) > 1:
        raise TableError(expected("expected.one_of", choices=("--at", "--sheet", "--film")))
    damage, screen, words = None, ScreenConfig(), spoken()
    if is_folder(arguments.what):
        recording = open_recording(arguments.what)
        screen = recording.config.screen
        words = words_of(screen.language)
        moments, count = of_recording(recording), len(recording.frame_times or ()) + len(recording.edges)
    else:
        found = scan(arguments.what)
        if not found.lines:
            raise TableError("journal.nothing", at=arguments.what, fault=found.fault or say("row.none"))
        moments, count = _of_file(arguments.what, found.lines), len(found.lines)
        damage = found.damage
    moments = followed(say("progress.show", path=str(arguments.what)), moments, count)
    size, look = arguments.size or screen.size, Look.of(screen)
    if arguments.film is not None:
        _film(moments, arguments.film, size, words, look)
    elif arguments.sheet:
        _sheet(moments, arguments.out, size, words, look)
    else:
        _picture(moments, arguments, size, words, look)
    if damage is not None:
        complain(say("history.exported_before", path=str(arguments.what), fault=damage))
        return 1
    return 0


def _of_file(path: Path, lines: list[JournalLine]) -> Iterator[Moment]:
    try:
        yield from of_journal(lines)
    except TableError as error:
        raise TableError(error, at=path) from None


# --- one moment ---------------------------------------------------------------------------------------------------


def _picture(
    moments: Iterator[Moment], arguments: argparse.Namespace, size: Size, words: Words, look: Look
) -> None:
    view, line, at_ns = _found(moments, arguments.at)
    save(view, arguments.out, size, words, look)
    tell("show.picture", path=str(arguments.out), clock=clock(at_ns), seq=line["seq"], said=sentence(line))


def _found(moments: Iterator[Moment], at: tuple[str, int] | None) -> tuple[View, JournalLine, int]:
    """The screen at a moment, the last line until then, and how long after the start it was."""
    kind, wanted = at or ("end", 0)
    first: Moment | None = None
    last: tuple[Moment, View] | None = None
    for moment in moments:
        first = first or moment
        since_ns = moment.now_ns - first.now_ns
        if kind == "ns" and since_ns > wanted and last is not None:
            # Nothing came in between; but what was told before may have left the screen.
            before, view = last
            return replace(view, now_ns=first.now_ns + wanted), _line(before), wanted
        last = moment, moment.view()
        if kind == "seq" and len(moment.lines) >= wanted:
            return last[1], moment.lines[wanted - 1], since_ns
    assert first is not None
    assert last is not None
    ends_ns = last[0].now_ns - first.now_ns
    if kind == "seq" or (kind == "ns" and wanted > ends_ns):
        asked = str(wanted) if kind == "seq" else f"{wanted / _SECOND_NS:g}s"
        lines = len(last[0].lines)
        raise TableError("show.no_moment", at=f"--at {asked}", ends=clock(ends_ns), lines=lines)
    return last[1], _line(last[0]), ends_ns


def _line(moment: Moment) -> JournalLine:
    return {"seq": len(moment.lines), **moment.lines[-1]}


def clock(span_ns: int) -> str:
    """A span as minutes and seconds, as ``--at`` takes it."""
    tenths = span_ns // (_SECOND_NS // 10)
    return f"{tenths // 600}:{tenths % 600 // 10:02}.{tenths % 10}"


# --- a whole game -------------------------------------------------------------------------------------------------


def _sheet(moments: Iterator[Moment], out: Path, size: Size, words: Words, look: Look) -> None:
    tiles: list[tuple[int, View, str]] = []
    for moment, line in mattering(moments):
        view = moment.view()
        # Of two that look the same, such as the last hand's score and the game's, the later one.
        if tiles and seen(tiles[-1][1]) == seen(view):
            tiles.pop()
        said = f"{clock(moment.now_ns - time_of(moment.lines[0]))}  {line.get('seq', '')}  {words(sentence(line))}"
        tiles.append((MATTERS[line["event"]], view, said))
    kept = chosen([rank for rank, *_ in tiles], MOST_TILES)
    save_picture(contact_sheet([tiles[at][1:] for at in kept], size, words, look), out)
    tell("show.sheet", path=str(out), n=len(kept), of=len(tiles))


def chosen(ranks: list[int], most: int) -> list[int]:
    """The places of at most so many, the lowest ranks first; of the rank that is not taken whole, evenly."""
    kept: list[int] = []
    for rank in sorted(set(ranks)):
        places = [at for at, one in enumerate(ranks) if one == rank]
        room = most - len(kept)
        if len(places) > room:
            places = [places[number * len(places) // room] for number in range(room)]
        kept += places
    return sorted(kept)


def _film(moments: Iterator[Moment], path: Path, size: Size, words: Words, look: Look) -> None:
    reel = Reel(path, (size[0] // 2 * 2, size[1] // 2 * 2), words, look)
    try:
        for view, span_ns in spans((moment.now_ns, moment.view()) for moment in moments):
            reel.show(view, span_ns)
    finally:
        reel.close()
    tell("show.film", path=str(path), seconds=reel.seconds)
