"""The last choices, stored in a file of the state folder; ``table.toml`` is never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from table.config.settings import MENU_SCREEN_KEYS, check_player_name
from table.errors import TableError
from table.files.atomic_writing import make_folder, replace_file
from table.files.safe_reading import MB, exists, parse_json, read_text
from table.games.registry import GAMES
from table.i18n.catalogue import languages
from table.menu.next_game_plan import MAX_KNOWN_PLAYERS, GamePlan
from table.names import normalize_name
from table.phrase import make_phrase

_MOST_BYTES: Final = 4 * MB
"""Room for thousands of rule sets that people have kept, each by hand: a larger file is none of ours."""


def save_plan(path: Path, plan: GamePlan) -> None:
    """Write the plan to a file; errors of the disk are ignored, because they must not stop the game."""
    stored = asdict(plan)
    stored["known"] = stored.pop("known_players")
    with suppress(OSError):
        make_folder(path.parent)
        replace_file(path, json.dumps(stored, ensure_ascii=False, indent=1) + "\n")


def load_plan(path: Path) -> GamePlan | None:
    """Read the stored plan; None where there is none, or it can't be understood."""
    if not exists(path):
        return None
    try:
        return _plan_from_json(parse_json(read_text(path, make_phrase("expected.menu"), _MOST_BYTES)))
    except (TableError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _plan_from_json(stored: Mapping[str, Any]) -> GamePlan:
    """Return the plan of a file's content; errors of several kinds where it is not valid."""
    seated = {str(chair): check_player_name(name) for chair, name in stored["seated"].items()}
    if len(set(map(normalize_name, seated.values()))) < len(seated):
        raise ValueError  # one player on two chairs
    game, dealer = stored["game"], stored["dealer"]
    if game not in GAMES:
        raise ValueError  # of another version
    return GamePlan(
        game=game,
        preset=str(stored["preset"]),
        seated=seated,
        dealer=dealer if dealer in seated.values() else None,
        screen=_screen_from_json(stored.get("screen", stored)),
        changes=_options_from_json(game, stored.get("changes", {})),
        kept_rules={
            game: {
                check_player_name(name): _options_from_json(game, options) for name, options in kept.items()
            }
            for game, kept in stored.get("kept_rules", {}).items()
            if game in GAMES
        },
        angles={str(chair): float(angle) for chair, angle in stored.get("angles", {}).items()},
        known_players=tuple(check_player_name(name) for name in stored["known"])[:MAX_KNOWN_PLAYERS],
    )


def _options_from_json(game: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the game has and takes; those of another version are left out."""
    known = {option.name: option for option in GAMES[game].option_specs}
    return {name: value for name, value in stored.items() if name in known and known[name].is_valid(value)}


def _screen_from_json(stored: Mapping[str, Any]) -> dict[str, str | bool]:
    """Return the choices for the screen (older files have them among the others)."""
    choices = {key: stored[key] for key in MENU_SCREEN_KEYS if key in stored}
    for key, value in choices.items():
        if value not in languages() if key == "language" else type(value) is not bool:
            raise ValueError  # of another version
    return choices
