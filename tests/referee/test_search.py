"""The search keeps the few explanations that are worth following."""

from __future__ import annotations

from table.games.copies import but
from table.games.registry import make_game
from table.referee.explanation import Explanation, Piece
from table.referee.search import likeliest
from table.referee.setting import NARROW


def test_another_view_of_the_mark_is_followed_among_many_that_differ_in_what_is_past() -> None:
    state = make_game("whysteria", ("Ada", "Ben", "Cleo"), {}).start().state
    past = [Explanation(but(state, raps=frozenset({str(n)})), cost=n / 100) for n in range(2 * NARROW.most)]
    ghost = Explanation(state, (Piece(1, None, None, "nothing"),), cost=NARROW.margin - 1)
    kept = likeliest([*past, ghost], NARROW)
    assert kept == (*past[: NARROW.most - 1], ghost)


def test_what_is_far_less_likely_is_not_followed() -> None:
    state = make_game("whysteria", ("Ada", "Ben", "Cleo"), {}).start().state
    ghost = Explanation(state, (Piece(1, None, None, "nothing"),), cost=NARROW.margin + 1)
    best = Explanation(state)
    assert likeliest([ghost, best], NARROW) == (best,)
