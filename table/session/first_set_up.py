"""What this machine has for a table, and the ``table.toml`` that a first start without one writes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from table.buttons.gpio_lines import find_gpio_chip, load_gpiod
from table.config.toml_edit import replace_config
from table.config.toml_template import Choices, render_table_toml
from table.errors import TableError
from table.i18n.terminal_output import print_phrase
from table.sources.camera.v4l2 import list_cameras

_MODEL: Final = Path("/proc/device-tree/model")


def has_gpio_header() -> bool:
    """Return whether this machine has the pins for buttons and lamps: it is a Raspberry Pi."""
    try:
        find_gpio_chip(load_gpiod())
    except TableError:
        try:
            return _MODEL.read_text().startswith("Raspberry Pi")
        except OSError:
            return False
    return True


def list_camera_sources() -> tuple[str, ...]:
    """Return each ``camera.source`` to choose from: a Raspberry Pi's camera module, and what is plugged in by USB."""
    return (*(["picamera"] if has_gpio_header() else []), *list_cameras())


def find_camera() -> str | int:
    """Return the ``camera.source`` to begin with."""
    sources = list_camera_sources()
    return sources[0] if sources else 0


def write_first_set_up(path: Path) -> None:
    """Write a first ``table.toml`` for this machine, and say so; ``TableError`` if that fails.

    It names the camera; game, players and their seats are left to the menu.
    """
    camera = find_camera()
    replace_config(path, render_table_toml(Choices((), "", camera=camera)))
    print_phrase("play.first_set_up", path=str(path), camera=str(camera))
