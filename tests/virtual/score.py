"""How well sight sees virtual games: ``python -m tests.virtual.score [--seeds 1 2 3] [--pack slim] [--players 4]``.

No test: a measurement, for whoever works on sight or on the detector. Each landing that sight reports is compared with
what really happened at that moment.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from table.facts import MS, CardFact, CardGone, CardLanded, CardReread, Reading
from table.pipeline import detector_of, game_of
from table.referee.odds import turn
from table.sight.sight import Sight
from table.virtual.director import PEACE, ROUGH, play_game
from table.virtual.faces import STYLES
from table.virtual.setup import look_of, virtual_config
from table.virtual.source import VirtualTable

NEAR_NS = 600 * MS
"""A reported landing belongs to a true one this near in time ..."""
NEAR_MM = 25.0
"""... and in place."""


@dataclass
class Score:
    """Counts, and the errors of what was found."""

    counts: Counter[str] = field(default_factory=Counter)
    frames_late: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add another game's."""
        self.counts += other.counts
        self.frames_late += other.frames_late

    def line(self) -> str:
        """In one line."""
        late = sorted(abs(frames) for frames in self.frames_late)
        at = f"{late[len(late) // 2]:.0f}/{late[-1]:.0f} frames off (median/worst)" if late else ""
        names = (
            "landings",
            "missed",
            "invented",
            "misread",
            "arm",
            "beneath",
            "leavings",
            "not gone",
            "gone too often",
        )
        return ", ".join(f"{name} {self.counts[name]}" for name in names) + f", {at}"


def named(readings: Sequence[Reading]) -> str:
    """The likeliest name; empty for a card that shows none."""
    return readings[0].card if readings else ""


def score(truth: Sequence[CardFact], seen: Sequence[CardFact]) -> Score:
    """Compare what sight reported with what happened."""
    found = Score()
    read = {fact.id: fact.readings for fact in seen if isinstance(fact, CardReread)}
    open_ones = [fact for fact in seen if isinstance(fact, CardLanded)]
    same: dict[int, int] = {}
    for true in (fact for fact in truth if isinstance(fact, CardLanded)):
        found.counts["landings"] += 1
        close = [
            fact
            for fact in open_ones
            if abs(fact.t_ns - true.t_ns) < NEAR_NS
            and abs(complex(*fact.place_mm) - complex(*true.place_mm)) < NEAR_MM
        ]
        name = true.readings[0].card if true.readings else ""
        # Of two near ones the one that was read right is meant.
        close.sort(
            key=lambda fact: (
                named(fact.readings) != name,
                abs(fact.t_ns - true.t_ns),
            )
        )
        if not close:
            found.counts["missed"] += 1
            found.notes.append(f"{true.t_ns / 1e9:8.2f} s  missed {name or 'a blank'}")
            continue
        match = close[0]
        open_ones.remove(match)
        same[true.id] = match.id
        readings = read.get(match.id, match.readings)
        if named(readings) != name:
            said = f"{readings[0].card} ({readings[0].confidence:.2f})" if readings else "nothing"
            found.counts["misread"] += 1
            found.notes.append(f"{true.t_ns / 1e9:8.2f} s  {name or 'a blank'} read as {said}")
        found.frames_late.append((match.t_ns - true.t_ns) * 30 / 1e9)
        if abs(found.frames_late[-1]) > 3:
            found.notes.append(f"{true.t_ns / 1e9:8.2f} s  {name} {found.frames_late[-1]:+.1f} frames off")
        if match.arm_deg is None or turn(match.arm_deg, true.arm_deg or 0.0) > 25:
            found.counts["arm"] += 1
            found.notes.append(
                f"{true.t_ns / 1e9:8.2f} s  {name}'s arm from {true.arm_deg}, seen from {match.arm_deg}"
            )
        if {same.get(under) for under in true.upon} - {None} != set(match.upon):
            found.counts["beneath"] += 1
    for fact in open_ones:
        found.counts["invented"] += 1
        name = f"{fact.readings[0].card} ({fact.readings[0].confidence:.2f})" if fact.readings else "a blank"
        found.notes.append(
            f"{fact.t_ns / 1e9:8.2f} s  invented {name} at {fact.place_mm[0]:.0f}, {fact.place_mm[1]:.0f} mm"
        )
    left = {fact.id: fact.t_ns for fact in seen if isinstance(fact, CardGone)}
    for gone in (fact for fact in truth if isinstance(fact, CardGone)):
        found.counts["leavings"] += 1
        at = left.pop(same.get(gone.id, -1), None)
        if at is None or abs(at - gone.t_ns) > NEAR_NS:
            found.counts["not gone"] += 1
    found.counts["gone too often"] = len(left)
    found.notes.sort()
    return found


def main() -> None:
    """Measure, and print a line a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--hands", type=int, nargs="+", default=[3, 2, 1])
    parser.add_argument("--pack", choices=tuple(STYLES), default="classic")
    parser.add_argument("--pace", type=float, default=0.8)
    parser.add_argument(
        "--rough", action="store_true", help="with hands over the mark, pushed cards, a glass"
    )
    parser.add_argument("--peace", action="store_true", help="everything goes by the book")
    parser.add_argument("--notes", action="store_true", help="tell every error")
    arguments = parser.parse_args()
    total = Score()
    for seed in arguments.seeds:
        config = virtual_config("whysteria", arguments.players, {"hands": arguments.hands}, seed=seed)
        world = play_game(
            config,
            seed,
            pace=arguments.pace,
            mischief=PEACE if arguments.peace else ROUGH if arguments.rough else None,
        )
        sight = Sight(config.camera, detector_of(config, game_of(config)))
        seen: list[CardFact] = []
        frames, started = 0, time.process_time()
        look = look_of(seed, STYLES[arguments.pack])
        if arguments.rough:
            look = replace(look, mark="joker", glass=True)
        for delivery in VirtualTable(world, look).deliveries():
            if delivery.frame is not None:
                seen += sight.see(delivery.frame).facts
                frames += 1
        seen += sight.end().facts
        one = score(world.cards, seen)
        rate = frames / (time.process_time() - started)
        print(f"seed {seed}: {one.line()}; {rate:.0f} frames a second, {sight.looks} looks", flush=True)
        for note in one.notes if arguments.notes else ():
            print("   ", note)
        total.add(one)
    print(f"all: {total.line()}")


if __name__ == "__main__":
    main()
