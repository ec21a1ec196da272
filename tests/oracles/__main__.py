"""``python -m tests.oracles``: every comparison at length, and its counts as a table."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

from table.commands.arguments import number_type
from table.simulation.reference_rules import REFERENCE_GAMES
from tests.oracles.compare import DifferenceError, compare
from tests.oracles.perft import count
from tests.oracles.perft_table import LARGE, SMALL
from tests.oracles.spiel import compare_spiel, load_spiel

COLUMNS = [
    *("games", "deals", "calls", "bids", "bid sets", "cards", "play sets", "tricks", "scores"),
    *("rankings", "play-offs", "refusals", "revokes", "ties"),
]
OPENSPIEL_GAMES = ("oh_hell", "bridge")
NAMED = {"bid sets": "legal bids", "play sets": "legal cards", "scores": "points"}


def perft() -> Counter[str]:
    """All the exact counts of the table."""
    counts: Counter[str] = Counter()
    for case, leaves in [*SMALL, *LARGE]:
        found = count(case)
        if found != leaves:
            raise DifferenceError(f"{case}: {found} sequences, expected {leaves}")
        counts["sequences"] += found
        counts["cases"] += 1
    return counts


def show(name: str, counts: Counter[str], seconds: float) -> None:
    """A line of the table."""
    cells = [f"{counts[column] or '–':>12}" for column in COLUMNS]
    print(f"{name:<26}{''.join(cells)}{seconds:>8.0f}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run everything; 1 when two implementations differ."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.oracles",
        description="Compares the games with a naive second implementation and with OpenSpiel, deal by deal.",
    )
    deals = number_type(1, 1_000_000)
    parser.add_argument("--deals", type=deals, default=2000, help="random deals for each comparison (2000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other deals (0)")
    keys = (*REFERENCE_GAMES, *OPENSPIEL_GAMES, "perft")
    parser.add_argument("--only", action="append", choices=keys, help="only this comparison")
    chosen = parser.parse_args(arguments)
    jobs: list[tuple[str, str, Callable[[], Counter[str]]]] = []
    for game in REFERENCE_GAMES:
        jobs.append((game, f"{game}, naive", partial(compare, game, int(chosen.deals), chosen.seed)))
    for game in OPENSPIEL_GAMES:
        jobs.append(
            (game, f"OpenSpiel's {game}", partial(compare_spiel, game, int(chosen.deals), chosen.seed))
        )
    print(f"{'':<26}{''.join(f'{NAMED.get(column, column):>12}' for column in COLUMNS)}{'seconds':>8}")
    different = 0
    total: Counter[str] = Counter()
    start = time.monotonic()
    for key, name, job in jobs:
        if chosen.only and key not in chosen.only:
            continue
        if key in OPENSPIEL_GAMES and load_spiel() is None:
            print(f"{name:<26} not compared: open_spiel is not installed (pip install open_spiel)")
            continue
        begun = time.monotonic()
        try:
            counts = job()
        except DifferenceError as difference:
            print(f"{name:<26} DIFFERENT\n{difference}")
            different += 1
            continue
        show(name, counts, time.monotonic() - begun)
        total.update(counts)
    show("those without difference" if different else "all: no difference", total, time.monotonic() - start)
    if not chosen.only or "perft" in chosen.only:
        try:
            counts = perft()
            print(
                f"exact counts: {counts['sequences']} sequences in {counts['cases']} cases, as in the table"
            )
        except DifferenceError as difference:
            print(f"exact counts DIFFERENT\n{difference}")
            different += 1
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
