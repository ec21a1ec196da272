"""``cardtable play`` with neither game nor players begins with the menu; whole evenings by buttons alone."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table import pipeline
from table.__main__ import main
from table.buttons.gpio_edges import EdgeReading
from table.commands import play
from table.config.settings import ScreenConfig, TableConfig, load_config
from table.display.view_picture import ScreenView
from table.display.window import ScreenWindow
from table.errors import TableError
from table.i18n.catalogue import load_catalogue
from table.i18n.phrase_rendering import PhraseRenderer
from table.menu.menu_view_data import MenuLine, MenuView, make_loading_view
from table.menu.next_game_plan import place_chairs
from table.observed_facts import MS, Delivery, Edge, Frame
from table.phrase import Phrase, make_phrase
from table.referee.model.view import View
from table.referee.records.journal import JournalLine, read_lines
from table.session import table_session as evening_module
from table.sources.live_table import Listener, LiveTable
from table.sources.recordings import live_recorder
from table.sources.recordings.live_recorder import Recorder
from table.sources.source import Source
from table.system.systemd import Notifier
from table.tracker_thread import Tracker
from tests import wrong
from tests.commands.filmed import RECORDING, FilmedTable
from tests.commands.people import People
from tests.history.test_archive import written

CAMERA = "[camera]\nhomography = [[1.8, 0, 640], [0, 1.8, 360], [0, 0, 1]]\nkeep_complaints = false\n"
ONE_BUTTON = "".join(f"[[seat]]\nangle = {90 * number}\nbid = {number + 4}\n" for number in range(4))
COMPLETE = '[game]\nname = "whysteria"\n[game.options]\nhands = [2, 1]\n' + "".join(
    f'[[seat]]\nname = "{name}"\nangle = {120 * number}\nbid = {number + 4}\nrap = {number + 10}\n'
    for number, name in enumerate(("Ada", "Ben", "Cleo"))
)
COMPLETE += CAMERA
WATCHDOG_NS = 20_000 * MS
"""As the unit has it."""
Script = Callable[[People], Iterator[Delivery]]


class Beside:
    """Sight that keeps up with a table whose clock runs as fast as it can."""

    full = False

    def __init__(self, eyes: Tracker) -> None:
        self.see, self.without_frames, self.end = eyes.see, eyes.without_frames, eyes.end

    def close(self) -> None:
        """Nothing runs."""


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[list[JournalLine]]]:
    """Play an evening; the journals of its games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(pipeline, "TrackerThread", Beside)
    monkeypatch.setattr(play, "has_display", lambda: True)  # pygame's dummy driver is none
    config = tmp_path / "table.toml"

    def played(script: Script, text: str = CAMERA, *arguments: str) -> list[list[JournalLine]]:
        config.write_text(text)
        people = People(script, one_button="bid =" in text and "rap =" not in text)
        monkeypatch.setattr(play, "open_live", people.open)

        def show(screen: ScreenWindow, view: ScreenView) -> None:
            people.shown = view

        monkeypatch.setattr(ScreenWindow, "show", show)
        monkeypatch.setattr(ScreenWindow, "quits", lambda screen: people.stopped)
        ends = iter(script(people))
        people.script = lambda _: until_the_end(people, ends)
        assert main(["play", "--config", str(config), "--window", *arguments]) == 0
        assert config.read_text() == text, "what is chosen is kept elsewhere"
        assert people.listeners == []
        folder = tmp_path / "cardtable" / "games"
        return [read_lines(path) for path in sorted(folder.glob("*.jsonl"))] if folder.exists() else []

    return played


def until_the_end(people: People, script: Iterator[Delivery]) -> Iterator[Delivery]:
    yield from script
    people.stop()


def events(lines: list[JournalLine], *kinds: str) -> list[JournalLine]:
    return [line for line in lines if line["event"] in kinds]


def begin_oh_hell(people: People) -> Iterator[Delivery]:
    """Three players are named and Oh Hell begins."""
    yield from people.choose("2", "menu.players")
    yield from people.seat("2", 1, "Ada")
    yield from people.seat("2", 2, "Ben")
    yield from people.seat("4", 4, "Zoe")
    yield from people.choose("1", "menu.done")
    yield from people.choose("1", "menu.game")
    yield from people.choose("1", "menu.game_is", game="oh-hell")
    yield from people.choose("1", "menu.single_rules")
    yield from people.choose("1", "rule.oh-hell.scoring")
    yield from people.choose("1", "rule.oh-hell.scoring.harsh")
    yield from people.choose("1", "menu.done")
    yield from people.choose("1", "menu.dealer")
    yield from people.choose("1", "Zoe")
    yield from people.choose("1", "menu.begin")
    yield from people.wait(500)


def leave_game(people: People, chair: str) -> Iterator[Delivery]:
    """Leave the game for the menu: it can be gone on with."""
    yield from people.wrong(chair)
    yield from people.choose(chair, "panel.leave")
    yield from people.choose(chair, "panel.yes")


@pytest.mark.parametrize("text", [CAMERA, CAMERA + ONE_BUTTON], ids=["two buttons", "one button"])
def test_from_an_empty_set_up_to_a_game_by_buttons_alone(evening: Any, text: str) -> None:
    told: list[str] = []

    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(100)
        assert isinstance(people.shown, MenuView)
        yield from begin_oh_hell(people)
        assert isinstance(people.shown, View)
        told.extend(people.shown.game.seats)
        assert people.shown.seat_angles["Zoe"] == pytest.approx(
            330 if "[[seat]]" not in text else 270, abs=0.01
        )

    (lines,) = evening(script, text)
    assert told == ["Ada", "Ben", "Zoe"]
    assert lines[0]["game"] == "oh-hell"
    assert lines[0]["options"]["scoring"] == "harsh"
    assert lines[0]["options"]["first_dealer"] == lines[1]["dealer"] == "Zoe"
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))


def test_what_was_chosen_last_stands_there_and_the_game_goes_on(evening: Any, tmp_path: Path) -> None:
    evening(begin_oh_hell)
    kept = json.loads((tmp_path / "cardtable" / "chosen.json").read_text())
    assert kept["seated"] == {"1": "Ada", "2": "Ben", "4": "Zoe"}

    def goes_on(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        assert isinstance(people.shown, View), "after a power cut the table comes up in the same hand"
        yield from leave_game(people, "1")
        yield from people.wait(200)
        assert isinstance(people.shown, MenuView)
        assert people.shown.lines[0].text.code == "menu.go_on"
        yield from people.choose("2", "menu.go_on")
        yield from people.wait(200)
        assert isinstance(people.shown, View)

    (lines,) = evening(goes_on)
    assert [line["event"] for line in lines] == ["game_started", "hand_started"]

    def anew(people: People) -> Iterator[Delivery]:
        yield from people.choose("1", "menu.begin")
        yield from people.wait(200)

    first, second = evening(anew, CAMERA, "--new")
    assert {**first[0], "t_ns": 0, "decided_ns": 0} == {**second[0], "t_ns": 0, "decided_ns": 0}


def test_what_is_put_right_in_the_menu_holds_for_the_game_that_goes_on(
    evening: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class SeatsFound:
        """Somebody has found where the first chair stands."""

        findings: tuple[MenuLine, ...] = ()

        def __init__(self, set_up: TableConfig, source: Source, *_: object) -> None:
            self.set_up, self._source = set_up, source

        def run(self) -> Iterator[int]:
            for delivery in self._source.deliveries():
                self.set_up = place_chairs(self.set_up, {"1": 17.0})
                self.findings = (MenuLine(make_phrase("menu.done")),)
                yield delivery.now_ns

        def view(self, now_ns: int) -> MenuView:
            return make_loading_view("menu.looking")

    monkeypatch.setattr(evening_module, "SeatFindingTask", SeatsFound)

    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        yield from leave_game(people, "1")
        yield from people.choose("1", "menu.settings")
        yield from people.choose("1", "menu.sound")
        yield from people.choose("1", "menu.find_seats")
        yield from people.choose("1", "menu.done")
        yield from people.choose("1", "menu.done")
        yield from people.choose("1", "menu.go_on")
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        assert people.shown.seat_angles["Ada"] == 17.0

    (lines,) = evening(script)
    assert [line["event"] for line in lines] == ["game_started", "hand_started"]
    assert not load_config(tmp_path / "cardtable" / "game.toml").screen.sound


def test_while_games_are_copied_the_screen_says_so_and_the_watchdog_is_content(
    evening: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = threading.Event()
    alive: list[int] = []

    def copies() -> tuple[MenuLine, ...]:
        assert stick.wait(60)
        return (MenuLine(make_phrase("history.copied", n=1, folder="/media/stick")),)

    monkeypatch.setattr(evening_module, "copy_games_to_stick", copies)
    monkeypatch.setattr(Notifier, "notify_alive", lambda _, now_ns: alive.append(now_ns))

    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        yield from leave_game(people, "1")
        yield from people.choose("1", "menu.evenings")
        yield from people.choose("1", "menu.export")
        since = people.now
        yield from people.wait(60_000)
        assert isinstance(people.shown, MenuView)
        assert [line.text for line in people.shown.lines] == [make_phrase("menu.copying")]
        told = [since, *(now for now in alive if now > since)]
        assert max(after - before for before, after in pairwise(told)) < WATCHDOG_NS
        stick.set()
        [copying] = (thread for thread in threading.enumerate() if thread.name == "menu task")
        copying.join()
        yield from people.wait(200)
        assert isinstance(people.shown, MenuView)
        assert people.shown.lines[0].text == make_phrase("history.copied", n=1, folder="/media/stick")

    evening(script)


def end_the_game(people: People, by: str, other: str) -> Iterator[Delivery]:
    """One player ends the game, another leads from its result to the menu."""
    yield from people.wrong(by)
    yield from people.choose(by, "panel.end")
    yield from people.choose(by, "panel.yes")
    yield from people.rap(other)
    yield from people.choose(other, "panel.menu")


def test_between_games_another_game_for_the_same_people_and_a_guest_on_one_button_each(evening: Any) -> None:
    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        yield from end_the_game(people, "1", "2")
        yield from people.choose("2", "menu.game")
        yield from people.choose("2", "menu.game_is", game="prediction-whist")
        yield from people.choose("2", "rule.all_usual")
        yield from people.choose("2", "menu.players")
        yield from people.seat("3", 3, "Eve")
        yield from people.choose("3", "menu.chair", number=1)
        yield from people.choose("3", "Zoe")  # they change chairs
        yield from people.choose("3", "menu.done")
        yield from people.choose("2", "menu.dealer")
        yield from people.choose("2", "menu.by_lot")
        yield from people.choose("2", "menu.begin")
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        dealer = people.shown.state.dealer
        chair = {"Zoe": "1", "Ben": "2", "Eve": "3", "Ada": "4"}[dealer]
        yield from people.rap(chair)
        assert isinstance(people.shown, View)
        bidder = people.shown.expected.default_seat
        assert bidder is not None
        yield from people.bid({"Zoe": "1", "Ben": "2", "Eve": "3", "Ada": "4"}[bidder], 2)

    first, second = evening(script, CAMERA + ONE_BUTTON)
    assert events(first, "game_over")
    assert second[0]["seats"] == ["Zoe", "Ben", "Eve", "Ada"]
    assert [line["event"] for line in second] == ["game_started", "hand_started", "trump", "dealt", "bid"]
    assert second[0]["options"]["first_dealer"] == second[1]["dealer"], "the lot's outcome is in the journal"


def test_a_game_that_table_toml_sets_is_begun_without_the_menu_which_is_there_between_games(
    evening: Any,
) -> None:
    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        yield from end_the_game(people, "Ada", "Ben")
        yield from people.wait(200)
        assert isinstance(people.shown, MenuView)
        yield from people.choose("Ben", "menu.begin")
        yield from people.wait(200)

    first, second = evening(script, COMPLETE)
    assert second[0]["options"]["hands"] == first[0]["options"]["hands"] == [2, 1]
    assert second[0]["seats"] == first[0]["seats"]


def test_who_left_a_game_that_is_over_has_no_chair_in_the_menu_after_it(evening: Any) -> None:
    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        yield from people.wrong("Ada")
        yield from people.choose("Ada", "panel.comes_and_goes")
        yield from people.choose("Ada", "panel.leaves", seat="Cleo")
        yield from people.choose("Ada", "panel.yes")
        yield from end_the_game(people, "Ada", "Ben")
        yield from people.choose("Ben", "menu.begin")
        yield from people.wait(200)

    first, second = evening(script, COMPLETE)
    assert first[0]["seats"] == ["Ada", "Ben", "Cleo"]
    assert second[0]["seats"] == ["Ada", "Ben"]


def test_each_game_of_an_evening_is_recorded_beside_what_an_earlier_one_left(
    evening: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("film-2", "film-4"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "table.toml").write_text("# of an earlier evening\n")
    damaged = [TableError("file.damaged", at="pack")]

    def make_pipeline(*arguments: Any, **options: Any) -> pipeline.Pipeline:
        if damaged:
            raise damaged.pop()
        return pipeline.Pipeline(*arguments, **options)

    monkeypatch.setattr(evening_module, "Pipeline", make_pipeline)

    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        assert isinstance(people.shown, MenuView)
        assert people.shown.message is not None, "the first game could not begin"
        for _ in range(3):
            yield from people.choose("1", "menu.begin")
            yield from people.wait(200)
            [recorder] = people.listeners
            recorder.add_reading(EdgeReading((Edge(people.now, "1", "bid", 1),), people.now + 1))
            yield from leave_game(people, "1")

    assert len(evening(script, CAMERA, "--record", str(tmp_path / "film"))) == 3
    recorded = {path.parent.name for path in tmp_path.glob("film*/buttons.csv")}
    assert recorded == {"film", "film-3", "film-5"}


def test_players_are_told_during_the_game_that_its_recording_has_ended(
    evening: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_recorder, "MIN_FREE_BYTES", 2**63)
    told: list[Phrase] = []

    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        yield from people.wait(200)
        [recorder] = people.listeners
        assert isinstance(recorder, Recorder)
        recorder.add_frame(Frame(people.now, np.zeros((720, 1280, 3), np.uint8), 0))
        yield from people.wait(100)
        while recorder.trouble is None:
            yield from people.wait(100)
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        told.extend(notice.phrase for notice in people.shown.notices)
        yield from leave_game(people, "1")

    evening(script, CAMERA, "--record", str(tmp_path / "film"))
    full = make_phrase("recording.disk_full")
    assert make_phrase("recording.ended", why=full) in told


def test_a_game_that_the_menu_has_begun_goes_on_also_where_table_toml_sets_another(evening: Any) -> None:
    def begins(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        yield from leave_game(people, "Ada")
        yield from people.choose("Ada", "menu.players")
        yield from people.seat("Ada", 3, "Zoe")
        yield from people.choose("Ada", "menu.done")
        yield from people.choose("Ada", "menu.game")
        yield from people.choose("Ada", "menu.game_is", game="oh-hell")
        yield from people.choose("Ada", "rule.all_usual")
        yield from people.choose("Ada", "menu.begin")
        yield from people.wait(200)

    seen: list[tuple[str, tuple[str, ...]]] = []

    def comes_back(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        seen.append((people.shown.game.name, people.shown.game.seats))

    first, second = evening(begins, COMPLETE)
    assert evening(comes_back, COMPLETE) == [first, second], "the power cut has cost nothing"
    assert len(evening(comes_back, COMPLETE, "--new")) == 3
    assert len(evening(comes_back, COMPLETE)) == 3
    set_game = ("whysteria", ("Ada", "Ben", "Cleo"))
    assert seen == [("oh-hell", ("Ada", "Ben", "Zoe")), set_game, set_game]


def test_a_later_journal_copied_from_another_table_does_not_hide_this_table_s_own_game(
    evening: Any, tmp_path: Path
) -> None:
    seen: list[tuple[str, ...]] = []

    def comes_back(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        seen.append(people.shown.game.seats)

    [own] = evening(begin_oh_hell)
    written(tmp_path / "cardtable" / "games" / "2099-01-01-200000+0000.jsonl")
    assert evening(comes_back)[0] == own
    assert seen == [("Ada", "Ben", "Zoe")]


def test_rules_that_were_kept_are_there_again_also_where_table_toml_sets_the_game(
    evening: Any, tmp_path: Path
) -> None:
    def leaves(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        yield from leave_game(people, "Ada")
        yield from people.wait(200)

    evening(leaves, COMPLETE)
    memory = tmp_path / "cardtable" / "chosen.json"
    kept = {"oh-hell": {"Sundays": {"scoring": "harsh"}}}
    memory.write_text(json.dumps({**json.loads(memory.read_text()), "kept_rules": kept}))
    evening(leaves, COMPLETE)
    assert json.loads(memory.read_text())["kept_rules"] == kept


def test_an_uncalibrated_table_says_so_in_the_menu(evening: Any) -> None:
    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        assert isinstance(people.shown, MenuView)
        assert people.shown.message is not None
        assert "homography" in str(people.shown.message.fields)

    assert evening(script, "[camera]\nkeep_complaints = false\n") == []


def test_a_table_with_its_game_but_uncalibrated_begins_with_the_mark(evening: Any) -> None:
    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        assert isinstance(people.shown, MenuView)
        assert people.shown.lines[0].text == make_phrase("menu.calibrate")
        assert [chair.name for chair in people.shown.chairs] == ["Ada", "Ben"]
        people.stop()

    seats = "".join(
        f'[[seat]]\nname = "{name}"\nangle = {angle}\n' for name, angle in (("Ada", 0), ("Ben", 180))
    )
    assert evening(script, f'[game]\nname = "whysteria"\n{seats}[camera]\nkeep_complaints = false\n') == []


def test_where_complaints_can_t_be_kept_the_game_is_played_without_them(
    evening: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = TableError("file.not_written", at="/tmp", error="No space left on device")

    def no_buffer(config: TableConfig) -> None:
        raise full

    monkeypatch.setattr(evening_module, "ReplayBuffer", no_buffer)

    def script(people: People) -> Iterator[Delivery]:
        yield from begin_oh_hell(people)
        yield from people.wait(200)
        assert isinstance(people.shown, View)
        assert full.phrase in [notice.phrase for notice in people.shown.notices]

    [lines] = evening(script, CAMERA.replace("keep_complaints = false\n", ""))
    assert lines[0]["event"] == "game_started"


def test_without_a_screen_table_toml_has_to_say_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(CAMERA)
    assert main(["play", "--config", str(config), "--headless"]) == 2
    assert capsys.readouterr().err == (f"cardtable: {config}: game.name: {wrong.told('set_up.no_game')}\n")


def told(lines: list[JournalLine]) -> list[tuple[str, object]]:
    """Who bid how many, and who played what."""
    return [(line["seat"], line.get("bid", line.get("card"))) for line in events(lines, "bid", "card_played")]


class FilmAfterMenu(People):
    """People who begin a game by the menu, and then play what was recorded."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._film = FilmedTable(chairs={"Ada": "1", "Ben": "2", "Cleo": "3"})
        self._live: LiveTable | None = None
        self.now = self._film.now - 900_000 * MS

    def open(self, config: TableConfig, *, keyboard: bool = False) -> FilmAfterMenu:
        """Stands in for :func:`table.sources.live_table.open_live`."""
        self._live = self._film.live(config)
        return self

    def add_listener(self, listener: Listener, seated: Mapping[str, str]) -> None:
        """The camera's frames go to it too."""
        assert self._live is not None
        self._live.add_listener(listener, seated)

    def remove_listener(self, listener: Listener) -> None:
        """And no more."""
        assert self._live is not None
        self._live.remove_listener(listener)

    def play(self, journals: Path) -> Iterator[Delivery]:
        """The film, until the first card counts."""
        assert self._live is not None
        for delivery in self._live.deliveries():
            yield delivery
            if delivery.frame is not None and delivery.frame.index % 10 == 0:
                (path,) = journals.glob("*.jsonl")
                if events(read_lines(path), "card_played"):
                    self._film.let_go()
                    return


@pytest.mark.thorough
def test_from_the_menu_to_the_first_card_by_a_camera_as_if_table_toml_had_named_game_and_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(pipeline, "TrackerThread", Beside)
    monkeypatch.setattr(play, "has_display", lambda: True)
    text = (RECORDING / "table.toml").read_text()
    for line in ('name = "whysteria"\n', 'name = "Ada"\n', 'name = "Ben"\n', 'name = "Cleo"\n'):
        text = text.replace(line, "")
    config = tmp_path / "table.toml"
    config.write_text(text.replace("hands = [2, 1]\n", ""))

    def script(people: People) -> Iterator[Delivery]:
        assert isinstance(people, FilmAfterMenu)
        yield from people.choose("1", "menu.players")
        for number, name in enumerate(("Ada", "Ben", "Cleo"), start=1):
            yield from people.seat("1", number, name)
        yield from people.choose("1", "menu.done")
        yield from people.choose("1", "menu.dealer")
        yield from people.choose("1", "Ada")
        yield from people.choose("1", "menu.begin")
        yield from people.play(tmp_path / "cardtable" / "games")

    people = FilmAfterMenu(script)
    monkeypatch.setattr(play, "open_live", people.open)

    def show(screen: ScreenWindow, view: ScreenView) -> None:
        people.shown = view

    monkeypatch.setattr(ScreenWindow, "show", show)
    monkeypatch.setattr(ScreenWindow, "quits", lambda screen: people.stopped)
    people.script = lambda _: until_the_end(people, script(people))
    recorded = tmp_path / "recorded"
    assert main(["play", "--config", str(config), "--window", "--record", str(recorded)]) == 0
    assert load_config(recorded / "table.toml").names == ("Ada", "Ben", "Cleo"), (
        "a recording knows its players"
    )
    assert "Ada,rap" in (recorded / "buttons.csv").read_text()
    (path,) = (tmp_path / "cardtable" / "games").glob("*.jsonl")
    lines = read_lines(path)
    assert lines[0]["seats"] == ["Ada", "Ben", "Cleo"]
    truth = read_lines(RECORDING / "truth.jsonl")
    found = told(lines)
    assert len(found) >= 4
    assert found == told(truth)[: len(found)]


def test_the_game_can_be_named_and_the_language_is_spoken_at_once(
    evening: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[str] = []
    names = ("de", "en")
    monkeypatch.setattr(evening_module, "languages", lambda: names)
    monkeypatch.setattr(evening_module, "load_catalogue", lambda name: replace(load_catalogue(), name=name))
    monkeypatch.setattr(evening_module, "set_language", lambda words: spoken.append(words.catalogue.name))
    monkeypatch.setattr(
        evening_module, "renderer_for", lambda name: PhraseRenderer(replace(load_catalogue(), name=name))
    )

    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        assert isinstance(people.shown, MenuView)
        game = next(line for line in people.shown.lines if getattr(line.text, "code", "") == "menu.game")
        assert game.value == make_phrase("menu.game_is", game="oh-shit")
        yield from people.choose("1", "menu.settings")
        yield from people.choose("1", "menu.language")
        yield from people.choose("1", "de")

    assert evening(script, CAMERA, "--game", "oh-shit") == []
    assert spoken == ["de"]


def test_how_the_screen_is_set_up_is_chosen_there_holds_at_once_and_is_kept(
    evening: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looks: list[ScreenConfig] = []
    monkeypatch.setattr(ScreenWindow, "set_up", lambda screen, look: looks.append(look))
    set_up = ScreenConfig(turned=180)

    def chooses(people: People) -> Iterator[Delivery]:
        yield from people.choose("1", "menu.settings")
        yield from people.choose("1", "menu.four_colours")
        assert looks == [replace(set_up, lies_flat=True)], "table.toml has the other way round"
        yield from people.choose("1", "menu.lies_flat")
        yield from people.choose("1", "menu.done")
        yield from begin_oh_hell(people)

    text = f"[screen]\nturned = 180\nfour_colours = true\n{CAMERA}"
    assert len(evening(chooses, text.replace("true", "true\nlies_flat = true"))) == 1
    assert looks == [replace(set_up, lies_flat=True), set_up]
    played = load_config(tmp_path / "cardtable" / "game.toml").screen
    assert (played.four_colours, played.lies_flat, played.turned) == (False, False, 180)
    looks.clear()

    def comes_back(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)

    # Four colours are asked for in the file again, and lying flat no more: what was chosen goes before both.
    evening(comes_back, text, "--new")
    assert looks == [set_up]
