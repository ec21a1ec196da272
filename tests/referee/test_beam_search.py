"""The search keeps the few explanations that are worth following."""

from __future__ import annotations

import random

import pytest

from table.games.engine.copy_with_changes import evolve
from table.games.registry import make_game
from table.referee.model.beam import MISREAD, NARROW, WIDE, BeamBuilder, BeamLimits
from table.referee.model.hypothesis import Hypothesis, TableCard


def test_another_view_of_the_mark_is_followed_among_many_that_differ_in_what_is_past() -> None:
    state = make_game("whysteria", ("Ada", "Ben", "Cleo"), {}).start().state
    past = [
        Hypothesis(evolve(state, raps=frozenset({str(n)})), cost=n / 100)
        for n in range(2 * NARROW.max_hypotheses)
    ]
    ghost = Hypothesis(state, (TableCard(1, None, None, "nothing"),), cost=NARROW.margin - 1)
    kept = BeamBuilder(NARROW, [*past, ghost]).beam()
    assert kept == (*past[: NARROW.max_hypotheses - 1], ghost)


def test_what_is_far_less_likely_is_not_followed() -> None:
    state = make_game("whysteria", ("Ada", "Ben", "Cleo"), {}).start().state
    ghost = Hypothesis(state, (TableCard(1, None, None, "nothing"),), cost=NARROW.margin + 1)
    best = Hypothesis(state)
    assert BeamBuilder(NARROW, [ghost, best]).beam() == (best,)


@pytest.mark.parametrize("limits", [NARROW, WIDE, MISREAD])
def test_what_is_followed_does_not_depend_on_the_order_in_which_it_is_generated(limits: BeamLimits) -> None:
    """Whatever comes too late to be worth generating would not have been kept if it had come first."""
    state = make_game("whysteria", ("Ada", "Ben", "Cleo"), {}).start().state
    chance = random.Random(limits.max_hypotheses)
    found = [
        Hypothesis(
            evolve(state, raps=frozenset({f"past {chance.randrange(150)}"})),
            (TableCard(chance.randrange(limits.max_hypotheses), None, None, "nothing"),),
            cost=chance.uniform(0, 1.2 * limits.margin) * chance.random(),
        )
        for _ in range(20 * limits.max_hypotheses)
    ]
    likeliest_first = BeamBuilder(limits, sorted(found, key=lambda hypothesis: hypothesis.cost))
    assert len(likeliest_first.beam()) == limits.max_hypotheses
    for _ in range(10):
        chance.shuffle(found)
        shuffled = BeamBuilder(limits, found)
        assert shuffled.beam() == likeliest_first.beam()
        assert shuffled.max_cost == likeliest_first.max_cost
