"""A Raspberry Pi's camera module, through picamera2 (of the system's own packages)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from table.config import CameraConfig
from table.errors import TableError
from table.facts import Image
from table.phrase import say
from table.sources.held import LEFT_ALONE, Range, Setting

WAIT_S = 3.0
"""A camera is asked for a picture for so long at a time."""
# libcamera's control_ids: AeFlickerMode, AeExposureMode, AfMode, AfState
FLICKER_MANUAL: Final = 1
EXPOSURE_SHORT: Final = 1
FOCUS_MANUAL: Final = 0
FOCUS_CONTINUOUS: Final = 2
FOCUS_FOUND: Final = (2, 3)
"""Focused, or failed to: either way the lens stands."""


def picamera2() -> Any:
    """The module; ``TableError`` where it can't be had."""
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise TableError("source.no_picamera", at="camera.source", error=error) from None


class PiCamera:
    """A Raspberry Pi's camera module, through picamera2 (of the system's own packages)."""

    accuracy = say("stamped.exposure")
    held = LEFT_ALONE
    live = True

    def __init__(self, camera: CameraConfig, module: Any = None) -> None:
        """``module``: picamera2, for tests."""
        module = module or picamera2()
        try:
            self._camera = module.Picamera2()
        except (RuntimeError, IndexError) as error:
            raise TableError("source.no_module", error=error) from None
        try:
            # picamera2's "RGB888" has blue first in memory, as OpenCV has it.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": camera.size, "format": "RGB888"},
                    controls={"FrameRate": camera.fps},
                    buffer_count=6,
                )
            )
            self._camera.start()
            self.knobs = PiKnobs(self._camera)
        except (RuntimeError, OSError) as error:
            self._camera.close()
            raise TableError("source.module_not_started", error=error) from None

    def read(self) -> tuple[int, Image] | None:
        """The next picture; None after a while without one."""
        try:
            job = self._camera.capture_request(wait=False)
            request = self._camera.wait(job, timeout=WAIT_S)
        except (TimeoutError, RuntimeError, OSError):
            return None
        try:
            image = np.ascontiguousarray(request.make_array("main"), dtype=np.uint8)
            metadata = request.get_metadata()
            self.knobs.saw(metadata)
            return int(metadata["SensorTimestamp"]), image
        finally:
            request.release()

    def close(self) -> None:
        """Stop it."""
        self._camera.stop()
        self._camera.close()


class PiKnobs:
    """What of a camera module can be set: those of libcamera's controls that this one has."""

    def __init__(self, camera: Any) -> None:
        """``camera``: picamera2's, started."""
        self._camera = camera
        self._controls: Mapping[str, tuple[Any, Any, Any]] = camera.camera_controls
        self.exposure = self._range("ExposureTime")
        self.gain = self._range("AnalogueGain")
        self._metadata: Mapping[str, Any] = {}

    def saw(self, metadata: Mapping[str, Any]) -> None:
        """A picture came, made so."""
        self._metadata = metadata

    def automatic(self, half_period_us: float) -> None:
        """Let the camera find its light, white and focus."""
        self._set(
            {
                "AeEnable": True,
                "AwbEnable": True,
                "AeFlickerMode": FLICKER_MANUAL,
                "AeFlickerPeriod": round(half_period_us),
                "AeExposureMode": EXPOSURE_SHORT,  # moving hands blur less
                "AfMode": FOCUS_CONTINUOUS,
            }
        )

    def found(self) -> Setting | None:
        """What libcamera says that the last picture was made with; None while it is focusing."""
        told = self._metadata
        if told.get("AfState", FOCUS_FOUND[0]) not in FOCUS_FOUND or "ExposureTime" not in told:
            return None
        gain = float(told.get("AnalogueGain", 1.0)) * float(told.get("DigitalGain", 1.0))
        return Setting(float(told["ExposureTime"]), gain)

    def fix(self, setting: Setting) -> None:
        """Set exposure and gain, and fix white and focus as the last picture had them."""
        wanted: dict[str, Any] = {
            "AeEnable": False,
            "ExposureTime": round(setting.exposure_us),
            "AnalogueGain": setting.gain,
            "AwbEnable": False,
            "AfMode": FOCUS_MANUAL,
        }
        for name in ("ColourGains", "LensPosition"):
            if name in self._metadata:
                wanted[name] = self._metadata[name]
        self._set(wanted)

    def _range(self, name: str) -> Range:
        low, high, _ = self._controls.get(name, (1.0, 1.0, 1.0))
        return Range(float(low), float(high))

    def _set(self, wanted: Mapping[str, Any]) -> None:
        # picamera2 refuses all of them for one that the camera lacks.
        self._camera.set_controls({name: value for name, value in wanted.items() if name in self._controls})
