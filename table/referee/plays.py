"""What an explanation can do next with a card: let time pass unseen, let a card be played, put it out of turn.

Everything here takes an explanation and gives those that may follow from it, each with what it costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from table.cards import UNSEEN_WINNER, Card
from table.events.happenings import Played, TrickTaken
from table.events.kind import Said
from table.facts import MS
from table.games.base import Phase, Refusal, State
from table.games.tricks import suit_of, suit_to_follow
from table.phrase import Phrase, say
from table.referee.explanation import Explanation, Piece
from table.referee.notices import Notice, notice
from table.referee.odds import ODDS, Arm
from table.referee.setting import Name, Setting, unknown
from table.referee.unheard import CALLING, unheard

PLAYING = (Phase.LEAD, Phase.FOLLOW)
NO_CARDS = (Phase.DEAL, Phase.TURN_UP, Phase.PICK_UP, Phase.OVER)
"""While these last, a card laid too early never counts later."""


TAKEN_NS = 700 * MS
"""To pick a trick up and to lay another card takes longer than this."""
DEALT_NS = 1_500 * MS
"""To gather a hand's last trick, to deal and to turn a card up takes longer than this."""


class TooMuchError(Exception):
    """To account for what was observed takes longer than it may."""


@dataclass(slots=True)
class Bound:
    """What an explanation may cost at most to be worth following; it falls as better ones are found."""

    limit: float = inf
    until_s: float | None = None
    """How much of a processor this thread may have used, in seconds; None: any amount."""

    def check(self) -> None:
        """``TooMuchError`` where this thread has used more."""
        if self.until_s is not None and time.thread_time() > self.until_s:
            raise TooMuchError


class Plays:
    """The steps that lead from one explanation to the next."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.game = setting.game

    # --- what was not seen --------------------------------------------------------------------------------------

    def ways(self, explanation: Explanation, t_ns: int, item: int, bound: Bound) -> Iterator[Explanation]:
        """What may have happened unseen before something is seen at ``t_ns``: nothing, cards played, a trick taken."""
        yield explanation
        frontier = [(explanation, 0)]
        while frontier:
            one, missed = frontier.pop(0)
            for after, more in self._unseen_steps(one, t_ns, item, bound):
                if after.cost <= bound.limit and missed + more <= self.setting.reach.unseen:
                    yield after
                    frontier.append((after, missed + more))

    def _unseen_steps(
        self, explanation: Explanation, t_ns: int, item: int, bound: Bound
    ) -> Iterator[tuple[Explanation, int]]:
        phase = explanation.state.phase
        if phase is Phase.PICK_UP:
            yield from ((after, 0) for after in self.taken_unseen(explanation, t_ns, item))
        elif phase in CALLING:
            yield from self._unheard(explanation, t_ns, item, bound)
        elif phase in PLAYING and explanation.cost + ODDS.missed <= bound.limit:
            expected = self.game.expected(explanation.state)
            for seat in expected.seats:
                for after in self.missed(explanation.costing(ODDS.missed), seat, t_ns, item, bound):
                    yield after, 1

    def _unheard(
        self, explanation: Explanation, t_ns: int, item: int, bound: Bound
    ) -> Iterator[tuple[Explanation, int]]:
        """What is waited for was called, but its presses were not heard; what it was, people must say."""
        for meant in unheard(self.game, explanation, self.setting.pins):
            cost = len(meant.seats) * ODDS.unheard + meant.guess
            if explanation.cost + cost > bound.limit:
                return
            notices = tuple(notice(t_ns, "trouble", "not_heard", seat, seat=seat) for seat in meant.seats)
            after = explanation.applied(
                self.game, meant.event, t_ns, extra=meant.extra, item=item, notices=notices
            )
            if not isinstance(after, Refusal):
                yield self.settled(after.costing(cost), t_ns, item), max(1, len(meant.seats))

    def missed(
        self, explanation: Explanation, seat: str, t_ns: int, item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """A player's card was not seen, which is paid for: it won the trick, or it did not."""
        state = explanation.state
        said = self.setting.pins.unseen.get((state.deal, len(state.tricks) + 1, seat))
        if said is not None:
            # What it was is certain; that nobody saw it is as unlikely as ever.
            possible = self.setting.possible(said, explanation)
            named = self.play_unseen(explanation, seat, said, t_ns, item) if possible else None
            if named is not None and named.cost <= bound.limit:
                yield named.costing(self.led_by(state, seat))
            return
        for found, cost in unknown(state):
            if explanation.cost + cost > bound.limit:
                continue
            if found == UNSEEN_WINNER and any(play.card == UNSEEN_WINNER for play in state.trick.plays):
                continue
            after = self.play_unseen(explanation, seat, found, t_ns, item)
            if after is not None:
                yield after.costing(cost + self.led_by(state, seat))

    def play_unseen(
        self, explanation: Explanation, seat: str, found: Card, t_ns: int, item: int
    ) -> Explanation | None:
        """A card is played that nobody saw; ``found`` is what it was, as far as that is known."""
        by = "camera" if found.is_unseen else "corrected"
        after = explanation.applied(
            self.game,
            Played(seat, found),
            t_ns,
            extra={"confidence": 0.0 if found.is_unseen else 1.0, "by": by},
            item=item,
            notices=(notice(t_ns, "trouble", "not_seen", seat, seat=seat),) if found.is_unseen else (),
        )
        if isinstance(after, Refusal):
            return None
        return self.settled(after.with_piece(Piece(None, found, seat, "played", missed=True)), t_ns, item)

    def unseen(self, explanation: Explanation, piece: Piece) -> float:
        """What it costs that a card lies on the mark out of sight: beneath others, or lost."""
        found = [place for place, one in enumerate(explanation.pieces) if one.id is not None]
        beneath = max(found, default=-1) > explanation.pieces.index(piece)
        return ODDS.buried if beneath else ODDS.lost

    def taken_unseen(self, explanation: Explanation, t_ns: int, item: int) -> Iterator[Explanation]:
        """The complete trick has gone although not all of its cards were seen to go."""
        gone = sum(piece.id is None for piece in explanation.laid())
        begun = explanation.leaving is not None or gone == len(explanation.laid())
        after = self.taken(explanation, None, t_ns, item)
        if after is not None:
            takes = DEALT_NS if explanation.state.last_trick else TAKEN_NS
            hurried = ODDS.no_time if self.since_last(explanation, t_ns) < takes else 0.0
            yield after.costing((ODDS.late if begun else ODDS.unnoticed) + hurried)

    def since_last(self, explanation: Explanation, t_ns: int) -> float:
        """How long before ``t_ns`` the last card of the trick landed, as far as they are in sight or have just gone."""
        gone = explanation.leaving.ids if explanation.leaving is not None else ()
        ids = (*(piece.id for piece in explanation.laid() if piece.id is not None), *gone)
        lying = (self.setting.landed.get(number) for number in ids)
        return min((t_ns - card.t_ns for card in lying if card is not None), default=inf)

    def taken(self, explanation: Explanation, taker: str | None, t_ns: int, item: int) -> Explanation | None:
        """The trick has been picked up: what still seems to lie there of it is done with."""
        winner = explanation.state.trick.winner
        assert winner is not None
        notices: tuple[Notice, ...] = ()
        if taker is None and explanation.leaving is not None:
            taker = explanation.leaving.taker
        if taker is not None and taker != winner:
            notices = (notice(t_ns, "hint", "took_anothers_trick", taker, seat=taker, winner=winner),)
        after = explanation.applied(self.game, TrickTaken(taker or winner), t_ns, item=item, notices=notices)
        if isinstance(after, Refusal):
            return None
        after = agreed(after)
        cost = ODDS.taken_for_another if taker not in (None, winner) else 0.0
        cost += ODDS.contradicted if self.setting.said_elsewhere(explanation.state) else 0.0
        cost += self.setting.said_otherwise(explanation.state)
        return self.settled(after.costing(cost), t_ns, item)

    # --- a card is played ---------------------------------------------------------------------------------------

    def play(
        self,
        explanation: Explanation,
        piece: Piece,
        name: Name,
        seat: str,
        t_ns: int,
        item: int,
        *,
        doubt: bool = False,
        notices: tuple[Notice, ...] = (),
    ) -> Explanation | None:
        """The card of ``piece``, which lies there already or comes to lie there now, is played by ``seat``."""
        state = explanation.state
        pins = self.setting.pins
        said = pins.unseen.get((state.deal, len(state.tricks) + 1, seat))
        cost = name.cost + self.discards(state, name.card)
        cost += ODDS.meant_otherwise if self.setting.gainsays(state, seat, name.card) else 0.0
        extra: dict[str, object] = {"confidence": round(name.confidence, 4), "by": "camera"}
        if piece.id in pins.cards or piece.id in pins.seats or said == name.card:
            extra["by"] = "corrected"
        if doubt:
            extra["doubt"] = True
        if name.card.is_unseen:
            notices += (notice(t_ns, "trouble", "not_read", seat, seat=seat),)
        after = explanation.applied(
            self.game, Played(seat, name.card), t_ns, extra=extra, item=item, piece=piece.id, notices=notices
        )
        if isinstance(after, Refusal):
            return None
        looks = piece.looks or self.setting.looks(piece.id, name.card)
        played = Piece(piece.id, name.card, seat, "played", confidence=name.confidence, looks=looks)
        known = any(one == piece for one in after.pieces)
        after = after.changed(piece, played) if known else after.with_piece(played)
        return self.settled(after.costing(cost), t_ns, item)

    def led_by(self, state: State, seat: str) -> float:
        """What it costs that ``seat`` leads, where people have said who did; nothing where no card is a lead."""
        if state.phase is not Phase.LEAD or state.trick.plays:
            return 0.0
        said = self.setting.pins.first.get((state.deal, len(state.tricks) + 1))
        return 0.0 if said in (None, seat) else ODDS.contradicted

    def discards(self, state: State, card: Card) -> float:
        """What it costs that a card is not of the suit that is to be followed; the last one is nobody's choice."""
        led, suit = suit_to_follow(state), suit_of(card, state.trump)
        if state.phase is not Phase.FOLLOW or state.last_trick or None in (led, suit) or led == suit:
            return 0.0
        return ODDS.discard

    def settled(self, explanation: Explanation, t_ns: int, item: int) -> Explanation:
        """Cards laid out of turn that still lie when their player's turn comes count now."""
        while True:
            expected = self.game.expected(explanation.state)
            if expected.free or expected.phase not in PLAYING:
                return explanation
            waiting = explanation.waiting(expected.default, "turn")
            after = self.counts(explanation, waiting, t_ns, item) if waiting is not None else None
            if after is None:
                return explanation
            explanation = after

    def counts(self, explanation: Explanation, piece: Piece, t_ns: int, item: int) -> Explanation | None:
        """A card that was to be taken back is its player's play after all."""
        if piece.card is None or piece.seat is None:
            return None
        return self.play(explanation, piece, Name(piece.card, piece.confidence, 0.0), piece.seat, t_ns, item)

    def leave_tied(self, explanation: Explanation, t_ns: int, arm: Arm | None, item: int) -> Explanation:
        """A tied leader whose turn is next has left the card: as the next card falls, it is that player's play.

        ``arm``: whose arm brought the next card; None when the pile is being picked up. Source: RULES.md,
        Whysteria: it must follow suit or be the hand's last trick. So may the default leader, when all go back.
        """
        while True:
            expected = self.game.expected(explanation.state)
            if expected.free or expected.phase not in PLAYING:
                return explanation
            if arm is not None and arm.sure and arm.seat == expected.default:
                return explanation
            left = explanation.waiting(expected.default, "tied")
            if left is None or not self._may_stay(explanation, left):
                return explanation
            after = self.counts(explanation, left, t_ns, item)
            if after is None:
                return explanation
            explanation = after

    def _may_stay(self, explanation: Explanation, left: Piece) -> bool:
        state = explanation.state
        lead = state.trick.lead
        follows = left.card is not None and (lead is None or left.card.suit == lead.card.suit)
        return follows or len(state.tricks) == state.cards - 1

    # --- a card is out of turn ----------------------------------------------------------------------------------

    def out_of_turn(
        self, explanation: Explanation, piece: Piece, seat: str | None, t_ns: int, item: int
    ) -> Explanation:
        """The card is to be taken back; it counts if it still lies when its player's turn comes."""
        state = explanation.state
        waits = "no" if state.phase in NO_CARDS else "turn"
        laid = Piece(
            piece.id, piece.card, seat, "back", "turn" if waits == "turn" else "no", piece.confidence
        )
        said = Said("out_of_turn", {"seat": seat, "card": str(piece.card)})
        assert piece.card is not None
        sentence = notice(
            t_ns,
            "ruling",
            "take_back",
            seat,
            seat=seat,
            card=str(piece.card),
            why=self.waits_for(explanation),
        )
        after = explanation.remarked(said, t_ns, item=item, piece=piece.id, notices=(sentence,))
        return after.with_piece(laid)

    def waits_for(self, explanation: Explanation) -> Phrase:
        """Why a card can't be played now."""
        state = explanation.state
        expected = self.game.expected(state)
        whys = {
            Phase.PICK_UP: say("refused.trick_not_taken", seat=state.trick.winner),
            Phase.BID: say("refused.bidding_not_over"),
            Phase.SECRET_BID: say("refused.bidding_not_over"),
            Phase.AUCTION: say("refused.bidding_not_over"),
            Phase.DEAL: say("refused.not_dealt", seat=state.dealer),
            Phase.TURN_UP: say("refused.not_turned_up", seat=state.dealer),
            Phase.PASS_CARDS: say("refused.cards_on_the_way"),
            Phase.OVER: say("refused.over"),
        }
        return whys.get(state.phase, say("refused.turn_of", seat=expected.default))


def agreed(explanation: Explanation) -> Explanation:
    """The mark as the game has it: a card that is of the trick no more is done with, though it still lies there."""
    held = {(play.seat, play.card) for play in explanation.state.trick.plays}
    for piece in explanation.laid():
        if (piece.seat, piece.card) not in held:
            done = Piece(piece.id, piece.card, piece.seat, "done", looks=piece.looks)
            explanation = explanation.changed(piece, done if piece.id is not None else None)
    return explanation
