"""Reads models/train.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

CONFIG_FILE = Path(__file__).with_name("train.toml")


def load(path: Path = CONFIG_FILE) -> dict[str, Any]:
    """The settings of synthesis, training and evaluation, by section."""
    with path.open("rb") as file:
        return tomllib.load(file)
