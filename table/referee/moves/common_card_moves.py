"""The steps from one hypothesis to the next that concern a card: unseen events, a card played, a card out of turn.

Each function takes a hypothesis and returns those that may follow from it, each with its cost.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from table.cards import UNSEEN_WINNER, Card
from table.events.event_spec import Announcement
from table.events.game_events import Played, TrickTaken
from table.games.engine.game_state import Phase, Refusal, State
from table.games.engine.trick_rules import suit_of, suit_to_follow
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.model.event_costs import COSTS, ArmEvidence
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.notices import Notice, make_notice
from table.referee.model.search_context import CardCandidate, SearchContext, unknown_candidates
from table.referee.moves.missed_calls import CALL_PHASES, assume_missed_calls

PLAY_PHASES = (Phase.LEAD, Phase.FOLLOW)
NO_CARD_PHASES = (Phase.DEAL, Phase.TURN_UP, Phase.PICK_UP, Phase.OVER)
"""The phases in which a card laid too early never counts later."""


MIN_PICK_UP_NS = 700 * MS
"""The least time for picking a trick up and laying another card."""
MIN_DEAL_NS = 1_500 * MS
"""The least time for gathering a hand's last trick, dealing and turning a card up."""


class SearchTimeoutError(Exception):
    """The search has used more processor time than it may, as only forged observations make it."""


@dataclass(slots=True)
class CostBound:
    """The largest cost of a hypothesis that is worth following; it falls as better ones are generated."""

    limit: float = inf
    until_s: float | None = None
    """Processor time of this thread, in seconds, from which the search is stopped; None: no limit."""

    def check(self) -> None:
        """Raise `SearchTimeoutError` if this thread has used more processor time than ``until_s``."""
        if self.until_s is not None and time.thread_time() > self.until_s:
            raise SearchTimeoutError


class CardMoves:
    """The basic steps from one hypothesis to the next."""

    def __init__(self, context: SearchContext) -> None:
        self.context = context
        self.game = context.game

    # --- unseen events ------------------------------------------------------------------------------------------

    def unseen_continuations(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield hypotheses about what happened unseen before ``t_ns``: nothing, missed calls or cards, a pick-up."""
        yield hypothesis
        frontier = [(hypothesis, 0)]
        while frontier:
            earlier, missed = frontier.pop(0)
            for after, more in self._unseen_steps(earlier, t_ns, observation_number, bound):
                if after.cost <= bound.limit and missed + more <= self.context.limits.max_missed_cards:
                    yield after
                    frontier.append((after, missed + more))

    def _unseen_steps(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int, bound: CostBound
    ) -> Iterator[tuple[Hypothesis, int]]:
        """Yield the hypotheses after one unseen event, each with the number of misses that it counts for."""
        phase = hypothesis.state.phase
        if phase is Phase.PICK_UP:
            yield from ((after, 0) for after in self.take_trick_unseen(hypothesis, t_ns, observation_number))
        elif phase in CALL_PHASES:
            yield from self._assume_calls(hypothesis, t_ns, observation_number, bound)
        elif phase in PLAY_PHASES and hypothesis.cost + COSTS.undetected_card <= bound.limit:
            expected = self.game.expected(hypothesis.state)
            for seat in expected.seats:
                for after in self.miss_card(
                    hypothesis.add_cost(COSTS.undetected_card), seat, t_ns, observation_number, bound
                ):
                    yield after, 1

    def _assume_calls(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int, bound: CostBound
    ) -> Iterator[tuple[Hypothesis, int]]:
        """Yield the hypotheses after the call that is waited for was made but not heard.

        What it was, people must say.
        """
        for meant in assume_missed_calls(self.game, hypothesis, self.context.pins):
            cost = len(meant.seats) * COSTS.missed_call + meant.guess_cost
            if hypothesis.cost + cost > bound.limit:
                return
            notices = tuple(
                make_notice(t_ns, "trouble", "not_heard", seat, seat=seat) for seat in meant.seats
            )
            after = hypothesis.apply_event(
                self.game,
                meant.event,
                t_ns,
                extra=meant.line_fields,
                observation_number=observation_number,
                notices=notices,
            )
            if not isinstance(after, Refusal):
                yield (
                    self.play_pending_cards(after.add_cost(cost), t_ns, observation_number),
                    max(1, len(meant.seats)),
                )

    def miss_card(
        self, hypothesis: Hypothesis, seat: str, t_ns: int, observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses after a player's card was not detected: it won the trick, or not.

        The cost of the miss itself is not included.
        """
        state = hypothesis.state
        said = self.context.pins.plays.get((state.deal, len(state.tricks) + 1, seat))
        if said is not None:
            # The card is certain; that it was not detected costs as much as ever.
            possible = self.context.can_be_played(said, hypothesis)
            named = self.play_unseen(hypothesis, seat, said, t_ns, observation_number) if possible else None
            if named is not None and named.cost <= bound.limit:
                yield named.add_cost(self.lead_cost(state, seat))
            return
        for found, cost in unknown_candidates(state):
            if hypothesis.cost + cost > bound.limit:
                continue
            if found == UNSEEN_WINNER and any(play.card == UNSEEN_WINNER for play in state.trick.plays):
                continue
            after = self.play_unseen(hypothesis, seat, found, t_ns, observation_number)
            if after is not None:
                yield after.add_cost(cost + self.lead_cost(state, seat))

    def play_unseen(
        self, hypothesis: Hypothesis, seat: str, found: Card, t_ns: int, observation_number: int
    ) -> Hypothesis | None:
        """Return the hypothesis after an undetected card is played; ``found`` is the card, as far as it is known."""
        by = "camera" if found.is_unseen else "corrected"
        after = hypothesis.apply_event(
            self.game,
            Played(seat, found),
            t_ns,
            extra={"confidence": 0.0 if found.is_unseen else 1.0, "by": by},
            observation_number=observation_number,
            notices=(make_notice(t_ns, "trouble", "not_seen", seat, seat=seat),) if found.is_unseen else (),
        )
        if isinstance(after, Refusal):
            return None
        return self.play_pending_cards(
            after.add_card(TableCard(None, found, seat, "played", landing_missed=True)),
            t_ns,
            observation_number,
        )

    def out_of_sight_cost(self, hypothesis: Hypothesis, piece: TableCard) -> float:
        """Return the cost of a card's lying on the mark out of sight: beneath others, or lost."""
        found = [place for place, piece in enumerate(hypothesis.table_cards) if piece.id is not None]
        beneath = max(found, default=-1) > hypothesis.table_cards.index(piece)
        return COSTS.covered if beneath else COSTS.lost_from_sight

    def take_trick_unseen(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypothesis in which the complete trick was picked up, partly or wholly unseen."""
        gone = sum(piece.id is None for piece in hypothesis.trick_cards())
        begun = hypothesis.departing_trick is not None or gone == len(hypothesis.trick_cards())
        after = self.take_trick(hypothesis, None, t_ns, observation_number)
        if after is not None:
            takes = MIN_DEAL_NS if hypothesis.state.is_last_trick else MIN_PICK_UP_NS
            hurried = COSTS.pick_up_too_fast if self.ns_since_last_card(hypothesis, t_ns) < takes else 0.0
            yield after.add_cost(
                (COSTS.pick_up_partly_detected if begun else COSTS.pick_up_undetected) + hurried
            )

    def ns_since_last_card(self, hypothesis: Hypothesis, t_ns: int) -> float:
        """Return how long before ``t_ns`` the last card of the trick landed, in ns; ``inf`` where none is known.

        Of the cards that are in sight or have just gone.
        """
        gone = hypothesis.departing_trick.departed_ids if hypothesis.departing_trick is not None else ()
        ids = (*(piece.id for piece in hypothesis.trick_cards() if piece.id is not None), *gone)
        lying = (self.context.landed.get(number) for number in ids)
        return min((t_ns - card.t_ns for card in lying if card is not None), default=inf)

    def take_trick(
        self, hypothesis: Hypothesis, taker: str | None, t_ns: int, observation_number: int
    ) -> Hypothesis | None:
        """Return the hypothesis after the trick is picked up by ``taker``.

        Cards of it that still seem to lie there are done with.
        """
        winner = hypothesis.state.trick.winner
        assert winner is not None
        notices: tuple[Notice, ...] = ()
        if taker is None and hypothesis.departing_trick is not None:
            taker = hypothesis.departing_trick.taker
        if taker is not None and taker != winner:
            notices = (make_notice(t_ns, "hint", "took_anothers_trick", taker, seat=taker, winner=winner),)
        after = hypothesis.apply_event(
            self.game,
            TrickTaken(taker or winner),
            t_ns,
            observation_number=observation_number,
            notices=notices,
        )
        if isinstance(after, Refusal):
            return None
        after = sync_table_with_state(after)
        cost = COSTS.trick_taken_by_other if taker not in (None, winner) else 0.0
        cost += COSTS.contradicts_people if self.context.is_named_in_other_trick(hypothesis.state) else 0.0
        cost += self.context.contradiction_cost(hypothesis.state)
        return self.play_pending_cards(after.add_cost(cost), t_ns, observation_number)

    # --- a card is played ---------------------------------------------------------------------------------------

    def play_card(
        self,
        hypothesis: Hypothesis,
        piece: TableCard,
        name: CardCandidate,
        seat: str,
        t_ns: int,
        observation_number: int,
        *,
        doubt: bool = False,
        notices: tuple[Notice, ...] = (),
    ) -> Hypothesis | None:
        """Return the hypothesis after ``seat`` plays a card, which lies on the mark already or lands there now.

        None where the rules refuse it. ``doubt``: whether it is uncertain whose card it is.
        """
        state = hypothesis.state
        pins = self.context.pins
        said = pins.plays.get((state.deal, len(state.tricks) + 1, seat))
        cost = name.cost + self.discard_cost(state, name.card)
        cost += (
            COSTS.contradicts_people_when_laid
            if self.context.contradicts_people(state, seat, name.card)
            else 0.0
        )
        extra: dict[str, object] = {"confidence": round(name.confidence, 4), "by": "camera"}
        if piece.id in pins.cards or piece.id in pins.seats or said == name.card:
            extra["by"] = "corrected"
        if doubt:
            extra["doubt"] = True
        if name.card.is_unseen:
            notices += (make_notice(t_ns, "trouble", "not_read", seat, seat=seat),)
        after = hypothesis.apply_event(
            self.game,
            Played(seat, name.card),
            t_ns,
            extra=extra,
            observation_number=observation_number,
            card_id=piece.id,
            notices=notices,
        )
        if isinstance(after, Refusal):
            return None
        looks = piece.read_as or self.context.misread_as(piece.id, name.card)
        played = TableCard(piece.id, name.card, seat, "played", confidence=name.confidence, read_as=looks)
        known = any(known_piece == piece for known_piece in after.table_cards)
        after = after.replace_card(piece, played) if known else after.add_card(played)
        return self.play_pending_cards(after.add_cost(cost), t_ns, observation_number)

    def lead_cost(self, state: State, seat: str) -> float:
        """Return the cost of ``seat``'s leading if people have said that another player led; else 0."""
        if state.phase is not Phase.LEAD or state.trick.plays:
            return 0.0
        said = self.context.pins.first_leads.get((state.deal, len(state.tricks) + 1))
        return 0.0 if said in (None, seat) else COSTS.contradicts_people

    def discard_cost(self, state: State, card: Card) -> float:
        """Return the cost of not following suit; 0 for the last card of a hand, which is nobody's choice."""
        led, suit = suit_to_follow(state), suit_of(card, state.trump)
        if state.phase is not Phase.FOLLOW or state.is_last_trick or None in (led, suit) or led == suit:
            return 0.0
        return COSTS.discard

    def play_pending_cards(self, hypothesis: Hypothesis, t_ns: int, observation_number: int) -> Hypothesis:
        """Return the hypothesis after cards laid out of turn are played, as far as their player's turn has come.

        They must still lie on the mark.
        """
        while True:
            expected = self.game.expected(hypothesis.state)
            if expected.anyone_may_act or expected.phase not in PLAY_PHASES:
                return hypothesis
            waiting = hypothesis.find_claim(expected.default_seat, "turn")
            after = (
                self.count_card(hypothesis, waiting, t_ns, observation_number)
                if waiting is not None
                else None
            )
            if after is None:
                return hypothesis
            hypothesis = after

    def count_card(
        self, hypothesis: Hypothesis, piece: TableCard, t_ns: int, observation_number: int
    ) -> Hypothesis | None:
        """Return the hypothesis in which a card that was to be taken back is its player's play after all."""
        if piece.card is None or piece.seat is None:
            return None
        return self.play_card(
            hypothesis,
            piece,
            CardCandidate(piece.card, piece.confidence, 0.0),
            piece.seat,
            t_ns,
            observation_number,
        )

    def play_tied_lead(
        self, hypothesis: Hypothesis, t_ns: int, arm: ArmEvidence | None, observation_number: int
    ) -> Hypothesis:
        """Return the hypothesis after a tied lead that was left lying is played, as its player's turn has come.

        It is played when the next card falls. ``arm``: whose arm brought that card; None when the pile is being
        picked up. Source: RULES.md, Whysteria: it must follow suit or be the hand's last trick. So may the default
        leader, when all go back.
        """
        while True:
            expected = self.game.expected(hypothesis.state)
            if expected.anyone_may_act or expected.phase not in PLAY_PHASES:
                return hypothesis
            if arm is not None and arm.is_certain and arm.likeliest_seat == expected.default_seat:
                return hypothesis
            left = hypothesis.find_claim(expected.default_seat, "tied")
            if left is None or not self._may_stay(hypothesis, left):
                return hypothesis
            after = self.count_card(hypothesis, left, t_ns, observation_number)
            if after is None:
                return hypothesis
            hypothesis = after

    def _may_stay(self, hypothesis: Hypothesis, left: TableCard) -> bool:
        state = hypothesis.state
        lead = state.trick.lead
        follows = left.card is not None and (lead is None or left.card.suit == lead.card.suit)
        return follows or len(state.tricks) == state.cards - 1

    # --- a card is out of turn ----------------------------------------------------------------------------------

    def lay_out_of_turn(
        self, hypothesis: Hypothesis, piece: TableCard, seat: str | None, t_ns: int, observation_number: int
    ) -> Hypothesis:
        """Return the hypothesis with a card laid out of turn, to be taken back.

        The card counts if it still lies when its player's turn comes.
        """
        state = hypothesis.state
        waits = "no" if state.phase in NO_CARD_PHASES else "turn"
        laid = TableCard(
            piece.id, piece.card, seat, "back", "turn" if waits == "turn" else "no", piece.confidence
        )
        said = Announcement("out_of_turn", {"seat": seat, "card": str(piece.card)})
        assert piece.card is not None
        sentence = make_notice(
            t_ns,
            "ruling",
            "take_back",
            seat,
            seat=seat,
            card=str(piece.card),
            why=self.refusal_reason(hypothesis),
        )
        after = hypothesis.add_remark(
            said, t_ns, observation_number=observation_number, card_id=piece.id, notices=(sentence,)
        )
        return after.add_card(laid)

    def refusal_reason(self, hypothesis: Hypothesis) -> Phrase:
        """Return why no card may be laid in this phase, or else whose turn it is; the card itself is not judged."""
        state = hypothesis.state
        expected = self.game.expected(state)
        whys = {
            Phase.PICK_UP: make_phrase("refused.trick_not_taken", seat=state.trick.winner),
            Phase.BID: make_phrase("refused.bidding_not_over"),
            Phase.SECRET_BID: make_phrase("refused.bidding_not_over"),
            Phase.AUCTION: make_phrase("refused.bidding_not_over"),
            Phase.DEAL: make_phrase("refused.not_dealt", seat=state.dealer),
            Phase.TURN_UP: make_phrase("refused.not_turned_up", seat=state.dealer),
            Phase.PASS_CARDS: make_phrase("refused.cards_on_the_way"),
            Phase.OVER: make_phrase("refused.over"),
        }
        return whys.get(state.phase, make_phrase("refused.turn_of", seat=expected.default_seat))


def sync_table_with_state(hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis with the cards on the mark made consistent with the game's state.

    A card that is no longer of the trick is done with, though it may still lie there.
    """
    held = {(play.seat, play.card) for play in hypothesis.state.trick.plays}
    for piece in hypothesis.trick_cards():
        if (piece.seat, piece.card) not in held:
            done = TableCard(piece.id, piece.card, piece.seat, "done", read_as=piece.read_as)
            hypothesis = hypothesis.replace_card(piece, done if piece.id is not None else None)
    return hypothesis
