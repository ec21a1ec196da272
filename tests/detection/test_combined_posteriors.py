"""What several indices say together: uncommon cards, and print that only looks like a card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from table.detection.card_detections import CardDetection, DetectedIndex, is_ornament
from table.detection.combined_posteriors import (
    apply_priors_once_per_card,
    average_readings,
    card_posterior,
    combine_posteriors,
)
from table.detection.indices.class_labels import CARDS
from table.detection.indices.classifier import ClassPosteriors
from table.detection.indices.index_pair_geometry import ReadIndex
from table.detection.indices.joker_exceptions import JOKER_CLASS as _JOKER
from table.detection.indices.keypoints import FoundIndices
from table.detection.photo_reading import apply_one_pack_prior
from table.observed_facts import Reading

_SHARE = 0.05
W = 100.0


def finds(*places: tuple[float, float, float]) -> FoundIndices:
    """Indices at x, y, reading downwards (1) or upwards (-1)."""
    x, y, way = np.array(places, np.float32).T
    box = np.stack([x - 8, y - 10, x + 8, y + 24], axis=1)
    rank, suit = np.stack([x, y], axis=1), np.stack([x, y + 13 * way], axis=1)
    return FoundIndices(np.full(len(x), 0.9, np.float32), box, rank, suit)


def jokers(*chances: float) -> ClassPosteriors:
    """Readings that are jokers to the network with these chances, or no index; a joker is expected less."""
    expected = np.ones((len(chances), len(CARDS)))
    expected[:, _JOKER] = _SHARE
    plain = np.full_like(expected, 1e-6)
    plain[:, _JOKER], plain[:, -1] = chances, 1 - np.array(chances)
    weighed = plain * expected
    return ClassPosteriors(weighed / weighed.sum(axis=1, keepdims=True), expected, np.zeros(len(chances)))


def test_an_uncommon_card_is_held_back_once_and_not_at_each_corner() -> None:
    names = jokers(0.85, 0.85)
    corners = finds((200, 200, 1), (280, 314, -1))
    assert combine_posteriors(list(names.probabilities))[_JOKER] < 0.2
    assert combine_posteriors(list(apply_priors_once_per_card(corners, names, W)))[_JOKER] > 0.5


def test_two_things_like_jokers_that_lie_as_no_cards_corners_do_stay_held_back() -> None:
    names = jokers(0.85, 0.85)
    for others in ((200, 260, 1), (480, 200, -1)):
        assert apply_priors_once_per_card(finds((200, 200, 1), others), names, W) == pytest.approx(
            names.probabilities
        )


def test_a_single_corner_of_an_uncommon_card_stays_held_back() -> None:
    names = jokers(0.85)
    assert apply_priors_once_per_card(finds((200, 200, 1)), names, W) == pytest.approx(names.probabilities)


def sighting(
    card: str, confidence: float, turn: float, *, inset: float = 0.0, corners: int = 2
) -> CardDetection:
    """A card around (300, 300), read at opposite corners that stand so many pixels nearer to the centre than usual."""
    angle = np.radians(turn)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def at(x: float, y: float) -> tuple[float, float]:
        u, v = matrix @ np.array([x, y]) + 300
        return float(u), float(v)

    readings = (Reading(card, confidence),)
    places = [(-40 + inset, -57 + inset, 1), (40 - inset, 57 - inset, -1)][:corners]
    indices = tuple(
        DetectedIndex(at(x, y), at(x, y + 13 * way), (0, 0, 1, 1), 0.9, readings) for x, y, way in places
    )
    quad = tuple(at(x, y) for x, y in ((-50, -70), (50, -70), (50, 70), (-50, 70)))
    return CardDetection(readings, (200, 200, 400, 400), quad, turn, indices, indices_disagree=False)


def unsure(**chances: float) -> ReadIndex:
    """An index that may be several cards, by name after an underscore."""
    readings = np.zeros(len(CARDS))
    for card, chance in chances.items():
        readings[CARDS.index(card[1:])] = chance
    readings[-1] = 1 - readings.sum()
    return ReadIndex(np.array([900.0, 900.0]), np.array([900.0, 913.0]), readings, box=np.zeros(4), score=0.9)


def test_among_many_cards_of_a_usual_pack_a_king_is_hardly_a_thirteen() -> None:
    """A king of diamonds in a photographed fan of 52, read at .53 before."""
    king = unsure(_KD=0.53, _13D=0.11, _11D=0.11)
    usual = [sighting(card, 0.99, 0) for card in ("AS", "2H", "3C", "9D", "10C", "QH", "5S", "7D")]
    assert apply_one_pack_prior([king], usual)[0].probabilities[CARDS.index("KD")] > 0.6
    with_one_of_63 = [*usual, sighting("12S", 0.99, 0)]
    assert apply_one_pack_prior([king], with_one_of_63)[0].probabilities == pytest.approx(king.probabilities)


def test_what_is_in_doubt_is_hardly_a_card_that_is_plainly_to_be_seen_elsewhere() -> None:
    six = unsure(_6D=0.7, _8D=0.2)
    weighed = apply_one_pack_prior([six], [sighting("6D", 0.99, 0)])[0].probabilities
    assert weighed[CARDS.index("8D")] > weighed[CARDS.index("6D")]


def test_two_ornaments_about_a_cards_centre_are_no_second_card() -> None:
    """Axes on a German jack, read as the corners of an ace of clubs at .93."""
    jack = sighting("JC", 0.99, 20)
    assert is_ornament(sighting("AC", 0.93, 200, inset=15), [jack], W)


def test_a_card_laid_across_another_on_the_same_spot_stays_a_card() -> None:
    assert not is_ornament(sighting("AC", 0.93, 110, inset=15), [sighting("JC", 0.99, 20)], W)


def test_two_of_a_cards_four_corners_surely_read_as_another_are_no_second_card() -> None:
    """A king in motion ("tied, like colours:1336"); two cards so laid would hide each other's corners."""
    king = sighting("KC", 1.0, 20)
    assert is_ornament(sighting("KS", 0.99, 22, inset=15), [king], W)
    assert not is_ornament(sighting("KS", 0.99, 31, inset=15), [king], W)


def test_a_single_corner_beneath_a_card_that_lies_squarely_upon_it_stays_a_card() -> None:
    assert not is_ornament(sighting("AC", 0.93, 20, inset=15, corners=1), [sighting("JC", 0.99, 20)], W)


def test_what_shares_its_signs_with_surer_indices_is_no_card() -> None:
    """The rank of an eight of hearts with the pip beside it, read as a queen of diamonds in a photograph."""
    eight = sighting("8H", 0.99, 0)
    sideways = tuple(
        replace(index, suit=(index.rank[0] + 14, index.rank[1])) for index in sighting("QD", 0.9, 0).indices
    )
    queen = replace(sighting("QD", 0.9, 90), indices=sideways)
    assert is_ornament(queen, [eight], W)
    assert not is_ornament(replace(queen, indices=sideways[:1]), [sighting("8H", 0.99, 0, inset=9)], W)


def test_a_jokers_further_corner_that_was_left_over_is_no_second_joker() -> None:
    joker = sighting("JOKER", 0.99, 20)
    assert is_ornament(sighting("JOKER", 0.97, 20, inset=17, corners=1), [joker], W)
    assert not is_ornament(sighting("JOKER", 0.97, 110, corners=1), [joker], W)


def test_an_index_found_twice_is_one() -> None:
    first = sighting("JOKER", 0.99, 0, corners=1)
    index = first.indices[0]
    (x, y), (u, v) = index.rank, index.suit
    again = replace(first, indices=(replace(index, rank=(x + 6, y + 2), suit=(u + 8, v - 3)),))
    assert is_ornament(again, [first], W)
    assert not is_ornament(replace(again, readings=(Reading("AC", 0.9),)), [first], W)


def test_what_two_looks_read_at_one_index_is_averaged_and_others_stay() -> None:
    def mark(x: float, card: str, chance: float) -> ReadIndex:
        chances = np.full(len(CARDS), (1 - chance) / (len(CARDS) - 1))
        chances[CARDS.index(card)] = chance
        return ReadIndex(np.array([x, 100.0]), np.array([x, 113.0]), chances, box=np.zeros(4), score=0.9)

    first, second = average_readings(
        [mark(100, "QS", 0.4), mark(140, "KS", 0.8)], [[mark(102, "QS", 0.8)], []]
    )
    assert first.probabilities[CARDS.index("QS")] == pytest.approx(0.6)
    assert second.probabilities[CARDS.index("KS")] == pytest.approx(0.8)


def test_of_two_corners_that_read_differently_the_one_that_is_plainly_an_index_counts_more() -> None:
    """Half a 9 beneath a thumb looks like a 4, and hardly like an index."""
    nine, four = unsure(_9D=0.987, _4D=0.0003), replace(unsure(_4D=0.987, _9D=0.0003), score=0.4)
    weighed = card_posterior([nine, four])
    assert weighed[CARDS.index("9D")] > 2 * weighed[CARDS.index("4D")]
    alike = card_posterior([nine, replace(four, score=0.9)])
    assert alike[CARDS.index("9D")] == pytest.approx(alike[CARDS.index("4D")])
