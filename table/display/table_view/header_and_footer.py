"""The bands above and below the table: the headline, the four corner boxes, and notices such as rulings."""

from __future__ import annotations

import pygame

from table.cards import NO_TRUMP, tricks_of_bid
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    INK,
    OVER,
    PANEL,
    PANEL_DEEP,
    SKY,
    TEXT,
    Colour,
)
from table.display.table_view.correction_panel_view import draw_question
from table.display.table_view.gesture_hints import gesture_hints_for
from table.display.table_view.headline_prompts import Prompt, make_pause_prompt, make_prompt
from table.display.table_view.screen_layout import ScreenLayout, is_upright
from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.model.view import Notice, OpenQuestion, View, find_turned_up

NOTICE_NS = 12_000 * MS
"""The time for which a notice is shown after the event that it is about."""

_BIDDING = (Phase.AUCTION, Phase.BID, Phase.SECRET_BID)
_PLAYING = (Phase.LEAD, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
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


def _split_vertically(box: pygame.Rect, pad: int, part: float = 0.5) -> tuple[pygame.Rect, pygame.Rect]:
    """Split a box, without its padding, into an upper part (``part`` of the height) and a lower part."""
    inside = box.inflate(-2 * pad, -pad)
    upper = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * part))
    return upper, pygame.Rect(inside.left, upper.bottom, inside.width, inside.height - upper.height)


# --- the band above ---------------------------------------------------------------------------------------


def _draw_headline(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw what the table waits for; highlighted when one player must act."""
    headline = make_pause_prompt(view.controls) if view.paused else current_prompt(view)
    anyone = view.paused or (view.expected.anyone_may_act and not view.expected.must_act)
    if anyone or view.expected.phase is Phase.DEAL:
        canvas.draw_panel(box, PANEL_DEEP, AMBER, 3)
        colour, help_colour = TEXT, DIM
    else:
        canvas.draw_panel(box, AMBER)
        colour, help_colour = INK, INK
    upper, lower = _split_vertically(box, canvas.px(14), 0.6 if headline.help else 1.0)
    seats = view.game.seats
    canvas.draw_text(headline.text, upper, 52, colour, afar=True, among=seats, strong=True)
    if headline.help:
        canvas.draw_text(headline.help, lower, 30, help_colour, begins=True, among=seats)


def current_prompt(view: View) -> Prompt:
    """Return the prompt of a game under way."""
    turned_lies = find_turned_up(view) is not None
    return make_prompt(
        view.game,
        view.state,
        view.expected,
        view.controls,
        turned_lies=turned_lies,
        offers_next=view.awaits_next_choice,
    )


def _draw_hand(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    state = view.state
    canvas.draw_panel(box, PANEL)
    upper, lower = _split_vertically(box, canvas.px(14), 0.55)
    hands = view.game.hand_sizes
    if state.phase is Phase.OVER:
        canvas.draw_text(
            make_phrase("screen.hands_played", hands=len(state.results)),
            upper,
            36,
            TEXT,
            align=0,
            strong=True,
        )
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
    side = box.height - 2 * canvas.px(10)
    place = pygame.Rect(box.right - canvas.px(10) - side, box.centery - side // 2, side, side)
    words = pygame.Rect(box.left + canvas.px(14), box.top, place.left - box.left - canvas.px(22), box.height)
    upper, lower = _split_vertically(words, 0)
    if view.state.phase is Phase.OVER:
        canvas.draw_text(make_phrase("screen.final_score"), words, 34, DIM, align=0)
        canvas.draw_icon("crown", place, AMBER)
        return
    if trump is None:
        canvas.draw_text(make_phrase("screen.trumps"), upper, 30, DIM, align=0)
        canvas.draw_text(make_phrase("screen.not_known"), lower, 30, DIM, align=0)
        canvas.draw_text("?", place, 64, DIM, strong=True)
        return
    canvas.draw_panel(place, (246, 244, 236), radius=12)
    inner = place.inflate(-round(place.width * 0.2), -round(place.height * 0.2))
    if trump == NO_TRUMP:
        canvas.draw_text(make_phrase("word.nt"), inner, 60, INK, strong=True)
        canvas.draw_text(
            make_phrase("screen.no_trumps.upper"), upper, 36, TEXT, align=0, valign=1, strong=True
        )
        canvas.draw_text(
            make_phrase("screen.no_trumps.lower"), lower, 36, TEXT, align=0, valign=0, strong=True
        )
    else:
        canvas.draw_suit(trump, inner, on_dark=False)
        canvas.draw_text(make_phrase("screen.trumps"), upper, 30, DIM, align=0, valign=0.7)
        canvas.draw_text(
            make_phrase("screen.suit", suit=trump), lower, 38, TEXT, align=0, valign=0.2, strong=True
        )


# --- the band below ---------------------------------------------------------------------------------------


def _draw_bids(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the sum of the bids compared with the tricks; hidden while bids are secret."""
    canvas.draw_panel(box, PANEL)
    state = view.state
    upper, lower = _split_vertically(box, canvas.px(14))
    if state.phase not in (*_BIDDING, *_PLAYING):
        canvas.draw_text(
            make_phrase("screen.game", game=view.game.name), box.inflate(-canvas.px(28), 0), 34, DIM, align=0
        )
        return
    if state.phase in (Phase.SECRET_BID, Phase.AUCTION):
        canvas.draw_text(make_phrase("count.trick", n=state.cards), upper, 32, TEXT, align=0, strong=True)
        secret = state.phase is Phase.SECRET_BID
        canvas.draw_text(
            make_phrase("screen.bids_hidden" if secret else "screen.auction"), lower, 28, DIM, align=0
        )
        return
    total = sum(tricks_of_bid(bid) for _, bid in state.bids)
    waiting = [seat for seat in state.players if seat not in state.bids_by_seat]
    canvas.draw_text(
        make_phrase("screen.bids_of", bids=total, cards=state.cards), upper, 40, TEXT, align=0, strong=True
    )
    if waiting:
        canvas.draw_text(make_phrase("screen.still_to_bid", n=len(waiting)), lower, 28, DIM, align=0)
        return
    over = total - state.cards
    mark = pygame.Rect(lower.left, lower.top, canvas.px(24), lower.height)
    canvas.draw_icon("up" if over > 0 else "down" if over < 0 else "tick", mark, OVER if over > 0 else SKY)
    rest = pygame.Rect(
        mark.right + canvas.px(8), lower.top, lower.right - mark.right - canvas.px(8), lower.height
    )
    canvas.draw_text(bid_sum_phrase(over), rest, 32, TEXT, align=0)


def current_notices(view: View) -> tuple[Notice, ...]:
    """Return the notices that have not expired yet, the latest first."""
    return tuple(notice for notice in view.notices if view.now_ns - notice.t_ns < NOTICE_NS)


def _draw_question_band(canvas: Canvas, view: View, question: OpenQuestion, boxes: ScreenLayout) -> None:
    """Draw a question to everybody across the whole band, with a current ruling beside it."""
    band = boxes.footer
    if any(notice.tone == "ruling" for notice in current_notices(view)):
        notice_box = pygame.Rect(band)
        if is_upright(canvas.size):
            notice_box.height = boxes.rulings.height
            band.height = boxes.rulings.height
            notice_box.bottom = boxes.footer.bottom
            _draw_notice(canvas, view, notice_box)
            draw_question(
                canvas, question, band, view.game.seats, gesture_hints_for(view.game.seats, view.controls)
            )
            return
        notice_box.width = round(band.width * 0.42)
        _draw_notice(canvas, view, notice_box)
        band.width -= notice_box.width + canvas.px(8)
        band.left = notice_box.right + canvas.px(8)
    draw_question(canvas, question, band, view.game.seats, gesture_hints_for(view.game.seats, view.controls))


def _draw_notice(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the latest notice in large letters."""
    notices = current_notices(view)
    if not notices:
        return
    latest = notices[0]
    colour = _NOTICE_COLOURS[latest.tone]
    canvas.draw_panel(box, PANEL_DEEP, colour, 2)
    side = canvas.px(44)
    mark = pygame.Rect(box.left + canvas.px(14), box.centery - side // 2, side, side)
    canvas.draw_icon(latest.tone, mark, colour)
    left = mark.right + canvas.px(14)
    words = pygame.Rect(
        left, box.top + canvas.px(6), box.right - canvas.px(12) - left, box.height - 2 * canvas.px(6)
    )
    canvas.draw_text(latest.phrase, words, 32, TEXT, align=0, lines=3, begins=True, among=view.game.seats)


def _draw_standing(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the number of the trick, and the players in the lead."""
    canvas.draw_panel(box, PANEL)
    state = view.state
    upper, lower = _split_vertically(box, canvas.px(14))
    if state.phase in _PLAYING:
        trick = min(len(state.tricks) + 1, state.cards)
        canvas.draw_text(
            make_phrase("screen.trick_of", trick=trick, cards=state.cards),
            upper,
            34,
            TEXT,
            align=1,
            strong=True,
        )
    else:
        canvas.draw_text(_players_phrase(view), upper, 30, DIM, align=1)
    if not state.results or not state.totals:
        canvas.draw_text(make_phrase("screen.first_hand"), lower, 28, DIM, align=1)
        return
    best = max(state.totals.values())
    ahead = [seat for seat in view.game.seats if state.totals.get(seat) == best]
    tally = view.game.elimination_tally(state)
    score = f"{best}♥" if tally is not None and tally.kind == "lives" else str(best)
    code = "screen.ahead" if len(ahead) < 3 else "screen.many_ahead"
    caption = make_phrase(code, seats=tuple(ahead), n=len(ahead), score=score)
    room = lower.width - canvas.px(34)
    words = pygame.Rect(lower.right - room, lower.top, room, lower.height)
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
    state, seats = view.state, view.game.seats
    if state.phase is Phase.OVER:
        return make_phrase("count.player", n=len(seats))
    away = len(state.away)
    out = 0 if state.play_off else len(set(seats) - set(state.players) - state.away)
    absent = [
        make_phrase(code, n=number) for number, code in ((out, "screen.out"), (away, "screen.away")) if number
    ]
    return make_phrase("screen.parts", parts=(make_phrase("count.player", n=len(state.players)), *absent))
