"""The hypotheses about cards that may have left while the camera was off: in a power cut, or at a restart.

They lie as they lay, or have gone meanwhile. The camera reports the cards that it sees, one after the other where a
hand hovers over them; after a while every visible card has been reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.games.engine.game_state import Phase
from table.referee.model.event_costs import COSTS, NO_ARM
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.moves.card_departures import CardDepartures


class UnobservedDepartures(CardDepartures):
    """The steps for cards that were not detected again after a restart."""

    def withdraw_unseen(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypothesis in which the trick's last card was withdrawn unseen, before another one is laid."""
        dark = [piece for piece in hypothesis.trick_cards() if piece.unseen_since_restart]
        if dark and dark[-1] == hypothesis.trick_cards()[-1]:
            yield from self.withdraw_cards(hypothesis, (dark[-1],), NO_ARM, t_ns, observation_number)

    def resolve_undetected(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses about the cards that the camera has not found again since the restart.

        A card that was to be taken back has been, as a rule; one of the trick lies beneath others, was lost from
        sight, or has been withdrawn; a complete trick has been picked up.
        """
        dark = tuple(piece for piece in hypothesis.table_cards if piece.unseen_since_restart)
        if not dark:
            yield hypothesis
            return
        if hypothesis.state.phase is Phase.PICK_UP:
            for taken in self.take_trick_unseen(hypothesis, t_ns, observation_number):
                yield from self.resolve_undetected(taken, t_ns, observation_number)
        yield from self._gone_or_hidden(hypothesis, dark, t_ns, observation_number)

    def _gone_or_hidden(
        self, hypothesis: Hypothesis, dark: tuple[TableCard, ...], t_ns: int, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which these cards went back, were withdrawn, or lie there out of sight."""
        apart = [piece for piece in dark if piece.role != "played"]
        of_trick = tuple(piece for piece in dark if piece.role == "played")
        after = hypothesis
        for piece in apart:
            after = self.remove_outside_trick(after, piece, NO_ARM, t_ns, observation_number)
        if of_trick:
            yield self._hide(after, of_trick)
            yield from self.withdraw_cards(after, of_trick, NO_ARM, t_ns, observation_number)
        else:
            yield after
        if any(piece.role == "back" for piece in apart):
            yield self.play_pending_cards(self._hide(hypothesis, dark), t_ns, observation_number)

    def _hide(self, hypothesis: Hypothesis, pieces: tuple[TableCard, ...]) -> Hypothesis:
        """Return the hypothesis in which the cards lie there still, beneath others or lost from sight.

        The costs are those of cards that leave while the camera looks.
        """
        costs = sorted(self.out_of_sight_cost(hypothesis, piece) for piece in pieces)
        after = hypothesis.add_cost(costs[-1] + sum(min(cost, COSTS.further_lost) for cost in costs[:-1]))
        for piece in pieces:
            after = after.replace_card(piece, replace(piece, unseen_since_restart=False))
        return after
