"""Keeps a few hands of a bench's game as facts with their truth: ``python -m tests.referee.faults.export --help``."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from table.games.registry import GAMES
from table.observed_facts import Fact
from table.referee.records.journal import JournalLine, effective_lines
from tests.referee.faults.damage import KINDS, RATE
from tests.referee.faults.games import NONE, Outcome, Plan, plans, play
from tests.referee.faults.tables import random_table
from tests.referee.recorded_facts import RecordedGame, ReportedFact, save

LEFT_OUT = frozenset(("t_ns", "decided_ns", "seq", "crc"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m tests.referee.faults.export")
    parser.add_argument("seed", type=int, help="of the bench's run")
    parser.add_argument("number", type=int, help="of the game, as the bench names it")
    parser.add_argument("first", type=int, help="the first hand, from 0")
    parser.add_argument("hands", type=int, help="how many hands")
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("--several", action="store_true", help="of a run with --several")
    given = parser.parse_args(arguments)
    plan = plans(given.number + 1, given.seed, list(GAMES), (NONE, *KINDS), RATE, several=given.several)[
        given.number
    ]
    outcome = play(plan, answers=False, keep=True)
    save(some_hands(plan, outcome, given.first, given.hands), given.name, given.folder)
    return 0


def some_hands(plan: Plan, outcome: Outcome, first: int, hands: int) -> RecordedGame:
    """A game of these hands alone."""
    truth = outcome.truth
    assert truth is not None
    _, angles = random_table(plan.game, random.Random(f"{plan.seed}/{plan.number}/table"))
    kept = truth.hands[first : first + hands]
    before = kept[0].before
    options = {**dict(truth.game.options), "hands": [one.before.cards for one in kept]}
    options["first_dealer"] = before.dealer
    starts = [line["t_ns"] for line in effective_lines(outcome.lines) if line["event"] == "hand_started"]
    until = starts[first + hands] if first + hands < len(starts) else None
    facts = [
        one for one in outcome.facts if starts[first] < one.t_ns and (until is None or one.t_ns <= until)
    ]
    return RecordedGame(
        game=plan.game,
        options=options,
        angles={seat: angle for seat, angle in angles.items() if seat in before.players},
        start_ns=starts[first],
        told=[ReportedFact(_told_ns(one), one) for one in facts],
        truth=[_plain(line) for one in kept for _, line in one.lines],
    )


def _told_ns(fact: Fact) -> int:
    return getattr(fact, "end_ns", fact.t_ns)


def _plain(line: JournalLine) -> JournalLine:
    return {name: value for name, value in line.items() if name not in LEFT_OUT}


if __name__ == "__main__":
    sys.exit(main())
