"""What was chosen last, kept in a file of the state folder; ``table.toml`` stays as its owner wrote it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from table.config import MENU_SCREEN_KEYS, player_name
from table.errors import TableError
from table.files.reading import exists, json_of, read_text
from table.files.writing import make_folder, replace_file
from table.games.registry import GAMES
from table.menu.plan import MOST_KNOWN, Plan
from table.names import person_of
from table.phrase import say
from table.words.catalogue import languages

_MOST: Final = 64 * 1024


def remember(path: Path, plan: Plan) -> None:
    """Keep it; a disk that fails stops nobody from playing."""
    kept = {
        "game": plan.game,
        "preset": plan.preset,
        "seated": dict(plan.seated),
        "dealer": plan.dealer,
        "screen": dict(plan.screen),
        "known": list(plan.known),
    }
    with suppress(OSError):
        make_folder(path.parent)
        replace_file(path, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")


def recall(path: Path) -> Plan | None:
    """What was kept; None where nothing was, or nothing of it can be understood."""
    if not exists(path):
        return None
    try:
        return _plan(json_of(read_text(path, say("expected.menu"), _MOST)))
    except (TableError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _plan(kept: Mapping[str, Any]) -> Plan:
    seated = {str(chair): player_name(name) for chair, name in kept["seated"].items()}
    if len(set(map(person_of, seated.values()))) < len(seated):
        raise ValueError  # one player on two chairs
    game, dealer = kept["game"], kept["dealer"]
    if game not in GAMES:
        raise ValueError  # of another version
    return Plan(
        game=game,
        preset=str(kept["preset"]),
        seated=seated,
        dealer=dealer if dealer in seated.values() else None,
        screen=_screen(kept.get("screen", kept)),
        known=tuple(player_name(name) for name in kept["known"])[:MOST_KNOWN],
    )


def _screen(kept: Mapping[str, Any]) -> dict[str, str | bool]:
    """What was chosen of the screen (it stood among the rest once)."""
    found = {key: kept[key] for key in MENU_SCREEN_KEYS if key in kept}
    for key, value in found.items():
        if value not in languages() if key == "language" else type(value) is not bool:
            raise ValueError  # of another version
    return found
