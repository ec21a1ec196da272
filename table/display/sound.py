"""The sounds of the table: short files, played in a thread of their own so that nothing waits for a sound device."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.resources import as_file, files
from queue import Full, Queue
from threading import Thread
from typing import Literal, Self

import pygame

from table.host.stderr import in_silence

NAMES = ("bid", "refused", "tie", "turn", "trick", "revoke", "question")
"""Each is a file in ``table/display/sounds/``, made by ``python -m tests.display.chimes``."""
_WAITING = 4
"""So many sounds wait for the device; more come too late to mean anything."""
CLOSING_S = 2.0
_RATE_HZ, _BUFFER = 22_050, 512

Player = Callable[[str], None]
"""Plays a sound by its name."""


class Sounds:
    """Plays sounds. The device is opened with the first; where there is none, it is looked for with each."""

    def __init__(self) -> None:
        self._wanted: Queue[str | None] = Queue(_WAITING)
        self._thread: Thread | None = None

    def play(self, name: str) -> None:
        """Have a sound played, one of :data:`NAMES`; returns at once."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="sound", daemon=True)
            self._thread.start()
        with suppress(Full):
            self._wanted.put_nowait(name)

    def _work(self) -> None:
        player: Player | None = None
        while (name := self._wanted.get()) is not None:
            # A screen with loudspeakers may be switched on after the table.
            player = player or opened()
            if player is not None:
                player(name)
        if player is not None:
            pygame.mixer.quit()

    def close(self) -> None:
        """Let go of the device; a sound system that hangs is left to itself."""
        if self._thread is not None:
            with suppress(Full):
                self._wanted.put(None, timeout=CLOSING_S)
            self._thread.join(CLOSING_S)
            self._thread = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False


def opened() -> Player | None:
    """Opens the sound device and reads the files; None where the machine has none."""
    try:
        with in_silence():  # ALSA says in many lines that there is no card
            pygame.mixer.init(_RATE_HZ, -16, 1, _BUFFER)
        sounds = {name: _read(name) for name in NAMES}
    except (pygame.error, NotImplementedError):  # (a pygame that was built without its mixer)
        return None
    return lambda name: _play(sounds[name])


def _read(name: str) -> pygame.mixer.Sound:
    with as_file(files("table.display").joinpath("sounds", f"{name}.wav")) as path:
        return pygame.mixer.Sound(str(path))


def _play(sound: pygame.mixer.Sound) -> None:
    sound.play()
