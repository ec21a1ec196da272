"""People at a real table with a menu: they look at the screen, and press what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from table.config.settings import CameraConfig, TableConfig
from table.display.view_picture import ScreenView
from table.menu.menu_view_data import MenuView
from table.observed_facts import END_NS, MS, Control, Delivery, Edge
from table.phrase import Phrase
from table.referee.model.view import View
from table.sources.live_table import Listener

STEP_NS = 100 * MS
QUIET_MS = 3_000
"""After a press: without pictures sight waits for them for a while before anything is judged."""


class People:
    """A live table without a camera, whose buttons are pressed by a script; it ends when the script does."""

    def __init__(self, script: Callable[[People], Iterator[Delivery]], *, one_button: bool = False) -> None:
        self.script = script
        self._one = one_button
        self.now = 1_000_000 * MS
        self.shown: ScreenView | None = None
        """What the screen shows."""
        self.stopped = False
        self.chairs: tuple[str, ...] = ()
        self.listeners: list[Listener] = []
        self.cameras: list[str | int] = []
        """The cameras that were changed to."""

    # --- as the live table ------------------------------------------------------------------------------------------

    def open(self, config: TableConfig, *, keyboard: bool = False) -> People:
        """Stands in for :func:`table.sources.live_table.open_live`."""
        self.chairs = config.names
        return self

    def deliveries(self) -> Iterator[Delivery]:
        """What the script presses."""
        for delivery in self.script(self):
            if self.stopped:
                return
            yield delivery

    def add_listener(self, listener: Listener, seated: Mapping[str, str]) -> None:
        """Somebody listens."""
        self.listeners.append(listener)

    def change_camera(self, camera: CameraConfig) -> None:
        """Another camera."""
        self.cameras.append(camera.source)

    def remove_listener(self, listener: Listener) -> None:
        """And no more."""
        self.listeners.remove(listener)

    def stop(self) -> None:
        """The table is left."""
        self.stopped = True

    # --- what people do ---------------------------------------------------------------------------------------------

    def wait(self, for_ms: int) -> Iterator[Delivery]:
        """Nothing happens."""
        for _ in range(for_ms * MS // STEP_NS):
            self.now += STEP_NS
            yield Delivery(self.now, (), None, self.now, self.now)

    def press(self, chair: str, control: Control, for_ms: int, times: int = 1) -> Iterator[Delivery]:
        """Presses, and until they are understood."""
        for _ in range(times):
            for level, length in ((1, for_ms), (0, 100)):
                edge = Edge(self.now, chair, control, level)
                self.now += length * MS
                yield Delivery(self.now, (edge,), None, self.now, self.now)
        yield from self.wait(QUIET_MS if isinstance(self.shown, View) else 700)

    def rap(self, chair: str) -> Iterator[Delivery]:
        """A rap, however that is done at this table."""
        yield from self.press(chair, "bid", 800) if self._one else self.press(chair, "rap", 60)

    def wrong(self, chair: str) -> Iterator[Delivery]:
        """ "That's wrong"."""
        yield from self.press(chair, "bid" if self._one else "rap", 2300)

    def bid(self, chair: str, number: int) -> Iterator[Delivery]:
        """A number above 0."""
        yield from self.press(chair, "bid", 60, number)

    def choose(self, chair: str, code: str, **fields: Any) -> Iterator[Delivery]:
        """Step to the line that says it, in the menu or in a panel, and confirm; a name stands for itself."""
        yield from self.wait(100)
        shown = self.shown
        if isinstance(shown, MenuView):
            lines, at = [line.text for line in shown.lines], shown.selected
        else:
            assert isinstance(shown, View)
            assert shown.panel is not None
            lines, at = list(shown.panel.options), shown.panel.marked
        to = next((n for n, text in enumerate(lines) if _is(text, code, fields)), None)
        assert to is not None, f"{code}: not among {lines}"
        if to != at:
            yield from self.press(chair, "bid", 60, (to - at) % len(lines))
        yield from self.rap(chair)

    def spell(self, chair: str, letters: str) -> Iterator[Delivery]:
        """Letter after letter."""
        for letter in letters:
            yield from self.wait(100)
            assert isinstance(self.shown, MenuView)
            rows = [line.text for line in self.shown.lines if isinstance(line.text, str)]
            yield from self.choose(chair, next(row for row in rows if letter in row.split()))
            yield from self.choose(chair, letter)

    def seat(self, at: str, number: int, name: str) -> Iterator[Delivery]:
        """In the players' page: a new name for a chair."""
        yield from self.choose(at, "menu.chair", number=number)
        assert isinstance(self.shown, MenuView)
        if self.shown.entered_name is None:
            yield from self.choose(at, "menu.new_name")
        yield from self.spell(at, name.upper())
        yield from self.choose(at, "menu.name_done")


def _is(text: Phrase | str, code: str, fields: dict[str, Any]) -> bool:
    if isinstance(text, str):
        return text == code
    return text.code == code and all(text.fields.get(name) == value for name, value in fields.items())


def the_end(now_ns: int) -> Delivery:
    """Nothing comes any more."""
    return Delivery(now_ns, (), None, END_NS, END_NS)
