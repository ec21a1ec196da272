"""The lists of photographs, and what is known about them that their own list does not say."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path

_LIST = Path(__file__).with_name("mirrored.txt")


@cache
def mirrored() -> frozenset[str]:
    """Names, without endings, of photographs that stand mirrored: not to learn from and not to measure with."""
    lines = _LIST.read_text().splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def listed(root: Path, folder: str) -> dict[str, list[dict[str, str]]]:
    """What ``root/truth.csv`` says of the pictures in ``folder``, by their names in it ("folder/name.jpg"), sorted."""
    lines: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (root / "truth.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["image"].startswith(folder + "/"):
                lines[row["image"]].append(row)
    return dict(sorted(lines.items()))
