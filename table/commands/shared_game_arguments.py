"""The arguments that the commands ``demo`` and ``virtual`` share: game, players, hands, seed, pack."""

from __future__ import annotations

import argparse
from dataclasses import replace

from table.commands.translated_arguments import argument_help, parse_game
from table.config.settings import TableConfig
from table.errors import TableError
from table.games.registry import GAMES
from table.phrase import WrongValueError, expected_error, range_phrase
from table.simulation.players.game_director import ROUGH_MISHAPS, play_game
from table.simulation.players.simulated_game import World
from table.simulation.reference_rules import REFERENCE_GAMES
from table.simulation.rendering.camera_image import RoomAppearance
from table.simulation.rendering.card_artwork import STYLES
from table.simulation.simulated_config import IMAGE_SIZE, PLAYER_NAMES, make_simulated_config, random_room

START_NS = 1_000 * 1_000_000_000
"""The start of a simulated game on its own clock: like that of a machine that has been up for a while."""


def add_game_options(parser: argparse.ArgumentParser, seed: str = "usage.virtual_seed") -> None:
    """Add the options; ``seed``: the code of the help of ``--seed``."""
    parser.add_argument("--game", metavar="G", default="whysteria", help=argument_help("usage.virtual_game"))
    parser.add_argument("--players", metavar="N", type=int, help=argument_help("usage.virtual_players"))
    parser.add_argument(
        "--hands", metavar="N", type=int, nargs="+", help=argument_help("usage.virtual_hands")
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=argument_help(seed))
    parser.add_argument(
        "--pack", choices=STYLES, default=next(iter(STYLES)), help=argument_help("usage.virtual_pack")
    )
    parser.add_argument(
        "--rough",
        action="store_true",
        help=argument_help("usage.virtual_rough"),
    )


def make_config(
    arguments: argparse.Namespace, *, size: tuple[int, int] = IMAGE_SIZE, fps: float = 30.0
) -> TableConfig:
    """Return the configuration of the requested table; ``TableError`` where an argument is impossible."""
    try:
        name = parse_game(arguments.game)
    except WrongValueError as error:
        raise TableError(error) from None
    if arguments.seed < 0:
        raise TableError(expected_error("expected.number_from", at="--seed", low=0, instead=arguments.seed))
    if name not in REFERENCE_GAMES:
        raise TableError("wrong.unknown_to_virtual", at=name, games=tuple(REFERENCE_GAMES))
    game = GAMES[name]
    low, high = game.seat_range
    players = arguments.players if arguments.players is not None else max(low, min(3, high))
    if not low <= players <= min(high, len(PLAYER_NAMES)):
        max_players = min(high, len(PLAYER_NAMES))
        raise TableError(expected_error(range_phrase(low, max_players), at="--players", instead=players))
    options = {**game.proposed_options, "hands": list(arguments.hands or game.short_game_hands)}
    return make_simulated_config(name, players, options, seed=arguments.seed, size=size, fps=fps)


def simulate_game(config: TableConfig, arguments: argparse.Namespace, pace: float = 1.0) -> World:
    """Simulate the requested game at that table."""
    mischief = ROUGH_MISHAPS if arguments.rough else None
    return play_game(config, arguments.seed, mischief=mischief, pace=pace, start_ns=START_NS)


def choose_appearance(arguments: argparse.Namespace) -> RoomAppearance:
    """Return the appearance of the room and of the pack."""
    look = random_room(arguments.seed, STYLES[arguments.pack])
    return replace(look, mark="joker", glass=True) if arguments.rough else look
