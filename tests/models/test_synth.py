"""The synthesis of training pictures: what it says of a picture must be true of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.synth import camera, clutter, drawn, heldout, packs, real, scenes, suits, surfaces
from models.synth.locate import IndexPlaces, ink_mask
from models.synth.packs import Face, Floats, Image, Pack, load_pack, make_index, save_pack
from models.synth.scenes import (
    Canvas,
    Placed,
    Scene,
    SceneCard,
    SceneIndex,
    face_to_table,
    make_scene,
    project,
)
from models.synth.splits import load_packs
from table.detection.indices.index_crop import crop_upright, upright_crop_matrix

NAMES = ("AS", "6H", "9C", "10D", "KD", "JOKER", "11S", "12C", "13H")


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Everything here is drawn without a cache, few surfaces are enough, and nothing drawn here is kept."""
    monkeypatch.setenv("CARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(surfaces, "POOL", 4)
    for cached in (drawn.kit, surfaces.pool):
        cached.cache_clear()
    yield
    for cached in (drawn.kit, surfaces.pool):
        cached.cache_clear()


@pytest.fixture
def pack() -> Pack:
    return drawn.draw(np.random.default_rng(5), names=NAMES)


def likeness(a: Image, b: Image) -> float:
    x, y = (cv2.GaussianBlur(p, (0, 0), 1.5).astype(np.float64) for p in (a, b))
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).sum() / max(1e-9, np.sqrt((x * x).sum() * (y * y).sum())))


def upright(image: Image, rank: tuple[float, float], suit: tuple[float, float]) -> Image:
    return crop_upright(image, upright_crop_matrix(rank, suit))


def table(size: int = 300, seed: int = 1) -> Canvas:
    return Canvas(np.random.default_rng(seed), np.full((size, size, 3), 70, np.uint8))


def test_the_same_seed_gives_the_same_scene_and_another_seed_another(pack: Pack) -> None:
    one, same, other = (make_scene(np.random.default_rng(s), [pack], 200) for s in (3, 3, 4))
    assert np.array_equal(one.image, same.image)
    assert [c.name for c in one.cards] == [c.name for c in same.cards]
    assert not np.array_equal(one.image, other.image)


def test_the_same_seed_draws_the_same_pack() -> None:
    one, same = (drawn.draw(np.random.default_rng(11)) for _ in range(2))
    assert list(one.faces) == list(same.faces)
    assert np.array_equal(one.faces["QH"].rgba, same.faces["QH"].rgba)


@pytest.mark.parametrize("angle", [0.0, 37.0, 90.0, 201.0])
def test_an_index_cut_upright_from_the_table_is_the_index_of_the_face(pack: Pack, angle: float) -> None:
    for name in ("6H", "9C", "10D", "KD", "13H"):
        face = pack.faces[name]
        canvas = table()
        matrix = face_to_table(face, Placed(150, 150, angle), 130)
        canvas.put(face, matrix, 0, lift=0)
        for k, index in enumerate(face.indices):
            seen = scenes.scene_index(face, k, matrix, canvas.ids, 0)
            want = upright(np.ascontiguousarray(face.rgba[:, :, :3]), index.rank_xy, index.suit_xy)
            got = upright(canvas.image, seen.rank_xy, seen.suit_xy)
            assert seen.visible == 1.0
            # The upright cut-out leaves a little of the card's surroundings in; the index's own middle is compared.
            assert likeness(got[8:-8, 8:-8], want[8:-8, 8:-8]) > 0.9, (name, k)


@pytest.mark.parametrize("across", [0.0, 0.8, np.pi / 2])
def test_the_labels_of_a_bowed_card_move_with_its_corners(pack: Pack, across: float) -> None:
    face = pack.faces["10D"]
    bend = scenes.Bend((6.0, -5.0), across)
    canvas = table()
    matrix = face_to_table(face, Placed(150, 150, 30), 130)
    canvas.put(face, matrix, 0, lift=0, bend=bend)
    moved = []
    for k, index in enumerate(face.indices):
        seen = scenes.scene_index(face, k, matrix, canvas.ids, 0, bend)
        flat = scenes.scene_index(face, k, matrix, canvas.ids, 0)
        moved.append(float(np.hypot(*np.subtract(seen.rank_xy, flat.rank_xy))))
        want = upright(np.ascontiguousarray(face.rgba[:, :, :3]), index.rank_xy, index.suit_xy)[8:-8, 8:-8]
        right, wrong = (upright(canvas.image, i.rank_xy, i.suit_xy)[8:-8, 8:-8] for i in (seen, flat))
        assert likeness(right, want) > 0.85
        if moved[-1] > 3:
            assert likeness(right, want) > likeness(wrong, want)
    assert max(moved) > 1.5


def test_labels_of_whole_scenes_lie_on_their_indices(pack: Pack) -> None:
    alike, beside = [], []
    for seed in range(12):
        scene = make_scene(np.random.default_rng(seed), [pack], 300, card_px=120, empty=0)
        for card in scene.cards:
            if card.name not in pack.faces:
                continue
            face = pack.faces[card.name]
            for seen, index in zip(card.indices, face.indices, strict=True):
                if seen.visible == 1.0:
                    want = upright(np.ascontiguousarray(face.rgba[:, :, :3]), index.rank_xy, index.suit_xy)
                    alike.append(likeness(upright(scene.image, seen.rank_xy, seen.suit_xy), want))
                    x, y = np.subtract(seen.suit_xy, seen.rank_xy) / 2
                    moved = [(p[0] - y, p[1] + x) for p in (seen.rank_xy, seen.suit_xy)]
                    beside.append(likeness(upright(scene.image, moved[0], moved[1]), want))
    assert len(alike) > 20
    assert np.median(alike) > 0.6
    assert np.median(beside) < 0.3


def test_compression_as_in_a_film_leaves_everything_in_its_place() -> None:
    picture = np.full((200, 200, 3), 30, np.uint8)
    picture[60:100, 110:150] = 220
    for seed in range(12):
        after = camera.film(np.random.default_rng(seed), picture, 100.0)
        assert after.shape == picture.shape
        y, x = np.nonzero(after[:, :, 1] > 125)
        assert abs(y.mean() - 79.5) < 2.5
        assert abs(x.mean() - 129.5) < 2.5


def test_visible_indices_lie_inside_the_picture(pack: Pack) -> None:
    for seed in range(10):
        for card in make_scene(np.random.default_rng(seed), [pack], 200).cards:
            for index in card.indices:
                if index.visible >= 0.99:
                    assert (np.array([index.rank_xy, index.suit_xy]) >= 0).all()
                    assert (np.array([index.rank_xy, index.suit_xy]) < 200).all()


def test_a_card_on_top_hides_the_index_under_it_and_only_that(pack: Pack) -> None:
    below, above = pack.faces["6H"], pack.faces["AS"]
    canvas = table()
    matrix = face_to_table(below, Placed(150, 150, 0), 110)
    canvas.put(below, matrix, 0)
    corner = project(matrix, [below.indices[0].rank_xy])[0]
    canvas.put(above, face_to_table(above, Placed(float(corner[0]), float(corner[1]), 20), 70), 1)
    seen = [scenes.scene_index(below, k, matrix, canvas.ids, 0) for k in range(len(below.indices))]
    assert seen[0].visible == 0.0
    assert seen[-1].visible == 1.0


def test_half_a_suit_covered_counts_as_half_visible(pack: Pack) -> None:
    face = pack.faces["9C"]
    canvas = table()
    matrix = face_to_table(face, Placed(150, 150, 0), 120)
    canvas.put(face, matrix, 0)
    box = project(matrix, face.indices[0].suit_box)
    middle = float(box[:, 1].mean())
    canvas.ids[round(middle) : round(float(box[:, 1].max())) + 1] = clutter.THING
    seen = scenes.scene_index(face, 0, matrix, canvas.ids, 0)
    assert seen.rank_visible == 1.0
    assert 0.3 < seen.suit_visible < 0.7
    assert seen.visible == seen.suit_visible


def test_an_index_outside_the_picture_is_not_visible(pack: Pack) -> None:
    face = pack.faces["10D"]
    canvas = table(120)
    matrix = face_to_table(face, Placed(0, 0, 0), 110)
    canvas.put(face, matrix, 0)
    assert scenes.scene_index(face, 0, matrix, canvas.ids, 0).visible == 0.0


def test_a_hand_hides_what_it_lies_over(pack: Pack) -> None:
    canvas = table(200)
    face = pack.faces["AS"]
    canvas.put(face, face_to_table(face, Placed(100, 100, 0), 120), 0)
    before = int((canvas.ids == 0).sum())
    clutter.hand(np.random.default_rng(2), canvas, 100)
    assert (canvas.ids == clutter.THING).any()
    assert int((canvas.ids == 0).sum()) <= before


def test_cards_are_never_mirrored(pack: Pack) -> None:
    for seed in range(25):
        for card in make_scene(np.random.default_rng(seed), [pack], 200).cards:
            assert cv2.contourArea(card.quad, True) > 0  # clockwise in the picture, as on the upright face
            for index in card.indices:
                assert cv2.contourArea(index.quad, True) > 0


def test_the_suit_stands_below_the_rank_of_the_upright_index(pack: Pack) -> None:
    for name in NAMES:
        for index in pack.faces[name].indices:
            down = np.subtract(index.suit_xy, index.rank_xy)
            side_down = index.box[3] - index.box[0]
            assert float(down @ side_down) > 0
            assert abs(down[0]) < abs(down[1])


def test_a_scene_shows_at_most_so_many_cards(pack: Pack) -> None:
    counts = [len(make_scene(np.random.default_rng(seed), [pack], 200, most=2).cards) for seed in range(8)]
    assert set(counts) <= {0, 1, 2}
    assert 2 in counts


def test_a_studio_draws_packs_with_the_jokers_that_are_asked_for() -> None:
    rng, kinds = np.random.default_rng(3), ("star", "word across")
    drawn_packs = [drawn.Studio(jokers=kinds).new(rng) for _ in range(8)]
    styles = [pack.faces.style for pack in drawn_packs if isinstance(pack.faces, drawn.DrawnFaces)]
    assert {drawn.JOKERS[style.joker] for style in styles} == set(kinds)


def test_a_scene_without_cards_names_none(pack: Pack) -> None:
    scene = make_scene(np.random.default_rng(1), [pack], 200, empty=1.0)
    assert scene.cards == []
    assert scene.image.shape == (200, 200, 3)


def test_a_pack_of_63_has_thirteens_in_the_red_suits_alone() -> None:
    names = set(drawn.NAMES_63)
    assert {"11S", "11H", "11D", "11C", "12S", "13H", "13D"} <= names
    assert not {"13S", "13C"} & names
    assert len([n for n in names if not n.startswith("JOKER")]) == 62


def test_the_pips_of_a_number_card_are_as_many_as_its_number() -> None:
    for rank, places in drawn.PIPS.items():
        assert len(places) == len(set(places)) == (1 if rank == "A" else int(rank))


def test_every_drawn_face_shows_ink_in_each_index() -> None:
    for seed in range(6):
        faces = drawn.draw(np.random.default_rng(seed), names=NAMES).faces
        for name in NAMES:
            grey = cv2.cvtColor(np.ascontiguousarray(faces[name].rgba[:, :, :3]), cv2.COLOR_BGR2GRAY).astype(
                int
            )
            for index in faces[name].indices:
                x0, y0 = np.maximum(np.floor(index.rank_box.min(0)).astype(int), 0)
                x1, y1 = np.ceil(index.rank_box.max(0)).astype(int)
                assert np.ptp(grey[y0:y1, x0:x1]) > 40, (seed, name)


def test_jack_queen_and_king_go_by_the_letters_of_their_language() -> None:
    style = drawn.draw(np.random.default_rng(3)).faces
    assert isinstance(style, drawn.DrawnFaces)
    fields = {f: getattr(style.style, f) for f in style.style.__dataclass_fields__}
    english, german = (drawn.Style(**{**fields, "letters": letters}) for letters in ("JQK", "BDK"))
    assert np.array_equal(drawn.rank_mask(english, "K"), drawn.rank_mask(german, "K"))
    jack, bube = drawn.rank_mask(english, "J"), drawn.rank_mask(german, "J")
    assert jack.shape != bube.shape or not np.array_equal(jack, bube)


def test_suit_signs_differ_from_each_other_and_from_pack_to_pack() -> None:
    rng = np.random.default_rng(0)
    small = {s: [cv2.resize(maker(rng), (24, 24)) for _ in range(2)] for s, maker in suits.MAKERS.items()}
    for suit, (one, other) in small.items():
        assert not np.array_equal(one, other)
        for second, (third, _) in small.items():
            if second != suit:
                assert likeness(np.asarray(one, np.uint8), np.asarray(third, np.uint8)) < 0.97


def test_indices_are_found_where_they_were_drawn() -> None:
    names = tuple(r + s for s in "SHDC" for r in ("A", "2", "3", "7", "10"))
    for seed in (2, 9, 21):
        faces = drawn.draw(np.random.default_rng(seed), names=names).faces
        inks = {n: ink_mask(faces[n].rgba) for n in names}
        places = IndexPlaces(inks)
        for name in names:
            got, want = places.indices(name, inks[name]), faces[name].indices
            assert len(got) == len(want)
            for index in want:
                gap = min(np.hypot(*np.subtract(g.rank_xy, index.rank_xy)) for g in got)
                assert gap < 0.06 * drawn.WIDTH, (seed, name)


def test_a_saved_pack_is_read_back_as_it_was(tmp_path: Path, pack: Pack) -> None:
    faces = {n: pack.faces[n] for n in ("AS", "10D")}
    save_pack(tmp_path, "one", faces, None)
    read = load_pack(tmp_path, "one").faces
    assert list(read) == ["AS", "10D"]
    assert np.abs(read["10D"].rgba.astype(int) - faces["10D"].rgba).mean() < 3
    assert read["10D"].width_mm == faces["10D"].width_mm
    for a, b in zip(read["10D"].indices, faces["10D"].indices, strict=True):
        assert a.rank_xy == pytest.approx(b.rank_xy)
        assert np.allclose(a.box, b.box)


def test_held_out_packs_are_not_trained_on(tmp_path: Path, pack: Pack) -> None:
    held = sorted(packs.HELD_PACKS)[0]
    for name in (held, "another"):
        save_pack(tmp_path / "faces", name, {"AS": pack.faces["AS"]}, None)
    train, kept = ({p.name for p in load_packs(split, tmp_path)} for split in ("train", "held"))
    assert "another" in train
    assert held in kept
    assert held not in train
    assert "another" not in kept


def test_a_face_is_reduced_without_moving_its_places() -> None:
    rgba = np.zeros((120, 80, 4), np.uint8)
    rgba[:, :, 3] = 255
    rgba[40:48, 24:32, :3] = 255
    face = Face(rgba, 63.5, [make_index((24, 40, 32, 48), (24, 52, 32, 60))])
    for card_px in (80, 41, 21):
        canvas = table(200)
        matrix = face_to_table(face, Placed(100, 100, 0), card_px)
        canvas.put(face, matrix, 0, lift=0)
        bright = canvas.image.astype(int).sum(2)
        ys, xs = np.where(bright > bright.max() * 0.8)
        centre = project(matrix, [[28, 44]])[0]
        assert abs(xs.mean() + 0.5 - centre[0]) < 1.0
        assert abs(ys.mean() + 0.5 - centre[1]) < 1.0


def test_held_out_scenes_are_the_same_however_many_are_asked_for(pack: Pack) -> None:
    one = [s.image for s in heldout.held_scenes([pack], 2)]
    more = [s.image for s in heldout.held_scenes([pack], 3)]
    assert all(np.array_equal(a, b) for a, b in zip(one, more, strict=False))


def test_a_scene_is_written_as_json(pack: Pack) -> None:
    scene = make_scene(np.random.default_rng(1), [pack], 200, empty=0)
    row = json.loads(json.dumps(heldout.truth(scene, "0000.png")))
    assert row["image"] == "0000.png"
    assert [c["card"] for c in row["cards"]] == [c.name for c in scene.cards]


def photograph(pack: Pack) -> Scene:
    """What stands for a solved photograph: one card on a table, its indices known."""
    face = pack.faces["6H"]
    canvas = table(320)
    matrix = face_to_table(face, Placed(160, 160, 15), 120)
    canvas.put(face, matrix, 0, lift=0)
    indices = [scenes.scene_index(face, k, matrix, canvas.ids, 0) for k in range(len(face.indices))]
    h, w = face.rgba.shape[:2]
    return Scene(
        canvas.image, [SceneCard("6H", project(matrix, [[0, 0], [w, 0], [w, h], [0, h]]), indices)], 120
    )


def test_a_photograph_turned_and_scaled_keeps_its_labels_on_its_indices(pack: Pack) -> None:
    source = photograph(pack)
    first = source.cards[0].indices[0]
    want = upright(source.image, first.rank_xy, first.suit_xy)
    alike = []
    for seed in range(30):
        scene = real.make_real_scene(np.random.default_rng(seed), [source], 200, card_px=110)
        card = scene.cards[0]
        assert card.name == "6H"
        assert cv2.contourArea(card.quad, True) > 0
        index = card.indices[0]
        if index.visible > 0.99:
            alike.append(likeness(upright(scene.image, index.rank_xy, index.suit_xy), want))
    assert len(alike) > 5
    assert np.median(alike) > 0.7


def test_solved_photographs_are_saved_and_the_held_out_kept_apart(pack: Pack, tmp_path: Path) -> None:
    source = photograph(pack)
    quad: Floats = np.zeros((4, 2), np.float32)
    source.cards.append(SceneCard("2C", quad, [SceneIndex((1, 2), (3, 4), quad, real.UNSURE, 0, 0)]))
    real.save([(f"{k}.jpg", source) for k in range(5)], {"3.jpg"}, tmp_path / "real.npz")
    train, held = (real.load_real(split, tmp_path) for split in ("train", "held"))
    assert (len(train), len(held)) == (4, 1)
    assert [c.name for c in train[0].cards] == ["6H", "2C"]
    assert train[0].cards[1].indices[0].visible == real.UNSURE
    assert np.allclose(train[0].cards[0].quad, source.cards[0].quad)
