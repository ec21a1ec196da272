"""Asking the reader: what of the mark is worth reading, and what was seen there on its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.facts import Image
from table.reader.sightings import CardReader
from table.sight.backdrop import covered
from table.sight.focus import Focus
from table.sight.found import Found, merge_corners, take
from table.sight.gate import Mask
from table.sight.geometry import CARD_PX, MARK_PX, Points, polygon, reach_of
from table.sight.hands import NUMBERS as HANDS
from table.sight.hands import Carried
from table.sight.paper import no_paper
from table.sight.recent import RecentFrame, far_from
from table.sight.tracked import CERTAIN
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class Asking:
    """The numbers of this module."""

    margin_px: int = 24
    """What is other than the bare table is read with so much around it (an index is as big) ..."""
    grid_px: int = 16
    """... from such rows and columns on: the reader shrinks by a multiple of 1/16."""
    barer: float = 0.2
    """Of two outlines that one is not the card's of which so much more shows the bare table."""


NUMBERS: Final = Asking()


Window = tuple[slice, slice]
"""Rows and columns of the mark picture."""
WHOLE: Final = (slice(0, MARK_PX), slice(0, MARK_PX))
NOTHING: Final = (slice(0, 0), slice(0, 0))


def around(mask: Mask) -> Window:
    """What is to be read to see all that is in a mask of the mark picture."""
    x, y, width, height = cv2.boundingRect(mask)
    return (_reach(y, height), _reach(x, width)) if width else NOTHING


def _reach(start: int, length: int) -> slice:
    """The rows, or columns, to be read for those: on a grid, so that what is read of them is the same each time."""
    margin, grid = NUMBERS.margin_px, NUMBERS.grid_px
    first, last = max(0, start - margin), min(MARK_PX, start + length + margin)
    return slice(first // grid * grid, -(-last // grid) * grid)


class Asker:
    """Asks the reader, and keeps what was seen of cards on their way."""

    def __init__(self, view: View, reader: CardReader, *, joker_is_card: bool) -> None:
        self._view = view
        self._reader = reader
        self._joker_is_card = joker_is_card
        self.focus = Focus(view.geometry.scale)
        self.looks = 0
        """How often the reader was asked."""
        self.carried = Carried(view.geometry)
        """Cards that were seen on their way."""
        self.read_at: list[int] = []
        """The stamps of the pictures that the reader saw lately."""
        self._sides: dict[str, int] = {}
        """Which cards were seen as they are printed, 1, and which only as in a mirror, -1."""

    @property
    def mirrored(self) -> bool:
        """Whether cards are seen as in a mirror, by where their indices stand: many a name reads there as another."""
        return sum(self._sides.values()) < 0

    def worth_reading(self) -> Window:
        """What of the mark is worth reading: where something lies, or moves, that is none of the bare table.

        Nothing is while a hand is over the cards that lie there, and shows no other card: how those lie beneath it is
        seen without reading.
        """
        view = self._view
        if view.first:
            return WHOLE
        if view.active and not view.pile.coming and no_paper(view):
            return NOTHING
        other = view.backdrop.foreground(view.now.small) | view.gate.moving()
        return around(view.geometry.to_mark(other) | covered(view.pile.all))

    def look_at(self, mark: Image, t_ns: int, window: Window = WHOLE) -> list[Found]:
        """What the reader sees in a picture of that time."""
        if window == NOTHING:
            return []
        self.read_at = [at for at in self.read_at if t_ns - at < HANDS.kept_ns] + [t_ns]
        found = self.read(mark, window)
        well = _well_read(found)
        self.carried.see_at_once(t_ns, well)
        self._sides.update({one.name: 1 for one in well if one.side > 0})
        return found

    def see_in_mirror(self, lying: Sequence[Found]) -> None:
        """Cards that lie, of which some may show their indices as in a mirror.

        In motion an index may be put to another card's; and of a card that has them in all its corners two may be in
        sight that stand so, but now and then it shows more.
        """
        for one in _well_read(lying):
            if one.side < 0:
                self._sides.setdefault(one.name, -1)

    def read(self, mark: Image, window: Window = WHOLE) -> list[Found]:
        """What the reader sees in a picture of no matter when."""
        self.looks += 1
        # A joker that lies there from the start is the mark itself, whatever the game.
        joker = self._joker_is_card and not self._view.first
        rows, columns = window
        picture = self.focus.sharpened(np.ascontiguousarray(mark[rows, columns]))
        sightings = self._reader.read(picture, CARD_PX)
        found = take(sightings, joker, (columns.start, rows.start))
        return merge_corners([self._on_its_side(one, mark) for one in found])

    def _on_its_side(self, one: Found, mark: Image) -> Found:
        """A card read by indices of one side, which tell not of which: where it lies the table is not bare."""
        if not one.one_sided or self._view.first:
            return one
        across = one.across
        if self._bare(one.quad, mark) - self._bare(across, mark) < NUMBERS.barer:
            return one
        return replace(one, quad=across)

    def _bare(self, quad: Points, mark: Image) -> float:
        """The share of an outline in which a picture shows the bare table."""
        box = reach_of(quad)
        place = polygon(quad)[box]
        if not place.any():
            return 1.0
        other = far_from(mark[box], self._view.backdrop.mark[box])
        return 1.0 - np.count_nonzero(other & place) / np.count_nonzero(place)

    def see_carried(self, moment: RecentFrame, moving: Sequence[Found], lying: Sequence[Points]) -> None:
        """Cards are seen to move in a picture; others lie."""
        cards = [*lying, *(one.quad for one in moving)]
        self.carried.see(moment.t_ns, moving, self._view.watch.at(moment.small, cards) if moving else ())


def _well_read(found: Sequence[Found]) -> list[Found]:
    return [one for one in found if one.readings[0].confidence >= CERTAIN]
