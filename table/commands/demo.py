"""``cardtable demo``: simulated players play a game on a simulated table, through the path of the real one."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from table.commands.arguments import add_command
from table.commands.virtual import add_game_options, choose_appearance, make_config, simulate_game
from table.config.settings import ScreenConfig, TableConfig
from table.display.sound_player import Sounds
from table.display.window import has_display
from table.events.event_registry import line_sentence
from table.history.truth_comparison import compare, describe_gap
from table.i18n.terminal_output import phrase_text, print_line, print_phrase, terminal_renderer
from table.phrase import Phrase, make_phrase
from table.pipeline import Pipeline
from table.playback.run_loop import hold_last_picture, run_to_end
from table.playback.screenshots import ScreenshotFolder
from table.playback.sound_cues import SoundCues
from table.referee.records.journal import JournalLine
from table.simulation.demo_window import DemoScreen
from table.simulation.players.simulated_game import World
from table.simulation.simulated_source import SimulatedSource
from table.sources.keyboard_source import KeyboardSource

PICTURES = Path("demo-pictures")
SEEDS = range(1, 20)
"""Without a given seed the demo plays the first of these whose game needs no deciding hand; else the last."""
PACE = 0.8
"""Factor on the players' times: those of the demo are quicker than people."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "demo", run)
    add_game_options(parser, "usage.demo_seed")
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--pictures", metavar="DIR", type=Path, default=PICTURES, fields={"usual": PICTURES})
    parser.set_defaults(seed=None)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    config, world = _game(arguments)
    table = SimulatedSource(world, choose_appearance(arguments))
    if arguments.headless or not has_display():
        return _play_headless(config, world, table, arguments.pictures)
    return _play_in_window(config, world, table)


def _play_in_window(config: TableConfig, world: World, table: SimulatedSource) -> int:
    keyed = KeyboardSource(table, config.seats, config.buttons)
    pipeline = Pipeline(config, keyed, keys=keyed.key_names)
    print_line("\n  ".join(map(phrase_text, (make_phrase("play.keyboard_too"), *keyed.key_help))))
    screen = DemoScreen(table, keyed.key_help)
    with screen, Sounds() as sounds:
        sound_cues = SoundCues(sounds.play)

        def after(now_ns: int) -> None:
            keyed.add_key_events(screen.events())
            for phrase in _print_decided(pipeline):
                screen.add_sentence(phrase)
            sound_cues(pipeline.referee, pipeline.decided)

        ended_ns = run_to_end(pipeline, realtime=True, window=screen, after=after)
        if ended_ns is None:
            return 0
        status = 0
        if not keyed.used:  # of a game in which somebody took part by the keyboard no truth is known
            status, result = _judge(pipeline, world)
            for phrase in result:
                screen.add_sentence(phrase)
        hold_last_picture(pipeline, screen, ended_ns)
    return status


def _play_headless(config: TableConfig, world: World, table: SimulatedSource, pictures: Path) -> int:
    pipeline = Pipeline(config, table)
    album = ScreenshotFolder(pictures, ScreenConfig(terminal_renderer().catalogue.language))

    def after(now_ns: int) -> None:
        _print_decided(pipeline)
        if pipeline.decided:
            camera = table.latest_frame.image if table.latest_frame is not None else None
            album.save_if_important(pipeline.decided, pipeline.view(now_ns), camera)

    seconds = (world.end_ns - world.start_ns) / 1e9
    print_phrase("demo.begins", seats=config.names, game=pipeline.referee.game.name, seconds=seconds)
    run_to_end(pipeline, after=after)
    print_line("")
    print_phrase("demo.pictures", n=album.count, folder=str(pictures))
    if album.left_out_message is not None:
        print_line(album.left_out_message)
    return _judge(pipeline, world)[0]


def _game(arguments: argparse.Namespace) -> tuple[TableConfig, World]:
    """Return the table's set-up and its game; ``arguments.seed`` becomes the seed that was chosen."""
    given = arguments.seed
    for seed in SEEDS if given is None else (given,):
        arguments.seed = seed
        config = make_config(arguments)
        world = simulate_game(config, arguments, PACE)
        hands = sum(line["event"] == "hand_scored" for line in world.truth)
        if hands <= len(config.options["hands"]):
            break
    return config, world


def _judge(pipeline: Pipeline, world: World) -> tuple[int, list[Phrase]]:
    """Print how the journal compares with the truth; return 1 where they differ, and the result in few words."""
    journal = pipeline.referee.journal.lines
    comparison = compare(world.truth, journal)
    print_phrase("check.result", summary=comparison.summary())
    for gap in comparison.gaps:
        for t_ns, said in describe_gap(gap):
            print_line(f"{_clock(t_ns, journal)}  {phrase_text(said)}")
    counts = {"matched": comparison.matched, "expected": comparison.expected}
    result = [make_phrase("check.summary", **counts, differences=len(comparison.differences))]
    if comparison.differences:
        return 1, result
    count = Counter(line["event"] for line in world.truth)
    events = {"bid": "bid", "card_played": "card", "trick_won": "trick", "hand_scored": "hand"}
    totals = tuple(make_phrase(f"count.{what}", n=count[event]) for event, what in events.items())
    result.append(make_phrase("demo.followed", counts=totals))
    print_line(result[-1])
    return 0, result


def _print_decided(pipeline: Pipeline) -> list[Phrase]:
    """Print the lines just decided as sentences, and return these."""
    sentences = [line_sentence(line) for line in pipeline.decided]
    for line, sentence in zip(pipeline.decided, sentences, strict=True):
        print_line(f"{_clock(line['t_ns'], pipeline.referee.journal.lines)}  {phrase_text(sentence)}")
    return sentences


def _clock(t_ns: int, journal: Sequence[JournalLine]) -> str:
    """Format a stamp as minutes and seconds since the game began."""
    seconds = (t_ns - journal[0]["t_ns"]) / 1e9
    return f"{int(seconds) // 60:3}:{seconds % 60:04.1f}"
