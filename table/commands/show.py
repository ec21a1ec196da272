"""``cardtable show``: draws the screen at any moment of a recording or a journal."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from table.commands.arguments import add_command, checked_type
from table.config.settings import MIN_WINDOW_SIZE, ScreenConfig
from table.display.drawing.boxes import Size
from table.display.picture_files import contact_sheet, save_film, save_picture, save_view, view_durations
from table.display.view_picture import visible_part
from table.errors import TableError, convert_errors, print_error
from table.events.event_registry import line_sentence
from table.files.safe_reading import MOST_PIXELS, is_folder
from table.history.moment_pictures import read_picture
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import print_phrase, terminal_renderer
from table.observed_facts import END_NS
from table.phrase import expected_error, make_phrase
from table.playback.views_of_past_moments import (
    EVENT_PRIORITIES,
    Moment,
    decided_time,
    important_moments,
    replay_journal,
    replay_recording,
)
from table.referee.model.view import View
from table.referee.records.checksummed_journal_rows import scan_rows
from table.referee.records.journal import JournalLine
from table.sources.recordings.recording import open_recording
from table.system.progress_line import show_progress

DEFAULT_PICTURE = Path("table.png")
MAX_TILES = 60
"""The most pictures on a contact sheet; the least important are left out."""
_SECOND_NS = 1_000_000_000
_SIZE_PATTERN = re.compile(r"(\d{3,4})x(\d{3,4})")
_SECONDS_PATTERN = re.compile(r"(\d{1,7}(?:\.\d{1,9})?)s")
_CLOCK_PATTERN = re.compile(r"(\d{1,5}):([0-5]\d(?:\.\d{1,9})?)")


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "show", run)
    usual = {"usual": DEFAULT_PICTURE}
    parser.add_argument("what", metavar="DIR|JOURNAL", type=Path)
    parser.add_argument("--at", metavar="WHEN", type=checked_type(_parse_moment))
    parser.add_argument("--out", metavar="FILE", type=Path, default=DEFAULT_PICTURE, fields=usual)
    parser.add_argument("--sheet", action="store_true")
    parser.add_argument("--film", metavar="FILE", type=Path)
    parser.add_argument("--size", metavar="WxH", type=checked_type(_parse_size))


def _parse_moment(text: str) -> tuple[str, int]:
    """Parse a moment: ``seq`` and a line's number, or ``ns`` and nanoseconds from the start."""
    if text.isdecimal() and text.isascii() and int(text[:9]) >= 1 and len(text) < 9:
        return "seq", int(text)
    if seconds := _SECONDS_PATTERN.fullmatch(text):
        return "ns", round(float(seconds[1]) * _SECOND_NS)
    if clock := _CLOCK_PATTERN.fullmatch(text):
        return "ns", round((60 * int(clock[1]) + float(clock[2])) * _SECOND_NS)
    raise expected_error("expected.moment", instead=text)


def _parse_size(text: str) -> Size:
    match = _SIZE_PATTERN.fullmatch(text)
    size = (int(match[1]), int(match[2])) if match is not None else (0, 0)
    if size[0] < MIN_WINDOW_SIZE[0] or size[1] < MIN_WINDOW_SIZE[1] or size[0] * size[1] > MOST_PIXELS:
        raise expected_error("expected.screen_size", instead=text)
    return size


def run(arguments: argparse.Namespace) -> int:
    """Draw a moment, a contact sheet or a film of the game; return 1 where the journal is damaged."""
    if (arguments.at is not None) + arguments.sheet + (arguments.film is not None) > 1:
        raise TableError(expected_error("expected.one_of", choices=("--at", "--sheet", "--film")))
    damage, screen = None, ScreenConfig(terminal_renderer().catalogue.language)
    if is_folder(arguments.what):
        recording = open_recording(arguments.what)
        screen = recording.config.screen
        moments, count = replay_recording(recording), len(recording.frame_times or ()) + len(recording.edges)
    else:
        journal = scan_rows(arguments.what)
        if not journal.lines:
            raise TableError(
                "journal.nothing", at=arguments.what, fault=journal.fault or make_phrase("row.none")
            )
        moments, count = _journal_moments(arguments.what, journal.lines), len(journal.lines)
        damage = journal.damage
    moments = show_progress(make_phrase("progress.show", path=str(arguments.what)), moments, count)
    screen = replace(screen, size=arguments.size or screen.size)
    if arguments.film is not None:
        seconds = save_film(view_durations(_timed_views(moments)), arguments.film, screen)
        print_phrase("show.film", path=str(arguments.film), seconds=seconds)
    elif arguments.sheet:
        _save_sheet(moments, arguments.out, screen)
    else:
        _save_moment(moments, arguments, screen)
    if damage is not None:
        print_error(make_phrase("history.exported_before", path=str(arguments.what), fault=damage))
        return 1
    return 0


def _journal_moments(path: Path, lines: list[JournalLine]) -> Iterator[Moment]:
    with convert_errors(TableError, at=path):
        yield from replay_journal(lines, partial(read_picture, path))


# --- one moment ---------------------------------------------------------------------------------------------------


def _save_moment(moments: Iterator[Moment], arguments: argparse.Namespace, screen: ScreenConfig) -> None:
    view, line, at_ns = _find_moment(moments, arguments.at)
    save_view(view, arguments.out, screen)
    print_phrase(
        "show.picture",
        path=str(arguments.out),
        clock=format_clock(at_ns),
        seq=line["seq"],
        said=line_sentence(line),
    )


def _find_moment(moments: Iterator[Moment], target: tuple[str, int] | None) -> tuple[View, JournalLine, int]:
    """Return the screen at a moment, the last line until then, and the time since the start."""
    kind, target_value = target or ("end", 0)
    first: Moment | None = None
    last: tuple[Moment, View] | None = None
    for moment in moments:
        first = first or moment
        since_ns = moment.now_ns - first.now_ns
        if kind == "ns" and since_ns > target_value and last is not None:
            # Nothing came in between, but a notice from before may have left the screen.
            moment_before, view = last
            return replace(view, now_ns=first.now_ns + target_value), _last_line(moment_before), target_value
        last = moment, moment.view()
        if kind == "seq" and len(moment.lines) >= target_value:
            return last[1], moment.lines[target_value - 1], since_ns
    assert first is not None
    assert last is not None
    duration_ns = last[0].now_ns - first.now_ns
    if kind == "seq" or (kind == "ns" and target_value > duration_ns):
        target_text = str(target_value) if kind == "seq" else f"{target_value / _SECOND_NS:g}s"
        lines = len(last[0].lines)
        raise TableError(
            "show.no_moment", at=f"--at {target_text}", ends=format_clock(duration_ns), lines=lines
        )
    return last[1], _last_line(last[0]), duration_ns


def _last_line(moment: Moment) -> JournalLine:
    return {"seq": len(moment.lines), **moment.lines[-1]}


def format_clock(span_ns: int) -> str:
    """Format a span as minutes and seconds, as ``--at`` takes it."""
    tenths = span_ns // (_SECOND_NS // 10)
    return f"{tenths // 600}:{tenths % 600 // 10:02}.{tenths % 10}"


# --- a whole game -------------------------------------------------------------------------------------------------


def _save_sheet(moments: Iterator[Moment], out: Path, screen: ScreenConfig) -> None:
    renderer = renderer_for(screen.language)
    tiles: list[tuple[int, View, str]] = []
    for moment, line in important_moments(moments):
        view = moment.view()
        # Of two equal pictures, such as the last hand's score and the game's, the later one is used.
        if tiles and visible_part(tiles[-1][1]) == visible_part(view):
            tiles.pop()
        clock = format_clock(moment.now_ns - decided_time(moment.lines[0]))
        text = f"{clock}  {line.get('seq', '')}  {renderer(line_sentence(line))}"
        tiles.append((EVENT_PRIORITIES[line["event"]], view, text))
    selected = select_tiles([rank for rank, *_ in tiles], MAX_TILES)
    save_picture(contact_sheet([tiles[index][1:] for index in selected], screen), out)
    print_phrase("show.sheet", path=str(out), n=len(selected), of=len(tiles))


def select_tiles(ranks: list[int], most: int) -> list[int]:
    """Return the indices of at most ``most`` tiles, the lowest ranks first; the last rank is sampled evenly."""
    selected: list[int] = []
    for rank in sorted(set(ranks)):
        indices = [index for index, other_rank in enumerate(ranks) if other_rank == rank]
        room = most - len(selected)
        if len(indices) > room:
            indices = [indices[number * len(indices) // room] for number in range(room)]
        selected += indices
    return sorted(selected)


def _timed_views(moments: Iterator[Moment]) -> Iterator[tuple[int, View]]:
    """Yield the view of each moment with its time, and what is on the screen after what it shows large for seconds."""
    before: View | None = None
    for moment in moments:
        yield from _views_after_large(before, moment.now_ns)
        before = moment.view()
        yield moment.now_ns, before
    yield from _views_after_large(before, END_NS)


def _views_after_large(view: View | None, until_ns: int) -> Iterator[tuple[int, View]]:
    if view is None:
        return
    for shown in view.moments:
        if shown.until_ns < until_ns:
            yield shown.until_ns, replace(view, now_ns=shown.until_ns)
