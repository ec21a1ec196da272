"""Which of the cards that are read on their way is which: a card goes and turns no faster than a hand does."""

from __future__ import annotations

from table.observed_facts import MS, Reading
from table.table_geometry import card_quad
from table.tracking.hands.carried_card_association import link_tracklets
from table.tracking.hands.carried_card_tracklet import CarriedDetection
from table.tracking.scene.detections import Detection


def seen(ms: int, name: str, at: tuple[float, float], turn: float) -> CarriedDetection:
    found = Detection((Reading(name, 0.5),), card_quad(at, turn), (0, 0, 9, 9), ((0, 0, 9, 9),))
    return CarriedDetection(ms * MS, found, (), (0.0, 0.0), name)


def names_of_ways(*glimpses: CarriedDetection) -> list[list[str]]:
    return [[one.name for one in way] for way in link_tracklets(list(glimpses))]


def test_a_card_that_lies_turned_elsewhere_a_moment_later_is_another_one() -> None:
    """Out of focus, one glimpse of 3C took 10H's place on its way, and 3C was told as 10H."""
    ways = names_of_ways(
        seen(0, "10H", (172, 236), 106), seen(35, "10H", (227, 253), 105), seen(134, "3C", (269, 235), 219)
    )
    assert ways == [["10H", "10H"], ["3C"]]


def test_a_card_stays_itself_upside_down_read_otherwise_and_as_a_hand_turns_it() -> None:
    ways = names_of_ways(
        seen(0, "10H", (172, 236), 106), seen(35, "9H", (227, 253), 286), seen(134, "10D", (250, 250), 325)
    )
    assert ways == [["10H", "9H", "10D"]]


def test_of_two_cards_in_one_picture_each_goes_on_the_way_that_is_nearest_to_it() -> None:
    """A king came 34 pixels from where a five lay, was listed first, and went on the five's way."""
    ways = names_of_ways(
        seen(0, "5C", (260, 253), 20),
        seen(0, "AC", (141, 293), 20),
        seen(130, "KS", (229, 239), 20),
        seen(130, "5D", (261, 254), 20),
    )
    assert ways == [["5C", "5D"], ["AC", "KS"]]


def test_a_name_that_was_read_on_a_way_before_tells_of_two_that_are_about_as_near() -> None:
    ways = names_of_ways(
        seen(0, "8C", (211, 271), 20), seen(0, "QS", (162, 270), 20), seen(30, "QS", (189, 250), 20)
    )
    assert ways == [["8C"], ["QS", "QS"]]
    swapped = names_of_ways(
        seen(0, "6H", (133, 246), 20), seen(0, "6S", (249, 264), 20), seen(34, "6S", (138, 252), 20)
    )
    assert swapped == [["6H", "6S"], ["6S"]]
