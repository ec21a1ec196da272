"""Runs the bench: ``python -m tests.referee.faults --games 1000 --seed 1``."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from table.games.registry import GAMES
from tests.referee.faults.damage import KINDS, RATE
from tests.referee.faults.games import HURRY, NONE, Plan, answering, plans, play_both
from tests.referee.faults.report import Report, Tally, ailing, tally


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; 2 for arguments that can't be."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.referee.faults",
        description="Plays random games, damages their facts, and counts what the referee makes of them.",
    )
    parser.add_argument("--games", type=_count, default=1000, help="how many games (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other games (default: 1)")
    parser.add_argument(
        "--jobs", type=_count, default=1, help="processes at once; changes no number (default: 1)"
    )
    parser.add_argument("--rate", type=_rate, default=RATE, help="faults a card (default: 1/30)")
    parser.add_argument(
        "--faults",
        type=_kinds,
        default=(NONE, *KINDS),
        help=f"which: {', '.join((NONE, *KINDS))} (default: all)",
    )
    parser.add_argument("--game", choices=tuple(GAMES), help="one game alone (default: all in turn)")
    parser.add_argument(
        "--hurry", type=_share, default=HURRY, help="how often people go on without looking (default: 0.7)"
    )
    parser.add_argument("--several", action="store_true", help="all faults mixed in every game")
    given = parser.parse_args(arguments)
    names = [given.game] if given.game else list(GAMES)
    todo = [
        replace(plan, hurry=given.hurry)
        for plan in plans(given.games, given.seed, names, given.faults, given.rate, several=given.several)
    ]
    began = time.perf_counter()
    report = Report()
    played, longest_s, longest = 0, 0.0, ""
    with suppress(KeyboardInterrupt):  # what has been played is told
        for plan, (told, broken, take_s) in zip(todo, _played(todo, given.jobs), strict=True):
            report.add(plan, told, broken)
            played += 1
            if take_s > longest_s:
                longest_s, longest = take_s, f"{plan.number} {plan.game} {plan.fault}"
            if (what := ailing(told)) is not None:
                print(f"{plan.number} {plan.game} {plan.fault}: {what}", file=sys.stderr, flush=True)
    took = time.perf_counter() - began
    hands = sum(told.hands for told in report.by.values())
    print(
        f"{played} games, {hands} hands, seed {given.seed}, a fault in {1 / given.rate:.0f} cards; "
        f"{'with and without answers' if answering() else 'the referee takes no answers'}\n"
    )
    print(report.text())
    print(
        f"{took:.0f} s, {hands / took:.0f} hands a second; the referee took at most {1000 * longest_s:.0f} ms of "
        f"processor time at once, in game {longest}",
        file=sys.stderr,
    )
    return 0


def _played(todo: Sequence[Plan], jobs: int) -> Iterator[tuple[Tally, list[str], float]]:
    if jobs == 1:
        yield from map(_one, todo)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(_one, todo, chunksize=4)


def _one(plan: Plan) -> tuple[Tally, list[str], float]:
    silent, answered = play_both(plan)
    broken = [one.broken for one in {id(silent): silent, id(answered): answered}.values() if one.broken]
    return tally(silent, answered), broken, max(silent.longest_take_s, answered.longest_take_s)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, not {text}")
    return int(text)


def _rate(text: str) -> float:
    above, _, below = text.partition("/")
    top, bottom = _number(above), _number(below or "1")
    if not 0 < top <= bottom:
        raise argparse.ArgumentTypeError(f"expected a share of cards such as 1/30 or 0.05, not {text}")
    return top / bottom


def _share(text: str) -> float:
    if not 0 <= _number(text) <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, not {text}")
    return float(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in (NONE, *KINDS):
            raise argparse.ArgumentTypeError(f"{kind}: expected some of {', '.join((NONE, *KINDS))}")
    return kinds


if __name__ == "__main__":
    sys.exit(main())
