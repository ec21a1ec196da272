"""Strategy of the simulated players: bid estimates, choice of cards, and where to lay a card down.

A player knows the own hand (on the one-card hand, everybody else's instead), the cards played, and the rules.
Players try to make their bids exactly, by simple rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from table.cards import NO_TRUMP, Card, cards
from table.directions import direction_vector
from table.simulation.reference_rules.common import ReferenceGame
from table.simulation.rendering.card_artwork import HEIGHT_MM, WIDTH_MM
from table.simulation.rendering.motions_over_time import CardPose, to_table_mm
from table.simulation.rendering.vector_shapes import Points


def estimate_tricks(hand: Sequence[Card], trump: str | None, players: int) -> float:
    """Estimate the tricks that a hand wins among that many players."""
    crowd_factor = (players - 1) / 3
    total = 0.0
    for card in hand:
        if card.is_joker:
            total += 0.9
        elif card.suit == trump:
            total += max(0.1, 1.02 - 0.075 * crowd_factor * (14 - _rank_value(card)))
        else:
            total += {14: 0.72, 13: 0.42, 12: 0.2}.get(_rank_value(card), 0.05) ** max(0.6, crowd_factor)
    if trump not in (None, NO_TRUMP) and len(hand) > 3:
        held_suits = {card.suit for card in hand}
        short = sum(suit not in held_suits for suit in "SHDC" if suit != trump)
        total += 0.35 * min(short, sum(card.suit == trump for card in hand))
    return min(float(len(hand)), total)


def estimate_unseen_card(visible: Sequence[Card], trump: str | None) -> float:
    """Estimate the probability that an unseen single card beats the visible single cards of all others."""
    best = max((_rank_value(card) + (20 if card.suit == trump else 0) for card in visible), default=0)
    if best >= 20:
        return 0.25 * (34 - best) / 14
    return 0.25 + 0.2 * (14 - best) / 12


def choose_bid(game: ReferenceGame, seat: str, hands: Mapping[str, Sequence[Card]], boldness: float) -> int:
    """Return the legal number nearest to the hand's estimated tricks, to which ``boldness`` is added."""
    if game.on_forehead():
        visible = [card for other, hand in hands.items() if other != seat for card in hand]
        estimate = estimate_unseen_card(visible, game.trump)
    else:
        estimate = estimate_tricks(hands[seat], game.trump, len(game.players)) + boldness
    numbers = [bid for bid in game.legal_bids(seat) if isinstance(bid, int)]
    return min(numbers, key=lambda number: (abs(number - estimate), number))


def choose_card(game: ReferenceGame, seat: str, legal: Sequence[Card]) -> Card:
    """Return the card to play: win while tricks are needed, cheaply when last; otherwise lose with the highest card."""
    bid = game.bid_of().get(seat, 0)
    needs_tricks = isinstance(bid, int) and bid > game.won(seat)
    played = cards(name for _, name in game.trick if name)
    trump = game.trump
    if not played:
        return max(legal, key=lambda card: _lead_score(card, trump, needs_tricks))
    led = played[0].suit
    best_value = max(_trick_value(card, led, trump) for card in played)
    winners = [card for card in legal if _trick_value(card, led, trump) > best_value]
    losers = [card for card in legal if card not in winners]
    last = len(played) == len(game.players) - 1
    if needs_tricks and winners:
        pick = min if last else max
        return pick(winners, key=lambda card: _trick_value(card, led, trump))
    if losers:
        # Nothing to win: throw the least when tricks are wanted, the most dangerous when they are not.
        return (min if needs_tricks else max)(losers, key=lambda card: _winning_risk(card, trump))
    return (max if last else min)(winners, key=lambda card: _trick_value(card, led, trump))


def _rank_value(card: Card) -> int:
    """Return a rank's value from 2 to 14 in every pack (10 for 11 to 13), 15 for the joker."""
    if card.is_joker:
        return 15
    return {"J": 11, "Q": 12, "K": 13, "A": 14}.get(
        card.rank, min(10, int(card.rank) if card.rank.isdigit() else 10)
    )


def _trick_value(card: Card, led: str | None, trump: str | None) -> int:
    if card.is_joker:
        return 300
    if card.suit == trump:
        return 200 + card.strength
    return 100 + card.strength if card.suit == led else card.strength - 100


def _winning_risk(card: Card, trump: str | None) -> int:
    return card.strength + (40 if card.suit == trump or card.is_joker else 0)


def _lead_score(card: Card, trump: str | None, needs_tricks: bool) -> tuple[int, int]:
    strength = card.strength if needs_tricks else -card.strength
    return (strength - (4 if card.suit == trump or card.is_joker else 0), -card.strength)


# --- poses of cards on the mark -------------------------------------------------------------------------------

_INDEX_POINTS_MM = np.array([(x, y) for x in (-30.0, -26.5, -23.0) for y in (-42.0, -36.0, -28.0)])
"""Sample points of the index in the upper left corner, in mm from the card's centre."""


def card_corners(pose: CardPose, grow: float = 0.0) -> Points:
    """Return the four corners of a card at ``pose`` in table mm, moved outwards by ``grow`` mm."""
    half = np.array([WIDTH_MM / 2 + grow, HEIGHT_MM / 2 + grow])
    return to_table_mm(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half, pose)


def overlap_share(first: CardPose, second: CardPose, grow: float = 0.0) -> float:
    """Return the overlap area of two cards, both larger by ``grow`` mm at each edge, as a share of a card's area."""
    one, other = (card_corners(pose, grow).astype(np.float32) for pose in (first, second))
    return float(cv2.intersectConvexConvex(one, other)[0]) / (WIDTH_MM * HEIGHT_MM)


def every_index_visible(pile: Sequence[CardPose]) -> bool:
    """Return whether each card of a heap, given from the lowest up, shows at least one whole index."""
    return all(_has_visible_index(pose, pile[number + 1 :]) for number, pose in enumerate(pile))


def _has_visible_index(pose: CardPose, cards_above: Sequence[CardPose]) -> bool:
    covers = [card_corners(upper, grow=1.0).astype(np.float32) for upper in cards_above]
    return any(
        all(
            cv2.pointPolygonTest(cover, (float(x), float(y)), False) < 0
            for cover in covers
            for x, y in to_table_mm(corner, pose)
        )
        for corner in (_INDEX_POINTS_MM, -_INDEX_POINTS_MM)
    )


def choose_card_pose(
    rng: np.random.Generator,
    seat_deg: float,
    pile: Sequence[CardPose],
    *,
    players: int = 3,
    upon: CardPose | None = None,
    apart: bool = False,
) -> CardPose:
    """Return a random pose for a card that a player at direction ``seat_deg`` lays onto a heap.

    The pose is a little towards the player's side, so that every card below keeps a visible index; it is farther out
    for more ``players``. ``upon``: the card must partly cover the card at that pose; ``apart``: it must touch no card.
    """
    start_mm = 62.0 if apart else 10.0 + 4.5 * players
    side = direction_vector(seat_deg)
    pose: CardPose | None = None
    for attempt in range(160):
        # Later attempts are farther out, or, to lie upon a card, farther in.
        reach_mm = start_mm + (0.12 if upon is None else -0.25) * attempt + float(rng.normal(0, 5))
        sideways_mm = float(rng.normal(0, 5 + 0.1 * attempt))
        x, y = side[0] * reach_mm - side[1] * sideways_mm, side[1] * reach_mm + side[0] * sideways_mm
        # The card's upper edge points away from the player, who can read it.
        angle = (seat_deg + 180 + float(rng.normal(0, 9))) % 360
        pose = CardPose(x, y, angle)
        fits = every_index_visible([*pile, pose])
        if upon is not None:
            fits = fits and 0.1 < overlap_share(pose, upon) < 0.6
        if apart:
            fits = fits and all(overlap_share(pose, lower, grow=5.0) == 0 for lower in pile)
        if fits:
            return pose
    assert pose is not None
    return pose
