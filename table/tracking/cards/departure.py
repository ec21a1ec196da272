"""Departure: which cards have left the mark, since when, and by whose arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from table.observed_facts import MS, CardGone
from table.tracking.cards.occlusion_by_push import find_gone_with_occluder, hide_pushed_cards
from table.tracking.hands.carrier_assignment import CarrierEvidence, assign_carriers
from table.tracking.imaging.card_registration import find_last_at_rest
from table.tracking.scene.arm_detection import Direction
from table.tracking.scene.background_model import cards_mask
from table.tracking.scene.landing_order import cards_overlap
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.scene.which_cards_have_gone import MIN_UNCOVERED_SHARE, BackgroundMatch


@dataclass(frozen=True, slots=True)
class DepartureParameters:
    """Parameters of departure detection."""

    wait_ns: int = 1500 * MS
    """A missing card is published as gone after this time even if something still moves over the mark."""
    together_ns: int = 333 * MS
    """Cards that leave within this time are taken by one hand."""
    clears_ns: int = 110 * MS
    """Time in which a card that is taken clears its place, give or take half of it (on 200 leavings of the tuning
    set)."""
    touched_ns: tuple[int, int] = (200 * MS, 133 * MS)
    """The hand that takes a card is at it from this long before it moves until this long after."""


NUMBERS: Final = DepartureParameters()


@dataclass(frozen=True, slots=True)
class _Departure:
    card: TrackedCard
    at: int
    """Index, in the recent frames, of the first one without the card."""
    hand: Direction


class DepartureDetector:
    """Decides when and by whose arm cards have gone, and publishes it."""

    def __init__(self, scene: SceneState) -> None:
        self._scene = scene

    def has_timed_out(self, cards: Sequence[TrackedCard]) -> bool:
        """Return whether the places of ``cards`` have been empty for long enough, whatever moves over them."""
        since = [card.missing_since_ns for card in cards if card.missing_since_ns is not None]
        return bool(since) and self._scene.now_ns - min(since) > NUMBERS.wait_ns

    def publish(self, cards: Sequence[TrackedCard], until_ns: int) -> list[CardGone]:
        """Publish the cards as gone and stop tracking them; nothing is stamped before ``until_ns``.

        Cards that were only pushed beneath others stay.
        """
        scene = self._scene
        tucked = hide_pushed_cards(scene, cards)
        cards = [card for card in cards if card not in tucked]
        if not cards:
            return []
        beneath = find_gone_with_occluder(scene, cards)
        moments = scene.history.all
        times = self._departure_indices(cards, [self._departure_index(card) for card in cards])
        left = [
            _Departure(card, at, self._taking_direction(card, at))
            for card, at in zip(cards, times, strict=True)
        ]
        left += [
            replace(departure, card=card)
            for card in beneath
            for departure in left
            if departure.card is card.occluder
        ]
        for card in cards:
            if card.mark_before is None:  # what it lay upon is seen for the first time
                scene.background.learn_beneath(scene.now, card)
        cards += beneath
        empty = len(cards) == len(scene.tracks.published)
        facts = []
        for departure in left:
            # What leaves together is taken by one hand, which touches some of it: of the times at which each card
            # seems to have left the middling one is nearest.
            at_ns = moments[departure.at].t_ns
            together = [other for other in left if abs(moments[other.at].t_ns - at_ns) <= NUMBERS.together_ns]
            hand = max(
                [departure.hand, *(other.hand for other in together)], key=lambda hand: hand.confidence
            )
            first = moments[sorted(other.at for other in together)[len(together) // 2]]
            t_ns = max(first.t_ns, until_ns, departure.card.landed_ns)
            facts.append(CardGone(t_ns, departure.card.id, hand.angle, empty))
        scene.tracks.remove(cards)
        return facts

    def _taking_direction(self, card: TrackedCard, at: int) -> Direction:
        """Return the direction of the hand that took a card at index ``at`` of the recent frames."""
        scene = self._scene
        before_ns, after_ns = NUMBERS.touched_ns
        at_ns = scene.history.all[at].t_ns
        near = scene.history.frames_between(at_ns - before_ns, at_ns + after_ns)
        quads = [other.quad for other in scene.tracks.all]
        contacts = scene.arm_finder.directions(quads, near, touched=card.quad)
        return assign_carriers([CarrierEvidence(contacts)])[0]

    def _departure_index(self, card: TrackedCard) -> int | None:
        """Return the index, in the recent frames, of the first one without a card; None if none shows it.

        A mostly occluded card may match its template to the end although it has gone, because its few visible pixels
        look the same.
        """
        if card.template_image is None:
            return None
        moments = self._scene.history.all
        seen = find_last_at_rest(card.template, self._scene.history.greys) + 1
        clear_ns = self._clear_since_ns(card)
        if not clear_ns:
            return seen if seen < len(moments) else None
        # A hand may have hidden it long before it took it: then it left shortly before its place was clear.
        at = self._scene.history.index_at(clear_ns - NUMBERS.clears_ns)
        return max(at, seen) if seen < len(moments) and moments[seen].t_ns <= clear_ns else at

    def _clear_since_ns(self, card: TrackedCard) -> int:
        """Return since when a card's place has shown the background; 0 if it doesn't."""
        if card.mark_before is None:
            return 0
        scene = self._scene
        beneath = scene.render_staying()
        stay = [other_card for other_card in scene.tracks.published if other_card.missing_since_ns is None]
        others, upon = (
            cards_mask(stay),
            cards_mask(
                [other_card for other_card in stay if other_card in scene.tracks.published_after(card)]
            ),
        )
        upon |= scene.tracks.unknown_area(scene.tracks.leaving)  # (what lay beneath it there nobody has seen)
        clear_ns = 0
        for moment in reversed(scene.history.all):
            hidden = (
                scene.geometry.warp_mask_to_mark(scene.background.foreground_mask(moment.small)) & ~others
            )
            place = BackgroundMatch(card, moment.grey, beneath, ~(hidden | upon), upon)
            if place.visible_share * place.uncovered_share < MIN_UNCOVERED_SHARE:
                break
            clear_ns = moment.t_ns
        return clear_ns

    def _departure_indices(self, cards: Sequence[TrackedCard], seen: Sequence[int | None]) -> list[int]:
        """Return the index at which each card left, given when it was ``seen`` to leave, if it was.

        A card beneath others is out of sight, not gone, until something upon it has been taken. A card without
        evidence of its own went with that, or else with the others.
        """
        known = sorted(at for at in seen if at is not None)
        middling = known[len(known) // 2] if known else len(self._scene.history) - 1
        left: list[int] = []
        for k in reversed(range(len(cards))):
            above = zip(cards[k + 1 :], reversed(left), strict=True)
            upon = [at for card, at in above if cards_overlap(card, cards[k])]
            at = seen[k]
            left.append(min(upon, default=middling) if at is None else max(at, min(upon, default=at)))
        return left[::-1]
