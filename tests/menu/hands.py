"""Somebody at a menu, by calls."""

from __future__ import annotations

from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.menu.menu import Menu, MenuContext
from table.menu.menu_pages import apply_call, page_entries
from table.menu.next_game_plan import GamePlan
from table.observed_facts import Call, Gesture
from table.phrase import Phrase

CHAIRS = tuple(
    SeatConfig(str(number), 60.0 * number, number, number + 10, named=False) for number in range(1, 6)
)
OPEN = TableConfig("", {}, CHAIRS, CameraConfig(homography=((1, 0, 0), (0, 1, 0), (0, 0, 1))))
LETTERS = ("ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ-'_")


def around(set_up: TableConfig = OPEN, **more: object) -> MenuContext:
    """What a menu finds."""
    given = {
        "languages": {"en": "English", "xx": "Xish"},
        "alphabets": {"en": LETTERS, "xx": ("ΑΒ",)},
        **more,
    }
    return MenuContext(set_up, **given)  # type: ignore[arg-type]


class Finger:
    """Presses one chair's buttons."""

    def __init__(self, menu: Menu | None = None, chair: str = "1") -> None:
        self.menu = menu if menu is not None else Menu(around(), GamePlan())
        self.chair = chair
        self.t_ns = 0

    def call(self, gesture: Gesture, count: int = 0) -> None:
        """One gesture."""
        self.t_ns += 1_000_000_000
        self.menu = apply_call(self.menu, Call(self.t_ns, self.t_ns + 1, self.chair, gesture, count))

    def choose(self, code: str, **fields: object) -> None:
        """Step to the line that says it and rap; a name stands for itself."""
        lines = [entry.line.text for entry in page_entries(self.menu)]
        at = next(n for n, text in enumerate(lines) if _is(text, code, fields))
        steps = (at - self.menu.shown_page.selected) % len(lines)
        if steps:
            self.call(Gesture.TAPS, steps)
        self.call(Gesture.RAP)

    def spell(self, letters: str) -> None:
        """Letter after letter: its row, then itself."""
        rows = self.menu.context.alphabets[self.menu.screen.language]
        for letter in letters:
            self.choose(" ".join(next(row for row in rows if letter in row)))
            self.choose(letter)

    @property
    def codes(self) -> list[str]:
        """The lines of the page."""
        return [_code(entry.line.text) for entry in page_entries(self.menu)]


def _code(text: Phrase | str) -> str:
    return text if isinstance(text, str) else text.code


def _is(text: Phrase | str, code: str, fields: dict[str, object]) -> bool:
    known = {} if isinstance(text, str) else text.fields
    return _code(text) == code and all(known.get(name) == value for name, value in fields.items())
