"""A session at the real table: one game after the other, with the menu between them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import pygame

from table.buttons.lamps import Lamps, gpio_leds
from table.cards import pack
from table.config.settings import SeatConfig, TableConfig, load_config
from table.config.toml_edit import set_keys, write_recording_config
from table.display.sound_player import Sounds
from table.display.window import ScreenWindow
from table.errors import TableError, print_error
from table.events.event_registry import line_sentence
from table.games.engine.game_state import Phase, State
from table.games.game import Game
from table.history.archive import Unfinished, games_folder, is_over
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import phrase_text, print_line, print_phrase, set_language
from table.menu.menu import Menu, MenuContext, MenuRequest
from table.menu.menu_pages import is_entering_name, show_findings, show_statistics
from table.menu.menu_view_data import MenuLine, make_loading_view
from table.menu.next_game_plan import (
    GamePlan,
    config_to_resume,
    game_config,
    initial_plan,
    place_chairs,
    screen_config,
    seats_to_resume,
)
from table.menu.remembered_choices import load_plan, save_plan
from table.phrase import Phrase, PhrasedError, make_phrase
from table.pipeline import Pipeline, game_from_config
from table.playback.run_loop import Playable, run_to_end
from table.playback.sound_cues import SoundCues
from table.referee.interaction.option_levels import SCREEN_TABLE_REQUESTS, TableRequest
from table.session.background_task import BackgroundTask
from table.session.calibration_and_enrolment_tasks import (
    CalibrationTask,
    EnrolmentTask,
    SeatFindingTask,
)
from table.session.complaint_recordings import ComplaintRecorder
from table.session.first_set_up import list_camera_sources
from table.session.game_pages import GamePages
from table.session.menu_lobby import Lobby
from table.session.past_games_for_menu import copy_games_to_stick, list_past_games, past_figures
from table.session.resume_or_new_game import GameStore
from table.sources.camera.v4l2 import find_in_use
from table.sources.keyboard_source import KeyboardSource
from table.sources.live_table import Listener, LiveTable
from table.sources.recordings.last_half_minute_buffer import ReplayBuffer
from table.sources.recordings.live_recorder import Recorder, is_unused
from table.sources.source import ClockShiftedSource, SharedSource, Source
from table.system.systemd import Notifier

SWITCHES_OFF = "CARDTABLE_SWITCHES_OFF"
"""Environment variable that the service sets to 1 where the table may power the machine off."""
CHOSEN: Final = "chosen.json"
"""File beside the games with the menu's last choices."""
GAME: Final = "game.toml"
"""File beside the games with the set-up of the game that the menu has begun, for its recordings."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A game with its players in their chairs."""

    config: TableConfig
    """A set-up as of ``table.toml``. Its seats are the occupied chairs, named by their players."""
    seated: Mapping[str, str]
    """The players in their chairs, by chair."""
    kept: Unfinished | None = None
    """The unfinished game to resume; None for a new game."""

    @property
    def menu_line(self) -> Phrase:
        """The menu's line for an unfinished game."""
        lines = self.kept.lines if self.kept is not None else ()
        hand = max((line["hand"] for line in lines if line["event"] == "hand_started"), default=1)
        return make_phrase("menu.unfinished", game=self.config.game, hand=hand, seats=self.config.names)


class TableSession:
    """Runs menu and games until the window is closed, a signal comes or somebody switches the table off."""

    def __init__(
        self,
        set_up: TableConfig,
        table: LiveTable,
        store: GameStore,
        *,
        screen: ScreenWindow | None,
        ended: Callable[[], bool],
        sounds: Sounds | None = None,
        keyboard: bool = False,
        record: Path | None = None,
    ) -> None:
        """``screen``: None for a table without one, which prints decisions and has no menu.

        ``ended``: whether a signal came. ``record``: folder for recordings of the games; later ones go beside it.
        """
        self._table = table
        self._store = store
        self._screen = screen
        self._sounds = sounds
        self._ended = ended
        self._record = record
        self._has_recorded = False
        self.write_error: PhrasedError | None = None
        """Why the last game could not be written to the disk completely, if it could not."""
        self._unseen: list[Phrase] = []
        """Remarks made as the last game ended, for the next game's screen."""
        self._printed = 0
        """The number of the game's remarks that have been printed, or were known before it."""
        self._keyed = KeyboardSource(table, set_up.seats, set_up.buttons) if keyboard else None
        self._source = SharedSource(self._keyed or table)
        self._memory = games_folder().parent / CHOSEN
        self._remembered = load_plan(self._memory)
        self._shown = set_up.screen
        self.plan = initial_plan(set_up, None if set_up.is_complete else self._remembered)
        if self._remembered is not None:
            self.plan = replace(self.plan, kept_rules=self._remembered.kept_rules)
            self.plan = self.plan.with_known_players(*self._remembered.known_players)
        guessed = {seat.name for seat in set_up.seats if not seat.placed}
        found = {chair: angle for chair, angle in self.plan.angles.items() if chair in guessed}
        self._set_up = place_chairs(set_up, found)
        self._apply_screen_options()
        self._notifier = Notifier()
        self._pages = GamePages()

    def run(self, seated_game: SeatedGame | None) -> bool:
        """Run the session, beginning with this game or the menu. Return whether somebody has switched the table off."""
        if self._keyed is not None:
            print_line("\n  ".join(map(phrase_text, (make_phrase("play.keyboard"), *self._keyed.key_help))))
        told: Phrase | None = None
        self._show_loading("menu.opening_camera")
        try:
            while True:
                chosen = seated_game is None
                if seated_game is None:
                    wish, seated_game = self._choose(told)
                    if seated_game is None:
                        return wish is MenuRequest.SWITCH_OFF
                try:
                    wished = self._play(seated_game)
                    if wished is not TableRequest.MENU:
                        return wished is TableRequest.OFF
                    told = None
                except TableError as error:
                    if not chosen:
                        raise
                    told = make_phrase("menu.cant_begin", error=error)
                seated_game = None
        finally:
            self._notifier.close()
            self._table.stop()
            self._source.close()

    # --- the menu -----------------------------------------------------------------------------------------------------

    def find_game_of_menu(self) -> SeatedGame | None:
        """Return the last game at this table if the menu began it, whatever ``table.toml`` sets, and it is unfinished.

        The plan is then the one with which the menu began it.
        """
        if self._remembered is None:
            return None
        plan, self.plan = self.plan, initial_plan(self._set_up, self._remembered)
        is_of_menu = self._is_of_menu(self._last_game(plan, self.plan))
        unfinished = self.find_unfinished_game() if is_of_menu else None
        if unfinished is None:
            self.plan = plan
        self._apply_screen_options()
        return unfinished

    def _is_of_menu(self, game: Game | None) -> bool:
        """Return whether this is the game whose set-up the menu has written beside the games."""
        try:
            begun = game_from_config(load_config(self._memory.with_name(GAME)))
        except TableError:  # the menu has begun none
            return False
        return game is not None and begun.start().announcements[0] == game.start().announcements[0]

    def find_unfinished_game(self) -> SeatedGame | None:
        """Return the last game at this table if it is unfinished."""
        game = self._last_game(self.plan)
        seated = seats_to_resume(game, self.plan, self._set_up) if game is not None else None
        if game is None or seated is None:
            return None
        try:
            kept = self._store.find_unfinished(game)
        except TableError:  # it is over, or can't go on; a new one can begin
            return None
        return self._seat_unfinished(kept, seated) if kept is not None else None

    def _last_game(self, *plans: GamePlan) -> Game | None:
        """Return the last game whose players sit here by one of these plans: a copy from another table is none."""
        games = self._store.games_from_last()
        return next(
            (game for game in games if any(seats_to_resume(game, plan, self._set_up) for plan in plans)), None
        )

    def _seat_unfinished(self, kept: Unfinished, seated: Mapping[str, str]) -> SeatedGame:
        """Return an unfinished game with its players in their chairs, and the set-up as it is now."""
        config = config_to_resume(kept.game, seated, self.plan, self._set_up)
        return SeatedGame(self._with_own_file(config), seated, kept)

    def _choose(self, told: Phrase | None) -> tuple[MenuRequest | None, SeatedGame | None]:
        """Run the menu; return the request that ends it and the chosen game, None at the end of the session."""
        unfinished = self.find_unfinished_game()
        menu = replace(Menu(self._menu_context(unfinished), self.plan), message=told)
        while True:
            menu = self._run_lobby(menu)
            self.plan = menu.plan
            save_plan(self._memory, self.plan)
            match menu.request:
                case MenuRequest.BEGIN:
                    config = game_config(self.plan, self._set_up, menu.lot_number)
                    return menu.request, SeatedGame(self._with_own_file(config), self.plan.seated)
                case MenuRequest.GO_ON:
                    assert unfinished is not None
                    assert unfinished.kept is not None
                    # The menu may have changed the set-up since: the mark has been found, sound is off.
                    return menu.request, self._seat_unfinished(unfinished.kept, unfinished.seated)
                case MenuRequest.CALIBRATE | MenuRequest.FIND_SEATS | MenuRequest.ENROL:
                    menu = self._run_camera_task(menu, menu.request)
                case MenuRequest.CHANGE_CAMERA:
                    menu = self._change_camera(menu)
                case MenuRequest.STATISTICS:
                    menu = show_statistics(menu, self._run_in_background(past_figures, "menu.counting"))
                case MenuRequest.EXPORT:
                    menu = show_findings(menu, self._run_in_background(copy_games_to_stick, "menu.copying"))
                case other:
                    return other, None

    def _run_lobby(self, menu: Menu) -> Menu:
        lobby = Lobby(
            self._set_up,
            self._source,
            menu,
            lamps=None if self._keyed is not None else open_seat_lamps(self._set_up.seats),
            keys=lambda: self._keys(presses=not is_entering_name(lobby.menu)),
        )

        def after(now_ns: int) -> None:
            self.plan = lobby.menu.plan
            self._apply_screen_options()
            self._keep_alive(now_ns)

        self._show(lobby, after, lambda: lobby.menu.request is not None)
        return lobby.menu

    def _run_camera_task(self, menu: Menu, wish: MenuRequest) -> Menu:
        """Run a task of the camera; return the menu with its findings."""
        task: CalibrationTask | SeatFindingTask | EnrolmentTask
        try:
            if wish is MenuRequest.CALIBRATE:
                task = CalibrationTask(self._set_up, self._source)
            elif wish is MenuRequest.FIND_SEATS:
                task = SeatFindingTask(self._set_up, self._source, menu.plan, self._keys)
            else:
                cards = pack(52)
                if menu.fault is None:  # a game is chosen
                    cards = game_from_config(game_config(menu.plan, self._set_up, 0)).pack()
                task = EnrolmentTask(self._set_up, self._source, cards, self._keys)
            self._show(task, self._keep_alive, lambda: bool(task.findings))
        except TableError as error:
            return show_findings(menu, (MenuLine(error.phrase),))
        self._set_up = task.set_up
        menu = menu.change_plan(angles={seat.name: seat.angle for seat in self._set_up.seats if seat.placed})
        menu = replace(menu, context=replace(menu.context, config=self._set_up))
        return show_findings(menu, task.findings)

    def _run_in_background(self, work: Callable[[], tuple[T, ...]], code: str) -> tuple[T, ...]:
        """Do what takes long while the screen says so; return the result, nothing where the session ends before."""

        def after(now_ns: int) -> None:
            self._keys()  # keys pressed meanwhile are for no later page
            self._keep_alive(now_ns)

        task = BackgroundTask(self._source, work, code)
        self._show(task, after, lambda: False)
        return task.result

    def _change_camera(self, menu: Menu) -> Menu:
        """Take the pictures of another camera, for which the mark has to be found anew; ``table.toml`` keeps it."""
        keys = {"source": menu.wanted_camera, "homography": None, "mat": None, "mat_turn": None}
        camera = replace(
            self._set_up.camera, source=menu.wanted_camera, homography=None, mat=None, mat_turn=0.0
        )
        message = None
        try:
            assert self._set_up.path is not None
            set_keys(self._set_up.path, "camera", keys)
        except TableError as error:  # the camera is used for this session
            message = error.phrase
        self._set_up = replace(self._set_up, camera=camera)
        self._table.change_camera(camera)
        context = replace(menu.context, config=self._set_up, camera_in_use=menu.wanted_camera)
        return replace(menu, context=context, request=None, message=message)

    def _show(self, what: Playable, after: Callable[[int], None], over: Callable[[], bool]) -> None:
        assert self._screen is not None
        self._table.holds_frames = lambda: False
        run_to_end(what, window=self._screen, after=after, ends=lambda: self._ended() or over())

    def _show_loading(self, code: str) -> None:
        """Show what is being loaded, before that holds everything up."""
        if self._screen is not None:
            self._screen.show(make_loading_view(code))

    def _menu_context(self, unfinished: SeatedGame | None) -> MenuContext:
        cameras = list_camera_sources()
        return MenuContext(
            self._set_up,
            languages={name: load_catalogue(name).name for name in languages()},
            alphabets={name: load_catalogue(name).letters for name in languages()},
            played_games=list_past_games(),
            unfinished=unfinished.menu_line if unfinished is not None else None,
            may_switch_off=os.environ.get(SWITCHES_OFF) == "1",
            has_keyboard=self._keyed is not None,
            cameras=cameras,
            camera_in_use=find_in_use(self._set_up.camera.source_without_password, cameras),
        )

    def _with_own_file(self, config: TableConfig) -> TableConfig:
        """Return the set-up of a chosen game with a file of its own, which its recordings copy."""
        path = self._memory.with_name(GAME)
        with suppress(TableError, OSError):  # nothing can be kept there
            write_recording_config(config, path)
            return replace(config, path=path)
        return config

    def _keys(self, *, presses: bool = True) -> Iterable[pygame.event.Event]:
        """Return the new key events, which go to the keyboard's buttons too (``presses``: false while naming)."""
        events = self._screen.events() if self._screen is not None else []
        if self._keyed is not None and presses:
            self._keyed.add_key_events(events)
        return events

    def _apply_screen_options(self) -> None:
        shown = screen_config(self.plan, self._set_up)
        if self._screen is not None and shown != self._shown:
            self._shown = shown
            set_language(renderer_for(shown.language))
            self._screen.set_up(shown)

    def _keep_alive(self, now_ns: int) -> None:
        self._notifier.notify_alive(now_ns)
        self._store.renew_lock(now_ns)

    # --- a game -------------------------------------------------------------------------------------------------------

    def _play(self, seated_game: SeatedGame) -> TableRequest | None:
        """Play a game; return the last request made in its panel."""
        with ExitStack() as stack:
            self._show_loading("menu.loading_detector")
            recorder, complaints = self._listeners(seated_game, stack)
            pipeline = self._pipeline(seated_game)
            self._has_recorded = recorder is not None
            sound_cues = None
            if self._sounds is not None and seated_game.config.screen.sound:
                sound_cues = SoundCues(self._sounds.play)

            def leaves() -> bool:
                return pipeline.referee.requests.requested in (TableRequest.MENU, TableRequest.OFF)

            def after(now_ns: int) -> None:
                self._after_delivery(pipeline, recorder, complaints, now_ns)
                if sound_cues is not None:
                    sound_cues(pipeline.referee, pipeline.decided)
                if self._screen is None and leaves():
                    self._table.stop()

            try:
                run_to_end(pipeline, window=self._screen, after=after, ends=lambda: self._ended() or leaves())
            finally:
                journal = pipeline.referee.journal
                said = complaints.close(journal.lines) if complaints is not None else None
                news = [*filter(None, (said,)), *self._pages.close()]
                pipeline.remarks += news
                self._unseen += news
                journal.close()
                pipeline.check_journal()
                self._print_remarks(pipeline)
        if recorder is not None:
            print_line("; ".join(map(phrase_text, (recorder.summary(), *filter(None, (recorder.trouble,))))))
        self.write_error = journal.write_error
        if journal.write_error is None and not is_over(journal.lines):
            print_phrase("play.kept")
        self._update_plan(seated_game, pipeline.referee.state)
        return pipeline.referee.requests.requested

    def _after_delivery(
        self,
        pipeline: Pipeline,
        recorder: Recorder | None,
        complaints: ComplaintRecorder | None,
        now_ns: int,
    ) -> None:
        """Store complaints, show and print what is new, and keep lock and watchdog alive."""
        self._keys()
        warnings = [self._store.renew_lock(now_ns)]
        journal = pipeline.referee.journal
        if complaints is not None and journal.durable_path is not None:
            path, calls = journal.durable_path, pipeline.complaint_count
            warnings.append(complaints.update(now_ns, path, journal.lines, pipeline.decided, calls))
        if recorder is not None and recorder.trouble not in pipeline.remarks:
            warnings.append(recorder.trouble)
        over = pipeline.referee.state.phase is Phase.OVER
        warnings += self._pages.update(journal.durable_path, pipeline.decided, over=over)
        pipeline.remarks += filter(None, warnings)
        self._print_remarks(pipeline)
        for line in pipeline.decided if self._screen is None else ():
            print_line(line_sentence(line))
        self._notifier.notify_alive(now_ns)

    def _print_remarks(self, pipeline: Pipeline) -> None:
        for remark in pipeline.remarks[self._printed :]:
            print_error(remark)
        self._printed = len(pipeline.remarks)

    def _pipeline(self, seated_game: SeatedGame) -> Pipeline:
        kept, seated = seated_game.kept, seated_game.seated
        source: Source = self._source
        if kept is not None:
            source = ClockShiftedSource(source, kept.latest_ns)
        path = kept.path if kept is not None else self._store.new_journal_path()
        wishes = set(SCREEN_TABLE_REQUESTS) if self._screen is not None else {TableRequest.PAUSE}
        if os.environ.get(SWITCHES_OFF) == "1":
            wishes.add(TableRequest.OFF)
        keys = self._keyed.key_names if self._keyed is not None else {}
        pipeline = Pipeline(
            seated_game.config,
            source,
            journal=path,
            resume=kept.lines if kept is not None else (),
            stored=kept.stored if kept is not None else None,
            next_journal=self._store.new_journal_path,
            lamps=None if self._keyed is not None else open_seat_lamps(seated_game.config.seats),
            aside=True,
            remarks=[*self._unseen, *self._store.pop_remarks()],
            seated=seated,
            keys={seated[chair]: names for chair, names in keys.items() if chair in seated},
            wishes=frozenset(wishes),
        )
        self._unseen.clear()
        self._printed = len(pipeline.remarks)
        self._table.holds_frames = lambda: pipeline.is_backlogged
        print_phrase("play.goes_on" if kept else "play.new_game", path=str(path))
        trouble = pipeline.referee.journal.write_error
        if trouble is not None:
            print_error(make_phrase("journal.nothing_kept", error=trouble))
        return pipeline

    def _listeners(
        self, seated_game: SeatedGame, stack: ExitStack
    ) -> tuple[Recorder | None, ComplaintRecorder | None]:
        """Open the recorder and the complaint recorder of a game; they are closed with the stack."""
        recorder = complaints = None
        if self._record is not None:
            recorder = stack.enter_context(Recorder(self._recording_folder(self._record), seated_game.config))
            self._add_listener(recorder, seated_game.seated, stack)
        if seated_game.config.camera.keep_complaints:
            try:
                ring = stack.enter_context(ReplayBuffer(seated_game.config))
            except TableError as error:  # a full disk: the game is played without them
                print_error(error)
                self._unseen.append(error.phrase)
            else:
                self._add_listener(ring, seated_game.seated, stack)
                complaints = ComplaintRecorder(ring)
        return recorder, complaints

    def _recording_folder(self, first: Path) -> Path:
        """Return the folder of the next recording: ``first``, then the next number beside it that is unused."""
        folder, number = first, 1
        while self._has_recorded and not is_unused(folder):
            number += 1
            folder = first.parent / f"{first.name}-{number}"
        return folder

    def _add_listener(self, listener: Listener, seated: Mapping[str, str], stack: ExitStack) -> None:
        self._table.add_listener(listener, seated)
        stack.callback(self._table.remove_listener, listener)

    def _update_plan(self, seated_game: SeatedGame, state: State) -> None:
        """Update the plan: players stay in the chairs in which they sit now.

        Who has left keeps a chair only as long as the game can go on.
        """
        plan = self.plan
        gone = state.away if state.phase is Phase.OVER else frozenset()
        chairs = [chair for chair in self._set_up.seats if chair.name in seated_game.seated]
        for chair in chairs:
            plan = plan.seat_player(chair.name, None)
        for chair, name in zip(chairs, state.seats, strict=True):
            if name not in gone:
                plan = plan.seat_player(chair.name, name)
        dealer = self.plan.dealer
        self.plan = replace(plan, dealer=dealer if dealer in state.seats and dealer not in gone else None)
        save_plan(self._memory, self.plan)


def open_seat_lamps(seats: tuple[SeatConfig, ...]) -> Lamps | None:
    """Open the lamps of these seats; return None, and print why, if they can't be lit."""
    if all(seat.led is None for seat in seats):
        return None
    try:
        return Lamps(gpio_leds(seats))
    except Exception as error:  # whatever gpiozero and its pin factories raise where there are no such pins
        print_error(make_phrase("play.no_lamps", error=error))
        return None
