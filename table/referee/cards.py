"""Cards: whose card it is, free leads and their ties, cards out of turn, withdrawing and picking up."""

from __future__ import annotations

from dataclasses import replace

from table.cards import Card, card
from table.facts import MS, CardFact, CardGone, CardLanded, CardReread
from table.games.base import Expected, LeadsTied, Phase, Play, Played, TakenBack, TrickTaken, TurnedUp
from table.referee.corrections import correct
from table.referee.desk import Desk, listed
from table.referee.leads import judge_leads
from table.referee.mark import MarkCard, likeliest
from table.referee.owners import owners
from table.referee.resumed import Owed, owed_cards, seen_again
from table.referee.seats import Arm, arm_of

PICK_UP_NS = 1_500 * MS
"""A complete trick may leave the mark in several grabs within this; else what left was withdrawn."""
SEVERAL = 2
"""So many cards of a complete trick are not withdrawn by chance: the trick is being picked up."""
SEEN_AGAIN_NS = 3_000 * MS
"""After a power cut the cards that lie on the mark have been seen again by then."""
PUSHED_MM = 80.0
"""A card that is pushed about on the mark comes to lie again within this, centre from centre."""
SURELY = 0.9
"""So surely a card must be read to be the one that lies there already."""


class CardJudge:
    """Turns card facts into events of the game."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._leaving: list[MarkCard] = []
        self._reopen_at: int | None = None
        self._taker = Arm(None, False)
        self._owed: list[Owed] = []
        self._resumed_ns = 0

    def resume(self) -> None:
        """After a power cut: expect the cards that lay on the mark."""
        self._owed = owed_cards(self.desk.state, self.desk.book.journal.lines)
        self._resumed_ns = self.desk.now_ns

    @property
    def closes_ns(self) -> int | None:
        """When a complete trick of which a part has left counts as withdrawn."""
        return self._reopen_at

    def close(self) -> None:
        """That moment has come."""
        if self._reopen_at is not None:
            self._reopen(self._reopen_at)

    def known_by(self, fact: CardFact) -> int:
        """Up to when all facts must be known before ``fact`` can be judged."""
        expected = self.desk.expected
        if isinstance(fact, CardLanded) and expected.phase is Phase.LEAD and expected.free:
            return fact.t_ns + self.desk.times.lead_tie_ns
        return fact.t_ns

    def judge(self, fact: CardFact) -> None:
        """Take one fact."""
        if isinstance(fact, CardLanded):
            self._landed(fact)
        elif isinstance(fact, CardReread):
            self._reread(fact)
        else:
            self._gone(fact)

    def _landed(self, fact: CardLanded) -> None:
        if self._owed and self._lay_again(fact):
            return
        pushed = self._pushed(fact)
        if pushed is not None:
            self.desk.mark.move(pushed, fact)
            return
        if self._reopen_at is not None:
            self._reopen(fact.t_ns)
        found = self._found_again(fact)
        if found is not None:
            self.desk.mark.add(found)
            return
        arm = self._arm(fact)
        self._leave_tied(fact.t_ns, arm)
        lying = self._lay(fact)
        if lying.card is None:
            self.desk.tell(
                fact.t_ns, "trouble", "A card lies on the mark that can't be read: turn it or lay it apart"
            )
            return
        self._place(lying, arm)

    def _lay_again(self, fact: CardLanded) -> bool:
        """Whether it is a card that lay on the mark when the power went; then it lies there as it did."""
        again = self._seen_again(fact)
        if again is not None:
            owed, confidence = again
            self._owed.remove(owed)
            self.desk.mark.add(owed.lying(fact, confidence))
            return True
        nothing = not any(lying.status == "played" for lying in self.desk.mark)
        late = fact.t_ns - self._resumed_ns > SEEN_AGAIN_NS
        if late and nothing and self.desk.state.phase is Phase.PICK_UP:
            # The complete trick was picked up while the table was without power.
            self._taken(fact.t_ns)
        return False

    def _seen_again(self, fact: CardLanded) -> tuple[Owed, float] | None:
        return seen_again(fact, self._owed, self.desk.state, self._possible) if self._owed else None

    def _pushed(self, fact: CardLanded) -> MarkCard | None:
        """The card that lay on the mark and was pushed, turned or lifted a little, and has now been seen anew."""
        known = self._surely_known(fact)
        return next((lying for lying in self.desk.mark if known and _same(lying, known, fact)), None)

    def _found_again(self, fact: CardLanded) -> MarkCard | None:
        """The card of this trick that was lost from sight beneath others, and has now been pushed into view."""
        known = self._surely_known(fact)
        if known is None or any(lying.card == known for lying in self.desk.mark):
            return None
        play = next((play for play in self.desk.state.trick.plays if play.card == known), None)
        if play is None:
            return None
        return MarkCard(fact, known, fact.readings[0].confidence, seat=play.seat, status="played")

    def _surely_known(self, fact: CardLanded) -> Card | None:
        """What the card is, where that is sure and no further one like it can be played."""
        best = fact.readings[0] if fact.readings else None
        if best is None or best.confidence < SURELY:
            return None
        read = card(best.card)
        return None if self._possible(read) else read

    def _lay(self, fact: CardLanded) -> MarkCard:
        found, confidence, plain = likeliest(fact.readings, self._possible)
        lying = MarkCard(fact, found, confidence)
        self.desk.mark.add(lying)
        if found is not None and not plain:
            best = fact.readings[0].card
            self.desk.tell(fact.t_ns, "trouble", f"Seen as {best}, which can't be: taken for {found.sign}")
        return lying

    def _possible(self, found: Card) -> bool:
        """Whether the card could be played now by anybody, by the pack and the cards already seen."""
        pack = self.desk.game.pack()
        copies = pack.count(found)
        waiting = sum(
            lying.card == found and lying.status in ("pending", "go back") for lying in self.desk.mark
        )
        return self.desk.state.seen().count(found) + waiting < copies

    def _arm(self, fact: CardLanded | CardGone) -> Arm:
        sure = fact.arm_sure if isinstance(fact, CardLanded) else 1.0
        seated = {seat: angle for seat, angle in self.desk.angles.items() if seat in self.desk.state.players}
        return arm_of(fact.arm_deg, sure, seated)

    def _place(self, lying: MarkCard, arm: Arm) -> None:
        """A card that was read lies on the mark: what is it?"""
        expected = self.desk.expected
        fact = lying.landed
        if expected.phase in (Phase.DEAL, Phase.TURN_UP) and lying.card is not None:
            if self.desk.apply(TurnedUp(lying.card), fact.t_ns) is None:
                lying.status = "turned up"
            else:
                self._out_of_turn(lying, arm.seat or expected.default)
        elif expected.phase is Phase.LEAD and expected.free:
            self._free_leads(lying, expected)
        elif expected.phase in (Phase.LEAD, Phase.FOLLOW):
            self._in_turn(lying, arm, expected)
        else:
            self._out_of_turn(lying, arm.seat or expected.default, counts=expected.phase is Phase.BID)

    def _in_turn(self, lying: MarkCard, arm: Arm, expected: Expected) -> None:
        turn = expected.default
        assert turn is not None
        if arm.sure and arm.seat is not None and arm.seat != turn and not self._has_played(arm.seat):
            self._out_of_turn(lying, arm.seat, counts=True)
            return
        if arm.seat is not None and arm.seat != turn:
            text = f"The arm looked like {arm.seat}'s; it is {turn}'s turn, so the card is {turn}'s"
            self.desk.tell(lying.landed.t_ns, "hint", text, turn, arm.seat)
        self._play(lying, turn, lying.landed.t_ns)
        self.count_waiting(lying.landed.t_ns)

    def _has_played(self, seat: str) -> bool:
        return any(play.seat == seat for play in self.desk.state.trick.plays)

    def _play(self, lying: MarkCard, seat: str, t_ns: int, *, doubt: bool = False) -> bool:
        assert lying.card is not None
        extra: dict[str, object] = {"confidence": round(lying.confidence, 4), "by": "camera"}
        if doubt:
            extra["doubt"] = True
        refusal = self.desk.apply(Played(seat, lying.card), t_ns, **extra)
        if refusal is not None:
            self.desk.tell(t_ns, "trouble", refusal.why, seat)
            return False
        lying.seat, lying.status = seat, "played"
        return True

    def _out_of_turn(self, lying: MarkCard, seat: str | None, *, counts: bool = False) -> None:
        """The card is to be taken back; with ``counts`` it counts if it still lies when its turn comes."""
        lying.seat, lying.status, lying.counts_later = seat, "go back", counts
        t_ns = lying.landed.t_ns
        self.desk.remark("out_of_turn", t_ns, {"seat": seat, "card": str(lying.card)})
        expected = self.desk.expected
        waits = {
            Phase.PICK_UP: f"{self.desk.state.trick.winner} is to pick up the trick first",
            Phase.BID: "the bidding is not over",
            Phase.DEAL: f"{self.desk.state.dealer} is to rap when all is dealt",
            Phase.OVER: "the game is over",
        }
        why = waits.get(expected.phase, f"it is {expected.default}'s turn")
        assert lying.card is not None
        self.desk.tell(
            t_ns, "ruling", f"{seat} takes the {lying.card.sign} back: {why}", *([seat] if seat else [])
        )

    def count_waiting(self, t_ns: int) -> None:
        """Cards laid out of turn that still lie when their player's turn comes count now."""
        while True:
            expected = self.desk.expected
            if expected.free or expected.phase not in (Phase.LEAD, Phase.FOLLOW):
                return
            turn = expected.default
            waiting = self.desk.mark.to_go_back(turn, "counts_later")
            if waiting is None or turn is None or not self._play(waiting, turn, t_ns):
                return

    # Free leads ----------------------------------------------------------------------------------------

    def _free_leads(self, first: MarkCard, expected: Expected) -> None:
        """A lead where anyone may: with all the others that landed in its tie window."""
        window_ends = first.landed.t_ns + self.desk.times.lead_tie_ns
        others = self.desk.inbox.extract(
            window_ends, lambda fact: isinstance(fact, CardLanded) and self._seen_again(fact) is None
        )
        all_leads = [first, *(self._lay(fact) for fact in others if isinstance(fact, CardLanded))]
        leads = self._lead_seats([lead for lead in all_leads if lead.card is not None], expected)
        if len(leads) == 1:
            lead, doubt = leads[0]
            assert lead.seat is not None
            self._play(lead, lead.seat, lead.landed.t_ns, doubt=doubt)
        elif leads:
            self._tied_leads([lead for lead, _ in leads])
        for lead in all_leads:
            if lead.status == "pending" and lead.card is not None and lead.seat is None:
                self._out_of_turn(lead, self._arm(lead.landed).seat or expected.default)
        self.count_waiting(first.landed.t_ns)

    def _lead_seats(self, leads: list[MarkCard], expected: Expected) -> list[tuple[MarkCard, bool]]:
        """Give each lead its player, plain arms first; a second card of one player is no lead of its own.

        Returns the leads that count, each with whether its player is in doubt.
        """
        if len(leads) > 1:
            return self._lead_seats_together(leads, expected)
        free = list(expected.seats)
        counted: list[tuple[MarkCard, bool]] = []
        for lead in sorted(leads, key=lambda lead: not self._arm(lead.landed).sure):
            arm = self._arm(lead.landed)
            if arm.seat in free:
                lead.seat = arm.seat
            elif not arm.sure and expected.default in free:
                lead.seat = expected.default
            else:
                continue
            assert lead.seat is not None
            free.remove(lead.seat)
            counted.append((lead, arm.seat is None))
        return sorted(counted, key=lambda pair: (pair[0].landed.t_ns, pair[0].id))

    def _lead_seats_together(self, leads: list[MarkCard], expected: Expected) -> list[tuple[MarkCard, bool]]:
        """The likeliest owners of leads at the same time, each player with one of them."""
        seats = owners(
            [lead.landed for lead in leads],
            {seat: self.desk.angles[seat] for seat in expected.seats},
            expected.default,
        )
        counted = []
        for lead, seat in zip(leads, seats, strict=True):
            if seat is not None:
                lead.seat = seat
                counted.append((lead, self._arm(lead.landed).seat != seat))
        return sorted(counted, key=lambda pair: (pair[0].landed.t_ns, pair[0].id))

    def _tied_leads(self, leads: list[MarkCard]) -> None:
        judged = judge_leads(
            [lead.landed for lead in leads], mark=bool(self.desk.game.options.get("mark", True))
        )
        kept = next((lead for lead in leads if lead.landed is judged.kept), None)
        back = [lead for lead in leads if lead is not kept]
        t_ns = leads[0].landed.t_ns
        event = LeadsTied(_as_play(kept) if kept else None, tuple(_as_play(lead) for lead in back))
        if refusal := self.desk.apply(event, t_ns):
            self.desk.tell(t_ns, "trouble", refusal.why)
            return
        for lead in back:
            lead.status, lead.tied = "go back", True
        names = listed([lead.seat or "?" for lead in back])
        return_it = f"{names} {'take theirs' if len(back) > 1 else 'takes it'} back"
        if kept is not None and kept.seat is not None:
            self._play(kept, kept.seat, kept.landed.t_ns)
            text = f"Led at the same time: {kept.seat}'s stays ({judged.why}); {return_it}"
        else:
            text = f"Led at the same time: {return_it} ({judged.why}); {self.desk.expected.default} leads"
        self.desk.tell(t_ns, "ruling", text, *(lead.seat for lead in leads if lead.seat))

    def _leave_tied(self, t_ns: int, arm: Arm | None) -> None:
        """A tied leader whose turn is next has left the card: as the next card falls, it is that player's play.

        ``arm``: whose arm brought the next card; None when the pile is being picked up. Source: RULES.md,
        Whysteria: it must follow suit or be the hand's last trick. So may the default leader, when all go back.
        """
        while True:
            expected = self.desk.expected
            if expected.free or expected.phase not in (Phase.LEAD, Phase.FOLLOW):
                return
            turn = expected.default
            if arm is not None and arm.sure and arm.seat == turn:
                return
            left = self.desk.mark.to_go_back(turn, "tied")
            if left is None or turn is None or not self._may_stay(left) or not self._play(left, turn, t_ns):
                return

    def _may_stay(self, left: MarkCard) -> bool:
        lead = self.desk.state.trick.lead
        follows = left.card is not None and (lead is None or left.card.suit == lead.card.suit)
        return follows or len(self.desk.state.tricks) == self.desk.state.cards - 1

    # Rereading, withdrawing, picking up ------------------------------------------------------------------

    def _reread(self, fact: CardReread) -> None:
        lying = self.desk.mark.get(fact.id)
        if lying is None:
            return
        if lying.card is None:
            lying.landed = replace(lying.landed, readings=fact.readings)
            lying.card, lying.confidence, _ = likeliest(fact.readings, self._possible)
            if lying.card is not None:
                self._place(lying, self._arm(lying.landed))
        elif lying.status == "played":
            self._misread(lying, fact)

    def _misread(self, lying: MarkCard, fact: CardReread) -> None:
        """A card already played turns out to be another: correct it, if the new look is much better."""
        best = fact.readings[0] if fact.readings else None
        if best is None or best.card == str(lying.card) or best.confidence < lying.confidence + 0.2:
            return
        found, confidence, plain = likeliest(fact.readings, self._possible)
        wrong = Played(lying.seat or "", lying.card) if lying.card is not None else None
        at = self.desk.book.last(lambda entry: entry.cause == wrong)
        if found is None or not plain or at is None or wrong is None:
            return
        correct(self.desk, at, Played(wrong.seat, found), "camera", confidence=confidence)
        lying.confidence = confidence
        self.desk.tell(
            fact.t_ns,
            "ruling",
            f"{wrong.seat}'s {wrong.card.sign} is the {found.sign}: corrected",
            wrong.seat,
        )

    def _gone(self, fact: CardGone) -> None:
        if self.desk.mark.get(fact.id) is None:
            return
        if fact.mark_empty:
            self._leave_tied(fact.t_ns, None)
            self._picked_up_early(fact.t_ns)
        lying = self.desk.mark.remove(fact.id)
        assert lying is not None
        if lying.status == "go back":
            fields = {"seat": lying.seat, "card": str(lying.card)}
            self.desk.remark("card_taken_back", fact.t_ns, fields)
        elif lying.status == "played" and self.desk.state.phase is Phase.PICK_UP:
            self._picked_up(lying, fact)
        elif lying.status == "played" and (fact.mark_empty or not self._is_buried(lying)):
            self._withdrawn(lying, fact.t_ns)

    def _is_buried(self, lying: MarkCard) -> bool:
        """Whether a later card lies upon this one: then it was lost from sight, for nobody draws it out from there."""
        return any(lying.id in other.landed.upon for other in self.desk.mark if other.status == "played")

    def _picked_up_early(self, t_ns: int) -> None:
        expected = self.desk.expected
        laid = sum(other.status == "played" for other in self.desk.mark)
        if expected.phase is Phase.FOLLOW and laid >= SEVERAL and expected.default is not None:
            text = f"The trick was picked up before {expected.default}'s card was seen: lay its cards again"
            self.desk.tell(t_ns, "trouble", text, expected.default)

    def _picked_up(self, lying: MarkCard, fact: CardGone) -> None:
        """A card of the complete trick has left: is the trick picked up, or was the card withdrawn?"""
        self._leaving.append(lying)
        self._taker = self._arm(fact)
        staying = sum(other.status == "played" for other in self.desk.mark)
        if not staying or (len(self._leaving) >= SEVERAL and len(self._leaving) >= staying):
            self._taken(fact.t_ns)
        elif self._reopen_at is None:
            self._reopen_at = fact.t_ns + PICK_UP_NS

    def _taken(self, t_ns: int) -> None:
        """The trick is taken; a card of it that still seems to lie there has gone unseen, or goes any moment."""
        self._leaving, self._reopen_at = [], None
        for other in list(self.desk.mark):
            if other.status == "played":
                self.desk.mark.remove(other.id)
        winner = self.desk.state.trick.winner
        taker = self._taker.seat if self._taker.sure and self._taker.seat else winner
        assert taker is not None
        if taker != winner:
            self.desk.tell(t_ns, "hint", f"{taker} took {winner}'s trick", taker)
        self.desk.apply(TrickTaken(taker), t_ns)

    def _reopen(self, t_ns: int) -> None:
        """Some cards of a complete trick left, the rest stayed: one was withdrawn, several are a pick-up."""
        leaving, self._leaving, self._reopen_at = self._leaving, [], None
        if len(leaving) >= SEVERAL:
            self._taken(t_ns)
            return
        for lying in leaving:
            if not self._is_buried(lying):
                self._withdrawn(lying, t_ns)

    def _withdrawn(self, lying: MarkCard, t_ns: int) -> None:
        if lying.seat is None or lying.card is None:
            return
        if refusal := self.desk.apply(TakenBack(lying.seat, lying.card), t_ns):
            self.desk.tell(t_ns, "trouble", refusal.why, lying.seat)
            return
        self.desk.tell(t_ns, "hint", f"{lying.seat} took the {lying.card.sign} back", lying.seat)
        self.count_waiting(t_ns)


def _same(lying: MarkCard, known: Card, fact: CardLanded) -> bool:
    (x, y), (x0, y0) = fact.place_mm, lying.landed.place_mm
    return lying.card == known and (x - x0) ** 2 + (y - y0) ** 2 < PUSHED_MM**2


def _as_play(lead: MarkCard) -> Play:
    assert lead.seat is not None
    assert lead.card is not None
    return Play(lead.seat, lead.card)
