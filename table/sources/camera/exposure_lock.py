"""The exposure lock: fixed gain, white balance, focus, and exposure at a multiple of the mains' half period.

Lamps at the mains shine brighter and darker 100 or 120 times a second. A picture exposed for whole such
periods gets the same light every time and in every row, so nothing flickers; a camera that goes on adjusting
exposure and white balance changes the whole picture whenever a hand comes in. So the camera first adjusts its
exposure, white balance and focus, and then all of them are fixed: the exposure at the nearest multiple, the
gain so that the picture stays as bright as it was.

The lock does no input or output: fed with each picture's brightness, it says what to set. The camera's class
knows the names of the controls and how they are set (:class:`CameraControls`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from table.observed_facts import MS, Image
from table.phrase import Phrase, make_phrase

HALF_PERIOD_US: Final[Mapping[int, float]] = {50: 10_000.0, 60: 25_000.0 / 3}
"""The period in microseconds of the light of lamps, by the mains' frequency in Hz."""
SETTLE_NS: Final = 1500 * MS
"""The time after which a camera has adjusted its exposure, white balance and focus ..."""
FOCUS_NS: Final = 4000 * MS
"""... or the time limit where it reports that it is still focusing."""
LATENCY_FRAMES: Final = 5
"""The number of pictures until a new setting is visible (queues of four, and the one that is being exposed)."""
TOLERANCE: Final = 0.08
"""The share by which a picture's brightness may be off and still count as unchanged."""
MAX_OVEREXPOSURE: Final = 1.2
"""A picture brighter than this factor at the least gain is exposed for less than a half period after all."""
RESPONSE_EXPONENT: Final = 0.5
"""The exponent of levels against light, about; chosen so that a step is never too long."""
LEAST_STEP: Final = 0.02
"""The least first step of a gain, as a share of its range."""
TRIES_BEFORE_USE: Final = 6
"""After this many settings have been tried the pictures are used although the search goes on."""
MAX_TRIES: Final = 24
MAX_EXPOSURE_SHARE: Final = 0.97
"""The share of the time between two pictures that an exposure may take."""
LIGHT_CHANGE_RANGE: Final = (0.6, 1.6)
"""A brightness outside this range of ratios means another light, to which the camera adjusts itself anew: a lamp was
switched, the sun has set ..."""
CHANGED_NS: Final = 5000 * MS
"""... if it stays so for this long (a hand before the lens does not)."""
NOT_CONTROLLED: Final = make_phrase("held.alone")


class ControlRange(NamedTuple):
    """The range of values of a control."""

    low: float
    high: float
    step: float = 0.0
    """The least difference that counts; 0: any."""

    def clip(self, value: float) -> float:
        """Return the nearest value in the range; steps are ignored."""
        return min(max(value, self.low), self.high)


class ExposureSetting(NamedTuple):
    """Exposure in microseconds, and gain on the camera's own scale."""

    exposure_us: float
    gain: float


class CameraControls(Protocol):
    """The interface of a camera's controls."""

    exposure: ControlRange
    gain: ControlRange
    """``low`` and ``high`` are equal where the camera has no gain control."""

    def enable_automatic(self, half_period_us: float) -> None:
        """Let the camera adjust exposure, white balance and focus, for lamps of that period."""

    def read_setting(self) -> ExposureSetting | None:
        """Return the setting that the camera has chosen; None while it is still adjusting."""

    def fix_setting(self, setting: ExposureSetting) -> None:
        """Set exposure and gain, and fix white balance and focus as they are."""


class ExposureLock:
    """Fixes the exposure of one camera; feed it every picture, and use those for which it returns True."""

    def __init__(self, controls: CameraControls, mains_hz: int, fps: float) -> None:
        """``mains_hz``: 50 or 60."""
        self._controls = controls
        self._mains_hz = mains_hz
        self._half_period_us = HALF_PERIOD_US[mains_hz]
        longest = min(controls.exposure.high, MAX_EXPOSURE_SHARE * 1e6 / fps)
        self._max_times = max(1, int(longest / self._half_period_us))
        self._usable = False
        self._let_adjust()

    def _let_adjust(self) -> None:
        """Let the camera adjust itself to the light that there is."""
        self._since_ns: int | None = None
        self._target_brightness = 0.0
        self._half_periods = 1
        self._setting: ExposureSetting | None = None
        self._too_bright_times = self._max_times + 1
        """The least number of half periods known to be too bright at any gain."""
        self._ratio_by_gain: dict[float, float] = {}
        """The brightness ratio of the picture for each gain tried with this exposure."""
        self._pictures_to_skip = 0
        self._tries = 0
        self._done = False
        self._locked_brightness = 0.0
        """The brightness at the end of the search: as wanted, or as near as this camera comes."""
        self._light_changed_ns: int | None = None
        self._controls.enable_automatic(self._half_period_us)

    @property
    def description(self) -> Phrase:
        """The state of the lock as a phrase: still adjusting, or the exposure and gain that are set."""
        if self._setting is None:
            return make_phrase("held.finding")
        exposure_ms = self._setting.exposure_us / 1000
        if self._short:
            return make_phrase("held.short", ms=exposure_ms, hz=self._mains_hz)
        return make_phrase(
            "held.still", ms=exposure_ms, times=self._half_periods, hz=self._mains_hz, gain=self._setting.gain
        )

    @property
    def _short(self) -> bool:
        return self._setting is not None and self._setting.exposure_us < 0.99 * self._half_period_us

    def process_brightness(self, t_ns: int, brightness: float) -> bool:
        """Process a picture with mean level ``brightness``; return whether the picture may be used."""
        if self._since_ns is None:
            self._since_ns = t_ns
        if self._done:
            self._check_light(t_ns, brightness)
        elif self._setting is None:
            self._start_search(t_ns - self._since_ns, brightness)
        elif self._pictures_to_skip:
            self._pictures_to_skip -= 1
        else:
            self._judge(brightness)
        return self._usable

    def _start_search(self, waited_ns: int, brightness: float) -> None:
        if waited_ns < SETTLE_NS:
            return
        setting = self._controls.read_setting()
        if setting is None:
            if waited_ns < FOCUS_NS:
                return
            setting = ExposureSetting(self._half_period_us, self._controls.gain.low)
        self._target_brightness = max(1.0, brightness)
        self._half_periods = min(max(1, round(setting.exposure_us / self._half_period_us)), self._max_times)
        exposure_us = self._half_periods * self._half_period_us
        self._set(ExposureSetting(exposure_us, setting.exposure_us * setting.gain / exposure_us))

    def _set(self, setting: ExposureSetting) -> None:
        exposure_us = self._controls.exposure.clip(setting.exposure_us)
        self._setting = ExposureSetting(exposure_us, self._controls.gain.clip(setting.gain))
        self._controls.fix_setting(self._setting)
        self._pictures_to_skip = LATENCY_FRAMES
        self._tries += 1

    def _judge(self, brightness: float) -> None:
        """Judge a picture made with the current setting: accept the setting, or try the next one."""
        assert self._setting is not None
        ratio = brightness / self._target_brightness
        self._ratio_by_gain[self._setting.gain] = ratio
        self._usable = self._usable or self._tries >= TRIES_BEFORE_USE
        setting = None
        if self._tries < MAX_TRIES and abs(ratio - 1.0) > TOLERANCE:
            setting = self._darken(ratio) if ratio > 1.0 else self._brighten(ratio)
        if setting is not None:
            self._set(setting)
            return
        self._done = self._usable = True
        self._locked_brightness = brightness

    def _darken(self, ratio: float) -> ExposureSetting | None:
        assert self._setting is not None
        if self._setting.gain > self._controls.gain.low:
            return self._with_other_gain(ratio)
        if self._half_periods > 1:
            self._too_bright_times = self._half_periods
            return self._with_other_times(self._half_periods - 1)
        if ratio <= MAX_OVEREXPOSURE and not self._short:
            return None
        return ExposureSetting(
            self._setting.exposure_us / ratio ** (1 / RESPONSE_EXPONENT), self._setting.gain
        )

    def _brighten(self, ratio: float) -> ExposureSetting | None:
        assert self._setting is not None
        if self._short:
            longer = self._setting.exposure_us / ratio ** (1 / RESPONSE_EXPONENT)
            return ExposureSetting(min(self._half_period_us, longer), self._setting.gain)
        if self._setting.gain < self._controls.gain.high:
            return self._with_other_gain(ratio)
        if self._half_periods + 1 < self._too_bright_times:
            return self._with_other_times(self._half_periods + 1)
        return None  # as bright as it can be

    def _with_other_times(self, times: int) -> ExposureSetting:
        """Return a setting with another multiple of the half period and about as much light."""
        assert self._setting is not None
        before, self._half_periods = self._half_periods, times
        self._ratio_by_gain = {}
        return ExposureSetting(times * self._half_period_us, self._setting.gain * before / times)

    def _with_other_gain(self, ratio: float) -> ExposureSetting | None:
        """Return a better gain, by the straight line through the nearest two gains tried; None: there is none."""
        assert self._setting is not None
        span, gain, ratios = self._controls.gain, self._setting.gain, self._ratio_by_gain
        dark_gain = max((tried for tried in ratios if ratios[tried] < 1.0), default=None)
        bright_gain = min((tried for tried in ratios if ratios[tried] >= 1.0), default=None)
        if dark_gain is not None and bright_gain is not None:
            if bright_gain - dark_gain <= max(span.step, 1e-3 * bright_gain):
                return None
            share = (1.0 - ratios[dark_gain]) / (ratios[bright_gain] - ratios[dark_gain])
            wanted = dark_gain + (bright_gain - dark_gain) * min(max(share, 0.15), 0.85)
        else:
            step = max(
                abs(gain / ratio ** (1 / RESPONSE_EXPONENT) - gain),
                LEAST_STEP * (span.high - span.low),
            )
            other_gains = [tried for tried in ratios if tried != gain]
            if other_gains:
                nearest_gain = min(other_gains, key=lambda tried: abs(tried - gain))
                slope = (ratio - ratios[nearest_gain]) / (gain - nearest_gain)
                step = max(step, abs(ratio - 1.0) / slope) if slope > 0 else span.high
            wanted = gain + step if ratio < 1.0 else gain - step
        return ExposureSetting(self._setting.exposure_us, span.clip(wanted))

    def _check_light(self, t_ns: int, brightness: float) -> None:
        """Let the camera adjust itself anew when the light has changed; pictures are used meanwhile.

        In the light before it may have seen too little: a table that is switched on before the lamp is.
        """
        low, high = LIGHT_CHANGE_RANGE
        if low <= brightness / max(1.0, self._locked_brightness) <= high:
            self._light_changed_ns = None
        elif self._light_changed_ns is None:
            self._light_changed_ns = t_ns
        elif t_ns - self._light_changed_ns >= CHANGED_NS:
            self._let_adjust()


def mean_brightness(image: Image) -> float:
    """Return the mean level of a picture, from every eighth pixel each way."""
    return float(image[::8, ::8].mean())
