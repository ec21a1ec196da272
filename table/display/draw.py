"""The picture of a view: a function of the view and of the size alone.

Everything on it is in the view; what is hidden there (a bid under way, bids made in secret) can't be guessed from it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import pygame

from table.config import LEAST_SCREEN
from table.display import plate, trick
from table.display.bands import current_notices, draw_bands
from table.display.canvas import Canvas
from table.display.centre import count_down, dial_part, draw_bidding, draw_dial
from table.display.choices import draw_answers, draw_panel
from table.display.layout import Layout, layout, upright
from table.display.look import PLAIN, Look
from table.display.menu import draw_menu
from table.display.pages import PAGE_NS, draw_page, turned
from table.display.press import pressing
from table.display.roster import draw_roster
from table.display.seating import Seating, seating
from table.display.theme import (
    FELT,
    FELT_EDGE,
    TEXT,
    Size,
)
from table.facts import MS
from table.games.base import Phase
from table.menu.view import MenuView
from table.phrase import WrongValueError, dimensions, say
from table.referee.view import View, turned_up
from table.words.render import Words
from table.words.spoken import spoken

Shown: TypeAlias = View | MenuView
"""What the screen can show."""
CHOICES = 0.62
"""The part of the width that an open panel takes."""
PAUSED = 0.4
"""The light that is left to the table while nothing counts ..."""
DIMMED = 0.15
"""... and to the whole screen while nobody is there."""


def draw(
    view: Shown,
    size: Size,
    words: Words | None = None,
    look: Look = PLAIN,
    coming: frozenset[trick.Key] = frozenset(),
    *,
    leaving: bool = False,
) -> pygame.Surface:
    """The picture of ``view`` on a screen of ``size`` (width, height in pixels). Needs no device.

    ``words``: its language; the one that is spoken where none is given. ``look``: as the screen is set up.
    ``coming``: the cards that are left out, for they are still on their way to their places. ``leaving``: whether cards
    go through the middle of the table, where nothing stands meanwhile.

    ``WrongValueError`` for a screen too small to draw a table on.
    """
    return picture(view, size, words, look, coming, leaving=leaving).surface


def picture(
    view: Shown,
    size: Size,
    words: Words | None = None,
    look: Look = PLAIN,
    coming: frozenset[trick.Key] = frozenset(),
    *,
    leaving: bool = False,
) -> Canvas:
    """As :func:`draw`, with the record of every text that was written."""
    if size[0] < LEAST_SCREEN[0] or size[1] < LEAST_SCREEN[1]:
        raise WrongValueError("image.small_screen", size=dimensions(size), least=dimensions(LEAST_SCREEN))
    canvas = Canvas(size, words or spoken(), look)
    if isinstance(view, MenuView):
        with canvas.as_written():
            draw_menu(canvas, view)
    else:
        _game(canvas, view, coming, leaving)
    if view.dimmed:
        canvas.shade(canvas.surface.get_rect(), DIMMED)
    return canvas


def _game(canvas: Canvas, view: View, coming: frozenset[trick.Key], leaving: bool) -> None:
    boxes = layout(canvas.size)
    places = seated(view, canvas.size, canvas.look)
    with canvas.as_written():
        draw_bands(canvas, view, boxes, _headline_turn(view, places))
    if _sheet_is_due(view):
        draw_page(canvas, view, boxes.middle)
    else:
        _table(canvas, view, boxes, places, coming, leaving)
    if view.paused:
        canvas.shade(boxes.middle, PAUSED)


def _headline_turn(view: View, places: Seating) -> int:
    """Across the table the headline is turned to whom it calls; to the sides it has no room to be."""
    expected = view.expected
    calls = not (view.paused or expected.free or _sheet_is_due(view))
    return 2 if calls and places.turn(expected.default) == 2 else 0


def _parted(canvas: Canvas, middle: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
    """Room for what is chosen, and beside it room for the table."""
    left = pygame.Rect(middle)
    if upright(middle):
        left.height = round(middle.height * CHOICES)
        below = left.bottom + canvas.px(14)
        return left, pygame.Rect(middle.left, below, middle.width, middle.bottom - below)
    left.width = round(middle.width * CHOICES)
    right = pygame.Rect(left.right + canvas.px(14), middle.top, 0, middle.height)
    right.width = middle.right - right.left
    return left, right


def _chooses(view: View) -> bool:
    """Whether somebody has a panel open, or has taken up a question."""
    return view.panel is not None or (view.question is not None and view.question.seat is not None)


def _dials(view: View) -> bool:
    """Whether a dial is in sight."""
    return view.dial is not None and view.dial.shown is not None


def _chooser(view: View) -> str | None:
    """Whose buttons that is done by."""
    asked = view.question
    return view.panel.seat if view.panel is not None else asked.seat if asked is not None else None


def _choosing(canvas: Canvas, view: View, room: pygame.Rect) -> None:
    """What is chosen, and beside it the table."""
    beside, at_table = _parted(canvas, room)
    with canvas.as_written():
        at_table = canvas.at(at_table)
        if view.panel is not None:
            draw_panel(
                canvas, view.panel, beside, view.game.seats, pressing((view.panel.seat,), view.controls)
            )
        elif view.question is not None:
            draw_answers(
                canvas,
                view.question,
                beside,
                view.game.seats,
                pressing((view.question.seat or "",), view.controls),
            )
    draw_roster(canvas, view, at_table)


def cards_shown(view: Shown, size: Size, look: Look) -> tuple[trick.OnTable, ...] | None:
    """The cards of the trick and beside it, where they are drawn; None while no table is shown."""
    if isinstance(view, MenuView) or _chooses(view) or _sheet_is_due(view) or _dials(view):
        return None
    return trick.on_table(view, size, seated(view, size, look))


def seated(view: View, size: Size, look: Look) -> Seating:
    """Where the seats are on a screen."""
    seats = view.game.seats
    angles = {seat: view.angles.get(seat, 360.0 * number / len(seats)) for number, seat in enumerate(seats)}
    return seating(size, angles, lies_flat=look.lies_flat)


def _sheet_is_due(view: View) -> bool:
    """After each hand until the next is dealt (or a card turned up for it), and at the end; a panel goes before."""
    if _chooses(view):
        return False
    if view.state.phase is Phase.OVER:
        return True
    return (
        view.state.phase is Phase.DEAL
        and bool(view.state.results)
        and not view.lying
        and view.state.turned is None
    )


def seen(view: Shown) -> Shown:
    """``view`` without what makes no difference to its picture: equal ones give equal pictures."""
    if isinstance(view, MenuView):
        return view
    counting = count_down(view) is not None or dial_part(view) is not None
    turns = turned(view)
    now_ns = view.now_ns - view.now_ns % (100 * MS) if counting else turns * PAGE_NS
    told = tuple(replace(notice, t_ns=now_ns) for notice in current_notices(view))
    return replace(view, notices=told, now_ns=now_ns, over_ns=0 if turns else None)


def _table(
    canvas: Canvas, view: View, boxes: Layout, places: Seating, coming: frozenset[trick.Key], leaving: bool
) -> None:
    middle = boxes.middle
    if _chooses(view):
        with canvas.turned(middle, places.turn(_chooser(view))) as (part, room):
            _choosing(part, view, room)
        return
    canvas.panel(places.felt, FELT, FELT_EDGE, 5, radius=110)
    for seat, box in places.plates.items():
        plate.draw_plate(canvas, view, seat, box, middle.center, places.turn(seat))
    if view.dial is not None and _dials(view):
        with canvas.turned(places.centre, places.turn(view.dial.seat)) as (part, room):
            draw_dial(part, view, room)
        return
    if view.state.trick.plays or any(lying.status != "turned up" for lying in view.lying):
        trick.draw_trick(canvas, view, places, coming)
    elif not leaving:
        _centre(canvas, view, places.centre)


def _centre(canvas: Canvas, view: View, inner: pygame.Rect) -> None:
    """The middle of the table while no card of a trick lies there."""
    if view.state.phase in (Phase.BID, Phase.SECRET_BID, Phase.AUCTION):
        draw_bidding(canvas, view, inner)
    elif view.state.phase in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS):
        trick.draw_pack(canvas, view, inner)
    elif (lies := turned_up(view)) is not None and lies.card is not None:
        trick.draw_turned(canvas, lies.card, inner)
    elif view.state.tricks:
        last = view.state.tricks[-1]
        said = say("screen.took_trick", seat=last.winner, trick=len(view.state.tricks))
        canvas.text(said, inner, 44, TEXT, lines=3, afar=True, among=view.game.seats, strong=True)
