"""The hypotheses that may follow from one landed card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot, log
from typing import ClassVar

from table.events.game_events import TakenBack, TurnedUp
from table.facts import MS, CardLanded
from table.games.engine.state import Phase, Refusal
from table.referee.model.costs import COSTS, ArmEvidence
from table.referee.model.evidence import CardCandidate
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.notices import Notice, make_notice
from table.referee.moves.card_moves import NO_CARD_PHASES, PLAY_PHASES, CardMoves, CostBound
from table.referee.moves.unobserved_departures import UnobservedDepartures

MIN_REPLAY_NS = 4_000 * MS
"""The least time in which a player who has played notices that the table waits for a card, and lays it down again."""
PUSHED_MM = 80.0
"""The distance, centre from centre, within which a card that is pushed about on the mark comes to lie again."""
DEALING_PHASES = (Phase.DEAL, Phase.TURN_UP)


class CardLandings(CardMoves):
    """The steps from a landed card to the next hypotheses."""

    found: ClassVar[bool] = False
    """Whether the landing is in no frame, as after a restart."""

    def landed(
        self, hypothesis: Hypothesis, fact: CardLanded, observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield all hypotheses that may follow from a card that came to rest; those above ``bound`` may be left out."""
        bound.check()
        arm = self.setting.arm(fact, hypothesis.state)
        meanwhile = UnobservedDepartures(self.setting).withdrawn_unseen(
            hypothesis, fact.t_ns, observation_number
        )
        befores = [
            self.leave_tied(start, fact.t_ns, arm, observation_number) for start in (hypothesis, *meanwhile)
        ]
        # Likely hypotheses come first: they lower the bound, and fewer others have to be generated.
        for before in befores:
            yield from self._play_candidates(before, fact, arm, observation_number, bound)
        yield from self.again(hypothesis, fact, observation_number)
        yield from self.at_last(hypothesis, fact, arm, observation_number, bound)
        yield self.ghost(hypothesis, fact)
        for before in befores:
            if fact.readings:
                yield from self.too_early(before, fact, arm, observation_number, bound)
            else:
                yield self.face_down(before, fact, observation_number)
            for way in self.ways(before, fact.t_ns, observation_number, bound):
                if way is not before:
                    yield from self._play_candidates(way, fact, arm, observation_number, bound)

    def _play_candidates(
        self, way: Hypothesis, fact: CardLanded, arm: ArmEvidence, observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        for name in self.setting.names(fact, way):
            yield from self.played(way, fact, name, arm, observation_number, bound)

    # --- no new card --------------------------------------------------------------------------------------------

    def again(
        self, hypothesis: Hypothesis, fact: CardLanded, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which a card that lies there already, or was lost from sight, is detected again."""
        confidence = {reading.card: reading.confidence for reading in fact.readings}
        pinned = self.setting.pins.cards.get(fact.id)
        for piece in hypothesis.pieces:
            if piece.card is None or piece.kind == "nothing" or (piece.missed and not piece.dark):
                continue
            share = max(confidence.get(name, 0.0) for name in (str(piece.card), piece.looks or ""))
            if pinned is not None:
                share = 1.0 if pinned == piece.card else 0.0
            if share <= 0.0:
                continue
            cost = self._move_cost(piece, fact) - log(min(1.0, share))
            if piece.dark and not self.found:
                # The camera has seen its place without it: the card lay elsewhere, out of sight.
                cost += self.unseen(hypothesis, piece)
            now = replace(piece, id=fact.id, dark=False, missed=False)
            seen = hypothesis.changed(piece, now).costing(cost)
            # Its player's turn may have come before the camera looked.
            yield self.settled(seen, fact.t_ns, observation_number) if piece.dark else seen

    def at_last(
        self,
        hypothesis: Hypothesis,
        fact: CardLanded,
        arm: ArmEvidence,
        observation_number: int,
        bound: CostBound,
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which a missed card is detected late: uncovered, or laid down again by its player."""
        for piece in hypothesis.laid():
            if piece.id is not None or piece.card is None or not (piece.missed or piece.card.is_unseen):
                continue
            assert piece.seat is not None
            cost = COSTS.at_last + arm.cost(piece.seat) + self._replay_cost(hypothesis, fact, arm)
            if hypothesis.cost + cost > bound.limit:
                continue
            taken = hypothesis.applied(
                self.game,
                TakenBack(piece.seat, piece.card),
                fact.t_ns,
                observation_number=observation_number,
                card_id=fact.id,
            )
            if isinstance(taken, Refusal):
                continue
            taken = taken.changed(piece, None).costing(cost)
            for name in self.setting.names(fact, taken):
                seen = TableCard(fact.id, name.card, None, "played")
                after = self.play(taken, seen, name, piece.seat, fact.t_ns, observation_number)
                if after is not None:
                    yield after

    def _replay_cost(self, hypothesis: Hypothesis, fact: CardLanded, arm: ArmEvidence) -> float:
        """Return the cost of a hand's laying a card down again so soon after the last one."""
        soon = self.since_last(hypothesis, fact.t_ns) < MIN_REPLAY_NS
        return COSTS.unasked if soon and arm.shares else 0.0

    def _move_cost(self, piece: TableCard, fact: CardLanded) -> float:
        """Return the cost of the card's move from where it was to where it is."""
        if piece.id is None:
            return COSTS.found
        lay = self.setting.landed.get(piece.id)
        if lay is None:
            return COSTS.moved
        away = hypot(lay.place_mm[0] - fact.place_mm[0], lay.place_mm[1] - fact.place_mm[1])
        return COSTS.moved if away < PUSHED_MM else COSTS.carried_off

    def ghost(self, hypothesis: Hypothesis, fact: CardLanded) -> Hypothesis:
        """Return the hypothesis in which the detection is false and there is no card."""
        # (For a card that landed unobserved no hand need have been detected.)
        cost = COSTS.ghost if fact.arm_deg is None and not self.found else COSTS.ghost_in_hand
        said = fact.id in self.setting.pins.cards or fact.id in self.setting.pins.seats
        return hypothesis.with_piece(TableCard(fact.id, None, None, "nothing")).costing(
            cost + (COSTS.contradicted if said else 0.0)
        )

    def face_down(self, hypothesis: Hypothesis, fact: CardLanded, observation_number: int) -> Hypothesis:
        """Return the hypothesis with an unreadable card, which counts for nothing until it is turned or taken back."""
        sentence = make_notice(fact.t_ns, "trouble", "unread")
        laid = hypothesis.with_piece(TableCard(fact.id, None, None, "unread"))
        return laid.remarked(
            None, fact.t_ns, observation_number=observation_number, card_id=fact.id, notices=(sentence,)
        ).costing(COSTS.face_down)

    # --- a new card ---------------------------------------------------------------------------------------------

    def played(
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
        left = COSTS.left_tied * sum(_is_left_tied(piece, fact) for piece in way.pieces)
        for seat in expected.seats:
            cost = arm.cost(seat) + self.led_by(way.state, seat) + left
            if expected.free and seat != expected.default:
                cost += COSTS.free_lead
            if way.cost + cost + name.cost > bound.limit:
                continue
            notices = self._misread_notices(fact, name)
            if not expected.free and arm.seat is not None and arm.seat != seat:
                notices += (
                    make_notice(fact.t_ns, "hint", "arm_disagrees", seat, arm.seat, arm=arm.seat, seat=seat),
                )
            doubt = expected.free and arm.seat is None
            after = self.play(
                way, piece, name, seat, fact.t_ns, observation_number, doubt=doubt, notices=notices
            )
            if after is not None:
                yield after.doing(COSTS.in_turn).costing(cost)

    def _misread_notices(self, fact: CardLanded, name: CardCandidate) -> tuple[Notice, ...]:
        """Return the notice for a card that is taken for another one than its best reading."""
        if name.plain or name.card.is_unseen or not fact.readings:
            return ()
        seen = fact.readings[0].card
        return (make_notice(fact.t_ns, "trouble", "taken_for", seen=seen, card=str(name.card)),)

    def _turn_up(
        self, way: Hypothesis, fact: CardLanded, name: CardCandidate, observation_number: int
    ) -> Iterator[Hypothesis]:
        if name.card.is_unseen:
            return
        after = way.applied(
            self.game,
            TurnedUp(name.card),
            fact.t_ns,
            observation_number=observation_number,
            card_id=fact.id,
            notices=self._misread_notices(fact, name),
        )
        if not isinstance(after, Refusal):
            laid = TableCard(fact.id, name.card, None, "turned up", confidence=name.confidence)
            arm = self.setting.arm(fact, way.state)
            by = min(arm.cost(way.state.dealer), COSTS.turned_for) if arm.shares else COSTS.by_no_hand
            yield after.with_piece(laid).costing(name.cost + by)
        elif after.code == "turn_another":
            sentence = make_notice(fact.t_ns, "ruling", "turn_another", seat=way.state.dealer, why=after.why)
            laid = TableCard(fact.id, name.card, way.state.dealer, "back", confidence=name.confidence)
            yield (
                way.remarked(
                    None,
                    fact.t_ns,
                    observation_number=observation_number,
                    card_id=fact.id,
                    notices=(sentence,),
                )
                .with_piece(laid)
                .costing(name.cost)
            )

    def too_early(
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
                owner = arm.cost(seat)
                again = COSTS.again_already if self._has_laid(hypothesis, seat) else 0.0
                nats = name.cost + owner + again
                if before.cost + nats <= bound.limit:
                    after = self.out_of_turn(before, piece, seat, fact.t_ns, observation_number)
                    yield after.costing(nats)

    def _early_seats(self, hypothesis: Hypothesis, arm: ArmEvidence) -> list[str]:
        """Return the players who may have laid a card out of turn."""
        state, expected = hypothesis.state, self.game.expected(hypothesis.state)
        if expected.phase in PLAY_PHASES:
            # Any player may lead freely; once one has, or a tie has bound the default leader, it is one player's turn.
            return _likely_seats([seat for seat in state.players if seat not in expected.seats], arm)
        likely = arm.seat or expected.default or state.dealer
        if arm.seat is not None or expected.phase in NO_CARD_PHASES:
            return [likely]
        # The card may yet count: the play that follows tells whose it is.
        return [likely, *(seat for seat in state.players if seat != likely)]

    def _add_early_cost(self, hypothesis: Hypothesis, arm: ArmEvidence) -> Hypothesis:
        """Return the hypothesis with the cost of a card laid out of turn, without the cost of its owner."""
        state = hypothesis.state
        if state.phase in PLAY_PHASES:
            return hypothesis.doing(COSTS.out_of_turn)
        another = any(piece.kind == "back" for piece in hypothesis.pieces)
        if state.phase is Phase.PICK_UP:
            return hypothesis.costing(COSTS.early_lead_too if another else COSTS.early_lead)
        if state.phase not in DEALING_PHASES:
            return hypothesis.doing(COSTS.out_of_turn) if another else hypothesis.costing(COSTS.at_no_time)
        by_dealer = arm.seat in (None, state.dealer)
        after = hypothesis.costing(COSTS.at_no_time) if by_dealer else hypothesis.doing(COSTS.out_of_turn)
        if state.turned is not None:
            return after.costing(COSTS.turned_already)
        return after.costing(COSTS.not_the_turned if self.game.turns_up(state) else 0.0)

    def _likeliest_names(self, fact: CardLanded, hypothesis: Hypothesis) -> list[CardCandidate]:
        """Return the likeliest identities of a card that doesn't count: few will do."""
        known = [name for name in self.setting.names(fact, hypothesis) if not name.card.is_unseen]
        if known:
            return known[:2]
        return [name for name in self.setting.names(fact, hypothesis) if name.card.is_unseen][:1]

    def _has_laid(self, hypothesis: Hypothesis, seat: str) -> bool:
        """Return whether a player has a card in this trick already, or one lying that is to go back."""
        if hypothesis.state.phase in NO_CARD_PHASES:
            return False
        return any(
            piece.seat == seat and piece.kind in ("played", "back") and piece.id is not None
            for piece in hypothesis.pieces
        )


def _is_left_tied(piece: TableCard, fact: CardLanded) -> bool:
    """Return whether a card is a tied lead that is to go back and still lay there when another card came."""
    return piece.kind == "back" and piece.waits == "tied" and piece.id not in (None, fact.id)


def _likely_seats(seats: Sequence[str], arm: ArmEvidence) -> list[str]:
    """Return the players who may have laid a card out of turn with that arm; empty where no arm was detected.

    Out of turn, and by another arm than was detected: that is no likelier than a false detection.
    """
    if not arm.shares:
        return []
    nearest = min((arm.cost(seat) for seat in seats), default=0.0)
    return [seat for seat in seats if arm.cost(seat) <= max(nearest, COSTS.strange_arm)]
