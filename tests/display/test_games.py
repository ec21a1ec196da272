"""Every game of the registry is drawn and told at every step of a random game."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from table.cards import PASS, Contract
from table.display.table_view.screen_layout import layout_screen
from table.display.view_picture import draw_canvas
from table.events import event_registry
from table.games.engine.game_state import HandResult, Phase
from table.games.registry import make_game
from table.i18n.terminal_output import phrase_text
from table.playback.views_of_past_moments import replay_journal
from table.referee.model.view import View
from tests.display.everything import SIZES, faults
from tests.display.views import view_of
from tests.games.catalogue import ISRAELI, KINDS, Kind, game_of, label
from tests.games.driver import Driver
from tests.playback.test_views_of_past_moments import journalled
from tests.speeds import first_quick


def key_of(driver: Driver) -> tuple[Any, ...]:
    """What tells moments apart that are worth a picture of their own."""
    state = driver.state
    return state.phase, len(state.bids), len(state.trick.plays), bool(state.results), state.turned is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def test_every_kind_of_moment_of_every_game_is_drawn_without_overlaps_and_told(kind: Kind) -> None:
    driver = Driver(game_of(kind), random.Random(5), max_hands=3)
    drawn = set()
    for _ in range(600):
        if key_of(driver) not in drawn:
            drawn.add(key_of(driver))
            placed = draw_canvas(view_of(driver.game, driver.state), (1024, 600)).placed
            assert all(one.box.contains(one.ink) for one in placed)
            pairs = combinations(placed, 2)
            assert not [(one.text, two.text) for one, two in pairs if one.ink.colliderect(two.ink)]
        if driver.state.phase is Phase.OVER:
            break
        driver.one()
    for said in driver.said:
        assert said.event in event_registry.EVENT_SPECS
        told = phrase_text(event_registry.line_sentence({"event": said.event, **said.fields}))
        assert told.endswith(".")
        assert not told.startswith(said.event), told


def test_an_auction_shows_each_last_call_and_the_highest() -> None:
    game = game_of(ISRAELI[0])
    one, two = game.seats[:2]
    state = replace(game.start().state, phase=Phase.AUCTION, calls=((one, Contract(6, "C")), (two, PASS)))
    texts = [placed.text for placed in draw_canvas(view_of(game, state), (1280, 720)).placed]
    assert "bids 6♣" in texts
    assert "passes" in texts
    assert f"{one} is highest" in texts


def test_the_contract_and_its_declarer_stand_on_the_screen_while_a_hand_is_played() -> None:
    game = game_of(ISRAELI[0])
    one, two = game.seats[:2]
    for phase in (Phase.BID, Phase.LEAD):
        start = replace(game.start().state, phase=phase, trump="C")
        state = replace(start, calls=((one, Contract(7, "C")), (two, PASS)))
        canvas = draw_canvas(view_of(game, state), (1280, 720))
        corner = layout_screen(canvas.size).top_right
        assert [placed.text for placed in canvas.placed if corner.contains(placed.ink)] == [
            one,
            "plays 7♣",
        ]


def test_who_leads_is_nobody_who_is_out_or_has_left() -> None:
    game = make_game("prediction-whist", ("Ada", "Ben", "Cleo", "Dan"), {})
    dealt = game.start().state
    result = HandResult(1, 7, "Ada", {}, {}, {}, {})
    state = replace(
        dealt,
        players=("Ada", "Ben"),
        results=(result,),
        totals={"Ada": 2, "Ben": 1, "Cleo": 0, "Dan": 3},
        out=frozenset({"Cleo"}),
        away=frozenset({"Dan"}),
    )
    assert in_the_lead(view_of(game, state)) == "Ada 2♥"


def test_who_leads_in_the_end_is_who_has_won_the_play_off() -> None:
    game = make_game("oh-hell", ("Ada", "Ben", "Cleo"), {"hands": [1]})
    points = {"Ada": 10, "Ben": 10, "Cleo": 0}
    bids = dict.fromkeys(game.seats, 0)
    first = HandResult(1, 1, "Ada", bids, bids, points, points)
    decider = HandResult(2, 3, "Ben", bids, bids, {"Ada": 0, "Ben": 11}, points, play_off=True)
    state = replace(game.start().state, results=(first,), totals=points)
    assert in_the_lead(view_of(game, state)) == "Ada and Ben 10"
    over = replace(state, phase=Phase.OVER, results=(first, decider), winners=("Ben",))
    assert in_the_lead(view_of(game, over)) == "Ben 10"


def in_the_lead(view: View) -> str:
    """Who leads with how much, as the corner of the screen says."""
    canvas = draw_canvas(view, (1280, 720))
    corner = layout_screen(canvas.size).bottom_right
    return [placed.text for placed in canvas.placed if corner.contains(placed.ink)][-1]


@first_quick("kind", KINDS, ids=label)
def test_what_a_game_shows_large_is_drawn_whole_and_without_overlaps(kind: Kind) -> None:
    lines, _ = journalled(kind)
    shown, found = Counter[str](), []
    for view in (moment.view() for moment in replay_journal(lines)):
        moment = view.moment
        if moment is not None and shown[moment.kind] < 3:
            shown[moment.kind] += 1
            for size, look in SIZES[shown[moment.kind] :: 3]:
                found += [f"{moment.kind} {size}: {fault}" for fault in faults(draw_canvas(view, size, look))]
    assert found == []
    assert shown["hand_scored"]
