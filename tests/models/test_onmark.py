"""The cards on the virtual table's mark: what counts as open."""

import numpy as np

from models.jokers import samples
from models.onmark import lying_open, pack_samples, thrown
from models.synth.drawn import JOKERS, Studio
from models.synth.packs import Pack
from table.simulation.rendering.motions_over_time import CardPose
from table.table_geometry import MARK_PX


def a_pack() -> Pack:
    return Studio().new(np.random.default_rng(4))


def test_a_card_under_another_does_not_count() -> None:
    pack = a_pack()
    cards, optional, _ = lying_open(pack, ["9H", "KS"], [CardPose(0, 0, 10), CardPose(0, 0, 10)])
    assert (cards, optional) == (["KS"], ["9H"])


def test_a_card_counts_when_one_of_its_indices_lies_open() -> None:
    pack = a_pack()
    cards, _, open_indices = lying_open(pack, ["9H", "KS"], [CardPose(0, 0, 0), CardPose(35, 50, 0)])
    assert cards == ["9H", "KS"]
    assert open_indices["KS"] == "two or more"


def test_a_card_off_the_picture_does_not_count() -> None:
    pack = a_pack()
    cards, optional, _ = lying_open(pack, ["9H"], [CardPose(400, 0, 0)])
    assert (cards, optional) == ([], ["9H"])


def test_the_picture_shows_the_card_where_the_list_says() -> None:
    pack = a_pack()
    sample = thrown(np.random.default_rng(2), pack, ["AS"], "plain", "one")
    bright = np.argwhere(sample.image.min(axis=2) > 150)
    assert np.abs(bright.mean(axis=0) - MARK_PX / 2).max() < 100
    # 63.5 x 88.9 mm of paper, a part of it printed.
    assert 0.6 < len(bright) / (100 * 140) < 1.1


def test_the_same_pictures_every_time() -> None:
    one, again = (next(pack_samples(Studio(), 1, [5])) for _ in range(2))
    assert (one.image == again.image).all()
    assert one.cards == again.cards


def test_each_kind_of_joker_that_has_a_mark_is_measured() -> None:
    pictures = list(samples(16, 4))
    assert {picture.groups["joker"] for picture in pictures} == set(JOKERS) - {"picture only"}
    assert all(picture.cards == ["JOKER"] for picture in pictures)
