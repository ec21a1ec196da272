"""What is known about the photographs to learn from that their own list does not say."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_LIST = Path(__file__).with_name("mirrored.txt")


@cache
def mirrored() -> frozenset[str]:
    """Names, without endings, of photographs that stand mirrored: not to learn from and not to measure with."""
    lines = _LIST.read_text().splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))
