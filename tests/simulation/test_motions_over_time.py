"""Motions over the simulated table have the right times and end poses, and frames show them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from table.directions import direction_vector
from table.observed_facts import MS
from table.simulation.players.player_strategy import choose_card_pose, every_index_visible, overlap_share
from table.simulation.rendering.camera_image import RoomAppearance, SimulatedCamera
from table.simulation.rendering.card_artwork import CardArtwork, render_face
from table.simulation.rendering.motions_over_time import (
    GRIP_OFFSET_MM,
    CardPose,
    Lay,
    Reach,
    Scene,
    Take,
)
from table.simulation.simulated_config import make_simulated_config

REST = CardPose(10.0, -5.0, 210.0)
LAY = Lay(1_000 * MS, "Ada", 40.0, 1, "9C", REST)
OTHER = Lay(1_120 * MS, "Ben", 160.0, 2, "KD", CardPose(-12.0, 20.0, 340.0))
TAKE = Take(4_000 * MS, "Ben", 160.0, (1, 2), (0.0, 8.0))
SCENE = Scene([TAKE, OTHER, LAY])


def test_a_card_rests_from_its_moment_on_and_moves_up_to_it() -> None:
    before, after = SCENE.snapshot_at(LAY.t_ns - MS), SCENE.snapshot_at(LAY.t_ns)
    assert before.resting == ()
    assert [lying.id for lying in before.carried] == [1, 2]
    # In the last frame before it rests it is still plainly elsewhere.
    frame = SCENE.snapshot_at(LAY.t_ns - 33 * MS).carried[0].pose
    assert np.hypot(frame.x - REST.x, frame.y - REST.y) > 3
    assert [lying.pose for lying in after.resting] == [REST]


def test_the_arm_comes_from_its_player_and_goes_back() -> None:
    hand = SCENE.snapshot_at(LAY.t_ns).hands[0]
    dx, dy = direction_vector(40.0)
    assert np.allclose(hand.tip, (REST.x + GRIP_OFFSET_MM * dx, REST.y + GRIP_OFFSET_MM * dy))
    reach = np.array(hand.home) - np.array(hand.tip)
    assert np.allclose(reach / np.linalg.norm(reach), (dx, dy))
    assert [hand.seat for hand in SCENE.snapshot_at(LAY.t_ns + 200 * MS).hands] == ["Ada", "Ben"]
    assert SCENE.snapshot_at(2_000 * MS).hands == ()


def test_cards_lie_in_the_order_of_landing_and_leave_together() -> None:
    assert [lying.id for lying in SCENE.snapshot_at(3_000 * MS).resting] == [1, 2]
    at, after = SCENE.snapshot_at(TAKE.t_ns - 1), SCENE.snapshot_at(TAKE.t_ns + 40 * MS)
    assert [lying.id for lying in at.resting] == [1, 2]
    assert after.resting == ()
    assert [lying.id for lying in after.carried] == [1, 2]
    moved = after.carried[0].pose
    assert np.hypot(moved.x - REST.x, moved.y - REST.y) > 5
    assert SCENE.snapshot_at(TAKE.end_ns).carried == ()


def test_players_leave_an_index_of_every_card_in_sight() -> None:
    for players in range(2, 8):
        rng = np.random.default_rng(players)
        for _ in range(6):
            pile: list[CardPose] = []
            for number in range(players):
                pile.append(choose_card_pose(rng, 30 + number * 360 / players, pile, players=players))
            assert every_index_visible(pile)


def test_a_tied_lead_lies_upon_the_first_or_apart_as_asked() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        first = choose_card_pose(rng, 40, [])
        upon = choose_card_pose(rng, 160, [first], upon=first)
        assert 0.1 < overlap_share(upon, first) < 0.6
        single = choose_card_pose(rng, 40, [], apart=True)
        assert overlap_share(choose_card_pose(rng, 160, [single], apart=True), single) == 0


def camera(seed: int, look: RoomAppearance | None = None) -> SimulatedCamera:
    config = make_simulated_config(seed=seed, size=(480, 270))
    assert config.camera.homography is not None
    return SimulatedCamera(
        config.camera.size, config.camera.homography, ("Ada", "Ben"), look or RoomAppearance(), seed
    )


def test_a_frame_is_the_same_every_time_and_noise_differs_between_frames() -> None:
    first_camera, second_camera = camera(3), camera(3)
    moments = [SCENE.snapshot_at(time * MS) for time in (900, 1000, 1100, 2000, 4100)]
    first = [first_camera.render_snapshot(moment, number) for number, moment in enumerate(moments)]
    # The order in which frames are asked for doesn't matter either.
    second = [second_camera.render_snapshot(moments[number], number) for number in (4, 2, 0, 3, 1)]
    for number, image in zip((4, 2, 0, 3, 1), second, strict=True):
        assert np.array_equal(first[number], image)
    again = first_camera.render_snapshot(moments[3], 77)
    assert not np.array_equal(again, first[3])
    assert np.abs(again.astype(int) - first[3].astype(int)).mean() < 5


def test_the_picture_shows_the_card_where_it_lies() -> None:
    look = RoomAppearance(noise=0, mark="none")
    simulated = camera(4, look)
    empty, lying = (
        simulated.render_snapshot(SCENE.snapshot_at(0), 0),
        simulated.render_snapshot(SCENE.snapshot_at(1_050 * MS), 0),
    )
    config = make_simulated_config(seed=4, size=(480, 270))
    h = np.array(config.camera.homography)
    # Paper beside the pips, halfway between the middle and the left edge of the nine.
    angle = np.radians(REST.angle)
    place = np.array([REST.x, REST.y]) + 9 * np.array([np.cos(angle), np.sin(angle)]) * -1
    x, y, w = h @ np.array([*place, 1.0])
    pixel = round(y / w), round(x / w)
    assert empty[pixel].mean() < 110
    assert lying[pixel].mean() > 150


def test_a_pushed_card_moves_a_little_and_stays_the_same_card() -> None:
    there = CardPose(18.0, -2.0, 214.0)
    push = Reach(1_500 * MS, "Ben", 160.0, (12.0, 30.0), ((1, there),))
    take = Take(3_000 * MS, "Ada", 40.0, (1,), (18.0, -2.0))
    scene = Scene([LAY, push, take])
    before, under_way, after = (scene.snapshot_at(time * MS).resting for time in (1_490, 1_560, 2_500))
    assert [lying.pose for lying in before] == [REST]
    assert REST.x < under_way[0].pose.x < there.x
    assert [(lying.id, lying.pose) for lying in after] == [(1, there)]
    assert scene.snapshot_at(1_560 * MS).hands[0].seat == "Ben"
    carried = scene.snapshot_at(3_000 * MS).carried[0].pose
    assert np.allclose((carried.x, carried.y), (there.x, there.y))


def test_a_hand_may_come_and_go_without_touching_anything() -> None:
    scene = Scene([LAY, Reach(2_000 * MS, "Ben", 160.0, (0.0, 20.0), stay_ns=900 * MS)])
    assert [hand.tip for hand in scene.snapshot_at(2_500 * MS).hands] == [(0.0, 20.0)]
    assert scene.snapshot_at(4_000 * MS).hands == ()
    assert scene.snapshot_at(1_900 * MS).resting == scene.snapshot_at(4_000 * MS).resting


def test_another_packs_faces_are_drawn_where_they_are_given() -> None:
    """The held-out packs of the detector's evaluation are played with in this way."""

    def blue(name: str, px_per_mm: float) -> CardArtwork:
        own = render_face(name, px_per_mm)
        return replace(own, image=np.full_like(own.image, (200, 40, 40)))

    picture = camera(2, look=RoomAppearance(mark="none", faces=blue)).render_snapshot(
        SCENE.snapshot_at(3_000 * MS), 0
    )
    plain = camera(2, look=RoomAppearance(mark="none")).render_snapshot(SCENE.snapshot_at(3_000 * MS), 0)
    bluer = picture[..., 0].astype(int) - picture[..., 2] > 60
    assert bluer.sum() > 5_000
    assert (plain[..., 0].astype(int) - plain[..., 2] > 60).sum() < 500
