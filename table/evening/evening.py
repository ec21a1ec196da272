"""An evening at the real table: one game after the other, and the menu between them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pygame

from table.buttons.lamps import Lamps, gpio_leds
from table.buttons.pinfactory import GpiodFactory
from table.cards import Card, pack
from table.config import SeatConfig, TableConfig
from table.display.draw import Shown
from table.display.look import Look
from table.display.screen import Screen
from table.display.sound import Sounds
from table.errors import TableError, complain
from table.evening.errands import Calibrating, Enrolling
from table.evening.keepsakes import copied, evenings, statistics
from table.evening.lobby import Lobby
from table.evening.shelf import Shelf
from table.events.known import sentence
from table.host.systemd import Notifier
from table.journals.archive import Unfinished, games_folder, is_over
from table.journals.complaints import Complaints
from table.menu import menu as choices
from table.menu.memory import recall, remember
from table.menu.menu import Around, Menu
from table.menu.pages import counted, found, opening, spells
from table.menu.plan import goes_on, plan_of, screen_of, set_up_of
from table.menu.view import Line
from table.names import person_of
from table.phrase import Phrase, PhrasedError, say
from table.pipeline import Pipeline, game_of
from table.playback.herald import Herald
from table.playback.pace import Window, Worked, work_off
from table.referee.wishes import AT_THE_TABLE, Wish
from table.setup.tomlfile import write_game
from table.sources.base import Source
from table.sources.keyed import Keyed
from table.sources.lasting import Lasting
from table.sources.live import LiveTable
from table.sources.recorder import Recorder
from table.sources.ring import Ring
from table.sources.seated import Seated, SeatedListener
from table.sources.shifted import Shifted
from table.words.catalogue import catalogue, languages
from table.words.render import words_of
from table.words.spoken import put, speak, tell, text

SWITCHES_OFF = "CARDTABLE_SWITCHES_OFF"
"""Set to 1 by the service: who ends with its own status is switched off with the machine."""
CHOSEN: Final = "chosen.json"
"""Beside the games: what was chosen last."""
GAME: Final = "game.toml"
"""Beside the games: the set-up of the game that the menu has begun, for its recordings."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A game at this table."""

    config: TableConfig
    """As ``table.toml`` has one: its seats are the chairs that are taken, by the players' names."""
    seated: Mapping[str, str]
    """The players by their chairs."""
    kept: Unfinished | None = None
    """Where it goes on; None where it begins."""


class Evening:
    """Who plays at the table, until the window is closed, a signal comes or somebody switches it off."""

    def __init__(
        self,
        set_up: TableConfig,
        table: LiveTable,
        shelf: Shelf,
        *,
        screen: Screen | None,
        ended: Callable[[], bool],
        sounds: Sounds | None = None,
        keyboard: bool = False,
        record: Path | None = None,
    ) -> None:
        """``screen``: None for a table that prints what happens, and has no menu; ``ended``: whether a signal came.

        ``record``: each game is recorded there, later ones beside it.
        """
        self._set_up = set_up
        self._table = table
        self._shelf = shelf
        self._screen = screen
        self._sounds = sounds
        self._ended = ended
        self._record = record
        self._recorded = 0
        self.unwritten: PhrasedError | None = None
        """Why the last game is not on the disk, or not all of it."""
        self._unseen: list[Phrase] = []
        """What was said as the last game ended: the next one's screen shows it."""
        times = set_up.buttons
        keyed = Keyed(table, set_up.seats, times.debounce_ms, times.release_ms) if keyboard else None
        self._keyed = keyed
        self._source = Lasting(self._keyed or table)
        self._memory = games_folder().parent / CHOSEN
        kept = recall(self._memory)
        self._shown = set_up.screen
        self.plan = plan_of(set_up, None if set_up.whole else kept)
        if kept is not None:
            self.plan = self.plan.knowing(*kept.known)
        self._dress()
        self._notifier = Notifier()

    def run(self, sitting: Sitting | None) -> bool:
        """Begin with this game, or with the menu; whether somebody has switched the table off."""
        if self._keyed is not None:
            put("\n  ".join(map(text, (say("play.keyboard"), *self._keyed.help))))
        told: Phrase | None = None
        try:
            while True:
                if sitting is None:
                    wish, sitting = self._choose(told)
                    if sitting is None:
                        return wish is choices.Wish.SWITCH_OFF
                    chosen = True
                else:
                    chosen = False
                try:
                    wished = self._play(sitting)
                    if wished is not Wish.MENU:
                        return wished is Wish.OFF
                    told = None
                except TableError as error:
                    if not chosen:
                        raise
                    told = say("menu.cant_begin", error=error)
                sitting = None
        finally:
            self._notifier.close()
            self._table.stop()
            self._source.close()

    # --- the menu -----------------------------------------------------------------------------------------------------

    def goes_on(self) -> Sitting | None:
        """The last game at this table, where it is unfinished."""
        found = self._shelf.last(lambda game: goes_on(game, self.plan, self._set_up))
        if found is None:
            return None
        config, kept = found
        players = set(map(person_of, config.names))
        names = ((seat.name, self.plan.seated.get(seat.name, "")) for seat in self._set_up.seats)
        chairs = [chair for chair, name in names if person_of(name) in players]
        seated = dict(zip(chairs, config.names, strict=True))
        return Sitting(self._of_menu(config), seated, kept)

    def _choose(self, told: Phrase | None) -> tuple[choices.Wish | None, Sitting | None]:
        """What is chosen in the menu; no game where the evening is over."""
        unfinished = self.goes_on()
        menu = replace(opening(self._around(unfinished), self.plan), told=told)
        while True:
            menu = self._stepped(menu)
            self.plan = menu.plan
            remember(self._memory, self.plan)
            match menu.wish:
                case choices.Wish.BEGIN:
                    config = set_up_of(self.plan, self._set_up, menu.lot)
                    return menu.wish, Sitting(self._of_menu(config), self.plan.seated)
                case choices.Wish.GO_ON:
                    return menu.wish, unfinished
                case choices.Wish.CALIBRATE | choices.Wish.ENROL:
                    menu = self._errand(menu, menu.wish)
                case choices.Wish.STATISTICS:
                    menu = counted(menu, statistics())
                case choices.Wish.EXPORT:
                    menu = found(menu, copied())
                case other:
                    return other, None

    def _stepped(self, menu: Menu) -> Menu:
        """The menu when it has a wish, or the evening is over."""
        lobby = Lobby(
            self._set_up,
            self._source,
            menu,
            lamps=None if self._keyed is not None else open_lamps(self._set_up.seats),
            keys=lambda: self._keys(presses=not spells(lobby.menu)),
        )

        def after(now_ns: int) -> None:
            self.plan = lobby.menu.plan
            self._dress()
            self._look_after(now_ns)

        self._show(lobby, after, lambda: lobby.menu.wish is not None)
        return lobby.menu

    def _errand(self, menu: Menu, wish: choices.Wish) -> Menu:
        """Something done with the table's camera; the menu again, with what came of it."""
        try:
            errand = (
                Calibrating(self._set_up, self._source)
                if wish is choices.Wish.CALIBRATE
                else Enrolling(self._set_up, self._source, self._pack(menu), self._keys)
            )
            self._show(errand, self._look_after, lambda: bool(errand.findings))
        except TableError as error:
            return found(menu, (Line(error.phrase),))
        self._set_up = errand.set_up
        return replace(found(menu, errand.findings), around=replace(menu.around, set_up=self._set_up))

    def _pack(self, menu: Menu) -> tuple[Card, ...]:
        """That of the game that is chosen, as far as one is."""
        return pack(52) if menu.fault is not None else game_of(set_up_of(menu.plan, self._set_up, 0)).pack()

    def _show(self, what: Worked, after: Callable[[int], None], over: Callable[[], bool]) -> None:
        """Work something off before the screen, until it is over or the evening is."""
        assert self._screen is not None
        self._table.hold_frames_while(lambda: False)
        work_off(what, window=_Window(self._screen, lambda: self._ended() or over()), after=after)

    def _around(self, unfinished: Sitting | None) -> Around:
        offers = {choices.Wish.CALIBRATE, choices.Wish.ENROL}
        if os.environ.get(SWITCHES_OFF) == "1":
            offers.add(choices.Wish.SWITCH_OFF)
        return Around(
            self._set_up,
            languages={name: catalogue(name).name for name in languages()},
            alphabets={name: catalogue(name).letters for name in languages()},
            evenings=evenings(),
            unfinished=None if unfinished is None else _told(unfinished),
            offers=frozenset(offers),
            keys=self._keyed is not None,
        )

    def _of_menu(self, config: TableConfig) -> TableConfig:
        """The set-up of a game that was chosen, with a file of its own: a recording holds what it needs."""
        path = self._memory.with_name(GAME)
        try:
            write_game(config, path)
        except (TableError, OSError):  # nothing can be kept there
            return config
        return replace(config, path=path)

    def _keys(self, *, presses: bool = True) -> Iterable[pygame.event.Event]:
        """The key events since the last time; where a keyboard plays, it has pressed the buttons too.

        ``presses``: not so while it spells a name.
        """
        events = self._screen.events() if self._screen is not None else []
        if self._keyed is not None and presses:
            self._keyed.press(events)
        return events

    def _dress(self) -> None:
        """The screen as it was chosen, at once."""
        shown = screen_of(self.plan, self._set_up)
        if self._screen is not None and shown != self._shown:
            self._shown = shown
            words = words_of(shown.language)
            speak(words)
            self._screen.set_up(words, Look.of(shown))

    def _look_after(self, now_ns: int) -> None:
        self._notifier.alive(now_ns)
        self._shelf.look_after(now_ns)

    # --- a game -------------------------------------------------------------------------------------------------------

    def _play(self, sitting: Sitting) -> Wish | None:
        """Play it; what was wished in its panel last."""
        with ExitStack() as stack:
            recorder, complaints = self._listeners(sitting, stack)
            pipeline = self._pipeline(sitting)
            herald = None
            if self._sounds is not None and sitting.config.screen.sound:
                herald = Herald(pipeline, self._sounds.play)
            teller = Teller(pipeline, decisions=self._screen is None)

            def leaves() -> bool:
                return pipeline.referee.wishes.made in (Wish.MENU, Wish.OFF)

            def after(now_ns: int) -> None:
                if self._screen is not None:
                    self._keys()
                warnings = [self._shelf.look_after(now_ns)]
                journal = pipeline.referee.journal
                if complaints is not None and journal.kept_at is not None:
                    warnings.append(
                        complaints.look(now_ns, journal.kept_at, journal.lines, pipeline.complaints)
                    )
                pipeline.remarks += [warning for warning in warnings if warning is not None]
                teller()
                if herald is not None:
                    herald()
                self._notifier.alive(now_ns)
                if self._screen is None and leaves():
                    self._table.stop()

            try:
                window = _Window(self._screen, lambda: self._ended() or leaves()) if self._screen else None
                work_off(pipeline, window=window, after=after)
            finally:
                journal = pipeline.referee.journal
                said = complaints.close(journal.lines) if complaints is not None else None
                if said is not None:
                    pipeline.remarks.append(said)
                    self._unseen.append(said)
                journal.close()
                pipeline.check_journal()
                teller()
        if recorder is not None:
            put("; ".join(map(text, (recorder.summary(), *filter(None, (recorder.trouble,))))))
        self.unwritten = journal.trouble
        if journal.trouble is None and not is_over(journal.lines):
            tell("play.kept")
        self._stay_seated(sitting, pipeline.referee.state.seats)
        return pipeline.referee.wishes.made

    def _pipeline(self, sitting: Sitting) -> Pipeline:
        kept = sitting.kept
        source: Source = Seated(self._source, sitting.seated)
        if kept is not None:
            source = Shifted(source, kept.until_ns)
        path = kept.path if kept is not None else self._shelf.fresh()
        wishes = set(AT_THE_TABLE) if self._screen is not None else {Wish.PAUSE}
        if os.environ.get(SWITCHES_OFF) == "1":
            wishes.add(Wish.OFF)
        keys = self._keyed.keys if self._keyed is not None else {}
        pipeline = Pipeline(
            sitting.config,
            source,
            journal=path,
            resume=kept.lines if kept is not None else (),
            settled=kept.settled if kept is not None else None,
            next_journal=self._shelf.fresh,
            lamps=None if self._keyed is not None else open_lamps(sitting.config.seats),
            aside=True,
            remarks=[*self._unseen, *self._shelf.take_remarks()],
            keys={sitting.seated[chair]: names for chair, names in keys.items() if chair in sitting.seated},
            wishes=frozenset(wishes),
        )
        self._unseen.clear()
        self._table.hold_frames_while(lambda: pipeline.behind)
        tell("play.goes_on" if kept else "play.new_game", path=str(path))
        trouble = pipeline.referee.journal.trouble
        if trouble is not None:
            complain(say("journal.nothing_kept", error=trouble))
        return pipeline

    def _listeners(self, sitting: Sitting, stack: ExitStack) -> tuple[Recorder | None, Complaints | None]:
        """Who keeps what the camera sees and the buttons say, as long as the game lasts."""
        recorder = complaints = None
        if self._record is not None:
            self._recorded += 1
            folder = self._record
            if self._recorded > 1:
                folder = folder.with_name(f"{folder.name}-{self._recorded}")
            recorder = stack.enter_context(Recorder(folder, sitting.config))
            self._listens(SeatedListener(recorder, sitting.seated), stack)
        if sitting.config.camera.keep_complaints:
            ring = stack.enter_context(Ring(sitting.config))
            self._listens(SeatedListener(ring, sitting.seated), stack)
            complaints = Complaints(ring)
        return recorder, complaints

    def _listens(self, listener: SeatedListener, stack: ExitStack) -> None:
        self._table.record(listener)
        stack.callback(self._table.forget, listener)

    def _stay_seated(self, sitting: Sitting, around: tuple[str, ...]) -> None:
        """The menu shows people where they sit by now."""
        plan = self.plan
        chairs = [chair for chair in self._set_up.seats if chair.name in sitting.seated]
        for chair in chairs:
            plan = plan.sit(chair.name, None)
        for chair, name in zip(chairs, around, strict=True):
            plan = plan.sit(chair.name, name)
        self.plan = replace(plan, dealer=self.plan.dealer if self.plan.dealer in around else None)
        remember(self._memory, self.plan)


def sitting_of(config: TableConfig, kept: Unfinished | None) -> Sitting:
    """The game that ``table.toml`` names."""
    return Sitting(config, {name: name for name in config.names}, kept)


def _told(sitting: Sitting) -> Phrase:
    """The game that can be gone on with."""
    lines = sitting.kept.lines if sitting.kept is not None else ()
    hand = max((line["hand"] for line in lines if line["event"] == "hand_started"), default=1)
    return say("menu.unfinished", game=sitting.config.game, hand=hand, seats=sitting.config.names)


def open_lamps(seats: tuple[SeatConfig, ...]) -> Lamps | None:
    """The lamps of these seats; where they can't be lit that is said, and the table does without."""
    if all(seat.led is None for seat in seats):
        return None
    try:
        factory = GpiodFactory()
    except TableError:
        factory = None  # gpiozero's own choice
    try:
        return Lamps(gpio_leds(seats, factory))
    except Exception as error:  # whatever gpiozero and its pin factories raise where there are no such pins
        complain(say("play.no_lamps", error=error))
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
            put(sentence(line))
        self._told = len(lines)


class _Window(Window):
    """The screen, which ends with what is shown on it."""

    def __init__(self, screen: Screen, over: Callable[[], bool]) -> None:
        self._screen = screen
        self._over = over

    def show(self, view: Shown) -> None:
        """Draw the view."""
        self._screen.show(view)

    def quits(self) -> bool:
        """Whether it is to be closed."""
        return self._over() or self._screen.quits()
