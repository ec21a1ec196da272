"""Kills a table with a virtual camera when cards land or leave: ``python -m tests.kill.aimed [--rough] [--seed N]``.

No test: a measurement, for whoever works on restarts. A whole game is played once. At the chosen moments a second table
starts from what lay on the disk, sees the same pictures from then on, and its journal is compared with the first one's.
Prints the events that are missing (-) or besides (+); exit status 1 where there are any.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from table.commands.arguments import Parser
from table.commands.virtual import add_game_options, choose_appearance, make_config, simulate_game
from table.config.settings import TableConfig
from table.detection.card_detections import CardReader
from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.pipeline import Pipeline, detector_from_config, game_from_config
from table.referee.records.journal import JournalLine, effective_lines, resume_lines
from table.referee.records.stored_facts import facts_path
from table.simulation.players.simulated_game import World
from table.simulation.simulated_source import SimulatedSource
from tests.simulation.perfect import card_facts

HORIZON_NS = 14_000 * MS
"""So long a table goes on after it has started again."""
MARGIN_NS = 3_500 * MS
"""What is younger may not have been decided yet."""
AROUND_MS = (-900, 1300)
"""So long before or after a card lands or leaves the table is killed, ..."""
DOWN_MS = (0, 0, 0, 0, 150, 400, 1000, 2500)
"""... and is down for one of these times."""
APART_NS = 300 * MS
"""Two kills are at least so far apart."""
NOT_PLAYED = ("asked", "answered", "corrected", "game_over")
NOT_COMPARED = ("seq", "decided_ns", "t_ns", "crc", "confidence", "by", "doubt")
PHASES = (Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP, Phase.TURN_UP, Phase.DEAL)


@dataclass
class Killed:
    """A table that was killed, and goes on."""

    at_ns: int
    up_ns: int
    path: Path
    pipeline: Pipeline | None = None

    def start(self, config: TableConfig, table: SimulatedSource, reader: CardReader) -> None:
        """Go on from what is on the disk."""
        lines = resume_lines(self.path) if self.path.exists() else []
        self.pipeline = Pipeline(config, table, journal=self.path, durable=False, reader=reader, resume=lines)


def moments(world: World, kills: int, random: Random) -> list[tuple[int, int]]:
    """When the table is killed and starts again: near landings and departures, not while somebody presses a button."""
    cards = [fact.t_ns for fact in card_facts(world)]
    chosen: list[tuple[int, int]] = []
    for _ in range(400):
        if len(chosen) == kills:
            break
        at_ns = random.choice(cards) + random.randrange(*AROUND_MS) * MS
        up_ns = at_ns + random.choice(DOWN_MS) * MS
        inside = world.start_ns + 2000 * MS <= at_ns and up_ns <= world.end_ns - 4000 * MS
        pressed = any(
            call.t_ns - 150 * MS < up_ns + 100 * MS and at_ns < call.end_ns + 150 * MS for call in world.calls
        )
        unseen = sum(at_ns < t_ns < up_ns for t_ns in cards)
        near = any(abs(at_ns - other_ns) < APART_NS for other_ns, _ in chosen)
        if inside and not pressed and unseen <= 1 and not near:
            chosen.append((at_ns, up_ns))
    return sorted(chosen)


def differences(whole: Sequence[JournalLine], after: Sequence[JournalLine], until_ns: int) -> list[str]:
    """The events before ``until_ns`` that one journal has and the other lacks."""
    expected, found = ([_plain(line) for line in effective_lines(lines)] for lines in (whole, after))
    known, told = (
        Counter(_plain(line) for line in effective_lines(lines) if _is_compared(line, until_ns))
        for lines in (whole, after)
    )
    missing = [f"- {one}" for one in (known - told).elements() if found.count(one) < expected.count(one)]
    besides = [f"+ {one}" for one in (told - known).elements() if expected.count(one) < found.count(one)]
    return missing + besides


def _is_compared(line: JournalLine, until_ns: int) -> bool:
    return line["event"] not in NOT_PLAYED and line["t_ns"] < until_ns


def _plain(line: JournalLine) -> str:
    return json.dumps({key: value for key, value in line.items() if key not in NOT_COMPARED}, sort_keys=True)


def run(arguments: argparse.Namespace, folder: Path) -> int:
    """Kill one game; the number of kills after which it went on differently."""
    config = make_config(arguments)
    world = simulate_game(config, arguments, 0.8)
    reader = detector_from_config(config, game_from_config(config))
    table = SimulatedSource(world, choose_appearance(arguments))
    path = folder / "whole.jsonl"
    whole = Pipeline(config, table, journal=path, durable=False, reader=reader)
    random = Random(f"{arguments.game}/{arguments.seed}/")
    todo = moments(world, arguments.kills, random)
    if arguments.at is not None:
        todo = [(world.start_ns + at * MS, world.start_ns + at * MS) for at in sorted(arguments.at)]
    going: list[Killed] = []
    kills = bad = 0
    for delivery in table.deliveries():
        now = delivery.now_ns
        for killed in [one for one in going if now >= one.up_ns + HORIZON_NS or delivery.frame is None]:
            going.remove(killed)
            kills += 1
            bad += _tell(killed, whole, now, world)
        for killed in going:
            if killed.pipeline is None and now >= killed.up_ns and now > killed.at_ns:
                killed.start(config, table, reader)
            if killed.pipeline is not None:
                killed.pipeline.process(delivery)
        whole.process(delivery)
        while todo and now >= todo[0][0]:
            _, up_ns = todo.pop(0)
            if whole.referee.state.phase in PHASES:
                going.append(Killed(now, up_ns, _copied(path, folder / f"{now}.jsonl")))
        if not todo and not going:
            break
    whole.referee.journal.close()
    print(f"{arguments.game}, seed {arguments.seed}: {kills} kills, {bad} with a difference", flush=True)
    return bad


def _copied(path: Path, to: Path) -> Path:
    """What is on the disk now, as it would be found later."""
    for before, after in ((path, to), (facts_path(path), facts_path(to))):
        if before.exists():
            shutil.copyfile(before, after)
    return to


def _tell(killed: Killed, whole: Pipeline, now_ns: int, world: World) -> bool:
    """Say how a killed table went on differently; whether it did."""
    if killed.pipeline is None:
        return False
    journal = killed.pipeline.referee.journal
    found = differences(whole.referee.journal.lines, journal.lines, now_ns - MARGIN_NS)
    journal.close()
    if found:
        at, up = ((t_ns - world.start_ns) // MS for t_ns in (killed.at_ns, killed.up_ns))
        print(f"killed at {at} ms, up at {max(at, up)} ms:", *found, sep="\n    ", flush=True)
    return bool(found)


def main() -> int:
    """Run the bench."""
    parser = Parser(prog="tests.kill.aimed", description=(__doc__ or "").splitlines()[0])
    add_game_options(parser)
    parser.add_argument("--kills", type=int, default=12, help="at most (default: 12)")
    parser.add_argument("--at", type=int, nargs="+", metavar="MS", help="kill at these moments instead")
    with tempfile.TemporaryDirectory() as folder:
        return 1 if run(parser.parse_args(), Path(folder)) else 0


if __name__ == "__main__":
    sys.exit(main())
