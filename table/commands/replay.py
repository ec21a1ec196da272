"""``cardtable replay``: a recording through the same path as a live camera."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.commands.arguments import add_command
from table.errors import TableError, print_error
from table.files.safe_reading import exists
from table.i18n.terminal_output import print_line
from table.phrase import make_phrase
from table.pipeline import Pipeline
from table.playback.run_loop import hold_last_picture, run_to_end
from table.referee.interaction.option_levels import SCREEN_TABLE_REQUESTS
from table.referee.records.journal import JournalLine, dump, read_lines
from table.sources.recordings.recording import Recording, open_recording


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "replay", run)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--journal", metavar="FILE", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--pictures", metavar="DIR", type=Path)
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--realtime", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    recording = open_recording(arguments.folder)
    truth = _truth(recording) if arguments.check else []
    pipeline = Pipeline(
        recording.config,
        recording,
        journal=arguments.journal,
        durable=False,
        answers=recording.answers,
        wishes=SCREEN_TABLE_REQUESTS,
    )
    screen = recording.config.screen
    album = None
    if arguments.pictures is not None:
        from table.playback.screenshots import ScreenshotFolder  # loaded late: most replays show nothing

        album = ScreenshotFolder(arguments.pictures, screen)

    def after(now_ns: int) -> None:
        if album is not None and pipeline.decided:
            album.save_if_important(pipeline.decided, pipeline.view(now_ns))

    with ExitStack() as stack:
        window = None
        if arguments.window:
            from table.display.window import ScreenWindow  # (as the pictures)

            window = stack.enter_context(ScreenWindow(replace(screen, turned=0)))
        realtime = arguments.realtime or arguments.window
        ended_ns = run_to_end(pipeline, realtime=realtime, window=window, after=after)
        if album is not None and album.left_out_message is not None:
            print_error(album.left_out_message)
        status = _report(pipeline, arguments, truth)
        if window is not None and ended_ns is not None:
            hold_last_picture(pipeline, window, ended_ns)
    return status


def _report(pipeline: Pipeline, arguments: argparse.Namespace, truth: Sequence[JournalLine]) -> int:
    """Print the journal, or how it compares with the truth; return 1 where they differ."""
    journal = pipeline.referee.journal
    if journal.write_error is not None:
        raise TableError(journal.write_error)
    lines = journal.lines
    if not arguments.check:
        if arguments.journal is None:
            for line in lines:
                print_line(dump(line))
        return 0
    from table.history.truth_comparison import compare  # loaded late: most replays are compared with nothing

    comparison = compare(truth, lines)
    for difference in comparison.differences:
        print_line(difference)
    print_line(comparison.summary())
    return 1 if comparison.differences else 0


def _truth(recording: Recording) -> list[JournalLine]:
    if not exists(recording.truth_path):
        raise TableError("file.none", at=recording.truth_path, expected=make_phrase("expected.what_happened"))
    return read_lines(recording.truth_path)
