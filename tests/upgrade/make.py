"""Writes what a table leaves behind: ``python -m tests.upgrade.make tests/upgrade/VERSION``.

No test: run once with a version that people may have, so that later versions are tested with its files. A game is
played up to a moment that is worth an interruption. Kept are the journal, the file of facts beside it, and what happens
afterwards: ``NAME.rest.jsonl`` (as `tests.referee.recorded_facts` keeps a game) with what the table makes of all of it
in the end, without an interruption.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from table.detection.detector import Detector
from table.detection.enrolment_examples import ExampleCollector
from table.detection.indices.enrolled_pack import EnrolledPack, save_pack
from table.games.engine.game_state import Phase
from table.games.registry import GAMES, make_game
from table.menu.next_game_plan import GamePlan as Chosen
from table.menu.remembered_choices import save_plan
from table.observed_facts import CardGone
from table.referee.records.stored_facts import facts_path
from table.referee.referee import Referee
from tests.enrol.oddpack import one_card
from tests.referee.faults.games import Plan, play
from tests.referee.faults.tables import random_table
from tests.referee.powercut import Evening, copied, holding, known_ns
from tests.referee.recorded_facts import RecordedGame, ReportedFact, load, save

CHOSEN = Chosen(
    "oh-hell", "harsh", {"1": "Ada", "3": "Zoë שרה"}, "Ada", known_players=("Ada", "Zoë שרה", "Ben")
)
ENROLLED = ("JS", "QH", "KD", "7C")
FACTS = 250
"""A game ends with the trick in which so many facts have been told."""

Moment = Callable[[Referee], bool]


def main(folder: Path) -> None:
    """Write all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(GAMES):
        keep_interrupted(random_evening(name, 400 + number), _in_second_hand, folder, name)
    asking = recorded_evening("whysteria-two-missed-revoke")
    keep_interrupted(asking, lambda referee: bool(referee.questions), folder, "whysteria-asked")
    for event in ("leads_tied", "bids_tied"):
        keep_interrupted(_with_tie(event), _just_told(event), folder, f"whysteria-{event.replace('_', '-')}")
    save_plan(folder / "chosen.json", CHOSEN)
    learner = ExampleCollector(Detector())
    pack = EnrolledPack()
    for card in ENROLLED:
        shown = learner.collect_single(one_card(card), card, 100.0)
        assert shown is not None
        pack.replace_examples([*shown.corners, *shown.negatives])
    save_pack(folder / "pack.npz", pack)


def keep_interrupted(evening: Evening, moment: Moment, folder: Path, name: str) -> None:
    """Play ``evening`` and keep what lies on the disk at the first such moment, and what happens afterwards."""
    path = folder / f"{name}.jsonl"
    at = _interrupted(evening, moment, path)
    whole = folder / "whole.jsonl"
    referee = evening.referee(whole)
    referee.start(0)
    evening.rest(referee, 0)
    referee.journal.close()
    for left in (whole, facts_path(whole)):
        left.unlink(missing_ok=True)
    told = [ReportedFact(known_ns(fact), fact) for fact in evening.facts]
    options, angles = dict(evening.game.options), dict(evening.angles)
    truth = holding(referee.journal.lines)
    save(RecordedGame(evening.game.name, options, angles, at, told, truth), f"{name}.rest", folder)


def _interrupted(evening: Evening, moment: Moment, path: Path) -> int:
    """Play up to the first such moment at which nothing waits to be judged; when that is."""
    live = path.with_name("live.jsonl")
    referee = evening.referee(live)
    referee.start(0)
    before = 0
    for at in evening.moments():
        fresh = [fact for fact in evening.facts if before <= known_ns(fact) < at]
        referee.take(fresh, evening.told_by(at), at)
        before = at
        if evening.is_judged(at) and moment(referee):
            break
    else:
        raise SystemExit(f"{path.name}: no such moment")
    copied(live, path)
    referee.journal.close()
    for left in (live, facts_path(live)):
        left.unlink(missing_ok=True)
    return at


def random_evening(name: str, seed: int) -> Evening:
    """The first hands of a random game without a fault."""
    plan = Plan(seed, list(GAMES).index(name), name, "none", ())
    game, angles = random_table(name, Random(f"{seed}/{plan.number}/table"))
    facts = sorted(play(plan, answers=False, keep=True).facts, key=known_ns)
    ends = next((fact for fact in facts[FACTS:] if isinstance(fact, CardGone) and fact.mark_empty), facts[-1])
    return Evening(game, angles, [fact for fact in facts if known_ns(fact) <= known_ns(ends)])


def recorded_evening(name: str) -> Evening:
    """A game whose facts are kept for the referee's tests."""
    kept = load(name)
    game = make_game(kept.game, tuple(kept.angles), kept.options)
    return Evening(game, kept.angles, sorted(kept.facts, key=known_ns))


def _with_tie(event: str) -> Evening:
    """A game of Whysteria in which this happens."""
    return next(evening for evening in _evenings() if _happens(evening, event))


def _evenings() -> Iterator[Evening]:
    for seed in range(500, 560):
        yield random_evening("whysteria", seed)


def _happens(evening: Evening, event: str) -> bool:
    referee = Referee(evening.game, evening.angles)
    referee.start(0)
    evening.rest(referee, 0)
    return any(line["event"] == event for line in referee.journal.lines)


def _just_told(event: str) -> Moment:
    """The event or the kept card's line after it is the journal's last."""
    return lambda referee: any(line["event"] == event for line in referee.journal.lines[-2:])


def _in_second_hand(referee: Referee) -> bool:
    """In the middle of a trick that is not the hand's first."""
    state = referee.state
    return state.hand == 2 and state.phase is Phase.FOLLOW and bool(state.tricks)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
