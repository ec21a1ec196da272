"""On a machine without pins for buttons `play` begins in an empty folder: keys, a camera, and the menu."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.__main__ import main
from table.commands import play
from table.commands.setup import doctor
from table.commands.setup import init as init_command
from table.config.settings import load_config
from table.display.view_picture import ScreenView
from table.display.window import ScreenWindow
from table.menu.menu_view_data import MenuView
from table.observed_facts import Delivery
from table.phrase import Phrase
from table.session import first_set_up
from table.sources.camera import v4l2
from tests.calibration.test_init import Terminal
from tests.commands.people import People

CAMERAS = ("/dev/v4l/by-id/usb-Built_In-video-index0", "/dev/v4l/by-id/usb-Over_Table-video-index0")


@pytest.fixture(autouse=True)
def laptop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder on a machine with two cameras and a display, and without pins."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(play, "has_display", lambda: True)
    for module in (play, doctor, init_command, first_set_up):
        monkeypatch.setattr(module, "has_gpio_header", lambda: False)
    monkeypatch.setattr(first_set_up, "list_cameras", lambda: CAMERAS)


class AtTheKeys(People):
    """People at a keyboard."""

    keyboard = False

    def open(self, config: object, *, keyboard: bool = False) -> People:
        """Note whether keys stand in for buttons."""
        self.keyboard = keyboard
        return super().open(config, keyboard=keyboard)  # type: ignore[arg-type]


def screens_of_play(people: People, monkeypatch: pytest.MonkeyPatch) -> list[ScreenView]:
    """Let people use ``cardtable play`` until they stop, and return what its window showed."""
    shown: list[ScreenView] = []

    def show(screen: ScreenWindow, view: ScreenView) -> None:
        assert not screen._fullscreen, "a window"
        people.shown = view
        shown.append(view)

    monkeypatch.setattr(play, "open_live", people.open)
    monkeypatch.setattr(ScreenWindow, "show", show)
    monkeypatch.setattr(ScreenWindow, "quits", lambda screen: people.stopped)
    assert main(["play"]) == 0
    return shown


def test_play_in_an_empty_folder_leads_to_the_menu_with_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        yield from people.choose("1", "menu.settings")
        yield from people.choose("1", "menu.change_camera")
        yield from people.choose("1", "Over Table")
        yield from people.wait(200)
        people.stop()

    people = AtTheKeys(script)
    shown = screens_of_play(people, monkeypatch)
    assert people.keyboard
    first, *_ = shown
    assert isinstance(first, MenuView)
    assert [line.text for line in first.lines] == [Phrase("menu.opening_camera")], "what is being loaded"
    menu = next(view for view in shown if isinstance(view, MenuView) and view != first)
    assert menu.lines[0].text == Phrase("menu.calibrate"), "the mark comes first"
    assert menu.button_help == Phrase("menu.how_keys")
    assert load_config(Path("table.toml"), menu=True).camera.source == CAMERAS[1]
    assert people.cameras == [CAMERAS[1]]


def test_the_camera_in_use_is_not_offered_as_another_one_where_it_is_named_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tmp_path / "by-id"
    names.mkdir()
    (tmp_path / "video0").touch()
    (names / "usb-Built_In-video-index0").symlink_to(tmp_path / "video0")
    monkeypatch.setattr(v4l2, "BY_ID", names)
    monkeypatch.setattr(v4l2, "DEVICES", tmp_path)
    monkeypatch.setattr(first_set_up, "list_cameras", v4l2.list_cameras)
    Path("table.toml").write_text("[camera]\nsource = 0\n")

    def script(people: People) -> Iterator[Delivery]:
        yield from people.wait(200)
        yield from people.choose("1", "menu.settings")
        yield from people.wait(200)
        people.stop()

    people = AtTheKeys(script)
    settings = screens_of_play(people, monkeypatch)[-1]
    assert isinstance(settings, MenuView)
    codes = [line.text.code for line in settings.lines if isinstance(line.text, Phrase)]
    assert "menu.enrol" in codes
    assert "menu.change_camera" not in codes


def test_the_first_set_up_says_what_it_is_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first_set_up.write_first_set_up(Path("table.toml"))
    config = load_config(Path("table.toml"), menu=True)
    assert (config.game, config.seats, config.camera.source) == ("", (), CAMERAS[0])
    monkeypatch.setattr(first_set_up, "list_cameras", tuple)
    assert first_set_up.find_camera() == 0, "the first that is plugged in"


def test_doctor_speaks_of_what_this_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.sources.camera.live_camera.PATIENCE_S", 0.3)
    findings = {finding.part: finding for finding in doctor.check_table(Path("table.toml"))}
    assert findings["set-up"].good
    assert CAMERAS[0] in findings["set-up"].text
    assert findings["buttons"].good
    assert "lamps" not in findings
    assert not Path("table.toml").exists()


@pytest.mark.parametrize("answer", ["", "y"])
def test_init_offers_keys_and_the_menu(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def give(question: str) -> str:
        asked.append(question)
        return answer

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(builtins, "input", give)
    assert main(["init"]) == 0
    assert len(asked) == 1
    assert load_config(Path("table.toml"), menu=True).camera.source == CAMERAS[0]


def test_a_raspberry_pi_s_camera_module_is_offered_beside_what_is_plugged_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert first_set_up.list_camera_sources() == CAMERAS
    monkeypatch.setattr(first_set_up, "has_gpio_header", lambda: True)
    assert first_set_up.list_camera_sources() == ("picamera", *CAMERAS)
    assert first_set_up.find_camera() == "picamera"
