"""How unlikely each thing is that can happen at a table, or go wrong in seeing it.

All costs are in nats: minus the natural logarithm of how often it happens where it can. What explains everything seen
at the lowest cost is what the referee believes. They need to be right to within a factor of two or so: what decides
is that one thing that went wrong is likelier than two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import atan2, degrees, exp, hypot, inf, log

from table.facts import CardGone, CardLanded


@dataclass(frozen=True, slots=True)
class Habit:
    """What some people do more often than others: what it costs that it happens, nats.

    Most tables play with care. At some (children's, late in the evening) whoever goes by the book in nothing revokes
    too: what was seen of one such thing makes the next one likelier, and every card laid in turn speaks for care.
    """

    careful: float
    careless: float

    def of(self, careless: float) -> tuple[float, float]:
        """What it costs where a table is careless with that probability, and how probable that is once it happened."""
        with_care, without = (1 - careless) * exp(-self.careful), careless * exp(-self.careless)
        total = with_care + without
        return -log(total), without / total


@dataclass(frozen=True, slots=True)
class Odds:
    """The costs, each with what it was chosen on."""

    missed: float = 5.0
    """A card was played and never seen: about 1 in 150, what a poor camera missed (a good one: 1 in 700)."""
    unseen_suit: float = 1.1
    """An unseen lead was not of the next card's suit, which is a discard then: one in three for each other suit."""
    unseen_loses: float = 0.4
    """... and did not win the trick: two of three."""
    unseen_wins: float = 1.1
    """... and won it."""
    careless: float = 0.03
    """How many tables play without care: one in thirty."""
    in_turn: Habit = Habit(0.1, 0.35)
    """A card is laid when it is waited for, and was no oversight."""
    out_of_turn: Habit = Habit(2.6, 2.0)
    """A card is laid although it is another player's turn: the virtual players do so one time in fifteen. Without care
    more often, but then by any of the others."""
    strange_arm: float = 4.0
    """... and whose arm was seen is not asked for a player whose arm it was one time in fifty."""
    again_already: float = 3.5
    """... by one who has laid a card to this trick already."""
    early_lead: float = 3.0
    """A lead before the last trick is picked up."""
    early_lead_too: float = 1.0
    """... where another such lead lies already: who sees one takes the trick for gone."""
    at_no_time: float = 1.0
    """A card while none is to be played: people look at one, or the dealer lays the turned-up card too early. (While
    such a card lies there the next one is as much out of turn as any: else a call was made that nobody heard.)"""
    turned_already: float = 2.5
    """... after one has been turned up."""
    not_the_turned: float = 2.0
    """... while one is to be turned up, and that is not it."""
    turned_for: float = 2.0
    """Another player than the dealer turns the card up."""
    by_no_hand: float = 1.0
    """A card is turned up, and no arm was seen that laid it."""
    withdrawn: Habit = Habit(3.0, 1.3)
    """A card that was played is taken back: one in twenty."""
    lost: float = 4.0
    """A card that lies there is told of as gone: glare, a hand, a card pushed beneath others."""
    lost_to_a_hand: float = 1.0
    """... while a hand is seen that might have taken it."""
    lost_too: float = 0.5
    """... each further one in the same moment: one cause."""
    buried: float = 1.2
    """... where another card lies upon it: nobody draws it out from there."""
    found: float = 0.7
    """A card that was lost from sight is seen again."""
    at_last: float = 1.5
    """A card that was missed is seen after all: who is waited for, and has played, lays it down again."""
    unasked: float = 3.0
    """... by a hand, before anybody can have noticed that it is waited for."""
    moved: float = 1.0
    """A card is pushed about and seen anew, near where it lay."""
    carried_off: float = 8.0
    """... far from where it lay, and still seems to lie."""
    ghost: float = 3.6
    """A card is told of where none is; no hand brought it. (That a real one is seen to come by no hand is as rare: of
    the 78 cards that fell in three games of the virtual camera none did.)"""
    ghost_in_hand: float = 6.5
    """... though a hand was there."""
    nameless: float = 1.5
    """A card that can't be read was played: nobody turned it, and play went on."""
    face_down: float = 0.7
    """What can't be read lies face down, and its player turns it or takes it back."""
    unnoticed: float = 4.5
    """A complete trick was picked up, and not one of its cards was seen to go before the next card fell."""
    late: float = 0.7
    """... some of its cards were not seen to go."""
    no_time: float = 4.0
    """... and the next card fell sooner after the trick's last one than hands can do all that."""
    lingered: float = 2.0
    """Cards of a trick that was taken unnoticed lie there until they are seen to go together."""
    idle: float = 7.0
    """In the middle of a hand nobody does anything for the better part of a minute: of the moments at which a card is
    waited for, one in 1,100, so one hand in fifty. (A card that falls after all takes the hand up again, so a long
    thought costs nothing.)"""
    still_lost: float = 2.0
    """... and cards of the trick that were lost from sight lie there unseen all the while."""
    still_seen: float = 4.0
    """... and cards that have been taken seem to lie there all the while."""
    paused: float = 4.0
    """A pick-up stops for longer than a grab, with one card in the hand."""
    unheard: float = 6.0
    """A bid was made and its presses never came: a loose contact."""
    guessed: float = 0.7
    """... and it was not the likeliest one."""
    swept: float = 3.0
    """A card that was to be taken back, or was withdrawn, goes in the same moment as another player's, or as what was
    told of where no card was."""
    taken_for_another: float = 3.5
    """Another player than the winner picks the trick up."""
    discard: float = 1.0
    """A card is not of the suit that was led. Of the virtual players' cards five follow for each that doesn't while
    there are more than four in the hand, later, but for the last, as many as don't."""
    revoke: Habit = Habit(4.0, 0.8)
    """Suit was not followed and a later card proves it. (Of the virtual players who don't follow, one in ninety could
    have; where people take no care, every second one.)"""
    revoke_too: float = 0.7
    """... more than once: who does so does so again."""
    free_lead: float = 0.7
    """With free leads: anyone but the default leader leads."""
    refused: float = 1.5
    """A call that means nothing where the game stands: people press too early, twice, by mistake."""
    rapped_again: float = 2.3
    """Somebody who has rapped the table does so again, while others are waited for: one in ten."""
    called_early: float = 3.4
    """Somebody calls although it is another player's turn in the auction: one call in thirty."""
    refused_deal: float = 3.0
    """The dealer says that all is dealt, while a hand is being played."""
    misread: float = 5.7
    """What was read for sure is wrong, and not even a doubt was told."""
    order: float = 4.5
    """Of tied leads another lies beneath than was seen."""
    first_unseen: float = 1.0
    """A lead was first that nobody saw landing: of two that tie so far apart that it could be told, each as often."""
    none_first: float = 1.3
    """... or none was: one pair in four lands within two frames."""
    tied_unseen: float = 2.0
    """Leads that nobody saw landing are tied: the virtual players tie one lead in eight."""
    left_tied: float = 1.5
    """A tied lead that is to go back, and can't count, lies there still as the next card is laid."""
    contradicted: float = 15.0
    """A person has said otherwise."""
    meant_otherwise: float = 6.0
    """So much of that counts as a card is laid; none of it where it is taken back for the one that people name."""


ODDS = Odds()

SLIM = 0.02
"""A reading less likely than this is no reading."""
SPREAD_DEG = 18.0
"""How far the arm of a player strays from the seat's direction (virtual and recorded arms: up to 40 degrees)."""
STRAY_DEG = 40.0
"""An arm farther than this from every seat tells little."""
GONE_SURE = 0.9
"""How sure the arm is that takes a card away."""
CENTRAL_MM = 5.0
"""A card nearer to the mark than this lies on nobody's side."""
ASIDE_MM = 10.0
"""... and one that is nearer than this, or not much farther, on nobody's for sure."""
SIDE_DEG = 40.0
"""How far from the direction of its player's seat a card lies (of 63 cards of the virtual camera nine in ten: 24)."""
ANYWHERE = 0.25
"""So many lie anywhere: thrown, slid upon the pile, pushed on."""


@lru_cache(maxsize=4096)
def _shares(arm_deg: float, sure: float, seated: tuple[tuple[str, float], ...]) -> Mapping[str, float]:
    """The probability of each seat that the arm is its own.

    A mixture: the directions of the seats with a spread, and, as far as the arm is not sure, anybody.
    """
    off = {seat: turn(arm_deg, angle) for seat, angle in seated}
    weight = min(0.985, 1 - (1 - sure) ** 1.5)
    if min(off.values()) > STRAY_DEG:
        weight *= 0.3
    nearest = min(off.values())
    near = {seat: exp((nearest**2 - away**2) / (2 * SPREAD_DEG**2)) for seat, away in off.items()}
    total = sum(near.values())
    return {seat: (1 - weight) / len(off) + weight * near[seat] / total for seat in off}


@lru_cache(maxsize=4096)
def lies(place_mm: tuple[float, float], seated: tuple[tuple[str, float], ...]) -> Mapping[str, float]:
    """What it costs, in nats, that a card which lies there is a seat's: most lie on their player's side of the mark."""
    x, y = place_mm
    far = hypot(x, y)
    if far < CENTRAL_MM or not seated:
        return {}
    side = degrees(atan2(x, -y))  # clockwise from the picture's top; y runs down
    spread = hypot(SIDE_DEG, degrees(atan2(ASIDE_MM, far)))
    near = {seat: exp(-0.5 * (turn(side, angle) / spread) ** 2) for seat, angle in seated}
    total = sum(near.values())
    shares = {seat: ANYWHERE / len(near) + (1 - ANYWHERE) * one / total for seat, one in near.items()}
    most = max(shares.values())
    return {seat: log(most / share) for seat, share in shares.items()}


def turn(a: float, b: float) -> float:
    """The angle between two directions, 0..180 degrees."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


@dataclass(frozen=True, slots=True)
class Arm:
    """What the arm tells of a card's player, and where the card lies."""

    shares: Mapping[str, float]
    """The probability of each seat; empty when no arm was seen."""
    lies: Mapping[str, float] = field(default_factory=dict)
    """What the card's place speaks against each seat, in nats; empty where it tells nothing."""

    def cost(self, seat: str | None) -> float:
        """What it costs that this card is ``seat``'s; nothing where neither its arm nor its place tells."""
        if seat is None:
            return 0.0
        place = self.lies.get(seat, 0.0)
        if not self.shares:
            return place
        share = self.shares.get(seat, 0.0)
        return place - log(share) if share > 0 else inf

    @property
    def seat(self) -> str | None:
        """The likeliest seat, where there is one."""
        if not self.shares:
            return None
        best = max(self.shares, key=lambda seat: self.shares[seat])
        return best if self.shares[best] > 0.5 else None

    @property
    def sure(self) -> bool:
        """Whether it is plain enough to hold against the order of turns."""
        return bool(self.shares) and max(self.shares.values()) > 0.75


NO_ARM = Arm({})


def arm_of(fact: CardLanded | CardGone, seated: tuple[tuple[str, float], ...]) -> Arm:
    """The arm that brought a card or took it; ``seated``: who plays, and the directions of their seats."""
    if not seated:
        return NO_ARM
    if isinstance(fact, CardGone):
        return NO_ARM if fact.arm_deg is None else Arm(_shares(fact.arm_deg, GONE_SURE, seated))
    shares = {} if fact.arm_deg is None else _shares(fact.arm_deg, fact.arm_sure, seated)
    return Arm(shares, lies(fact.place_mm, seated))
