"""What is told of the cards, and when: all that have come at once, in their order; and what has gone.

A card is told of once it lies at rest, no hand is at it, its name is certain, and nothing there may be another card
that came with it and lies beneath. What may hide one is waited for, but not for long, and not when a hand comes to take
what lies there: then it is told of as well as it is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2

from table.facts import MS, CardFact, CardLanded
from table.sight.arms import is_one_of
from table.sight.asking import Asker
from table.sight.landing import Lander
from table.sight.leaving import Leaver
from table.sight.looking import Looker
from table.sight.newness import came
from table.sight.squared import brought_to_light, may_be_pushed
from table.sight.tracked import TrackedCard
from table.sight.unread import Unread
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class TellingNumbers:
    """The numbers of this module."""

    look_back_ns: int = 230 * MS
    """The time at rest after which the reader looks back for a card beneath another."""
    face_down_ns: int = 590 * MS
    """The time at rest after which what could not be read may be a card that lies face down."""


NUMBERS: Final = TellingNumbers()


class Teller:
    """Decides what is told of the cards on the mark."""

    def __init__(self, view: View, asker: Asker, looker: Looker) -> None:
        self._view = view
        self._looker = looker
        self._unread = Unread(view, asker)
        self._lander = Lander(view, asker.carried)
        self._leaver = Leaver(view)
        self.explained_ns = 0
        """Of what was before that nothing is undecided: what was told of just now explains it (0 where it doesn't)."""

    def decide(self, until_ns: int) -> list[CardFact]:
        """What is to be told now; nothing is stamped before ``until_ns``."""
        view, pile = self._view, self._view.pile
        self.explained_ns = 0
        facts: list[CardFact] = []
        if pile.coming:
            self._bring_to_light()
            chosen = [
                card for card in self._landed() if not brought_to_light(view, card) and self._came(card)
            ]
            if chosen:
                facts += self._leaver.give_up(pile.leaving, until_ns)
                landed = self._lander.announce(chosen, until_ns)
                facts += landed
                self._explain(landed)
        elif view.quiet_for(NUMBERS.face_down_ns):
            self._unread.find_face_down()
            self._unread.look_in_mirror()
        leaving = pile.leaving
        if not self._leaver.waited(leaving):
            # (What comes may be one of them, that a hand pushed there.)
            come = {name for card in pile.coming for name in card.thoughts}
            # (And a hand that stays, of the cloth's colour, may be all that is seen there.)
            undecided = self._undecided() or any(view.hand_at(card) for card in leaving)
            leaving = [] if undecided else [card for card in leaving if card.name not in come]
        if leaving:
            facts += self._leaver.give_up(leaving, until_ns)
        return facts

    def give_up(self, until_ns: int) -> list[CardFact]:
        """No more pictures come: what there is to tell, as well as it is known."""
        pile = self._view.pile
        certain = [card for card in pile.coming if card.settled and card.certain]
        return [*self._lander.announce(certain, until_ns), *self._leaver.give_up(pile.leaving, until_ns)]

    def _bring_to_light(self) -> None:
        """What may be of those that have vanished, before it is certain what it is: a hand may take it with them."""
        pile = self._view.pile
        for card in [one for one in pile.coming if pile.leaving and one.settled and not one.certain]:
            if self._lander.landed(card, self._looker.another_comes(card)):
                brought_to_light(self._view, card)

    def _undecided(self) -> bool:
        return self._view.active or self._looker.doubts or self._looker.pending()

    def _landed(self) -> list[TrackedCard]:
        """Those that are to be told now: all that come, once all lie, or those that can wait no longer."""
        view, looker, lander = self._view, self._looker, self._lander
        looker.outline()
        coming = view.pile.coming
        # (What was seen to stir as another one fell upon it lies beneath that.)
        lie = [card for card in coming if card.settled or view.pile.covered_since(card)]
        seen = [card for card in lie if card.placed]
        if seen and looker.pending():
            seen = []
        ready = [card for card in seen if lander.landed(card, looker.another_comes(card))]
        for card in coming:
            if card not in ready and lander.look_again(card):
                looker.due = True
            if card not in ready and lander.resting_soon(card):
                looker.again_ns = looker.again_ns or view.now_ns + 1
        taken = self._may_be_taken()
        waited = [card for card in ready if lander.waited(card) or (taken and self._is_known(card))]
        if len(ready) < len(coming):
            ready = waited
        if not ready or not (waited or self._all_explained()):
            return []
        known = waited or all(self._is_known(card) for card in ready)
        if self._another_found(ready, wait=not waited, taken=taken) or not known:
            return []
        if len(ready) > 1:
            looker.sharpen(ready)
        return ready

    def _may_be_taken(self) -> bool:
        """Whether something stirs anew that is no hand at a card that comes: that one has just laid it, and goes."""
        view = self._view
        return view.stirs_anew and not any(view.hand_at(card) for card in view.pile.coming)

    def _is_known(self, card: TrackedCard) -> bool:
        """Whether it is certain what a card is, and that it is none of those that lie there."""
        return card.certain and not may_be_pushed(self._view, card, doubts=self._looker.doubts)

    def _came(self, card: TrackedCard) -> bool:
        """Whether a card that is ready to be told is there; else it is forgotten, but for its way: it may come yet."""
        there = came(self._view, card)
        if not there:
            self._view.pile.coming.remove(card)
            self._view.cards_changed()
        return there

    def _all_explained(self) -> bool:
        """Whether nothing lies there that may be another card, or it has been thought about for long enough."""
        view, least = self._view, self._unread.least_px()
        return view.quiet_ns > NUMBERS.look_back_ns or cv2.countNonZero(view.unexplained(least)) < least

    def _another_found(self, ready: Sequence[TrackedCard], *, wait: bool, taken: bool) -> bool:
        """Whether there is, or may be, another card beneath those that are ``ready``, and may be ``taken`` now."""
        view, looker, known = self._view, self._looker, len(self._view.pile.coming)
        stays = view.active and not taken
        if view.quiet_for(NUMBERS.look_back_ns) or taken:
            self._unread.look_back()
        hands = self._lander.hands(ready)
        if hands.left > 0 and stays and wait:
            return True  # a hand that is still there may hide it
        looker.catch_up(hands.moments)
        self._unread.find_buried([] if stays else hands.free, hands.left)
        if hands.left > 0 and not stays and len(view.pile.coming) == known:
            self._unread.find_brought()
        return len(view.pile.coming) > known

    def _explain(self, landed: Sequence[CardLanded]) -> None:
        """Nothing older is undecided once all that lies is told and no arm is there but those that laid it."""
        view, looker = self._view, self._looker
        if view.pile.coming or view.pile.leaving or looker.doubts or looker.restless:
            return
        laid = [fact.arm_deg for fact in landed if fact.arm_deg is not None]
        if all(
            arm.angles and all(is_one_of(one, laid) for one in arm.angles)
            for arm in view.arms()
            if cv2.countNonZero(cv2.bitwise_and(arm.mask, view.square))
        ):
            told_ns = max(fact.t_ns for fact in landed) + 1
            self.explained_ns = min(told_ns, view.now_ns)
