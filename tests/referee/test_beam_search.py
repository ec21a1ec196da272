"""The search keeps the few explanations that are worth following."""

from __future__ import annotations

from table.games.engine.copy_with_changes import evolve
from table.games.registry import make_game
from table.referee.model.beam import NARROW, BeamBuilder
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
