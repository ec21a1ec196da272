"""How people play is learned from what they do: one careless thing makes the next likelier."""

from __future__ import annotations

from math import exp, log

import pytest

from table.referee.model.event_costs import COSTS, Habit

CARDS_OF_A_TRICK = 4


def revoke_after(*done: Habit) -> float:
    """What a revoke costs once people have done these things, nats."""
    careless = COSTS.careless
    for habit in done:
        _, careless = habit.cost_and_posterior(careless)
    return COSTS.revoke.cost_and_posterior(careless)[0]


def test_a_second_revoke_is_likelier_than_the_first() -> None:
    assert revoke_after(COSTS.revoke) < revoke_after() - 1.0


@pytest.mark.parametrize("habit", [COSTS.out_of_turn, COSTS.taken_back, COSTS.revoke])
def test_each_careless_thing_makes_a_revoke_likelier(habit: Habit) -> None:
    assert revoke_after(habit) < revoke_after()


def test_cards_laid_in_turn_make_a_revoke_less_likely() -> None:
    assert revoke_after(*[COSTS.in_turn] * CARDS_OF_A_TRICK) > revoke_after()


def test_whatever_people_did_the_cost_is_that_of_a_mixture_of_both_ways_to_play() -> None:
    habit = Habit(careful=3.0, careless=1.0)
    for careless in (0.0, 0.2, 1.0):
        nats, after = habit.cost_and_posterior(careless)
        assert exp(-nats) == pytest.approx((1 - careless) * exp(-3.0) + careless * exp(-1.0))
        assert log(after or 1.0) == pytest.approx(log(careless or 1.0) - 1.0 + nats if careless else 0.0)
