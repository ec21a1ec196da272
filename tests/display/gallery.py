"""Pictures of every moment for a look with one's own eyes: ``python -m tests.display.gallery FOLDER``."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.config.settings import ScreenConfig
from table.display.picture_files import save_view
from table.i18n.catalogue import ENGLISH
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language
from tests.display.views import LONG_NAMES, NAMES, game_moments, large_moments, moments, odd_moments


def main() -> None:
    """Draw them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--players", type=int, nargs="*", default=[3, 7])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--long", action="store_true", help="with long names")
    parser.add_argument("--language", default=ENGLISH)
    given = parser.parse_args()
    set_language(renderer_for(given.language))
    width, height = map(int, given.size.split("x"))
    given.folder.mkdir(parents=True, exist_ok=True)
    for players in given.players:
        names = (LONG_NAMES if given.long else NAMES)[:players]
        for name, view in (
            *moments(names),
            *odd_moments(names),
            *large_moments(names),
            *(game_moments(names) if players > 2 else ()),
        ):
            save_view(view, given.folder / f"{players}-{name}.png", ScreenConfig(size=(width, height)))


if __name__ == "__main__":
    main()
