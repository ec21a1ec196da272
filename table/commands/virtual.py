"""``cardtable virtual``: simulates a game and writes it as a recording; its arguments are those of ``demo`` too."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.commands.arguments import Parser, add_command, parse_game
from table.config.settings import TableConfig
from table.errors import TableError, convert_errors
from table.files.safe_reading import MOST_PIXELS
from table.games.registry import GAMES, make_game
from table.i18n.terminal_output import print_phrase
from table.phrase import WrongValueError, expected_error, make_phrase, range_phrase
from table.simulation.players.game_director import ROUGH_MISHAPS, play_game
from table.simulation.players.simulated_game import World
from table.simulation.recording_writer import write_recording
from table.simulation.reference_rules import REFERENCE_GAMES
from table.simulation.rendering.camera_image import RoomAppearance
from table.simulation.rendering.card_artwork import STYLES
from table.simulation.simulated_config import IMAGE_SIZE, PLAYER_NAMES, make_simulated_config, random_room
from table.simulation.simulated_source import SimulatedSource
from table.sources.recordings.video_writer import is_even
from table.system.progress_line import Progress
from table.table_geometry import Geometry

START_NS = 1_000 * 1_000_000_000
"""The start of a simulated game on its own clock: like that of a machine that has been up for a while."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "virtual", run)
    parser.add_argument("folder", metavar="DIR", type=Path, usage="usage.record_folder")
    add_game_options(parser)
    parser.add_argument("--size", metavar="WxH", default="1280x720")
    parser.add_argument("--fps", metavar="N", type=float, default=30.0)
    parser.add_argument("--pace", metavar="X", type=float, default=1.0)
    parser.add_argument("--plain", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Simulate a game and write its recording."""
    match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", arguments.size)
    size = (int(match[1]), int(match[2])) if match is not None else (0, 0)
    if not is_even(size) or not 0 < size[0] * size[1] <= MOST_PIXELS:
        raise TableError(expected_error("expected.picture_size", at="--size", instead=arguments.size))
    for name, low, high in (("fps", 10, 120), ("pace", 0.3, 5)):
        value = getattr(arguments, name)
        if not low <= value <= high:
            raise TableError(
                expected_error("expected.range", at=f"--{name}", low=low, high=high, instead=value)
            )
    config = make_config(arguments, size=size, fps=arguments.fps)
    Geometry(config.camera)  # raises for what no replay could see a card in
    world = simulate_game(config, arguments, arguments.pace)
    look = choose_appearance(arguments)
    if arguments.plain:
        look = replace(look, grain=0.02, noise=0.6)
    folder = str(arguments.folder)
    with Progress(make_phrase("progress.virtual", folder=folder)) as progress:
        write_recording(SimulatedSource(world, look), arguments.folder, progress=progress)
    seconds, frames = (world.end_ns - world.start_ns) / 1e9, len(world.clock.times)
    print_phrase("recording.virtual", folder=folder, seconds=seconds, frames=frames, lines=len(world.truth))
    return 0


# --- the simulated game, also of `demo` ---------------------------------------------------------------------------


def add_game_options(parser: Parser, seed: str = "usage.virtual_seed") -> None:
    """Add the options of a simulated game; ``seed``: the code of the help of ``--seed``."""
    parser.add_argument("--game", metavar="G", default="whysteria", usage="usage.virtual_game")
    parser.add_argument("--players", metavar="N", type=int, usage="usage.virtual_players")
    parser.add_argument("--hands", metavar="N", type=int, nargs="+", usage="usage.virtual_hands")
    parser.add_argument("--seed", metavar="N", type=int, default=1, usage=seed)
    parser.add_argument("--pack", choices=STYLES, default=next(iter(STYLES)), usage="usage.virtual_pack")
    parser.add_argument("--rough", action="store_true", usage="usage.virtual_rough")


def make_config(
    arguments: argparse.Namespace, *, size: tuple[int, int] = IMAGE_SIZE, fps: float = 30.0
) -> TableConfig:
    """Return the configuration of the requested table; ``TableError`` where an argument is impossible."""
    with convert_errors(WrongValueError):
        name = parse_game(arguments.game)
    if arguments.seed < 0:
        raise TableError(expected_error("expected.number_from", at="--seed", low=0, instead=arguments.seed))
    if name not in REFERENCE_GAMES:
        raise TableError("wrong.unknown_to_virtual", at=name, games=tuple(REFERENCE_GAMES))
    game = GAMES[name]
    low, high = game.seat_range
    players = arguments.players if arguments.players is not None else max(low, min(3, high))
    max_players = min(high, len(PLAYER_NAMES))
    if not low <= players <= max_players:
        raise TableError(expected_error(range_phrase(low, max_players), at="--players", instead=players))
    options = {**game.proposed_options, "hands": list(arguments.hands or game.short_game_hands)}
    config = make_simulated_config(name, players, options, seed=arguments.seed, size=size, fps=fps)
    with convert_errors(WrongValueError, at="--hands"):  # all other options are the game's own
        make_game(name, config.names, config.options)
    return config


def simulate_game(config: TableConfig, arguments: argparse.Namespace, pace: float = 1.0) -> World:
    """Simulate the requested game at that table."""
    mischief = ROUGH_MISHAPS if arguments.rough else None
    return play_game(config, arguments.seed, mischief=mischief, pace=pace, start_ns=START_NS)


def choose_appearance(arguments: argparse.Namespace) -> RoomAppearance:
    """Return the appearance of the room and of the pack."""
    look = random_room(arguments.seed, STYLES[arguments.pack])
    return replace(look, mark="joker", glass=True) if arguments.rough else look
