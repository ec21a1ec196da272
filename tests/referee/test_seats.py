"""The arm tells the player where it plainly can, and says nothing where it can't."""

from __future__ import annotations

import pytest

from table.referee.seats import arm_of

THREE = {"Ada": 39.0, "Ben": 161.0, "Cleo": 286.0}
SEVEN = {f"P{number}": number * 360 / 7 for number in range(7)}


@pytest.mark.parametrize(
    ("degrees", "sure", "seats", "seat", "plain"),
    [
        (45.0, 0.9, THREE, "Ada", True),
        (-74.0, 0.9, THREE, "Cleo", True),
        (400.0, 0.9, THREE, "Ada", True),
        (45.0, 0.3, THREE, "Ada", False),
        (100.0, 0.9, THREE, None, False),
        (50.0, 0.9, SEVEN, "P1", True),
        (30.0, 0.9, SEVEN, "P1", False),
        (None, 0.0, THREE, None, False),
    ],
)
def test_whose_arm(
    degrees: float | None, sure: float, seats: dict[str, float], seat: str | None, plain: bool
) -> None:
    arm = arm_of(degrees, sure, seats)
    assert (arm.seat, arm.sure) == (seat, plain)
