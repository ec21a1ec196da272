"""Contact sheets of every screen, to be looked at: ``python -m tests.contact FOLDER``.

For each size and language all that the screen shows: every game's moments, the panel, questions, the menu, the score
sheet and the chart, a pause. ``--size 800x480``, ``--language he``, ``--only menu`` and so on take a part.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pygame

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size
from table.display.picture_files import contact_sheet, save_picture
from table.display.view_picture import draw_canvas
from table.errors import print_error
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language
from tests.display.everything import SIZES, called, faults, screens

TILES = 24


def sheets(
    sizes: Sequence[tuple[Size, ScreenConfig]], spoken: Sequence[str], only: str
) -> Iterator[tuple[str, pygame.Surface]]:
    """Each sheet with its name; what is cut off or stands upon another is said."""
    for language in spoken:
        set_language(renderer_for(language))
        shown = [(view, name) for name, view in screens(language) if only in name]
        for size, look in sizes:
            for view, screen in shown:
                for fault in faults(draw_canvas(view, size, replace(look, language=language))):
                    print_error(f"{called(size, look)} {language} {screen}: {fault}")
            name = f"{called(size, look)}-{language}"
            for part in range(0, len(shown), TILES):
                tiles = shown[part : part + TILES]
                yield (
                    f"{name}-{part // TILES + 1}",
                    contact_sheet(tiles, replace(look, size=size, language=language)),
                )


def main() -> None:
    """Draw them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    named = {called(*one): one for one in SIZES}
    parser.add_argument("--size", nargs="+", choices=named, default=list(named))
    parser.add_argument("--language", nargs="+", choices=languages(), default=languages())
    parser.add_argument("--only", default="", help="screens with this in their name")
    given = parser.parse_args()
    if not any(given.only in name for name, _ in screens(given.language[0])):
        parser.error(f"--only {given.only}: no screen has this in its name")
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, sheet in sheets([named[one] for one in given.size], given.language, given.only):
        save_picture(sheet, given.folder / f"{name}.png")
        print(given.folder / f"{name}.png")


if __name__ == "__main__":
    main()
