"""How virtual players think: what a hand is worth, which card to play, where to lay it down.

They know their own cards (and, on the one-card hand, everybody else's), what has been played, and the rules.
They play to make their bids, without cunning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from table.cards import NO_TRUMP, Card
from table.events.happenings import BidValue
from table.games.base import State
from table.virtual.faces import HEIGHT_MM, WIDTH_MM
from table.virtual.scene import Pose, direction
from table.virtual.shapes import Points


@dataclass(frozen=True, slots=True)
class Mind:
    """A player's turn of mind."""

    seat: str
    boldness: float
    """Added to the tricks that a hand seems worth."""
    tempo: float
    """How long this player takes, as a multiple of the usual."""


def worth(hand: Sequence[Card], trump: str | None, players: int) -> float:
    """The tricks that a hand seems worth among so many players."""
    crowd = (players - 1) / 3
    total = 0.0
    for held in hand:
        if held.is_joker:
            total += 0.9
        elif held.suit == trump:
            total += max(0.1, 1.02 - 0.075 * crowd * (14 - _height(held)))
        else:
            total += {14: 0.72, 13: 0.42, 12: 0.2}.get(_height(held), 0.05) ** max(0.6, crowd)
    if trump not in (None, NO_TRUMP) and len(hand) > 3:
        held_suits = {held.suit for held in hand}
        short = sum(suit not in held_suits for suit in "SHDC" if suit != trump)
        total += 0.35 * min(short, sum(held.suit == trump for held in hand))
    return min(float(len(hand)), total)


def worth_unseen(others: Sequence[Card], trump: str | None) -> float:
    """The chance that an unseen single card beats the cards on all the other foreheads."""
    best = max((_height(held) + (20 if held.suit == trump else 0) for held in others), default=0)
    if best >= 20:
        return 0.25 * (34 - best) / 14
    return 0.25 + 0.2 * (14 - best) / 12


def choose_bid(
    state: State,
    mind: Mind,
    hands: Mapping[str, Sequence[Card]],
    legal: Sequence[BidValue],
    *,
    hidden: bool,
) -> int:
    """The number of ``legal`` that fits the hand best; ``hidden``: the only card is held to the forehead."""
    if hidden:
        others = [held for seat, held_by in hands.items() if seat != mind.seat for held in held_by]
        value = worth_unseen(others, state.trump)
    else:
        value = worth(hands[mind.seat], state.trump, len(state.players)) + mind.boldness
    numbers = [bid for bid in legal if isinstance(bid, int)]
    return min(numbers, key=lambda number: (abs(number - value), number))


def choose_card(state: State, seat: str, legal: Sequence[Card]) -> Card:
    """The card to play: to win while tricks are wanted, cheaply when last; else to lose, dearly."""
    bid = state.bid_of.get(seat, 0)
    wants = (bid if isinstance(bid, int) else 0) - state.won(seat) > 0
    plays = state.trick.plays
    trump = state.trump
    if not plays:
        return max(legal, key=lambda held: _lead_key(held, trump, wants))
    led = plays[0].card.suit
    now = max(_power(play.card, led, trump) for play in plays)
    winners = [held for held in legal if _power(held, led, trump) > now]
    losers = [held for held in legal if held not in winners]
    last = len(plays) == len(state.players) - 1
    if wants and winners:
        pick = min if last else max
        return pick(winners, key=lambda held: _power(held, led, trump))
    if losers:
        # Nothing to win: throw the least when tricks are wanted, the most dangerous when they are not.
        return (min if wants else max)(losers, key=lambda held: _danger(held, trump))
    return (max if last else min)(winners, key=lambda held: _power(held, led, trump))


def _height(held: Card) -> int:
    """From 2 to 14 whatever the pack."""
    if held.is_joker:
        return 15
    return {"J": 11, "Q": 12, "K": 13, "A": 14}.get(
        held.rank, min(10, int(held.rank) if held.rank.isdigit() else 10)
    )


def _power(held: Card, led: str | None, trump: str | None) -> int:
    if held.is_joker:
        return 300
    if held.suit == trump:
        return 200 + held.strength
    return 100 + held.strength if held.suit == led else held.strength - 100


def _danger(held: Card, trump: str | None) -> int:
    return held.strength + (40 if held.suit == trump or held.is_joker else 0)


def _lead_key(held: Card, trump: str | None, wants: bool) -> tuple[int, int]:
    strength = held.strength if wants else -held.strength
    return (strength - (4 if held.suit == trump or held.is_joker else 0), -held.strength)


# --- laying a card down ---------------------------------------------------------------------------------------

_INDEX = np.array([(x, y) for x in (-30.0, -26.5, -23.0) for y in (-42.0, -36.0, -28.0)])
"""Points of the index in the upper left corner, in mm from the card's centre."""


def card_corners(pose: Pose, grow: float = 0.0) -> Points:
    """A lying card's corners in mm."""
    half = np.array([WIDTH_MM / 2 + grow, HEIGHT_MM / 2 + grow])
    return placed(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half, pose)


def placed(points: Points, pose: Pose) -> Points:
    """Points of a card (mm from its centre, upright) on the table."""
    angle = np.radians(pose.angle)
    right = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-np.sin(angle), np.cos(angle)])
    there: Points = np.array([pose.x, pose.y]) + points[:, :1] * right + points[:, 1:] * down
    return there


def overlap(one: Pose, other: Pose) -> float:
    """The share of a card that two cards have in common, 0..1."""
    area, _ = cv2.intersectConvexConvex(
        card_corners(one).astype(np.float32), card_corners(other).astype(np.float32)
    )
    return float(area) / (WIDTH_MM * HEIGHT_MM)


def readable(pile: Sequence[Pose]) -> bool:
    """Whether each card of a pile, given from the lowest, shows at least one whole index."""
    return all(_shows_index(pose, pile[number + 1 :]) for number, pose in enumerate(pile))


def _shows_index(pose: Pose, above: Sequence[Pose]) -> bool:
    covers = [card_corners(other, grow=1.0).astype(np.float32) for other in above]
    return any(
        all(
            cv2.pointPolygonTest(cover, (float(x), float(y)), False) < 0
            for cover in covers
            for x, y in placed(corner, pose)
        )
        for corner in (_INDEX, -_INDEX)
    )


def lay_pose(
    rng: np.random.Generator,
    seat_deg: float,
    pile: Sequence[Pose],
    *,
    players: int = 3,
    upon: Pose | None = None,
    apart: bool = False,
) -> Pose:
    """Where a player from that side lays a card onto a pile.

    A little towards the own side, so that every card below keeps an index in sight, as people do who want to see
    the trick; farther out when many ``players`` will lay theirs. ``upon``: it must lie upon that card; ``apart``:
    it must touch no card.
    """
    toward = 62.0 if apart else 10.0 + 4.5 * players
    side = direction(seat_deg)
    best: Pose | None = None
    for attempt in range(160):
        # What doesn't fit is tried farther out, or, to lie upon a card, farther in.
        reach = toward + (0.12 if upon is None else -0.25) * attempt + float(rng.normal(0, 5))
        slip = float(rng.normal(0, 5 + 0.1 * attempt))
        x, y = side[0] * reach - side[1] * slip, side[1] * reach + side[0] * slip
        # Held so that its player reads it: its upper edge points away from the player.
        angle = (seat_deg + 180 + float(rng.normal(0, 9))) % 360
        best = Pose(x, y, angle)
        common = [overlap(best, other) for other in pile]
        fits = readable([*pile, best])
        if upon is not None:
            fits = fits and 0.1 < overlap(best, upon) < 0.6
        if apart:
            fits = fits and all(share == 0 for share in common) and _clear(best, pile)
        if fits:
            return best
    assert best is not None
    return best


def _clear(pose: Pose, pile: Sequence[Pose]) -> bool:
    grown = card_corners(pose, grow=5.0).astype(np.float32)
    return all(
        cv2.intersectConvexConvex(grown, card_corners(other, grow=5.0).astype(np.float32))[0] == 0
        for other in pile
    )
