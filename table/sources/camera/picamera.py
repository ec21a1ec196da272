"""A Raspberry Pi's camera module, through picamera2 (of the system's own packages)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from table.config.settings import CameraConfig
from table.errors import TableError, convert_errors
from table.observed_facts import Image
from table.phrase import make_phrase
from table.sources.camera.exposure_lock import NOT_CONTROLLED, ControlRange, ExposureSetting

READ_TIMEOUT_S = 3.0
# libcamera's control_ids: AeFlickerMode, AeExposureMode, AfMode, AfState
FLICKER_MANUAL: Final = 1
EXPOSURE_SHORT: Final = 1
FOCUS_MANUAL: Final = 0
FOCUS_CONTINUOUS: Final = 2
FOCUS_STATES_DONE: Final = (2, 3)
"""The focus states in which the lens does not move: focused, or failed to focus."""


def import_picamera2() -> Any:
    """Import picamera2; ``TableError`` where it is not installed, or does not fit the libraries beside it."""
    # Extension modules raise whatever they like: one built for another NumPy raises ValueError.
    with convert_errors(Exception, "source.no_picamera", at="camera.source"):
        return importlib.import_module("picamera2")


class PiCamera:
    """A Raspberry Pi's camera module, through picamera2 (of the system's own packages)."""

    accuracy = make_phrase("stamped.exposure")
    held = NOT_CONTROLLED
    live = True

    def __init__(self, camera: CameraConfig, module: Any = None) -> None:
        """``module``: picamera2, for tests."""
        module = module or import_picamera2()
        # Picamera2 reports a missing module like any other fault, and leaves a pipe open whenever it fails.
        # Its list has USB cameras after the modules; it would take one in a module's place, and can't use it.
        if all("/usb" in camera_info["Id"] for camera_info in module.Picamera2.global_camera_info()):
            raise TableError("source.no_module")
        try:
            self._camera = module.Picamera2()
        except RuntimeError as error:  # of any fault, such as a camera in use, which is the error's context
            raise TableError("source.module_not_started", error=error.__context__ or error) from None
        # picamera2's "RGB888" has blue first in memory, as OpenCV has it.
        main, controls = {"size": camera.size, "format": "RGB888"}, {"FrameRate": camera.fps}
        try:
            self._camera.configure(
                self._camera.create_video_configuration(main=main, controls=controls, buffer_count=6)
            )
            self._camera.start()
            self.controls = PiCameraControls(self._camera)
        except (RuntimeError, OSError) as error:
            self._camera.close()
            raise TableError("source.module_not_started", error=error) from None

    def read(self) -> tuple[int, Image] | None:
        """Return the next picture with its stamp; None after a while without one."""
        try:
            job = self._camera.capture_request(wait=False)
            request = self._camera.wait(job, timeout=READ_TIMEOUT_S)
        except (TimeoutError, RuntimeError, OSError):
            return None
        try:
            image = np.ascontiguousarray(request.make_array("main"), dtype=np.uint8)
            metadata = request.get_metadata()
            self.controls.metadata = metadata
            return int(metadata["SensorTimestamp"]), image
        finally:
            request.release()

    def close(self) -> None:
        """Stop and close the camera."""
        self._camera.stop()
        self._camera.close()


class PiCameraControls:
    """The controls of a camera module: those of libcamera's controls that this one has."""

    def __init__(self, camera: Any) -> None:
        """``camera``: picamera2's, started."""
        self._camera = camera
        self._controls: Mapping[str, tuple[Any, Any, Any]] = camera.camera_controls
        self.exposure = self._range("ExposureTime")
        self.gain = self._range("AnalogueGain")
        self.metadata: Mapping[str, Any] = {}
        """That of the latest picture."""

    def enable_automatic(self, half_period_us: float) -> None:
        """Let the camera adjust exposure, white balance and focus."""
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

    def read_setting(self) -> ExposureSetting | None:
        """Return the setting that libcamera reports for the last picture; None while it is focusing."""
        metadata = self.metadata
        is_focusing = metadata.get("AfState", FOCUS_STATES_DONE[0]) not in FOCUS_STATES_DONE
        if is_focusing or "ExposureTime" not in metadata:
            return None
        gain = float(metadata.get("AnalogueGain", 1.0)) * float(metadata.get("DigitalGain", 1.0))
        return ExposureSetting(float(metadata["ExposureTime"]), gain)

    def fix_setting(self, setting: ExposureSetting) -> None:
        """Set exposure and gain, and fix white balance and focus as the last picture had them."""
        wanted: dict[str, Any] = {
            "AeEnable": False,
            "ExposureTime": round(setting.exposure_us),
            "AnalogueGain": setting.gain,
            "AwbEnable": False,
            "AfMode": FOCUS_MANUAL,
        }
        kept = ("ColourGains", "LensPosition")
        self._set(wanted | {name: self.metadata[name] for name in kept if name in self.metadata})

    def _range(self, name: str) -> ControlRange:
        low, high, _ = self._controls.get(name, (1.0, 1.0, 1.0))
        return ControlRange(float(low), float(high))

    def _set(self, wanted: Mapping[str, Any]) -> None:
        # picamera2 refuses all of them for one that the camera lacks.
        self._camera.set_controls({name: value for name, value in wanted.items() if name in self._controls})
