"""Plays whole games on the virtual table with packs that training never used, and compares with what was played.

    python -m models games --seeds 2 --json runs/games.json

Each held-out pack (with `--check` each of those photographed card by card) is dealt for a game of each seed: rendered
camera, the detector, sight, the referee, as in `cardtable demo`. The worst game counts. What `models.evaluate` measures
picture by picture is here the whole evening's.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2

from models.laidout import packs_of
from models.synth.packs import Pack
from models.synth.splits import load_packs
from models.virtualpack import faces_of
from table.detection.detector import Detector
from table.history.truth_comparison import Comparison, compare
from table.pipeline import Pipeline, game_from_config
from table.playback.run_loop import run_to_end
from table.simulation.players.game_director import ROUGH_MISHAPS, play_game
from table.simulation.simulated_config import make_simulated_config, random_room
from table.simulation.simulated_source import SimulatedSource

START_NS = 1_000_000_000_000


def play(
    pack: Pack, game: str, hands: list[int], seed: int, weights: Path | None, *, rough: bool = False
) -> Comparison:
    """One game with the pack; what the table made of it against what was played."""
    config = make_simulated_config(game, 3, {"hands": hands}, seed=seed)
    world = play_game(config, seed, mischief=ROUGH_MISHAPS if rough else None, pace=0.8, start_ns=START_NS)
    look = replace(random_room(seed), faces=faces_of(pack))
    if rough:
        look = replace(look, mark="joker" if "JOKER" in pack.faces else look.mark, glass=True)
    table = SimulatedSource(world, look)
    in_play = [str(one) for one in game_from_config(config).pack()]
    pipeline = Pipeline(config, table, reader=Detector(weights, pack=in_play))
    run_to_end(pipeline)
    return compare(world.truth, pipeline.referee.journal.lines)


def main() -> None:
    """Play the games and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m models games", description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=Path, help="folder with the networks (default: the packaged ones)")
    parser.add_argument("--pack", action="append", help="only these packs; may be repeated")
    parser.add_argument(
        "--check", type=Path, help="folder with overhead/ and truth.csv: the packs photographed there instead"
    )
    parser.add_argument(
        "--rough", action="store_true", help="as the demo's: hands that push and pause, a glass"
    )
    parser.add_argument("--game", default="whysteria")
    parser.add_argument("--hands", type=int, nargs="+", default=[3, 2, 1])
    parser.add_argument("--seeds", type=int, default=1, help="games with each pack")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    figures = []
    packs = packs_of(args.check) if args.check else load_packs("held")
    for pack in packs:
        whole = sum(len(name) < 4 for name in pack.faces) >= 52
        if not whole or (args.pack and pack.name not in args.pack):
            continue
        for seed in range(1, args.seeds + 1):
            result = play(pack, args.game, args.hands, seed, args.weights, rough=args.rough)
            print(f"{pack.name:24s} seed {seed}: {result.summary()}", flush=True)
            for line in result.differences:
                print(f"    {line}", flush=True)
            figures.append(
                {
                    "pack": pack.name,
                    "seed": seed,
                    "events": result.expected,
                    "right": result.matched,
                    "differences": list(result.differences),
                }
            )
    worst = max(figures, key=lambda f: len(f["differences"]), default=None)  # type: ignore[arg-type]
    if worst is not None:
        print(f"the worst game: {worst['pack']}, {len(worst['differences'])} differences")  # type: ignore[arg-type]
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")
