"""What happens to a card whose player is known: it is played, laid out of turn, counts after all, goes with its trick.

Each function returns the hypothesis that follows from one, with its cost.
"""

from __future__ import annotations

from table.cards import PlayedCard, UnseenCard
from table.events.event_spec import Announcement
from table.events.game_events import Played, TrickTaken
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal, State
from table.games.engine.trick_rules import suit_of, suit_to_follow
from table.phrase import Phrase, make_phrase
from table.referee.model.event_costs import COSTS, ArmEvidence
from table.referee.model.hypothesis import Claim, Hypothesis, TableCard, find_claim, find_lead_that_may_stay
from table.referee.model.notices import Notice
from table.referee.model.search_context import SearchContext, Step

NO_CARD_PHASES = (Phase.DEAL, Phase.TURN_UP, Phase.PICK_UP, Phase.OVER)
"""The phases in which a card laid too early never counts later."""


# --- the trick is taken ---------------------------------------------------------------------------------------------


def take_trick(step: Step, hypothesis: Hypothesis, taker: str | None) -> Hypothesis | None:
    """Return the hypothesis after the trick is picked up by ``taker``.

    Cards of it that still seem to lie there are done with.
    """
    winner = hypothesis.state.trick.winner
    assert winner is not None
    if taker is None and hypothesis.departing_trick is not None:
        taker = hypothesis.departing_trick.taker
    others = taker is not None and taker != winner
    notices = [step.notice("hint", "took_anothers_trick", taker, seat=taker, winner=winner)] if others else ()
    after = step.apply(hypothesis, TrickTaken(taker or winner), notices=notices)
    if isinstance(after, Refusal):
        return None
    cost = COSTS.trick_taken_by_other if others else 0.0
    cost += COSTS.contradicts_people if step.context.is_named_in_other_trick(hypothesis.state) else 0.0
    return play_pending_cards(step, sync_table_with_state(after).add_cost(cost))


def sync_table_with_state(hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis with the cards on the mark made consistent with the game's state.

    A card that is no longer of the trick is done with, though it may still lie there.
    """
    held = {(play.seat, play.card) for play in hypothesis.state.trick.plays}
    pieces: list[TableCard] = []
    for piece in hypothesis.table_cards:
        if piece.role != "played" or (piece.seat, piece.card) in held:
            pieces.append(piece)
        elif piece.id is not None:
            pieces.append(TableCard(piece.id, piece.card, piece.seat, "done", read_as=piece.read_as))
    return evolve(hypothesis, table_cards=tuple(pieces))


# --- a card is played -----------------------------------------------------------------------------------------------


def play_card(
    step: Step,
    hypothesis: Hypothesis,
    piece: TableCard,
    *,
    reading_cost: float = 0.0,
    doubt: bool = False,
    notices: tuple[Notice, ...] = (),
) -> Hypothesis | None:
    """Return the hypothesis after a card is played, which lies on the mark already or lands there now.

    None where the rules refuse it. ``reading_cost``: the cost of the card's being this one, where it is still to be
    added. ``doubt``: whether it is uncertain whose card it is.
    """
    context, card, seat = step.context, piece.card, piece.seat
    assert card is not None
    assert seat is not None
    named = context.named_card(hypothesis.state, seat)
    cost = reading_cost + discard_cost(hypothesis.state, card)
    cost += COSTS.contradicts_people if named not in (None, card) else 0.0
    people = piece.id in context.pins.cards or piece.id in context.pins.seats or named == card
    extra = {"confidence": round(piece.confidence, 4), "by": "corrected" if people else "camera"}
    if isinstance(card, UnseenCard):
        notices += (step.notice("trouble", "not_read", seat, seat=seat),)
    after = step.apply(
        hypothesis,
        Played(seat, card),
        extra={**extra, "doubt": True} if doubt else extra,
        card_id=piece.id,
        notices=notices,
    )
    if isinstance(after, Refusal):
        return None
    read_as = piece.read_as or context.misread_as(piece.id, card)
    played = TableCard(piece.id, card, seat, "played", confidence=piece.confidence, read_as=read_as)
    known = piece in after.table_cards
    after = after.replace_card(piece, played) if known else after.add_card(played)
    return play_pending_cards(step, after.add_cost(cost))


def lead_cost(context: SearchContext, state: State, seat: str) -> float:
    """Return the cost of ``seat``'s leading if people have said that another player led; else 0."""
    if state.phase is not Phase.LEAD or state.trick.plays:
        return 0.0
    said = context.pins.first_leads.get((state.deal, len(state.tricks) + 1))
    return 0.0 if said in (None, seat) else COSTS.contradicts_people


def discard_cost(state: State, card: PlayedCard) -> float:
    """Return the cost of not following suit; 0 for the last card of a hand, which is nobody's choice."""
    led, suit = suit_to_follow(state), suit_of(card, state.trump)
    if state.phase is not Phase.FOLLOW or state.is_last_trick or None in (led, suit) or led == suit:
        return 0.0
    return COSTS.discard


def play_pending_cards(step: Step, hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis after cards laid out of turn are played, as far as their player's turn has come.

    They must still lie on the mark.
    """
    while (waiting := find_claim(step.game, hypothesis, "turn")) is not None:
        after = play_card(step, hypothesis, waiting)
        if after is None:
            break
        hypothesis = after
    return hypothesis


def play_tied_lead(step: Step, hypothesis: Hypothesis, arm: ArmEvidence | None) -> Hypothesis:
    """Return the hypothesis after a tied lead that was left lying is played, as its player's turn has come.

    It is played when the next card falls. ``arm``: whose arm brought that card; None when the pile is being picked up.
    """
    while (left := find_lead_that_may_stay(step.game, hypothesis)) is not None:
        if arm is not None and arm.is_certain and arm.likeliest_seat == left.seat:
            break
        after = play_card(step, hypothesis, left)
        if after is None:
            break
        hypothesis = after
    return hypothesis


# --- a card is out of turn ------------------------------------------------------------------------------------------


def lay_out_of_turn(step: Step, hypothesis: Hypothesis, piece: TableCard) -> Hypothesis:
    """Return the hypothesis with a card laid out of turn, to be taken back.

    The card counts if it still lies when its player's turn comes.
    """
    claim: Claim = "no" if hypothesis.state.phase in NO_CARD_PHASES else "turn"
    seat, name, why = piece.seat, str(piece.card), _refusal_reason(step, hypothesis)
    return step.add_remark(
        hypothesis,
        Announcement("out_of_turn", {"seat": seat, "card": name}),
        step.notice("ruling", "take_back", seat, seat=seat, card=name, why=why),
        card_id=piece.id,
    ).add_card(piece._replace(role="back", claim=claim))


def _refusal_reason(step: Step, hypothesis: Hypothesis) -> Phrase:
    """Return why no card may be laid in this phase, or else whose turn it is; the card itself is not judged."""
    state = hypothesis.state
    match state.phase:
        case Phase.PICK_UP:
            return make_phrase("refused.trick_not_taken", seat=state.trick.winner)
        case Phase.BID | Phase.SECRET_BID | Phase.AUCTION:
            return make_phrase("refused.bidding_not_over")
        case Phase.DEAL:
            return make_phrase("refused.not_dealt", seat=state.dealer)
        case Phase.TURN_UP:
            return make_phrase("refused.not_turned_up", seat=state.dealer)
        case Phase.PASS_CARDS:
            return make_phrase("refused.cards_on_the_way")
        case Phase.OVER:
            return make_phrase("refused.over")
    return make_phrase("refused.turn_of", seat=step.game.expected(state).default_seat)
