"""The middle of the table: the trick's cards before their players, and what stands there while no trick lies.

That is the deal, the turned-up card, what is bid for, an auction, a dial or a countdown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import pygame

from table.cards import SUITS, PlayedCard
from table.display.drawing.boxes import Size, centred, cut, is_upright, pixels_per_unit, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, EDGE, INK, OVER, PANEL_DEEP, PAPER, SKY, TEXT
from table.display.drawing.icons import draw_icon
from table.display.table_view.card_layout import CARD_ASPECT, find_free_spot
from table.display.table_view.prompts_and_gestures import countdown_phrase, forbidden_bids
from table.display.table_view.screen_layout import TableLayout
from table.events.event_spec import Play
from table.games.engine.game_state import Phase, Trick
from table.phrase import make_phrase
from table.referee.model.bid_dial import Dial
from table.referee.model.hypothesis import TableCard
from table.referee.model.view import View

CardKey: TypeAlias = tuple[str | None, PlayedCard | None] | int | None
"""Identity of a drawn card: its player and card when both are known, else the number of the card on the mark."""
_RIBBON_SHARE: Final = 0.52
"""The share of a card's height that names who takes it back: all that is below rank and suit."""
_MIN_NAME_TEXT: Final = 16
"""The least text height of a name there, in units: the player's plate beside it shows the name in large letters."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card of the trick or beside it, and the place where it is drawn."""

    key: CardKey
    """The identity of the card: constant for the same card of the same player, whatever its status."""
    spot: pygame.Rect
    turn: int
    """The clockwise rotation in quarter turns."""
    shown: Play | TableCard
    number: int = 0
    """The number of a play in its trick, from 1."""

    @property
    def goes_back(self) -> bool:
        """Whether the card's player is to take it back."""
        return isinstance(self.shown, TableCard) and self.shown.role == "back"


def cards_on_table(view: View, size: Size, seats: TableLayout) -> tuple[DrawnCard, ...]:
    """Return the cards of the trick and beside it with their places, in drawing order."""
    middle, gap = seats.middle, round(9 * pixels_per_unit(size))
    taken = list(seats.plates.values())
    drawn = []
    for number, play in enumerate(view.state.trick.plays, start=1):
        spot = seats.spots.get(play.seat)
        if spot is not None:
            taken.append(spot)
            drawn.append(DrawnCard((play.seat, play.card), spot, seats.turn_of(play.seat), play, number))
    # A card that is not (yet) a play lies where its player's card would lie, or as near as there is room.
    for lying in view.cards_beside_trick:
        in_centre = centred(next(iter(seats.spots.values())).size, middle.center)
        spot = seats.spots.get(lying.seat or "", in_centre)
        if spot.collidelist(taken) >= 0:
            spot = find_free_spot(middle, spot, taken, gap)
        taken.append(spot)
        known = lying.seat is not None and lying.card is not None
        key = (lying.seat, lying.card) if known else lying.id
        drawn.append(DrawnCard(key, spot, seats.turn_of(lying.seat), lying))
    return tuple(drawn)


def draw_centre(
    canvas: Canvas, view: View, seats: TableLayout, coming: frozenset[CardKey], *, leaving: bool
) -> None:
    """Draw the middle of the table; ``coming``: cards that are left out; ``leaving``: without cards it stays empty."""
    state, centre = view.state, seats.centre
    if view.shown_dial is not None:
        with canvas.rotated(centre, seats.turn_of(view.shown_dial.seat)) as (part, room):
            _draw_dial(part, view, view.shown_dial, room)
    elif state.trick.plays or any(lying.role != "turned up" for lying in view.cards_on_mark):
        for drawn in cards_on_table(view, canvas.size, seats):
            if drawn.key not in coming:
                _draw_card(canvas, view, drawn)
    elif leaving:
        return
    elif state.phase in (Phase.BID, Phase.SECRET_BID, Phase.AUCTION):
        _draw_bidding(canvas, view, centre)
    elif state.phase in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS):
        _draw_deal(canvas, view, centre)
    elif view.turned_up is not None and view.turned_up.card is not None:
        _draw_turned_up_card(canvas, view.turned_up.card, centre)
    elif state.tricks:
        caption = make_phrase("screen.took_trick", seat=state.tricks[-1].winner, trick=len(state.tricks))
        canvas.draw_text(caption, centre, 44, TEXT, lines=3, afar=True, among=view.game.seats, strong=True)


def _draw_card(canvas: Canvas, view: View, drawn: DrawnCard) -> None:
    rim = 2 * canvas.px(12)  # for badges and frame
    with canvas.rotated(drawn.spot.inflate(rim, rim), drawn.turn) as (part, room):
        place = room.inflate(-rim, -rim)
        if isinstance(drawn.shown, TableCard):
            _draw_beside(part, drawn.shown, place, view.game.seats)
        else:
            _draw_play(part, view.state.trick, drawn.shown, drawn.number, place)


def _draw_play(canvas: Canvas, trick: Trick, play: Play, number: int, spot: pygame.Rect) -> None:
    won = trick.winner == play.seat
    if won:
        canvas.draw_panel(canvas.inset(spot, -14, -14), AMBER, radius=16)
    canvas.draw_card(play.card, spot, pale=trick.winner is not None and not won)
    _draw_badge(canvas, spot, str(number))
    if trick.named is not None and play is trick.lead:
        _draw_named_suit(canvas, spot, trick.named)
    if won:
        _draw_crown(canvas, spot)


def _draw_beside(canvas: Canvas, lying: TableCard, spot: pygame.Rect, seats: tuple[str, ...]) -> None:
    """Draw a card that is not (yet) a play, with a ribbon that says what its player is to do or may do."""
    is_going_back = lying.role == "back"
    if not is_going_back:
        canvas.draw_panel(canvas.inset(spot, -8, -8), SKY, radius=14)
    is_captioned = is_going_back or lying.role == "may stay"
    canvas.draw_card(lying.card, spot, going_back=is_going_back, captioned=is_captioned)
    if not is_captioned:
        _draw_badge(canvas, spot, "?")
        return
    ribbon, _ = split(spot, "bottom", _RIBBON_SHARE)
    canvas.draw_panel(ribbon, OVER if is_going_back else SKY, INK, 2, radius=6)
    upper, lower = split(canvas.inset(ribbon, 6, 6), "top", 0.55)
    if lying.seat is None:
        canvas.draw_text(make_phrase("screen.this_card"), upper, 30, INK, smallest=15, strong=True)
    else:
        canvas.draw_name(lying.seat, seats, upper, 30, INK, smallest=_MIN_NAME_TEXT)
    code = "screen.take_back" if is_going_back else "screen.may_stay"
    canvas.draw_text(make_phrase(code), lower, 26, INK, smallest=10)


def _draw_badge(canvas: Canvas, spot: pygame.Rect, text: str) -> None:
    at = centred(canvas.px(32), (spot.left + canvas.px(7), spot.bottom - canvas.px(7)))
    canvas.draw_panel(at, PANEL_DEEP, TEXT, 2, radius=16)
    canvas.draw_badge_text(text, canvas.inset(at, 8, 6))


def _draw_named_suit(canvas: Canvas, spot: pygame.Rect, suit: str) -> None:
    """Draw the suit named for a led joker over its card's corner."""
    side = round(spot.width * 0.5)
    at = pygame.Rect(0, 0, side, side)
    at.topright = (spot.right + canvas.px(8), spot.top - canvas.px(8))
    canvas.draw_panel(at, PAPER, INK, 2, radius=10)
    canvas.draw_suit(suit, at.inflate(-side // 4, -side // 4), on_dark=False)


def _draw_crown(canvas: Canvas, spot: pygame.Rect) -> None:
    side = canvas.px(42)
    centre = (spot.right - canvas.px(11), spot.bottom - canvas.px(11))
    if canvas.look.lies_flat:
        # The crown goes between the card's two ends, because somebody reads each of them.
        side, centre = min(side, spot.height // 5), spot.center
    at = centred(side, centre)
    canvas.draw_panel(at, AMBER, PANEL_DEEP, 2, radius=22)
    canvas.draw_icon("crown", at.inflate(-side // 3, -side // 3), INK)


def _draw_deal(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw a fan of card backs while cards are dealt, or the card that was turned up."""
    turned = _turned_up_card(view)
    if turned is not None:
        _draw_turned_up_card(canvas, turned, box)
        return
    height = min(canvas.px(170), round(box.height * 0.62))
    width = round(height * CARD_ASPECT)
    shown = view.state.cards if view.state.phase is not Phase.TURN_UP else 1
    step = min(width // 3, (box.width - width) // max(1, shown))
    row = pygame.Rect(0, 0, width + step * (shown - 1), height)
    row.midtop = (box.centerx, box.top + round(box.height * 0.06))
    for number in range(shown):
        canvas.draw_card(None, pygame.Rect(row.left + number * step, row.top, width, height))
    if view.state.phase is Phase.DEAL:
        below, _ = cut(box, "bottom", box.bottom - row.bottom)
        caption = make_phrase("screen.cards_each", cards=view.state.cards)
        canvas.draw_text(caption, below, 44, TEXT, valign=0.2, lines=2, strong=True)


def _turned_up_card(view: View) -> PlayedCard | None:
    """Return the turned-up card, as it lies on the mark or as the game remembers it."""
    return view.turned_up.card if view.turned_up and view.turned_up.card else view.state.turned


def _draw_turned_up_card(canvas: Canvas, card: PlayedCard, box: pygame.Rect) -> None:
    height = min(canvas.px(220), round(box.height * 0.76))
    upper, below = cut(box, "top", height)
    canvas.draw_card(card, centred((round(height * CARD_ASPECT), height), upper.center))
    canvas.draw_text(make_phrase("screen.turned_up"), below, 36, DIM, valign=0.2, lines=3)


# --- bidding --------------------------------------------------------------------------------------------------------


def dial_time_left(view: View) -> float | None:
    """Return the share of the quiet time left before a dialled call counts, 1 to 0 in steps; None when none runs."""
    dial = view.shown_dial
    if dial is None or dial.calls_at_ns is None or not dial.quiet_ns:
        return None
    left = (dial.calls_at_ns - view.now_ns) / dial.quiet_ns
    return round(max(0.0, min(1.0, left)) * 20) / 20


def _draw_bidding(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw what is bid for: the turned-up card or the number of cards, and the bids forbidden to the last bidder."""
    state, seats = view.state, view.game.seats
    count = countdown_phrase(view)
    if count is not None:
        canvas.draw_text(count, box, 240, AMBER, strong=True)
        return
    barred = forbidden_bids(view.game, state)
    if barred is not None:
        _draw_forbidden_bids(canvas, box, *barred, seats)
        return
    box = _draw_rule(canvas, view, box)
    upper, lower = split(box, "top", 0.66)
    turned = _turned_up_card(view)
    if state.phase is Phase.AUCTION:
        highest = state.highest_call
        if highest is None:
            canvas.draw_text(make_phrase("screen.no_bid_yet"), box, 60, DIM, lines=2)
            return
        canvas.draw_text(make_phrase("screen.bid", bid=highest[1]), upper, 170, TEXT, strong=True)
        caption = make_phrase("screen.highest", seat=highest[0])
        canvas.draw_text(caption, lower, 42, DIM, valign=0, lines=2, afar=True, among=seats)
    elif turned is not None:
        _draw_turned_up_card(canvas, turned, box)
    else:
        canvas.draw_text(str(state.cards), upper, 190, TEXT, valign=1, strong=True)
        on_forehead = view.game.rules.on_forehead(state)
        code = "screen.forehead" if on_forehead else "screen.tricks_to_bid_for"
        canvas.draw_text(make_phrase(code, n=state.cards), lower, 40, DIM, valign=0, lines=2)


def _draw_rule(canvas: Canvas, view: View, box: pygame.Rect) -> pygame.Rect:
    """Draw what a bid means while the first hand is bid for; return the room that is left."""
    if view.state.results or view.state.hand > 1:
        return box
    lives, auction = view.game.has_lives(view.state), view.state.phase is Phase.AUCTION
    rule = make_phrase("screen.rule_auction" if auction else "screen.rule_lives" if lives else "screen.rule")
    # The narrow middle of an upright screen needs more height.
    foot, rest = cut(box, "bottom", min(canvas.px(170 if is_upright(box) else 76), box.height // 3))
    canvas.draw_text(rule, foot, 32, TEXT, lines=6)
    return rest


def _draw_dial(canvas: Canvas, view: View, dial: Dial, box: pygame.Rect) -> None:
    """Draw the value that a player has dialled so far, and a bar of the time left before it is called."""
    upper, rest = split(box, "top", 0.6)
    lower, _ = cut(rest, "top", round(box.height * 0.22))
    if str(dial.shown) in SUITS:
        canvas.draw_suit(str(dial.shown), upper, on_dark=True)
        caption = make_phrase("screen.dials_suit", seat=dial.seat, suit=dial.shown)
    else:
        canvas.draw_text(make_phrase("screen.bid", bid=dial.shown), upper, 190, AMBER, strong=True)
        code = "screen.chooses" if dial.calls_at_ns is None else "screen.about_to_call"
        caption = make_phrase(code, seat=dial.seat)
    canvas.draw_text(caption, lower, 44, TEXT, lines=3, among=view.game.seats, strong=True)
    part = dial_time_left(view)
    if part is not None:
        bar = pygame.Rect(0, 0, canvas.px(360), canvas.px(18))
        bar.midbottom = (box.centerx, box.bottom - canvas.px(6))
        canvas.draw_panel(bar, PANEL_DEEP, EDGE, 2, radius=9)
        left = canvas.inset(bar, 8, 8)
        left.width = max(left.height, round(left.width * part))
        canvas.draw_panel(left, AMBER, radius=5)


def _draw_forbidden_bids(
    canvas: Canvas, box: pygame.Rect, seat: str, barred: tuple[int, ...], seats: tuple[str, ...]
) -> None:
    upper, lower = split(box, "top", 0.7)
    side = min(upper.height, canvas.px(210), upper.width // max(1, len(barred)))
    row = centred((side * len(barred), side), upper.center)
    for barred_bid in barred:
        cell, row = cut(row, "left", side)
        ring = cell.inflate(-side // 12, -side // 12)
        canvas.draw_text(str(barred_bid), ring.inflate(-side // 4, -side // 4), 150, TEXT, strong=True)
        canvas.surface.blit(draw_icon("forbidden", ring.width, OVER), ring)
    caption = make_phrase("screen.may_not_bid", seat=seat, numbers=barred)
    canvas.draw_text(caption, lower, 42, TEXT, valign=0.3, lines=3, afar=True, among=seats, strong=True)
