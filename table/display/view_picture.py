"""Draw a view as a picture that depends on the view, the size and the screen options alone.

Everything on the picture is in the view; what the view hides (a bid under way, secret bids) cannot be guessed from it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import pygame

from table.config.settings import MIN_WINDOW_SIZE
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    FELT,
    FELT_EDGE,
    TEXT,
    Size,
)
from table.display.drawing.screen_options import PLAIN, ScreenOptions
from table.display.pages.end_of_game_pages import PAGE_NS, count_turned_pages, draw_current_page
from table.display.pages.menu_page import draw_menu
from table.display.table_view import seat_plate, trick_cards
from table.display.table_view.bidding_centre import countdown_phrase, dial_time_left, draw_bidding, draw_dial
from table.display.table_view.correction_panel_view import draw_correction_panel, draw_taken_question
from table.display.table_view.gesture_hints import gesture_hints_for
from table.display.table_view.header_and_footer import current_notices, draw_header_and_footer
from table.display.table_view.player_column import draw_player_list
from table.display.table_view.screen_layout import ScreenLayout, is_upright, layout_screen
from table.display.table_view.table_layout import TableLayout, layout_table
from table.games.engine.game_state import Phase
from table.i18n.phrase_rendering import PhraseRenderer
from table.i18n.terminal_output import terminal_renderer
from table.menu.menu_view_data import MenuView
from table.observed_facts import MS
from table.phrase import WrongValueError, make_phrase, size_phrase
from table.referee.model.view import View, find_turned_up

ScreenView: TypeAlias = View | MenuView
"""A view that the screen can show: of a game or of the menu."""
PANEL_SHARE = 0.62
"""The share of the width that an open panel takes."""
PAUSED_LIGHT = 0.4
"""The share of the brightness that the table keeps while the game is paused."""
DIMMED_LIGHT = 0.15
"""The share of the brightness that the whole screen keeps while nobody is there."""


def draw(
    view: ScreenView,
    size: Size,
    words: PhraseRenderer | None = None,
    look: ScreenOptions = PLAIN,
    coming: frozenset[trick_cards.CardKey] = frozenset(),
    *,
    leaving: bool = False,
) -> pygame.Surface:
    """Draw ``view`` for a screen of ``size`` (width, height in pixels) and return the surface. Needs no device.

    ``words`` renders phrases in the picture's language (default: the terminal's). ``look`` holds the screen options.
    ``coming``: keys of cards that are left out because they are still moving to their places.
    ``leaving``: whether cards move through the middle of the table, which then stays empty.

    Raises ``WrongValueError`` when the screen is too small for a table.
    """
    return draw_canvas(view, size, words, look, coming, leaving=leaving).surface


def draw_canvas(
    view: ScreenView,
    size: Size,
    words: PhraseRenderer | None = None,
    look: ScreenOptions = PLAIN,
    coming: frozenset[trick_cards.CardKey] = frozenset(),
    *,
    leaving: bool = False,
) -> Canvas:
    """Draw ``view`` as :func:`draw` does, and return the canvas, which records every text that was written."""
    if size[0] < MIN_WINDOW_SIZE[0] or size[1] < MIN_WINDOW_SIZE[1]:
        raise WrongValueError(
            "image.small_screen", size=size_phrase(size), least=size_phrase(MIN_WINDOW_SIZE)
        )
    canvas = Canvas(size, words or terminal_renderer(), look)
    if isinstance(view, MenuView):
        with canvas.mirrored_if_rtl():
            draw_menu(canvas, view)
    else:
        _draw_game(canvas, view, coming, leaving)
    if view.dimmed:
        canvas.darken(canvas.surface.get_rect(), DIMMED_LIGHT)
    return canvas


def _draw_game(canvas: Canvas, view: View, coming: frozenset[trick_cards.CardKey], leaving: bool) -> None:
    boxes = layout_screen(canvas.size)
    places = layout_seats(view, canvas.size, canvas.look)
    with canvas.mirrored_if_rtl():
        draw_header_and_footer(canvas, view, boxes, _headline_turn(view, places))
    if _sheet_is_due(view):
        draw_current_page(canvas, view, boxes.middle)
    else:
        _draw_table(canvas, view, boxes, places, coming, leaving)
    if view.paused:
        canvas.darken(boxes.middle, PAUSED_LIGHT)


def _headline_turn(view: View, places: TableLayout) -> int:
    """Return the headline's rotation in quarter turns: 2 for a player on the opposite side, else 0.

    Towards the sides there is no room for it.
    """
    expected = view.expected
    calls = not (view.paused or expected.anyone_may_act or _sheet_is_due(view))
    return 2 if calls and places.turn_of(expected.default_seat) == 2 else 0


def _split_middle(canvas: Canvas, middle: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
    """Split the middle into room for the options and, beside it, room for the table."""
    left = pygame.Rect(middle)
    if is_upright(middle):
        left.height = round(middle.height * PANEL_SHARE)
        below = left.bottom + canvas.px(14)
        return left, pygame.Rect(middle.left, below, middle.width, middle.bottom - below)
    left.width = round(middle.width * PANEL_SHARE)
    right = pygame.Rect(left.right + canvas.px(14), middle.top, 0, middle.height)
    right.width = middle.right - right.left
    return left, right


def _is_choosing(view: View) -> bool:
    """Return whether a player has a panel open or has taken up a question."""
    return view.panel is not None or (view.question is not None and view.question.seat is not None)


def _is_dial_visible(view: View) -> bool:
    """Return whether a dial is visible."""
    return view.dial is not None and view.dial.shown is not None


def _choosing_seat(view: View) -> str | None:
    """Return the seat whose buttons control the open panel or question."""
    question = view.question
    return view.panel.seat if view.panel is not None else question.seat if question is not None else None


def _draw_choice(canvas: Canvas, view: View, room: pygame.Rect) -> None:
    """Draw the open panel or question, and the player list beside it."""
    beside, at_table = _split_middle(canvas, room)
    with canvas.mirrored_if_rtl():
        at_table = canvas.mirror_box(at_table)
        if view.panel is not None:
            draw_correction_panel(
                canvas,
                view.panel,
                beside,
                view.game.seats,
                gesture_hints_for((view.panel.seat,), view.controls),
            )
        elif view.question is not None:
            draw_taken_question(
                canvas,
                view.question,
                beside,
                view.game.seats,
                gesture_hints_for((view.question.seat or "",), view.controls),
            )
    draw_player_list(canvas, view, at_table)


def visible_cards(
    view: ScreenView, size: Size, look: ScreenOptions
) -> tuple[trick_cards.DrawnCard, ...] | None:
    """Return the cards of the trick and beside it with their places; None while the picture shows no table."""
    if isinstance(view, MenuView) or _is_choosing(view) or _sheet_is_due(view) or _is_dial_visible(view):
        return None
    return trick_cards.cards_on_table(view, size, layout_seats(view, size, look))


def layout_seats(view: View, size: Size, look: ScreenOptions) -> TableLayout:
    """Return the layout of the view's seats, plates and cards on a screen of ``size``."""
    seats = view.game.seats
    angles = {
        seat: view.seat_angles.get(seat, 360.0 * number / len(seats)) for number, seat in enumerate(seats)
    }
    return layout_table(size, angles, lies_flat=look.lies_flat)


def _sheet_is_due(view: View) -> bool:
    """Return whether the score sheet is due: after a hand until the next deal or turn-up, and at the end of the game.

    An open panel takes precedence.
    """
    if _is_choosing(view):
        return False
    if view.state.phase is Phase.OVER:
        return True
    return (
        view.state.phase is Phase.DEAL
        and bool(view.state.results)
        and not view.cards_on_mark
        and view.state.turned is None
    )


def visible_part(view: ScreenView) -> ScreenView:
    """Return ``view`` without what does not affect its picture: equal results give equal pictures."""
    if isinstance(view, MenuView):
        return view
    counting = countdown_phrase(view) is not None or dial_time_left(view) is not None
    turns = count_turned_pages(view)
    now_ns = view.now_ns - view.now_ns % (100 * MS) if counting else turns * PAGE_NS
    notices = tuple(replace(notice, t_ns=now_ns) for notice in current_notices(view))
    return replace(view, notices=notices, now_ns=now_ns, game_over_ns=0 if turns else None)


def _draw_table(
    canvas: Canvas,
    view: View,
    boxes: ScreenLayout,
    places: TableLayout,
    coming: frozenset[trick_cards.CardKey],
    leaving: bool,
) -> None:
    middle = boxes.middle
    if _is_choosing(view):
        with canvas.rotated(middle, places.turn_of(_choosing_seat(view))) as (part, room):
            _draw_choice(part, view, room)
        return
    canvas.draw_panel(places.felt, FELT, FELT_EDGE, 5, radius=110)
    for seat, box in places.plates.items():
        seat_plate.draw_plate(canvas, view, seat, box, middle.center, places.turn_of(seat))
    if view.dial is not None and _is_dial_visible(view):
        with canvas.rotated(places.centre, places.turn_of(view.dial.seat)) as (part, room):
            draw_dial(part, view, room)
        return
    if view.state.trick.plays or any(lying.status != "turned up" for lying in view.cards_on_mark):
        trick_cards.draw_trick(canvas, view, places, coming)
    elif not leaving:
        _draw_centre(canvas, view, places.centre)


def _draw_centre(canvas: Canvas, view: View, inner: pygame.Rect) -> None:
    """Draw the middle of the table while no card of a trick lies there."""
    if view.state.phase in (Phase.BID, Phase.SECRET_BID, Phase.AUCTION):
        draw_bidding(canvas, view, inner)
    elif view.state.phase in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS):
        trick_cards.draw_deal(canvas, view, inner)
    elif (turned_card := find_turned_up(view)) is not None and turned_card.card is not None:
        trick_cards.draw_turned_up_card(canvas, turned_card.card, inner)
    elif view.state.tricks:
        last = view.state.tricks[-1]
        caption = make_phrase("screen.took_trick", seat=last.winner, trick=len(view.state.tricks))
        canvas.draw_text(caption, inner, 44, TEXT, lines=3, afar=True, among=view.game.seats, strong=True)
