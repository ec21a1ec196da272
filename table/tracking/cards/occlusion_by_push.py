"""Occlusion by push: cards that a hand has pushed beneath another one are invisible, but have not gone.

When a heap of cards is squared up, what lies beneath its topmost card is hidden from one moment to the next, as if it
had been taken. But the hand left empty: the card lies beneath one that lay upon it before, or that was moved then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from table.observed_facts import MS
from table.tracking.hands.hand_payload import find_deliveries, hands_left_empty, is_hand_still_there
from table.tracking.imaging.quad_geometry import same_place
from table.tracking.scene.landing_order import cards_overlap
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.scene.tracked_cards import shows


@dataclass(frozen=True, slots=True)
class OcclusionParameters:
    """Parameters of occlusion by push; chosen on the scene bench's tuning set."""

    together_ns: int = 1000 * MS
    """One hand pushes cards together within this time."""
    misread: float = 0.02
    """Minimum likelihood ratio of its readings for a card that nobody was seen to bring to be a known one that was
    pushed: one hand in fifty brings a card unseen."""


NUMBERS: Final = OcclusionParameters()


def hide_pushed_cards(scene: SceneState, missing: Sequence[TrackedCard]) -> list[TrackedCard]:
    """Hide those of the ``missing`` cards that were pushed beneath another card, and return them.

    So they were if the hands left empty: a card then lies there, though nobody knew which of them lay upon the other.
    """
    staying = [card for card in scene.tracks.published if card not in missing and card.occluder is None]
    occluders = {card: _candidate_occluders(scene, card, staying) for card in missing}
    pushed = [card for card in missing if occluders[card]]
    if not pushed or not hands_left_empty(scene, staying, _vanished_since_ns(scene, missing)):
        return []
    for card in pushed:
        card.hide_under(occluders[card][0])
    return pushed


def _candidate_occluders(
    scene: SceneState, card: TrackedCard, staying: Sequence[TrackedCard]
) -> list[TrackedCard]:
    """Return the candidate occluders of a vanished card, in order of preference.

    First cards above it that moved at that time, then cards above that overlap it, then other cards that moved.
    """
    above = [other_card for other_card in scene.tracks.published_after(card) if other_card in staying]
    moved = [other_card for other_card in staying if _moved_when_vanished(other_card, card)]
    return (
        [other_card for other_card in above if other_card in moved]
        + [other_card for other_card in above if other_card not in moved and cards_overlap(other_card, card)]
        + [other_card for other_card in moved if other_card not in above]
    )


def find_same_card(card: TrackedCard, cards: Sequence[TrackedCard]) -> TrackedCard | None:
    """Return which of the ``cards`` the tentative ``card`` may be, by the readings of both; None if none.

    There is but one of each name. And where cards are pushed together a corner of one may come to view elsewhere: it
    is read as another card, but not without some probability of the right name.
    """
    names = [card.name] if card.is_confirmed else [reading.card for reading in card.combine_readings()]
    named = min(
        (other_card for other_card in cards if other_card.name in names),
        key=lambda named_card: names.index(named_card.name),
        default=None,
    )
    return named or next((other_card for other_card in cards if card.name in other_card.possible_names), None)


def may_be_moved_card(scene: SceneState, card: TrackedCard) -> bool:
    """Return whether the tentative ``card`` may be a published one that a hand is pushing: some have vanished."""
    leaving = scene.tracks.leaving
    return bool(leaving) and is_hand_still_there(scene, [card], _vanished_since_ns(scene, leaving))


def merge_with_vanished(scene: SceneState, card: TrackedCard) -> bool:
    """Merge a tentative ``card`` at rest with the published card that it is, if a hand only pushed that here.

    Return whether it was merged: with a vanished card that it may be, if it is identified; or, if hands took nothing
    and brought nothing, with the likeliest by its readings of those that no longer look like themselves, and of equally
    likely ones with the topmost.
    """
    vanished = [
        other_card
        for other_card in scene.tracks.published
        if other_card.occluder is not None or other_card.missing_since_ns is not None
    ]
    same = find_same_card(card, vanished) if card.is_identified else None
    if same is None and vanished:
        grey, readings = scene.now.grey, card.combine_readings()
        absent = [
            other_card
            for other_card in scene.tracks.published  # (not all that have vanished may have been missed yet)
            if other_card in vanished or not shows(grey, other_card, ())
        ]
        alike = [other_card.name_likelihood_ratio(readings) if readings else 1.0 for other_card in absent]
        likeliest = max(range(len(absent)), key=lambda k: (alike[k], k))
        if alike[likeliest] >= NUMBERS.misread:
            took = not hands_left_empty(scene, [card], _vanished_since_ns(scene, vanished))
            same = None if took or find_deliveries(scene) else absent[likeliest]
    if same is None:
        return False
    scene.tracks.tentative.remove(card)
    same.become(card, scene.now_ns)
    scene.move_card(same, card.quad)
    return True


def _vanished_since_ns(scene: SceneState, cards: Sequence[TrackedCard]) -> int:
    """Return since when the first of the vanished ``cards`` has been missing."""
    return min(card.missing_since_ns or scene.now_ns for card in cards)


def find_gone_with_occluder(scene: SceneState, gone: Sequence[TrackedCard]) -> list[TrackedCard]:
    """Return the hidden cards that went with their occluders in ``gone``; the others get a new occluder."""
    taken = []
    for card in scene.tracks.published:
        if card.occluder in gone and card not in gone:
            bare = [
                other_card
                for other_card in scene.tracks.published_after(card)
                if other_card not in gone and other_card.occluder is None
            ]
            cover = next((other_card for other_card in bare if same_place(other_card.quad, card.quad)), None)
            if cover is None:
                taken.append(card)
            else:
                card.hide_under(cover)
    return taken


def _moved_when_vanished(cover: TrackedCard, card: TrackedCard) -> bool:
    """Return whether ``cover`` was moved when ``card`` vanished."""
    if cover.last_moved_ns is None or card.missing_since_ns is None:
        return False
    return abs(cover.last_moved_ns - card.missing_since_ns) <= NUMBERS.together_ns
