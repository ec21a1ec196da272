"""The service's screen says what keeps the table from starting, until that may be mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.__main__ import main
from table.commands import play
from table.config.settings import load_config
from table.display.view_picture import ScreenView
from table.display.window import ScreenWindow
from table.errors import TableError
from table.menu.menu_view_data import MenuView
from table.phrase import make_phrase
from table.session import fault_page
from table.session.fault_page import RETRY_S, show_fault

FAULT = TableError("play.no_display")


class Screen:
    """A window without a screen; ``sleep`` lets time pass, and calls ``then`` after so many seconds."""

    def __init__(self, then_s: float = 1e9, then: object = None) -> None:
        self.shown: list[ScreenView] = []
        self.now_s = 0.0
        self.is_ended = False
        self._then_s, self._then = then_s, then

    def show(self, view: ScreenView) -> None:
        self.shown.append(view)

    def quits(self) -> bool:
        return False

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds
        if self.now_s >= self._then_s and callable(self._then):
            self._then()

    def show_fault(self, set_up: Path) -> float:
        """Show the page, and return for how long it was shown."""
        show_fault(
            self, FAULT, set_up, ended=lambda: self.is_ended, clock=lambda: self.now_s, sleep=self.sleep
        )
        return self.now_s


def test_what_may_have_been_plugged_in_is_tried_after_a_while(tmp_path: Path) -> None:
    screen = Screen()
    assert screen.show_fault(tmp_path / "table.toml") == RETRY_S
    page = screen.shown[0]
    assert isinstance(page, MenuView)
    assert page.message == FAULT.phrase
    assert str(tmp_path / "table.toml") in [line.value for line in page.lines]


@pytest.mark.parametrize("is_there", [False, True])
def test_a_set_up_that_is_changed_is_tried_at_once(tmp_path: Path, *, is_there: bool) -> None:
    path = tmp_path / "table.toml"
    if is_there:
        path.write_text("# wrong")
    assert Screen(2, lambda: path.write_text("# mended")).show_fault(path) < 4


def test_a_signal_ends_the_page(tmp_path: Path) -> None:
    screen = Screen()
    screen.is_ended = True
    assert screen.show_fault(tmp_path / "table.toml") == 0
    assert len(screen.shown) == 1


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[ScreenView]:
    """What the screen of a service shows, which waits for nobody."""
    views: list[ScreenView] = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(ScreenWindow, "show", lambda _, view: views.append(view))
    monkeypatch.setattr(fault_page, "RETRY_S", 0.1)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "systemd"))
    return views


def test_the_service_shows_what_is_wrong_with_its_set_up(
    shown: list[ScreenView], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[camera]\nsource = 3.5\n")
    assert main(["play", "--config", str(path)]) == 2
    assert "camera.source" in capsys.readouterr().err, "the journal has it too"
    assert {view.message.code for view in shown if isinstance(view, MenuView) and view.message} == {
        "wrong.at"
    }


def test_at_a_terminal_a_wrong_set_up_is_one_line_and_no_page(
    shown: list[ScreenView],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET")
    path = tmp_path / "table.toml"
    path.write_text("[camera]\nsource = 3.5\n")
    assert main(["play", "--config", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert shown == []


def test_a_service_without_a_set_up_writes_the_first_one(
    shown: list[ScreenView], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "has_display", lambda: False)
    path = tmp_path / "etc" / "table.toml"
    assert main(["play", "--config", str(path)]) == 2, "without its folder there is none"
    path.parent.mkdir()
    assert main(["play", "--config", str(path)]) == 2, "there is no screen"
    assert (load_config(path, menu=True).game, load_config(path, menu=True).seats) == ("", ())
    [*_, page] = shown
    assert isinstance(page, MenuView)
    assert page.message == make_phrase("play.no_display")
