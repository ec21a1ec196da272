"""People who press one button after the other at a table without a camera."""

from __future__ import annotations

from collections.abc import Iterator

from table.detection.card_detections import CardDetection
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Delivery, Edge, Image
from table.pipeline import Pipeline


class NoCards:
    """Sees nothing."""

    def read(self, image: Image, card_px: float = 100.0) -> list[CardDetection]:
        """Nothing."""
        return []


class Nothing:
    """A source that is fed by hand."""

    def deliveries(self) -> Iterator[Delivery]:
        """None."""
        return iter(())


class Evening:
    """Presses, each with five quiet seconds after it."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.now = 1_000 * MS

    def press(self, seat: str, control: str, for_ms: int) -> None:
        """One press."""
        press = self.now
        edges = (
            Edge(press, seat, control, 1),  # type: ignore[arg-type]
            Edge(press + for_ms * MS, seat, control, 0),  # type: ignore[arg-type]
        )
        self.now += 5_000 * MS
        self.pipeline.process(Delivery(self.now, edges, None, self.now, self.now))
        self.wait()

    def wait(self, for_ms: int = 5_000) -> None:
        """Nothing happens."""
        self.now += for_ms * MS
        self.pipeline.process(Delivery(self.now, (), None, self.now, self.now))

    def choose(self, seat: str, control: str, start: str) -> None:
        """In an open panel: step to the line that begins so, and rap (on one button: hold)."""
        panel = self.pipeline.view(self.now).panel
        assert panel is not None
        assert panel.seat == seat
        for _ in range(
            next(n for n, line in enumerate(panel.options) if phrase_text(line).startswith(start))
        ):
            self.press(seat, "bid", 60)
        self.press(seat, control, 60 if control == "rap" else 1000)
