"""Whose card it is, as far as arm and place tell."""

from __future__ import annotations

import pytest

from table.observed_facts import CardLanded, Reading
from table.referee.model.event_costs import arm_evidence


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
def test_an_arm_midway_between_two_seats_is_of_either_as_likely(turn_deg: int) -> None:
    seated = (("Ada", (turn_deg - 10.0) % 360.0), ("Ben", (turn_deg + 10.0) % 360.0))
    arm_deg = turn_deg % 360.0
    arm = arm_evidence(CardLanded(0, 1, (Reading("9H", 0.99),), (0, 0), 0, arm_deg, 0.9, 0), seated)
    assert arm.probabilities["Ada"] == pytest.approx(arm.probabilities["Ben"])


def test_a_card_midway_between_two_seats_is_of_either_as_likely() -> None:
    card = CardLanded(0, 1, (Reading("9H", 0.99),), (0, -50), 0, None, 0.0, 0)
    costs = arm_evidence(card, (("Ada", 350.0), ("Ben", 10.0), ("Cleo", 90.0))).place_costs
    assert costs["Ada"] == pytest.approx(costs["Ben"])
    assert costs["Cleo"] > costs["Ada"]
