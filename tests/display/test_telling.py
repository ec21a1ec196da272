"""What the screen tells besides the trick: what to press, lives, faults, who is out, a joker's suit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pygame
import pytest

from table.cards import DOUBLE_NIL, BidValue
from table.display.drawing.canvas import Canvas
from table.display.table_view.prompts_and_gestures import headline_phrase
from table.display.table_view.seat_plate import draw_hearts
from table.display.view_picture import draw_canvas
from table.games.engine.game_state import Expected, Phase
from table.games.registry import make_game
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase
from table.referee.model.moments import Moment
from table.referee.model.view import Controls, OpenOptions, View
from tests.display.views import NAMES, game_moments, lying, moments, odd_moments

SIZE = (1280, 720)
SEATS = NAMES[:4]


@cache
def seen() -> dict[str, View]:
    return dict((*moments(SEATS), *odd_moments(SEATS), *game_moments(SEATS)))


def texts(view: View) -> list[str]:
    return [placed.text for placed in draw_canvas(view, SIZE).placed]


def with_buttons(view: View, kind: str) -> View:
    return replace(view, controls={seat: Controls(kind) for seat in view.game.seats})  # type: ignore[arg-type]


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


# --- what to press ----------------------------------------------------------------------------------------


def test_where_anyone_may_bid_it_is_told_how() -> None:
    assert "Tap BID once per trick, hold it for 0; press RAP to let others bid first" in texts(
        seen()["bid-open"]
    )
    assert "Lay a card on the mark, or press RAP to let others lead first" in texts(seen()["lead-open"])


def test_on_a_one_button_table_other_gestures_are_told() -> None:
    view = with_buttons(seen()["bid-open"], "one")
    assert (
        "Tap your button once per trick; for 0 tap, then hold; hold your button to let others bid first"
        in texts(view)
    )


def test_who_bids_in_secret_is_told_when_to_tap() -> None:
    shown = texts(seen()["fists"])
    assert "Press your second key when you are ready; then 3, 2, 1, and tap your number" in shown
    # Who has rapped waits for those who have not: nobody bids yet.
    assert shown.count("ready") == 2
    assert shown.count("is to bid") == 0
    assert {"press key W", "press key E"} == {text for text in shown if text.startswith("press")}
    all_in = replace(seen()["fists"], state=replace(seen()["fists"].state, raps=frozenset(SEATS)))
    assert "At “Bid!” tap your first key once per trick, hold it for 0" in texts(all_in)
    assert texts(all_in).count("is to bid") == 4


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("two", "hold BID and RAP"),
        ("one", "tap your button 3 times, then hold"),
        ("knock", "tap BID 3 times, then hold"),
    ],
)
def test_double_nil_is_told_with_its_gesture_while_it_may_be_bid(kind: str, told: str) -> None:
    (help_,) = [
        text for text in texts(with_buttons(seen()["lives-double-nil"], kind)) if "Double Nil" in text
    ]
    assert help_.endswith(f"Double Nil, unseen: {told}")
    assert not [text for text in texts(seen()["lives-follow"]) if "Double Nil" in text]


def test_the_keyboards_keys_stand_on_the_plates_of_their_players() -> None:
    shown = texts(seen()["keys"])
    assert {"1", "Q", "3", "E"} <= set(shown)
    # Instead of them it is shown that somebody taps or has rapped.
    assert not {"W", "R"} & set(shown)
    assert not {"Q", "E"} & set(texts(seen()["bid-open"]))


# --- what is shown besides --------------------------------------------------------------------------------


def test_the_suit_of_a_led_joker_is_told_and_drawn_upon_it() -> None:
    view = seen()["joker-named"]
    assert "Ada's joker stands for hearts: lay that suit on the mark if you can" in texts(view)
    trick = view.state.trick._replace(named="C")
    other = replace(view, state=replace(view.state, trick=trick))
    cards = pygame.Rect(400, 150, 480, 400)
    one, two = (draw_canvas(shown, SIZE).surface.subsurface(cards) for shown in (view, other))
    assert pixels(one) != pixels(two)


def test_a_led_joker_of_the_trump_suit_is_followed_by_trumps() -> None:
    view = seen()["joker-named"]
    state = replace(view.state, trump="D", trick=view.state.trick._replace(named=None))
    assert "Ada's joker stands for diamonds: lay that suit on the mark if you can" in texts(
        replace(view, state=state)
    )


def test_it_is_told_how_many_cards_are_passed_on() -> None:
    assert "Pass 2 cards to the left" in texts(seen()["faults-pass-cards"])
    for side in ("left", "right"):
        game = make_game("oh-hell", SEATS, {"exchange": 1, "exchange_to": side})
        state = replace(game.start().state, phase=Phase.PASS_CARDS)
        view = View(game, state, Expected(Phase.PASS_CARDS, SEATS, None), {})
        assert phrase_text(headline_phrase(view)) == f"Pass 1 card to the {side}"


def test_lives_are_called_lives_and_drawn_as_hearts() -> None:
    shown = texts(seen()["lives-follow"])
    assert shown.count("lives") == len(SEATS)
    assert "total" not in shown


def test_a_double_nil_is_told_from_a_0_wherever_tricks_stand() -> None:
    view, sheet = seen()["lives-follow"], seen()["lives-sheet"]
    first, *others = view.state.players
    bids: dict[str, BidValue] = {first: DOUBLE_NIL, **dict.fromkeys(others, 0)}
    (result,), none = sheet.state.results, dict.fromkeys(view.state.players, 0)
    scored = replace(sheet.state, results=(replace(result, bids=bids, tricks=none),))
    moment = Moment("hand_scored", sheet.now_ns, sheet.now_ns + 1)
    for shown in (
        replace(view, state=replace(view.state, bids=tuple(bids.items()))),
        replace(sheet, state=scored),
        replace(sheet, state=scored, moments=(moment,)),
    ):
        told = [text for text in texts(shown) if text.startswith("0/")]
        assert sorted(told) == ["0/0", "0/0", "0/00"]


def test_each_number_of_lives_is_drawn_otherwise_and_many_as_a_number() -> None:
    drawn = set()
    for left in range(4):
        canvas = Canvas((100, 60))
        draw_hearts(canvas, left, 3, pygame.Rect(10, 5, 80, 50))
        drawn.add(pixels(canvas.surface))
    assert len(drawn) == 4
    canvas = Canvas((100, 60))
    draw_hearts(canvas, 9, 9, pygame.Rect(10, 5, 80, 50))
    assert [placed.text for placed in canvas.placed] == ["9♥"]


def test_faults_are_counted_on_the_plates_under_catastrophe_alone() -> None:
    # Seven bid and one won: six faults.
    assert texts(seen()["faults"]).count("6") == len(SEATS)
    assert "6" not in texts(seen()["joker-named"])


def test_who_is_out_and_who_is_away_is_counted() -> None:
    view = seen()["lives-double-nil"]
    assert "3 players, 1 out" in texts(view)
    away = replace(view.state, players=SEATS[:2], away=frozenset({SEATS[2]}))
    assert "2 players, 1 out, 1 away" in texts(replace(view, state=away))
    tied = replace(view.state, players=SEATS[:2], out=frozenset(), play_off=True)
    assert "2 players" in texts(replace(view, state=tied))


@pytest.mark.parametrize(
    ("told", "changes"),
    [
        ("is out", {}),
        ("is away", {"away": frozenset(SEATS[:1]), "out": frozenset()}),
        ("sits out", {"out": frozenset()}),
        ("sits out", {"out": frozenset(), "play_off": True}),
    ],
)
def test_who_has_come_back_or_is_not_in_a_play_off_sits_out_and_is_not_called_out(
    told: str, changes: dict[str, Any]
) -> None:
    view = seen()["lives-follow"]
    shown = texts(replace(view, state=replace(view.state, **changes)))
    assert [text for text in shown if text in ("is out", "is away", "sits out")] == [told]


# --- what somebody asks who knows only Whist -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("bid-open", "How many tricks will you win? Aim for exactly that number"),
        ("lives-double-nil", "How many tricks will you win? Miss that number and you lose a life"),
        ("auction", "A bid: how many tricks, and which trumps"),
    ],
)
def test_in_the_first_hand_it_is_told_what_a_bid_is_and_later_no_more(moment: str, told: str) -> None:
    view = seen()[moment]
    first = replace(view, state=replace(view.state, hand=1, results=()))
    assert told in texts(first)
    assert told not in texts(replace(first, state=replace(first.state, hand=2)))


def test_a_turned_up_card_that_still_lies_is_seen_and_is_to_be_taken_off_before_the_first_lead() -> None:
    view = seen()["lead-open"]
    one = view.expected.default_seat
    assert one is not None
    waits = replace(view.expected, seats=(one,), anyone_may_act=False)
    lead = replace(view, expected=waits, state=replace(view.state, tricks=()))
    assert "Lay a card on the mark" in texts(lead)
    lies = replace(lead, cards_on_mark=(lying(1, "KD", None, "turned up"),))
    assert "First take the turned-up card off the mark" in texts(lies)
    assert "turned up for trumps" in texts(lies)


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("two", ("tap BID", "press RAP", "hold RAP 2 seconds")),
        ("one", ("tap your button", "hold your button", "hold your button 2 seconds")),
        ("knock", ("tap BID", "knock", "hold BID 2 seconds")),
    ],
)
def test_the_dealer_and_who_has_a_panel_open_are_told_their_own_gestures(
    kind: str, how: tuple[str, str, str]
) -> None:
    tap, rap, wrong = how
    assert f"Ada, when all cards are dealt: {rap}" in texts(with_buttons(seen()["deal"], kind))
    panel = replace(seen()["follow"], panel=OpenOptions("Ben", (make_phrase("panel.close"),), 0))
    assert (
        f"{tap[0].upper()}{tap[1:]} for the next line, {rap} to choose it, {wrong} to go back (1 of 1)"
        in texts(with_buttons(panel, kind))
    )
