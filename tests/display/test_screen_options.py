"""How a screen is set up: suits of four colours, and what is a player's turned to that player where it lies flat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.cards import SUITS, Card, Contract, card
from table.config.settings import PLAIN_SCREEN, ScreenConfig
from table.display.drawing.boxes import rotate_box
from table.display.drawing.canvas import Canvas
from table.display.drawing.card_faces import draw_captioned_card_face, draw_card_face
from table.display.drawing.colours import BLUE, BLUE_ON_DARK, GREEN, GREEN_ON_DARK, INK, TEXT, Colour
from table.display.drawing.text_fitting import render_line
from table.display.table_view.screen_layout import layout_screen, layout_table
from table.display.view_picture import draw_canvas, layout_seats
from table.events.event_spec import Play
from table.games.engine.game_state import Phase, Trick
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase
from table.referee.model.bid_dial import Dial
from table.referee.model.view import OpenOptions, View
from tests.display.everything import FLAT, SIZES
from tests.display.views import NAMES, even_angles, game_moments, lying, moments, notice, odd_moments

FOUR = ScreenConfig(four_colours=True)
SIZE = (1280, 720)
CLUBS, DIAMONDS = {GREEN, GREEN_ON_DARK}, {BLUE, BLUE_ON_DARK}


def has(surface: pygame.Surface, colours: set[Colour]) -> bool:
    """Whether some of it, more than a few pixels, is of one of these."""
    return any(pygame.mask.from_threshold(surface, colour, (3, 3, 3, 255)).count() > 12 for colour in colours)


# --- four colours -----------------------------------------------------------------------------------------


def base(**state: Any) -> View:
    view = dict(odd_moments(NAMES[:4]))["turned-bid"]
    return replace(view, state=replace(view.state, turned=None, trump="S", **state))


def in_trick(suit: str) -> View:
    return base(phase=Phase.FOLLOW, trick=Trick((Play("Ada", card(f"9{suit}")),), "Ada"))


def turned_up(suit: str) -> View:
    view = base()
    return replace(view, state=replace(view.state, turned=card(f"9{suit}")))


def as_trumps(suit: str) -> View:
    view = base()
    return replace(view, state=replace(view.state, trump=suit))


def going_back(suit: str) -> View:
    view = in_trick("S")
    return replace(view, cards_on_mark=(lying(1, f"9{suit}", "Ben", "back"),))


def called(suit: str) -> View:
    view = dict(odd_moments(NAMES[:4]))["auction"]
    return replace(view, state=replace(view.state, bids=(), calls=(("Ben", Contract(6, suit)),)))


def dialled(suit: str) -> View:
    view = dict(odd_moments(NAMES[:4]))["name-suit"]
    return replace(view, dial=Dial("Ada", ("S", suit), suit, 3 * 10**9, 2 * 10**9))


def told(suit: str) -> View:
    return replace(base(), notices=notice(f"9{'♣' if suit == 'C' else '♦'}"))


def named(suit: str) -> View:
    view = dict(game_moments(NAMES[:4]))["joker-named"]
    trick = view.state.trick._replace(named=suit)
    return replace(view, state=replace(view.state, trick=trick))


def to_choose(suit: str) -> View:
    lines = (make_phrase("panel.close"), make_phrase("panel.card", card=f"Q{suit}"))
    return replace(in_trick("S"), panel=OpenOptions("Ada", lines, 0))


PLACES = (in_trick, turned_up, as_trumps, called, dialled, told, named, to_choose)


@pytest.mark.parametrize("look", [FOUR, replace(FOUR, lies_flat=True)], ids=["", "flat"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_clubs_are_green_and_diamonds_blue_wherever_a_suit_is_drawn(
    place: Callable[[str], View], look: ScreenConfig
) -> None:
    for suit, its, other in (("C", CLUBS, DIAMONDS), ("D", DIAMONDS, CLUBS)):
        assert has(draw_canvas(place(suit), SIZE, look).surface, its), suit
        assert not has(draw_canvas(place(suit), SIZE, look).surface, other), suit
        assert not has(draw_canvas(place(suit), SIZE, PLAIN_SCREEN).surface, its), suit


def test_a_pale_card_and_one_that_goes_back_keep_their_suits_colour() -> None:
    for draws in (lambda one, four: draw_card_face(one, (70, 100), pale=True, four=four), going):
        pictures = {
            pygame.image.tobytes(draws(card(f"9{suit}"), four), "RGB")
            for suit in SUITS
            for four in (False, True)
        }
        assert len(pictures) == 6, "clubs and diamonds differ, hearts and spades don't"


def going(one: Card, four: bool) -> pygame.Surface:
    return draw_captioned_card_face(one, (70, 100), four=four)


@pytest.mark.parametrize(("ground", "on"), [(TEXT, "dark"), (INK, "paper")])
def test_four_suits_in_a_line_have_four_colours(ground: Colour, on: str) -> None:
    colours = set()
    for sign in "♠♥♦♣":
        drawn = render_line(sign, 60, ground, four=True)
        colours.add(tuple(drawn.get_at((drawn.get_width() // 2, drawn.get_height() * 6 // 10)))[:3])
    assert len(colours) == 4, on


# --- lying flat -------------------------------------------------------------------------------------------


def test_a_name_stands_with_its_foot_towards_its_player() -> None:
    view = dict(moments(NAMES[:4]))["follow"]
    canvas = draw_canvas(view, SIZE, FLAT)
    quarters = {one.text: one.quarters % 4 for one in canvas.placed if one.text in NAMES}
    # Ada sits below, Ben on the left, Cleo above, Dmitri on the right.
    assert quarters == {"Ada": 0, "Ben": 1, "Cleo": 2, "Dmitri": 3}
    assert all(one.quarters == 0 for one in draw_canvas(view, SIZE).placed)


@pytest.mark.parametrize("players", [2, 3, 5, 7])
@pytest.mark.parametrize("size", [size for size, _ in SIZES])
def test_what_is_turned_lies_at_its_players_edge_and_upon_nothing_else(
    size: tuple[int, int], players: int
) -> None:
    seats = NAMES[:players]
    places = layout_table(size, even_angles(seats), lies_flat=True)
    apart(size, places.plates.values(), places.spots.values())
    middle = layout_screen(size).middle
    for seat in seats:
        plate = places.plates[seat]
        gaps = (
            middle.bottom - plate.bottom,
            plate.left - middle.left,
            plate.top - middle.top,
            middle.right - plate.right,
        )
        assert gaps[places.turns[seat]] <= 1
        assert (plate.width > plate.height) is (places.turns[seat] % 2 == 0)
        assert (places.spots[seat].width > places.spots[seat].height) is (places.turns[seat] % 2 == 1)


@given(
    st.lists(st.integers(-360, 720), min_size=2, max_size=7, unique_by=lambda angle: angle % 360),
    st.sampled_from([size for size, _ in SIZES]),
)
def test_turned_plates_and_cards_never_overlap_wherever_the_players_sit(
    angles: list[int], size: tuple[int, int]
) -> None:
    names = {f"seat {number}": float(angle) for number, angle in enumerate(angles)}
    places = layout_table(size, names, lies_flat=True)
    apart(size, places.plates.values())
    apart(size, places.spots.values())


def apart(size: tuple[int, int], *boxes: Iterable[pygame.Rect]) -> None:
    every = [box for some in boxes for box in some]
    assert not [(one, other) for one, other in combinations(every, 2) if one.colliderect(other)]
    assert all(layout_screen(size).middle.contains(box) for box in every)


def test_a_card_is_read_from_both_its_ends() -> None:
    for one in ("9H", "6S", "10C", "QD"):
        drawn = draw_card_face(card(one), (140, 200), both_ends=True)
        turned = pygame.transform.rotate(drawn, 180)
        differs = pygame.mask.from_threshold(drawn, (0, 0, 0), (40, 40, 40, 255), turned)
        assert differs.count() >= 0.97 * 140 * 200


@pytest.mark.parametrize("seat", NAMES[:4])
def test_a_panel_a_dial_and_a_call_to_act_are_turned_to_whom_they_belong(seat: str) -> None:
    turn = dict(zip(NAMES[:4], (0, 1, 2, 3), strict=True))[seat]
    lines = (make_phrase("panel.misdeal"), make_phrase("panel.close"))
    panel = replace(dict(moments(NAMES[:4]))["follow"], panel=OpenOptions(seat, lines, 0))
    assert turns_of(panel, phrase_text(lines[0])) == {turn}
    dial = replace(
        dict(odd_moments(NAMES[:4]))["auction"], dial=Dial(seat, ("6C", "6D"), "6D", 3 * 10**9, 2 * 10**9)
    )
    assert turns_of(dial, "6♦") == {turn}


def turns_of(view: View, said: str) -> set[int]:
    found = {one.quarters % 4 for one in draw_canvas(view, SIZE, FLAT).placed if one.text == said}
    assert found, said
    return found


def test_a_box_turns_with_its_picture() -> None:
    surface = pygame.Surface((50, 30))
    box = pygame.Rect(4, 2, 10, 5)
    surface.fill((255, 255, 255), box)
    for quarters in range(5):
        turned = pygame.transform.rotate(surface, -90 * quarters)
        white = pygame.mask.from_threshold(turned, (255, 255, 255), (1, 1, 1, 255)).get_bounding_rects()
        assert white == [rotate_box(box, (50, 30), quarters)]


def test_what_is_drawn_on_a_turned_part_is_known_where_it_stands() -> None:
    canvas = Canvas((400, 300), FLAT)
    room = pygame.Rect(40, 30, 100, 200)
    with canvas.rotated(room, 1) as (part, inside):
        assert inside.size == (200, 100)
        part.draw_text("Ada", inside, 40, align=0, valign=0)
    (placed,) = canvas.placed
    assert room.contains(placed.ink)
    # Its first letter is at the top, its foot to the left.
    assert placed.ink.top == room.top
    assert placed.ink.right == room.right
    ink = pygame.mask.from_threshold(canvas.surface, TEXT, (120, 120, 120, 255)).get_bounding_rects()
    assert placed.ink.contains(ink[0].unionall(ink[1:]))


def test_the_seats_of_a_flat_screen_are_those_of_the_view() -> None:
    view = replace(dict(moments(NAMES[:3]))["follow"], seat_angles={})
    assert set(layout_seats(view, SIZE, FLAT).plates) == set(NAMES[:3])


@pytest.mark.parametrize(("moment", "turned"), [("follow", 2), ("bid-open", 0)])
def test_a_headline_is_turned_to_whom_it_calls_across_the_table_and_to_nobody_else(
    moment: str, turned: int
) -> None:
    view = dict(moments(NAMES[:4]))[moment]
    view = replace(view, expected=replace(view.expected, default_seat="Cleo"))
    headline = layout_screen(SIZE).headline
    found = {one.quarters for one in draw_canvas(view, SIZE, FLAT).placed if headline.contains(one.ink)}
    assert found == {turned}
    beside = replace(view, expected=replace(view.expected, default_seat="Ben"))
    assert 2 not in {
        one.quarters for one in draw_canvas(beside, SIZE, FLAT).placed if headline.contains(one.ink)
    }


def test_over_a_sheet_that_lies_flat_the_headline_is_read_with_it() -> None:
    view = dict(moments(NAMES[:4]))["hand-scored"]
    view = replace(view, expected=replace(view.expected, default_seat="Cleo"))
    assert {one.quarters for one in draw_canvas(view, SIZE, FLAT).placed} == {0}


def test_the_crown_on_the_winning_card_hides_no_rank_from_those_across_the_table() -> None:
    view = dict(moments(NAMES[:4]))["trick-won"]
    trick = view.state.trick
    won = next(one for one in trick.plays if one.seat == trick.winner)
    places = layout_seats(view, SIZE, FLAT)
    spot, turn = places.spots[won.seat], places.turn_of(won.seat)
    drawn = pygame.transform.rotate(draw_canvas(view, SIZE, FLAT).surface.subsurface(spot), 90 * turn)
    wide, high = drawn.get_size()
    plain = draw_card_face(won.card, (wide, high), both_ends=True)
    for end in (
        pygame.Rect(0, high // 12, wide // 2, high * 3 // 10),
        pygame.Rect(wide // 2, high * 61 // 100, wide // 2, high * 3 // 10),
    ):
        assert pygame.image.tobytes(drawn.subsurface(end), "RGB") == pygame.image.tobytes(
            plain.subsurface(end), "RGB"
        )
