"""A command that needs the camera says in one line what has it, and what to stop."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from table.__main__ import main
from table.commands.setup import doctor
from table.errors import TableError
from table.history.archive import games_folder, lock_path
from table.session import devices_in_use_check
from table.session.devices_in_use_check import require_free_devices
from table.system.process_lock import Lock, is_held
from tests.commands.filmed import RECORDING
from tests.wrong import wrong


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(devices_in_use_check, "SERVICE", tmp_path / "invocation:cardtable.service")
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    return tmp_path


def serve(folder: Path, run: str) -> None:
    os.symlink(run, folder / "invocation:cardtable.service")


def test_while_nobody_plays_all_is_free() -> None:
    require_free_devices()
    require_free_devices(playing=True)


def test_the_service_is_named_and_how_to_stop_it(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "has_gpio_header", lambda: True)
    serve(state, "abc")
    for playing in (False, True):
        with wrong("busy.service"):
            require_free_devices(playing=playing)
    config = str(RECORDING / "table.toml")
    for command in (["record", str(state / "r")], ["enrol"], ["calibrate"], ["play", "--headless"]):
        assert main([*command, "--config", config]) == 2
        told = capsys.readouterr().err.splitlines()
        assert len(told) == 1
        assert "stop it first (sudo systemctl stop cardtable)" in told[0]
    found = {one.part: one.text for one in doctor.check_table(RECORDING / "table.toml")}
    assert "systemctl stop" in found["camera"]
    assert "systemctl stop" in found["buttons"]


def test_the_service_is_not_in_its_own_way(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(state, "abc")
    monkeypatch.setenv("INVOCATION_ID", "abc")
    require_free_devices(playing=True)
    monkeypatch.setenv("INVOCATION_ID", "another")
    with pytest.raises(TableError):
        require_free_devices(playing=True)


def test_a_play_by_hand_is_named_too() -> None:
    path = lock_path(games_folder())
    assert not is_held(path)
    with Lock(path):
        assert is_held(path)
        with wrong("busy.play"):
            require_free_devices()
    assert not is_held(path)
    require_free_devices()
