"""Measures tracking on simulated games: ``python -m tests.simulation.score [--seeds 1 2] [--pack slim] [--players 4]``.

Not a test: a measurement for work on tracking or on the detector. Each landing that the tracker reports is compared
with the true events at that moment.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from table.directions import angle_between
from table.observed_facts import MS, CardFact, CardGone, CardLanded, CardReread, Reading
from table.pipeline import detector_from_config, game_from_config
from table.simulation.players.game_director import ROUGH_MISHAPS, play_game
from table.simulation.rendering.card_artwork import STYLES
from table.simulation.simulated_config import make_simulated_config, random_room
from table.simulation.simulated_source import SimulatedSource
from table.tracking.tracker import CardTracker
from tests.simulation.perfect import NO_MISHAPS, card_facts

NEAR_NS = 600 * MS
"""Maximum time between a reported landing and the true landing that it is matched to ..."""
NEAR_MM = 25.0
"""... and maximum distance."""


@dataclass
class Score:
    """Counts of landings and errors, timing errors and notes."""

    counts: Counter[str] = field(default_factory=Counter)
    frames_late: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add another game's score."""
        self.counts += other.counts
        self.frames_late += other.frames_late

    def line(self) -> str:
        """Return the score as a line of text."""
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
    """Return the most probable card name; empty if there is no reading."""
    return readings[0].card if readings else ""


def score(truth: Sequence[CardFact], seen: Sequence[CardFact]) -> Score:
    """Compare the tracker's card facts with the true ones."""
    result = Score()
    read = {fact.id: fact.readings for fact in seen if isinstance(fact, CardReread)}
    unmatched = [fact for fact in seen if isinstance(fact, CardLanded)]
    matched_id: dict[int, int] = {}
    for true in (fact for fact in truth if isinstance(fact, CardLanded)):
        result.counts["landings"] += 1
        close = [
            fact
            for fact in unmatched
            if abs(fact.t_ns - true.t_ns) < NEAR_NS
            and abs(complex(*fact.place_mm) - complex(*true.place_mm)) < NEAR_MM
        ]
        name = true.readings[0].card if true.readings else ""
        # Of two near landings the correctly read one is matched.
        close.sort(
            key=lambda fact: (
                named(fact.readings) != name,
                abs(fact.t_ns - true.t_ns),
            )
        )
        if not close:
            result.counts["missed"] += 1
            result.notes.append(f"{true.t_ns / 1e9:8.2f} s  missed {name or 'a blank'}")
            continue
        match = close[0]
        unmatched.remove(match)
        matched_id[true.id] = match.id
        readings = read.get(match.id, match.readings)
        if named(readings) != name:
            reading_text = f"{readings[0].card} ({readings[0].confidence:.2f})" if readings else "nothing"
            result.counts["misread"] += 1
            result.notes.append(f"{true.t_ns / 1e9:8.2f} s  {name or 'a blank'} read as {reading_text}")
        result.frames_late.append((match.t_ns - true.t_ns) * 30 / 1e9)
        if abs(result.frames_late[-1]) > 3:
            result.notes.append(f"{true.t_ns / 1e9:8.2f} s  {name} {result.frames_late[-1]:+.1f} frames off")
        if match.arm_deg is None or angle_between(match.arm_deg, true.arm_deg or 0.0) > 25:
            result.counts["arm"] += 1
            result.notes.append(
                f"{true.t_ns / 1e9:8.2f} s  {name}'s arm from {true.arm_deg}, seen from {match.arm_deg}"
            )
        if {matched_id.get(under) for under in true.upon} - {None} != set(match.upon):
            result.counts["beneath"] += 1
    for fact in unmatched:
        result.counts["invented"] += 1
        name = f"{fact.readings[0].card} ({fact.readings[0].confidence:.2f})" if fact.readings else "a blank"
        result.notes.append(
            f"{fact.t_ns / 1e9:8.2f} s  invented {name} at {fact.place_mm[0]:.0f}, {fact.place_mm[1]:.0f} mm"
        )
    left = {fact.id: fact.t_ns for fact in seen if isinstance(fact, CardGone)}
    for gone in (fact for fact in truth if isinstance(fact, CardGone)):
        result.counts["leavings"] += 1
        at = left.pop(matched_id.get(gone.id, -1), None)
        if at is None or abs(at - gone.t_ns) > NEAR_NS:
            result.counts["not gone"] += 1
    result.counts["gone too often"] = len(left)
    result.notes.sort()
    return result


def main() -> None:
    """Measure and print a line for each game."""
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
        config = make_simulated_config("whysteria", arguments.players, {"hands": arguments.hands}, seed=seed)
        world = play_game(
            config,
            seed,
            pace=arguments.pace,
            mischief=NO_MISHAPS if arguments.peace else ROUGH_MISHAPS if arguments.rough else None,
        )
        sight = CardTracker(config.camera, detector_from_config(config, game_from_config(config)))
        seen: list[CardFact] = []
        frames, started = 0, time.process_time()
        look = random_room(seed, STYLES[arguments.pack])
        if arguments.rough:
            look = replace(look, mark="joker", glass=True)
        for delivery in SimulatedSource(world, look).deliveries():
            if delivery.frame is not None:
                seen += sight.see(delivery.frame).facts
                frames += 1
        seen += sight.end().facts
        game_score = score(card_facts(world), seen)
        rate = frames / (time.process_time() - started)
        print(
            f"seed {seed}: {game_score.line()}; {rate:.0f} frames a second, {sight.detection_count} looks",
            flush=True,
        )
        for note in game_score.notes if arguments.notes else ():
            print("   ", note)
        total.add(game_score)
    print(f"all: {total.line()}")


if __name__ == "__main__":
    main()
