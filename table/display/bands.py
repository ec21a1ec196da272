"""The bands above and below the table: the headline, the four corners, and the rulings with their reasons."""

from __future__ import annotations

import pygame

from table.cards import NO_TRUMP
from table.display.bids import target
from table.display.canvas import Canvas
from table.display.choices import draw_question
from table.display.layout import Layout, upright
from table.display.press import pressing
from table.display.prompts import Prompt, pause, prompt
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
)
from table.facts import MS
from table.games.base import Phase
from table.phrase import Phrase, say
from table.referee.view import Notice, OpenQuestion, View, turned_up

NOTICE_NS = 12_000 * MS
"""A sentence leaves the screen this long after what it is about."""

_BIDDING = (Phase.AUCTION, Phase.BID, Phase.SECRET_BID)
_PLAYING = (Phase.LEAD, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
_NOTICE_COLOURS: dict[str, Colour] = {"ruling": AMBER, "hint": SKY, "trouble": OVER}


def draw_bands(canvas: Canvas, view: View, boxes: Layout, turn: int = 0) -> None:
    """Draw both bands; ``turn``: by how many quarters the headline is turned to whom it calls."""
    with canvas.turned(boxes.headline, turn) as (part, room):
        _headline(part, view, room)
    _hand(canvas, view, boxes.top_left)
    _trump(canvas, view, boxes.top_right)
    if view.question is not None and view.question.seat is None:
        _asked(canvas, view, view.question, boxes)
        return
    _bids(canvas, view, boxes.bottom_left)
    _notices(canvas, view, boxes.rulings)
    _standing(canvas, view, boxes.bottom_right)


def _halves(box: pygame.Rect, pad: int, part: float = 0.5) -> tuple[pygame.Rect, pygame.Rect]:
    """The upper and the lower part of a box without its rim."""
    inside = box.inflate(-2 * pad, -pad)
    upper = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * part))
    return upper, pygame.Rect(inside.left, upper.bottom, inside.width, inside.height - upper.height)


# --- the band above ---------------------------------------------------------------------------------------


def _headline(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """What the table waits for; filled when somebody must act."""
    told = pause(view.controls) if view.paused else asked_for(view)
    anyone = view.paused or (view.expected.free and not view.expected.must)
    if anyone or view.expected.phase is Phase.DEAL:
        canvas.panel(box, PANEL_DEEP, AMBER, 3)
        colour, help_colour = TEXT, DIM
    else:
        canvas.panel(box, AMBER)
        colour, help_colour = INK, INK
    upper, lower = _halves(box, canvas.px(14), 0.6 if told.help else 1.0)
    seats = view.game.seats
    canvas.text(told.text, upper, 52, colour, afar=True, among=seats, strong=True)
    if told.help:
        canvas.text(told.help, lower, 30, help_colour, begins=True, among=seats)


def asked_for(view: View) -> Prompt:
    """The headline of a game that is under way."""
    lies = turned_up(view) is not None
    return prompt(
        view.game,
        view.state,
        view.expected,
        view.controls,
        turned_lies=lies,
        offers_next=view.offers_next,
    )


def _hand(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    state = view.state
    canvas.panel(box, PANEL)
    upper, lower = _halves(box, canvas.px(14), 0.55)
    hands = view.game.hands
    if state.phase is Phase.OVER:
        canvas.text(
            say("screen.hands_played", hands=len(state.results)), upper, 36, TEXT, align=0, strong=True
        )
        canvas.text(say("screen.game", game=view.game.name), lower, 28, DIM, align=0)
        return
    if state.play_off:
        hand = say("screen.play_off")
    elif view.game.level(state):
        hand = say("screen.deciding_hand")
    elif len(hands) >= state.hand:
        hand = say("screen.hand_of", hand=state.hand, hands=len(hands))
    else:
        hand = say("screen.hand", hand=state.hand)
    canvas.text(hand, upper, 40, TEXT, align=0, strong=True)
    canvas.text(say("screen.cards_each", cards=state.cards), lower, 32, DIM, align=0)


def _trump(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    canvas.panel(box, PANEL)
    trump = view.state.trump
    side = box.height - 2 * canvas.px(10)
    place = pygame.Rect(box.right - canvas.px(10) - side, box.centery - side // 2, side, side)
    words = pygame.Rect(box.left + canvas.px(14), box.top, place.left - box.left - canvas.px(22), box.height)
    upper, lower = _halves(words, 0)
    if view.state.phase is Phase.OVER:
        canvas.text(say("screen.final_score"), words, 34, DIM, align=0)
        canvas.sign("crown", place, AMBER)
        return
    if trump is None:
        canvas.text(say("screen.trumps"), upper, 30, DIM, align=0)
        canvas.text(say("screen.not_known"), lower, 30, DIM, align=0)
        canvas.text("?", place, 64, DIM, strong=True)
        return
    canvas.panel(place, (246, 244, 236), radius=12)
    inner = place.inflate(-round(place.width * 0.2), -round(place.height * 0.2))
    if trump == NO_TRUMP:
        canvas.text(say("word.nt"), inner, 60, INK, strong=True)
        canvas.text(say("screen.no_trumps.upper"), upper, 36, TEXT, align=0, valign=1, strong=True)
        canvas.text(say("screen.no_trumps.lower"), lower, 36, TEXT, align=0, valign=0, strong=True)
    else:
        canvas.suit(trump, inner, on_dark=False)
        canvas.text(say("screen.trumps"), upper, 30, DIM, align=0, valign=0.7)
        canvas.text(say("screen.suit", suit=trump), lower, 38, TEXT, align=0, valign=0.2, strong=True)


# --- the band below ---------------------------------------------------------------------------------------


def _bids(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The sum of the bids against the tricks; nothing of it while bids are made in secret."""
    canvas.panel(box, PANEL)
    state = view.state
    upper, lower = _halves(box, canvas.px(14))
    if state.phase not in (*_BIDDING, *_PLAYING):
        canvas.text(say("screen.game", game=view.game.name), box.inflate(-canvas.px(28), 0), 34, DIM, align=0)
        return
    if state.phase in (Phase.SECRET_BID, Phase.AUCTION):
        canvas.text(say("count.trick", n=state.cards), upper, 32, TEXT, align=0, strong=True)
        secret = state.phase is Phase.SECRET_BID
        canvas.text(say("screen.bids_hidden" if secret else "screen.auction"), lower, 28, DIM, align=0)
        return
    total = sum(target(bid) or 0 for _, bid in state.bids)
    waiting = [seat for seat in state.players if seat not in state.bid_of]
    canvas.text(say("screen.bids_of", bids=total, cards=state.cards), upper, 40, TEXT, align=0, strong=True)
    if waiting:
        canvas.text(say("screen.still_to_bid", n=len(waiting)), lower, 28, DIM, align=0)
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


def _asked(canvas: Canvas, view: View, asked: OpenQuestion, boxes: Layout) -> None:
    """What is asked of everybody has the whole band; a ruling is in sight for a while beside it."""
    band = boxes.foot
    if any(one.kind == "ruling" for one in current_notices(view)):
        told = pygame.Rect(band)
        if upright(canvas.size):
            told.height = boxes.rulings.height
            band.height = boxes.rulings.height
            told.bottom = boxes.foot.bottom
            _notices(canvas, view, told)
            draw_question(canvas, asked, band, view.game.seats, pressing(view.game.seats, view.controls))
            return
        told.width = round(band.width * 0.42)
        _notices(canvas, view, told)
        band.width -= told.width + canvas.px(8)
        band.left = told.right + canvas.px(8)
    draw_question(canvas, asked, band, view.game.seats, pressing(view.game.seats, view.controls))


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
    canvas.text(latest.said, words, 32, TEXT, align=0, lines=3, begins=True, among=view.game.seats)


def _standing(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The number of the trick, and who is ahead."""
    canvas.panel(box, PANEL)
    state = view.state
    upper, lower = _halves(box, canvas.px(14))
    if state.phase in _PLAYING:
        trick = min(len(state.tricks) + 1, state.cards)
        canvas.text(
            say("screen.trick_of", trick=trick, cards=state.cards), upper, 34, TEXT, align=1, strong=True
        )
    else:
        canvas.text(_who_plays(view), upper, 30, DIM, align=1)
    if not state.results or not state.totals:
        canvas.text(say("screen.first_hand"), lower, 28, DIM, align=1)
        return
    best = max(state.totals.values())
    ahead = [seat for seat in view.game.seats if state.totals.get(seat) == best]
    tally = view.game.tally(state)
    score = f"{best}♥" if tally is not None and tally.kind == "lives" else str(best)
    code = "screen.ahead" if len(ahead) < 3 else "screen.many_ahead"
    said = say(code, seats=tuple(ahead), n=len(ahead), score=score)
    room = lower.width - canvas.px(34)
    words = pygame.Rect(lower.right - room, lower.top, room, lower.height)
    text = canvas.text(said, words, 28, AMBER, align=1, among=view.game.seats, strong=True)
    crown = pygame.Rect(text.left - canvas.px(34), lower.top, canvas.px(28), lower.height)
    if crown.left >= box.left:
        canvas.sign("crown", crown, AMBER)


def difference(over: int) -> Phrase:
    """The sum of the bids against the tricks: ``2 over``, ``1 under``, ``even``."""
    code = "screen.over" if over > 0 else "screen.under" if over < 0 else "screen.even"
    return say(code, by=abs(over))


def _who_plays(view: View) -> Phrase:
    """``3 players, 1 out``."""
    state, seats = view.state, view.game.seats
    if state.phase is Phase.OVER:
        return say("count.player", n=len(seats))
    away = len(state.away)
    out = 0 if state.play_off else len(set(seats) - set(state.players) - state.away)
    besides = [say(code, n=number) for number, code in ((out, "screen.out"), (away, "screen.away")) if number]
    return say("screen.parts", parts=(say("count.player", n=len(state.players)), *besides))
