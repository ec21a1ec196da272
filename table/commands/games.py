"""``cardtable games``: prints the games, their options, and the rules as played with the default options."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from table.commands.arguments import add_command, parse_game
from table.config.settings import load_config
from table.errors import TableError, convert_errors
from table.games.engine.option_checks import player_count_phrase
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.i18n.rules_page import rules_page
from table.i18n.terminal_output import phrase_text, print_line, print_phrase, terminal_renderer
from table.phrase import WrongValueError, make_phrase
from table.pipeline import game_from_config


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "games", run)
    parser.add_argument("game", metavar="G", nargs="?")
    parser.add_argument("--config", metavar="FILE", type=Path)


def run(arguments: argparse.Namespace) -> int:
    """Print the list of games, or the options and rules of one game."""
    with convert_errors(WrongValueError):
        game_key = None if arguments.game is None else parse_game(arguments.game)
    if arguments.config is not None:
        config = load_config(arguments.config)
        if game_key not in (None, config.game):
            place = (arguments.config, "game.name")
            raise TableError("set_up.other_game", at=place, game=config.game, asked=game_key)
        print_line(_rules_page(game_from_config(config)))
        return 0
    if game_key is None:
        for name, game in GAMES.items():
            description = make_phrase("games.one", game=name, range=player_count_phrase(*game.seat_range))
            print_line(f"{name:18}{phrase_text(description)}")
        print_line("")
        print_phrase("games.hint")
        return 0
    kind = GAMES[game_key]
    low, high = kind.seat_range
    players = player_count_phrase(low, high)
    print_phrase("games.options", game=kind.name, name=json.dumps(kind.name), range=players)
    no_default = phrase_text(make_phrase("games.no_default"))
    for option in kind.option_specs:
        default = no_default if option.default is None else json.dumps(option.default)
        print_line(
            f"  {option.name} = {default}\n      {phrase_text(option.about)} ({phrase_text(option.check.kind)})"
        )
    numbers = range(1, max(low, min(high, 4)) + 1)
    seats = [phrase_text(make_phrase("games.player", number=number)) for number in numbers]
    print_line("\n" + _rules_page(make_game(game_key, seats, kind.proposed_options)))
    return 0


def _rules_page(game: Game) -> str:
    language = terminal_renderer().catalogue.language
    return rules_page(game.name, game.rules_page_values(), language, package=game.spec.rules_page_package)
