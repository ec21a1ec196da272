"""``cardtable bench``: measures the speed of detector, pipeline, rules and resuming on this machine."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2

from table.benchmark.detection_speed import measure_detection
from table.benchmark.pipeline_speed import measure_pipeline
from table.benchmark.resume_speed import LINES, measure_resume
from table.benchmark.rules_speed import compare_with_openspiel, measure_games_per_second
from table.commands.arguments import add_command, number_type
from table.detection.detector import Detector
from table.errors import TableError
from table.games.registry import GAMES
from table.i18n.terminal_output import phrase_text, print_line
from table.phrase import Phrase, make_phrase
from table.system.progress_line import Progress


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "bench", run)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", metavar="S", type=number_type(0.01, 3600), default=1.0)
    lines, usual = number_type(1, 100_000), {"usual": LINES}
    parser.add_argument("--lines", metavar="N", type=lines, default=LINES, fields=usual)
    parser.add_argument("--yardstick", metavar="ONNX", type=Path)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print the speeds."""
    results = _measure(arguments)
    print_line(json.dumps(results) if arguments.json else _format_results(results))
    return 0


def _measure(arguments: argparse.Namespace) -> dict[str, Any]:
    yardstick: Path | None = arguments.yardstick
    if yardstick is not None and not yardstick.is_file():
        raise TableError("file.none", at=yardstick, expected=make_phrase("expected.onnx"))
    cv2.setNumThreads(1)
    with Progress(make_phrase("progress.bench")) as progress:
        detection = measure_detection(Detector(), yardstick)
        progress(0.2)
        pipeline = measure_pipeline()
        games_per_second = {}
        for number, name in enumerate(GAMES):
            progress(0.5 + 0.3 * number / len(GAMES))
            games_per_second[name] = round(measure_games_per_second(name, arguments.seconds), 1)
        progress(0.8)
        side_by_side = compare_with_openspiel(arguments.seconds)
        progress(0.9)
        resume = measure_resume(int(arguments.lines))
    look_ms, yardstick_ms = detection
    results: dict[str, Any] = {
        "look_ms": round(look_ms, 2),
        "yardstick_ms": None if yardstick_ms is None else round(yardstick_ms, 2),
        "look_to_yardstick": None if yardstick_ms is None else round(look_ms / yardstick_ms, 3),
        "path_frames": pipeline.frames,
        "path_looks": pipeline.detection_passes,
        "path_times_real_time": round(pipeline.real_time_factor, 1),
        "random_games_a_second": games_per_second,
        "resume_lines": resume.lines,
        "resume_ms": round(1_000 * resume.between_hands_s, 1),
        "resume_at_last_trick_ms": round(1_000 * resume.last_trick_s, 1),
        "resume_by_journal_alone_ms": round(1_000 * resume.journal_only_s, 1),
    }
    if side_by_side is not None:
        ours, theirs = side_by_side
        results |= {"oh_hell_ours_a_second": round(ours, 1), "oh_hell_openspiel_a_second": round(theirs, 1)}
    return results


def _format_results(results: dict[str, Any]) -> str:
    rows: list[tuple[Phrase, Phrase]] = []

    def add(
        label: str, unit: str, about: Mapping[str, object] = MappingProxyType({}), **value: object
    ) -> None:
        rows.append((make_phrase(label, **about), make_phrase(unit, **value)))

    add("bench.look", "bench.ms", ms=results["look_ms"])
    if results["yardstick_ms"] is not None:
        add("bench.yardstick", "bench.ms", ms=results["yardstick_ms"])
        add("bench.ratio", "bench.times", times=results["look_to_yardstick"])
    path = {"frames": results["path_frames"], "looks": results["path_looks"]}
    add("bench.path", "bench.real_time", times=results["path_times_real_time"], **path)
    for name, rate in results["random_games_a_second"].items():
        add("bench.games", "bench.a_second", {"name": name}, rate=rate)
    if "oh_hell_ours_a_second" in results:
        add("bench.same_deals", "bench.a_second", {"name": "oh-hell"}, rate=results["oh_hell_ours_a_second"])
        add("bench.openspiel", "bench.a_second", rate=results["oh_hell_openspiel_a_second"])
    add("bench.resume", "bench.ms", {"lines": results["resume_lines"]}, ms=results["resume_ms"])
    add("bench.resume_at_last_trick", "bench.ms", ms=results["resume_at_last_trick_ms"])
    add("bench.resume_alone", "bench.ms", ms=results["resume_by_journal_alone_ms"])
    return "\n".join(f"{phrase_text(label):28}{phrase_text(value)}" for label, value in rows)
