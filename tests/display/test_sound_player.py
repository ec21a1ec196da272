"""Sounds: in the package, made here, and nothing where no device is."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from table.display.sound_player import SOUND_NAMES, PlaySound, Sounds, open_player
from tests.display.chimes import FOLDER, RATE_HZ, SOUNDS, file_of


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.mixer.quit()


def samples(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.int16)


@pytest.mark.parametrize("name", SOUND_NAMES)
def test_every_sound_is_as_it_is_made_short_and_without_a_click(name: str) -> None:
    found, made = (samples(data) for data in ((FOLDER / f"{name}.wav").read_bytes(), file_of(name)))
    assert len(found) == len(made)
    assert np.abs(found.astype(int) - made).max() <= 2
    assert 0.1 < len(found) / RATE_HZ <= 1.0
    loudest = int(np.abs(found.astype(int)).max())
    assert 5_000 < loudest < 20_000
    assert max(abs(int(found[0])), abs(int(found[-1]))) < 20


def test_no_two_sounds_are_alike_and_none_is_missing() -> None:
    assert set(SOUNDS) == set(SOUND_NAMES) == {path.stem for path in FOLDER.iterdir()}
    assert len({file_of(name) for name in SOUNDS}) == len(SOUNDS)


def test_all_sounds_can_be_played_where_there_is_a_device() -> None:
    player = open_player()
    assert player is not None
    for name in SOUND_NAMES:
        player(name)
    assert pygame.mixer.get_busy()


def test_the_device_is_opened_with_the_first_sound_and_let_go_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(
        "table.display.sound_player._play", lambda sound: heard.append(f"{sound.get_length():.2f}")
    )
    with Sounds() as sounds:
        assert pygame.mixer.get_init() is None
        sounds.play("bid")
        sounds.play("revoke")
    assert heard == [f"{len(samples(file_of(name))) / RATE_HZ:.2f}" for name in ("bid", "revoke")]
    assert pygame.mixer.get_init() is None


def test_without_a_device_nothing_is_heard_nor_said(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    with Sounds() as sounds:
        for _ in range(50):
            sounds.play("tie")
    assert open_player() is None
    assert capfd.readouterr() == ("", "")


def test_a_device_that_comes_late_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    devices: list[PlaySound | None] = [None, None, heard.append]
    monkeypatch.setattr("table.display.sound_player.open_player", lambda: devices.pop(0))
    with Sounds() as sounds:
        for name in ("bid", "tie", "turn", "trick"):
            sounds.play(name)
    assert heard == ["turn", "trick"]
