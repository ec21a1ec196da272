"""Cards left the mark: withdrawn, picked up with the trick, or merely lost from sight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.events.happenings import TakenBack
from table.events.kind import Said
from table.facts import CardGone
from table.games.base import Phase, Refusal
from table.games.copies import but
from table.referee.explanation import Explanation, Leaving, Piece
from table.referee.notices import notice
from table.referee.odds import ODDS, Arm
from table.referee.plays import Bound, Plays

SEVERAL = 2
"""So many cards of a complete trick are not withdrawn by chance: the trick is being picked up."""


class Departures(Plays):
    """All that cards which leave together may mean."""

    def left(
        self, explanation: Explanation, facts: tuple[CardGone, ...], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """What may follow from cards that left in the same moment."""
        yield from self._left(explanation, facts, item, bound)
        if any(fact.mark_empty for fact in facts):
            # A tied lead that its player has left lying counts as the pile is picked up, if that makes the trick
            # complete; else it has only gone.
            counted = self.leave_tied(explanation, facts[0].t_ns, None, item)
            if counted.state.phase is Phase.PICK_UP and counted is not explanation:
                yield from self._left(counted, facts, item, bound)

    def _left(
        self, explanation: Explanation, facts: tuple[CardGone, ...], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        t_ns = facts[0].t_ns
        arm = self.setting.arm(facts[0], explanation.state)
        ids = {fact.id for fact in facts}
        gone = tuple(piece for piece in explanation.pieces if piece.id in ids)
        after = self._of_no_trick(explanation, gone, arm, t_ns, item)
        of_trick = tuple(piece for piece in gone if piece.kind == "played")
        if not of_trick:
            yield after
            return
        yield self._lost(after, of_trick, arm)
        none = any(piece.kind == "nothing" for piece in gone)
        yield from self.withdrawn(after.costing(ODDS.swept if none else 0.0), of_trick, arm, t_ns, item)
        for way in self.ways(after, t_ns, item, bound):
            if way.state.phase is Phase.PICK_UP:
                yield from self._picked_up(way, of_trick, arm, t_ns, item)

    def _of_no_trick(
        self, explanation: Explanation, gone: tuple[Piece, ...], arm: Arm, t_ns: int, item: int
    ) -> Explanation:
        """Of the cards that have left, those that count for nothing; and what it costs that all went together."""
        after = explanation
        for piece in gone:
            if piece.kind != "played":
                after = self.went_back(after, piece, arm, t_ns, item)
        if sum(piece.kind == "done" for piece in gone) >= SEVERAL:
            after = after.costing(ODDS.lingered)
        played = any(piece.kind == "played" for piece in gone)
        others = len({piece.seat for piece in gone if piece.kind == "back"}) - (not played)
        return after.costing(max(0, others) * ODDS.swept)

    def went_back(
        self, explanation: Explanation, piece: Piece, arm: Arm, t_ns: int, item: int
    ) -> Explanation:
        """A card that counts for nothing has left; one that had to go back is said to have gone."""
        after = explanation.changed(piece, None)
        if piece.kind != "back":
            return after
        after = after.costing(min(arm.cost(piece.seat), ODDS.taken_for_another))
        said = Said("card_taken_back", {"seat": piece.seat, "card": str(piece.card)})
        return after.remarked(said, t_ns, item=item, piece=piece.id)

    def _lost(self, explanation: Explanation, gone: tuple[Piece, ...], arm: Arm) -> Explanation:
        """They lie there still, and are only out of sight."""
        cost = ODDS.lost_to_a_hand if arm.shares else 0.0
        ids = [piece.id for piece in gone if piece.id is not None]
        for piece in gone:
            assert piece.id is not None
            alone = ODDS.buried if self.setting.buried(piece.id, explanation, ids) else ODDS.lost
            cost += min(alone, ODDS.lost_too) if piece is not gone[0] else alone
        after = explanation
        for piece in gone:
            after = after.changed(piece, replace(piece, id=None))
        return after.costing(cost)

    def withdrawn(
        self, explanation: Explanation, gone: tuple[Piece, ...], arm: Arm, t_ns: int, item: int
    ) -> Iterator[Explanation]:
        """Their players have taken them back."""
        ids = [piece.id for piece in gone if piece.id is not None]
        others = len({piece.seat for piece in gone}) - 1
        after = explanation.costing(others * ODDS.swept)
        for piece in gone:
            assert piece.card is not None
            assert piece.seat is not None
            sentence = notice(t_ns, "hint", "took_back", piece.seat, seat=piece.seat, card=str(piece.card))
            taken = after.applied(
                self.game,
                TakenBack(piece.seat, piece.card),
                t_ns,
                item=item,
                piece=piece.id,
                notices=(sentence,),
            )
            if isinstance(taken, Refusal):
                return
            buried = piece.id is not None and self.setting.buried(piece.id, explanation, ids)
            cost = arm.cost(piece.seat) + (ODDS.lost if buried else 0.0)
            if self.setting.gainsays(after.state, piece.seat, piece.card):
                cost -= ODDS.meant_otherwise  # it was not that card which stayed
            after = taken.changed(piece, None).doing(ODDS.withdrawn).costing(cost)
        yield self.settled(after, t_ns, item)

    def _picked_up(
        self, way: Explanation, gone: tuple[Piece, ...], arm: Arm, t_ns: int, item: int
    ) -> Iterator[Explanation]:
        """The trick is being picked up: it is taken once most of it has gone."""
        before = way.leaving
        ids = (*(before.ids if before else ()), *(piece.id for piece in gone if piece.id is not None))
        taker = arm.seat if arm.sure else (before.taker if before else None)
        after = way
        for piece in gone:
            after = after.changed(piece, replace(piece, id=None))
        quiet = t_ns + self.setting.times.pick_up_ns
        after = but(after, leaving=Leaving(ids, taker, quiet))
        staying = len(after.in_sight())
        if staying and not (len(ids) >= SEVERAL and len(ids) >= staying):
            yield after
            return
        taken = self.taken(after, taker, t_ns, item)
        if taken is not None:
            yield taken

    def quiet(self, explanation: Explanation, t_ns: int, item: int) -> Iterator[Explanation]:
        """A pick-up that had begun has paused for longer than a grab."""
        leaving = explanation.leaving
        if leaving is None or leaving.quiet_ns is None or leaving.quiet_ns > t_ns:
            yield explanation
            return
        if len(leaving.ids) >= SEVERAL:
            taken = self.taken(explanation, leaving.taker, t_ns, item)
            if taken is not None:
                yield taken
                return
        yield but(explanation, leaving=replace(leaving, quiet_ns=None)).costing(ODDS.paused)
