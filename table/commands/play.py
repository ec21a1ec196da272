"""``cardtable play``: the real table."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from table.archive import (
    Unfinished,
    fresh_path,
    games_folder,
    go_on_or_mend,
    holds_something,
    is_over,
    lock_path,
    unfinished,
)
from table.busy import check_free
from table.buttons.lamps import Lamps, gpio_leds
from table.buttons.pinfactory import GpiodFactory
from table.complaints import Complaints
from table.config import TableConfig, load_config
from table.display.screen import Screen, has_display
from table.display.sound import Sounds
from table.errors import TableError, complain
from table.events.known import sentence
from table.files import exists, is_file, is_folder
from table.games.game import Game
from table.herald import Herald
from table.lock import Lock
from table.notify import Notifier
from table.pace import Window, work_off
from table.phrase import Phrase, say
from table.pipeline import CHECK_NS, Pipeline, game_of
from table.referee.rows import scan
from table.referee.view import View
from table.referee.wishes import Wish
from table.setup.view import fault, measure
from table.sources.base import Source
from table.sources.keyed import Keyed
from table.sources.live import LiveTable, open_live
from table.sources.recorder import Recorder
from table.sources.ring import Ring
from table.sources.shifted import Shifted
from table.words.spoken import tell, text

SWITCHES_OFF = "CARDTABLE_SWITCHES_OFF"
"""Set to 1 by the service: who ends with this status is switched off with the machine."""
SWITCHED_OFF = 6


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "play",
        help="the real table",
        description="Play at the real table: camera, buttons and lamps as table.toml says, and the whole screen. "
        "Every decision is kept at once; a game that was broken off goes on where it was, and from the last good line "
        "where its journal is damaged. Escape, Ctrl-C or SIGTERM ends the program, not the game.",
    )
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help="default: table.toml"
    )
    parser.add_argument(
        "--journal",
        metavar="FILE",
        type=Path,
        help="keep the game there (default: a new file in ~/.local/state/cardtable/games)",
    )
    parser.add_argument("--new", action="store_true", help="begin a new game even if the last is unfinished")
    parser.add_argument(
        "--keyboard", action="store_true", help="keys instead of buttons, for a table without any"
    )
    parser.add_argument(
        "--record", metavar="DIR", type=Path, help="record camera and buttons too (see record)"
    )
    parser.add_argument("--window", action="store_true", help="in a window instead of the whole screen")
    parser.add_argument("--headless", action="store_true", help="without a screen: print what happens")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    config = load_config(arguments.config)
    game = game_of(config)
    _check_view(config)
    if arguments.headless and arguments.keyboard:
        raise TableError("--keyboard: expected a window, whose keys they are (not with --headless)")
    if not arguments.headless and not has_display():
        raise TableError("no display (X, Wayland or KMS): connect a screen, or say --headless")
    check_free(playing=True)
    shelf = Shelf(game, arguments.journal)
    with ExitStack() as stack:
        stack.enter_context(shelf)
        kept = None if arguments.new else shelf.unfinished()
        table = open_live(config, keyboard=arguments.keyboard)
        recorder = stack.enter_context(Recorder(arguments.record, config)) if arguments.record else None
        if not arguments.headless:
            table.outlive_film()  # whoever sits before the screen may go on with keys and buttons
        if recorder is not None:
            table.record(recorder)
        complaints = None
        if config.camera.keep_complaints:
            ring = stack.enter_context(Ring(config))
            table.record(ring)
            complaints = Complaints(ring)
        ended = stack.enter_context(ended_by_signals(table.stop))
        off = play(config, table, shelf, kept, ended, arguments, complaints)
    if recorder is not None:
        print("; ".join(map(text, (recorder.summary(), *filter(None, (recorder.trouble,))))))
    return SWITCHED_OFF if off else 0


def _check_view(config: TableConfig) -> None:
    """``TableError`` for a view of the table that nobody could play with."""
    if config.camera.homography is None:
        return  # (sight says so)
    wrong = fault(measure(config.camera.homography, config.camera.size))
    if wrong is not None:
        raise TableError(say("view.unfit", path=str(config.path or "table.toml"), why=wrong))


class Shelf:
    """Where this table's games are kept; locked against other tables from entering to leaving."""

    def __init__(self, game: Game, file: Path | None) -> None:
        """``file``: for the first game, instead of a new one in the state folder."""
        self._game = game
        self._file = file
        self._lock: Lock | None = None
        self._looked_ns = 0
        self._lost = False
        self.remarks: list[Phrase] = []
        """What players should know of the journals that were found."""

    def __enter__(self) -> Shelf:
        folder = games_folder()
        if self._file is not None and (is_file(self._file) or not exists(self._file)):
            folder = self._file.parent
            if not is_folder(folder):
                raise TableError(f"{self._file}: the journal can't be written (no such folder)")
        self._lock = Lock(lock_path(folder))
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()

    def unfinished(self) -> Unfinished | None:
        """The game that goes on; None for a new one."""
        if self._file is not None:
            return self._of_file(self._file)
        try:
            kept = unfinished(games_folder(), self._game, self._tell)
        except TableError as error:
            # A table that did not come up at all would be worse; the file stays for whoever wants to mend it.
            self._tell(say("journal.cant_go_on", error=str(error)))
            kept = None
        return self._told(kept)

    def _of_file(self, file: Path) -> Unfinished | None:
        if not exists(file) or not holds_something(file):
            return None
        if file.suffix != ".jsonl" and not scan(file).lines:
            raise TableError(
                f"{file}: {scan(file).fault or 'no lines'}: expected a journal, or a new file's name"
            )
        return self._told(go_on_or_mend(file, self._game, self._tell))

    def _told(self, kept: Unfinished | None) -> Unfinished | None:
        if kept is None and self.remarks:
            self._tell(say("journal.new_game"))
        elif kept is not None and self._lock is not None:
            self._lock.tell(kept.path)
        return kept

    def _tell(self, remark: Phrase) -> None:
        self.remarks.append(remark)
        complain(remark)

    def look_after(self, now_ns: int) -> Phrase | None:
        """Keep the lock, also when somebody deletes its file; to be called again and again.

        What there is to say, once, where another table has taken it.
        """
        if self._lock is None or self._lost or now_ns - self._looked_ns < CHECK_NS:
            return None
        self._looked_ns = now_ns
        self._lost = not self._lock.renew()
        return say("journal.another_play") if self._lost else None

    def fresh(self) -> Path:
        """A new game's place."""
        path = fresh_path(games_folder(), datetime.now()) if self._file is None else self._beside(self._file)
        if self._lock is not None:
            self._lock.tell(path)
        return path

    def _beside(self, file: Path) -> Path:
        path, number = file, 1
        while exists(path) and path.stat().st_size > 0:
            number += 1
            path = file.with_stem(f"{file.stem}-{number}")
        return path


@contextmanager
def ended_by_signals(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """SIGTERM, SIGHUP and Ctrl-C call ``stop``; yields whether one of them has come."""
    came: list[int] = []

    def handler(number: int, _: object) -> None:
        came.append(number)
        stop()

    ends = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        ends.append(signal.SIGHUP)
    before = {number: signal.signal(number, handler) for number in ends}
    try:
        yield lambda: bool(came)
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def play(
    config: TableConfig,
    table: LiveTable,
    shelf: Shelf,
    kept: Unfinished | None,
    ended: Callable[[], bool],
    arguments: argparse.Namespace,
    complaints: Complaints | None = None,
) -> bool:
    """Play until the window is closed, a signal comes or, without a screen, the film that is the camera ends.

    Whether somebody has switched the table off by its panel.
    """
    source: Source = table
    if kept is not None:
        latest = max(max(line["t_ns"], line["decided_ns"]) for line in kept.lines)
        source = Shifted(table, latest)
    keyed = Keyed(source, config.seats, config.buttons.debounce_ms) if arguments.keyboard else None
    path = kept.path if kept is not None else shelf.fresh()
    pipeline = Pipeline(
        config,
        keyed or source,
        journal=path,
        resume=kept.lines if kept is not None else (),
        next_journal=shelf.fresh,
        lamps=None if arguments.keyboard else open_lamps(config),
        aside=True,
        remarks=shelf.remarks,
        keys=keyed.keys if keyed is not None else None,
        wishes=frozenset({Wish.PAUSE} | ({Wish.OFF} if os.environ.get(SWITCHES_OFF) == "1" else set())),
    )
    table.hold_frames_while(lambda: pipeline.behind)
    tell("play.goes_on" if kept else "play.new_game", path=str(path))
    if keyed is not None:
        print(text(say("play.keyboard")), *map(text, keyed.help), sep="\n  ")
    notifier = Notifier()
    teller = Teller(pipeline, decisions=arguments.headless)
    try:

        def after(now_ns: int) -> None:
            warnings = [shelf.look_after(now_ns)]
            journal = pipeline.referee.journal
            if complaints is not None and journal.kept_at is not None:
                warnings.append(complaints.look(now_ns, journal.kept_at, journal.lines, pipeline.complaints))
            pipeline.remarks += [warning for warning in warnings if warning is not None]
            teller()
            notifier.alive(now_ns)
            if pipeline.referee.wishes.made is Wish.OFF:
                table.stop()

        if arguments.headless:
            work_off(pipeline, after=after)
        else:
            over = lambda: ended() or pipeline.referee.wishes.made is Wish.OFF  # noqa: E731
            _in_window(
                pipeline, keyed, after, over, fullscreen=not arguments.window, sound=config.screen.sound
            )
    finally:
        notifier.close()
        table.stop()
        if complaints is not None:
            complaints.close(pipeline.referee.journal.lines)
        pipeline.referee.journal.close()
        pipeline.check_journal()
        teller()
    if pipeline.referee.journal.trouble is not None:
        raise TableError(pipeline.referee.journal.trouble)
    if not is_over(pipeline.referee.journal.lines):
        tell("play.kept")
    return pipeline.referee.wishes.made is Wish.OFF


def open_lamps(config: TableConfig) -> Lamps | None:
    """The lamps of table.toml; where they can't be lit that is said, and the table does without."""
    if all(seat.led is None for seat in config.seats):
        return None
    try:
        factory = GpiodFactory()
    except TableError:
        factory = None  # gpiozero's own choice
    try:
        return Lamps(gpio_leds(config.seats, factory))
    except Exception as error:  # whatever gpiozero and its pin factories raise where there are no such pins
        complain(say("play.no_lamps", error=" ".join(str(error).split())))
        return None


class Teller:
    """Prints what is decided, as sentences, and what was wrong with journals since the game began."""

    def __init__(self, pipeline: Pipeline, *, decisions: bool) -> None:
        self._pipeline = pipeline
        self._referee = pipeline.referee
        self._decisions = decisions
        self._told = len(self._referee.journal.lines)
        self._remarked = len(pipeline.remarks)

    def __call__(self) -> None:
        """Print what is new."""
        for remark in self._pipeline.remarks[self._remarked :]:
            complain(remark)
        self._remarked = len(self._pipeline.remarks)
        if not self._decisions:
            return
        if self._referee is not self._pipeline.referee:
            self._referee, self._told = self._pipeline.referee, 0
        lines = self._referee.journal.lines
        for line in lines[self._told :]:
            print(text(sentence(line)), flush=True)
        self._told = len(lines)


def _in_window(
    pipeline: Pipeline,
    keyed: Keyed | None,
    then: Callable[[int], None],
    ended: Callable[[], bool],
    *,
    fullscreen: bool,
    sound: bool,
) -> None:
    with Screen(fullscreen=fullscreen) as screen, Sounds() as sounds:
        herald = Herald(pipeline, sounds.play) if sound else None

        def after(now_ns: int) -> None:
            if keyed is not None:
                keyed.press(screen.events())
            then(now_ns)
            if herald is not None:
                herald()

        work_off(pipeline, window=_Window(screen, ended), after=after)


class _Window(Window):
    """The screen, which a signal closes too."""

    def __init__(self, screen: Screen, ended: Callable[[], bool]) -> None:
        self._screen = screen
        self._ended = ended

    def show(self, view: View) -> None:
        """Draw the view."""
        self._screen.show(view)

    def quits(self) -> bool:
        """Whether it is to be closed."""
        return self._ended() or self._screen.quits()
