"""The parts of sight by themselves: geometry, the gate, moments of rest, outlines, arms, blank cards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.config.settings import CameraConfig
from table.directions import direction_deg
from table.observed_facts import Image, Reading
from table.table_geometry import (
    MARK_PX,
    PX_PER_MM,
    Geometry,
    bounding_slices,
    card_quad,
    polygon_mask,
    transform_points,
)
from table.tracking.cards.association import assign_tracks
from table.tracking.cards.occlusion_by_push import merge_with_vanished
from table.tracking.imaging.card_registration import (
    MAX_REST_OFFSET_PX,
    CardTemplate,
    find_arrival,
    find_first_at_rest,
    find_last_at_rest,
)
from table.tracking.imaging.face_down_cards import find_card_shapes
from table.tracking.imaging.motion_detection import MotionDetector, Planar, to_planar
from table.tracking.imaging.outline_refinement import MIN_EDGE_SHARE, edge_share, refine_outline
from table.tracking.imaging.quad_geometry import (
    box_centre_is_inside,
    box_corners,
    depths_inside,
    quad_angle,
)
from table.tracking.scene.detections import Detection
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.scene.tracked_cards import TrackSet
from tests.tracking.cards_on_cloth import index_box
from tests.tracking.stage import CAMERA, Stage

FRAME_NS = 33_333_333
TILTED = CameraConfig(
    size=(1280, 720), homography=((1.85, 0.12, 669.0), (0.01, 1.79, 344.0), (1.5e-4, 1.2e-4, 1.0))
)


def mark_picture(place: tuple[float, float], turn: float = 0.0, seed: int = 1) -> NDArray[np.uint8]:
    """A grey mark picture with one printed card at ``place`` (pixels), drawn to a fraction of a pixel."""
    rng = np.random.default_rng(seed)
    card = np.full((420, 300), 235, dtype=np.uint8)
    for x, y in ((60, 70), (240, 350), (150, 210), (90, 300), (220, 120)):
        cv2.circle(card, (x, y), 26, 40, -1, cv2.LINE_AA)
    quad = card_quad(place, turn)
    corners = np.array([[0, 0], [299, 0], [299, 419], [0, 419]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    ground = np.full((MARK_PX, MARK_PX), 60.0)
    drawn = cv2.warpPerspective(cv2.blur(card, (3, 3)), matrix, (MARK_PX, MARK_PX)).astype(np.float64)
    cover = cv2.warpPerspective(np.full_like(card, 255), matrix, (MARK_PX, MARK_PX)).astype(np.float64) / 255
    picture = ground * (1 - cover) + drawn * cover + rng.normal(0, 1.5, ground.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


EMPTY = np.full((MARK_PX, MARK_PX), 60, dtype=np.uint8)


def patch(place: tuple[float, float]) -> CardTemplate:
    return CardTemplate(mark_picture(place), polygon_mask(card_quad(place, 0)), EMPTY)


def test_the_middle_of_the_mark_picture_is_the_mark_and_its_scale_is_true() -> None:
    geometry = Geometry(TILTED)
    middle = (MARK_PX - 1) / 2
    places = transform_points(
        geometry.mark_to_table, np.array([[middle, middle], [middle + 100 * PX_PER_MM, middle]])
    )
    assert np.allclose(places, [[0, 0], [100, 0]])
    there = transform_points(geometry.mark_to_camera, np.array([[middle, middle]]))
    assert np.allclose(there, [[669.0, 344.0]])


def test_the_small_picture_and_the_mark_picture_show_the_same_place() -> None:
    geometry = Geometry(TILTED)
    image: Image = np.zeros((720, 1280, 3), np.uint8)
    cv2.circle(image, (720, 400), 14, (255, 255, 255), -1)
    mark, small = geometry.make_mark_image(image)[..., 0], geometry.make_small_image(image)[..., 0]
    rows, columns = np.nonzero(mark > 128)
    in_small = transform_points(geometry.mark_to_small, np.array([[columns.mean(), rows.mean()]]))[0]
    rows, columns = np.nonzero(small > 128)
    assert np.allclose(in_small, [columns.mean(), rows.mean()], atol=0.5)


@pytest.mark.parametrize(("x", "y", "angle"), [(0, -1, 0), (1, 0, 90), (0, 1, 180), (-1, 0, 270)])
def test_directions_go_clockwise_from_the_top(x: float, y: float, angle: float) -> None:
    assert direction_deg(x, y) == angle


def test_a_card_quad_turns_clockwise() -> None:
    quad = card_quad((200, 200), 30)
    assert quad_angle(quad) == pytest.approx(30)
    assert quad[0][0] > 150  # the top left corner has gone to the right


def test_an_arm_that_has_passed_many_times_is_still_noticed() -> None:
    """The reference must not become a patchwork of extremes that covers every brightness."""
    rng = np.random.default_rng(2)
    ground = rng.integers(55, 65, (90, 160, 3)).astype(np.uint8)
    gate = MotionDetector(to_planar(ground), 0)

    def passing(frame: int) -> int:
        picture = ground.copy()
        left = (frame * 17) % 190 - 30
        cv2.rectangle(picture, (left, 20), (left + 25, 60), (250, 250, 250), -1)
        cv2.rectangle(picture, (left + 4, 25), (left + 9, 55), (10, 10, 10), -1)
        return int(cv2.countNonZero(gate.add_frame(to_planar(picture), frame * FRAME_NS)))

    for frame in range(120):
        passing(frame)
    for frame in range(120, 125):
        gate.add_frame(to_planar(ground), frame * FRAME_NS)
    assert passing(174) > 300


def test_a_pixels_shift_moves_nothing() -> None:
    rng = np.random.default_rng(3)
    picture = cv2.resize(rng.integers(0, 255, (30, 50, 3)).astype(np.uint8), (200, 120)).astype(np.uint8)
    gate = MotionDetector(to_planar(picture), 0)
    moved = gate.add_frame(to_planar(np.roll(picture, 1, axis=1)), FRAME_NS)
    assert not moved[:, 1:].any()  # (the first column comes from the other side)


def test_the_noise_of_a_dim_picture_moves_nothing_and_a_thin_thing_does() -> None:
    rng = np.random.default_rng(4)

    def noisy(image: Image) -> Planar:
        return to_planar(np.clip(image + rng.normal(0, 4.5, image.shape), 0, 255).astype(np.uint8))

    table = np.full((200, 340, 3), 60, np.uint8)
    motion = MotionDetector(noisy(table), 0)
    for frame in range(1, 20):
        assert not motion.add_frame(noisy(table), frame * FRAME_NS).any()
    cv2.line(table, (100, 50), (140, 150), (160, 160, 160), 1)
    assert cv2.countNonZero(motion.add_frame(noisy(table), 20 * FRAME_NS)) > 60


def test_the_rest_of_a_pixel_is_told_from_none() -> None:
    found = patch((250, 260))
    still, moving = (
        found.fit(mark_picture((250, 260), seed=4)),
        found.fit(mark_picture((250.6, 259.6), seed=5)),
    )
    assert still.share > 0.9
    assert still.off_px < 0.05
    assert moving.off_px > MAX_REST_OFFSET_PX or moving.share < 0.5
    assert moving.shift[0] > 0 > moving.shift[1]


def test_a_card_elsewhere_matches_nowhere() -> None:
    assert patch((250, 260)).fit(mark_picture((262, 250), seed=5)).share < 0.2
    assert patch((250, 260)).fit(EMPTY).share < 0.1


def test_the_first_moment_of_rest_is_found_through_a_passing_hand() -> None:
    frames = [mark_picture((250 + 40 / (k + 1), 260), seed=k) for k in range(5)]
    frames += [mark_picture((250, 260), seed=10 + k) for k in range(12)]
    for k in range(8, 11):
        frames[k][150:420, 150:400] = 110
    found = patch((250, 260))
    assert find_first_at_rest(found, frames, [k * FRAME_NS for k in range(len(frames))]) == 5
    assert find_arrival(found, frames, 5) == 5


def test_the_last_moment_before_a_card_is_taken_is_found_under_the_hand() -> None:
    frames = [mark_picture((250, 260), seed=k) for k in range(6)]
    for frame in frames[3:]:
        frame[260:400, 150:400] = 110
    frames += [mark_picture((250, 260 + 6 * k), seed=20 + k) for k in range(1, 5)]
    assert find_last_at_rest(patch((250, 260)), frames) == 5
    assert find_last_at_rest(patch((250, 260)), [EMPTY, EMPTY]) == -1


def test_a_card_lies_as_long_as_the_hand_that_will_take_it_pauses_on_it() -> None:
    """All but an edge is hidden, along which it may have slid: then something would have moved."""
    frames = [mark_picture((250, 260), seed=k) for k in range(6)]
    for frame in frames[3:]:
        frame[:, 208:420] = 110
    taken = [mark_picture((250 - 9 * k, 260), seed=20 + k) for k in range(1, 5)]
    for k, frame in enumerate(taken):
        frame[:, 199 - 9 * k : 420] = 110
    assert find_last_at_rest(patch((250, 260)), frames + taken) == 5


def test_in_dim_light_too_a_card_that_moves_lies_no_more() -> None:
    """Print of few levels, which blurs as it moves, is off by hardly more of them than noise is."""

    def dim(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.asarray(picture * 0.22 + np.float64(8), dtype=np.uint8)

    bare = dim(EMPTY)
    found = CardTemplate(dim(mark_picture((250, 260))), polygon_mask(card_quad((250, 260), 0)), bare)
    assert found.cell_count
    frames = [dim(mark_picture((250, 260), seed=k)) for k in range(4)]
    for far in (4, 12, 20):
        shown = [
            mark_picture((250 + far + step, 260 + far), seed=far + step).astype(float) for step in range(8)
        ]
        frames.append(dim(np.asarray(np.mean(shown, axis=0), np.uint8)))
    assert find_last_at_rest(found, frames) == 3


def test_a_roughly_guessed_outline_is_moved_to_the_edges() -> None:
    true = card_quad((250, 260), 20)
    guess = card_quad((259, 253), 13)
    found = refine_outline(guess, mark_picture((250, 260), 20))
    assert np.abs(found - true).max() < 5.0


def test_without_edges_an_outline_stays_as_it_was_guessed() -> None:
    guess = card_quad((259, 253), 13)
    assert np.array_equal(refine_outline(guess, EMPTY), guess)


@pytest.mark.parametrize(("size_mm", "card"), [((63.5, 88.9), True), ((57, 87), True), ((70, 145), False)])
def test_a_card_without_a_face_is_told_by_its_shape(size_mm: tuple[float, float], card: bool) -> None:
    quad = card_quad((250, 260), 33, (size_mm[0] * PX_PER_MM, size_mm[1] * PX_PER_MM))
    place = polygon_mask(quad)
    found = find_card_shapes(place, np.zeros_like(place), np.where(place > 0, 200, 90).astype(np.uint8))
    assert len(found) == card
    for outline in found:
        assert np.hypot(*(outline[1] - outline[0])) < np.hypot(*(outline[2] - outline[1]))


@pytest.mark.parametrize("above", [True, False])
def test_a_card_without_a_face_is_told_half_upon_another_and_half_beneath_it(above: bool) -> None:
    quad, other = card_quad((250, 260), 33), card_quad((310, 280), 80)
    place, known = polygon_mask(quad), polygon_mask(other)
    grey = np.full((MARK_PX, MARK_PX), 90, np.uint8)
    for level, mask in ((230, known), (180, place)) if above else ((180, place), (230, known)):
        grey[mask > 0] = level
    (found,) = find_card_shapes(place if above else place & ~known, known, grey)
    assert np.abs(found.mean(axis=0) - quad.mean(axis=0)).max() < 5.0


def test_an_outline_that_was_guessed_beside_the_card_is_not_seen() -> None:
    quad = card_quad((250.0, 250.0), 30.0)
    grey = np.full((MARK_PX, MARK_PX), 100, np.uint8)
    grey[polygon_mask(quad) > 0] = 200
    assert edge_share(quad, grey) > 0.95
    assert edge_share(quad + (76.0, 0.0), grey) < MIN_EDGE_SHARE
    half_hidden = grey.copy()
    half_hidden[:, :230] = 200  # something bright lies upon a part of it
    assert edge_share(quad, half_hidden) > MIN_EDGE_SHARE


def test_a_card_read_surely_stays_known_however_little_of_it_is_seen_later() -> None:
    """A queen of clubs once, read .9998 in the open and .42 twice beneath the two of spades, was taken for no card."""
    card = TrackedCard(card_quad((256, 256), 0.0), 0)
    for confidence in (0.9998, 0.4153, 0.4233):
        card.add_readings((Reading("QC", confidence), Reading("6C", 0.08)))
    assert card.is_confirmed
    card.add_readings((Reading("6C", 0.9998),))
    assert not card.is_confirmed


def test_detections_that_agree_make_a_name_surer_however_unsure_each_is() -> None:
    """A card read .95 and then eight times .5, always as the same, was no longer confirmed."""
    card = TrackedCard(card_quad((256, 256), 0.0), 0)
    for confidence in (0.95, *[0.5] * 7):
        card.add_readings((Reading("QC", confidence), Reading("6C", 0.2)))
    assert card.is_confirmed


def test_a_card_whose_indices_show_another_one_is_covered_however_alike_the_rest_looks() -> None:
    """A 4 laid squarely onto a 7 changed 6 % of the pixels between its indices, and was taken for the 7."""
    card = TrackedCard(card_quad((256.0, 256.0), 0.0), 0)
    card.add_readings((Reading("7D", 0.99),))
    index = (215.0, 195.0, 229.0, 221.0)
    face = np.full((MARK_PX, MARK_PX), 230, np.uint8)
    card.face, card.face_mask = face, np.full_like(face, 255)
    seen = Detection((Reading("4C", 0.99),), card.quad, (215.0, 195.0, 297.0, 317.0), (index,))
    assert not card.is_covered_by(seen, face, 0.99)
    now = face.copy()
    now[195:221, 215:219] = 20
    assert card.is_covered_by(seen, now, 0.99)
    assert not card.is_covered_by(seen, now, 0.5)
    same = Detection((Reading("7D", 0.99),), card.quad, seen.box, (index,))
    assert not card.is_covered_by(same, now, 0.99)


def test_a_card_whose_suit_is_in_doubt_is_still_none_of_another_rank() -> None:
    """A 3 read as 3S and as 3C: the 7 that is laid squarely upon it was taken for a third reading of it."""
    quad, spot = card_quad((255.5, 255.5), 0.0), (208.0, 190.0, 222.0, 212.0)
    card = TrackedCard(quad, 0)
    for readings in ((Reading("3S", 0.8), Reading("3C", 0.15)), (Reading("3C", 0.75), Reading("3S", 0.2))):
        card.detect(Detection(readings, quad, spot, (spot,)), 0)
    face = np.full((512, 512), 200, np.uint8)
    card.face, card.face_mask = face, np.full_like(face, 255)
    now = face.copy()
    now[190:212, 210:216] = 40
    seven = Detection((Reading("7D", 0.96),), quad, spot, (spot,))
    assert card.is_covered_by(seven, now, 0.96)
    assert not card.is_covered_by(Detection((Reading("3C", 0.96),), quad, spot, (spot,)), now, 0.96)
    assert not card.is_covered_by(seven, face, 0.96)


def test_another_index_is_told_from_the_cards_own_in_a_picture_of_low_contrast() -> None:
    """Compression and a dim lamp leave an index of 40 levels on its paper."""
    quad, spot = card_quad((255.5, 255.5), 0.0), (208.0, 190.0, 222.0, 212.0)
    card = TrackedCard(quad, 0)
    card.detect(Detection((Reading("3S", 0.95),), quad, spot, (spot,)), 0)
    three, seven = np.full((512, 512), 150, np.uint8), np.full((512, 512), 150, np.uint8)
    for row in (191, 200, 210):
        three[row : row + 2, 209:220] = 110
    seven[191:193, 209:220] = 110
    seven[193:212, 216:219] = 110
    card.face, card.face_mask = three, np.full_like(three, 255)
    other = Detection((Reading("7D", 0.96),), quad, spot, (spot,))
    assert card.is_covered_by(other, seven, 0.96)
    assert not card.is_covered_by(other, np.asarray(three * 0.8, np.uint8), 0.96), "its own, in a shadow"


@pytest.mark.parametrize("turned", [1, -1])
def test_how_deep_points_are_inside_an_outline_is_what_opencv_measures(turned: int) -> None:
    quad = card_quad((250.0, 260.0), 33.0)[::turned]
    points = np.random.default_rng(7).uniform(150, 360, (200, 2))
    contour = quad.astype(np.float32)
    measured = np.array([cv2.pointPolygonTest(contour, (float(x), float(y)), True) for x, y in points])
    found = depths_inside(points, quad)
    within = measured > 0
    assert np.count_nonzero(within) > 20
    np.testing.assert_allclose(found[within], measured[within], atol=1e-3)
    assert (found[~within] <= 1e-3).all()


def test_of_two_cards_nearly_upon_each_other_a_sighting_is_the_nearest() -> None:
    """At 60 kbit/s a tied 9C and 8D, read as 7C and 7D in haste, were taken for each other, and for three cards."""
    one, other = (TrackedCard(card_quad(at, 10.0), 0) for at in ((263.0, 268.0), (278.0, 245.0)))
    one.add_readings((Reading("7C", 0.57),))
    other.add_readings((Reading("7D", 0.49),))
    pile = TrackSet()
    pile.tentative += [one, other]
    grey = np.zeros((MARK_PX, MARK_PX), np.uint8)

    def read(name: str, card: TrackedCard) -> Detection:
        box = index_box(card.quad)
        return Detection((Reading(name, 1.0),), card.quad, box, (box,))

    found = [read("8D", other), read("9C", one)]
    assert assign_tracks(pile, found, {}, grey) == [other, one]
    assert assign_tracks(pile, found[::-1], {}, grey) == [one, other]


def test_what_stands_where_a_cards_indices_were_read_is_that_card_unless_it_looks_different() -> None:
    """A king read as an ace in haste stayed one, beside the king, while the true ace was seen elsewhere."""
    card = TrackedCard(card_quad((256.0, 256.0), 0.0), 0)
    index, elsewhere = (215.0, 195.0, 229.0, 221.0), (286.0, 195.0, 300.0, 221.0)
    readings = (Reading("AS", 0.53), Reading("KS", 0.4))
    card.add_readings(readings)
    card.last_detection = Detection(readings, card.quad, index, (index,))
    pile = TrackSet()
    pile.tentative.append(card)
    grey = mark_picture((256.0, 256.0), 0.0)
    card.capture_template(grey, card.outline_mask, 0)

    def changed(box: tuple[float, float, float, float]) -> NDArray[np.uint8]:
        place, picture = bounding_slices(box_corners(box)), grey.copy()
        picture[place] = 255 - picture[place]
        return picture

    def match(
        name: str,
        sure: float,
        spot: tuple[float, float, float, float] = index,
        picture: NDArray[np.uint8] = grey,
        fits: float = 1.0,
    ) -> TrackedCard | None:
        seen = Detection((Reading(name, sure),), card_quad((256.0, 256.0), 90.0), spot, (spot,))
        return assign_tracks(pile, [seen], {card: fits}, picture)[0]

    assert match("KS", 0.98) is card
    assert match("KS", 0.98, elsewhere, changed(elsewhere)) is None
    for _ in range(3):
        card.add_readings((Reading("AS", 0.99),))
    assert match("KS", 0.7, fits=0.3) is card
    assert match("KS", 0.98) is card, "the place shows it"
    assert match("KS", 0.98, index, changed(index), fits=0.3) is None


def test_a_card_that_was_pushed_and_badly_read_at_first_is_that_one_once_it_is_surely_read() -> None:
    """A jack of clubs that topped a squared pile was followed as a card that comes, for it was read in diamonds."""
    scene = SceneState(Geometry(CAMERA), Stage().frame(0))
    was, index = TrackedCard(card_quad((195.0, 219.0), 0.0), 0, id=7), (230.0, 190.0, 250.0, 220.0)
    was.add_readings((Reading("JC", 1.0),))
    comes, readings = (
        TrackedCard(card_quad((244.0, 253.0), 0.0), 0),
        (Reading("JD", 0.53), Reading("JC", 0.28)),
    )
    comes.add_readings(readings)
    comes.last_detection = Detection(readings, comes.quad, index, (index,))
    scene.tracks.published.append(was)
    scene.tracks.tentative.append(comes)
    grey = scene.now.grey

    def seen(sure: float) -> Detection:
        return Detection((Reading("JC", sure),), comes.quad, index, (index,))

    assert assign_tracks(scene.tracks, [seen(0.7)], {comes: 1.0}, grey) == [comes]
    assert assign_tracks(scene.tracks, [seen(0.97)], {comes: 1.0, was: 0.9}, grey) == [comes]
    assert assign_tracks(scene.tracks, [seen(0.97)], {comes: 1.0}, grey) == [comes]
    comes.detect(seen(0.97), 0)
    was.mark_missing(0)
    assert merge_with_vanished(scene, comes)
    assert scene.tracks.all == [was]
    assert was.quad is comes.quad


def test_what_is_read_where_a_cards_own_face_looks_as_ever_is_that_card_wherever_it_was_outlined() -> None:
    """Out of focus, a ten was outlined 14 mm off; when what lay upon it was taken it was told of anew, as an eight."""
    lies = card_quad((250.0, 256.0), 10.0)
    picture = mark_picture((250.0, 256.0), 10.0)
    card = TrackedCard(card_quad((222.0, 250.0), 10.0), 0, id=1)
    card.add_readings((Reading("10H", 0.93), Reading("8H", 0.05)))
    card.capture_template(picture, card.outline_mask, 0)
    pile = TrackSet()
    pile.published.append(card)
    spots = tuple(
        (float(x) - 8, float(y) - 8, float(x) + 8, float(y) + 8)
        for x, y in (lies[k] * 0.8 + lies.mean(axis=0) * 0.2 for k in (0, 2))
    )
    seen = Detection((Reading("10H", 0.97), Reading("8H", 0.02)), lies, spots[0], spots)
    assert [box_centre_is_inside(spot, card.quad) for spot in spots] == [True, False]
    assert assign_tracks(pile, [seen], {card: 0.97}, picture)[0] is card
    # Where one has been laid upon it, that is another one.
    covered = picture.copy()
    covered[polygon_mask(lies) > 0] = 20
    assert assign_tracks(pile, [seen], {card: 0.6}, covered)[0] is None


def test_what_comes_to_light_where_a_card_was_guessed_to_lie_is_that_card_however_it_was_read() -> None:
    """A ten beneath an eight, read as a jack on its way, was told of as a card that came when the eight was taken."""
    beneath = TrackedCard(card_quad((245.0, 279.0), 40.0), 0, id=1, occluded_at_birth=True)
    upon = TrackedCard(card_quad((277.0, 262.0), 40.0), 0, id=2)
    for _ in range(4):
        beneath.add_readings((Reading("JC", 0.8), Reading("10C", 0.1)))
        upon.add_readings((Reading("8H", 1.0),))
    pile = TrackSet()
    pile.published += [beneath, upon]
    spots = ((214.0, 215.0, 228.0, 241.0), (294.0, 290.0, 308.0, 316.0))
    seen = Detection((Reading("10C", 1.0),), card_quad((259.0, 266.0), 40.0), spots[0], spots)
    grey = np.zeros((MARK_PX, MARK_PX), np.uint8)
    assert assign_tracks(pile, [seen], {beneath: 0.9}, grey) == [beneath]
    assert assign_tracks(pile, [seen], {beneath: 0.9, upon: 0.9}, grey) == [None]
    corner = index_box(beneath.quad)
    jack = Detection((Reading("JC", 1.0),), beneath.quad, corner, (corner,))
    assert assign_tracks(pile, [seen, jack], {beneath: 0.9}, grey) == [None, beneath]
    beneath.detect(seen, 0)
    assert beneath.name == "10C"
