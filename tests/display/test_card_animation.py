"""Cards slide to where they belong, at once and for a quarter of a second; what stands still is not drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pygame
import pytest

from table.cards import card
from table.config.settings import PLAIN_SCREEN, ScreenConfig
from table.display.card_animation import (
    MOVE_NS,
    CardMove,
    arriving_keys,
    draw_moves,
    has_departures,
    update_moves,
)
from table.display.drawing.boxes import Size
from table.display.drawing.canvas import Canvas
from table.display.drawing.card_faces import draw_card_picture
from table.display.table_view.screen_layout import layout_screen
from table.display.table_view.table_centre import CardKey
from table.display.view_picture import ScreenView, draw_canvas, layout_seats
from table.display.window import ScreenWindow
from table.games.registry import make_game
from table.observed_facts import MS
from table.phrase import make_phrase
from table.referee.model.view import OpenOptions, View
from tests.display.everything import FLAT
from tests.display.views import NAMES, Player, lying, moments, view_of

SIZE = (640, 360)
TICK = 40 * MS


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScreenWindow]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with ScreenWindow(ScreenConfig(size=SIZE)) as found:
        yield found
    pygame.display.quit()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[ScreenView]:
    """Each picture that is drawn as a whole."""
    found: list[ScreenView] = []

    def noting(
        view: ScreenView,
        size: Size,
        look: ScreenConfig,
        coming: frozenset[CardKey],
        *,
        leaving: bool,
    ) -> Canvas:
        found.append(view)
        return draw_canvas(view, size, look, coming, leaving=leaving)

    monkeypatch.setattr("table.display.window.draw_canvas", noting)
    return found


@pytest.fixture
def flips(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often something new is shown."""
    found: list[int] = []
    monkeypatch.setattr(pygame.display, "flip", lambda: found.append(1))
    return found


def play() -> tuple[View, View, View]:
    """A trick with its last card still out, whole, and taken."""
    player = Player(make_game("whysteria", NAMES[:4], {"hands": [3, 2]}))
    player.deal()
    player.bid_all()
    for _ in range(3):
        player.play()
    game = player.game
    three = view_of(game, player.state)
    player.play()
    four = view_of(game, player.state)
    player.take()
    return three, four, view_of(game, player.state)


def of(found: tuple[CardMove, ...]) -> dict[str, tuple[bool, tuple[int, int], tuple[int, int]]]:
    """Each card's way: whether it comes, and between which two middles."""
    return {str(move.drawn.shown.card): (move.arrives, move.start.center, move.end.center) for move in found}


def test_a_card_that_is_played_comes_from_its_players_plate_and_the_others_lie_still() -> None:
    three, four, _ = play()
    last = four.state.trick.plays[-1]
    places = layout_seats(four, SIZE, PLAIN_SCREEN)
    ways = of(update_moves(three, four, SIZE, PLAIN_SCREEN))
    assert ways == {str(last.card): (True, places.plates[last.seat].center, places.spots[last.seat].center)}


def test_a_trick_that_is_taken_goes_to_who_has_won_it() -> None:
    _, four, taken = play()
    winner = four.state.trick.winner
    assert winner is not None
    places = layout_seats(four, SIZE, PLAIN_SCREEN)
    ways = of(update_moves(four, taken, SIZE, PLAIN_SCREEN))
    assert ways == {
        str(one.card): (False, places.spots[one.seat].center, places.plates[winner].center)
        for one in four.state.trick.plays
    }


def test_a_card_that_is_taken_back_goes_to_its_player() -> None:
    three = play()[0]
    idle = next(
        seat for seat in three.game.seats if seat not in {one.seat for one in three.state.trick.plays}
    )
    stray = replace(three, cards_on_mark=(lying(7, "AS", idle, "back"),))
    (back,) = update_moves(stray, three, SIZE, PLAIN_SCREEN)
    assert (back.arrives, back.drawn.goes_back, back.end.center) == (
        False,
        True,
        layout_seats(three, SIZE, PLAIN_SCREEN).plates[idle].center,
    )


def test_a_card_that_counts_otherwise_by_now_does_not_move() -> None:
    three = play()[0]
    first, *rest = three.state.trick.plays
    waiting = replace(
        three,
        state=replace(three.state, trick=three.state.trick._replace(plays=tuple(rest))),
        cards_on_mark=(lying(7, str(first.card), first.seat, "unread"),),
    )
    assert update_moves(waiting, three, SIZE, PLAIN_SCREEN) == ()


def test_nothing_moves_from_a_panel_from_the_sheet_from_the_first_picture_or_in_the_dark() -> None:
    three, four, _ = play()
    panel = replace(three, panel=OpenOptions("Ada", (make_phrase("panel.close"),), 0))
    sheet = dict(moments(NAMES[:4]))["hand-scored"]
    for before in (None, panel, sheet):
        assert update_moves(before, four, SIZE, PLAIN_SCREEN) == ()
    assert update_moves(three, replace(four, paused=True), SIZE, PLAIN_SCREEN) == ()
    assert update_moves(three, replace(four, dimmed=True), SIZE, PLAIN_SCREEN) == ()


def test_a_card_is_on_its_way_for_a_quarter_of_a_second_fast_at_first() -> None:
    three, four, _ = play()
    (move,) = update_moves(three, four, SIZE, PLAIN_SCREEN)
    began = move.began_ns
    assert MOVE_NS <= 250 * MS
    assert move.box_at(began).center == move.start.center
    assert not move.is_over(began + MOVE_NS - 1)
    assert move.is_over(began + MOVE_NS)
    assert move.is_over(began - 1), "another game's clock"
    half = pygame.Vector2(move.box_at(began + MOVE_NS // 2).center)
    assert half.distance_to(move.end.center) < half.distance_to(move.start.center) / 4


def test_what_comes_next_does_not_wait_for_a_card_that_is_on_its_way() -> None:
    three, four, taken = play()
    first = update_moves(three, four, SIZE, PLAIN_SCREEN)
    soon = replace(taken, now_ns=taken.now_ns + TICK)
    then = update_moves(four, soon, SIZE, PLAIN_SCREEN, first)
    assert {move.drawn.key for move in then} == {(one.seat, one.card) for one in four.state.trick.plays}
    assert arriving_keys(then) == frozenset()


def test_a_cards_way_is_drawn_once_as_a_whole_and_then_nothing_until_something_changes(
    screen: ScreenWindow, drawn: list[ScreenView], flips: list[int]
) -> None:
    three, four, _ = play()
    screen.show(three)
    assert (len(drawn), len(flips)) == (1, 1)
    steps = MOVE_NS // TICK
    for at in range(50):
        screen.show(replace(four, now_ns=four.now_ns + at * TICK))
    # The picture without the card, a few places of the card, and the picture with it.
    assert len(drawn) == 3
    assert len(flips) == 1 + steps + 1


def test_a_still_screen_is_not_drawn_again(
    screen: ScreenWindow, drawn: list[ScreenView], flips: list[int]
) -> None:
    three, _, _ = play()
    for at in range(200):
        screen.show(replace(three, now_ns=three.now_ns + at * TICK))
    assert (len(drawn), len(flips)) == (1, 1)


@pytest.mark.parametrize("look", [PLAIN_SCREEN, FLAT], ids=["", "flat"])
def test_a_card_is_seen_on_its_way_and_in_the_end_the_picture_is_as_without_motion(
    monkeypatch: pytest.MonkeyPatch, look: ScreenConfig
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    three, four, _ = play()
    with ScreenWindow(replace(look, size=SIZE)) as screen:
        seen = []
        for view in (three, *(replace(four, now_ns=four.now_ns + at * TICK) for at in range(8))):
            screen.show(view)
            window = pygame.display.get_surface()
            assert window is not None
            seen.append(pygame.image.tobytes(window, "RGB"))
    still = pygame.image.tobytes(draw_canvas(four, SIZE, look).surface, "RGB")
    steps = MOVE_NS // TICK
    assert len(set(seen[1 : 1 + steps])) == steps
    assert still not in seen[: 1 + steps]
    assert seen[-1] == still
    pygame.display.quit()


def test_the_words_of_a_change_are_there_at_once(screen: ScreenWindow) -> None:
    three, four, _ = play()
    screen.show(three)
    screen.show(four)
    window = pygame.display.get_surface()
    assert window is not None
    whole = draw_canvas(four, SIZE).surface
    headline = pygame.Rect(SIZE[0] // 4, 0, SIZE[0] // 2, SIZE[1] // 8)
    assert pygame.image.tobytes(window.subsurface(headline), "RGB") == pygame.image.tobytes(
        whole.subsurface(headline), "RGB"
    )


def test_nothing_is_drawn_over_a_trick_that_moves_to_its_winner_and_it_covers_no_words() -> None:
    _, four, taken = play()
    under_way = update_moves(four, taken, SIZE, PLAIN_SCREEN)
    winner = four.state.trick.winner
    assert winner is not None
    bare = draw_canvas(taken, SIZE, leaving=has_departures(under_way))
    middle, plates = layout_screen(SIZE).middle, list(layout_seats(taken, SIZE, PLAIN_SCREEN).plates.values())
    on_table = [one for one in bare.placed if middle.contains(one.ink) and one.ink.collidelist(plates) < 0]
    assert on_table == [], "the words stand there once the cards have gone"
    uppermost = under_way[-1]
    for at in range(0, MOVE_NS, TICK):
        surface = pygame.Surface(SIZE, depth=32)
        then = replace(taken, now_ns=taken.now_ns + at)
        draw_moves(surface, bare.surface, then, PLAIN_SCREEN, under_way)
        box = uppermost.box_at(then.now_ns)
        whole = pygame.transform.smoothscale(
            draw_card_picture(uppermost.drawn.shown.card, uppermost.start.size, PLAIN_SCREEN), box.size
        )
        inner = whole.get_rect().inflate(-box.width // 3, -box.height // 3)
        seen, card = (
            pygame.surfarray.array3d(part).astype(int)
            for part in (surface.subsurface(inner.move(box.topleft)), whole.subsurface(inner))
        )
        assert np.abs(seen - card).max() < 10
    # It has become so small that it covers no more than a part of the winner's plate.
    assert uppermost.end.height < layout_seats(taken, SIZE, PLAIN_SCREEN).plates[winner].height


def test_the_same_card_of_two_players_is_two_cards() -> None:
    game = make_game("whysteria", NAMES[:4])
    three = play()[0]
    state = replace(three.state, trick=three.state.trick._replace(plays=()))
    one, two = (
        view_of(game, state, cards_on_mark=(lying(1, "9H", seat, "unread"),)) for seat in ("Ada", "Ben")
    )
    assert sorted(move.arrives for move in update_moves(one, two, SIZE, PLAIN_SCREEN)) == [False, True]
    assert card("9H") in {move.drawn.shown.card for move in update_moves(one, two, SIZE, PLAIN_SCREEN)}


def test_a_view_without_an_event_in_between_moves_nothing() -> None:
    three, four, _ = play()
    assert update_moves(four, replace(four, now_ns=four.now_ns + 10 * TICK), SIZE, PLAIN_SCREEN) == ()
    assert update_moves(three, three, SIZE, PLAIN_SCREEN) == ()
