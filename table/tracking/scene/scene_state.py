"""Scene state: the recent frames, motion, the background model, the arms and the tracked cards.

The steps of tracking (`detection_scheduler`, `landing`, `departure`) share this state and add only their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, overload

import cv2
import numpy as np

from table.observed_facts import MS, Frame
from table.table_geometry import Geometry, Points, polygon_mask
from table.tracking.imaging.card_registration import (
    MAX_REST_OFFSET_MOVING_CAMERA_PX,
    MAX_REST_OFFSET_PX,
    Grey,
)
from table.tracking.imaging.motion_detection import (
    Mask,
    MotionDetector,
    Planar,
    ReferenceImage,
    remove_noise,
    to_planar,
)
from table.tracking.imaging.outline_refinement import MIN_EDGE_SHARE, edge_share
from table.tracking.imaging.recent_frame import RecentFrame, planar_to_colour
from table.tracking.imaging.stabilization import Stabilizer
from table.tracking.imaging.unchanged_frame_filter import IdleFilter
from table.tracking.scene.arm_detection import Arm, ArmFinder, contact_zone
from table.tracking.scene.background_model import LONG_STATIC_MS, BackgroundModel, cards_mask
from table.tracking.scene.detections import Detection
from table.tracking.scene.landing_order import is_plainly_above
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.scene.tracked_cards import TrackSet


@dataclass(frozen=True, slots=True)
class SceneParameters:
    """Parameters of the scene state; those in pixels are small pixels, of which a card covers some 1,100."""

    moving_px: int = 8
    """Minimum moving area over the mark that counts as motion."""
    pending_px: int = 12
    """Minimum area that has come to rest and looks different, to ask for a detection pass ..."""
    pending_while_moving_px: int = 60
    """... and the minimum while something moves (a twentieth of a card) ..."""
    away_px: int = 6
    """... this far from what moves: the middle of a uniform moving object seems to rest."""
    near_px: int = 12
    """A hand this near to a card (mark pixels, 8 mm) may hide its edge."""
    hand_px: int = 120
    """Minimum moving area of a hand (6 cm2)."""
    held_ns: int = 2500 * MS
    """Age up to which frames are kept while something goes on ..."""
    before_ns: int = 100 * MS
    """... and while nothing does: a movement begins a little before it is noticed."""
    stirred_ms: int = 2000
    """For this long after motion it may be undecided what lies there now."""
    again_ns: tuple[int, ...] = (190 * MS, 460 * MS, 860 * MS)
    """Times without motion after which detection is repeated for what is unreadable or unexplained. After the first
    one everything in the image is at rest."""
    like_itself: float = 0.8
    """Minimum share of a card's template that matches, to capture the template anew."""
    in_sight: float = 0.15
    """A new card of which less than this share is visible is captured together with what lies upon it."""


NUMBERS: Final = SceneParameters()
FRAME_JITTER_NS: Final = 5 * MS
"""Frames come this much early or late: a time that is meant as a number of frames is shortened by it."""


class GreyImages(Sequence[Grey]):
    """Grey mark images of frames, each computed on first access."""

    def __init__(self, moments: Iterable[RecentFrame]) -> None:
        self._moments = tuple(moments)

    def __len__(self) -> int:
        return len(self._moments)

    @overload
    def __getitem__(self, at: int) -> Grey: ...

    @overload
    def __getitem__(self, at: slice) -> GreyImages: ...

    def __getitem__(self, at: int | slice) -> Grey | GreyImages:
        return GreyImages(self._moments[at]) if isinstance(at, slice) else self._moments[at].grey


class FrameHistory:
    """The recent frames, oldest first."""

    def __init__(self) -> None:
        self._moments: deque[RecentFrame] = deque()

    def __len__(self) -> int:
        return len(self._moments)

    def append(self, moment: RecentFrame) -> None:
        """Add the newest frame."""
        self._moments.append(moment)

    def drop_before(self, before_ns: int) -> None:
        """Drop frames older than ``before_ns``; the last two stay."""
        while len(self._moments) > 2 and self._moments[0].t_ns < before_ns:
            self._moments.popleft()

    @property
    def now(self) -> RecentFrame:
        """The newest frame."""
        return self._moments[-1]

    @property
    def first_ns(self) -> int:
        """Stamp of the oldest frame."""
        return self._moments[0].t_ns

    @property
    def all(self) -> list[RecentFrame]:
        """All frames, oldest first."""
        return list(self._moments)

    @property
    def greys(self) -> GreyImages:
        """The frames' grey mark images."""
        return GreyImages(self._moments)

    @property
    def stamps(self) -> list[int]:
        """The frames' stamps."""
        return [moment.t_ns for moment in self._moments]

    def frames_between(self, from_ns: int, until_ns: int) -> list[RecentFrame]:
        """Return the frames from ``from_ns`` on and before ``until_ns``."""
        return [moment for moment in self._moments if from_ns <= moment.t_ns < until_ns]

    def index_at(self, t_ns: int) -> int:
        """Return the index of the last frame not after ``t_ns``; 0 if all are later."""
        return max((k for k, moment in enumerate(self._moments) if moment.t_ns <= t_ns), default=0)


class SceneState:
    """The present frame and everything that it is compared with."""

    def __init__(self, geometry: Geometry, frame: Frame, tracks: TrackSet | None = None) -> None:
        """Start from a first frame; ``TableError`` if its size isn't the calibrated one.

        Args:
            frame: the first one.
            tracks: the cards on the mark, if they are known from another view.
        """
        self.geometry = geometry
        self.mark_square = geometry.mark_square_mask()
        small = geometry.make_small_image(frame.image)
        self.stabilizer = Stabilizer(small)
        self.tracks = tracks or TrackSet()
        self.history = FrameHistory()
        self.is_first_frame = True
        """Whether this is the first frame: what lies there was not seen to come."""
        self.has_motion = False
        """Whether something moves over the mark."""
        self.still_for_ns = 0
        """Time since the last motion over the mark."""
        self._quiet_before_ns = 0
        self._settled_ns = frame.t_ns
        """Stamp at which all was last at rest and published."""
        self._moving_outlines: tuple[int, list[Points]] = (0, [])
        """Stamp and outlines of cards that were detected in motion."""
        self._arms: Sequence[Arm] | None = None
        self._arm_mask: Mask | None = None
        self._still: Mask | None = None
        self._pending: bool | None = None
        """Cached results for this frame; None until computed."""
        self._stabilized = self.stabilizer.stabilize(small, frame.t_ns)
        self.history.append(self._wrap_frame(frame, to_planar(self._stabilized.small)))
        self.motion = MotionDetector(self.now.small, frame.t_ns)
        self._detected_view = ReferenceImage(self.now.small)
        """Small image as of the last detection pass, where it was at rest."""
        self.background = BackgroundModel(geometry, self.now)
        self.arm_finder = ArmFinder(self.background)
        self._idle_filter = IdleFilter(geometry)

    # --- the course of time -------------------------------------------------------------------------------

    def restart_background(self) -> None:
        """Restart the background from this frame, because the first one contained an arm.

        Published cards stay, and so do tentative cards that this frame shows where they were detected before: it is
        known since when they lie there. Other cards are detected anew.
        """
        self.is_first_frame = True
        self._settled_ns = self.now_ns
        self._detected_view = ReferenceImage(self.now.small)
        self.background = BackgroundModel(self.geometry, self.now)
        self.arm_finder = ArmFinder(self.background)
        self.tracks.begin_anew(self.now.grey)
        self.invalidate_arms()

    def add_idle_frame(self, frame: Frame) -> bool:
        """Add a frame if it matches the last idle one, and return whether it does; then it needs no analysis."""
        if not (self.stabilizer.is_at_rest and self._idle_filter.matches_reference(frame.image)):
            return False
        self._advance(self._wrap_frame(frame), active=False)
        self.motion.add_idle_frame(frame.t_ns)
        return True

    def add_frame(self, frame: Frame) -> bool:
        """Stabilize and add the next frame; False, and nothing changed, if the frame is unusable."""
        stirred = self.motion.moving_mask(NUMBERS.stirred_ms)
        stabilized = self.stabilizer.stabilize(
            self.geometry.make_small_image(frame.image), frame.t_ns, stirred
        )
        if not stabilized.usable:
            return False
        self._stabilized = stabilized
        moment = self._wrap_frame(frame, to_planar(stabilized.small))
        self.motion.add_frame(moment.small, frame.t_ns)
        moving = cv2.bitwise_and(self.motion.moving_mask(), self.mark_square)
        self._advance(moment, active=cv2.countNonZero(moving) >= NUMBERS.moving_px)
        return True

    def _wrap_frame(self, frame: Frame, small: Planar | None = None) -> RecentFrame:
        """Wrap a frame with the camera pose and light that were estimated last."""
        pose = self.stabilizer.pose_matrix(self._stabilized.pose)
        return RecentFrame(frame, self.geometry, pose, self._stabilized.light, small)

    def _advance(self, moment: RecentFrame, *, active: bool) -> None:
        passed_ns = moment.t_ns - self.now.t_ns
        self.history.append(moment)
        self._arms = self._arm_mask = self._still = self._pending = None
        self.is_first_frame, self.has_motion = False, active
        self._quiet_before_ns = self.still_for_ns
        self.still_for_ns = 0 if active else self.still_for_ns + passed_ns

    def release_frames(self) -> None:
        """Release the full frames, keeping what later steps may need of them."""
        for moment in self.history.all:
            moment.release_frame()

    def set_idle_reference(self) -> None:
        """Set this frame as the idle reference: frames that match it need no analysis."""
        self._idle_filter.set_reference(self.now.frame)

    def update_background(self) -> None:
        """Update background, stabilizer and card templates from this frame, in which all is at rest and published."""
        now = self.now
        self._settled_ns = now.t_ns
        self.stabilizer.set_reference(planar_to_colour(now.small))
        arms = self.find_arm_mask()
        self.background.update(now, self.tracks.published, self.motion.static_mask(LONG_STATIC_MS), arms)
        for card in self.tracks.published:
            if card.occluder is not None:
                continue
            if card.template_image is None or card.template.fit(now.grey).share >= NUMBERS.like_itself:
                self.capture_template(card)

    def move_card(self, card: TrackedCard, quad: Points, seen: Detection | None = None) -> None:
        """Move a card to the outline ``quad``, as of the detection ``seen``, and capture its template anew."""
        card.move_to(quad, seen)
        self.invalidate_arms()
        self.capture_template(card)

    def capture_template(self, card: TrackedCard) -> None:
        """Capture a card's template from this frame, without the pixels that arms or other cards cover."""
        now = self.now
        arms = self.find_arm_mask()
        mask = card.outline_mask & ~arms
        seen_ns, outlines = self._moving_outlines
        for quad in outlines if seen_ns == now.t_ns else ():
            mask &= ~polygon_mask(quad)
        whole = int(np.count_nonzero(mask))
        if card.face is None:
            card.outline_visible = (
                self.is_clear_of_hands(card) and edge_share(card.quad, now.grey) >= MIN_EDGE_SHARE
            )
        above = [other for other in self.tracks.published_after(card) if other.missing_since_ns is None]
        for other in [
            *above,
            *(other_card for other_card in self.tracks.tentative if other_card is not card),
        ]:
            if other.is_published or not is_plainly_above(card, other, now.grey):
                mask &= ~other.outline_mask
        if not card.is_published and np.count_nonzero(mask) < NUMBERS.in_sight * whole:
            mask = card.outline_mask & ~arms
        if np.count_nonzero(mask):
            card.capture_template(now.grey, mask, now.t_ns)

    def set_moving_outlines(self, quads: Sequence[Points]) -> None:
        """Set the outlines of the moving cards of this frame: what they cover is not visible."""
        self._moving_outlines = self.now_ns, list(quads)

    def cards_since_settled(self) -> list[TrackedCard]:
        """Return the cards that came since all was last settled.

        What lies beneath them has not been seen with their shadows.
        """
        return [card for card in self.tracks.all if card.first_detected_ns > self._settled_ns]

    def is_clear_of_hands(self, card: TrackedCard) -> bool:
        """Return whether no hand is near enough to a card to hide its edge."""
        return not np.count_nonzero(cards_mask([card], NUMBERS.near_px) & self.find_arm_mask())

    # --- what is seen now ---------------------------------------------------------------------------------

    @property
    def now(self) -> RecentFrame:
        """The newest frame."""
        return self.history.now

    @property
    def now_ns(self) -> int:
        """Stamp of the newest frame."""
        return self.history.now.t_ns

    @property
    def max_rest_offset_px(self) -> float:
        """Tolerance for a card at rest, mark pixels; larger while the camera moves."""
        return MAX_REST_OFFSET_PX if self.stabilizer.is_at_rest else MAX_REST_OFFSET_MOVING_CAMERA_PX

    def stillness_reaches(self, long_ns: int) -> bool:
        """Return whether the time without motion has reached ``long_ns`` in this frame."""
        return self._quiet_before_ns < long_ns <= self.still_for_ns

    @property
    def motion_starts(self) -> bool:
        """Whether motion over the mark starts in this frame: cards that lie there may be taken."""
        return self.has_motion and self._quiet_before_ns > 0

    @property
    def is_still(self) -> bool:
        """Whether nothing has moved for so long that everything is at rest: later detections add nothing to one now."""
        return self.still_for_ns >= NUMBERS.again_ns[0]

    def is_time_to_repeat(self) -> bool:
        """Return whether it is time to repeat detection for what is unreadable or unexplained."""
        return any(self.stillness_reaches(time) for time in NUMBERS.again_ns)

    @property
    def will_repeat_detection(self) -> bool:
        """Whether a repetition of detection is still to come while nothing moves."""
        return self.still_for_ns < NUMBERS.again_ns[-1]

    @property
    def static_mask(self) -> Mask:
        """Mask of the static pixels of the mark image."""
        if self._still is None:
            self._still = self.geometry.warp_mask_to_mark(self.motion.static_mask())
        return self._still

    def mark_as_detected(self) -> None:
        """Record that the detector has seen this frame: what is at rest in it is no change any more."""
        self._detected_view.replace_where(self.now.small, self.motion.static_mask())
        self._pending = False

    def has_undetected_change(self) -> bool:
        """Return whether something unknown has come to rest over the mark since the last detection pass."""
        if self._pending is None:
            self._pending = self._find_undetected_change()
        return self._pending

    def _find_undetected_change(self) -> bool:
        """Return whether the difference from the last detection pass, away from moving objects, is an unknown
        change."""
        changed = cv2.bitwise_and(
            remove_noise(self._detected_view.difference_mask(self.now.small)), self.mark_square
        )
        least = NUMBERS.pending_while_moving_px if self.has_motion else NUMBERS.pending_px
        if not self.has_motion:
            changed = cv2.bitwise_and(changed, self.motion.static_mask())
        elif cv2.countNonZero(changed) >= least:
            size = 2 * NUMBERS.away_px + 1
            near = cv2.dilate(self.motion.moving_mask(), np.ones((size, size), np.uint8))
            changed = cv2.bitwise_and(changed, cv2.bitwise_not(near))
        return self._is_unknown_change(np.asarray(changed, np.uint8), least)

    def _is_unknown_change(self, changed: Mask, least_px: int) -> bool:
        """Return whether a change shows more than the empty table and the known cards at their places.

        What a hand uncovers of those needs no detection.
        """
        if cv2.countNonZero(changed) < least_px:
            return False
        bare = cv2.bitwise_not(self.unexplained_mask([]))
        unsettled = self._difference_from_settled()
        above: list[TrackedCard] = []
        gone = np.zeros_like(changed)
        """Where a card may have gone: what lies beneath tells nothing there."""
        for card in reversed(self.tracks.all):
            place = self.geometry.small_polygon_mask(card.quad, 1) & ~gone
            as_settled = card.first_detected_ns <= self._settled_ns and not cv2.countNonZero(
                unsettled & place
            )
            touched = cv2.countNonZero(cv2.bitwise_and(changed, place))
            if touched and not self._needs_no_detection(card, above, as_settled=as_settled):
                gone |= place
            else:
                changed = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(place)), np.uint8)
            above.append(card)
        bare = cv2.bitwise_and(bare, cv2.bitwise_not(gone))
        return cv2.countNonZero(cv2.bitwise_and(changed, cv2.bitwise_not(bare))) >= least_px

    def _needs_no_detection(
        self, card: TrackedCard, above: Sequence[TrackedCard], *, as_settled: bool
    ) -> bool:
        """Return whether a card needs no further detection, with the cards ``above`` upon it.

        ``as_settled``: its place is unchanged since all was last settled, and the card lay there then.
        """
        if not card.is_published:
            return card.is_identified and card.outline_visible
        return (
            card.is_confirmed
            and card.outline_visible
            and (as_settled or card.visible_part_matches(self.now.grey, cards_mask(above)))
        )

    def has_hand_sized_motion(self) -> bool:
        """Return whether something as large as a hand moves over the mark."""
        moving = cv2.bitwise_and(self.motion.moving_mask(), self.mark_square)
        return cv2.countNonZero(moving) >= NUMBERS.hand_px

    def has_changed_since_settled(self) -> bool:
        """Return whether anything unknown has changed at the mark since all was last settled.

        The places of cards that came since count as changed, because those were not part of the settled image. So do
        those of cards that don't look as they did: in the small image a white table looks like the paper of a card.
        """
        changed = self._difference_from_settled()
        for card in self.cards_since_settled():
            changed |= self.geometry.small_polygon_mask(card.quad)
        changed = np.asarray(cv2.bitwise_and(changed, self.mark_square), np.uint8)
        return self._is_unknown_change(changed, NUMBERS.pending_px) or any(
            not card.visible_part_matches(self.now.grey, cards_mask(self.tracks.published_after(card)))
            for card in self.tracks.published
            if card.occluder is None and card.template_image is not None
        )

    def _difference_from_settled(self) -> Mask:
        """Return the mask of small pixels that differ from when all was last settled."""
        return remove_noise(self.background.settled_view.difference_mask(self.now.small))

    @property
    def mark_is_empty(self) -> bool:
        """Whether the mark shows the empty table, without cards or hands."""
        shown = cv2.bitwise_and(self.background.foreground_mask(self.now.small), self.mark_square)
        return cv2.countNonZero(shown) < NUMBERS.pending_px

    def unexplained_mask(self, cards: Sequence[TrackedCard]) -> Mask:
        """Return the mask of small pixels at the mark that show neither the table nor one of ``cards``."""
        changed = self.background.unexplained_mask(self.now.small, cards)
        return np.asarray(cv2.bitwise_and(changed, self.mark_square), dtype=np.uint8)

    def has_unexplained_object(self) -> bool:
        """Return whether an unexplained object is at the mark: an arm, or a card that isn't tracked."""
        return (
            cv2.countNonZero(self.unexplained_mask(self.tracks.published)) >= NUMBERS.pending_while_moving_px
        )

    def unexplained_static_mask(self, least_px: int) -> Mask:
        """Return the static small pixels at the mark that neither cards, arms nor the background explain.

        The mask is only approximate if it is smaller than ``least_px``.
        """
        changed = self.unexplained_mask(self.tracks.all)
        if cv2.countNonZero(changed) < least_px:
            return changed
        changed = np.asarray(cv2.bitwise_and(changed, self.motion.static_mask()), dtype=np.uint8)
        for arm in self.find_arms():
            if arm.entry_angles:
                near = np.asarray(cv2.dilate(arm.mask, np.ones((5, 5), np.uint8)), dtype=np.uint8)
                changed = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(near)), dtype=np.uint8)
        opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return np.asarray(opened, dtype=np.uint8)

    def render_staying(self) -> Grey:
        """Render the grey mark image with the published cards that are not leaving."""
        return self.render_without(self.tracks.leaving)

    def render_without(self, gone: Collection[TrackedCard]) -> Grey:
        """Render the grey mark image with the published cards, except those in ``gone``."""
        return self.tracks.render_without(self.background.grey, gone)

    def find_arms(self) -> Sequence[Arm]:
        """Return the arms over the table in this frame."""
        if self._arms is None:
            self._arms = self.arm_finder.find(self.now.small, [card.quad for card in self.tracks.all])
        return self._arms

    def is_hand_at(self, card: TrackedCard) -> bool:
        """Return whether a hand touches a card."""
        zone = contact_zone(self.geometry, card.quad)
        return any(arm.entry_angles and arm.touches(zone) for arm in self.find_arms())

    def find_arm_mask(self) -> Mask:
        """Return the mask of the arms in the mark image; read-only."""
        if self._arm_mask is None:
            self._arm_mask = self.arm_finder.arm_mask(self.find_arms())
        return self._arm_mask

    def invalidate_arms(self) -> None:
        """Discard the cached arms of this frame: what was an arm may be a newly known card."""
        self._arms = self._arm_mask = None
