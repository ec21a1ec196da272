"""A table of fingers: presses by name and time, through the whole pipeline, without a camera."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from gpiozero.pins.mock import MockFactory

from table.buttons.lamps import Lamps, gpio_leds
from table.config.settings import ButtonsConfig, CameraConfig, ScreenConfig, SeatConfig, TableConfig
from table.detection.card_detections import CardDetection
from table.display.table_view.header_and_footer import current_notices
from table.i18n.terminal_output import phrase_text
from table.observed_facts import END_NS, MS, CardGone, CardLanded, Control, Delivery, Edge, Image, Reading
from table.pipeline import Pipeline
from table.referee.records.journal import JournalLine

ADA = SeatConfig("Ada", 0, bid=11, rap=12, led=10)
BEN = SeatConfig("Ben", 120, bid=4, rap=5, led=6)
CLEO = SeatConfig("Cleo", 240, bid=7, rap=8, led=9)
LATE_NS = 50 * MS


class NoCards:
    """Sees nothing."""

    def read(self, image: Image, card_px: float = 100.0) -> list[CardDetection]:
        """Nothing."""
        return []


def hold(seat: str, control: Control, at_ms: float, length_ms: float = 700) -> list[Edge]:
    """One long press."""
    return [
        Edge(round(at_ms * MS), seat, control, 1),
        Edge(round((at_ms + length_ms) * MS), seat, control, 0),
    ]


def tap(seat: str, control: Control, at_ms: float, count: int = 1) -> list[Edge]:
    """Taps, 200 ms apart."""
    return [edge for number in range(count) for edge in hold(seat, control, at_ms + 200 * number, 80)]


def tap_and_hold(seat: str, control: Control, at_ms: float) -> list[Edge]:
    """A tap, then a hold."""
    return [*tap(seat, control, at_ms), *hold(seat, control, at_ms + 200)]


class Fingers:
    """Edges as they come, and the clock in steps between them; then the end."""

    def __init__(
        self,
        edges: Sequence[Edge],
        until_ms: int,
        *,
        from_ms: int = 0,
        step_ms: int = 20,
        seed: int | None = None,
    ) -> None:
        """``seed``: delivers the edges up to 50 ms late and out of order, and the clock in uneven steps."""
        rng = random.Random(seed)
        self._rng = rng if seed is not None else None
        late = [rng.randrange(LATE_NS) if seed is not None else 0 for _ in edges]
        self._edges = sorted(
            ((edge.t_ns + after, edge) for edge, after in zip(edges, late, strict=True)), key=_first
        )
        self._from_ns = from_ms * MS
        self._until_ns = until_ms * MS
        self._step_ns = step_ms * MS

    def deliveries(self) -> Iterator[Delivery]:
        """As a source gives them."""
        now, waiting = self._from_ns, list(self._edges)
        while now < self._until_ns:
            come = tuple(edge for at, edge in waiting if at <= now)
            waiting = waiting[len(come) :]
            yield Delivery(now, come, None, now - LATE_NS, now)
            now += self._rng.randrange(1, 400 * MS) if self._rng else self._step_ns
        yield Delivery(now, tuple(edge for _, edge in waiting), None, END_NS, END_NS)


def _first(entry: tuple[int, Edge]) -> int:
    return entry[0]


class Watched:
    """A game of fingers worked off: its journal, what the screen said, and when the lamps were lit."""

    def __init__(
        self,
        edges: Sequence[Edge],
        until_ms: int,
        *,
        game: str = "prediction-whist",
        seats: tuple[SeatConfig, ...] = (ADA, BEN, CLEO),
        step_ms: int = 20,
        seed: int | None = None,
        turned_ms: int | None = None,
        earlier: Sequence[JournalLine] = (),
        from_ms: int = 0,
        moments: bool = True,
        wrong_ms: int = 2_000,
    ) -> None:
        """``turned_ms``: when a card lies on the mark for half a second, turned up for trumps.

        ``earlier``: the lines of a game that goes on from ``from_ms``, after a restart.
        """
        config = TableConfig(
            game,
            {"hands": [3], "first_dealer": seats[0].name},
            seats,
            CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))),
            ButtonsConfig(wrong_ms=wrong_ms),
            ScreenConfig(moments=moments),
        )
        factory = MockFactory()
        leds = gpio_leds(seats, factory)
        pins = {seat.name: factory.pin(f"GPIO{seat.led}") for seat in seats if seat.led is not None}
        source = Fingers(edges, until_ms, from_ms=from_ms, step_ms=step_ms, seed=seed)
        self.pipeline = Pipeline(config, source, reader=NoCards(), lamps=Lamps(leds), resume=earlier)
        if turned_ms is not None:
            at = turned_ms * MS
            landed = CardLanded(at, 1, (Reading("7H", 0.99),), (0.0, 0.0), 0.0, None, 0.0, 0)
            self.pipeline.referee.take((landed, CardGone(at + 500 * MS, 1, None, True)), 0, 0)
        self.told: list[tuple[int, str]] = []
        """The sentences, each with the moment (ms) in which it came to stand first."""
        self.lit: dict[str, list[tuple[int, bool]]] = {name: [] for name in leds}
        """For each lamp, the moments (ms) in which it changed."""
        self.shown: list[tuple[int, str | None]] = []
        """The moments that the screen showed large, each with when (ms) it came; None for the table."""
        for now_ns in self.pipeline.run():
            view = self.pipeline.view(now_ns)
            moment = view.moment
            kind = moment.kind if moment is not None else None
            if kind != (self.shown[-1][1] if self.shown else None):
                self.shown.append((now_ns // MS, kind))
            notices = current_notices(view)
            first = phrase_text(notices[0].phrase) if notices else ""
            if first != (self.told[-1][1] if self.told else ""):
                self.told.append((now_ns // MS, first))
            for name in leds:
                lit = bool(pins[name].state)
                if lit != (self.lit[name][-1][1] if self.lit[name] else False):
                    self.lit[name].append((now_ns // MS, lit))
        self.lamps_after = {name: int(pin.state) for name, pin in pins.items()}
        """Each lamp's line when all is over."""
        self.lines = self.pipeline.referee.journal.lines

    def events(self, *kinds: str) -> list[tuple[int, str, object]]:
        """The journal's lines of these kinds: when (ms), what, and who or what was bid."""
        return [
            (line["t_ns"] // MS, line["event"], line.get("bid", line.get("seat", line.get("dealer"))))
            for line in self.lines
            if line["event"] in kinds
        ]

    def lit_at(self, name: str, *at_ms: int) -> list[bool]:
        """Whether a lamp was lit at these moments."""
        return [next((lit for at, lit in reversed(self.lit[name]) if at <= ms), False) for ms in at_ms]
