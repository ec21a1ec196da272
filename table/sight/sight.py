"""Sight: from frames, one after another, to card facts.

Every picture is steadied first (`steady`) and passes the gate, which tells what moves (`gate`). The reader looks when
something new has come to rest, and a few times meanwhile (`looking`). What it sees is matched with the cards known to
lie on the mark (`pile`); what has changed is traced back through the last moments to the one in which it happened, and
to the arm that did it (`landing`, `leaving`).

Everything is a function of the frames and their stamps: no clock is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2

from table.config import CameraConfig
from table.facts import END_NS, MS, CardFact, CardLanded, Frame
from table.phrase import Phrase
from table.reader.sightings import CardReader
from table.sight.arms import ASIDE_DEG
from table.sight.asking import Asker
from table.sight.fitness import Fitness
from table.sight.geometry import Geometry, angle_between
from table.sight.landing import Lander
from table.sight.leaving import Leaver
from table.sight.looking import Looker
from table.sight.places import overlap
from table.sight.squared import brought_to_light
from table.sight.tracked import TrackedCard
from table.sight.unread import Unread
from table.sight.view import NUMBERS as VIEWING
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class SightNumbers:
    """The numbers of this module."""

    held_ns: int = 2000 * MS
    """The watermark is never held back by more than this."""
    puzzled_ns: int = 990 * MS
    """For so long something at rest that is no known card is thought about."""
    look_back_ns: int = 230 * MS
    """The time at rest after which the reader looks back for a card beneath another."""
    face_down_ns: int = 590 * MS
    """The time at rest after which what could not be read may be a card that lies face down."""
    care_ns: int = 2000 * MS
    """Time between two refreshments of the background while nothing happens ..."""
    long_care_ns: int = 10_000 * MS
    """... and while not even the light changes."""


NUMBERS: Final = SightNumbers()


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame gave."""

    facts: tuple[CardFact, ...]
    """In the order of their stamps."""
    until_ns: int
    """No later fact will be stamped before this."""
    troubles: tuple[Phrase, ...] = ()
    """What is wrong with the camera's pictures, in words for the screen."""


class Sight:
    """Follows the cards on the mark; feed it every frame, in order."""

    def __init__(self, camera: CameraConfig, reader: CardReader, *, joker_is_card: bool = False) -> None:
        """``TableError`` where the camera is not calibrated."""
        self.geometry = Geometry(camera)
        self._reader = reader
        self._joker_is_card = joker_is_card
        self._view: View | None = None
        self._fitness = Fitness()
        self._asker: Asker
        self._looker: Looker
        self._unread: Unread
        self._lander: Lander
        self._leaver: Leaver
        self._since_ns: int | None = None
        """Since when something undecided is going on."""
        self._cared_ns = 0
        self._until_ns = 0
        self._untold: set[int] = set()
        """Cards that came in mirrored pictures: as what they were read they did not lie there."""
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
        elif self._settled and self._view.calm(frame):
            self._fitness.usable(frame.t_ns, self._view.steady.pose)
            self._rest(NUMBERS.long_care_ns)
            return self._report([])
        elif not self._view.take(frame):
            self._fitness.unusable(frame.t_ns)
            self._until_ns = max(self._until_ns, frame.t_ns - NUMBERS.held_ns)
            return Seen((), self._until_ns, self._fitness.troubles)
        view = self._open
        self._fitness.usable(frame.t_ns, view.steady.pose)
        self._fitness.look(view.now.small, cards=any(card.without is not None for card in view.pile.lying))
        self._looker.due = self._looker.due or view.active
        if not self._busy():
            view.rest()
            self._rest(NUMBERS.care_ns)
            return self._report([])
        if self._since_ns is None:
            self._since_ns = view.history.first_ns
        view.let_go()
        facts = self._look()
        return self._report(facts + self._decide())

    def aim(self, camera: CameraConfig) -> bool:
        """The camera looks from elsewhere now, in the table's same axes; False, and nothing done, where that must wait.

        The next frame begins a new view. Cards lie on the table and not in the picture, so they stay what they are.
        While the old view still serves, it waits until nothing goes on.
        """
        if self._since_ns is not None and not self._fitness.blind:
            return False
        self.geometry = Geometry(camera)
        self._aimed = True
        return True

    def without_frames(self, until_ns: int) -> Seen:
        """No frame stamped before ``until_ns`` will come any more (the camera has stopped): nothing waits for it."""
        self._until_ns = max(self._until_ns, until_ns - NUMBERS.held_ns)
        return Seen((), self._until_ns, self._fitness.troubles)

    def end(self) -> Seen:
        """No more frames come: decide what is undecided."""
        facts: list[CardFact] = []
        if self._view is not None and self._since_ns is not None:
            pile = self._view.pile
            facts += self._announce([card for card in pile.coming if card.settled and card.certain])
            facts += self._leaver.give_up(pile.leaving, self._until_ns)
        return Seen(self._in_time(facts), END_NS)

    # --- the course of a frame ----------------------------------------------------------------------------

    @property
    def _open(self) -> View:
        assert self._view is not None
        return self._view

    @property
    def _settled(self) -> bool:
        """Whether nothing is undecided, or to be looked at."""
        return self._since_ns is None and self._looker.again_ns is None and not self._looker.due

    def _start(self, frame: Frame) -> None:
        lying = self._view.pile.lying if self._view is not None else []
        ids = self._lander.ids if self._view is not None else 0
        self._view, self._aimed, self._since_ns = View(self.geometry, frame), False, None
        for card in lying:
            card.seen_from_elsewhere()
        self._view.pile.lying += lying
        self._asker = Asker(self._view, self._reader, joker_is_card=self._joker_is_card)
        self._looker = Looker(self._view, self._asker)
        self._unread = Unread(self._view, self._asker)
        self._lander = Lander(self._view, self._asker.carried, ids)
        self._leaver = Leaver(self._view)
        self._until_ns = max(self._until_ns, frame.t_ns)

    def _pending(self) -> bool:
        """Whether something is to be looked at that nobody has looked at (asked only where that matters: it costs)."""
        return self._open.pending() or self._looker.called_for

    def _busy(self) -> bool:
        view = self._open
        undecided = view.pile.coming or view.pile.leaving or self._looker.doubts
        if view.active or undecided or self._looker.due or self._pending():
            return True
        if self._since_ns is None or view.quiet_ns >= NUMBERS.puzzled_ns:
            return False
        # A hand that pauses, a card that can't be read yet: look again a few times before this is all.
        busy = view.puzzling() or any(card.missed for card in view.pile.lying)
        self._looker.due = busy and view.look_again()
        return busy

    def _look(self) -> list[CardFact]:
        """Ask the reader if there is reason to."""
        view, looker = self._open, self._looker
        if view.active and not looker.ready:
            return []
        if self._pending():
            return looker.look() if looker.ready else []
        if view.active:
            if view.much_moves():
                looker.glimpse()
            return []
        if not looker.due:
            return []
        undecided = view.pile.coming or view.pile.leaving
        if view.first or undecided or view.other_than_settled():
            return looker.look()
        looker.due = False
        return []

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
            until_ns = max(self._since_ns, view.now_ns - NUMBERS.held_ns)
        self._fitness.mirrored = self._asker.mirrored
        seen = self._in_time(facts)
        self._until_ns = max(self._until_ns, until_ns)
        return Seen(seen, self._until_ns, self._fitness.troubles)

    # --- deciding -----------------------------------------------------------------------------------------

    def _decide(self) -> list[CardFact]:
        view, pile = self._open, self._open.pile
        facts: list[CardFact] = []
        if pile.coming:
            chosen = [card for card in self._landed() if not brought_to_light(view, card)]
            if chosen:
                facts += self._leaver.give_up(pile.leaving, self._until_ns)
                landed = self._announce(chosen)
                facts += landed
                self._explain(landed)
        elif view.quiet_for(NUMBERS.face_down_ns):
            self._unread.find_face_down()
            self._unread.look_in_mirror()
        leaving = pile.leaving
        if leaving and (self._leaver.waited(leaving) or not self._undecided()):
            facts += self._leaver.give_up(leaving, self._until_ns)
        return facts

    def _undecided(self) -> bool:
        return self._open.active or self._looker.doubts or self._pending()

    def _landed(self) -> list[TrackedCard]:
        """Those that are to be told now: all that come, once all lie, or those that can wait no longer."""
        view, looker, lander = self._open, self._looker, self._lander
        looker.outline()
        coming = view.pile.coming
        seen = [card for card in coming if card.settled and card.placed]
        if seen and self._pending():
            seen = []
        ready = [card for card in seen if lander.landed(card, self._another_comes(card))]
        for card in coming:
            if card not in ready and lander.look_again(card):
                looker.due = True
            if card not in ready and lander.resting_soon(card):
                looker.again_ns = looker.again_ns or view.now_ns + 1
        waited = [card for card in ready if lander.waited(card) or (view.stirs_anew and card.certain)]
        if len(ready) < len(coming):
            ready = waited
        if not ready or not (waited or self._all_explained()):
            return []
        if self._another_found(ready, wait=not waited):
            return []
        if not waited and not all(card.certain for card in ready):
            return []
        if len(ready) > 1:
            looker.sharpen(ready)
        return ready

    def _all_explained(self) -> bool:
        """Whether nothing lies there that may be another card, or it has been thought about for long enough."""
        view, least = self._open, self._unread.least_px()
        return view.quiet_ns > NUMBERS.look_back_ns or cv2.countNonZero(view.unexplained(least)) < least

    def _another_found(self, ready: Sequence[TrackedCard], *, wait: bool) -> bool:
        """Whether there is, or may be, another card beneath those that are ``ready`` to be told."""
        view, looker, known = self._open, self._looker, len(self._open.pile.coming)
        stays = view.active and not view.stirs_anew
        if view.quiet_for(NUMBERS.look_back_ns) or view.stirs_anew:
            self._unread.look_back()
        hands = self._lander.hands(ready)
        left = hands.count - known
        if left > 0 and stays and wait:
            return True  # a hand that is still there may hide it
        looker.catch_up(hands.moments)
        self._unread.find_buried(hands_left=0 if stays else left)
        if left > 0 and not stays and len(view.pile.coming) == known:
            self._unread.find_brought()
        return len(view.pile.coming) > known

    def _another_comes(self, card: TrackedCard) -> bool:
        """Whether another card is being laid upon this one: what is seen there now is not its face."""
        return any(overlap(one.quad, card.quad) > 0 for one in self._looker.restless)

    def _announce(self, cards: Sequence[TrackedCard]) -> list[CardLanded]:
        landed = self._lander.announce(cards, self._until_ns)
        if self._asker.mirrored:
            self._untold.update(fact.id for fact in landed)
        return landed

    def _explain(self, landed: Sequence[CardLanded]) -> None:
        """Nothing older is undecided once all that lies is told and no arm is there but those that laid it."""
        view, looker = self._open, self._looker
        if view.pile.coming or view.pile.leaving or looker.doubts or looker.restless:
            return
        laid = [fact.arm_deg for fact in landed if fact.arm_deg is not None]
        if self._since_ns is not None and all(
            arm.angles
            and all(any(angle_between(one, other) < ASIDE_DEG for other in laid) for one in arm.angles)
            for arm in view.arms()
            if cv2.countNonZero(cv2.bitwise_and(arm.mask, view.square))
        ):
            told_ns = max(fact.t_ns for fact in landed) + 1
            self._since_ns = max(self._since_ns, min(told_ns, view.now_ns))

    def _in_time(self, facts: list[CardFact]) -> tuple[CardFact, ...]:
        told = (fact for fact in facts if fact.id not in self._untold)
        return tuple(sorted(told, key=lambda fact: (fact.t_ns, fact.id)))
