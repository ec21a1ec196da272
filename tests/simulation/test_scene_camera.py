"""The scene bench's motions have the right times and end poses, and its camera shows them as an open shutter does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from table.observed_facts import MS
from table.simulation.rendering.motions_over_time import CardPose, Lay, Scene
from table.simulation.simulated_config import make_simulated_config
from tests.simulation.scene_camera import SceneAppearance, SceneCamera
from tests.simulation.scene_motions import Hold, Put, Reach, TableObject, Throw, moment_at

REST = CardPose(10.0, -5.0, 210.0)
LAY = Lay(1_000 * MS, "Ada", 40.0, 1, "9C", REST)
OTHER = Lay(1_120 * MS, "Ben", 160.0, 2, "KD", CardPose(-12.0, 20.0, 340.0))


def camera(seed: int, look: SceneAppearance) -> SceneCamera:
    config = make_simulated_config(seed=seed, size=(480, 270))
    assert config.camera.homography is not None
    return SceneCamera(config.camera.size, config.camera.homography, ("Ada", "Ben"), look, seed)


SHUTTER = SceneAppearance(noise=0, mark="none", exposure_ms=20)


def test_a_shutter_blurs_what_moves_and_nothing_else() -> None:
    sharp, blurred = camera(4, SceneAppearance(noise=0, mark="none")), camera(4, SHUTTER)
    scene = Scene([LAY, replace(OTHER, t_ns=2_000 * MS)])
    # The nine lies; the king is on its way, fast.
    t_ns = 1_850 * MS
    sharp_image, blurred_image = (
        picture.render_exposure(scene, t_ns, 0).astype(int) for picture in (sharp, blurred)
    )
    differs = np.abs(sharp_image - blurred_image).max(axis=2) > 12
    assert differs.sum() > 400
    rests = blurred.render_exposure(scene, 1_600 * MS, 0)
    assert np.array_equal(rests, sharp.render_exposure(scene, 1_600 * MS, 0))
    # Where nothing passes, the picture is the same to the bit.
    still = np.abs(blurred_image - rests).max(axis=2) == 0
    assert still.mean() > 0.4


def test_what_passes_before_an_open_shutter_is_seen_in_part_all_along_its_way() -> None:
    scene = Scene([LAY])
    t_ns = LAY.t_ns - 150 * MS
    light = camera(4, SHUTTER).render_exposure(scene, t_ns, 0).astype(float)
    instants = [
        camera(4, SceneAppearance(noise=0, mark="none"))
        .render_snapshot(scene.snapshot_at(int(t_ns + offset_ms * MS)), 0)
        .astype(float)
        for offset_ms in np.linspace(-9.5, 9.5, 39)
    ]
    sharpest = min(np.abs(light - instant).mean() for instant in instants)
    assert np.abs(light - np.mean(instants, axis=0)).mean() < 0.35 * sharpest


def test_a_rolling_shutter_shows_the_upper_rows_earlier_than_the_lower_ones() -> None:
    rolling = camera(4, SceneAppearance(noise=0, mark="none", exposure_ms=2, readout_ms=60))
    sharp = camera(4, SceneAppearance(noise=0, mark="none"))
    scene = Scene([LAY])
    t_ns = LAY.t_ns - 60 * MS
    seen = rolling.render_exposure(scene, t_ns, 0).astype(int)
    early, late = (
        sharp.render_snapshot(scene.snapshot_at(int(t_ns + by * MS)), 0).astype(int) for by in (-10, 10)
    )
    for rows, near, far in ((slice(45, 90), early, late), (slice(135, 180), late, early)):
        assert np.abs(seen[rows] - near[rows]).mean() < 0.7 * np.abs(seen[rows] - far[rows]).mean()


def test_a_thrown_card_flies_on_with_no_hand_near_it() -> None:
    throw = Throw(2_000 * MS, "Ada", 40.0, 7, "9C", REST, (130.0, -150.0))
    scene = Scene([throw])
    flying = scene.snapshot_at(1_950 * MS)
    tip = flying.hands[0].tip if flying.hands else (1e9, 1e9)
    pose = flying.carried[0].pose
    assert 1 < np.hypot(pose.x - REST.x, pose.y - REST.y) < 30
    assert np.hypot(tip[0] - pose.x, tip[1] - pose.y) > 150
    assert [lying.pose for lying in scene.snapshot_at(2_000 * MS).resting] == [REST]
    assert scene.snapshot_at(throw.end_ns).hands == ()


def test_things_stay_where_they_are_put_and_fans_where_they_are_held() -> None:
    die = TableObject("die", CardPose(80.0, 60.0, 10.0))
    put = Put(1_000 * MS, "Ben", 160.0, die)
    hold = Hold(0, "Ada", 40.0, 5_000 * MS, ((90, "9C"), (91, None)), (150.0, -180.0))
    cup = Reach(3_000 * MS, "Ben", 160.0, (0.0, 0.0), held="cup")
    scene = Scene([put, hold, cup])
    assert moment_at(scene, 900 * MS).held_objects[0].kind == "die"
    assert moment_at(scene, 900 * MS).objects == ()
    assert moment_at(scene, 4_500 * MS).objects == (die,)
    assert [thing.kind for thing in moment_at(scene, 3_000 * MS).held_objects] == ["cup"]
    assert [lying.id for lying in scene.snapshot_at(2_000 * MS).carried] == [90, 91]
    simulated = camera(4, SceneAppearance(noise=0, mark="none"))
    bare, there = (
        simulated.render_exposure(Scene([]), 0, 0),
        simulated.render_exposure(Scene([put]), 4_000 * MS, 0),
    )
    assert np.abs(there.astype(int) - bare).max() > 100
