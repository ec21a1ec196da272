"""A picture that stands on its head is noticed by the arms, and said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table.facts import CardLanded, Delivery
from table.pipeline import Pipeline
from table.setup.orientation import UPSIDE_DOWN, Orientation
from table.sources.recording import open_recording

THREE = {"Ada": 30.0, "Ben": 140.0, "Cleo": 260.0}
FOUR = {"Ada": 0.0, "Ben": 90.0, "Cleo": 180.0, "Dan": 270.0}
RECORDING = Path(__file__).parents[1] / "recordings" / "virtual-3"


def card(arm_deg: float | None) -> CardLanded:
    return CardLanded(0, 1, (), (0.0, 0.0), 0.0, arm_deg, 0.9, 1)


def after(angles: dict[str, float], turned_deg: float, times: int = 4) -> Orientation:
    """Each player plays in turn, ``times`` cards in all."""
    orientation = Orientation()
    for number in range(times):
        player = list(angles)[number % len(angles)]
        orientation.take(card((angles[player] + turned_deg + 7.0) % 360.0), angles, {player})
    return orientation


@pytest.mark.parametrize("angles", [THREE, FOUR])
def test_arms_from_the_other_side_are_told_and_arms_from_their_seats_are_not(
    angles: dict[str, float],
) -> None:
    assert after(angles, 180.0).trouble == UPSIDE_DOWN
    assert after(angles, 0.0, times=40).trouble is None


def test_one_card_from_across_the_table_is_no_upside_down_picture() -> None:
    orientation = after(FOUR, 0.0)
    orientation.take(card(180.0), FOUR, {"Ada"})
    assert orientation.trouble is None


def test_it_is_not_said_any_more_once_the_arms_come_from_their_seats() -> None:
    orientation = after(THREE, 180.0)
    for _ in range(6):
        orientation.take(card(140.0), THREE, {"Ben"})
    assert orientation.trouble is None


def test_cards_without_an_arm_tell_nothing() -> None:
    orientation = Orientation()
    for _ in range(9):
        orientation.take(card(None), THREE, {"Ada"})
    assert orientation.trouble is None


def test_a_recording_whose_picture_stands_on_its_head_is_told() -> None:
    recording = open_recording(RECORDING)

    class OnItsHead:
        def deliveries(self) -> Iterator[Delivery]:
            for delivery in recording.deliveries():
                frame = delivery.frame
                if frame is not None:
                    frame = replace(frame, image=np.ascontiguousarray(frame.image[::-1, ::-1]))
                yield replace(delivery, frame=frame)

    pipeline = Pipeline(recording.config, OnItsHead(), durable=False)
    assert any(UPSIDE_DOWN in _said(pipeline, now_ns) for now_ns in pipeline.run())


def _said(pipeline: Pipeline, now_ns: int) -> list[object]:
    return [notice.said for notice in pipeline.view(now_ns).notices]
