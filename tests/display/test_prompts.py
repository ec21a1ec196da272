"""What the table waits for, in plain sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.cards import card
from table.display.prompts import Prompt, forbidden_bids, prompt
from table.games.base import Expected, Phase, State
from table.games.game import Game
from table.games.registry import make_game
from table.words.spoken import text
from tests.display.views import NAMES, moments, odd_moments

# --- prompts ----------------------------------------------------------------------------------------------


def help_of(told: Prompt) -> str:
    return text(told.help) if told.help is not None else ""


def waits(phase: Phase, **state: Any) -> tuple[Game, State]:
    game = make_game("whysteria", NAMES[:3])
    return game, replace(game.start().state, phase=phase, **state)


@pytest.mark.parametrize(
    ("expected", "headline"),
    [
        (Expected(Phase.BID, ("Ben", "Cleo"), "Ben", free=True), "Anyone may bid; otherwise Ben"),
        (Expected(Phase.BID, ("Ben",), "Ben", free=True, must=True), "Ben must bid"),
        (Expected(Phase.BID, ("Ben",), "Ben"), "Ben bids"),
        (Expected(Phase.LEAD, ("Ben", "Cleo"), "Ben", free=True), "Anyone may lead; otherwise Ben"),
        (Expected(Phase.LEAD, ("Ben",), "Ben", free=True, must=True), "Ben must lead"),
        (Expected(Phase.LEAD, ("Ben",), "Ben"), "Ben leads"),
        (Expected(Phase.FOLLOW, ("Ben",), "Ben"), "Ben plays"),
        (Expected(Phase.AUCTION, ("Ben",), "Ben"), "Ben bids or passes"),
        (Expected(Phase.NAME_SUIT, ("Ben",), "Ben"), "Ben names the joker's suit"),
        (Expected(Phase.DEAL, ("Ada",), "Ada"), "Ada deals 7 cards each"),
        (Expected(Phase.TURN_UP, ("Ada",), "Ada"), "Ada turns a card up"),
        (Expected(Phase.SECRET_BID, NAMES[:3], None), "All bid at once"),
        (Expected(Phase.PASS_CARDS, NAMES[:3], None), "Pass cards to the left"),
    ],
)
def test_the_headline_says_who_may_act_and_who_must(expected: Expected, headline: str) -> None:
    game, state = waits(expected.phase)
    assert text(prompt(game, state, expected).text) == headline


def test_the_dealer_is_told_of_the_turned_card_where_there_is_one() -> None:
    game = make_game("oh-hell", NAMES[:3], {})
    state = game.start().state
    deal = Expected(Phase.DEAL, (state.dealer,), state.dealer)
    assert "turned card" in help_of(prompt(game, state, deal))
    assert "turned card" not in help_of(prompt(game, replace(state, turned=card("2H")), deal))
    assert "turned card" not in help_of(prompt(*waits(Phase.DEAL), deal))


def test_the_winners_are_named_at_the_end() -> None:
    over = Expected(Phase.OVER, (), None)
    game, state = waits(Phase.OVER, winners=("Ada",))
    assert text(prompt(game, state, over).text) == "Ada wins!"
    assert (
        text(prompt(game, replace(state, winners=("Ada", "Ben")), over).text) == "Ada and Ben share the win!"
    )
    assert text(prompt(game, replace(state, winners=()), over).text) == "The game is over"


def test_the_one_card_hand_is_counted_onto_the_forehead() -> None:
    game, state = waits(Phase.BID, cards=1)
    help_line = help_of(prompt(game, state, Expected(Phase.BID, NAMES[:3], "Ben", free=True)))
    assert "forehead" in help_line


def test_the_forbidden_number_is_the_one_that_makes_the_sum_even() -> None:
    # RULES.md: seven cards, bids 2 and 4, the last of three may bid 0 or 2 to 7.
    game, state = waits(Phase.BID, bids=(("Ben", 2), ("Cleo", 4)))
    assert forbidden_bids(game, state) == ("Ada", (1,))
    assert forbidden_bids(game, replace(state, bids=(("Ben", 2),))) is None
    assert forbidden_bids(game, replace(state, phase=Phase.LEAD)) is None


def test_every_moment_has_a_headline() -> None:
    for name, view in (*moments(NAMES[:4]), *odd_moments(NAMES[:4])):
        assert prompt(view.game, view.state, view.expected).text, name
