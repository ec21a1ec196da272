"""The scorer of real films counts each kind of error once, and finds nothing wrong where all is right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from table.observed_facts import CardFact, CardGone, CardLanded, CardReread, Reading
from tests.real import Score, TrueCard, main, published_cards, score

TRUTH = [TrueCard(0.0, "9D", True), TrueCard(2.0, "2C", False), TrueCard(3.0, "3S", False)]


def landed(number: int, name: str, t_s: float, place_mm: tuple[float, float] = (0.0, 0.0)) -> CardLanded:
    readings = (Reading(name, 0.9),) if name else ()
    return CardLanded(round(t_s * 1e9), number, readings, place_mm, 0.0, None, 0.0, 0)


ALL_RIGHT: Sequence[CardFact] = (landed(1, "9D", 0.0), landed(2, "2C", 2.1), landed(3, "3S", 3.1))


def scored(facts: Sequence[CardFact]) -> Score:
    return score(TRUTH, published_cards([(fact.t_ns / 1e9 + 0.2, fact) for fact in facts]))


def errors(facts: Sequence[CardFact]) -> dict[str, int]:
    counts = scored(facts).counts
    return {kind: n for kind, n in counts.items() if n and kind not in ("cards", "right")}


def test_three_cards_as_they_were_played_are_right() -> None:
    assert errors(ALL_RIGHT) == {}
    assert scored(ALL_RIGHT).counts["right"] == 3
    assert scored(ALL_RIGHT).delays_s == pytest.approx([0.2, 0.3, 0.3])


def test_a_card_that_is_not_published_is_missed() -> None:
    assert errors(ALL_RIGHT[:2]) == {"missed": 1}


def test_a_card_too_far_from_its_time_is_missed_and_invented() -> None:
    assert errors([*ALL_RIGHT[:2], landed(3, "3S", 4.6)]) == {"missed": 1, "invented": 1}


def test_a_card_of_another_name_is_misnamed() -> None:
    assert errors([*ALL_RIGHT[:2], landed(3, "3C", 3.1)]) == {"misnamed": 1}


def test_one_card_under_two_numbers_is_twice() -> None:
    assert errors([*ALL_RIGHT, landed(4, "3S", 3.2)]) == {"twice": 1}


def test_a_card_that_changes_its_name_is_renamed() -> None:
    assert errors([*ALL_RIGHT, CardReread(3_500_000_000, 3, (Reading("8S", 0.9),))]) == {"renamed": 1}


def test_a_card_read_anew_under_its_own_name_is_right() -> None:
    assert errors([*ALL_RIGHT, CardReread(3_500_000_000, 3, (Reading("3S", 0.99),))]) == {}


def test_cards_in_another_order_are_out_of_order() -> None:
    assert errors([landed(1, "9D", 0.0), landed(2, "2C", 3.1), landed(3, "3S", 2.4)]) == {"out of order": 1}


def test_a_card_that_is_published_as_gone_while_it_lies_is_counted() -> None:
    assert errors([*ALL_RIGHT, CardGone(3_500_000_000, 1, None, False)]) == {"gone": 1}


def test_a_card_that_nobody_laid_is_invented_unless_it_lies_at_the_border() -> None:
    assert errors([*ALL_RIGHT, landed(4, "KH", 3.2)]) == {"invented": 1}
    assert errors([*ALL_RIGHT, landed(4, "KH", 3.2, (170.0, 0.0))]) == {}


def test_a_folder_that_is_no_film_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["tests.real", str(tmp_path)])
    assert main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path / "cards.csv") in line
