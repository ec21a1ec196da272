"""A picture that stands on its head is noticed by where cards come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table.calibration.upside_down_detector import UPSIDE_DOWN, ImageOrientation
from table.games.engine.game_state import Expected, Phase
from table.observed_facts import CardLanded, Delivery, Reading
from table.pipeline import Pipeline
from table.sources.recordings.recording import Recording, open_recording

RECORDING = Path(__file__).parents[1] / "recordings" / "virtual-3"
FIRST_JUDGED_NS = 1_008_900_000_000
"""By then the first card has been judged."""
THREE = {"Ada": 30.0, "Ben": 140.0, "Cleo": 265.0}
FOUR = {"Ada": 0.0, "Ben": 90.0, "Cleo": 180.0, "Dan": 270.0}
OVER = Expected(Phase.FOLLOW, ("Ben",), "Ben")


def leads(angles: dict[str, float], seat: str, *, free: bool = False) -> Expected:
    return Expected(Phase.LEAD, tuple(angles) if free else (seat,), seat, free)


def card(arm_deg: float | None, sure: float = 0.9) -> CardLanded:
    return CardLanded(0, 1, (Reading("7H", 0.99),), (0.0, 0.0), 0.0, arm_deg, sure, 0)


def said(*cards: tuple[CardLanded, dict[str, float], Expected]) -> bool:
    orientation = ImageOrientation()
    for landed, angles, expected in cards:
        orientation.add_card(landed, angles, expected)
    return orientation.trouble == UPSIDE_DOWN


@pytest.mark.parametrize("stray", [-20, -10, 0, 10, 20])
def test_it_is_said_with_the_first_card_where_nobody_sits_opposite(stray: int) -> None:
    assert said((card(30 + 180 + stray), THREE, leads(THREE, "Ada")))
    strayed = (card(30 + 180 + stray), THREE, leads(THREE, "Ada", free=True))
    assert said(*[strayed] * (1 if abs(stray) <= 10 else 2)), (
        "where anyone may lead an arm tells a little less"
    )


def test_it_is_said_with_the_first_card_where_it_is_known_who_leads() -> None:
    assert said((card(180), FOUR, leads(FOUR, "Ada")))


def test_it_takes_several_leads_where_anyone_may_lead_and_sits_opposite_another() -> None:
    once = (card(180), FOUR, leads(FOUR, "Ada", free=True))
    assert not said(once)
    assert said(*[once] * 4)


@pytest.mark.parametrize("angles", [THREE, FOUR], ids=["three", "four"])
@pytest.mark.parametrize("free", [False, True])
def test_it_is_never_said_of_a_picture_that_is_upright(angles: dict[str, float], free: bool) -> None:
    for seat, angle in angles.items():
        for stray in (-35, 0, 35):
            assert not said((card(angle + stray), angles, leads(angles, seat, free=free)))


def test_a_lead_out_of_turn_later_on_does_not_say_it() -> None:
    right = (card(0), FOUR, leads(FOUR, "Ada"))
    assert not said(right, (card(180), FOUR, leads(FOUR, "Ada")))


def test_a_card_without_an_arm_or_of_a_trick_in_play_tells_nothing_of_seats_that_lie_opposite() -> None:
    assert not said((card(None, 0.0), FOUR, leads(FOUR, "Ada")))
    assert not said((card(180), FOUR, OVER))


def test_it_is_taken_back_once_cards_come_from_their_players() -> None:
    wrong, right = ((card(angle), FOUR, leads(FOUR, "Ada")) for angle in (180, 0))
    assert said(wrong)
    assert not said(wrong, right, right)


class Turned:
    """A recording up to its first card, with every picture as a camera would give it that is mounted so."""

    def __init__(self, recording: Recording, *, upside_down: bool) -> None:
        self._recording = recording
        self._upside_down = upside_down

    def deliveries(self) -> Iterator[Delivery]:
        for delivery in self._recording.deliveries():
            if delivery.now_ns > FIRST_JUDGED_NS:
                return
            frame = delivery.frame
            if frame is not None and self._upside_down:
                image = np.ascontiguousarray(frame.image[::-1, ::-1])
                delivery = replace(delivery, frame=replace(frame, image=image))
            yield delivery


@pytest.mark.thorough
@pytest.mark.parametrize("upside_down", [False, True])
def test_the_screen_says_with_the_first_whole_card_that_the_picture_stands_on_its_head(
    upside_down: bool,
) -> None:
    recording = open_recording(RECORDING)
    pipeline = Pipeline(recording.config, Turned(recording, upside_down=upside_down), durable=False)
    *_, now_ns = pipeline.run()
    notices = [notice.phrase for notice in pipeline.view(now_ns).notices]
    assert (UPSIDE_DOWN in notices) is upside_down
