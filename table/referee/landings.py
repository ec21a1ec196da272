"""A card came to rest on the mark: what that may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot, log
from typing import ClassVar

from table.events.happenings import TakenBack, TurnedUp
from table.facts import MS, CardLanded
from table.games.base import Phase, Refusal
from table.referee.explanation import Explanation, Piece
from table.referee.notices import Notice, notice
from table.referee.odds import ODDS, Arm
from table.referee.plays import NO_CARDS, PLAYING, Bound, Plays
from table.referee.setting import Name
from table.referee.unwatched import Unwatched

NOTICED_NS = 4_000 * MS
"""Who has played takes so long, at least, to see that the table waits for a card, and to lay it down again."""
PUSHED_MM = 80.0
"""A card that is pushed about on the mark comes to lie again within this, centre from centre."""
DEALING = (Phase.DEAL, Phase.TURN_UP)


class Landings(Plays):
    """All that one landed card may be."""

    found: ClassVar[bool] = False
    """Whether no picture shows it landing."""

    def landed(
        self, explanation: Explanation, fact: CardLanded, item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """What may follow from a card that came to rest; what costs more than the bound doesn't matter."""
        bound.check()
        arm = self.setting.arm(fact, explanation.state)
        meanwhile = Unwatched(self.setting).withdrawn_unseen(explanation, fact.t_ns, item)
        befores = [self.leave_tied(one, fact.t_ns, arm, item) for one in (explanation, *meanwhile)]
        # What is likely comes first: the bound falls with it, and less has to be looked at.
        for before in befores:
            yield from self._names_played(before, fact, arm, item, bound)
        yield from self.again(explanation, fact, item)
        yield from self.at_last(explanation, fact, arm, item, bound)
        yield self.ghost(explanation, fact)
        for before in befores:
            if fact.readings:
                yield from self.too_early(before, fact, arm, item, bound)
            else:
                yield self.face_down(before, fact, item)
            for way in self.ways(before, fact.t_ns, item, bound):
                if way is not before:
                    yield from self._names_played(way, fact, arm, item, bound)

    def _names_played(
        self, way: Explanation, fact: CardLanded, arm: Arm, item: int, bound: Bound
    ) -> Iterator[Explanation]:
        for name in self.setting.names(fact, way):
            yield from self.played(way, fact, name, arm, item, bound)

    # --- no card of its own -------------------------------------------------------------------------------------

    def again(self, explanation: Explanation, fact: CardLanded, item: int) -> Iterator[Explanation]:
        """A card that lies there already, or lay there and was lost, is seen anew."""
        confidence = {reading.card: reading.confidence for reading in fact.readings}
        pinned = self.setting.pins.cards.get(fact.id)
        for piece in explanation.pieces:
            if piece.card is None or piece.kind == "nothing" or (piece.missed and not piece.dark):
                continue
            share = max(confidence.get(name, 0.0) for name in (str(piece.card), piece.looks or ""))
            if pinned is not None:
                share = 1.0 if pinned == piece.card else 0.0
            if share <= 0.0:
                continue
            cost = self._moved(piece, fact) - log(min(1.0, share))
            if piece.dark and not self.found:
                # Its place was seen without it: it lay elsewhere, out of sight.
                cost += self.unseen(explanation, piece)
            now = replace(piece, id=fact.id, dark=False, missed=False)
            seen = explanation.changed(piece, now).costing(cost)
            # Its player's turn may have come before anybody looked.
            yield self.settled(seen, fact.t_ns, item) if piece.dark else seen

    def at_last(
        self, explanation: Explanation, fact: CardLanded, arm: Arm, item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """A card that was missed is seen after all: it comes to view, or its player has laid it down again."""
        for piece in explanation.laid():
            if piece.id is not None or piece.card is None or not (piece.missed or piece.card.is_unseen):
                continue
            assert piece.seat is not None
            cost = ODDS.at_last + arm.cost(piece.seat) + self._unasked(explanation, fact, arm)
            if explanation.cost + cost > bound.limit:
                continue
            taken = explanation.applied(
                self.game, TakenBack(piece.seat, piece.card), fact.t_ns, item=item, piece=fact.id
            )
            if isinstance(taken, Refusal):
                continue
            taken = taken.changed(piece, None).costing(cost)
            for name in self.setting.names(fact, taken):
                seen = Piece(fact.id, name.card, None, "played")
                after = self.play(taken, seen, name, piece.seat, fact.t_ns, item)
                if after is not None:
                    yield after

    def _unasked(self, explanation: Explanation, fact: CardLanded, arm: Arm) -> float:
        """What it costs that a hand lays a card down again so soon after the last one."""
        soon = self.since_last(explanation, fact.t_ns) < NOTICED_NS
        return ODDS.unasked if soon and arm.shares else 0.0

    def _moved(self, piece: Piece, fact: CardLanded) -> float:
        """What it costs that the card came from where it was to where it is."""
        if piece.id is None:
            return ODDS.found
        lay = self.setting.landed.get(piece.id)
        if lay is None:
            return ODDS.moved
        away = hypot(lay.place_mm[0] - fact.place_mm[0], lay.place_mm[1] - fact.place_mm[1])
        return ODDS.moved if away < PUSHED_MM else ODDS.carried_off

    def ghost(self, explanation: Explanation, fact: CardLanded) -> Explanation:
        """There is no card."""
        # (No hand need have been seen that brought what was found.)
        cost = ODDS.ghost if fact.arm_deg is None and not self.found else ODDS.ghost_in_hand
        said = fact.id in self.setting.pins.cards or fact.id in self.setting.pins.seats
        return explanation.with_piece(Piece(fact.id, None, None, "nothing")).costing(
            cost + (ODDS.contradicted if said else 0.0)
        )

    def face_down(self, explanation: Explanation, fact: CardLanded, item: int) -> Explanation:
        """It can't be read: it counts for nothing until it is turned, or its player takes it back."""
        sentence = notice(fact.t_ns, "trouble", "unread")
        laid = explanation.with_piece(Piece(fact.id, None, None, "unread"))
        return laid.remarked(None, fact.t_ns, item=item, piece=fact.id, notices=(sentence,)).costing(
            ODDS.face_down
        )

    # --- a card -------------------------------------------------------------------------------------------------

    def played(
        self, way: Explanation, fact: CardLanded, name: Name, arm: Arm, item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """The card is what is waited for: turned up, led, or the next of the trick."""
        expected = self.game.expected(way.state)
        if expected.phase in DEALING:
            yield from self._turned_up(way, fact, name, item)
        if expected.phase not in PLAYING:
            return
        piece = Piece(fact.id, name.card, None, "played")
        left = ODDS.left_tied * sum(_is_left_tied(one, fact) for one in way.pieces)
        for seat in expected.seats:
            cost = arm.cost(seat) + self.led_by(way.state, seat) + left
            if expected.free and seat != expected.default:
                cost += ODDS.free_lead
            if way.cost + cost + name.cost > bound.limit:
                continue
            notices = self._doubts(fact, name)
            if not expected.free and arm.seat is not None and arm.seat != seat:
                notices += (
                    notice(fact.t_ns, "hint", "arm_disagrees", seat, arm.seat, arm=arm.seat, seat=seat),
                )
            doubt = expected.free and arm.seat is None
            after = self.play(way, piece, name, seat, fact.t_ns, item, doubt=doubt, notices=notices)
            if after is not None:
                yield after.doing(ODDS.in_turn).costing(cost)

    def _doubts(self, fact: CardLanded, name: Name) -> tuple[Notice, ...]:
        """What is said when a better reading had to be passed over."""
        if name.plain or name.card.is_unseen or not fact.readings:
            return ()
        seen = fact.readings[0].card
        return (notice(fact.t_ns, "trouble", "taken_for", seen=seen, card=str(name.card)),)

    def _turned_up(self, way: Explanation, fact: CardLanded, name: Name, item: int) -> Iterator[Explanation]:
        if name.card.is_unseen:
            return
        after = way.applied(
            self.game,
            TurnedUp(name.card),
            fact.t_ns,
            item=item,
            piece=fact.id,
            notices=self._doubts(fact, name),
        )
        if not isinstance(after, Refusal):
            laid = Piece(fact.id, name.card, None, "turned up", confidence=name.confidence)
            arm = self.setting.arm(fact, way.state)
            by = min(arm.cost(way.state.dealer), ODDS.turned_for) if arm.shares else ODDS.by_no_hand
            yield after.with_piece(laid).costing(name.cost + by)
        elif after.code == "turn_another":
            sentence = notice(fact.t_ns, "ruling", "turn_another", seat=way.state.dealer, why=after.why)
            laid = Piece(fact.id, name.card, way.state.dealer, "back", confidence=name.confidence)
            yield (
                way.remarked(None, fact.t_ns, item=item, piece=fact.id, notices=(sentence,))
                .with_piece(laid)
                .costing(name.cost)
            )

    def too_early(
        self, explanation: Explanation, fact: CardLanded, arm: Arm, item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """The card is laid out of turn, by whoever's arm it was."""
        before = self._early(explanation, arm)
        if before.cost > bound.limit:
            return
        seats = self._early_seats(explanation, arm)
        for name in self._named(fact, explanation):
            piece = Piece(fact.id, name.card, None, "back", confidence=name.confidence)
            for seat in seats:
                owner = arm.cost(seat)
                again = ODDS.again_already if self._has_laid(explanation, seat) else 0.0
                nats = name.cost + owner + again
                if before.cost + nats <= bound.limit:
                    after = self.out_of_turn(before, piece, seat, fact.t_ns, item)
                    yield after.costing(nats)

    def _early_seats(self, explanation: Explanation, arm: Arm) -> list[str]:
        """Who may have laid a card out of turn."""
        state, expected = explanation.state, self.game.expected(explanation.state)
        if expected.phase in PLAYING:
            # A free lead is nobody's turn, but once it is led, or a tie has bound the default, it is one.
            return _nearest([seat for seat in state.players if seat not in expected.seats], arm)
        likely = arm.seat or expected.default or state.dealer
        if arm.seat is not None or expected.phase in NO_CARDS:
            return [likely]
        # It may yet count: the play that follows tells whose it is.
        return [likely, *(seat for seat in state.players if seat != likely)]

    def _early(self, explanation: Explanation, arm: Arm) -> Explanation:
        """After a card is laid that is not waited for, whoever's it is."""
        state = explanation.state
        if state.phase in PLAYING:
            return explanation.doing(ODDS.out_of_turn)
        another = any(piece.kind == "back" for piece in explanation.pieces)
        if state.phase is Phase.PICK_UP:
            return explanation.costing(ODDS.early_lead_too if another else ODDS.early_lead)
        if state.phase not in DEALING:
            return explanation.doing(ODDS.out_of_turn) if another else explanation.costing(ODDS.at_no_time)
        by_dealer = arm.seat in (None, state.dealer)
        after = explanation.costing(ODDS.at_no_time) if by_dealer else explanation.doing(ODDS.out_of_turn)
        if state.turned is not None:
            return after.costing(ODDS.turned_already)
        return after.costing(ODDS.not_the_turned if self.game.turns_up(state) else 0.0)

    def _named(self, fact: CardLanded, explanation: Explanation) -> list[Name]:
        """What a card that doesn't count may be called: one name will do."""
        known = [name for name in self.setting.names(fact, explanation) if not name.card.is_unseen]
        if known:
            return known[:2]
        return [name for name in self.setting.names(fact, explanation) if name.card.is_unseen][:1]

    def _has_laid(self, explanation: Explanation, seat: str) -> bool:
        """Whether a player has a card in this trick, or one lying that is to go back, already."""
        if explanation.state.phase in NO_CARDS:
            return False
        return any(
            piece.seat == seat and piece.kind in ("played", "back") and piece.id is not None
            for piece in explanation.pieces
        )


def _is_left_tied(piece: Piece, fact: CardLanded) -> bool:
    """Whether a tied lead that is to go back was seen to lie there before another card came."""
    return piece.kind == "back" and piece.waits == "tied" and piece.id not in (None, fact.id)


def _nearest(seats: Sequence[str], arm: Arm) -> list[str]:
    """Who of these may have laid a card by that arm; nobody where none was seen.

    Out of turn, and by another arm than was seen: that is no likelier than a ghost.
    """
    if not arm.shares:
        return []
    nearest = min((arm.cost(seat) for seat in seats), default=0.0)
    return [seat for seat in seats if arm.cost(seat) <= max(nearest, ODDS.strange_arm)]
