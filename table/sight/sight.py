"""Sight: from frames to card facts.

Every frame passes the gate, which tells what moves. The detector looks when something new has come to rest, and a
few times meanwhile. What it sees is matched with the cards known to lie on the mark; what has changed is traced back
through the last frames to the moment when it happened, and to the arm that did it.

Everything is a function of the frames and their stamps: no clock is read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import CameraConfig
from table.facts import END_NS, MS, CardFact, CardGone, CardLanded, CardReread, Frame
from table.reader.sightings import CardReader
from table.sight.arms import UNSEEN, Arm, ArmWatch, Direction, Votes, told_apart
from table.sight.backdrop import Backdrop, covered
from table.sight.blank import card_shaped
from table.sight.gate import STILL, Gate, Mask, Planar, Reference, planar
from table.sight.geometry import CARD_PX, Geometry, polygon, transform
from table.sight.moment import LEVELS, Moment, far_from
from table.sight.order import Landing, beneath, in_order, overlapping, plainly_above, upon_one_another
from table.sight.outline import refine
from table.sight.pile import (
    CERTAIN,
    Card,
    Found,
    Pile,
    changed_share,
    overlap,
    quad_angle,
    same_place,
    shows_without,
    take,
)
from table.sight.rest import Patch, arrival, at_place, first_at_rest, last_at_rest, lies

HELD_NS: Final = 2000 * MS
"""The watermark is never held back by more than this."""
WAIT_NS: Final = 1000 * MS
"""A card at rest is announced after this even though a hand still lies on it."""
LEAVING_NS: Final = 1500 * MS
"""A card whose place is bare is given up after this even though something still moves over the mark."""
BEFORE: Final = 3
"""Frames kept while nothing happens: a movement begins a little before it is noticed."""
MOVING_PX: Final = 8
"""Small pixels over the mark that must move to count."""
PENDING_PX: Final = 12
"""Small pixels that must have come to rest otherwise than before to be looked at."""
PENDING_WHILE_MOVING_PX: Final = 60
"""The same while something moves (a twentieth of a card) ..."""
AWAY_PX: Final = 6
"""... and so far from what moves: the middle of a plain moving thing seems to rest."""
PUZZLED: Final = 30
"""Frames for which something at rest that is no known card is thought about."""
LOOK_AGAIN: Final = (6, 14, 26)
"""Frames at rest after which the detector looks at it once more."""
UNEXPLAINED_PX: Final = 110
"""Small pixels at rest (a tenth of a card) that are no known card: there may be one more."""
SLIVER_PX: Final = 25
"""The same where a card was seen to come that is not known to lie there ..."""
GLIMPSE: Final = 45
"""... not more than so many frames ago."""
LOOK_BACK: Final = (1, 3, 5, 8)
"""How many frames before the landing of a card the detector looks for another one beneath it."""
LOOK_BACK_AFTER: Final = 7
"""Frames at rest after which it does."""
FACE_DOWN_AFTER: Final = 18
"""Frames at rest after which what could not be read may be a card that lies face down."""
LOOK_EVERY: Final = 4
"""Frames between two looks at least."""
CARE_EVERY: Final = 60
"""Frames between two refreshments of the background while nothing happens."""
TOGETHER: Final = 10
"""Cards that leave within so many frames are taken by one hand."""
LIES_PX: Final = 0.5
"""A card that has moved by less than this in two frames lies."""
SURELY_QUIET: Final = 6
"""After so many frames without motion what is seen is at rest."""
UNSURE: Final = 0.3
"""Below this no hand was seen at a card."""
BARE: Final = 0.9
"""Where so much of a card's place shows what lies beneath it, it has gone, whatever fits."""
LAID_UPON: Final = 0.25
"""Where so much of a card that was read lies beneath one that came later, it need not be read again."""
INK: Final = 0.05
"""The share of an index's box that must differ from the background."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame gave."""

    facts: tuple[CardFact, ...]
    """In the order of their stamps."""
    until_ns: int
    """No later fact will be stamped before this."""


class Sight:
    """Follows the cards on the mark; feed it every frame, in order."""

    def __init__(self, camera: CameraConfig, detector: CardReader, *, joker_is_card: bool = False) -> None:
        """``TableError`` where the camera is not calibrated."""
        self.geometry = Geometry(camera)
        self.looks = 0
        """How often the detector has been asked."""
        self._detector = detector
        self._joker_is_card = joker_is_card
        self._pile = Pile()
        self._history: deque[Moment] = deque()
        self._square = self.geometry.square_in_small()
        self._gate: Gate | None = None
        self._looked: Reference
        """The small picture as the detector saw it last, where it was at rest."""
        self._backdrop: Backdrop
        self._watch: ArmWatch
        self._since: int | None = None
        """Since when something undecided is going on."""
        self._look_due = True
        self._last_look = -LOOK_EVERY
        self._count = -1
        """Frames seen, less one; frames may be numbered otherwise."""
        self._quiet = 0
        """Frames since something last moved over the mark."""
        self._again = -1
        """The frame at which something that was seen moving is to be looked at again; -1: none."""
        self._restless: list[Found] = []
        """Cards that the last look saw move, or under a moving hand, and that are not known yet."""
        self._glimpsed: dict[str, int] = {}
        """In which frame a look last saw a card so."""
        self._light = False
        self._until = 0
        self._ids = 0
        self._arms: list[Arm] | None = None

    # --- what others call ---------------------------------------------------------------------------------

    def see(self, frame: Frame) -> Seen:
        """Take the next frame; ``TableError`` if it hasn't the size that the camera is calibrated for."""
        self.geometry.check(frame.image)
        small = planar(self.geometry.small(frame.image))
        moment = Moment(frame, small)
        self._count += 1
        self._arms = None
        self._history.append(moment)
        if self._gate is None:
            self._start(moment)
        gate = self._running
        if self._count:
            gate.update(small)
        self._light = self._light or gate.light
        facts: list[CardFact] = []
        active = cv2.countNonZero(cv2.bitwise_and(gate.moving(), self._square)) >= MOVING_PX
        pending = self._pending(small, active) or 0 <= self._again <= self._count
        self._look_due = self._look_due or active
        undecided = bool(self._pile.coming) or any(card.leaving >= 0 for card in self._pile.lying)
        self._quiet = 0 if active else self._quiet + 1
        busy = active or pending or undecided or self._look_due
        if not busy and self._since is not None and self._quiet < PUZZLED:
            # A hand that pauses, a card that can't be read yet: look again a few times before this is all.
            busy = self._puzzling(small) or any(card.missed for card in self._pile.lying)
            self._look_due = busy and self._quiet in LOOK_AGAIN
        if not busy:
            self._rest(moment)
        else:
            if self._since is None:
                self._since = self._history[0].t_ns
            for past in self._history:
                past.rectify(self.geometry)
            if not active and self._light:
                self._light = False
                self._look_due = True
                self._backdrop.relight(moment, self._pile.all)
            facts = self._busy(moment, active, pending)
        return self._report(moment, facts)

    def without_frames(self, until_ns: int) -> Seen:
        """No frame stamped before ``until_ns`` will come any more (the camera has stopped): nothing waits for it."""
        self._until = max(self._until, until_ns - HELD_NS)
        return Seen((), self._until)

    def end(self) -> Seen:
        """No more frames come: decide what is undecided."""
        if not self._history or self._gate is None:
            return Seen((), END_NS)
        moment = self._history[-1]
        facts: list[CardFact] = []
        if self._since is not None:
            facts += self._announce(
                moment, [card for card in self._pile.coming if card.settled and card.certain]
            )
            facts += self._give_up(moment, [card for card in self._pile.lying if card.leaving >= 0])
        facts.sort(key=lambda fact: (fact.t_ns, fact.id))
        return Seen(tuple(facts), END_NS)

    # --- the course of a frame ----------------------------------------------------------------------------

    @property
    def _running(self) -> Gate:
        assert self._gate is not None
        return self._gate

    def _start(self, moment: Moment) -> None:
        moment.rectify(self.geometry)
        self._gate = Gate(moment.small)
        self._looked = Reference(moment.small)
        self._backdrop = Backdrop(self.geometry, moment)
        self._watch = ArmWatch(self._backdrop)
        self._until = max(self._until, moment.t_ns)

    def _pending(self, small: Planar, active: bool) -> bool:
        """Whether something over the mark has come to rest otherwise than when the detector saw it last."""
        changed = cv2.bitwise_and(self._looked.differs(small), self._square)
        if not active:
            changed = cv2.bitwise_and(changed, self._still())
            return cv2.countNonZero(changed) >= PENDING_PX
        near = cv2.dilate(self._running.moving(), np.ones((2 * AWAY_PX + 1, 2 * AWAY_PX + 1), np.uint8))
        changed = cv2.bitwise_and(changed, cv2.bitwise_not(near))
        return cv2.countNonZero(changed) >= PENDING_WHILE_MOVING_PX

    def _still(self) -> Mask:
        _, mask = cv2.threshold(self._running.still, STILL - 1, 255, cv2.THRESH_BINARY)
        return np.asarray(mask, dtype=np.uint8)

    def _busy(self, moment: Moment, active: bool, pending: bool) -> list[CardFact]:
        facts: list[CardFact] = []
        if pending:
            if self._count - self._last_look >= LOOK_EVERY:
                facts += self._look(moment, active)
                pending = False
        elif not active and self._look_due:
            if self._count and not self._worth_a_look(moment):
                self._look_due = False
            else:
                facts += self._look(moment, active)
        facts += self._decide(moment, active, pending)
        return facts

    def _puzzling(self, small: Planar) -> bool:
        """Whether something lies at the mark that is no known card and was not there before: an arm, or a card."""
        return cv2.countNonZero(self._changed(small, self._pile.lying)) >= PENDING_WHILE_MOVING_PX

    def _missing(self) -> bool:
        """Whether a card was seen on its way to the mark a short while ago and has not been seen to lie there."""
        known = self._pile.names
        return any(
            name not in known and self._count - count <= GLIMPSE for name, count in self._glimpsed.items()
        )

    def _unexplained(self, moment: Moment, least: int = UNEXPLAINED_PX) -> Mask:
        """What lies at rest at the mark (small pixels) that is neither a known card, nor an arm, nor was there."""
        changed: NDArray[Any] = self._changed(moment.small, self._pile.all)
        if cv2.countNonZero(changed) < least:
            return np.asarray(changed, dtype=np.uint8)
        changed = cv2.bitwise_and(changed, self._still())
        for arm in self._arms_now(moment):
            if arm.angles:
                near = np.asarray(cv2.dilate(arm.mask, np.ones((5, 5), np.uint8)), dtype=np.uint8)
                changed = cv2.bitwise_and(changed, cv2.bitwise_not(near))
        return np.asarray(
            cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8
        )

    def _changed(self, small: Planar, cards: Sequence[Card]) -> Mask:
        return np.asarray(cv2.bitwise_and(self._backdrop.changed(small, cards), self._square), dtype=np.uint8)

    def _look_back(self, moment: Moment, puzzle: Mask) -> None:
        """Part of a card is in sight that can't be read: it was, before another one fell upon it."""
        past = list(self._history)
        newest = [card for card in self._pile.coming if card.grey is not None]
        if not newest or len(past) < 3:
            return
        top = min(first_at_rest(card.patch, [one.grey for one in past]) for card in newest)
        names = self._pile.names
        where = self.geometry.to_mark(puzzle)
        for back in LOOK_BACK:
            at = top - back
            if at < 0:
                return
            self.looks += 1
            for one in take(self._detector.read(past[at].mark, CARD_PX), self._joker_is_card):
                if one.name in names or one.readings[0].confidence < CERTAIN:
                    continue
                quad = refine(one.quad, moment.grey)
                if np.count_nonzero(where & polygon(quad)) < 0.5 * np.count_nonzero(where):
                    continue
                sticks_out = polygon(quad) & ~covered(self._pile.all)
                small = cv2.countNonZero(puzzle) < UNEXPLAINED_PX
                if small and np.count_nonzero(where & sticks_out) < 0.5 * np.count_nonzero(sticks_out):
                    continue  # (too little is in sight to take any place for its own)
                card = Card(quad, self._count)
                card.without = self._pile.without(None, self._backdrop.grey)
                card.read(one.readings)
                self._pile.coming.append(card)
                self._settle(card, moment, self._arm_mask(moment))
                self._arms = None
                return

    def _worth_a_look(self, moment: Moment) -> bool:
        """Whether anything at the mark is other than when all was last decided."""
        if self._pile.coming or any(card.leaving >= 0 for card in self._pile.lying):
            return True
        changed = cv2.bitwise_and(self._backdrop.settled.differs(moment.small), self._square)
        return cv2.countNonZero(changed) >= PENDING_PX

    def _report(self, moment: Moment, facts: list[CardFact]) -> Seen:
        while self._history and moment.t_ns - self._history[0].t_ns > HELD_NS + 500 * MS:
            self._history.popleft()
        until = self._history[0].t_ns if self._since is None else max(self._since, moment.t_ns - HELD_NS)
        facts.sort(key=lambda fact: (fact.t_ns, fact.id))
        self._until = max(self._until, until)
        return Seen(tuple(facts), self._until)

    # --- rest ---------------------------------------------------------------------------------------------

    def _rest(self, moment: Moment) -> None:
        """Nothing happens: take the picture as the one that later ones are compared with."""
        if self._since is not None:
            self._since = None
            self._care(moment)
        elif self._count % CARE_EVERY == 0:
            self._care(moment)
        while len(self._history) > BEFORE:
            self._history.popleft()

    def _care(self, moment: Moment) -> None:
        moment.rectify(self.geometry)
        arms = self._arm_mask(moment)
        self._backdrop.care(moment, self._pile.lying, self._running.still, arms)
        for card in self._pile.lying:
            if card.grey is None or card.patch.fit(moment.grey).share >= 0.8:
                self._settle(card, moment, arms)

    def _settle(self, card: Card, moment: Moment, arms: Mask) -> None:
        """Take the card's look from this moment."""
        mask = card.polygon & ~arms
        whole = int(np.count_nonzero(mask))
        for other in [*self._pile.above(card), *(one for one in self._pile.coming if one is not card)]:
            if other.id or not plainly_above(card, other, moment.grey):
                mask &= ~other.polygon
        if card.id == 0 and np.count_nonzero(mask) < 0.15 * whole:
            mask = card.polygon & ~arms
        if np.count_nonzero(mask):
            card.settle(moment.grey, mask)

    # --- arms ---------------------------------------------------------------------------------------------

    def _arms_now(self, moment: Moment) -> list[Arm]:
        if self._arms is None:
            self._arms = self._watch.at(moment.small, [card.quad for card in self._pile.all])
        return self._arms

    def _arm_mask(self, moment: Moment) -> Mask:
        return self._watch.mask(self._arms_now(moment))

    # --- looking ------------------------------------------------------------------------------------------

    def _look(self, moment: Moment, active: bool) -> list[CardFact]:
        """Ask the detector, and put what it sees to the cards."""
        self.looks += 1
        self._last_look = self._count
        self._again = -1
        if not active:
            self._look_due = False
        # A joker that lies there from the start is the mark itself, whatever the game.
        joker = self._joker_is_card and self._count > 0
        found = take(self._detector.read(moment.mark, CARD_PX), joker)
        still_small = self._still()
        self._looked.replace(moment.small, still_small)
        still = self.geometry.to_mark(still_small)
        arms = self._arm_mask(moment)
        self._restless = [one for one in found if not self._rests(one, still) and self._is_other(one)]
        if self._restless:
            self._again = self._count + LOOK_EVERY
        for one in self._restless:
            self._glimpsed[one.name] = self._count
        found = [one for one in found if self._rests(one, still) and self._is_foreground(one, moment)]
        present = self._present(moment, found)
        facts: list[CardFact] = []
        taken: list[Card] = []
        named = {one.name for one in found}
        for one in found:
            card = self._pile.match(one, present, taken, moment.grey, named)
            if card is None and not self._is_new(one, moment):
                continue
            if card not in present and not self._lies(one):
                if card is not None:
                    taken.append(card)
                    card.settled = False
                self._again = self._count + LOOK_EVERY
                continue
            if card is None:
                quad = refine(one.quad, moment.grey)
                if any(same_place(other.quad, quad) for other in self._pile.coming):
                    continue  # another corner of it, read otherwise and less surely
                card = Card(quad, self._count)
                card.without = self._pile.without(None, self._backdrop.grey) if self._count else None
                self._pile.coming.append(card)
            elif card not in present or card.id == 0:
                card.move(refine(one.quad, moment.grey))
            taken.append(card)
            card.read(one.readings)
            card.box = one.box
            card.leaving, card.missed, card.settled = -1, 0, True
            if card.id:
                facts += self._reread(card, moment)
        self._arms = None  # the new cards are no arms
        arms = self._arm_mask(moment)
        for card in taken:
            if card.grey is None or card.id == 0:
                self._settle(card, moment, arms)
        for card in self._pile.all:
            if card not in taken:
                self._judge_unseen(card, card in present, moment, still, arms)
        self._pile.coming = [card for card in self._pile.coming if not card.doubtful]
        self._arms = None
        return facts

    def _present(self, moment: Moment, found: Sequence[Found]) -> dict[Card, float]:
        """The cards that this moment shows at their places, and how much of each fits.

        A card that lies nearly all beneath another one, or a hand, hardly fits, but has not moved for that: it is at
        its place too where an index of it that was ``found`` lies where its own face has it.
        """
        present = {}
        for card in self._pile.all:
            if card.grey is not None:
                fit = card.patch.fit(moment.grey)
                spots = [spot for one in found if one.name == card.name for spot in one.spots]
                if at_place(fit) or any(at_place(card.fit_at(spot, moment.grey)) for spot in spots):
                    present[card] = fit.share
        return present

    @staticmethod
    def _rests(one: Found, still: Mask) -> bool:
        x1, y1, x2, y2 = (int(value) for value in one.box)
        part = still[max(0, y1) : max(0, y2) + 1, max(0, x1) : max(0, x2) + 1]
        return bool(part.size and np.count_nonzero(part) >= 0.8 * part.size)

    def _is_other(self, one: Found) -> bool:
        """Whether a sighting is surely none of the cards that are known."""
        return one.readings[0].confidence >= CERTAIN and one.name not in self._pile.names

    def _is_foreground(self, one: Found, moment: Moment) -> bool:
        """Whether a sighting is no part of the background."""
        if self._count == 0:
            return True
        return changed_share(one.box, moment.mark, self._backdrop.mark) >= INK or any(
            card.without is None for card in self._pile.all
        )

    def _is_new(self, one: Found, moment: Moment) -> bool:
        """Whether the mark looks otherwise, wherever the card was read, than with the cards that are known.

        At each of its indices: two ornaments of a card that lies there may pass for the corners of another, and what
        falls between them makes them no newer.
        """
        if self._count == 0:
            return True
        expected = self._pile.without(None, self._backdrop.grey)
        for spot in one.spots:
            x1, y1, x2, y2 = (max(0, int(value)) for value in spot)
            difference = np.asarray(cv2.absdiff(moment.grey[y1:y2, x1:x2], expected[y1:y2, x1:x2]))
            if not difference.size or (difference >= LEVELS).mean() < INK:
                return False
        return True

    def _lies(self, one: Found) -> bool:
        """Whether what was sighted is at rest to a fraction of a pixel: it was there two frames ago."""
        if len(self._history) < 3 or self._quiet > SURELY_QUIET:
            return True  # (with a trembling camera nothing ever rests to a fraction of a pixel)
        now, before = self._history[-1].grey, self._history[-3].grey
        x1, y1, x2, y2 = one.box
        box = np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]])
        fit = Patch(now, polygon(box)).fit(before)
        return fit.share >= 0.5 and fit.off_px < LIES_PX

    def _reread(self, card: Card, moment: Moment) -> list[CardFact]:
        """Say so where a card that has been announced is now read otherwise or much better."""
        now = card.combined(self._names_but(card))
        before = card.announced
        if not now:
            return []
        other = not before or now[0].card != before[0].card
        if other or now[0].confidence > before[0].confidence + 0.15:
            card.announced = now
            return [CardReread(moment.t_ns, card.id, now)]
        return []

    def _names_but(self, card: Card) -> list[str]:
        return [
            other.announced[0].card for other in self._pile.lying if other is not card and other.announced
        ]

    def _judge_unseen(self, card: Card, present: bool, moment: Moment, still: Mask, arms: Mask) -> None:
        """The detector did not see a card that is known: is it still there?"""
        opened = still & ~arms
        if card.id == 0 and not card.hidden and card.box is not None:
            x1, y1, x2, y2 = (max(0, int(value)) for value in card.box)
            if card.sure and self._pile.laid_upon(card) >= LAID_UPON:
                card.missed = 0
                return
            part = opened[y1:y2, x1:x2]
            if part.size and np.count_nonzero(part) >= 0.9 * part.size:
                card.missed += 1
                return
        if card.grey is None:
            card.missed += 1
            return
        for other in [*self._pile.above(card), *(one for one in self._pile.coming if one is not card)]:
            if other.leaving < 0 and not other.missed:
                opened &= ~other.polygon
        judged, share = 0.0, 0.0
        if card.without is not None:
            beneath = self._pile.without(card, self._backdrop.grey)
            judged, share = shows_without(card, moment.grey, beneath, opened & ~self._pile.unknown(card))
        # A look that was taken with a hand over the card may fit the bare cloth here and there.
        if present and not (judged >= BARE and share >= BARE):
            card.leaving, card.missed = -1, 0
            return
        if judged >= 0.25:
            gone = share >= 0.6
        else:
            # Nobody has seen what is beneath: it lies bare to view, and neither looks nor reads like itself.
            free = np.count_nonzero(opened & card.polygon) > 0.7 * np.count_nonzero(card.polygon)
            card.missed = card.missed + 1 if free else 0
            gone = card.missed >= 2
            if card.id == 0:
                return
        if card.id == 0:
            card.missed += gone or card.missed > 0
        elif gone and card.leaving < 0:
            card.leaving = self._count
        elif not gone:
            card.leaving = -1

    # --- deciding -----------------------------------------------------------------------------------------

    def _decide(self, moment: Moment, active: bool, pending: bool) -> list[CardFact]:
        facts: list[CardFact] = []
        coming = self._pile.coming
        if coming:
            ready = [card for card in coming if not pending and self._has_landed(card, moment)]
            waited = [
                card for card in ready if self._count - card.first_frame >= 0 and self._waited(card, moment)
            ]
            if len(ready) == len(coming) and not waited:
                least = SLIVER_PX if self._missing() else UNEXPLAINED_PX
                puzzle = self._unexplained(moment, least)
                if cv2.countNonZero(puzzle) >= least:
                    if self._quiet == LOOK_BACK_AFTER:
                        self._look_back(moment, puzzle)
                    if self._quiet <= LOOK_BACK_AFTER:
                        return facts
            if len(ready) == len(coming) or waited:
                chosen = ready if len(ready) == len(coming) else waited
                facts += self._give_up(moment, [card for card in self._pile.lying if card.leaving >= 0])
                facts += self._announce(moment, chosen)
        elif self._quiet == FACE_DOWN_AFTER:
            self._find_face_down(moment)
        leaving = [card for card in self._pile.lying if card.leaving >= 0]
        if leaving and (
            (not active and not pending)
            or moment.t_ns - self._stamp(min(card.leaving for card in leaving)) > LEAVING_NS
        ):
            facts += self._give_up(moment, leaving)
        return facts

    def _find_face_down(self, moment: Moment) -> None:
        """What has come to rest and can't be read: a card, by its shape?"""
        puzzle = self._unexplained(moment)
        if cv2.countNonZero(puzzle) < UNEXPLAINED_PX:
            return
        bare = self._pile.without(None, self._backdrop.grey)
        _, changed = cv2.threshold(cv2.absdiff(moment.grey, bare), LEVELS - 1, 255, cv2.THRESH_BINARY)
        other = far_from(moment.mark, self._backdrop.mark)
        other = np.asarray(cv2.bitwise_and(other, cv2.bitwise_not(covered(self._pile.lying))), dtype=np.uint8)
        quad = card_shaped(np.asarray(cv2.bitwise_or(changed, other), dtype=np.uint8))
        if quad is None or np.count_nonzero(self.geometry.to_mark(puzzle) & polygon(quad)) == 0:
            return
        card = Card(quad, self._count, hidden=True, without=bare)
        self._pile.coming.append(card)
        self._settle(card, moment, self._arm_mask(moment))
        self._arms = None

    def _stamp(self, count: int) -> int:
        """The time of the frame with that count, as far back as is remembered."""
        back = self._count - count
        return self._history[max(0, len(self._history) - 1 - back)].t_ns

    def _waited(self, card: Card, moment: Moment) -> bool:
        return moment.t_ns - self._stamp(card.first_frame) >= WAIT_NS

    def _has_landed(self, card: Card, moment: Moment) -> bool:
        """Whether a card lies at rest and no hand is at it (or a hand that does not go away)."""
        region = self.geometry.polygon_in_small(card.quad)
        for other in self._pile.coming:
            if other is not card:
                region &= ~self.geometry.polygon_in_small(other.quad, 1)
        area = cv2.countNonZero(region)
        if cv2.countNonZero(cv2.bitwise_and(self._running.moving(), region)) > 0.05 * area:
            return False
        if not card.settled or card.grey is None:
            return False
        if self._waited(card, moment):
            return True
        if any(overlap(one.quad, card.quad) > 0 for one in self._restless):
            return False  # another card is being laid upon it: what is seen there now is not this one's face
        if not card.certain or card.missed:
            self._look_due = self._look_due or self._quiet in LOOK_AGAIN
            return False
        rested = self._quiet > SURELY_QUIET or all(
            lies(card.patch, past.grey) for past in list(self._history)[-3:]
        )
        if not rested:
            self._again = self._count + 1
            return False
        votes = Votes(self.geometry, card.quad)
        return not any(arm.angles and votes.contact(arm) for arm in self._arms_now(moment))

    def _announce(self, moment: Moment, cards: Sequence[Card]) -> list[CardFact]:
        """The cards have landed: when, in which order, by whose arm."""
        moments = list(self._history)
        greys = [one.grey for one in moments]
        landings = []
        for card in cards:
            if card.grey is None:
                continue
            at = first_at_rest(card.patch, greys) if card.without is not None else 0
            seen = len(greys) - 1 - (self._count - card.first_frame)
            if 0 < seen < at and lies(card.patch, greys[seen]):
                # A hand, or another card, hid it for long: it lay there when it was first seen.
                at = first_at_rest(card.patch, greys[: seen + 1])
            landings.append(Landing(card, at, arrival(card.patch, greys, at)))
        facts: list[CardFact] = []
        landings = in_order(landings, moment.grey)
        for landing, direction in zip(landings, self._hands(landings), strict=True):
            card, first = landing.card, moments[landing.rest]
            card.rest_frame, card.rest_ns = first.index, max(first.t_ns, self._until)
            self._ids += 1
            card.id = self._ids
            card.announced = card.combined(self._names_but(card))
            overlaps = [other for other in self._pile.lying if overlapping(other, card)]
            under = beneath(card, overlaps, moment.grey)
            self._pile.coming.remove(card)
            self._pile.lying.append(card)
            place = transform(self.geometry.mark_to_table, np.array([card.centre]))[0]
            facts.append(
                CardLanded(
                    t_ns=card.rest_ns,
                    id=card.id,
                    readings=card.announced,
                    place_mm=(round(float(place[0]), 1), round(float(place[1]), 1)),
                    angle_deg=round(quad_angle(card.quad), 1),
                    arm_deg=direction.angle,
                    arm_sure=direction.sure,
                    frame=card.rest_frame,
                    upon=tuple(other.id for other in under),
                    overlaps=tuple(other.id for other in overlaps),
                )
            )
        for landing in landings:
            # The looks before had the hand in them that laid it down; who knows when all is at rest next.
            if not landing.card.missed:
                self._settle(landing.card, moment, self._arm_mask(moment))
        return facts

    def _hands(self, landings: Sequence[Landing]) -> list[Direction]:
        """By whose arms the cards were laid: where each came from."""
        moments = list(self._history)
        quads = [card.quad for card in self._pile.all]
        directions = []
        for landing in landings:
            card, at = landing.card, landing.rest
            others = [quad for quad in quads if quad is not card.quad]
            direction = UNSEEN
            if card.without is not None:
                direction = self._watch.direction(card.quad, others, moments[max(0, at - 2) : at + 12])
                if direction.sure < UNSURE:  # thrown: no hand was at it; where did it come in?
                    direction = self._watch.flight(card.quad, others, moments[max(0, at - 15) : at])
            directions.append(direction)
        if upon_one_another(landings):
            laid = [landing.card.quad for landing in landings]
            others = [quad for quad in quads if all(quad is not one for one in laid)]
            span = moments[max(0, landings[0].rest - 15) : landings[-1].rest + 12]
            apart = 2 if told_apart(directions) else 1
            directions = self._watch.one_after_another(laid, others, span, apart) or directions
        return directions

    def _give_up(self, moment: Moment, cards: Sequence[Card]) -> list[CardFact]:
        """The cards have left the mark: since when, by whose arm."""
        if not cards:
            return []
        moments = list(self._history)
        greys = [one.grey for one in moments]
        quads = [card.quad for card in self._pile.all]
        left = []
        for card in cards:
            at = min(last_at_rest(card.patch, greys) + 1, len(moments) - 1) if card.grey is not None else 0
            others = [quad for quad in quads if quad is not card.quad]
            left.append(
                (card, at, self._watch.direction(card.quad, others, moments[max(0, at - 6) : at + 4]))
            )
            if card.without is None:  # what it lay upon is seen for the first time
                self._backdrop.uncover(moment, card)
        for k in range(len(left) - 2, -1, -1):
            # What lies beneath is out of sight, not gone, until something upon it has been taken away.
            card, at, direction = left[k]
            upon = [when for other, when, _ in left[k + 1 :] if overlapping(other, card)]
            left[k] = (card, max(at, min(upon, default=at)), direction)
        empty = len(cards) == len(self._pile.lying)
        facts: list[CardFact] = []
        for card, at, direction in left:
            # What leaves together is taken by one hand, which touches some of it, and hides some before it moves.
            together = [(when, one) for _, when, one in left if abs(when - at) <= TOGETHER]
            arm = max([direction, *(one for _, one in together)], key=lambda one: one.sure)
            first = moments[max(when for when, _ in together)]
            t_ns = max(first.t_ns, self._until, card.rest_ns)
            facts.append(CardGone(t_ns, card.id, arm.angle, empty))
        self._pile.lying = [card for card in self._pile.lying if card not in cards]
        return facts
