"""``cardtable bench``: the speed of detector, pipeline, rules and resuming on this machine."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2

from table.commands.arguments import about, number, usage
from table.errors import TableError
from table.games.registry import GAMES
from table.host.progress import Progress
from table.phrase import Phrase, say
from table.reader.detector import Detector
from table.speed.games import games_a_second, oh_hell_side_by_side
from table.speed.look import look_cost
from table.speed.path import path_speed
from table.speed.resume import LINES, resume_cost
from table.words.spoken import put, text


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("bench", **about("bench"))
    parser.add_argument("--json", action="store_true", help=usage("usage.bench_json"))
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=number(0.01, 3600),
        default=1.0,
        help=usage("usage.bench_seconds"),
    )
    parser.add_argument(
        "--lines",
        metavar="N",
        type=number(1, 100_000),
        default=LINES,
        help=usage("usage.bench_lines", usual=LINES),
    )
    parser.add_argument(
        "--yardstick",
        metavar="ONNX",
        type=Path,
        help=usage("usage.bench_yardstick"),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    found = _measure(arguments)
    put(json.dumps(found) if arguments.json else _text(found))
    return 0


def _measure(arguments: argparse.Namespace) -> dict[str, Any]:
    yardstick: Path | None = arguments.yardstick
    if yardstick is not None and not yardstick.is_file():
        raise TableError("file.none", at=yardstick, expected=say("expected.onnx"))
    cv2.setNumThreads(1)
    with Progress(say("progress.bench")) as progress:
        look = look_cost(Detector(), yardstick)
        progress(0.2)
        path = path_speed()
        games = {}
        for number, name in enumerate(GAMES):
            progress(0.5 + 0.3 * number / len(GAMES))
            games[name] = round(games_a_second(name, arguments.seconds), 1)
        progress(0.8)
        side_by_side = oh_hell_side_by_side(arguments.seconds)
        progress(0.9)
        resume = resume_cost(int(arguments.lines))
    found: dict[str, Any] = {
        "look_ms": round(look.look_ms, 2),
        "yardstick_ms": None if look.yardstick_ms is None else round(look.yardstick_ms, 2),
        "look_to_yardstick": None if look.ratio is None else round(look.ratio, 3),
        "path_frames": path.frames,
        "path_looks": path.looks,
        "path_times_real_time": round(path.times_real, 1),
        "random_games_a_second": games,
        "resume_lines": resume.lines,
        "resume_ms": round(1_000 * resume.between_s, 1),
        "resume_at_last_trick_ms": round(1_000 * resume.trick_s, 1),
        "resume_by_journal_alone_ms": round(1_000 * resume.alone_s, 1),
    }
    if side_by_side is not None:
        found["oh_hell_ours_a_second"], found["oh_hell_openspiel_a_second"] = (
            round(rate, 1) for rate in side_by_side
        )
    return found


def _text(found: dict[str, Any]) -> str:
    rows: list[tuple[Phrase, Phrase]] = [(say("bench.look"), say("bench.ms", ms=found["look_ms"]))]
    if found["yardstick_ms"] is not None:
        rows.append((say("bench.yardstick"), say("bench.ms", ms=found["yardstick_ms"])))
        rows.append((say("bench.ratio"), say("bench.times", times=found["look_to_yardstick"])))
    frames, looks = found["path_frames"], found["path_looks"]
    speed = say("bench.real_time", times=found["path_times_real_time"], frames=frames, looks=looks)
    rows.append((say("bench.path"), speed))
    for name, rate in found["random_games_a_second"].items():
        rows.append((say("bench.games", name=name), say("bench.a_second", rate=rate)))
    if "oh_hell_ours_a_second" in found:
        ours, theirs = found["oh_hell_ours_a_second"], found["oh_hell_openspiel_a_second"]
        rows.append((say("bench.same_deals", name="oh-hell"), say("bench.a_second", rate=ours)))
        rows.append((say("bench.openspiel"), say("bench.a_second", rate=theirs)))
    rows.append((say("bench.resume", lines=found["resume_lines"]), say("bench.ms", ms=found["resume_ms"])))
    rows.append((say("bench.resume_at_last_trick"), say("bench.ms", ms=found["resume_at_last_trick_ms"])))
    rows.append((say("bench.resume_alone"), say("bench.ms", ms=found["resume_by_journal_alone_ms"])))
    return "\n".join(f"{text(what):28}{text(how)}" for what, how in rows)
