"""Looking: the reader is asked, and what it sees is put to the cards that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.facts import MS, CardFact
from table.sight.asking import Asker, around
from table.sight.found import Found
from table.sight.matching import Matcher
from table.sight.missing import away, judge
from table.sight.newness import NUMBERS as NEWNESS
from table.sight.newness import is_foreground, rests, shows_other
from table.sight.order import overlapping
from table.sight.outline import edged, refine
from table.sight.paper import no_paper
from table.sight.pile import LAID_UPON, SURELY_SAME
from table.sight.places import overlap, same_place
from table.sight.recent import LEVELS, RecentFrame
from table.sight.rest import at_place
from table.sight.tracked import CERTAIN, TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class Looking:
    """The numbers of this module; chosen on the virtual table, as all of sight's that name nothing else."""

    puzzled_ns: int = 990 * MS
    """For so long something at rest that is no known card is thought about."""
    every_ns: int = 120 * MS
    """Time between two looks at least (a look takes a Raspberry Pi about as long) ..."""
    soon_ns: int = 60 * MS
    """... and where what was seen to move has come to rest."""
    read_ns: int = 25 * MS
    """No picture is read that was taken so near to one that the reader has seen."""
    bare_ms: int = 250
    """A lying card's place is judged where it has been at rest for so long."""
    hinted: float = 0.3
    """A card read no surer than this on its way, and surely once it lies, is one card: chance reads it as others."""


NUMBERS: Final = Looking()


class Looker:
    """Puts what the reader sees to the cards that are known."""

    def __init__(self, view: View, asker: Asker) -> None:
        self._view = view
        self._asker = asker
        self._carried = asker.carried
        self._matcher = Matcher(view, asker.carried)
        self.due = True
        """Whether something has moved since the last look."""
        self.again_ns: int | None = None
        """When something that was seen moving is to be looked at again."""
        self.restless: list[Found] = []
        """Cards that the last look saw move, or under a moving hand, and that are not known yet."""
        self.doubts = False
        """Whether the last look missed a card whose place has not been at rest for long enough to say more."""
        self._last_ns: int | None = None

    @property
    def ready(self) -> bool:
        """Whether the last look is long enough ago."""
        if self._last_ns is None:
            return True
        passed_ns = self._view.now_ns - self._last_ns
        return passed_ns >= NUMBERS.every_ns or (passed_ns >= NUMBERS.soon_ns and self.called_for)

    @property
    def idle(self) -> bool:
        """Whether nothing is to be looked at, now or later, unless something else stirs."""
        return self.again_ns is None and not self.due

    @property
    def called_for(self) -> bool:
        """Whether the time has come to look again at what moved."""
        return (self.again_ns is not None and self.again_ns <= self._view.now_ns) or self._come_to_rest()

    def pending(self) -> bool:
        """Whether something is to be looked at that nobody has looked at (asked only where that matters: it costs)."""
        return self._view.pending() or self.called_for

    def _come_to_rest(self) -> bool:
        """Whether something that the last look saw move, or what lies where it was then, is at rest."""
        return any(rests(self._view, one) for one in self.restless)

    def busy(self, *, undecided: bool) -> bool:
        """Whether anything moves, is to be looked at, or, where something is ``undecided``, to be thought about."""
        view = self._view
        if view.active or view.pile.coming or view.pile.leaving or self.doubts or self.due or self.pending():
            return True
        if not undecided or view.quiet_ns >= NUMBERS.puzzled_ns:
            return False
        # A hand that pauses, a card that can't be read yet: look again a few times before this is all.
        busy = view.puzzling() or any(card.missed for card in view.pile.lying)
        self.due = busy and view.look_again()
        return busy

    def ask(self) -> list[CardFact]:
        """Ask the reader if there is reason to."""
        view = self._view
        if view.active and not self.ready:
            return []
        if self.pending():
            return self.look() if self.ready else []
        if view.active:
            if view.much_moves():
                self.glimpse()
            return []
        if not self.due:
            return []
        if self._all_gone():
            self.due = False
            return []
        if view.first or view.pile.coming or view.pile.leaving or view.other_than_settled():
            return self.look()
        self.due = False
        return []

    def _all_gone(self) -> bool:
        """Whether all that lay there is known to have gone, and the mark is bare: there is nothing to read."""
        view, pile = self._view, self._view.pile
        shown = [card for card in pile.lying if card.cover is None]
        gone = all(card.leaving_ns is not None and card.grey is not None for card in shown)
        if self.doubts or pile.coming or not (shown and gone and view.bare):
            return False
        # (One that in grey is like the cloth is told from it by its print.)
        return not any(at_place(card.patch.fit(view.now.grey)) for card in shown)

    def look(self) -> list[CardFact]:
        """Ask the reader, and put what it sees to the cards."""
        view, now = self._view, self._view.now
        self._last_ns, self.again_ns = now.t_ns, None
        self.due = self.due and view.active
        if not view.active:  # (what moves is softer than what lies)
            self._asker.focus.look(now.grey, view.still, now.t_ns)
        seen = self._asker.look_at(now.mark, now.t_ns, self._asker.worth_reading())
        found, moving = self._sort(seen)
        view.looked()
        present = self._matcher.present(found)
        tucked = {card: card.cover for card in view.pile.lying if card.cover is not None}
        matched = self._matcher.match(found, seen, present)
        taken = matched.cards
        if matched.moving:
            self.again_ns = now.t_ns + NEWNESS.lies_ns
        uncovered = [cover for card, cover in tucked.items() if card in taken and cover not in taken]
        for cover in uncovered:  # what lay beneath it has come to light
            cover.leaving_ns = cover.leaving_ns or now.t_ns
        view.cards_changed()  # (the new cards are no arms)
        arms = view.arm_mask()
        for card in taken:
            if card.grey is None or card.id == 0:
                view.settle(card)
        known = [card for card in view.pile.all if card.cover is None and card not in uncovered]
        unseen = [card for card in known if card not in taken and not self._under_way(card, moving)]
        # A hand pauses where it takes a card, and one of the table's colour looks like the bare table there.
        long = view.geometry.to_mark(view.gate.resting(NUMBERS.bare_ms)) & ~arms
        gone = away(view, unseen, long)
        for card in unseen:
            judge(view, card, card in present, long if card.id else view.still & ~arms, gone)
        early = view.quiet_ns < NUMBERS.bare_ms * MS
        # (What fits but a little may be the bare table, where others have just gone.)
        lost = [card for card in unseen if early and card.id and present.get(card, 0.0) < SURELY_SAME]
        self.doubts = any(card.leaving_ns is None for card in lost)
        if self.doubts and not view.active:  # (while a hand is at it nothing more can be known)
            self.again_ns = self.again_ns or now.t_ns + NUMBERS.every_ns
        for card in view.pile.drop_doubtful(seen):
            self._carried.forget(card.name)  # (where it was seen to lie it does not lie)
        view.cards_changed()
        return matched.facts

    def glimpse(self) -> None:
        """Ask the reader only what is on its way, if anything is: nothing is decided of the cards that lie there."""
        view = self._view
        self._last_ns = view.now_ns
        if no_paper(view):
            return
        moving = [
            one
            for one in self._asker.look_at(view.now.mark, view.now_ns, around(~view.still))
            if not rests(view, one)
        ]
        moving = [one for one in moving if view.pile.is_other(one, NUMBERS.hinted)]
        self._asker.see_carried(view.now, moving, [card.quad for card in view.pile.all])

    def outline(self) -> None:
        """The hand that laid a card has let go of it: only now its outline can be seen."""
        view = self._view
        for card in view.pile.coming:
            if view.pile.covered_since(card) or self.another_comes(card):
                continue  # (what shows there are the other card's edges)
            if card.settled and card.seen and not card.open and view.clear_of(card):
                view.place(card, refine(card.seen.quad, view.now.grey, card.seen.spots))

    def another_comes(self, card: TrackedCard) -> bool:
        """Whether another card is being laid upon this one: what is seen there now is not its face."""
        return any(overlap(one.quad, card.quad) > 0 for one in self.restless)

    def sharpen(self, cards: Sequence[TrackedCard]) -> None:
        """Which of several ``cards`` lies upon the other is told by their edges: here are those of this moment.

        When they were taken a hand that is like the cloth may have been at them.
        """
        view = self._view
        for card in cards:
            upon = any(other is not card and overlapping(card, other) for other in view.pile.all)
            if card.seen is None or not upon or view.pile.laid_upon(card) >= LAID_UPON:
                continue
            quad = refine(card.seen.quad, view.now.grey, card.seen.spots)
            if edged(quad, view.now.grey) > edged(card.quad, view.now.grey):
                view.place(card, quad)

    def catch_up(self, moments: Sequence[RecentFrame]) -> None:
        """Read those of the ``moments`` in which cards were brought that no look has seen.

        While something moves the reader sees every fourth picture or so. Of two cards that land at once that is
        too little where the one hides the other.
        """
        view = self._view
        lying = [card.quad for card in view.pile.lying]
        known = {card.name for card in view.pile.lying}
        bare = view.without([*view.pile.leaving, *view.pile.coming])
        for moment in reversed(moments):
            if any(abs(moment.t_ns - at) < NUMBERS.read_ns for at in self._asker.read_at):
                continue
            _, other = cv2.threshold(cv2.absdiff(moment.grey, bare), LEVELS - 1, 255, cv2.THRESH_BINARY)
            other = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
            found = self._asker.look_at(moment.mark, moment.t_ns, around(np.asarray(other, np.uint8)))
            for one in found:
                self._seen_open(one, moment)
            moving = [
                one
                for one in found
                if one.readings[0].confidence >= NUMBERS.hinted
                and one.name not in known
                and all(shows_other(spot, moment.grey, bare) for spot in one.spots)
            ]
            self._asker.see_carried(moment, moving, lying)
        self._place_anew()

    def _seen_open(self, one: Found, moment: RecentFrame) -> None:
        """A card that lies was in the open once: then it was read better than now, or by another name."""
        unknown = one.name not in self._view.pile.names
        for card in self._view.pile.coming:
            if card.name == one.name and same_place(card.quad, one.quad):
                card.read(one.readings)
            elif unknown and card.read_better(one):
                card.read(one.readings)
                card.seen = one  # (where it is covered now, another card's edges are refined to)
                self._view.place(card, refine(one.quad, moment.grey, one.spots))

    def _place_anew(self) -> None:
        """Cards that lie were seen by more of their corners, or by others, before something hid those."""
        for card in self._view.pile.coming:
            better = self._carried.better(card.seen) if card.seen else None
            if better is None or card.seen is None:
                continue
            if not same_place(better.found.quad, card.quad):
                self._place(card, replace(card.seen, quad=better.found.quad))
            elif self._view.pile.laid_upon(card) >= LAID_UPON:  # (what shows now are the other card's edges)
                then = self._view.history.all[self._view.history.position(better.t_ns)]
                card.seen = better.found
                self._view.place(card, refine(better.found.quad, then.grey, better.found.spots))

    def _place(self, card: TrackedCard, seen: Found) -> None:
        """A card that is about to lie does so as it was ``seen``."""
        card.seen = seen
        card.move(refine(seen.quad, self._view.now.grey, seen.spots))
        self._view.cards_changed()
        self._view.settle(card)

    @staticmethod
    def _under_way(card: TrackedCard, moving: Sequence[Found]) -> bool:
        """Whether a card that is about to lie was seen at its place, though something moves there still."""
        return card.id == 0 and any(
            one.name == card.name and same_place(one.quad, card.quad) for one in moving
        )

    def _sort(self, seen: Sequence[Found]) -> tuple[list[Found], list[Found]]:
        """Those at rest that are no part of the table, and those that move, which are remembered."""
        view = self._view
        lie: list[Found] = []
        moving: list[Found] = []
        for one in seen:
            (lie if rests(view, one) else moving).append(one)
        self._asker.see_in_mirror(lie)
        for one in moving:
            self._straighten(one)
        self.restless = [one for one in moving if view.pile.is_other(one, CERTAIN)]
        view.see_pass([one.quad for one in self.restless])
        carried = [one for one in moving if view.pile.is_other(one, NUMBERS.hinted)]
        self._asker.see_carried(view.now, carried, [card.quad for card in view.pile.all])
        return [one for one in lie if is_foreground(view, one)], moving

    def _straighten(self, one: Found) -> None:
        """A hand, or another card, is still at it: but now both corners of a card that lies there are seen."""
        for card in self._view.pile.coming:
            if card.name == one.name and card.placed_better(one):
                self._place(card, one)
