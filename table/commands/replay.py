"""``cardtable replay``: a recording through the same path as a live camera."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.commands.translated_arguments import argument_help, command_help
from table.config.settings import ScreenConfig
from table.display.drawing.screen_options import ScreenOptions
from table.errors import TableError, print_error
from table.files.safe_reading import exists
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import print_line
from table.phrase import make_phrase
from table.pipeline import Pipeline
from table.playback.run_loop import hold_last_picture, run_to_end
from table.referee.interaction.panel_requests import SCREEN_TABLE_REQUESTS
from table.referee.records.journal import JournalLine, dump, read_lines
from table.sources.recordings.recording import Recording, open_recording

if TYPE_CHECKING:  # most replays show nothing
    from table.playback.screenshots import ScreenshotFolder


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("replay", **command_help("replay"))
    parser.add_argument("folder", metavar="DIR", type=Path, help=argument_help("usage.replay_folder"))
    parser.add_argument("--journal", metavar="FILE", type=Path, help=argument_help("usage.replay_journal"))
    parser.add_argument("--check", action="store_true", help=argument_help("usage.replay_check"))
    parser.add_argument(
        "--pictures",
        metavar="DIR",
        type=Path,
        help=argument_help("usage.replay_pictures"),
    )
    parser.add_argument("--window", action="store_true", help=argument_help("usage.replay_window"))
    parser.add_argument("--realtime", action="store_true", help=argument_help("usage.replay_realtime"))
    parser.set_defaults(run=run)


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
    album = _album(arguments.pictures, screen) if arguments.pictures is not None else None
    after = _photographer(pipeline, album) if album is not None else None
    with ExitStack() as stack:
        if arguments.window:
            from table.display.window import ScreenWindow  # loaded late: most replays show nothing

            window = stack.enter_context(
                ScreenWindow(screen.size, words=renderer_for(screen.language), look=ScreenOptions.of(screen))
            )
            ended_ns = run_to_end(pipeline, realtime=True, window=window, after=after)
        else:
            window, ended_ns = None, run_to_end(pipeline, realtime=arguments.realtime, after=after)
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


def _album(folder: Path, screen: ScreenConfig) -> ScreenshotFolder:
    """Open the folder for the pictures of the screen."""
    from table.playback.screenshots import ScreenshotFolder  # (as the window)

    return ScreenshotFolder(
        folder, screen.size, ScreenOptions.of(screen), words=renderer_for(screen.language)
    )


def _photographer(pipeline: Pipeline, album: ScreenshotFolder) -> Callable[[int], None]:
    """Return a function that saves a picture of the screen at each moment that matters."""

    def after(now_ns: int) -> None:
        if pipeline.decided:
            album.save_if_important(pipeline.decided, pipeline.view(now_ns))

    return after


def _truth(recording: Recording) -> list[JournalLine]:
    if not exists(recording.truth_path):
        raise TableError("file.none", at=recording.truth_path, expected=make_phrase("expected.what_happened"))
    return read_lines(recording.truth_path)
