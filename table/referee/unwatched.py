"""What became of the cards on the mark while the table did not look: a power cut, the camera beginning anew.

They lie as they lay, or have gone meanwhile. The camera tells of what it sees, one card after the other where a hand
hovers over them; after a while all that can be seen has been.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.games.base import Phase
from table.referee.departures import Departures
from table.referee.explanation import Explanation, Piece
from table.referee.odds import NO_ARM, ODDS


class Unwatched(Departures):
    """All that may have happened to cards that were not seen again."""

    def withdrawn_unseen(self, explanation: Explanation, t_ns: int, item: int) -> Iterator[Explanation]:
        """The last card of the trick has been withdrawn unseen, before another one is laid."""
        dark = [one for one in explanation.laid() if one.dark]
        if dark and dark[-1] == explanation.laid()[-1]:
            yield from self.withdrawn(explanation, (dark[-1],), NO_ARM, t_ns, item)

    def looked_for(self, explanation: Explanation, t_ns: int, item: int) -> Iterator[Explanation]:
        """What may have become of the cards that have been looked for in vain.

        A card that was to be taken back has been, as a rule; one of the trick lies beneath others, was lost from sight,
        or has been withdrawn; a complete trick has been picked up.
        """
        dark = tuple(one for one in explanation.pieces if one.dark)
        if not dark:
            yield explanation
            return
        if explanation.state.phase is Phase.PICK_UP:
            for taken in self.taken_unseen(explanation, t_ns, item):
                yield from self.looked_for(taken, t_ns, item)
        yield from self._gone_or_hidden(explanation, dark, t_ns, item)

    def _gone_or_hidden(
        self, explanation: Explanation, dark: tuple[Piece, ...], t_ns: int, item: int
    ) -> Iterator[Explanation]:
        """They went back, were withdrawn, or lie there unseen."""
        apart = [one for one in dark if one.kind != "played"]
        of_trick = tuple(one for one in dark if one.kind == "played")
        after = explanation
        for piece in apart:
            after = self.went_back(after, piece, NO_ARM, t_ns, item)
        if of_trick:
            yield self._hidden(after, of_trick)
            yield from self.withdrawn(after, of_trick, NO_ARM, t_ns, item)
        else:
            yield after
        if any(one.kind == "back" for one in apart):
            yield self.settled(self._hidden(explanation, dark), t_ns, item)

    def _hidden(self, explanation: Explanation, pieces: tuple[Piece, ...]) -> Explanation:
        """They lie there still, beneath others or lost from sight, as those may be that leave while it is looked."""
        costs = sorted(self.unseen(explanation, one) for one in pieces)
        after = explanation.costing(costs[-1] + sum(min(cost, ODDS.lost_too) for cost in costs[:-1]))
        for piece in pieces:
            after = after.changed(piece, replace(piece, dark=False))
        return after
