"""The costs of everything that can happen at a table, or go wrong in seeing it, in nats.

A cost is minus the natural logarithm of how often a thing happens where it can. The referee believes the hypothesis
that explains all observations at the lowest cost. Costs need to be right to within a factor of two or so: what
decides is that one thing that went wrong is likelier than two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import atan2, degrees, exp, hypot, inf, log

from table.directions import angle_between
from table.observed_facts import CardGone, CardLanded


@dataclass(frozen=True, slots=True)
class Habit:
    """The cost of something that careless tables do more often than careful ones, in nats for each kind of table.

    Most tables play with care. At some (children's, late in the evening) whoever goes by the book in nothing revokes
    too: what was seen of one such thing makes the next one likelier, and every card laid in turn speaks for care.
    """

    careful: float
    careless: float

    def cost_and_posterior(self, careless: float) -> tuple[float, float]:
        """Return the cost of one occurrence, and the probability afterwards that the table is careless.

        ``careless``: that probability beforehand.
        """
        with_care, without = (1 - careless) * exp(-self.careful), careless * exp(-self.careless)
        total = with_care + without
        return -log(total), without / total


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of each event, in nats, with what its value was chosen on.

    A description that begins with "..." adds a circumstance to the one above.
    """

    undetected_card: float = 5.0
    """A card was played and not detected: about 1 in 150, what a poor camera missed (a good one: 1 in 700)."""
    undetected_suit: float = 1.1
    """An undetected lead was not of the next card's suit, so that card is a discard: one in three for each other
    suit."""
    undetected_loses: float = 0.4
    """... and did not win the trick: two of three."""
    undetected_wins: float = 1.1
    """... and won the trick."""
    careless: float = 0.03
    """The prior probability (no cost) that a table plays without care: one in thirty."""
    in_turn: Habit = Habit(0.1, 0.35)
    """A card is laid in turn, and not by oversight."""
    out_of_turn: Habit = Habit(2.6, 2.0)
    """A card is laid out of turn: the virtual players do so one time in fifteen. Without care more often, but then by
    any of the other players."""
    second_card_in_trick: float = 3.5
    """... by a player who has already laid a card to this trick."""
    early_lead: float = 3.0
    """A card is led before the last trick is picked up."""
    further_early_lead: float = 1.0
    """... where another early lead lies already: players who see one take the trick for picked up."""
    no_card_expected: float = 1.0
    """A card is laid while none is to be played: people look at one, or the dealer lays the turned-up card too early.
    (While such a card lies there the next one is as much out of turn as any: else a call was missed.)"""
    not_turned_up_card: float = 2.0
    """... while a card is to be turned up, or has been, and this is not that card."""
    turned_up_by_other: float = 2.0
    """Another player than the dealer turns the card up."""
    taken_back: Habit = Habit(3.0, 1.3)
    """A played card is taken back: one in twenty."""
    lost_from_sight: float = 4.0
    """A card that still lies there is reported as gone: glare, a hand, a card pushed beneath others."""
    lost_near_hand: float = 1.0
    """... while a hand is detected that might have taken it."""
    further_lost: float = 0.5
    """... each further card in the same moment: they have one cause."""
    covered: float = 1.2
    """... where another card lies upon it: nobody draws a card out from there."""
    seen_again: float = 0.7
    """A card that was lost from sight is detected again."""
    missed_seen_late: float = 1.5
    """A missed card is detected later: its player is waited for, has played, and lays it down again."""
    replayed_too_soon: float = 3.0
    """... by a hand, before anybody can have noticed that the card is waited for."""
    moved_nearby: float = 1.0
    """A card is pushed about and detected as a new one, near where it lay."""
    moved_far: float = 8.0
    """... far from where it lay, while it still seems to lie there."""
    false_detection: float = 3.6
    """A card is reported where there is none, and no hand brought it. (That a real card comes without a detected hand
    is as rare: of the 78 cards that fell in three games of the virtual camera none did.)"""
    false_detection_with_hand: float = 6.5
    """... though a hand was there."""
    unreadable_played: float = 1.5
    """A card that can't be read was played: nobody turned it, and play went on."""
    unreadable_face_down: float = 0.7
    """A card that can't be read lies face down, and its player turns it or takes it back."""
    pick_up_undetected: float = 4.5
    """A complete trick was picked up, and not one of its cards was reported gone before the next card fell."""
    pick_up_partly_detected: float = 0.7
    """... and only some of its cards were reported gone."""
    pick_up_too_fast: float = 4.0
    """... and the next card fell sooner after the trick's last one than hands can pick up and lay again."""
    taken_cards_lingered: float = 2.0
    """Cards of a trick that was taken unnoticed stay visible until they are reported gone together."""
    idle_mid_hand: float = 7.0
    """In the middle of a hand nobody does anything for the better part of a minute: of the moments at which a card is
    waited for, one in 1,100, so one hand in fifty. (A card that falls after all takes the hand up again, so a long
    thought costs nothing.)"""
    idle_with_taken_cards: float = 4.0
    """... and cards that have been taken seem to lie there all the while."""
    pick_up_paused: float = 4.0
    """A pick-up stops for longer than the pause between two grabs, with one card in the hand."""
    missed_call: float = 6.0
    """A call was made and none of its presses arrived: a loose contact."""
    unlikely_guess: float = 0.7
    """... and it was not the likeliest bid."""
    left_together: float = 3.0
    """A card that was to be taken back, or was withdrawn, leaves in the same moment as another player's, or as a
    false detection."""
    trick_taken_by_other: float = 3.5
    """Another player than the winner picks the trick up."""
    discard: float = 1.0
    """A card is not of the suit that was led. Of the virtual players' cards five follow for each that doesn't while
    there are more than four in the hand, later, but for the last, as many as don't."""
    revoke: Habit = Habit(4.0, 0.8)
    """Suit was not followed and a later card proves it. (Of the virtual players who don't follow, one in ninety could
    have; where people take no care, every second one.)"""
    further_revoke: float = 0.7
    """... more than once: who revokes does so again."""
    lead_by_non_default: float = 0.7
    """With free leads: anyone but the default leader leads."""
    refused_call: float = 1.5
    """A call that means nothing in the present state: people press too early, twice, by mistake."""
    rapped_again: float = 2.3
    """A player who has rapped does so again, while others are waited for: one in ten."""
    called_early: float = 3.4
    """A player calls out of turn in the auction: one call in thirty."""
    refused_deal_call: float = 3.0
    """The dealer raps for a finished deal while a hand is being played."""
    misread: float = 5.7
    """A confident reading is wrong, and no alternative reading was reported."""
    wrong_lead_order: float = 4.5
    """Of tied leads another lies beneath than was detected."""
    crossed_arms: float = 4.5
    """Of two hands that lay cards together each is taken for the other."""
    undetected_first: float = 1.0
    """One of several leads that nobody saw landing was first: of two that tie so far apart that it could be told,
    each as often."""
    undetected_none_first: float = 1.3
    """... or none was first: one pair in four lands within two frames."""
    undetected_tie: float = 2.0
    """Leads that nobody saw landing are tied: the virtual players tie one lead in eight."""
    tied_lead_left: float = 1.5
    """A tied lead that is to go back, and can't count, still lies there when the next card is laid."""
    contradicts_people: float = 15.0
    """The hypothesis contradicts what a person has said; refunded where a card is taken back for the one that people
    name."""


COSTS = Costs()

MIN_CONFIDENCE = 0.02
"""The confidence below which a reading is ignored."""
ARM_SPREAD_DEG = 18.0
"""The standard deviation of a player's arm direction from the seat's (virtual and recorded arms: up to 40 degrees)."""
DEPARTURE_ARM_CONFIDENCE = 0.9
"""The confidence of the arm that takes a card away."""
CENTRAL_MM = 5.0
"""A card nearer to the mark than this lies on nobody's side."""
PLACE_UNCERTAINTY_MM = 10.0
"""The uncertainty of a card's place: at this distance from the mark, or not much farther, its side is uncertain."""
PLACE_SPREAD_DEG = 40.0
"""The standard deviation of a card's direction from its player's seat (of 63 cards of the virtual camera nine in ten:
24)."""
UNIFORM_SHARE = 0.25
"""The share of cards that lie anywhere: thrown, slid upon the pile, pushed on."""


@lru_cache(maxsize=4096)
def _arm_probabilities(
    arm_deg: float, sure: float, seated: tuple[tuple[str, float], ...]
) -> Mapping[str, float]:
    """Return the probability of each seat that the arm is its player's.

    A mixture: a Gaussian about the directions of the seats, and, as far as the arm is uncertain, a uniform share.
    """
    off = {seat: angle_between(arm_deg, angle) for seat, angle in seated}
    weight = min(0.985, 1 - (1 - sure) ** 1.5)
    nearest = min(off.values())
    near = {seat: exp((nearest**2 - away**2) / (2 * ARM_SPREAD_DEG**2)) for seat, away in off.items()}
    total = sum(near.values())
    return {seat: (1 - weight) / len(off) + weight * near[seat] / total for seat in off}


@lru_cache(maxsize=4096)
def costs_of_place(
    place_mm: tuple[float, float], seated: tuple[tuple[str, float], ...]
) -> Mapping[str, float]:
    """Return the cost in nats of each seat's owning a card at this place: most lie on their player's side.

    Empty where the card is too near to the mark to tell. ``seated``: the seats with their directions in degrees.
    """
    x, y = place_mm
    far = hypot(x, y)
    if far < CENTRAL_MM or not seated:
        return {}
    side = degrees(atan2(x, -y))  # clockwise from the picture's top; y runs down
    spread = hypot(PLACE_SPREAD_DEG, degrees(atan2(PLACE_UNCERTAINTY_MM, far)))
    near = {seat: exp(-0.5 * (angle_between(side, angle) / spread) ** 2) for seat, angle in seated}
    total = sum(near.values())
    shares = {
        seat: UNIFORM_SHARE / len(near) + (1 - UNIFORM_SHARE) * weight / total
        for seat, weight in near.items()
    }
    most = max(shares.values())
    return {seat: log(most / share) for seat, share in shares.items()}


@dataclass(frozen=True, slots=True)
class ArmEvidence:
    """The evidence for a card's player: the arm that moved the card, and the place where the card lies."""

    probabilities: Mapping[str, float]
    """The probability of each seat that the arm is its player's; empty when no arm was detected."""
    place_costs: Mapping[str, float] = field(default_factory=dict)
    """The cost of the card's place for each seat, in nats; empty where the place tells nothing."""

    def cost_for(self, seat: str | None) -> float:
        """Return the cost of this card's being ``seat``'s, in nats; 0 where neither arm nor place tells anything."""
        if seat is None:
            return 0.0
        place = self.place_costs.get(seat, 0.0)
        if not self.probabilities:
            return place
        share = self.probabilities.get(seat, 0.0)
        return place - log(share) if share > 0 else inf

    @property
    def likeliest_seat(self) -> str | None:
        """The seat whose arm it is with a probability above one half; None where there is none."""
        if not self.probabilities:
            return None
        best = max(self.probabilities, key=lambda seat: self.probabilities[seat])
        return best if self.probabilities[best] > 0.5 else None

    @property
    def is_certain(self) -> bool:
        """Whether the arm is certain enough to hold against the order of turns."""
        return bool(self.probabilities) and max(self.probabilities.values()) > 0.75


NO_ARM = ArmEvidence({})


def arm_evidence(fact: CardLanded | CardGone, seated: tuple[tuple[str, float], ...]) -> ArmEvidence:
    """Return the evidence for whose arm brought a card or took it away.

    ``seated``: the players, each with the direction of the seat in degrees.
    """
    if not seated:
        return NO_ARM
    if isinstance(fact, CardGone):
        return (
            NO_ARM
            if fact.arm_deg is None
            else ArmEvidence(_arm_probabilities(fact.arm_deg, DEPARTURE_ARM_CONFIDENCE, seated))
        )
    shares = {} if fact.arm_deg is None else _arm_probabilities(fact.arm_deg, fact.arm_sure, seated)
    return ArmEvidence(shares, costs_of_place(fact.place_mm, seated))
