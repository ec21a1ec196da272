"""The bands above and below the table: the headline, the four corner boxes, and notices such as rulings."""

from __future__ import annotations

import pygame

from table.cards import NO_TRUMP
from table.display.drawing.boxes import centred, cut, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, INK, OVER, PANEL, PANEL_DEEP, SKY, TEXT, Colour
from table.display.table_view.correction_panel_view import draw_question
from table.display.table_view.prompts_and_gestures import (
    gesture_hints_for,
    headline_help,
    headline_phrase,
)
from table.display.table_view.screen_layout import ScreenLayout
from table.display.table_view.seat_plate import promised_tricks
from table.games.engine.dealing_and_scoring import ranking
from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.model.notices import Notice
from table.referee.model.view import OpenOptions, View

NOTICE_NS = 12_000 * MS
"""The time for which a notice is shown after the event that it is about."""

_BIDDING = (Phase.AUCTION, Phase.BID, Phase.SECRET_BID)
_PLAYING = (Phase.LEAD, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
_TRUMP_PAPER: Colour = (246, 244, 236)
_NOTICE_COLOURS: dict[str, Colour] = {"ruling": AMBER, "hint": SKY, "trouble": OVER}


def draw_header_and_footer(canvas: Canvas, view: View, boxes: ScreenLayout, turn: int = 0) -> None:
    """Draw both bands; ``turn``: the headline's rotation in quarter turns, towards the player whom it addresses."""
    with canvas.rotated(boxes.headline, turn) as (part, room):
        _draw_headline(part, view, room)
    _draw_hand(canvas, view, boxes.top_left)
    _draw_trump(canvas, view, boxes.top_right)
    if view.question is not None and view.question.seat is None:
        _draw_question_band(canvas, view, view.question, boxes)
        return
    _draw_bids(canvas, view, boxes.bottom_left)
    _draw_notice(canvas, view, boxes.rulings)
    _draw_standing(canvas, view, boxes.bottom_right)


def _two_lines(canvas: Canvas, box: pygame.Rect, share: float = 0.5) -> tuple[pygame.Rect, pygame.Rect]:
    """Split a box, without its padding, into an upper part (a share of the height) and a lower part."""
    pad = canvas.px(14)
    return split(box.inflate(-2 * pad, -pad), "top", share)


# --- the band above ---------------------------------------------------------------------------------------


def _draw_headline(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw what the table waits for, and how it is done; highlighted when one player must act.

    While a player is choosing from a list it says whose buttons choose there.
    """
    chooser = view.choosing_seat
    how = headline_help(view) if chooser is None else make_phrase("help.choosing", seat=chooser)
    anyone = view.paused or view.expected.anyone_may_act
    if anyone or chooser is not None or view.expected.phase is Phase.DEAL:
        canvas.draw_panel(box, PANEL_DEEP, AMBER, 3)
        colour, help_colour = TEXT, TEXT
    else:
        canvas.draw_panel(box, AMBER)
        colour, help_colour = INK, INK
    upper, lower = _two_lines(canvas, box, 0.4 if how else 1.0)
    seats = view.game.seats
    canvas.draw_text(headline_phrase(view), upper, 52, colour, afar=True, among=seats, strong=True)
    if how:
        canvas.draw_text(how, lower, 38, help_colour, lines=2, begins=True, among=seats)


def _draw_hand(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    state, hands = view.state, view.game.hand_sizes
    canvas.draw_panel(box, PANEL)
    upper, lower = _two_lines(canvas, box, 0.55)
    if state.phase is Phase.OVER:
        hand = make_phrase("screen.hands_played", hands=len(state.results))
        canvas.draw_text(hand, upper, 36, TEXT, align=0, strong=True)
        canvas.draw_text(make_phrase("screen.game", game=view.game.name), lower, 28, DIM, align=0)
        return
    if state.play_off:
        hand = make_phrase("screen.play_off")
    elif view.game.tied_players(state):
        hand = make_phrase("screen.deciding_hand")
    elif len(hands) >= state.hand:
        hand = make_phrase("screen.hand_of", hand=state.hand, hands=len(hands))
    else:
        hand = make_phrase("screen.hand", hand=state.hand)
    canvas.draw_text(hand, upper, 40, TEXT, align=0, strong=True)
    canvas.draw_text(make_phrase("screen.cards_each", cards=state.cards), lower, 32, DIM, align=0)


def _draw_trump(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    canvas.draw_panel(box, PANEL)
    trump = view.state.trump
    inside = box.inflate(-2 * canvas.px(10), -2 * canvas.px(10))
    place, _ = cut(inside, "right", inside.height)
    words = pygame.Rect(box.left + canvas.px(14), box.top, place.left - box.left - canvas.px(22), box.height)
    upper, lower = split(words, "top", 0.5)
    if view.state.phase is Phase.OVER:
        canvas.draw_text(make_phrase("screen.final_score"), words, 34, DIM, align=0)
        canvas.draw_icon("crown", place, AMBER)
        return
    if trump is None:
        canvas.draw_text(make_phrase("screen.trumps"), upper, 30, DIM, align=0)
        canvas.draw_text(make_phrase("screen.not_known"), lower, 30, DIM, align=0)
        canvas.draw_text("?", place, 64, DIM, strong=True)
        return
    draw_trump_sign(canvas, trump, place)
    declared = view.state.highest_call
    if declared is not None:
        canvas.draw_name(declared[0], view.game.seats, upper, 36, TEXT, align=0)
        contract = make_phrase("screen.contract", bid=declared[1])
        if not canvas.text_fits(contract, lower, afar=True, strong=True):
            contract = make_phrase("screen.bid", bid=declared[1])
        canvas.draw_text(contract, lower, 36, TEXT, align=0, afar=True, strong=True)
    elif trump == NO_TRUMP:
        first, second = make_phrase("screen.no_trumps.upper"), make_phrase("screen.no_trumps.lower")
        canvas.draw_text(first, upper, 36, TEXT, align=0, valign=1, strong=True)
        canvas.draw_text(second, lower, 36, TEXT, align=0, valign=0, strong=True)
    else:
        suit = make_phrase("screen.suit", suit=trump)
        canvas.draw_text(make_phrase("screen.trumps"), upper, 30, DIM, align=0, valign=0.7)
        canvas.draw_text(suit, lower, 38, TEXT, align=0, valign=0.2, strong=True)


def draw_trump_sign(canvas: Canvas, trump: str, box: pygame.Rect) -> None:
    """Draw the sign of the trump suit, or the letters of no trumps, on paper."""
    canvas.draw_panel(box, _TRUMP_PAPER, radius=12)
    inner = box.inflate(-round(box.width * 0.2), -round(box.height * 0.2))
    if trump == NO_TRUMP:
        canvas.draw_text(make_phrase("word.nt"), inner, 60, INK, strong=True)
    else:
        canvas.draw_suit(trump, inner, on_dark=False)


# --- the band below ---------------------------------------------------------------------------------------


def _draw_bids(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the sum of the bids compared with the tricks; hidden while bids are secret."""
    canvas.draw_panel(box, PANEL)
    state = view.state
    upper, lower = _two_lines(canvas, box)
    if state.phase not in (*_BIDDING, *_PLAYING):
        game = make_phrase("screen.game", game=view.game.name)
        canvas.draw_text(game, canvas.inset(box, 28), 34, DIM, align=0)
        return
    if state.phase in (Phase.SECRET_BID, Phase.AUCTION):
        code = "screen.bids_hidden" if state.phase is Phase.SECRET_BID else "screen.auction"
        canvas.draw_text(make_phrase("count.trick", n=state.cards), upper, 32, TEXT, align=0, strong=True)
        canvas.draw_text(make_phrase(code), lower, 28, DIM, align=0)
        return
    total = sum(promised_tricks(bid) or 0 for _, bid in state.bids)
    bids = make_phrase("screen.bids_of", bids=total, cards=state.cards)
    canvas.draw_text(bids, upper, 40, TEXT, align=0, strong=True)
    waiting = len(set(state.players) - state.bids_by_seat.keys())
    if waiting:
        canvas.draw_text(make_phrase("screen.still_to_bid", n=waiting), lower, 28, DIM, align=0)
        return
    over = total - state.cards
    mark, rest = cut(lower, "left", canvas.px(24), canvas.px(8))
    canvas.draw_icon("up" if over > 0 else "down" if over < 0 else "tick", mark, OVER if over > 0 else SKY)
    canvas.draw_text(bid_sum_phrase(over), rest, 32, TEXT, align=0)


def current_notices(view: View) -> tuple[Notice, ...]:
    """Return the notices that have not expired yet, the latest first."""
    return tuple(notice for notice in view.notices if view.now_ns - notice.t_ns < NOTICE_NS)


def _draw_question_band(canvas: Canvas, view: View, question: OpenOptions, boxes: ScreenLayout) -> None:
    """Draw a question to everybody across the whole band, with a current ruling beside it."""
    band = boxes.footer
    if any(notice.tone == "ruling" for notice in current_notices(view)):
        if is_upright(canvas.size):
            ruling, _ = cut(band, "bottom", boxes.rulings.height)
            band, _ = cut(band, "top", boxes.rulings.height)
        else:
            ruling, band = split(band, "left", 0.42, canvas.px(8))
        _draw_notice(canvas, view, ruling)
    draw_question(canvas, view, question, band)


def _draw_notice(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    notices = current_notices(view)
    if not notices:
        if view.choosing_seat is None and not view.paused:
            code, seats = "screen.way_out", view.state.seats
            if view.state.phase is Phase.AUCTION and view.shown_dial is not None:
                code, seats = "screen.clear_dial", (view.shown_dial.seat,)
            hint = make_phrase(code, wrong=gesture_hints_for(seats, view.controls)("wrong"))
            canvas.draw_text(hint, canvas.inset(box, 16, 8), 28, DIM, lines=2)
        return
    latest = notices[0]
    colour = _NOTICE_COLOURS[latest.tone]
    canvas.draw_panel(box, PANEL_DEEP, colour, 2)
    side = canvas.px(44)
    mark, words = cut(box.inflate(0, -2 * canvas.px(6)), "left", side + 2 * canvas.px(14))
    words.width -= canvas.px(12)
    canvas.draw_icon(latest.tone, centred(side, mark.center), colour)
    canvas.draw_text(latest.phrase, words, 32, TEXT, align=0, lines=3, begins=True, among=view.game.seats)


def _draw_standing(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the number of the trick, and the players in the lead."""
    canvas.draw_panel(box, PANEL)
    state = view.state
    upper, lower = _two_lines(canvas, box)
    if state.phase in _PLAYING:
        number = min(len(state.tricks) + 1, state.cards)
        trick = make_phrase("screen.trick_of", trick=number, cards=state.cards)
        canvas.draw_text(trick, upper, 34, TEXT, align=1, strong=True)
    else:
        canvas.draw_text(_players_phrase(view), upper, 30, DIM, align=1)
    if not state.results or not state.totals:
        canvas.draw_text(make_phrase("screen.first_hand"), lower, 28, DIM, align=1)
        return
    ahead = tuple(ranking(view.game.rules, state)[0])
    best = state.totals[ahead[0]]
    score = f"{best}♥" if view.game.has_lives(state) else str(best)
    code = "screen.ahead" if len(ahead) < 3 else "screen.many_ahead"
    caption = make_phrase(code, seats=ahead, n=len(ahead), score=score)
    _, words = cut(lower, "left", canvas.px(34))
    text = canvas.draw_text(caption, words, 28, AMBER, align=1, among=view.game.seats, strong=True)
    crown = pygame.Rect(text.left - canvas.px(34), lower.top, canvas.px(28), lower.height)
    if crown.left >= box.left:
        canvas.draw_icon("crown", crown, AMBER)


def bid_sum_phrase(over: int) -> Phrase:
    """Return a phrase that compares the sum of the bids with the tricks: ``2 over``, ``1 under``, ``even``."""
    code = "screen.over" if over > 0 else "screen.under" if over < 0 else "screen.even"
    return make_phrase(code, by=abs(over))


def _players_phrase(view: View) -> Phrase:
    """Return a phrase with the number of players: ``3 players, 1 out``."""
    state = view.state
    if state.phase is Phase.OVER:
        return make_phrase("count.player", n=len(view.game.seats))
    absent = {"screen.out": len(state.out - state.away), "screen.away": len(state.away)}
    parts = [make_phrase(code, n=number) for code, number in absent.items() if number]
    return make_phrase("screen.parts", parts=(make_phrase("count.player", n=len(state.players)), *parts))
