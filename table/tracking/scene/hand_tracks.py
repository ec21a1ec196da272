"""Hand tracks: the arms over the table, linked from frame to frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from table.directions import angle_between
from table.tracking.imaging.motion_detection import Mask
from table.tracking.scene.arm_detection import MIN_ARM_SEPARATION_DEG, Arm, is_same_arm_as_any


@dataclass(frozen=True, slots=True)
class ArmObservation:
    """A hand's arm in one frame."""

    t_ns: int
    arm: Arm
    alone: bool
    """Whether it hangs together with no other arm."""


@dataclass(slots=True)
class HandTrack:
    """One hand, from frame to frame."""

    entry_angle: float
    """Direction at which its arm entered the image in its latest frame, degrees: the next frame's is linked by it."""
    observations: list[ArmObservation] = field(default_factory=list)

    def reached(self, zone: Mask, until_ns: int) -> bool:
        """Return whether its arm was seen in the ``zone`` (of the small image) by ``until_ns``, perhaps with others."""
        return any(seen.arm.touches(zone) for seen in self.observations if seen.t_ns <= until_ns)

    def reached_alone(self, zone: Mask) -> bool:
        """Return whether its arm was ever seen in the ``zone`` without another one."""
        return any(seen.alone and seen.arm.touches(zone) for seen in self.observations)


def track_hands(frames: Iterable[tuple[int, Sequence[Arm]]]) -> list[HandTrack]:
    """Link the arms of ``frames`` (stamp and arms of each) to tracks of hands.

    An arm may sweep from one direction to another. Several that cross are one component with several entries: each of
    their tracks observes it. One that looks like the cloth may enter as strips, side by side.
    """
    tracks: list[HandTrack] = []
    for t_ns, arms in frames:
        for arm in arms:
            alone = all(is_same_arm_as_any(angle, arm.entry_angles[:1]) for angle in arm.entry_angles)
            for angle in arm.entry_angles:
                track = min(tracks, key=lambda track: angle_between(track.entry_angle, angle), default=None)
                if track is None or angle_between(track.entry_angle, angle) >= MIN_ARM_SEPARATION_DEG:
                    track = HandTrack(angle)
                    tracks.append(track)
                track.entry_angle = angle
                if not track.observations or track.observations[-1].arm is not arm:
                    track.observations.append(ArmObservation(t_ns, arm, alone))
    return tracks
