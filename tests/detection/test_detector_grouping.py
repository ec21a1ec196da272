"""Which indices are one card: geometry and readings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from table.detection.group_indices_to_cards import estimate_outline, group_indices
from table.detection.indices.class_labels import CARDS, card_probabilities
from table.detection.indices.index_pair_geometry import ReadIndex, Vector, index_side

W, L = 100.0, 140.0
CORNERS = {"TL": (-40.0, -57.0, 1), "TR": (40.0, -57.0, 1), "BR": (40.0, 57.0, -1), "BL": (-40.0, 57.0, -1)}


def reads(card: str, chance: float = 0.98) -> NDArray[np.float64]:
    chances = np.full(len(CARDS), (1 - chance) / (len(CARDS) - 1))
    chances[CARDS.index(card)] = chance
    return chances


def mark_at(rank: Vector, suit: Vector, probabilities: Vector) -> ReadIndex:
    """An index of which only the place and the reading matter."""
    return ReadIndex(rank, suit, probabilities, box=np.zeros(4), score=0.9)


def marks(
    card: str, x: float, y: float, angle: float, corners: str = "TL BR", chance: float = 0.98
) -> list[ReadIndex]:
    turn = np.radians(angle)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    place = np.array([x, y])
    made = []
    for corner in corners.split():
        dx, dy, way = CORNERS[corner]
        rank = matrix @ np.array([dx, dy])
        suit = matrix @ np.array([dx, dy + 13.0 * way])
        made.append(mark_at(rank + place, suit + place, reads(card, chance)))
    return made


def wide_words(x: float, y: float, angle: float, corners: str) -> list[ReadIndex]:
    """A joker's words across: 45 % of a card apart from middle to middle."""
    inwards = []
    for mark, plain in zip(marks("JOKER", x, y, angle, corners), corners.split(), strict=True):
        across = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        step = across * (17.0 if plain[1] == "L" else -17.0)
        inwards.append(replace(mark, rank=mark.rank + step, suit=mark.suit + step))
    return inwards


def seen_by(matrix: NDArray[np.float64], flat: list[ReadIndex]) -> list[ReadIndex]:
    """The indices as a camera that stands aside sees them."""
    return [replace(m, rank=matrix @ m.rank, suit=matrix @ m.suit) for m in flat]


def test_two_corners_are_one_card_at_any_angle() -> None:
    for angle in range(0, 360, 15):
        assert group_indices(marks("8D", 200, 200, angle), W) == [[0, 1]]


def test_four_corners_are_one_card() -> None:
    for angle in (0, 33, 190):
        assert group_indices(marks("QS", 200, 200, angle, "TL TR BR BL"), W) == [[0, 1, 2, 3]]


def test_two_cards_side_by_side_stay_two() -> None:
    seen = marks("8D", 200, 200, 0) + marks("9D", 300, 200, 0)
    assert sorted(group_indices(seen, W)) == [[0, 1], [2, 3]]


def test_a_fan_of_corners_stays_a_fan() -> None:
    seen = [marks(f"{k}H", 200 + 15 * k, 200, 4.0 * k, "TL")[0] for k in range(2, 10)]
    assert sorted(group_indices(seen, W)) == [[k] for k in range(8)]


def test_a_card_read_differently_at_its_corners_is_one_card() -> None:
    first, second = marks("3H", 200, 200, 20)[0], marks("8H", 200, 200, 20, chance=0.7)[1]
    assert group_indices([first, second], W) == [[0, 1]]


def test_sure_different_cards_in_loose_fit_are_two() -> None:
    first, second = marks("3H", 200, 200, 20)[0], marks("8S", 210, 190, 24)[1]
    assert group_indices([first, second], W) == [[0], [1]]


def test_two_jokers_in_different_places_are_two() -> None:
    seen = marks("JOKER", 200, 200, 0) + marks("JOKER", 330, 240, 30)
    assert sorted(group_indices(seen, W)) == [[0, 1], [2, 3]]


def test_a_jokers_stars_are_one_card_whatever_way_each_seems_to_stand() -> None:
    """A star has no up and down: the finder's direction errs by 30 degrees and more."""
    first, second = marks("JOKER", 200, 200, 0)
    askew = replace(second, suit=second.rank + np.array([10.0, -8.0]))
    assert group_indices([first, askew], W) == [[0, 1]]
    assert group_indices([first, askew], W, flat=False) == [[0, 1]]


def test_two_jokers_side_by_side_that_show_a_corner_each_are_two() -> None:
    seen = [marks("JOKER", 200, 200, 0)[0], marks("JOKER", 310, 205, 12)[0]]
    assert group_indices(seen, W) == [[0], [1]]


def test_a_joker_with_wide_words_in_four_corners_is_one_card() -> None:
    """Each word's middle stands so far in that no usual place explains two of them side by side."""
    for angle in range(0, 360, 30):
        assert group_indices(wide_words(300, 300, angle, "TL TR BR BL"), W) == [[0, 1, 2, 3]]


def test_two_jokers_with_wide_words_are_two() -> None:
    for place in ((300, 390), (380, 260), (300, 200)):
        seen = wide_words(300, 300, 0, "TL BR") + wide_words(*place, 40, "TL BR")
        assert sorted(group_indices(seen, W)) == [[0, 1], [2, 3]]


def test_the_outline_comes_from_opposite_corners() -> None:
    quad = estimate_outline(marks("5C", 240, 250, 30), W)
    assert np.allclose(quad.mean(axis=0), [240, 250], atol=1e-6)
    edge = quad[1] - quad[0]
    assert np.isclose(np.degrees(np.arctan2(edge[1], edge[0])), 30)


def test_impossible_pairs_of_rank_and_suit_are_never_read() -> None:
    rank, suit = np.zeros((1, 18), np.float32), np.zeros((1, 5), np.float32)
    rank[0, 12], suit[0, 0] = 9.0, 9.0  # the heads agree on a 13 of spades, which no pack has
    chances = card_probabilities(rank, suit)
    assert "13S" not in CARDS
    assert np.isclose(chances.sum(), 1.0)


def test_a_card_seen_from_the_side_is_one_card() -> None:
    """As in a photograph across the table: larger than the given scale, askew, with all four corners read."""
    askew = np.array([[1.5, 0.45], [0.1, 1.25]])
    seen = seen_by(askew, marks("JS", 300, 300, 20, "TL TR BR BL", 0.9))
    assert group_indices(seen, 100.0, flat=False) == [[0, 1, 2, 3]]


def test_a_card_seen_from_far_to_the_side_is_one_card() -> None:
    """Shortened to a third of its width; its left and right corners were two sevens of spades in a photograph."""
    narrow = np.array([[0.33, 0.0], [0.1, 1.0]])
    seen = seen_by(narrow, marks("7S", 300, 300, 0, "TL TR BR BL"))
    assert group_indices(seen, 100.0, flat=False) == [[0, 1, 2, 3]]


def test_a_far_card_whose_corners_are_all_unsure_is_one_card() -> None:
    """Beside nearer cards, by which the scale is judged; it was two fours of hearts in a photograph."""
    narrow = np.array([[0.33, 0.0], [0.1, 0.9]])
    seen = seen_by(narrow, marks("4H", 300, 300, 0, "TL TR BR BL", 0.72))
    assert group_indices(seen, 130.0, flat=False) == [[0, 1, 2, 3]]
    other = seen_by(narrow, marks("5H", 420, 300, 0, "TL TR BR BL", 0.72))
    assert sorted(group_indices(seen + other, 130.0, flat=False)) == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_a_fifth_index_that_reads_alike_but_unsurely_is_no_part_of_a_far_card() -> None:
    """An eight seen askew reads as a six beside the six, and took two of its corners in a photograph."""
    places = [
        ((269, 421), (268, 394), 0.99),
        ((254, 202), (256, 232), 0.99),
        ((129, 230), (126, 256), 0.82),
        ((362, 439), (361, 407), 0.99),
        ((351, 190), (352, 226), 0.99),
    ]
    seen = [
        mark_at(np.array(rank, float), np.array(suit, float), reads("6D", chance))
        for rank, suit, chance in places
    ]
    assert sorted(group_indices(seen, 183.0, flat=False)) == [[0, 1, 3, 4], [2]]


def test_equal_cards_of_two_packs_on_the_table_stay_two() -> None:
    seen = marks("JS", 300, 300, 0) + marks("JS", 410, 300, 0)
    assert sorted(group_indices(seen, 100.0)) == [[0, 1], [2, 3]]


def test_an_index_of_an_equal_card_beneath_is_no_corner_of_the_upper_one() -> None:
    """Wherever in reach the corner of the lower one was, it passed for one of the upper one's."""
    seen = marks("7C", 300, 300, 0, "TL") + marks("7C", 240, 220, 15)
    assert sorted(group_indices(seen, W)) == [[0], [1, 2]]


def test_in_a_photograph_an_index_that_fits_another_cards_by_chance_stays_its_own() -> None:
    seen = [marks("QH", 300, 300, 0, "TL")[0], marks("8C", 304, 302, 3, "BR")[0]]
    assert len(group_indices(seen, 100.0, flat=False)) == 2
    assert (
        len(group_indices(seen, 100.0)) == 1
    )  # on the mark, where few cards lie, it is a card read differently: a doubt


def test_two_opposite_corners_tell_a_card_from_its_mirror_image() -> None:
    for angle in range(0, 360, 15):
        for corners, told in (("TL BR", 1), ("BR TL", 1), ("TR BL", -1), ("TL TR", 0), ("TL BL", 0)):
            first, second = marks("8C", 300.0, 200.0, float(angle), corners)
            assert index_side(first, second) == told
