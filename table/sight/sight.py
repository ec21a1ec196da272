"""Sight: from frames, one after another, to card facts.

Every picture is steadied first (`steady`) and passes the gate, which tells what moves (`gate`). The reader looks when
something new has come to rest, and a few times meanwhile (`looking`). What it sees is matched with the cards known to
lie on the mark (`pile`). When and what is told of them is decided in `telling`: what has changed is traced back through
the last moments to the one in which it happened, and to the arm that did it (`landing`, `leaving`).

Everything is a function of the frames and their stamps: no clock is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table.config import CameraConfig
from table.facts import MS, CardFact, Frame
from table.reader.sightings import CardReader
from table.sight.asking import Asker
from table.sight.geometry import Geometry
from table.sight.looking import Looker
from table.sight.opening import Opening
from table.sight.seen import HELD_NS, Reporter, Seen
from table.sight.telling import Teller
from table.sight.view import NUMBERS as VIEWING
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class SightNumbers:
    """The numbers of this module."""

    care_ns: int = 2000 * MS
    """Time between two refreshments of the background while nothing happens ..."""
    long_care_ns: int = 10_000 * MS
    """... and while not even the light changes."""


NUMBERS: Final = SightNumbers()


class Sight:
    """Follows the cards on the mark; feed it every frame, in order."""

    def __init__(self, camera: CameraConfig, reader: CardReader, *, joker_is_card: bool = False) -> None:
        """``TableError`` where the camera is not calibrated."""
        self.geometry = Geometry(camera)
        self._reader = reader
        self._joker_is_card = joker_is_card
        self._view: View | None = None
        self._reporter = Reporter()
        self._asker: Asker
        self._looker: Looker
        self._teller: Teller
        self._opening: Opening
        self._since_ns: int | None = None
        """Since when something undecided is going on."""
        self._cared_ns = 0
        self._aimed = False
        """Whether the next frame is the first from elsewhere."""

    @property
    def looks(self) -> int:
        """How often the reader has been asked."""
        return self._asker.looks if self._view else 0

    # --- what others call ---------------------------------------------------------------------------------

    def see(self, frame: Frame) -> Seen:
        """Take the next frame; ``TableError`` if it hasn't the size that the camera is calibrated for."""
        self.geometry.check(frame.image)
        if self._view is None or self._aimed:
            self._start(frame)
        elif self._since_ns is None and self._looker.idle and self._view.calm(frame):
            self._reporter.fitness.usable(frame.t_ns, self._view.steady.pose)
            self._rest(NUMBERS.long_care_ns)
            return self._report([])
        elif not self._view.take(frame):
            self._reporter.fitness.unusable(frame.t_ns)
            return self._reporter.without_frames(frame.t_ns)
        view = self._open
        self._reporter.fitness.usable(frame.t_ns, view.steady.pose)
        self._looker.due = self._opening.follow() or self._looker.due
        self._reporter.fitness.look(
            view.now.small, cards=any(card.without is not None for card in view.pile.lying)
        )
        self._looker.due = self._looker.due or view.active
        if not self._looker.busy(undecided=self._since_ns is not None):
            view.rest()
            self._rest(NUMBERS.care_ns)
            return self._report([])
        if self._since_ns is None:
            self._since_ns = view.history.first_ns
        view.let_go()
        facts = self._looker.ask() + self._teller.decide(self._reporter.until_ns)
        self._since_ns = max(self._since_ns, self._teller.explained_ns)
        return self._report(facts)

    def aim(self, camera: CameraConfig) -> bool:
        """The camera looks from elsewhere now, in the table's same axes; False, and nothing done, where that must wait.

        The next frame begins a new view. Cards lie on the table and not in the picture, so they stay what they are.
        While the old view still serves, it waits until nothing goes on.
        """
        if self._since_ns is not None and not self._reporter.fitness.blind:
            return False
        self.geometry = Geometry(camera)
        self._aimed = True
        return True

    def without_frames(self, until_ns: int) -> Seen:
        """No frame stamped before ``until_ns`` will come any more (the camera has stopped): nothing waits for it."""
        return self._reporter.without_frames(until_ns)

    def end(self) -> Seen:
        """No more frames come: decide what is undecided."""
        facts: list[CardFact] = []
        if self._view is not None and self._since_ns is not None:
            facts = self._teller.give_up(self._reporter.until_ns)
        return self._reporter.end(facts)

    # --- the course of a frame ----------------------------------------------------------------------------

    @property
    def _open(self) -> View:
        assert self._view is not None
        return self._view

    def _start(self, frame: Frame) -> None:
        pile = self._view.pile.from_elsewhere() if self._view is not None else None
        self._view, self._aimed, self._since_ns = View(self.geometry, frame, pile), False, None
        self._asker = Asker(self._view, self._reader, joker_is_card=self._joker_is_card)
        self._looker = Looker(self._view, self._asker)
        self._teller = Teller(self._view, self._asker, self._looker)
        self._opening = Opening(self._view)
        self._reporter.until_ns = max(self._reporter.until_ns, frame.t_ns)

    def _rest(self, care_ns: int) -> None:
        """Nothing happens: every ``care_ns`` this picture is taken as the one that later ones are compared with."""
        view = self._open
        if self._since_ns is not None or view.now_ns - self._cared_ns >= care_ns:
            self._since_ns = None
            self._cared_ns = view.now_ns
            view.care()
        view.history.forget(view.now_ns - VIEWING.before_ns)

    def _report(self, facts: list[CardFact]) -> Seen:
        view = self._open
        view.history.forget(view.now_ns - VIEWING.held_ns)
        until_ns = view.history.first_ns
        if self._since_ns is not None:
            until_ns = max(self._since_ns, view.now_ns - HELD_NS)
        self._reporter.fitness.mirrored = self._asker.mirrored
        return self._reporter.report(facts, until_ns)
