"""Which card that is to be taken back counts after all, as its player's turn has come while it still lies there."""

from __future__ import annotations

from table.games.engine.game_state import Phase
from table.games.game import Game
from table.referee.model.hypothesis import Claim, Hypothesis, TableCard


def find_claim(game: Game, hypothesis: Hypothesis, claim: Claim) -> TableCard | None:
    """Return the earliest card to be taken back that may count for the reason ``claim``, as its player's turn has
    come; None where there is none, or anyone may lead.
    """
    waiting = [piece for piece in hypothesis.table_cards if piece.role == "back" and piece.claim == claim]
    if not waiting or hypothesis.state.phase not in (Phase.LEAD, Phase.FOLLOW):
        return None
    expected = game.expected(hypothesis.state)
    in_turn = (piece for piece in waiting if piece.seat == expected.default_seat)
    return None if expected.anyone_may_act else next(in_turn, None)


def find_lead_that_may_stay(game: Game, hypothesis: Hypothesis) -> TableCard | None:
    """Return the tied lead that its player, whose turn has come, may leave lying; None where there is none.

    Source: RULES.md, Whysteria: it must follow suit or be the hand's last trick. So may the default leader, when all go
    back.
    """
    left, state = find_claim(game, hypothesis, "tied"), hypothesis.state
    if left is None or left.card is None:
        return None
    lead = state.trick.lead
    return left if lead is None or left.card.suit == lead.card.suit or state.is_last_trick else None
