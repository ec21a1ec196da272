"""What sight knows at a moment: the recent pictures, what moves in them, the table behind and the cards upon it.

The parts of sight (`looking`, `landing`, `leaving`) share it; they keep nothing of their own but what they are about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, overload

import cv2
import numpy as np

from table.facts import MS, Frame
from table.sight.arms import Arm, ArmWatch, Votes
from table.sight.backdrop import LONG_MS, Backdrop, covered
from table.sight.calm import Calm
from table.sight.gate import Gate, Mask, Planar, Reference, planar
from table.sight.geometry import Geometry, Points, polygon
from table.sight.order import plainly_above
from table.sight.outline import SEEN, edged
from table.sight.pile import Pile
from table.sight.recent import RecentFrame, colour_of
from table.sight.rest import AT_REST_PX, SWAYING_PX, Grey
from table.sight.steady import Steady
from table.sight.tracked import TrackedCard


@dataclass(frozen=True, slots=True)
class Viewing:
    """The numbers of this module; those in pixels are of the small picture, of which a card covers some 1,100."""

    moving_px: int = 8
    """So many must move over the mark to count."""
    pending_px: int = 12
    """So many must have come to rest otherwise than before to be looked at ..."""
    pending_while_moving_px: int = 60
    """... and so many while something moves (a twentieth of a card) ..."""
    away_px: int = 6
    """... and so far from what moves: the middle of a plain moving thing seems to rest."""
    near_px: int = 12
    """A hand so near to a card (mark pixels, 8 mm) may hide its edge."""
    hand_px: int = 120
    """So many move where a hand does (6 cm2)."""
    held_ns: int = 2500 * MS
    """Pictures are kept for so long while something goes on ..."""
    before_ns: int = 100 * MS
    """... and for so long while nothing does: a movement begins a little before it is noticed."""
    stirred_ms: int = 2000
    """For so long after something moved somewhere it may be undecided what lies there now."""
    surely_quiet_ns: int = 200 * MS
    """After so long without motion what is seen is at rest."""
    again_ns: tuple[int, ...] = (190 * MS, 460 * MS, 860 * MS)
    """Times at rest after which the reader looks once more at what it could not read, or what puzzles."""
    like_itself: float = 0.8
    """A card of which so much fits is seen well enough to take its look anew."""
    in_sight: float = 0.15
    """A new card of which less than this is in sight is taken with what lies upon it."""


NUMBERS: Final = Viewing()


class Greys(Sequence[Grey]):
    """The mark pictures of moments, in grey; each is made when it is asked for."""

    def __init__(self, moments: Iterable[RecentFrame]) -> None:
        self._moments = tuple(moments)

    def __len__(self) -> int:
        return len(self._moments)

    @overload
    def __getitem__(self, at: int) -> Grey: ...

    @overload
    def __getitem__(self, at: slice) -> Greys: ...

    def __getitem__(self, at: int | slice) -> Grey | Greys:
        return Greys(self._moments[at]) if isinstance(at, slice) else self._moments[at].grey


class History:
    """The recent moments, oldest first."""

    def __init__(self) -> None:
        self._moments: deque[RecentFrame] = deque()

    def __len__(self) -> int:
        return len(self._moments)

    def append(self, moment: RecentFrame) -> None:
        """Add the newest."""
        self._moments.append(moment)

    def forget(self, before_ns: int) -> None:
        """Let go of moments before that; the last two stay."""
        while len(self._moments) > 2 and self._moments[0].t_ns < before_ns:
            self._moments.popleft()

    @property
    def now(self) -> RecentFrame:
        """The newest."""
        return self._moments[-1]

    @property
    def first_ns(self) -> int:
        """The stamp of the oldest."""
        return self._moments[0].t_ns

    @property
    def all(self) -> list[RecentFrame]:
        """All of them."""
        return list(self._moments)

    @property
    def greys(self) -> Greys:
        """Their mark pictures, in grey."""
        return Greys(self._moments)

    @property
    def stamps(self) -> list[int]:
        """Their stamps."""
        return [moment.t_ns for moment in self._moments]

    def span(self, from_ns: int, until_ns: int) -> list[RecentFrame]:
        """Those from ``from_ns`` on and before ``until_ns``."""
        return [moment for moment in self._moments if from_ns <= moment.t_ns < until_ns]

    def position(self, t_ns: int) -> int:
        """The position of the last one not after ``t_ns``; 0 if all are."""
        return max((k for k, moment in enumerate(self._moments) if moment.t_ns <= t_ns), default=0)


class View:
    """The present picture, and all that it is held against."""

    def __init__(self, geometry: Geometry, frame: Frame, pile: Pile | None = None) -> None:
        """``TableError`` unless the frame has the size that the camera is calibrated for.

        Args:
            frame: the first one.
            pile: what lies there, where it is known from another view.
        """
        self.geometry = geometry
        self.square = geometry.square_in_small()
        small = geometry.small(frame.image)
        self.steady = Steady(small)
        self.pile = pile or Pile()
        self.history = History()
        self.first = True
        """Whether this is the first moment: what lies there then came unseen."""
        self.active = False
        """Whether something moves over the mark."""
        self.quiet_ns = 0
        """For how long nothing has."""
        self._quiet_before_ns = 0
        self._settled_ns = frame.t_ns
        """When all was last at rest and decided."""
        self._passing: tuple[int, list[Points]] = (0, [])
        """When cards were seen that do not lie, and their outlines then."""
        self._arms: Sequence[Arm] | None = None
        self._still: Mask | None = None
        self._pending: bool | None = None
        """What was worked out of this moment: None where nobody has asked for it."""
        self._steadied = self.steady.take(small, frame.t_ns)
        self.history.append(self._moment(frame, planar(self._steadied.small)))
        self.gate = Gate(self.now.small, frame.t_ns)
        self._looked = Reference(self.now.small)
        """The small picture as the reader saw it last, where it was at rest."""
        self.backdrop = Backdrop(geometry, self.now)
        self.watch = ArmWatch(self.backdrop)
        self._calm = Calm(geometry)

    # --- the course of time -------------------------------------------------------------------------------

    def begin_anew(self) -> None:
        """Take this moment as the background: the first one showed an arm.

        Cards that were reported stay, and those about to be that this moment shows where they were read before: it is
        known since when they lie. Other cards are looked for anew.
        """
        self.first = True
        self._settled_ns = self.now_ns
        self._looked = Reference(self.now.small)
        self.backdrop = Backdrop(self.geometry, self.now)
        self.watch = ArmWatch(self.backdrop)
        self.pile.begin_anew(self.now.grey)
        self.cards_changed()

    def calm(self, frame: Frame) -> bool:
        """Whether the next frame looks as the last one at rest did; then that is all that is to be known of it."""
        if not (self.steady.at_rest and self._calm.like(frame.image)):
            return False
        self._pass(self._moment(frame), active=False)
        self.gate.rest(frame.t_ns)
        return True

    def take(self, frame: Frame) -> bool:
        """The next frame; False where it shows nothing to go by: then all stays as it was."""
        stirred = self.gate.moving(NUMBERS.stirred_ms)
        steadied = self.steady.take(self.geometry.small(frame.image), frame.t_ns, stirred)
        if not steadied.usable:
            return False
        self._steadied = steadied
        moment = self._moment(frame, planar(steadied.small))
        self.gate.update(moment.small, frame.t_ns)
        moving = cv2.bitwise_and(self.gate.moving(), self.square)
        self._pass(moment, active=cv2.countNonZero(moving) >= NUMBERS.moving_px)
        return True

    def _moment(self, frame: Frame, small: Planar | None = None) -> RecentFrame:
        """A frame for which the camera did what it last did."""
        pose = self.steady.matrix(self._steadied.pose)
        return RecentFrame(frame, self.geometry, pose, self._steadied.light, small)

    def _pass(self, moment: RecentFrame, *, active: bool) -> None:
        passed_ns = moment.t_ns - self.now.t_ns
        self.history.append(moment)
        self._arms = self._still = self._pending = None
        self.first, self.active = False, active
        self._quiet_before_ns = self.quiet_ns
        self.quiet_ns = 0 if active else self.quiet_ns + passed_ns

    def let_go(self) -> None:
        """Keep no frames, but what later moments may ask for of them."""
        for moment in self.history.all:
            moment.let_go()

    def rest(self) -> None:
        """Nothing goes on in this picture: frames that look like it need no other look."""
        self._calm.settle(self.now.frame)

    def care(self) -> None:
        """All is at rest and decided: take this picture as the one that later ones are held against."""
        now = self.now
        self._settled_ns = now.t_ns
        self.steady.settle(colour_of(now.small))
        arms = self.arm_mask()
        self.backdrop.care(now, self.pile.lying, self.gate.resting(LONG_MS), arms)
        for card in self.pile.lying:
            if card.cover is not None:
                continue
            if card.grey is None or card.patch.fit(now.grey).share >= NUMBERS.like_itself:
                self.settle(card)

    def place(self, card: TrackedCard, quad: Points) -> None:
        """A card lies at ``quad``, as this moment shows it."""
        card.move(quad)
        self.settle(card)
        self.cards_changed()

    def settle(self, card: TrackedCard) -> None:
        """Take a card's look from this moment."""
        now = self.now
        arms = self.arm_mask()
        mask = card.polygon & ~arms
        seen_ns, passing = self._passing
        for quad in passing if seen_ns == now.t_ns else ():
            mask &= ~polygon(quad)
        whole = int(np.count_nonzero(mask))
        if card.face is None:
            card.open = self.clear_of(card) and edged(card.quad, now.grey) >= SEEN
        above = [other for other in self.pile.above(card) if other.leaving_ns is None]
        for other in [*above, *(one for one in self.pile.coming if one is not card)]:
            if other.id or not plainly_above(card, other, now.grey):
                mask &= ~other.polygon
        if card.id == 0 and np.count_nonzero(mask) < NUMBERS.in_sight * whole:
            mask = card.polygon & ~arms
        if np.count_nonzero(mask):
            card.settle(now.grey, mask, now.t_ns)

    def see_pass(self, quads: Sequence[Points]) -> None:
        """This moment shows cards so outlined that do not lie: what they hide is not seen."""
        self._passing = self.now_ns, list(quads)

    def newly_come(self) -> list[TrackedCard]:
        """The cards that came since all was last settled: those beneath them have not been seen with their shadows."""
        return [card for card in self.pile.all if card.first_ns > self._settled_ns]

    def clear_of(self, card: TrackedCard) -> bool:
        """Whether no hand is so near to a card that it may hide its edge."""
        return not np.count_nonzero(covered([card], NUMBERS.near_px) & self.arm_mask())

    # --- what is seen now ---------------------------------------------------------------------------------

    @property
    def now(self) -> RecentFrame:
        """The newest moment."""
        return self.history.now

    @property
    def now_ns(self) -> int:
        """Its stamp."""
        return self.history.now.t_ns

    @property
    def at_rest_px(self) -> float:
        """How well the places of cards are known, mark pixels."""
        return AT_REST_PX if self.steady.at_rest else SWAYING_PX

    def quiet_for(self, long_ns: int) -> bool:
        """Whether it has been quiet for so long just now, and not yet at the moment before."""
        return self._quiet_before_ns < long_ns <= self.quiet_ns

    @property
    def stirs_anew(self) -> bool:
        """Whether something begins to move over the mark just now: what has lain there may be taken."""
        return self.active and self._quiet_before_ns > 0

    @property
    def surely_quiet(self) -> bool:
        """Whether nothing has moved for so long that what is seen is at rest."""
        return self.quiet_ns > NUMBERS.surely_quiet_ns

    @property
    def long_quiet(self) -> bool:
        """Whether nothing has moved for so long that another look sees no more than one now."""
        return self.quiet_ns >= NUMBERS.again_ns[0]

    def look_again(self) -> bool:
        """Whether the time has come to look once more at what could not be read, or puzzles."""
        return any(self.quiet_for(time) for time in NUMBERS.again_ns)

    @property
    def still(self) -> Mask:
        """Where in the mark picture all is at rest now."""
        if self._still is None:
            self._still = self.geometry.to_mark(self.gate.resting())
        return self._still

    def looked(self) -> None:
        """The reader has seen this moment: what is at rest in it is no news any more."""
        self._looked.replace(self.now.small, self.gate.resting())
        self._pending = False

    def pending(self) -> bool:
        """Whether something over the mark has come to rest otherwise than when the reader saw it last, and is news."""
        if self._pending is None:
            self._pending = self._has_news()
        return self._pending

    def _has_news(self) -> bool:
        changed = cv2.bitwise_and(self._looked.differs(self.now.small), self.square)
        least = NUMBERS.pending_while_moving_px if self.active else NUMBERS.pending_px
        if not self.active:
            changed = cv2.bitwise_and(changed, self.gate.resting())
        elif cv2.countNonZero(changed) >= least:
            size = 2 * NUMBERS.away_px + 1
            near = cv2.dilate(self.gate.moving(), np.ones((size, size), np.uint8))
            changed = cv2.bitwise_and(changed, cv2.bitwise_not(near))
        return self._is_news(np.asarray(changed, np.uint8), least)

    def _is_news(self, changed: Mask, least_px: int) -> bool:
        """Whether a change shows something else than the bare table and the cards that are known, at their places.

        What a hand uncovers of those is nothing that the reader need see.
        """
        if cv2.countNonZero(changed) < least_px:
            return False
        bare = cv2.bitwise_not(self.strange([]))
        unsettled = self.backdrop.settled.differs(self.now.small)
        above: list[TrackedCard] = []
        gone = np.zeros_like(changed)
        """Where a card may have gone: what lies beneath tells nothing there."""
        for card in reversed(self.pile.all):
            place = self.geometry.polygon_in_small(card.quad, 1) & ~gone
            as_settled = card.first_ns <= self._settled_ns and not cv2.countNonZero(unsettled & place)
            touched = cv2.countNonZero(cv2.bitwise_and(changed, place))
            if touched and not self._as_known(card, above, as_settled=as_settled):
                gone |= place
            else:
                changed = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(place)), np.uint8)
            above.append(card)
        bare = cv2.bitwise_and(bare, cv2.bitwise_not(gone))
        return cv2.countNonZero(cv2.bitwise_and(changed, cv2.bitwise_not(bare))) >= least_px

    def _as_known(self, card: TrackedCard, above: Sequence[TrackedCard], *, as_settled: bool) -> bool:
        """Whether a card needs no other look while it lies as it does now, with others ``above`` it.

        ``as_settled``: its place looks as it did when all was last settled, and it lay there then.
        """
        if card.id == 0:
            return card.certain and card.open
        return card.sure and card.open and (as_settled or card.lies_as_seen(self.now.grey, covered(above)))

    def much_moves(self) -> bool:
        """Whether something as big as a hand moves over the mark."""
        moving = cv2.bitwise_and(self.gate.moving(), self.square)
        return cv2.countNonZero(moving) >= NUMBERS.hand_px

    def other_than_settled(self) -> bool:
        """Whether anything at the mark is other than when all was last decided, and news.

        Cards that came since are none of what was seen then: where they lie something is other.
        """
        changed = self.backdrop.settled.differs(self.now.small)
        for card in self.newly_come():
            changed |= self.geometry.polygon_in_small(card.quad)
        changed = np.asarray(cv2.bitwise_and(changed, self.square), np.uint8)
        return self._is_news(changed, NUMBERS.pending_px)

    @property
    def bare(self) -> bool:
        """Whether the mark shows the table, and neither cards nor hands."""
        shown = cv2.bitwise_and(self.backdrop.foreground(self.now.small), self.square)
        return cv2.countNonZero(shown) < NUMBERS.pending_px

    def strange(self, cards: Sequence[TrackedCard]) -> Mask:
        """Where the small picture shows at the mark neither the table nor, as far as known, one of ``cards``."""
        changed = self.backdrop.changed(self.now.small, cards)
        return np.asarray(cv2.bitwise_and(changed, self.square), dtype=np.uint8)

    def puzzling(self) -> bool:
        """Whether something lies at the mark that is no known card and was not there before: an arm, or a card."""
        return cv2.countNonZero(self.strange(self.pile.lying)) >= NUMBERS.pending_while_moving_px

    def unexplained(self, least_px: int) -> Mask:
        """What rests at the mark (small pixels) and is neither a known card, nor an arm, nor was there; rough if
        less than ``least_px``."""
        changed = self.strange(self.pile.all)
        if cv2.countNonZero(changed) < least_px:
            return changed
        changed = np.asarray(cv2.bitwise_and(changed, self.gate.resting()), dtype=np.uint8)
        for arm in self.arms():
            if arm.angles:
                near = np.asarray(cv2.dilate(arm.mask, np.ones((5, 5), np.uint8)), dtype=np.uint8)
                changed = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(near)), dtype=np.uint8)
        opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return np.asarray(opened, dtype=np.uint8)

    def without(self, gone: Collection[TrackedCard] | None = None) -> Grey:
        """The mark in grey as the cards that lie there make it, but for those that have ``gone`` (or are leaving)."""
        return self.pile.without(self.backdrop.grey, self.pile.leaving if gone is None else gone)

    def arms(self) -> Sequence[Arm]:
        """What is over the table now besides the known cards."""
        if self._arms is None:
            self._arms = self.watch.at(self.now.small, [card.quad for card in self.pile.all])
        return self._arms

    def hand_at(self, card: TrackedCard) -> bool:
        """Whether a hand is at the place of a card."""
        place = Votes(self.geometry, card.quad)
        return any(arm.angles and place.contact(arm) for arm in self.arms())

    def arm_mask(self) -> Mask:
        """Where arms are in the mark picture now."""
        return self.watch.mask(self.arms())

    def cards_changed(self) -> None:
        """Other cards are known now: what was an arm may be one of them."""
        self._arms = None
