"""Cards: which card facts belong together, and when they can be accounted for."""

from __future__ import annotations

import operator
from collections.abc import Callable

from table.facts import MS, CardFact, CardGone, CardLanded, Fact
from table.games.base import Phase
from table.referee.blackboard import Blackboard
from table.referee.observations import Idle, Landed, Left, Looked, Observation, Quiet
from table.referee.plays import PLAYING
from table.referee.together import leads_may_tie

IDLE_NS = 45_000 * MS
"""Somebody plays a card, or picks the trick up, sooner than this, as a rule."""
LOOKED_NS = 2_500 * MS
"""A camera that has begun anew sees sooner than this what lies there: no hand hovers over the mark for so long."""

_Closing = Callable[[int, int], Observation]


class CardJudge:
    """Hands card facts to the search."""

    def __init__(self, blackboard: Blackboard) -> None:
        self.blackboard = blackboard
        self._known: tuple[tuple[object, ...], dict[int, _Closing]] | None = None

    @property
    def closes_ns(self) -> int | None:
        """When a pick-up that has begun has paused, or a card has been waited or looked for, for too long."""
        return min(self._closings, default=None)

    def close(self) -> None:
        """That moment has come."""
        closings = self._closings
        if closings:
            closes = min(closings)
            self.blackboard.observe(closings[closes](self.blackboard.number(), closes))

    @property
    def _closings(self) -> dict[int, _Closing]:
        """What closes when, of two in the same moment the first: asked with every frame, it seldom changes."""
        board = self.blackboard
        follows_from = (board.search.beam, *board.search.log[-1:], board.state, board.looking_ns)
        if self._known is None or not _same(self._known[0], follows_from):
            moments = ((self._paused_ns, Quiet), (self._looked_ns, Looked), (self._idle_ns, Idle))
            closings: dict[int, _Closing] = {
                moment: kind for moment, kind in reversed(moments) if moment is not None
            }
            self._known = (follows_from, closings)
        return self._known[1]

    @property
    def _looked_ns(self) -> int | None:
        """When what lies there, and nobody has looked for since the camera began anew, will have been seen."""
        search, since = self.blackboard.search, self.blackboard.looking_ns
        if since is None or not any(piece.dark for one in search.beam for piece in one.pieces):
            return None
        return max(since + LOOKED_NS, search.log[-1].t_ns)

    @property
    def _paused_ns(self) -> int | None:
        pauses = (one.leaving.quiet_ns for one in self.blackboard.search.beam if one.leaving is not None)
        return min((pause for pause in pauses if pause is not None), default=None)

    @property
    def _idle_ns(self) -> int | None:
        log = self.blackboard.search.log
        if (
            not log
            or isinstance(log[-1], Idle)
            or self.blackboard.state.phase not in (*PLAYING, Phase.PICK_UP)
        ):
            return None
        return log[-1].t_ns + IDLE_NS

    def known_by(self, fact: CardFact) -> int:
        """Up to when all facts must be known before ``fact`` can be judged."""
        if isinstance(fact, CardLanded) and self._may_tie():
            return fact.t_ns + self.blackboard.times.lead_tie_ns
        return fact.t_ns

    def _may_tie(self) -> bool:
        return leads_may_tie(self.blackboard.game, self.blackboard.state)

    def judge(self, fact: CardFact) -> None:
        """Take one fact, with those that belong to it."""
        if isinstance(fact, CardLanded):
            self._landed(fact)
        elif isinstance(fact, CardGone):
            self._gone(fact)
        else:
            self.blackboard.search.reread(fact.id, fact.readings)
            self.blackboard.follow()

    def _landed(self, fact: CardLanded) -> None:
        cards = [fact]
        if self._may_tie():
            window_ends = fact.t_ns + self.blackboard.times.lead_tie_ns
            others = self.blackboard.inbox.extract(window_ends, lambda other: isinstance(other, CardLanded))
            cards += [other for other in others if isinstance(other, CardLanded)]
        found = any(self._unwatched(card) for card in cards)
        self.blackboard.observe(Landed(self.blackboard.number(), fact.t_ns, tuple(cards), found))

    def _unwatched(self, fact: CardLanded) -> bool:
        """Whether it may have landed so long before its stamp that its order among leads is not known."""
        return fact.unseen_ns >= max(1, self.blackboard.times.lead_tie_ns)

    def _gone(self, fact: CardGone) -> None:
        def together(other: Fact) -> bool:
            return isinstance(other, CardGone) and other.t_ns == fact.t_ns

        others = self.blackboard.inbox.extract(fact.t_ns + 1, together)
        cards = (fact, *(other for other in others if isinstance(other, CardGone)))
        self.blackboard.observe(Left(self.blackboard.number(), fact.t_ns, cards))


def _same(these: tuple[object, ...], those: tuple[object, ...]) -> bool:
    """Whether these are the very same things."""
    return len(these) == len(those) and all(map(operator.is_, these, those))
