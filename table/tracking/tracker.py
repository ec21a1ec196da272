"""Card tracker: turns a sequence of frames into card facts.

Every frame is stabilized (`stabilization`) and searched for motion (`motion_detection`). The detector runs when
something new has come to rest, and a few times meanwhile (`detection_scheduler`). Its detections are associated with
the tracked cards (`association`, `tracked_cards`). `undetected_cards` searches for those that no detection shows.
`publish_card_facts` decides when and what is published: each change is traced back through the recent frames to the
one in which it happened, and to the arm that did it (`landing`, `departure`).

Everything is a function of the frames and their stamps: no clock is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table.config.settings import CameraConfig
from table.detection.card_detections import CardReader
from table.observed_facts import MS, CardFact, Frame, Image
from table.table_geometry import Geometry, MarkCrop
from table.tracking.arm_in_first_frame import StartupPhase
from table.tracking.cards.detection_scheduler import DetectionScheduler
from table.tracking.cards.landing import LandingDetector
from table.tracking.cards.publish_card_facts import Publisher
from table.tracking.cards.run_detector_on_mark import DetectorClient
from table.tracking.cards.undetected_cards import UndetectedCards
from table.tracking.frame_report import MAX_WATERMARK_LAG_NS, Reporter, TrackingReport
from table.tracking.scene.scene_state import NUMBERS as SCENE
from table.tracking.scene.scene_state import SceneState


@dataclass(frozen=True, slots=True)
class TrackerParameters:
    """Parameters of the tracker."""

    background_every_ns: int = 2000 * MS
    """Time between two updates of the background while nothing happens ..."""
    idle_background_every_ns: int = 30_000 * MS
    """... and while not even the light changes: an update costs as much as a hundred idle frames."""


NUMBERS: Final = TrackerParameters()


class CardTracker:
    """Tracks the cards on the mark; feed it every frame, in order."""

    def __init__(self, camera: CameraConfig, reader: CardReader, *, joker_is_card: bool = False) -> None:
        """Create a tracker; ``TableError`` if the camera is not calibrated."""
        self.geometry = Geometry(camera)
        self._reader = reader
        self._joker_is_card = joker_is_card
        self._scene: SceneState | None = None
        self._reporter = Reporter()
        self._client: DetectorClient
        self._scheduler: DetectionScheduler
        self._publisher: Publisher
        self._undetected: UndetectedCards
        self._startup: StartupPhase
        self._since_ns: int | None = None
        """Stamp since which something has been undecided; None if all is decided."""
        self._background_ns = 0
        self._view_changed = False
        """Whether the next frame is the first from a new camera view, or the first with light."""

    @property
    def detection_count(self) -> int:
        """Number of detector runs."""
        return self._client.detection_count if self._scene else 0

    # --- what others call ---------------------------------------------------------------------------------

    def see(self, frame: Frame) -> TrackingReport:
        """Process the next frame; ``TableError`` if it hasn't the calibrated size."""
        self.geometry.check_frame_size(frame.image)
        if self._scene is None or self._view_changed:
            self._start(frame)
        elif self._since_ns is None and self._scheduler.is_idle and self._scene.add_idle_frame(frame):
            self._reporter.fitness.add_usable_frame(frame.t_ns, self._scene.stabilizer.pose)
            self._update_background(NUMBERS.idle_background_every_ns)
            return self._report([])
        elif not self._scene.add_frame(frame):
            self._reporter.fitness.add_unusable_frame(frame.t_ns)
            self._view_changed = self._was_started_in_the_dark()
            return self._reporter.without_frames(frame.t_ns)
        scene = self._current_scene
        self._reporter.fitness.add_usable_frame(frame.t_ns, scene.stabilizer.pose)
        if self._startup.check_frame() or scene.has_motion:
            self._scheduler.request()
        self._reporter.fitness.check_colours(
            scene.now.small, cards=any(card.mark_before is not None for card in scene.tracks.published)
        )
        undecided = self._since_ns is not None
        if not (
            self._scheduler.is_busy(undecided=undecided) or (undecided and self._undetected.find_face_down())
        ):
            scene.set_idle_reference()
            self._update_background(NUMBERS.background_every_ns)
            return self._report([])
        if self._since_ns is None:
            self._since_ns = scene.history.first_ns
        scene.release_frames()
        facts = self._scheduler.detect_if_needed()
        self._undetected.find_face_down_if_due()
        ready = self._undetected.search_beneath(self._publisher.find_ready_cards())
        facts += self._publisher.collect_facts(ready, self._reporter.watermark_ns)
        self._since_ns = max(self._since_ns, self._publisher.accounted_until_ns)
        return self._report(facts)

    def crop_mark(self, image: Image) -> MarkCrop:
        """Cut out the part of a frame that shows the square around the mark, as a nudged camera was last seen to lie.

        May be called from another thread than the tracker's.
        """
        scene = self._scene
        if scene is None:
            return self.geometry.crop_mark(image)
        return scene.geometry.crop_mark(image, scene.stabilizer.pose_matrix(scene.stabilizer.pose))

    def aim(self, camera: CameraConfig) -> bool:
        """Switch to a camera with another calibration; return False, and change nothing, if that must wait.

        The new view, in the table's same axes, starts with the next frame. Cards lie on the table and not in the
        image, so they keep their tracks. While the old view is still usable, the switch waits until nothing goes on.
        """
        if self._since_ns is not None and not self._reporter.fitness.is_blind:
            return False
        self.geometry = Geometry(camera)
        self._view_changed = True
        return True

    def without_frames(self, until_ns: int) -> TrackingReport:
        """Advance without frames: none stamped before ``until_ns`` will come (the camera has stopped)."""
        return self._reporter.without_frames(until_ns)

    def end(self) -> TrackingReport:
        """Publish what is still undecided after the last frame."""
        facts: list[CardFact] = []
        if self._scene is not None and self._since_ns is not None:
            facts = self._publisher.collect_final_facts(self._reporter.watermark_ns)
        return self._reporter.end(facts)

    # --- the course of a frame ----------------------------------------------------------------------------

    @property
    def _current_scene(self) -> SceneState:
        assert self._scene is not None
        return self._scene

    def _was_started_in_the_dark(self) -> bool:
        """Return whether the lamp has been switched on since the first frame, which had too little light for a table.

        Once a card has been seen to come or go, the table was lit, and a brighter light only dazzles the camera.
        """
        scene = self._current_scene
        if not (self._reporter.fitness.is_blind and scene.stabilizer.reference_is_dark):
            return False
        published = scene.tracks.published
        none_came = not scene.tracks.tentative and all(card.mark_before is None for card in published)
        return none_came and len(published) == scene.tracks.last_id

    def _start(self, frame: Frame) -> None:
        tracks = self._scene.tracks.copy_for_new_view() if self._scene is not None else None
        self._scene, self._view_changed, self._since_ns = (
            SceneState(self.geometry, frame, tracks),
            False,
            None,
        )
        self._client = DetectorClient(self._scene, self._reader, joker_is_card=self._joker_is_card)
        self._scheduler = DetectionScheduler(self._scene, self._client)
        landing_detector = LandingDetector(self._scene, self._client.carried)
        self._publisher = Publisher(self._scene, self._scheduler, landing_detector)
        self._undetected = UndetectedCards(self._scene, self._client, self._scheduler, landing_detector)
        self._startup = StartupPhase(self._scene)
        self._reporter.advance(frame.t_ns)

    def _update_background(self, every_ns: int) -> None:
        """Update the background every ``every_ns`` while nothing happens."""
        scene = self._current_scene
        if self._since_ns is not None or scene.now_ns - self._background_ns >= every_ns:
            self._since_ns = None
            self._background_ns = scene.now_ns
            scene.update_background()
        scene.history.drop_before(scene.now_ns - SCENE.before_ns)

    def _report(self, facts: list[CardFact]) -> TrackingReport:
        scene = self._current_scene
        scene.history.drop_before(scene.now_ns - SCENE.held_ns)
        until_ns = scene.history.first_ns
        if self._since_ns is not None:
            until_ns = max(self._since_ns, scene.now_ns - MAX_WATERMARK_LAG_NS)
        self._reporter.fitness.set_mirrored(self._client.mirrored)
        return self._reporter.report(facts, until_ns)
