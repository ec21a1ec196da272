"""The camera held still: exposure a multiple of the mains' half period, gain, white and focus as they were found.

Lamps at the mains shine brighter and darker 100 or 120 times a second. A picture exposed for whole such periods gets
the same light every time and in every row, so nothing flickers; a camera that goes on choosing exposure and white by
itself changes the whole picture whenever a hand comes in. So the camera is left to find its light, its white and its
focus, and then all of them are fixed: the exposure at the nearest multiple, the gain so that the picture stays as
bright as it was.

Pure: fed with each picture's brightness, it says what to set. What the settings are called and how they are set is the
camera's business (:class:`Knobs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from table.facts import MS, Image
from table.phrase import Phrase, say

HALF_PERIOD_US: Final[Mapping[int, float]] = {50: 10_000.0, 60: 25_000.0 / 3}
"""Lamps shine alike after this, by the mains' frequency in Hz."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The numbers of this module."""

    settle_ns: int = 1500 * MS
    """Exposure, white and focus of a camera are found by then ..."""
    focus_ns: int = 4000 * MS
    """... or, where it says itself that it is still focusing, by then."""
    pictures: int = 5
    """What is set is seen in the picture after so many (queues of four, and the one that is being exposed)."""
    alike: float = 0.08
    """A picture whose brightness is off by no more than this share is as bright as it was."""
    bright: float = 1.2
    """A picture too bright by more than this at the least gain is exposed for less than a half period after all."""
    power: float = 0.5
    """Light grows with about this power's inverse of the levels: so long a step is never too long."""
    least_step: float = 0.02
    """The first step of a gain is at least this share of its range."""
    unused: int = 6
    """After so many settings have been tried the pictures are used, ..."""
    tries: int = 24
    """... and so many are tried at most."""
    room: float = 0.97
    """The share of the time between two pictures that an exposure may take."""
    changed: tuple[float, float] = (0.6, 1.6)
    """Beyond these the light is another: a lamp was switched, the sun has set ..."""
    changed_ns: int = 5000 * MS
    """... if it stays so for so long (a hand before the lens does not)."""


NUMBERS: Final = Holding()
LEFT_ALONE: Final = say("held.alone")


@dataclass(frozen=True, slots=True)
class Range:
    """What a knob can be set to."""

    low: float
    high: float
    step: float = 0.0
    """The least difference that counts; 0: any."""

    def clip(self, value: float) -> float:
        """The nearest that can be set, steps left aside."""
        return min(max(value, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Setting:
    """Exposure in microseconds, and gain on the camera's own scale."""

    exposure_us: float
    gain: float


class Knobs(Protocol):
    """What of a camera can be set."""

    exposure: Range
    gain: Range
    """``low`` and ``high`` alike where it has none."""

    def automatic(self, half_period_us: float) -> None:
        """Let the camera find its light, white and focus, for lamps of that period."""
        ...

    def found(self) -> Setting | None:
        """What the camera has found; None while it is still looking."""
        ...

    def fix(self, setting: Setting) -> None:
        """Set exposure and gain, and fix white and focus as they are."""
        ...


class Holder:
    """Holds one camera still; feed it every picture, and use those for which it says True."""

    def __init__(self, knobs: Knobs, mains_hz: int, fps: float, numbers: Holding = NUMBERS) -> None:
        """``mains_hz``: 50 or 60."""
        self._knobs = knobs
        self._mains_hz = mains_hz
        self._half_us = HALF_PERIOD_US[mains_hz]
        self._numbers = numbers
        longest = min(knobs.exposure.high, numbers.room * 1e6 / fps)
        self._most = max(1, int(longest / self._half_us))
        self._since_ns: int | None = None
        self._bright = 0.0
        """How bright a picture should be."""
        self._times = 1
        """The exposure in half periods."""
        self._setting: Setting | None = None
        self._too_long = self._most + 1
        """So many half periods are too bright at any gain."""
        self._seen: dict[float, float] = {}
        """How bright the picture was with each gain tried with this exposure."""
        self._wait = 0
        self._tried = 0
        self._usable = False
        self._done = False
        self._usual = 0.0
        """How bright pictures were when all was set: as wanted, or as near as this camera comes."""
        self._other_since_ns: int | None = None
        knobs.automatic(self._half_us)

    @property
    def description(self) -> Phrase:
        """What is set."""
        if self._setting is None:
            return say("held.finding")
        exposure_ms = self._setting.exposure_us / 1000
        if self._short:
            return say("held.short", ms=exposure_ms, hz=self._mains_hz)
        return say(
            "held.still", ms=exposure_ms, times=self._times, hz=self._mains_hz, gain=self._setting.gain
        )

    @property
    def _short(self) -> bool:
        return self._setting is not None and self._setting.exposure_us < 0.99 * self._half_us

    def take(self, t_ns: int, brightness: float) -> bool:
        """A picture came whose mean level was this; whether it may be used."""
        if self._since_ns is None:
            self._since_ns = t_ns
        if self._done:
            self._watch(t_ns, brightness)
        elif self._setting is None:
            self._begin(t_ns - self._since_ns, brightness)
        elif self._wait:
            self._wait -= 1
        else:
            self._judge(brightness)
        return self._usable

    def _begin(self, waited_ns: int, brightness: float) -> None:
        n = self._numbers
        if waited_ns < n.settle_ns:
            return
        found = self._knobs.found()
        if found is None:
            if waited_ns < n.focus_ns:
                return
            found = Setting(self._half_us, self._knobs.gain.low)
        self._bright = max(1.0, brightness)
        self._times = min(max(1, round(found.exposure_us / self._half_us)), self._most)
        light = found.exposure_us * found.gain
        self._set(Setting(self._times * self._half_us, light / (self._times * self._half_us)))

    def _set(self, setting: Setting) -> None:
        exposure = self._knobs.exposure.clip(setting.exposure_us)
        self._setting = Setting(exposure, self._knobs.gain.clip(setting.gain))
        self._knobs.fix(self._setting)
        self._wait = self._numbers.pictures
        self._tried += 1

    def _judge(self, brightness: float) -> None:
        """A picture made with what was set: good, or what to try next."""
        assert self._setting is not None
        ratio = brightness / self._bright
        self._seen[self._setting.gain] = ratio
        self._usable = self._usable or self._tried >= self._numbers.unused
        setting = None
        if self._tried < self._numbers.tries and abs(ratio - 1.0) > self._numbers.alike:
            setting = self._darker(ratio) if ratio > 1.0 else self._brighter(ratio)
        if setting is not None:
            self._set(setting)
            return
        self._done = self._usable = True
        self._usual = brightness

    def _darker(self, ratio: float) -> Setting | None:
        assert self._setting is not None
        if self._setting.gain > self._knobs.gain.low:
            return self._other_gain(ratio)
        if self._times > 1:
            self._too_long = self._times
            return self._other_times(self._times - 1)
        if ratio <= self._numbers.bright and not self._short:
            return None
        return Setting(self._setting.exposure_us / ratio ** (1 / self._numbers.power), self._setting.gain)

    def _brighter(self, ratio: float) -> Setting | None:
        assert self._setting is not None
        if self._short:
            longer = self._setting.exposure_us / ratio ** (1 / self._numbers.power)
            return Setting(min(self._half_us, longer), self._setting.gain)
        if self._setting.gain < self._knobs.gain.high:
            return self._other_gain(ratio)
        if self._times + 1 < self._too_long:
            return self._other_times(self._times + 1)
        return None  # as bright as it can be

    def _other_times(self, times: int) -> Setting:
        """Another multiple of the half period, with about as much light."""
        assert self._setting is not None
        before, self._times = self._times, times
        self._seen = {}
        return Setting(times * self._half_us, self._setting.gain * before / times)

    def _other_gain(self, ratio: float) -> Setting | None:
        """A better gain: by the straight line through the nearest two that were tried; None where there is none."""
        assert self._setting is not None
        span, gain = self._knobs.gain, self._setting.gain
        dark = max((one for one, seen in self._seen.items() if seen < 1.0), default=None)
        bright = min((one for one, seen in self._seen.items() if seen >= 1.0), default=None)
        if dark is not None and bright is not None:
            if bright - dark <= max(span.step, 1e-3 * bright):
                return None
            share = (1.0 - self._seen[dark]) / (self._seen[bright] - self._seen[dark])
            wanted = dark + (bright - dark) * min(max(share, 0.15), 0.85)
        else:
            far = max(
                abs(gain / ratio ** (1 / self._numbers.power) - gain),
                self._numbers.least_step * (span.high - span.low),
            )
            others = [one for one in self._seen if one != gain]
            if others:
                near = min(others, key=lambda one: abs(one - gain))
                slope = (ratio - self._seen[near]) / (gain - near)
                far = max(far, abs(ratio - 1.0) / slope) if slope > 0 else span.high
            wanted = gain + far if ratio < 1.0 else gain - far
        return Setting(self._setting.exposure_us, span.clip(wanted))

    def _watch(self, t_ns: int, brightness: float) -> None:
        """In another light all is set anew, not left to the camera's own choice; pictures are used meanwhile."""
        low, high = self._numbers.changed
        if low <= brightness / max(1.0, self._usual) <= high:
            self._other_since_ns = None
        elif self._other_since_ns is None:
            self._other_since_ns = t_ns
        elif t_ns - self._other_since_ns >= self._numbers.changed_ns:
            self._other_since_ns, self._done, self._tried = None, False, 0
            self._seen, self._too_long = {}, self._most + 1


def brightness_of(image: Image) -> float:
    """The mean level of a picture, from every eighth pixel each way."""
    return float(image[::8, ::8].mean())
