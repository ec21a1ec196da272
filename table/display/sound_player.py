"""Sounds of the table: short WAV files, played in a separate thread so that nothing waits for the sound device."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.resources import as_file, files
from queue import Full, Queue
from threading import Thread
from typing import Literal, Self

import pygame

from table.files.silence_library_stderr import suppress_stderr

SOUND_NAMES = ("bid", "refused", "tie", "turn", "trick", "revoke", "question")
"""The names of the sounds. Each is a file in ``table/display/sounds/``, made by ``python -m tests.display.chimes``."""
_MAX_QUEUED = 4
"""The most sounds that wait for the device; more would come too late to mean anything."""
CLOSING_S = 2.0
"""The longest time, in seconds, that closing waits for the sound thread."""

PlaySound = Callable[[str], None]
"""A function that plays a sound by its name."""


class Sounds:
    """Plays sounds in a thread. The first sound opens the device; without a device, each further sound tries again."""

    def __init__(self) -> None:
        self._queue: Queue[str | None] = Queue(_MAX_QUEUED)
        self._thread: Thread | None = None

    def play(self, name: str) -> None:
        """Queue a sound (one of :data:`SOUND_NAMES`) and return at once; drop it when the queue is full."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="sound", daemon=True)
            self._thread.start()
        with suppress(Full):
            self._queue.put_nowait(name)

    def _run(self) -> None:
        player: PlaySound | None = None
        while (name := self._queue.get()) is not None:
            # A screen with loudspeakers may be switched on after the table.
            player = player or open_player()
            if player is not None:
                player(name)
        if player is not None:
            pygame.mixer.quit()

    def close(self) -> None:
        """Stop the thread and release the device; a sound system that hangs is left alone."""
        if self._thread is not None:
            with suppress(Full):
                self._queue.put(None, timeout=CLOSING_S)
            self._thread.join(CLOSING_S)
            self._thread = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False


def open_player() -> PlaySound | None:
    """Open the sound device, load the sound files and return a function that plays them; None without a device."""
    try:
        with suppress_stderr():  # ALSA reports a missing card in many lines
            pygame.mixer.init(frequency=22_050, size=-16, channels=1, buffer=512)
        with as_file(files("table.display") / "sounds") as folder:
            sounds = {name: pygame.mixer.Sound(folder / f"{name}.wav") for name in SOUND_NAMES}
    except (pygame.error, NotImplementedError):  # the second where pygame was built without its mixer
        return None
    return lambda name: _play(sounds[name])


def _play(sound: pygame.mixer.Sound) -> None:
    sound.play()
