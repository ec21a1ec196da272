"""Draw a view as a picture that depends on the view, the size and the screen options alone.

Everything on the picture is in the view; what the view hides (a bid under way, secret bids) cannot be guessed from it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import pygame

from table.config.settings import MIN_WINDOW_SIZE, PLAIN_SCREEN, ScreenConfig
from table.display.drawing.boxes import Size, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, FELT, FELT_EDGE, PANEL_DEEP, Colour
from table.display.pages.menu_page import draw_menu
from table.display.pages.moment_pages import decode_picture, draw_moment
from table.display.pages.score_sheet import PAGE_NS, count_turned_pages, draw_current_page
from table.display.table_view.correction_panel_view import draw_choices
from table.display.table_view.header_and_footer import current_notices, draw_header_and_footer
from table.display.table_view.prompts_and_gestures import countdown_phrase
from table.display.table_view.screen_layout import TableLayout, layout_screen, layout_table
from table.display.table_view.seat_plate import draw_plate, draw_player_list
from table.display.table_view.table_centre import (
    CardKey,
    DrawnCard,
    cards_on_table,
    dial_time_left,
    draw_centre,
)
from table.display.table_view.trick_review_view import draw_review_words, split_off_words, view_of_review
from table.games.engine.game_state import Phase
from table.menu.menu_view_data import MenuView
from table.observed_facts import MS
from table.phrase import WrongValueError, size_phrase
from table.referee.model.view import OpenOptions, TrickReview, View

ScreenView: TypeAlias = View | MenuView
"""A view that the screen can show: of a game or of the menu."""
_PAUSED_LIGHT, _DIMMED_LIGHT = 0.4, 0.15
"""The shares of the brightness that the table keeps during a pause, and the screen while nobody is there."""


def draw_canvas(
    view: ScreenView,
    size: Size,
    look: ScreenConfig = PLAIN_SCREEN,
    coming: frozenset[CardKey] = frozenset(),
    *,
    leaving: bool = False,
) -> Canvas:
    """Draw ``view`` for a screen of ``size`` (width, height in pixels); return the canvas, which records every text.

    ``look`` holds the screen options, the language among them.
    ``coming``: keys of cards that are left out because they are still moving to their places.
    ``leaving``: whether cards move through the middle of the table, which then stays empty. Needs no device.

    Raises ``WrongValueError`` when the screen is too small for a table.
    """
    if size[0] < MIN_WINDOW_SIZE[0] or size[1] < MIN_WINDOW_SIZE[1]:
        raise WrongValueError(
            "image.small_screen", size=size_phrase(size), least=size_phrase(MIN_WINDOW_SIZE)
        )
    canvas = Canvas(size, look)
    if isinstance(view, MenuView):
        with canvas.mirrored_if_rtl():
            draw_menu(canvas, view)
    else:
        _draw_game(canvas, view, coming, leaving)
    if view.dimmed:
        canvas.darken(canvas.surface.get_rect(), _DIMMED_LIGHT)
    return canvas


def _draw_game(canvas: Canvas, view: View, coming: frozenset[CardKey], leaving: bool) -> None:
    boxes = layout_screen(canvas.size)
    places = layout_seats(view, canvas.size, canvas.look)
    with canvas.mirrored_if_rtl():
        draw_header_and_footer(canvas, view, boxes, _headline_turn(view, places))
    if _sheet_is_due(view):
        draw_current_page(canvas, view, boxes.middle)
    elif view.panel is not None and view.panel.review is not None:
        _draw_review(canvas, view, view.panel, view.panel.review)
    elif view.choosing_seat is not None:
        with canvas.rotated(boxes.middle, places.turn_of(view.choosing_seat)) as (part, room):
            _draw_choice(part, view, room)
    elif view.moment is not None:
        with canvas.mirrored_if_rtl():
            draw_moment(canvas, view, view.moment, boxes.middle)
    else:
        _draw_table(canvas, view, places, coming, leaving=leaving)
    if view.paused:
        canvas.darken(boxes.middle, _PAUSED_LIGHT)


def _draw_table(
    canvas: Canvas,
    view: View,
    places: TableLayout,
    coming: frozenset[CardKey] = frozenset(),
    *,
    leaving: bool = False,
    edge: Colour = FELT_EDGE,
) -> None:
    """Draw the cloth with its edge, the players' plates around it, and what lies in the middle."""
    canvas.draw_panel(places.felt, FELT, edge, 5, radius=110)
    for seat, box in places.plates.items():
        draw_plate(canvas, view, seat, box, places.middle.center, places.turn_of(seat))
    draw_centre(canvas, view, places, coming, leaving=leaving)


def _draw_review(canvas: Canvas, view: View, panel: OpenOptions, review: TrickReview) -> None:
    """Draw a moment of an earlier trick: the words about it towards who looks at it, and the table as it was.

    The photo finish of tied leads takes the place of the table.
    """
    with canvas.mirrored_if_rtl():
        words, table = map(canvas.mirror_box, split_off_words(canvas, layout_screen(canvas.size).middle))
    beside = tuple(card.seat for card in review.cards_to_take_back if card.seat is not None)
    places = layout_seats(view, canvas.size, canvas.look, table, beside)
    photo = decode_picture(review.picture)
    if photo is not None:
        canvas.draw_panel(table, PANEL_DEEP, AMBER, 3)
        canvas.draw_surface(photo, canvas.inset(table, 24, 24))
    else:
        _draw_table(canvas, view_of_review(view, review), places, edge=AMBER)
    with canvas.rotated(words, places.turn_of(panel.seat)) as (part, room), part.mirrored_if_rtl():
        draw_review_words(part, view, panel, part.mirror_box(room))


def _headline_turn(view: View, places: TableLayout) -> int:
    """Return the headline's quarter turns: 2 for a player opposite, else 0 (towards the sides there is no room)."""
    expected = view.expected
    calls = not (view.paused or expected.anyone_may_act or _sheet_is_due(view))
    return 2 if calls and places.turn_of(expected.default_seat) == 2 else 0


def _draw_choice(canvas: Canvas, view: View, room: pygame.Rect) -> None:
    """Draw the open panel or question, and the player list beside it."""
    if view.panel is not None and view.panel.reads_rules:
        with canvas.mirrored_if_rtl():
            draw_choices(canvas, view, room)
        return
    options, beside = split(room, "top" if is_upright(room) else "left", 0.62, canvas.px(14))
    with canvas.mirrored_if_rtl():
        draw_choices(canvas, view, options)
        with canvas.unmirrored(beside) as place:
            draw_player_list(canvas, view, place)


def visible_cards(view: ScreenView, size: Size, look: ScreenConfig) -> tuple[DrawnCard, ...] | None:
    """Return the cards of the trick and beside it with their places; None while the picture shows no table."""
    if isinstance(view, MenuView) or _sheet_is_due(view) or view.choosing_seat is not None:
        return None
    if view.moment is not None or view.shown_dial is not None:
        return None
    return cards_on_table(view, size, layout_seats(view, size, look))


def layout_seats(
    view: View,
    size: Size,
    look: ScreenConfig,
    within: pygame.Rect | None = None,
    beside: tuple[str, ...] = (),
) -> TableLayout:
    """Return the layout of the view's seats, plates and cards on a screen of ``size``, as `layout_table` does."""
    seats = view.game.seats
    angles = {
        seat: view.seat_angles.get(seat, 360.0 * number / len(seats)) for number, seat in enumerate(seats)
    }
    return layout_table(size, angles, lies_flat=look.lies_flat, within=within, beside=beside)


def _sheet_is_due(view: View) -> bool:
    """Return whether the score sheet is due: after a hand until the next deal, and at the end; not over a panel."""
    state = view.state
    scored = state.phase is Phase.DEAL and state.results and not view.cards_on_mark and state.turned is None
    free = view.choosing_seat is None and view.moment is None
    return free and (state.phase is Phase.OVER or bool(scored))


def visible_part(view: ScreenView) -> ScreenView:
    """Return ``view`` without what does not affect its picture: equal results give equal pictures."""
    if isinstance(view, MenuView):
        return view
    counting = countdown_phrase(view) is not None or dial_time_left(view) is not None
    turns = count_turned_pages(view)
    now_ns = view.now_ns - view.now_ns % (100 * MS) if counting else turns * PAGE_NS
    notices = tuple(replace(notice, t_ns=now_ns) for notice in current_notices(view))
    shown = () if view.moment is None else (view.moment,)
    moments = tuple(replace(moment, since_ns=now_ns, until_ns=now_ns + 1) for moment in shown)
    return replace(view, notices=notices, now_ns=now_ns, moments=moments, game_over_ns=0 if turns else None)
