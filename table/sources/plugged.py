"""Which V4L2 cameras are plugged in, and by which names.

Linux numbers video devices in the order in which they are found, so a camera that is plugged in again, or after another
one, may have another number. udev links each device from a name that is made of its maker, model and serial number.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

BY_ID: Final = Path("/dev/v4l/by-id")
"""Where udev puts these names."""
DEVICES: Final = Path("/dev")
_PICTURES: Final = "-index0"
"""What the name of a device that gives pictures ends with; a camera's others give descriptions of them."""


def device_path(source: str | int) -> str:
    """The device that a V4L2 ``camera.source`` names."""
    number = str(source)
    return f"{DEVICES}/video{number}" if number.isdigit() else number


def stable_name(source: str | int) -> str | None:
    """The name under ``/dev/v4l/by-id`` of a V4L2 ``camera.source``; None where it has none, or isn't there."""
    path = Path(device_path(source))
    if path.parent == BY_ID:
        return str(path)
    device = os.path.realpath(path)
    return next((str(link) for link in _links() if os.path.realpath(link) == device), None)


def cameras() -> tuple[str, ...]:
    """Every camera that is plugged in, by its stable name; where none has one, by number."""
    giving = [str(link) for link in _links() if link.name.endswith(_PICTURES)]
    # From ten on they are a Raspberry Pi's own devices, which are no cameras.
    return tuple(giving or sorted(map(str, DEVICES.glob("video[0-9]"))))


def _links() -> list[Path]:
    """The names of what is there, those of pictures first."""
    try:
        found = [link for link in BY_ID.iterdir() if link.exists()]
    except OSError:
        return []
    return sorted(found, key=lambda link: (not link.name.endswith(_PICTURES), link.name))
