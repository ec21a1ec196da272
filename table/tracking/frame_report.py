"""Report of a frame: card facts in order of time, the watermark, and problems with the camera's images."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from table.observed_facts import END_NS, MS, CardFact, CardLanded
from table.phrase import Phrase
from table.tracking.imaging.camera_troubles import ImageFitness

MAX_WATERMARK_LAG_NS: Final = 2000 * MS
"""Maximum time by which the watermark lags behind the frames."""


@dataclass(frozen=True, slots=True)
class TrackingReport:
    """The result of tracking one frame."""

    facts: tuple[CardFact, ...]
    """In the order of their stamps."""
    until_ns: int
    """Watermark: no later fact will be stamped before this."""
    troubles: tuple[Phrase, ...] = ()
    """Problems with the camera's images, as phrases for the screen."""
    shows_cards: bool = True
    """Whether the images show what lies on the mark, whatever else is wrong with them."""


class Reporter:
    """Keeps the watermark, and holds back facts about cards from mirrored images."""

    def __init__(self) -> None:
        self.fitness = ImageFitness()
        self.watermark_ns = 0
        """The watermark."""
        self._suppressed_ids: set[int] = set()
        """Ids of cards that came in mirrored images: they were misread, so nothing is reported of them."""

    def report(self, facts: Iterable[CardFact], until_ns: int) -> TrackingReport:
        """Report ``facts`` and advance the watermark to ``until_ns``; it never goes back."""
        reportable = self._sort_reportable(facts)
        self.advance(until_ns)
        return TrackingReport(reportable, self.watermark_ns, self.fitness.troubles, self.fitness.shows_cards)

    def advance(self, until_ns: int) -> None:
        """Advance the watermark to ``until_ns``."""
        self.watermark_ns = max(self.watermark_ns, until_ns)

    def without_frames(self, until_ns: int) -> TrackingReport:
        """Advance the watermark without facts: no usable frame stamped before ``until_ns`` will come any more."""
        return self.report([], until_ns - MAX_WATERMARK_LAG_NS)

    def end(self, facts: Iterable[CardFact]) -> TrackingReport:
        """Report the last facts and end the watermark."""
        return TrackingReport(self._sort_reportable(facts), END_NS)

    def _sort_reportable(self, facts: Iterable[CardFact]) -> tuple[CardFact, ...]:
        facts = list(facts)
        if self.fitness.mirrored:
            self._suppressed_ids.update(fact.id for fact in facts if isinstance(fact, CardLanded))
        reportable = (fact for fact in facts if fact.id not in self._suppressed_ids)
        return tuple(sorted(reportable, key=lambda fact: (fact.t_ns, fact.id)))
