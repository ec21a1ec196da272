"""Makes the table's sounds: ``python -m tests.display.chimes`` writes them into ``table/display/sounds/``.

Struck bars, by their partials and how fast each dies away: nothing is recorded, so they are ours to give on.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

FOLDER = Path(__file__).parents[2] / "table" / "display" / "sounds"
RATE_HZ = 22_050
LOUDEST = 0.5
_PARTIALS = ((1.0, 1.0, 1.0), (3.93, 0.22, 2.6), (9.2, 0.06, 6.0))
"""Of a struck bar: the frequency, the strength, and how many times as fast it dies, beside those of the note."""
_ATTACK_S = 0.004

Wave = npt.NDArray[np.float64]


def bar(note: float, seconds: float, *, dies_s: float = 0.12) -> Wave:
    """A bar struck once: ``note`` in half tones above middle C; it has lost 2/3 of its swing after ``dies_s``."""
    t_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    pitch_hz = 261.6256 * 2 ** (note / 12)
    found = np.zeros_like(t_s)
    for times, strength, faster in _PARTIALS:
        if pitch_hz * times < RATE_HZ / 2:
            found += strength * np.exp(-t_s * faster / dies_s) * np.sin(2 * np.pi * pitch_hz * times * t_s)
    # No click at its beginning, nor where it is cut off.
    return found * np.minimum(1, t_s / _ATTACK_S) * np.minimum(1, (seconds - t_s) / 0.02)


def together(*parts: tuple[float, Wave]) -> Wave:
    """Sounds that begin after so many seconds each, as one."""
    ends = [round(at_s * RATE_HZ) + len(sound) for at_s, sound in parts]
    found = np.zeros(max(ends))
    for (_, sound), end in zip(parts, ends, strict=True):
        found[end - len(sound) : end] += sound
    return found


def row(notes: Sequence[float], step_s: float, last_s: float, dies_s: float = 0.12) -> Wave:
    """Notes one after the other."""
    return together(*((at * step_s, bar(note, last_s, dies_s=dies_s)) for at, note in enumerate(notes)))


SOUNDS: dict[str, tuple[Wave, float]] = {
    "bid": (bar(21, 0.2, dies_s=0.06), 0.7),
    "refused": (row((4, 0), 0.11, 0.25, 0.09), 0.9),
    "tie": (together((0.0, row((12, 12), 0.13, 0.3)), (0.0, row((13, 13), 0.13, 0.3))), 1.0),
    # It follows what was decided: the silence before it keeps the two apart.
    "turn": (together((0.22, row((19, 24), 0.08, 0.22, 0.07))), 0.45),
    "trick": (row((12, 16, 19), 0.085, 0.35), 0.8),
    "revoke": (row((7, 6, 0, 0), 0.16, 0.5, 0.2), 1.0),
    "question": (row((12, 14, 21), 0.12, 0.35), 0.8),
}
"""Each sound, and how loud it is beside the loudest."""


def file_of(name: str) -> bytes:
    """A sound as a WAV file: one channel, 16 bits."""
    sound, loud = SOUNDS[name]
    samples = np.round(sound / np.abs(sound).max() * loud * LOUDEST * 32_767).astype("<i2")
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(samples.tobytes())
    return data.getvalue()


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in SOUNDS:
        (FOLDER / f"{name}.wav").write_bytes(file_of(name))


if __name__ == "__main__":
    main()
