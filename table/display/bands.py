"""The bands above and below the table: the headline, the four corners, and the rulings with their reasons."""

from __future__ import annotations

import pygame

from table.cards import NO_TRUMP
from table.display.canvas import Canvas
from table.display.choices import draw_question
from table.display.layout import Layout
from table.display.prompts import prompt
from table.display.theme import (
    AMBER,
    DIM,
    INK,
    OVER,
    PANEL,
    PANEL_DEEP,
    SKY,
    TEXT,
    Colour,
    suit_colour,
)
from table.display.words import SUIT_NAMES, capital, counted, difference, listed, target
from table.facts import MS
from table.games.base import Phase
from table.referee.view import Notice, View

NOTICE_NS = 12_000 * MS
"""A sentence leaves the screen this long after what it is about."""

_BIDDING = (Phase.AUCTION, Phase.BID, Phase.SECRET_BID)
_PLAYING = (Phase.LEAD, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
_NOTICE_COLOURS: dict[str, Colour] = {"ruling": AMBER, "hint": SKY, "trouble": OVER}


def draw_bands(canvas: Canvas, view: View, boxes: Layout) -> None:
    """Draw both bands."""
    _headline(canvas, view, boxes.headline)
    _hand(canvas, view, boxes.top_left)
    _trump(canvas, view, boxes.top_right)
    _bids(canvas, view, boxes.bottom_left)
    _foot(canvas, view, boxes.rulings)
    _standing(canvas, view, boxes.bottom_right)


def _halves(box: pygame.Rect, pad: int, part: float = 0.5) -> tuple[pygame.Rect, pygame.Rect]:
    """The upper and the lower part of a box without its rim."""
    inside = box.inflate(-2 * pad, -pad)
    upper = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * part))
    return upper, pygame.Rect(inside.left, upper.bottom, inside.width, inside.height - upper.height)


# --- the band above ---------------------------------------------------------------------------------------


def _headline(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """What the table waits for; filled when somebody must act."""
    told = prompt(view.game, view.state, view.expected, view.controls)
    anyone = view.expected.free and not view.expected.must
    if anyone or view.expected.phase is Phase.DEAL:
        canvas.panel(box, PANEL_DEEP, AMBER, 3)
        colour, help_colour = TEXT, DIM
    else:
        canvas.panel(box, AMBER)
        colour, help_colour = INK, INK
    upper, lower = _halves(box, canvas.px(14), 0.6 if told.help else 1.0)
    canvas.text(told.text, upper, 50, colour)
    if told.help:
        canvas.text(told.help, lower, 30, help_colour)


def _hand(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    state = view.state
    canvas.panel(box, PANEL)
    upper, lower = _halves(box, canvas.px(14), 0.55)
    hands = view.game.options.get("hands")
    of = f" of {len(hands)}" if isinstance(hands, (list, tuple)) and len(hands) >= state.hand else ""
    if state.phase is Phase.OVER:
        canvas.text(f"{counted(len(state.results), 'hand')} played", upper, 36, TEXT, align=0)
        canvas.text(view.game.title, lower, 28, DIM, align=0)
        return
    canvas.text("Play-off" if state.play_off else f"Hand {state.hand}{of}", upper, 40, TEXT, align=0)
    canvas.text(f"{counted(state.cards, 'card')} each", lower, 32, DIM, align=0)


def _trump(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    canvas.panel(box, PANEL)
    trump = view.state.trump
    side = box.height - 2 * canvas.px(10)
    place = pygame.Rect(box.right - canvas.px(10) - side, box.centery - side // 2, side, side)
    words = pygame.Rect(box.left + canvas.px(14), box.top, place.left - box.left - canvas.px(22), box.height)
    upper, lower = _halves(words, 0)
    if view.state.phase is Phase.OVER:
        canvas.text("Final score", words, 34, DIM, align=0)
        canvas.sign("crown", place, AMBER)
        return
    if trump is None:
        canvas.text("Trumps", upper, 30, DIM, align=0)
        canvas.text("not known", lower, 30, DIM, align=0)
        canvas.text("?", place, 64, DIM)
        return
    canvas.panel(place, (246, 244, 236), radius=12)
    inner = place.inflate(-round(place.width * 0.2), -round(place.height * 0.2))
    if trump == NO_TRUMP:
        canvas.text("NT", inner, 60, INK)
        canvas.text("No", upper, 36, TEXT, align=0, valign=1)
        canvas.text("trumps", lower, 36, TEXT, align=0, valign=0)
    else:
        canvas.sign(trump, inner, suit_colour(trump, on_dark=False))
        canvas.text("Trumps", upper, 30, DIM, align=0, valign=0.7)
        canvas.text(SUIT_NAMES[trump], lower, 38, TEXT, align=0, valign=0.2)


# --- the band below ---------------------------------------------------------------------------------------


def _bids(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The sum of the bids against the tricks; nothing of it while bids are made in secret."""
    canvas.panel(box, PANEL)
    state = view.state
    upper, lower = _halves(box, canvas.px(14))
    if state.phase not in (*_BIDDING, *_PLAYING):
        canvas.text(view.game.title, box.inflate(-canvas.px(28), 0), 34, DIM, align=0)
        return
    if state.phase in (Phase.SECRET_BID, Phase.AUCTION):
        canvas.text(counted(state.cards, "trick"), upper, 32, TEXT, align=0)
        secret = state.phase is Phase.SECRET_BID
        canvas.text("Bids are hidden" if secret else "Auction", lower, 28, DIM, align=0)
        return
    total = sum(target(bid) or 0 for _, bid in state.bids)
    waiting = [seat for seat in state.players if seat not in state.bid_of]
    canvas.text(f"Bids {total} of {state.cards}", upper, 38, TEXT, align=0)
    if waiting:
        canvas.text(f"{len(waiting)} still to bid", lower, 28, DIM, align=0)
        return
    over = total - state.cards
    mark = pygame.Rect(lower.left, lower.top, canvas.px(24), lower.height)
    canvas.sign("up" if over > 0 else "down" if over < 0 else "tick", mark, OVER if over > 0 else SKY)
    rest = pygame.Rect(
        mark.right + canvas.px(8), lower.top, lower.right - mark.right - canvas.px(8), lower.height
    )
    canvas.text(difference(over), rest, 32, TEXT, align=0)


def current_notices(view: View) -> tuple[Notice, ...]:
    """The sentences that are still worth showing, the latest first."""
    return tuple(one for one in view.notices if view.now_ns - one.t_ns < NOTICE_NS)


def _foot(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """What is asked, and the rulings; a ruling is in sight for a while, above what is asked meanwhile."""
    asked = view.question
    if asked is None:
        _notices(canvas, view, box)
        return
    ruled = [one for one in current_notices(view) if one.kind == "ruling"]
    if asked.seat is None and ruled:
        line = pygame.Rect(box.left, box.top, box.width, box.height // 3)
        canvas.text(capital(ruled[0].text), line.inflate(-canvas.px(24), 0), 28, AMBER)
        box = pygame.Rect(box.left, line.bottom, box.width, box.height - line.height)
    draw_question(canvas, asked, box)


def _notices(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The latest ruling in large letters, the one before it below where there is room."""
    told = current_notices(view)
    if not told:
        return
    latest = told[0]
    colour = _NOTICE_COLOURS[latest.kind]
    canvas.panel(box, PANEL_DEEP, colour, 2)
    side = canvas.px(44)
    mark = pygame.Rect(box.left + canvas.px(14), box.centery - side // 2, side, side)
    canvas.sign(latest.kind, mark, colour)
    left = mark.right + canvas.px(14)
    words = pygame.Rect(
        left, box.top + canvas.px(6), box.right - canvas.px(12) - left, box.height - 2 * canvas.px(6)
    )
    canvas.text(capital(latest.text), words, 32, TEXT, align=0, lines=3)


def _standing(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The number of the trick, and who is ahead."""
    canvas.panel(box, PANEL)
    state = view.state
    upper, lower = _halves(box, canvas.px(14))
    if state.phase in _PLAYING:
        canvas.text(
            f"Trick {min(len(state.tricks) + 1, state.cards)} of {state.cards}", upper, 34, TEXT, align=1
        )
    else:
        canvas.text(_who_plays(view), upper, 30, DIM, align=1)
    if not state.results or not state.totals:
        canvas.text("First hand", lower, 28, DIM, align=1)
        return
    best = max(state.totals.values())
    ahead = [seat for seat in view.game.seats if state.totals.get(seat) == best]
    tally = view.game.tally(state)
    score = f"{best}♥" if tally is not None and tally.kind == "lives" else str(best)
    words = f"{listed(ahead)} {score}" if len(ahead) < 3 else f"{len(ahead)} lead with {score}"
    text = canvas.text(words, lower, 28, AMBER, align=1)
    crown = pygame.Rect(text.left - canvas.px(34), lower.top, canvas.px(28), lower.height)
    if crown.left >= box.left:
        canvas.sign("crown", crown, AMBER)


def _who_plays(view: View) -> str:
    """``3 players, 1 out``."""
    state, seats = view.state, view.game.seats
    if state.phase is Phase.OVER:
        return counted(len(seats), "player")
    away = len(state.away)
    out = 0 if state.play_off else len(set(seats) - set(state.players) - state.away)
    besides = [f"{number} {what}" for number, what in ((out, "out"), (away, "away")) if number]
    return ", ".join([counted(len(state.players), "player"), *besides])
