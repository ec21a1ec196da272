"""Discovery of the V4L2 cameras that are plugged in, and their stable names.

Linux numbers video devices in the order in which they are found, so a camera that is plugged in again, or
after another one, may have another number. udev links each device from a name that is made of its maker,
model and serial number.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

BY_ID: Final = Path("/dev/v4l/by-id")
"""The folder of udev's stable names."""
DEVICES: Final = Path("/dev")
_PICTURE_SUFFIX: Final = "-index0"
"""The suffix of the name of a device that gives pictures; a camera's other devices give metadata."""


def device_path(source: str | int) -> str:
    """Return the path of the device that a V4L2 ``camera.source`` names."""
    number = str(source)
    return f"{DEVICES}/video{number}" if number.isdigit() else number


def find_stable_name(source: str | int) -> str | None:
    """Return the name under ``/dev/v4l/by-id`` of a V4L2 ``camera.source``; None where it has none."""
    path = Path(device_path(source))
    if path.parent == BY_ID:
        return str(path)
    device = os.path.realpath(path)
    return next((str(link) for link in _list_links() if os.path.realpath(link) == device), None)


def list_cameras() -> tuple[str, ...]:
    """Return every camera that is plugged in, by its stable name; where none has one, by its device path."""
    picture_devices = [str(link) for link in _list_links() if link.name.endswith(_PICTURE_SUFFIX)]
    # Numbers from ten on are a Raspberry Pi's own devices, which are no cameras.
    return tuple(picture_devices or sorted(map(str, DEVICES.glob("video[0-9]"))))


def _list_links() -> list[Path]:
    """Return the stable names that exist, those of devices that give pictures first."""
    try:
        links = [link for link in BY_ID.iterdir() if link.exists()]
    except OSError:
        return []
    return sorted(links, key=lambda link: (not link.name.endswith(_PICTURE_SUFFIX), link.name))
