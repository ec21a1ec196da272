"""What an enrolled pack changes in reading, and what it leaves alone; the committed weights read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.detection.enrolment_examples import ExampleCollector
from table.detection.indices.class_labels import CARDS as ALL_CARDS
from table.detection.indices.enrolled_pack import EnrolledPack, Example, load_pack, save_pack
from table.phrase import make_phrase
from tests.enrol.oddpack import CARDS, lay_odd, one_card
from tests.tracking.cards_on_cloth import cloth, lay
from tests.wrong import wrong


def names(sightings: list[CardDetection], least: float = 0.9) -> list[str]:
    return sorted(s.card for s in sightings if s.confidence >= least)


@pytest.fixture(scope="module")
def base() -> Detector:
    return Detector()


@pytest.fixture(scope="module")
def pack(base: Detector) -> EnrolledPack:
    learner = ExampleCollector(base)
    found = EnrolledPack()
    for name in CARDS:
        shown = learner.collect_single(one_card(name), name, 100.0)
        assert shown is not None
        assert len(shown.corners) == 2
        found.replace_examples([*shown.corners, *shown.negatives])
    return found


@pytest.fixture(scope="module")
def own(pack: EnrolledPack) -> Detector:
    detector = Detector()
    assert detector.learn_pack(pack) == []
    return detector


SPOTS = ((110, 130, 20), (330, 120, 135), (120, 370, 250), (370, 370, 310))


@pytest.mark.thorough
def test_letters_that_no_detector_knows_are_read_once_the_pack_is_enrolled(
    base: Detector, own: Detector
) -> None:
    picture = cloth()
    shown = ("JS", "QH", "KD", "JC")
    for name, spot in zip(shown, SPOTS, strict=True):
        lay_odd(picture, name, *spot)
    assert names(base.read(picture)) != sorted(shown)
    assert names(own.read(picture)) == sorted(shown)


@pytest.mark.thorough
def test_the_enrolled_pack_is_read_in_other_light_and_size(own: Detector) -> None:
    picture = cloth()
    shown = ("QS", "QC", "JH", "JD")
    for name, spot in zip(shown, SPOTS, strict=True):
        lay_odd(picture, name, *spot)
    warm = (picture * np.array([0.6, 0.8, 0.95])).astype(np.uint8)
    assert names(own.read(warm)) == sorted(shown)


@pytest.mark.thorough
def test_cards_of_another_pack_are_read_as_if_nothing_were_enrolled(base: Detector, own: Detector) -> None:
    for shown in (("2S", "9H", "6D", "AC"), ("JS", "QH", "KD", "2C"), ("11S", "8D", "QC", "KH")):
        picture = cloth()
        for name, spot in zip(shown, SPOTS, strict=True):
            lay(picture, name, *spot)
        assert names(own.read(picture), 0.5) == names(base.read(picture), 0.5) == sorted(shown)


@pytest.mark.thorough
def test_a_card_of_the_pack_that_nobody_has_shown_is_not_taken_for_one_that_was(own: Detector) -> None:
    picture = cloth()
    shown = ("2S", "9H", "6D", "AC")
    for name, spot in zip(shown, SPOTS, strict=True):
        lay_odd(picture, name, *spot)
    # Its 2 and the Z of its jacks are much alike.
    assert names(own.read(picture), 0.5) == sorted(shown)


@pytest.mark.thorough
def test_a_pack_comes_back_from_its_file_with_what_was_learned(
    pack: EnrolledPack, own: Detector, tmp_path: Path
) -> None:
    path = tmp_path / "pack.npz"
    save_pack(path, pack)
    again = load_pack(path)
    assert again.index_counts == pack.index_counts
    assert again.fits.keys() == pack.fits.keys()
    for here, there in zip(pack.examples, again.examples, strict=True):
        assert here.card == there.card
        assert np.array_equal(here.patch, there.patch)
    picture = one_card("JC", 200)
    assert names(Detector(enrolled=again).read(picture)) == names(own.read(picture)) == ["JC"]
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.thorough
def test_what_other_weights_learned_is_learned_anew(pack: EnrolledPack, own: Detector) -> None:
    assert own.learn_pack(pack) == []
    few = EnrolledPack([example for example in pack.examples if example.card in ("JS", "JC")])
    few.fits = {"of other weights": next(iter(pack.fits.values()))}
    assert "JS" in names(Detector(enrolled=few).read(one_card("JS")))
    assert len(few.fits) == 3


@pytest.mark.thorough
def test_a_card_that_is_shown_again_is_forgotten_as_it_was(pack: EnrolledPack) -> None:
    changed = EnrolledPack(list(pack.examples), dict(pack.fits))
    new = Example("JS", np.zeros_like(pack.examples[0].patch))
    changed.replace_examples([new])
    assert [example for example in changed.examples if example.card == "JS"] == [new]
    assert len(changed.index_counts) == len(CARDS)
    assert not changed.fits


def test_of_a_card_shown_ever_so_often_only_some_looks_are_kept() -> None:
    patches = [np.full((140, 116, 3), k, np.uint8) for k in range(100)]
    pack = EnrolledPack()
    pack.replace_examples([Example("AS", patch) for patch in patches])
    kept = [int(example.patch[0, 0, 0]) for example in pack.examples]
    assert len(kept) == 8
    assert kept[0] == 0
    assert kept[-1] == 99


def test_an_enrolled_joker_is_expected_as_any_card() -> None:
    shares = np.full(len(ALL_CARDS), 0.1)
    patch = np.zeros((140, 116, 3), np.uint8)
    pack = EnrolledPack([Example("JOKER", patch), Example("AS", patch)])
    assert dict(zip(ALL_CARDS, pack.priors_if_near(shares), strict=True))["JOKER"] == 1.0
    assert dict(zip(ALL_CARDS, pack.priors_if_near(shares), strict=True))["2S"] == 0.1


@pytest.mark.thorough
@pytest.mark.parametrize("damage", ["cut", "no archive", "no text", "other arrays"])
def test_a_damaged_pack_is_one_line(damage: str, pack: EnrolledPack, tmp_path: Path) -> None:
    path = tmp_path / "pack.npz"
    save_pack(path, EnrolledPack(pack.examples[:2]))
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:2000])
    elif damage == "no archive":
        path.write_text("not a pack")
    elif damage == "no text":
        np.savez(path, about=np.frombuffer(np.array([0x7FFFFFFF], "<u4").tobytes(), "<U1").reshape(()))
    else:
        np.savez(path, about=np.array('{"format": 1, "cards": ["AS"], "fits": []}'), sizes=np.array([5]))
    with wrong("file.damaged", at=path, expected=make_phrase("expected.pack")):
        load_pack(path)


def test_a_pack_without_cards_is_refused() -> None:
    with wrong("weights.empty_pack"):
        Detector(enrolled=EnrolledPack())
