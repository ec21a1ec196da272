"""Landings: when a card lies, since when, in which order, and by whose arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final

import cv2

from table.facts import END_NS, MS, CardLanded
from table.sight.approach import NUMBERS as APPROACH
from table.sight.approach import Face, approaches, coarse
from table.sight.arms import UNSEEN, Direction, Votes, distinct, is_one_of
from table.sight.brought import brought
from table.sight.gate import Reference
from table.sight.geometry import Points
from table.sight.hands import Carried
from table.sight.order import Landing, in_order, lies_among, overlapping, upon_one_another
from table.sight.owners import Evidence, owners, several_hands
from table.sight.places import quad_angle
from table.sight.recent import RecentFrame
from table.sight.rest import arrival, first_at_rest, lies
from table.sight.tracked import TrackedCard
from table.sight.view import NUMBERS as VIEWING
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class LandingNumbers:
    """The numbers of this module."""

    wait_ns: int = 1000 * MS
    """A card at rest is announced after this even though a hand still lies on it."""
    moving_share: float = 0.05
    """A card of which more moves does not lie."""
    rested_ns: int = 100 * MS
    """While not all is surely quiet a card must have been at its place for so long."""
    touched_ns: tuple[int, int] = (70 * MS, 390 * MS)
    """The arm that laid a card is at it from so long before it lay until so long after."""
    flight_ns: int = 500 * MS
    """A thrown card came in at most so long before."""
    came_ns: int = 250 * MS
    """The hand that brought a card was over the mark for so long before."""
    brought_ns: int = 250 * MS
    """Of cards that several hands brought the reader sees every picture of so long before they lay, or were hidden."""
    hidden: float = 0.5
    """A card of whose place so much is covered by hands is hidden."""
    at_once_ns: int = 400 * MS
    """A hand that laid a card hardly lays another in so short a time."""
    unsure: float = 0.3
    """Below this no hand was seen at a card."""
    its_own: float = 0.8
    """A hand that was at a card so surely, against others, laid that one and brought no other."""
    gap_ns: int = 200 * MS
    """No picture for so long: what landed meanwhile is stamped with the next one, and may have landed at any time."""
    plain: float = 0.95
    """Where one hand alone was seen, and is surer than this, it isn't asked from which side the card came."""


NUMBERS: Final = LandingNumbers()


@dataclass(frozen=True, slots=True)
class HandsSeen:
    """The hands over the mark when cards came."""

    left: int
    """How many more they were than the cards that are known to have come then."""
    free: Sequence[float]
    """Where those enter the picture, if there are more, of which none of these cards surely is."""
    moments: Sequence[RecentFrame]
    """Those in which they brought the cards, without those that show nothing else than the next one."""


class Lander:
    """Decides which cards have landed, and tells of them."""

    def __init__(self, view: View, carried: Carried) -> None:
        self._view = view
        self._carried = carried
        self._lately: list[tuple[int, Direction]] = []
        """When cards were laid a moment ago, and by whose arms."""

    def landed(self, card: TrackedCard, restless: bool) -> bool:
        """Whether a card that was seen to lie does so at rest, with no hand at it, or a hand that does not go away.

        ``restless``: whether another card is being laid upon it: what is seen there is not this one's face.
        """
        if self.waited(card):
            return not self._moves(card)
        if card.buried:
            return True
        if restless or card.missed or not self._rested(card):
            return False
        upon = self._view.pile.covered_since(card)  # (then the hands are at that one)
        if not (card.open or upon) and self._view.active:  # (where the hand was its outline is not yet known)
            return False
        return not self._view.hand_at(card)

    def waited(self, card: TrackedCard) -> bool:
        """Whether it has been seen for long enough, whatever lies on it."""
        return self._view.now_ns - card.first_ns >= NUMBERS.wait_ns

    def look_again(self, card: TrackedCard) -> bool:
        """Whether the time has come to look again at a card that could not be read surely."""
        return not card.certain and self._view.look_again()

    def resting_soon(self, card: TrackedCard) -> bool:
        """Whether nothing but a moment's rest is wanting."""
        return card.settled and card.grey is not None and card.certain and not self._rested(card)

    def _moves(self, card: TrackedCard) -> bool:
        view = self._view
        region = view.geometry.polygon_in_small(card.quad)
        for other in view.pile.coming:
            if other is not card:
                region = region & ~view.geometry.polygon_in_small(other.quad, 1)
        moving = cv2.countNonZero(cv2.bitwise_and(view.gate.moving(), region))
        return moving > NUMBERS.moving_share * cv2.countNonZero(region)

    def _rested(self, card: TrackedCard) -> bool:
        view = self._view
        if card.without is None and view.now_ns - card.first_ns < NUMBERS.rested_ns - 5 * MS:
            return False  # (the first picture does not tell whether a hand carries it)
        if view.surely_quiet or view.pile.covered_since(card):
            return True
        recent = view.history.span(view.now_ns - NUMBERS.rested_ns + 5 * MS, view.now_ns + 1)
        return all(lies(card.patch, past.grey) for past in recent)

    # --- telling ------------------------------------------------------------------------------------------

    def announce(self, cards: Sequence[TrackedCard], until_ns: int) -> list[CardLanded]:
        """The cards have landed; nothing is stamped before ``until_ns``."""
        view = self._view
        moments = view.history.all
        landings = in_order([self._landing(card) for card in cards if card.placed], view.now.grey)
        quads = [card.quad for card in view.pile.all]
        unseen = {landing.card: self._unwatched_ns(landing, quads) for landing in landings}
        facts = []
        for lower, upper in combinations(landings, 2):
            lower.card.lies_beneath(upper.card, upper.rest_ns)
        for landing, direction in zip(landings, self._hands(landings), strict=True):
            card, first = landing.card, moments[landing.rest]
            card.rest_ns = max(first.t_ns, until_ns)
            view.pile.highest += 1
            card.id, card.laid, card.told_ns = view.pile.highest, card.quad, view.now_ns
            card.announced = card.combined(view.pile.announced(card))
            overlaps = [other for other in view.pile.lying if overlapping(other, card)]
            among = lies_among(card, overlaps, view.now.grey)
            self._carried.told(card.name)
            view.pile.coming.remove(card)
            view.pile.lying.append(card)
            x, y = view.geometry.place_mm(card.centre)
            facts.append(
                CardLanded(
                    t_ns=card.rest_ns,
                    id=card.id,
                    readings=card.announced,
                    place_mm=(round(x, 1), round(y, 1)),
                    angle_deg=round(quad_angle(card.quad), 1),
                    arm_deg=direction.angle,
                    arm_sure=direction.sure,
                    frame=first.index,
                    upon=tuple(other.id for other in among.beneath),
                    overlaps=tuple(other.id for other in overlaps),
                    order_sure=None if among.sure is None else round(among.sure, 2),
                    unseen_ns=unseen[card],
                )
            )
        for landing in landings:
            # The looks before had the hand in them that laid it down; who knows when all is at rest next.
            if not landing.card.missed and landing.card.cover is None:
                view.settle(landing.card)
        return facts

    def _unwatched_ns(self, landing: Landing, quads: Sequence[Points]) -> int:
        """How long before it lay no picture shows a card's place: none was taken, and then hands hid it, if it was.

        ``END_NS`` where no picture since the first shows its place without it.
        """
        stamps = self._view.history.stamps
        gaps = [
            then for then in range(1, landing.rest + 1) if stamps[then] - stamps[then - 1] >= NUMBERS.gap_ns
        ]
        if landing.card.without is None:
            gaps.insert(0, 0)
        hidden_ns = self._unseen_ns(landing, quads) if gaps else 0
        first = next((then for then in gaps if stamps[then] >= hidden_ns), None)
        if first is None:
            return 0
        return landing.rest_ns - stamps[first - 1] if first else END_NS

    @staticmethod
    def _came_in_sight(landing: Landing) -> bool:
        """Whether a card came, or came to view, after the first picture."""
        return landing.card.without is not None or landing.rest > 0

    def _landing(self, card: TrackedCard) -> Landing:
        """Since when a card has lain there."""
        greys, stamps = self._view.history.greys, self._view.history.stamps
        still_px = self._view.at_rest_px
        seen = self._view.history.position(card.first_ns)
        # (The reader may have seen more of its way meanwhile.)
        read = self._carried.route(card.seen.name if card.seen else card.name)
        if card.seen:
            card.there_ns = min(card.there_ns, read.still_since(card.seen, card.first_ns))
        card.elsewhere_ns = self._carried.route(card.name).elsewhere_at(card.quad, card.there_ns)
        if card.buried and card.cover is not None:  # it came with what lies squarely upon it
            return replace(self._landing(card.cover), card=card)
        if card.buried:  # nobody saw it lie
            return Landing(card, seen, stamps[seen], stamps[seen])
        if not lies(card.patch, greys[-1]):  # it was covered as soon as it lay
            greys, stamps = greys[: seen + 1], stamps[: seen + 1]
        at = first_at_rest(card.patch, greys, stamps, still_px)
        if 0 < seen < at and lies(card.patch, greys[seen]):
            # A hand, or another card, hid it for long: it lay there when it was first seen.
            at = first_at_rest(card.patch, greys[: seen + 1], stamps[: seen + 1], still_px)
        if card.seen:
            # Hands over most of it hide how it fits; an index that was read tells that it lay there already.
            came = card.without is not None  # (of one that was there before no picture shows a way)
            since_ns = read.still_since(card.seen, stamps[at]) if came else card.there_ns
            at = min(at, self._view.history.position(since_ns))
        if card.elsewhere_ns is not None:  # (one that lay there before may have fitted as well)
            at = max(at, self._view.history.position(card.elsewhere_ns) + 1)
        return Landing(card, at, stamps[at], stamps[arrival(card.patch, greys, at)])

    def hands(self, cards: Sequence[TrackedCard]) -> HandsSeen:
        """The hands that were over the mark when the ``cards`` came."""
        view = self._view
        landings = [self._landing(card) for card in cards if card.grey is not None]
        if not landings:
            return HandsSeen(0, [], [])
        rests = [landing.rest_ns for landing in landings]
        quads = [card.quad for card in view.pile.all]
        span = view.history.span(min(rests) - NUMBERS.came_ns, max(rests) + NUMBERS.touched_ns[1])
        # (What comes once all lie is the next one's hand, or takes what lies there.)
        entries = view.watch.entries(quads, span, view.square, max(rests))
        count = len(entries)
        # (The hand of one that lay a while before, and has been told of, may still have been there.)
        since_ns = min(rests) - NUMBERS.came_ns - NUMBERS.touched_ns[1]
        left = count - sum(card.id == 0 or card.rest_ns >= since_ns for card in view.pile.all)
        if count < 2:
            return HandsSeen(left, [], [])
        first_ns = min(self._unseen_ns(landing, quads) for landing in landings) - NUMBERS.brought_ns
        brought = view.history.span(first_ns, max(rests) + 1)
        moments = [one for one, then in pairwise(brought) if self._moves_on(one, then)]
        return HandsSeen(left, self._without_card(entries, landings) if left > 0 else [], moments)

    def _without_card(self, entries: Sequence[float], landings: Sequence[Landing]) -> list[float]:
        """Those of the hands, by where they enter the picture, that laid surely none of the cards."""
        laid = [votes.result() for votes in self._touching(landings)]
        surely = [one.angle for one in laid if one.angle is not None and one.sure >= NUMBERS.its_own]
        return [hand for hand in entries if not is_one_of(hand, surely)]

    def _unseen_ns(self, landing: Landing, quads: Sequence[Points]) -> int:
        """Since when a card lies, or something hid its place until it was seen to lie: when it came nobody saw."""
        view = self._view
        looks = view.watch.looks(view.now.small, quads)
        place = view.geometry.polygon_in_small(landing.card.quad)
        least = NUMBERS.hidden * cv2.countNonZero(place)
        since_ns = landing.rest_ns
        for moment in reversed(view.history.span(0, since_ns)):
            arms = view.watch.at(moment.small, quads, looks)
            if sum(cv2.countNonZero(cv2.bitwise_and(arm.mask, place)) for arm in arms) < least:
                break
            since_ns = moment.t_ns
        return since_ns

    def _moves_on(self, one: RecentFrame, then: RecentFrame) -> bool:
        """Whether the next picture shows something else at the mark: of those alike the last tells all."""
        changed = cv2.bitwise_and(Reference(one.small).differs(then.small), self._view.square)
        return cv2.countNonZero(changed) >= VIEWING.moving_px

    def _touching(self, landings: Sequence[Landing]) -> list[Votes]:
        """The arms that were at the cards when they landed."""
        view = self._view
        quads = [card.quad for card in view.pile.all]
        before_ns, after_ns = NUMBERS.touched_ns
        looks = view.watch.looks(view.now.small, quads)
        touching = []
        for landing in landings:
            card, at_ns = landing.card, landing.rest_ns
            others = [quad for quad in quads if quad is not card.quad]
            votes = Votes(view.geometry, card.quad)
            if self._came_in_sight(landing):
                near = view.history.span(at_ns - before_ns, at_ns + after_ns)
                votes = view.watch.touching(card.quad, others, near, looks)
                if votes.result().sure < NUMBERS.unsure:  # thrown: no hand was at it; where did it come in?
                    flight = view.history.span(at_ns - NUMBERS.flight_ns, at_ns)
                    votes = view.watch.flight(card.quad, others, flight)
            touching.append(votes)
        return touching

    def _hands(self, landings: Sequence[Landing]) -> list[Direction]:
        """By whose arms the cards were laid: where each came from."""
        touching = self._touching(landings)
        in_turn = self._in_turn(landings, [votes.result() for votes in touching])
        seen = []
        for landing, votes in zip(landings, touching, strict=True):
            card, rest_ns = landing.card, landing.rest_ns
            quad = None if card.buried else card.quad
            carried = self._carried.owner(card.name, rest_ns, quad)
            way = self._carried.way(card.name, rest_ns, quad)
            lies_deg = quad_angle(card.quad) if card.cover is None else None
            seen.append(Evidence(votes.touches, carried, (way,), lies_deg))
        first_ns = landings[0].rest_ns if landings else 0
        self._lately = [one for one in self._lately if first_ns - one[0] < NUMBERS.at_once_ns]
        lately = [direction for _, direction in self._lately]
        told = owners(seen, in_turn, lately)
        if several_hands(seen, in_turn) or any(one.sure < NUMBERS.plain for one in told):
            came = self._came(landings)
            seen = [replace(one, came=(*one.came, side)) for one, side in zip(seen, came, strict=True)]
            told = owners(seen, in_turn, lately, [one.angle for one in brought(self._view)])
        told = [
            direction if self._came_in_sight(one) else UNSEEN
            for one, direction in zip(landings, told, strict=True)
        ]
        self._lately += [(landing.rest_ns, one) for landing, one in zip(landings, told, strict=True)]
        return told

    def _came(self, landings: Sequence[Landing]) -> list[Direction]:
        """From where at the picture's border the cards were seen to come, by their faces."""
        view = self._view
        sides = {}
        lie = [one for one in landings if not one.card.buried]  # (of the others nobody knows where)
        faces = [self._face(one) for one in lie]
        rests = [face.rest_ns for face in faces]
        flown = view.history.span(min(rests, default=0) - APPROACH.before_ns, max(rests, default=0))
        pictures = [(moment.t_ns, coarse(view.geometry, moment.small)) for moment in flown]
        for card, side in zip([one.card for one in lie], approaches(faces, pictures), strict=True):
            sides[card] = side
            if side.angle is not None:
                place = view.geometry.place_mm(card.centre)
                sides[card] = Direction(round(view.geometry.seen_from_mark(place, side.angle), 1), side.sure)
        return [sides.get(one.card, UNSEEN) for one in landings]

    def _face(self, landing: Landing) -> Face:
        """The look of a card that lies, in the picture in which it was first seen to, or, if that is gone, now."""
        card, history = landing.card, self._view.history
        assert card.face_mask is not None
        kept = card.face_ns >= history.first_ns
        seen = history.all[history.position(card.face_ns)] if kept else history.now
        return Face(coarse(self._view.geometry, seen.small), card.face_mask, card.centre, landing.rest_ns)

    def _in_turn(self, landings: Sequence[Landing], directions: Sequence[Direction]) -> Sequence[Direction]:
        """Of cards that lie upon one another: by the order in which arms came."""
        view = self._view
        if upon_one_another(landings):
            laid = [landing.card.quad for landing in landings]
            others = [card.quad for card in view.pile.all if all(card.quad is not one for one in laid)]
            until_ns = landings[-1].rest_ns + NUMBERS.touched_ns[1]
            span = view.history.span(landings[0].rest_ns - NUMBERS.flight_ns, until_ns)
            apart_ns = (67 if distinct(directions) else 33) * MS
            return view.watch.one_after_another(laid, others, span, apart_ns)
        return []
