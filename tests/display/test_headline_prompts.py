"""What the table waits for, in plain sentences."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from table.cards import PASS, CallValue, Contract, card
from table.config.settings import SeatKind
from table.display.table_view.prompts_and_gestures import forbidden_bids, headline_help, headline_phrase
from table.events.event_spec import Play
from table.games.engine.game_state import Expected, Phase, State, Trick
from table.games.game import Game
from table.games.registry import make_game
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS
from table.referee.model.bid_dial import new_dial
from table.referee.model.view import Controls, View
from tests.display.views import NAMES, lying, moments, odd_moments

# --- prompts ----------------------------------------------------------------------------------------------


def help_of(view: View) -> str:
    said = headline_help(view)
    return phrase_text(said) if said is not None else ""


def seen(game: Game, state: State, expected: Expected, *, awaits_next_choice: bool = False) -> View:
    return View(game, state, expected, {}, awaits_next_choice=awaits_next_choice)


def waits(phase: Phase, **state: Any) -> tuple[Game, State]:
    game = make_game("whysteria", NAMES[:3])
    return game, replace(game.start().state, phase=phase, **state)


@pytest.mark.parametrize(
    ("expected", "headline"),
    [
        (
            Expected(Phase.BID, ("Ben", "Cleo"), "Ben", anyone_may_act=True),
            "Anyone may bid; if nobody does, Ben must",
        ),
        (Expected(Phase.BID, ("Ben",), "Ben"), "Ben must bid"),
        (
            Expected(Phase.LEAD, ("Ben", "Cleo"), "Ben", anyone_may_act=True),
            "Anyone may lead; if nobody does, Ben must",
        ),
        (Expected(Phase.LEAD, ("Ben",), "Ben"), "Ben must lead"),
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
    assert phrase_text(headline_phrase(seen(game, state, expected))) == headline


def test_the_dealer_is_told_of_the_turned_card_where_there_is_one() -> None:
    game = make_game("oh-hell", NAMES[:3], {})
    state = game.start().state
    deal = Expected(Phase.DEAL, (state.dealer,), state.dealer)
    assert "face up on the mark" in help_of(seen(game, state, deal))
    assert "face up" not in help_of(seen(game, replace(state, turned=card("2H")), deal))
    assert "face up" not in help_of(seen(*waits(Phase.DEAL), deal))


def test_a_trick_that_the_first_of_two_equal_cards_won_says_so() -> None:
    kings, lower = (card("KH"), card("KH")), (card("KH"), card("QH"))
    for cards, told in ((kings, "Of two equal cards the first wins: Ben takes"), (lower, "Ben takes it")):
        plays = tuple(map(Play, NAMES[1:3], cards))
        game, state = waits(Phase.PICK_UP, trick=Trick(plays, "Ben", "Ben"))
        pick_up = Expected(Phase.PICK_UP, ("Ben",), "Ben")
        assert help_of(seen(game, state, pick_up)).startswith(told)


def test_the_winners_are_named_at_the_end() -> None:
    over = Expected(Phase.OVER, (), None)
    game, state = waits(Phase.OVER, winners=("Ada",))
    assert phrase_text(headline_phrase(seen(game, state, over))) == "Ada wins!"
    assert (
        phrase_text(headline_phrase(seen(game, replace(state, winners=("Ada", "Ben")), over)))
        == "Ada and Ben share the win!"
    )
    assert phrase_text(headline_phrase(seen(game, replace(state, winners=()), over))) == "The game is over"


def test_at_the_end_a_rap_is_asked_for_only_where_something_comes_next() -> None:
    over = Expected(Phase.OVER, (), None)
    game, state = waits(Phase.OVER, winners=("Ada",))
    assert headline_help(seen(game, state, over)) is None
    assert "RAP" in help_of(seen(game, state, over, awaits_next_choice=True))


def test_the_one_card_hand_is_counted_onto_the_forehead_and_then_bid_for() -> None:
    game, state = waits(Phase.BID, cards=1)
    view = seen(game, state, Expected(Phase.BID, NAMES[:3], "Ben", anyone_may_act=True))
    assert "forehead" in help_of(replace(view, dealt_ns=0, now_ns=1_000 * MS))
    assert help_of(replace(view, dealt_ns=0, now_ns=6_000 * MS)).startswith("tap BID once per trick")


def test_who_must_lead_is_told_that_tied_cards_go_back_first() -> None:
    game, state = waits(Phase.LEAD, bids=(("Ben", 1),))
    view = seen(game, state, Expected(Phase.LEAD, ("Ben",), "Ben"))
    assert help_of(view) == "Lay a card on the mark"
    back = replace(view, cards_on_mark=(lying(1, "4C", "Cleo", "back"),))
    assert help_of(back) == "First the cards on the mark go back, then lay yours"


def auction(shown: str | None = None, highest: Contract | None = None) -> View:
    """Israeli Whist, in which it is Ada's turn; ``shown``: on her dial."""
    game = make_game("israeli-whist", NAMES[:4], {"target": 300})
    passes: tuple[tuple[str, CallValue], ...] = tuple((seat, PASS) for seat in NAMES[:3])
    calls = () if highest is None else (*passes, ("Dmitri", highest))
    state = replace(game.start().state, phase=Phase.AUCTION, calls=calls)
    dial = new_dial(game, state, "Ada")
    view = seen(game, state, Expected(Phase.AUCTION, ("Ada",), "Ada"))
    return replace(view, dial=None if shown is None else replace(dial, shown=shown))


@pytest.mark.parametrize(
    ("view", "kind", "told"),
    [
        (auction(), "two", "tap BID for 5♣, each tap one step higher; press RAP to pass"),
        (
            auction(highest=Contract(6, "D")),
            "two",
            "tap BID for 6♥, each tap one step higher; press RAP to pass",
        ),
        (auction("5H"), "two", "press RAP to bid 5♥; tap BID for 5♠, hold BID for 6♥"),
        (auction("5H"), "knock", "knock to bid 5♥; tap BID for 5♠, hold BID for 6♥"),
        (auction("5H"), "one", "hold your button to bid 5♥; tap your button for 5♠"),
        (auction("13H"), "two", "press RAP to bid 13♥; tap BID for 13♠"),
        (auction("13NT"), "two", "press RAP to bid 13 NT"),
    ],
)
def test_in_an_auction_each_gesture_is_told_with_what_it_bids_now(
    view: View, kind: SeatKind, told: str
) -> None:
    assert help_of(replace(view, controls={"Ada": Controls(kind)})) == told


def test_keys_are_named_as_they_stand_on_the_plate_and_together_by_their_row() -> None:
    keys = {seat: Controls(keys=(str(at), "QWE"[at - 1])) for at, seat in enumerate(NAMES[:3], start=1)}
    game, state = waits(Phase.BID, bids=(("Cleo", 1),))
    for expected, told in (
        (Expected(Phase.BID, ("Ben",), "Ben"), "tap key 2 once per trick, hold it for 0"),
        (
            Expected(Phase.BID, NAMES[:2], "Ben", anyone_may_act=True),
            "tap your first key once per trick, hold it for 0; press your second key to let others bid first",
        ),
    ):
        assert help_of(replace(seen(game, state, expected), controls=keys)) == told


def test_the_forbidden_number_is_the_one_that_makes_the_sum_even() -> None:
    # RULES.md: seven cards, bids 2 and 4, the last of three may bid 0 or 2 to 7.
    game, state = waits(Phase.BID, bids=(("Ben", 2), ("Cleo", 4)))
    assert forbidden_bids(game, state) == ("Ada", (1,))
    assert forbidden_bids(game, replace(state, bids=(("Ben", 2),))) is None
    assert forbidden_bids(game, replace(state, phase=Phase.LEAD)) is None


def test_every_moment_has_a_headline() -> None:
    for name, view in (*moments(NAMES[:4]), *odd_moments(NAMES[:4])):
        assert headline_phrase(view), name


ONE = dict.fromkeys(NAMES, Controls("one"))
MIXED = {"Ada": Controls("two"), "Ben": Controls("one"), "Cleo": Controls("knock")}


def told_to(controls: dict[str, Controls]) -> dict[str, str]:
    """What the seats are told to do at every moment of every kind."""
    found = {}
    for name, view in (*moments(NAMES[:3]), *odd_moments(NAMES[:3])):
        found[name] = help_of(replace(view, controls=controls))
    return {**found, "paused": help_of(replace(view, controls=controls, paused=True))}


def test_nobody_with_one_button_is_told_to_rap() -> None:
    told = told_to(ONE)
    assert [name for name, help_line in told.items() if re.search(r"\b[Rr][Aa][Pp]", help_line)] == []
    assert told["game-over"] == "hold your button to choose what comes next"
    assert told["paused"] == "nothing counts; anybody: hold your button to go on"


def test_where_seats_have_different_buttons_each_way_is_named() -> None:
    told = told_to(MIXED)
    assert (
        told["lead-open"]
        == "Lay a card on the mark, or press RAP, hold your button or knock to let others lead first"
    )
    assert (
        told["bid-open"] == "tap once per trick; press RAP, hold your button or knock to let others bid first"
    )
    assert told["paused"] == "nothing counts; anybody: press RAP, hold your button or knock to go on"
    assert told["bid-last"] == told_to(ONE | {"Ada": Controls("two")})["bid-last"], "who is spoken to counts"


@pytest.mark.parametrize("language", languages())
def test_what_the_table_waits_for_is_said_without_a_gesture(language: str) -> None:
    words = load_catalogue(language)
    raps = {"en": "rap", "de": "klopf", "fr": "toq", "he": "הקיש"}[language]
    said = [code for code in words.entries if code.startswith("waits.")]
    said += ["refused.not_dealt", "refused.not_ready", "panel.settled", "panel.pause", "menu.ends_enrolling"]
    assert [code for code in said if raps in str(words.entries[code]).lower()] == []
