"""Which of the cards that are read on their way is which: a card goes and turns no faster than a hand does."""

from __future__ import annotations

from table.facts import MS, Reading
from table.sight.buried import _Seen, _ways
from table.sight.found import Found
from table.sight.geometry import card_quad
from table.sight.hands import Glimpse


def seen(ms: int, name: str, at: tuple[float, float], turn: float) -> _Seen:
    found = Found((Reading(name, 0.5),), card_quad(at, turn), (0, 0, 9, 9), ((0, 0, 9, 9),))
    return _Seen(Glimpse(ms * MS, found, (), (0.0, 0.0), name), 1.0, 0.0)


def names_of_ways(*glimpses: _Seen) -> list[list[str]]:
    return [[one.glimpse.name for one in way] for way in _ways(list(glimpses))]


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
