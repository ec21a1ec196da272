"""What the commands ``demo`` and ``virtual`` may be asked for in common: game, players, hands, seed."""

from __future__ import annotations

import argparse
from dataclasses import replace

from table.config import TableConfig
from table.errors import TableError
from table.games.registry import GAMES
from table.virtual.director import ROUGH, play_game
from table.virtual.faces import STYLES
from table.virtual.naive import NAIVE
from table.virtual.render import Look
from table.virtual.setup import NAMES, SIZE, look_of, virtual_config
from table.virtual.world import World

START_NS = 1_000 * 1_000_000_000
"""When a virtual game begins, on its own clock: like a machine's, which has been up for a while."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--game", metavar="G", default="whysteria", help="the game (default: whysteria)")
    parser.add_argument(
        "--players", metavar="N", type=int, help="how many play (default: 3, or as few as the game wants)"
    )
    parser.add_argument(
        "--hands", metavar="N", type=int, nargs="+", help="the sizes of the hands (default: a short game)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=1, help="another seed, another game (default: 1)"
    )
    parser.add_argument(
        "--pack", choices=STYLES, default=next(iter(STYLES)), help="the cards that are played with"
    )
    parser.add_argument(
        "--rough",
        action="store_true",
        help="with hands over the mark, cards pushed about or dropped face down, a joker for a mark, and a glass",
    )


def config_from(
    arguments: argparse.Namespace, *, size: tuple[int, int] = SIZE, fps: float = 30.0
) -> TableConfig:
    """The table that was asked for; ``TableError`` where there is no such."""
    if arguments.game not in GAMES:
        raise TableError(f"{arguments.game}: no such game: expected one of {', '.join(GAMES)}")
    if arguments.seed < 0:
        raise TableError(f"--seed: expected a number from 0, not {arguments.seed}")
    if arguments.game not in NAIVE:
        raise TableError(
            f"{arguments.game}: virtual players don't know it: expected one of {', '.join(NAIVE)}"
        )
    game = GAMES[arguments.game]
    low, high = game.seat_range
    players = arguments.players if arguments.players is not None else max(low, min(3, high))
    if not low <= players <= min(high, len(NAMES)):
        most = min(high, len(NAMES))
        wanted = str(low) if low == most else f"a number from {low} to {most}"
        raise TableError(f"--players: expected {wanted}, not {players}")
    options = {**game.proposed, "hands": list(arguments.hands or game.short)}
    return virtual_config(arguments.game, players, options, seed=arguments.seed, size=size, fps=fps)


def world_from(config: TableConfig, arguments: argparse.Namespace, pace: float = 1.0) -> World:
    """The game that virtual players play at that table."""
    mischief = ROUGH if arguments.rough else None
    return play_game(config, arguments.seed, mischief=mischief, pace=pace, start_ns=START_NS)


def look_from(arguments: argparse.Namespace) -> Look:
    """The room and the pack."""
    look = look_of(arguments.seed, STYLES[arguments.pack])
    return replace(look, mark="joker", glass=True) if arguments.rough else look
