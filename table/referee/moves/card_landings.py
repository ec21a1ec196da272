"""The hypotheses that may follow from one landed card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot, log
from typing import ClassVar

from table.events.game_events import TakenBack, TurnedUp
from table.games.engine.game_state import Phase, Refusal
from table.observed_facts import MS, CardLanded
from table.referee.model.event_costs import COSTS, ArmEvidence
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.notices import Notice, make_notice
from table.referee.model.search_context import CardCandidate
from table.referee.moves.common_card_moves import NO_CARD_PHASES, PLAY_PHASES, CardMoves, CostBound
from table.referee.moves.departures_while_camera_off import UnobservedDepartures

MIN_REPLAY_NS = 4_000 * MS
"""The least time in which a player who has played notices that the table waits for a card, and lays it down again."""
PUSHED_MM = 80.0
"""The distance, centre from centre, within which a card that is pushed about on the mark comes to lie again."""
DEALING_PHASES = (Phase.DEAL, Phase.TURN_UP)


class CardLandings(CardMoves):
    """The steps from a landed card to the next hypotheses."""

    landing_unobserved: ClassVar[bool] = False
    """Whether the landing is in no frame, as after a restart."""

    def expand_landing(
        self, hypothesis: Hypothesis, fact: CardLanded, observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield all hypotheses that may follow from a card that came to rest; those above ``bound`` may be left out."""
        bound.check()
        arm = self.context.arm_evidence(fact, hypothesis.state)
        meanwhile = UnobservedDepartures(self.context).withdraw_unseen(
            hypothesis, fact.t_ns, observation_number
        )
        befores = [
            self.play_tied_lead(start, fact.t_ns, arm, observation_number)
            for start in (hypothesis, *meanwhile)
        ]
        # Likely hypotheses come first: they lower the bound, and fewer others have to be generated.
        for before in befores:
            yield from self._play_candidates(before, fact, arm, observation_number, bound)
        yield from self.detect_again(hypothesis, fact, observation_number)
        yield from self.detect_missed_card(hypothesis, fact, arm, observation_number, bound)
        yield self.add_false_detection(hypothesis, fact)
        for before in befores:
            if fact.readings:
                yield from self.lay_too_early(before, fact, arm, observation_number, bound)
            else:
                yield self.lay_face_down(before, fact, observation_number)
            for way in self.unseen_continuations(before, fact.t_ns, observation_number, bound):
                if way is not before:
                    yield from self._play_candidates(way, fact, arm, observation_number, bound)

    def _play_candidates(
        self, way: Hypothesis, fact: CardLanded, arm: ArmEvidence, observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        for name in self.context.card_candidates(fact, way):
            yield from self.play_landed(way, fact, name, arm, observation_number, bound)

    # --- no new card --------------------------------------------------------------------------------------------

    def detect_again(
        self, hypothesis: Hypothesis, fact: CardLanded, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which a card that lies there already, or was lost from sight, is detected again."""
        confidence = {reading.card: reading.confidence for reading in fact.readings}
        pinned = self.context.pins.cards.get(fact.id)
        for piece in hypothesis.table_cards:
            if (
                piece.card is None
                or piece.role == "nothing"
                or (piece.landing_missed and not piece.unseen_since_restart)
            ):
                continue
            share = max(confidence.get(name, 0.0) for name in (str(piece.card), piece.read_as or ""))
            if pinned is not None:
                share = 1.0 if pinned == piece.card else 0.0
            if share <= 0.0:
                continue
            cost = self._move_cost(piece, fact) - log(min(1.0, share))
            if piece.unseen_since_restart and not self.landing_unobserved:
                # The camera has seen its place without it: the card lay elsewhere, out of sight.
                cost += self.out_of_sight_cost(hypothesis, piece)
            now = replace(piece, id=fact.id, unseen_since_restart=False, landing_missed=False)
            seen = hypothesis.replace_card(piece, now).add_cost(cost)
            # Its player's turn may have come before the camera looked.
            yield (
                self.play_pending_cards(seen, fact.t_ns, observation_number)
                if piece.unseen_since_restart
                else seen
            )

    def detect_missed_card(
        self,
        hypothesis: Hypothesis,
        fact: CardLanded,
        arm: ArmEvidence,
        observation_number: int,
        bound: CostBound,
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which a missed card is detected late: uncovered, or laid down again by its player."""
        for piece in hypothesis.trick_cards():
            if (
                piece.id is not None
                or piece.card is None
                or not (piece.landing_missed or piece.card.is_unseen)
            ):
                continue
            assert piece.seat is not None
            cost = (
                COSTS.missed_seen_late + arm.cost_for(piece.seat) + self._replay_cost(hypothesis, fact, arm)
            )
            if hypothesis.cost + cost > bound.limit:
                continue
            taken = hypothesis.apply_event(
                self.game,
                TakenBack(piece.seat, piece.card),
                fact.t_ns,
                observation_number=observation_number,
                card_id=fact.id,
            )
            if isinstance(taken, Refusal):
                continue
            taken = taken.replace_card(piece, None).add_cost(cost)
            for name in self.context.card_candidates(fact, taken):
                seen = TableCard(fact.id, name.card, None, "played")
                after = self.play_card(taken, seen, name, piece.seat, fact.t_ns, observation_number)
                if after is not None:
                    yield after

    def _replay_cost(self, hypothesis: Hypothesis, fact: CardLanded, arm: ArmEvidence) -> float:
        """Return the cost of a hand's laying a card down again so soon after the last one."""
        soon = self.ns_since_last_card(hypothesis, fact.t_ns) < MIN_REPLAY_NS
        return COSTS.replayed_too_soon if soon and arm.probabilities else 0.0

    def _move_cost(self, piece: TableCard, fact: CardLanded) -> float:
        """Return the cost of the card's move from where it was to where it is."""
        if piece.id is None:
            return COSTS.seen_again
        lay = self.context.landed.get(piece.id)
        if lay is None:
            return COSTS.moved_nearby
        away = hypot(lay.place_mm[0] - fact.place_mm[0], lay.place_mm[1] - fact.place_mm[1])
        return COSTS.moved_nearby if away < PUSHED_MM else COSTS.moved_far

    def add_false_detection(self, hypothesis: Hypothesis, fact: CardLanded) -> Hypothesis:
        """Return the hypothesis in which the detection is false and there is no card."""
        # (For a card that landed unobserved no hand need have been detected.)
        cost = (
            COSTS.false_detection
            if fact.arm_deg is None and not self.landing_unobserved
            else COSTS.false_detection_with_hand
        )
        said = fact.id in self.context.pins.cards or fact.id in self.context.pins.seats
        return hypothesis.add_card(TableCard(fact.id, None, None, "nothing")).add_cost(
            cost + (COSTS.contradicts_people if said else 0.0)
        )

    def lay_face_down(self, hypothesis: Hypothesis, fact: CardLanded, observation_number: int) -> Hypothesis:
        """Return the hypothesis with an unreadable card, which counts for nothing until it is turned or taken back."""
        sentence = make_notice(fact.t_ns, "trouble", "unread")
        laid = hypothesis.add_card(TableCard(fact.id, None, None, "unread"))
        return laid.add_remark(
            None, fact.t_ns, observation_number=observation_number, card_id=fact.id, notices=(sentence,)
        ).add_cost(COSTS.unreadable_face_down)

    # --- a new card ---------------------------------------------------------------------------------------------

    def play_landed(
        self,
        way: Hypothesis,
        fact: CardLanded,
        name: CardCandidate,
        arm: ArmEvidence,
        observation_number: int,
        bound: CostBound,
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which the card is what is waited for: turned up, led, or the next of the trick."""
        expected = self.game.expected(way.state)
        if expected.phase in DEALING_PHASES:
            yield from self._turn_up(way, fact, name, observation_number)
        if expected.phase not in PLAY_PHASES:
            return
        piece = TableCard(fact.id, name.card, None, "played")
        left = COSTS.tied_lead_left * sum(_is_left_tied(piece, fact) for piece in way.table_cards)
        for seat in expected.seats:
            cost = arm.cost_for(seat) + self.lead_cost(way.state, seat) + left
            if expected.anyone_may_act and seat != expected.default_seat:
                cost += COSTS.lead_by_non_default
            if way.cost + cost + name.cost > bound.limit:
                continue
            notices = self._misread_notices(fact, name)
            if not expected.anyone_may_act and arm.likeliest_seat is not None and arm.likeliest_seat != seat:
                notices += (
                    make_notice(
                        fact.t_ns,
                        "hint",
                        "arm_disagrees",
                        seat,
                        arm.likeliest_seat,
                        arm=arm.likeliest_seat,
                        seat=seat,
                    ),
                )
            doubt = expected.anyone_may_act and arm.likeliest_seat is None
            after = self.play_card(
                way, piece, name, seat, fact.t_ns, observation_number, doubt=doubt, notices=notices
            )
            if after is not None:
                yield after.add_habit(COSTS.in_turn).add_cost(cost)

    def _misread_notices(self, fact: CardLanded, name: CardCandidate) -> tuple[Notice, ...]:
        """Return the notice for a card that is taken for another one than its best reading."""
        if name.is_best_reading or name.card.is_unseen or not fact.readings:
            return ()
        seen = fact.readings[0].card
        return (make_notice(fact.t_ns, "trouble", "taken_for", seen=seen, card=str(name.card)),)

    def _turn_up(
        self, way: Hypothesis, fact: CardLanded, name: CardCandidate, observation_number: int
    ) -> Iterator[Hypothesis]:
        if name.card.is_unseen:
            return
        after = way.apply_event(
            self.game,
            TurnedUp(name.card),
            fact.t_ns,
            observation_number=observation_number,
            card_id=fact.id,
            notices=self._misread_notices(fact, name),
        )
        if not isinstance(after, Refusal):
            laid = TableCard(fact.id, name.card, None, "turned up", confidence=name.confidence)
            arm = self.context.arm_evidence(fact, way.state)
            by = (
                min(arm.cost_for(way.state.dealer), COSTS.turned_up_by_other)
                if arm.probabilities
                else COSTS.turned_up_without_arm
            )
            yield after.add_card(laid).add_cost(name.cost + by)
        elif after.code == "turn_another":
            sentence = make_notice(fact.t_ns, "ruling", "turn_another", seat=way.state.dealer, why=after.why)
            laid = TableCard(fact.id, name.card, way.state.dealer, "back", confidence=name.confidence)
            yield (
                way.add_remark(
                    None,
                    fact.t_ns,
                    observation_number=observation_number,
                    card_id=fact.id,
                    notices=(sentence,),
                )
                .add_card(laid)
                .add_cost(name.cost)
            )

    def lay_too_early(
        self,
        hypothesis: Hypothesis,
        fact: CardLanded,
        arm: ArmEvidence,
        observation_number: int,
        bound: CostBound,
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which the card is laid out of turn."""
        before = self._add_early_cost(hypothesis, arm)
        if before.cost > bound.limit:
            return
        seats = self._early_seats(hypothesis, arm)
        for name in self._likeliest_names(fact, hypothesis):
            piece = TableCard(fact.id, name.card, None, "back", confidence=name.confidence)
            for seat in seats:
                owner = arm.cost_for(seat)
                again = COSTS.second_card_in_trick if self._has_laid(hypothesis, seat) else 0.0
                nats = name.cost + owner + again
                if before.cost + nats <= bound.limit:
                    after = self.lay_out_of_turn(before, piece, seat, fact.t_ns, observation_number)
                    yield after.add_cost(nats)

    def _early_seats(self, hypothesis: Hypothesis, arm: ArmEvidence) -> list[str]:
        """Return the players who may have laid a card out of turn."""
        state, expected = hypothesis.state, self.game.expected(hypothesis.state)
        if expected.phase in PLAY_PHASES:
            # Any player may lead freely; once one has, or a tie has bound the default leader, it is one player's turn.
            return _likely_seats([seat for seat in state.players if seat not in expected.seats], arm)
        likely = arm.likeliest_seat or expected.default_seat or state.dealer
        if arm.likeliest_seat is not None or expected.phase in NO_CARD_PHASES:
            return [likely]
        # The card may yet count: the play that follows tells whose it is.
        return [likely, *(seat for seat in state.players if seat != likely)]

    def _add_early_cost(self, hypothesis: Hypothesis, arm: ArmEvidence) -> Hypothesis:
        """Return the hypothesis with the cost of a card laid out of turn, without the cost of its owner."""
        state = hypothesis.state
        if state.phase in PLAY_PHASES:
            return hypothesis.add_habit(COSTS.out_of_turn)
        another = any(piece.role == "back" for piece in hypothesis.table_cards)
        if state.phase is Phase.PICK_UP:
            return hypothesis.add_cost(COSTS.further_early_lead if another else COSTS.early_lead)
        if state.phase not in DEALING_PHASES:
            return (
                hypothesis.add_habit(COSTS.out_of_turn)
                if another
                else hypothesis.add_cost(COSTS.no_card_expected)
            )
        by_dealer = arm.likeliest_seat in (None, state.dealer)
        after = (
            hypothesis.add_cost(COSTS.no_card_expected)
            if by_dealer
            else hypothesis.add_habit(COSTS.out_of_turn)
        )
        if state.turned is not None:
            return after.add_cost(COSTS.already_turned_up)
        return after.add_cost(COSTS.not_turned_up_card if self.game.turns_up_trump(state) else 0.0)

    def _likeliest_names(self, fact: CardLanded, hypothesis: Hypothesis) -> list[CardCandidate]:
        """Return the likeliest identities of a card that doesn't count: few will do."""
        known = [name for name in self.context.card_candidates(fact, hypothesis) if not name.card.is_unseen]
        if known:
            return known[:2]
        return [name for name in self.context.card_candidates(fact, hypothesis) if name.card.is_unseen][:1]

    def _has_laid(self, hypothesis: Hypothesis, seat: str) -> bool:
        """Return whether a player has a card in this trick already, or one lying that is to go back."""
        if hypothesis.state.phase in NO_CARD_PHASES:
            return False
        return any(
            piece.seat == seat and piece.role in ("played", "back") and piece.id is not None
            for piece in hypothesis.table_cards
        )


def _is_left_tied(piece: TableCard, fact: CardLanded) -> bool:
    """Return whether a card is a tied lead that is to go back and still lay there when another card came."""
    return piece.role == "back" and piece.claim == "tied" and piece.id not in (None, fact.id)


def _likely_seats(seats: Sequence[str], arm: ArmEvidence) -> list[str]:
    """Return the players who may have laid a card out of turn with that arm; empty where no arm was detected.

    Out of turn, and by another arm than was detected: that is no likelier than a false detection.
    """
    if not arm.probabilities:
        return []
    nearest = min((arm.cost_for(seat) for seat in seats), default=0.0)
    return [seat for seat in seats if arm.cost_for(seat) <= max(nearest, COSTS.max_out_of_turn_arm)]
