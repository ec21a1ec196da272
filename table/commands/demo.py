"""``cardtable demo``: a game by virtual players on a virtual table, through the path of the real one."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from table.commands.arguments import about, usage
from table.commands.differences import sentences
from table.commands.virtual_game import add_options, config_from, look_from, world_from
from table.config import TableConfig
from table.display.screen import has_display
from table.display.sound import Sounds
from table.events.known import sentence
from table.journals.comparison import compare
from table.phrase import Phrase, say
from table.pipeline import Pipeline
from table.playback.album import Album
from table.playback.herald import Herald
from table.playback.pace import linger, work_off
from table.referee.journal import JournalLine
from table.sources.keyed import Keyed
from table.virtual.source import VirtualTable
from table.virtual.window import DemoScreen
from table.virtual.world import World
from table.words.spoken import put, tell, text

PICTURES = Path("demo-pictures")
SEEDS = range(1, 20)
"""Where no seed is given, the first of these whose game needs no deciding hand is played; else the last."""
PACE = 0.8
"""The players of the demo don't take as long as people would."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("demo", **about("demo"))
    add_options(parser, "usage.demo_seed")
    parser.add_argument("--headless", action="store_true", help=usage("usage.demo_headless"))
    parser.add_argument(
        "--pictures",
        metavar="DIR",
        type=Path,
        default=PICTURES,
        help=usage("usage.demo_pictures", usual=PICTURES),
    )
    parser.set_defaults(run=run, seed=None)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    headless = arguments.headless or not has_display()
    config, world = _game(arguments)
    table = VirtualTable(world, look_from(arguments))
    if not headless:
        keyed = Keyed(table, config.seats, config.buttons.debounce_ms, config.buttons.release_ms)
        pipeline = Pipeline(config, keyed, keys=keyed.keys)
        put("\n  ".join(map(text, (say("play.keyboard_too"), *keyed.help))))
        screen = DemoScreen(table, keyed.help)
        with screen, Sounds() as sounds:
            teller = _teller(pipeline, show=screen.add)
            herald = Herald(pipeline, sounds.play)

            def after(now_ns: int) -> None:
                keyed.press(screen.events())
                teller(now_ns)
                herald()

            ended_ns = work_off(pipeline, realtime=True, window=screen, after=after)
            if ended_ns is None:
                return 0
            # Of a game in which somebody took part by the keyboard no truth is known.
            status = _judge(pipeline, world, screen.add) if not keyed.used else 0
            linger(pipeline, screen, ended_ns)
        return status
    pipeline = Pipeline(config, table)
    album = Album(arguments.pictures)

    def keep(now_ns: int, lines: Sequence[JournalLine]) -> None:
        camera = table.latest.image if table.latest is not None else None
        album.keep(lines, pipeline.view(now_ns), camera)

    seconds = (world.end_ns - world.start_ns) / 1e9
    tell("demo.begins", seats=config.names, game=pipeline.referee.game.name, seconds=seconds)
    work_off(pipeline, after=_teller(pipeline, keep))
    put("")
    tell("demo.pictures", n=album.count, folder=str(arguments.pictures))
    if album.lack is not None:
        put(album.lack)
    return _judge(pipeline, world)


def _game(arguments: argparse.Namespace) -> tuple[TableConfig, World]:
    """The table and its game; ``arguments.seed`` becomes the seed that was chosen."""
    given = arguments.seed
    for seed in SEEDS if given is None else (given,):
        arguments.seed = seed
        config = config_from(arguments)
        world = world_from(config, arguments, PACE)
        hands = sum(line["event"] == "hand_scored" for line in world.truth)
        if hands <= len(config.options["hands"]):
            break
    return config, world


def _judge(pipeline: Pipeline, world: World, show: Callable[[Phrase], None] | None = None) -> int:
    """Say how the journal compares with the truth, and ``show`` the result too; 1 where they differ."""
    journal = pipeline.referee.journal.lines
    comparison = compare(world.truth, journal)
    tell("check.result", summary=comparison.summary())
    for gap in comparison.gaps:
        for t_ns, said in sentences(gap):
            put(f"{_clock(t_ns, journal)}  {text(said)}")
    counts = {"matched": comparison.matched, "expected": comparison.expected}
    result = [say("check.summary", **counts, differences=len(comparison.differences))]
    if not comparison.differences:
        result.append(_shown(world))
        put(result[-1])
    if show is not None:
        for said in result:
            show(said)
    return 1 if comparison.differences else 0


def _shown(world: World) -> Phrase:
    """What a game without a difference has shown."""
    count = Counter(line["event"] for line in world.truth)
    events = {"bid": "bid", "card_played": "card", "trick_won": "trick", "hand_scored": "hand"}
    counts = tuple(say(f"count.{what}", n=count[event]) for event, what in events.items())
    return say("demo.followed", counts=counts)


def _teller(
    pipeline: Pipeline,
    keep: Callable[[int, Sequence[JournalLine]], None] | None = None,
    show: Callable[[Phrase], None] | None = None,
) -> Callable[[int], None]:
    """A function that prints the journal's new lines as sentences, and has pictures kept."""
    told = 0

    def teller(now_ns: int) -> None:
        nonlocal told
        fresh = pipeline.referee.journal.lines[told:]
        told += len(fresh)
        for line in fresh:
            said = sentence(line)
            put(f"{_clock(line['t_ns'], pipeline.referee.journal.lines)}  {text(said)}")
            if show is not None:
                show(said)
        if keep is not None and fresh:
            keep(now_ns, fresh)

    return teller


def _clock(t_ns: int, journal: Sequence[JournalLine]) -> str:
    """A moment as minutes and seconds since the game began."""
    seconds = (t_ns - journal[0]["t_ns"]) / 1e9
    return f"{int(seconds) // 60:3}:{seconds % 60:04.1f}"
