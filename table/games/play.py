"""The play of a hand: leads, cards, tricks, cards taken back."""

from __future__ import annotations

from dataclasses import replace

from table.cards import SUITS, Card
from table.events.happenings import LeadsTied, Played, SuitNamed, TakenBack, TrickTaken
from table.events.kind import Play, Said
from table.games.base import Phase, Refusal, Trick
from table.games.hands import Hands
from table.games.state import (
    Change,
    TableState,
    distinct,
    no_such_card,
    said_revoke,
    sign,
)
from table.games.tricks import winning


def played_line(seat: str, card: Card) -> dict[str, object]:
    """The fields of ``card_played``; of a card that nobody saw, whether it won is all there is."""
    fields: dict[str, object] = {"seat": seat, "card": str(card)}
    return {**fields, "won": bool(card.strength), "suit": card.suit} if card.is_unseen else fields


class Playing(Hands):
    """From the first lead to the last trick."""

    def open_lead(self, state: TableState) -> TableState:
        """The state before a lead."""
        state = replace(state, phase=Phase.LEAD, trick=Trick(), raps=frozenset(), forced=False, leader=None)
        return state if self.free else replace(state, leader=self.default_leader(state))

    def _no_play(self, state: TableState, seat: str, card: object) -> Refusal | None:
        """Why this card can't be played by this player, whoever's turn it is."""
        if isinstance(card, Card) and card.is_unseen:
            return None
        if not isinstance(card, Card) or card not in self.copies:
            return no_such_card(card)
        seen = state.seen().count(card)
        if state.turned == card and self.turned_stays_out(state):
            seen += 1
        if seen >= self.copies[card]:
            where = (
                "is the turned-up card" if state.turned == card else "has been played in this hand already"
            )
            return Refusal("card_twice", f"{seat} can't play the {card.sign}: it {where}")
        return self.card_barred(state, seat, card)

    def on_played(self, state: TableState, event: Played) -> Change | Refusal:
        """A card: the lead, or the next of the trick."""
        seat, card = event.seat, event.card
        if state.phase is Phase.PICK_UP:
            if self.last_trick(state):
                return Refusal("too_many_cards", f"{seat} has played all {state.cards} cards of this hand")
            return Refusal("not_picked_up", f"{seat} can't lead yet: {self.waits_for(state)}")
        if state.phase not in (Phase.LEAD, Phase.FOLLOW):
            return self.wrong_phase(state, f"{seat} can't play a card yet")
        expected = self.expected(state)
        if seat not in expected.seats:
            if any(play.seat == seat for play in state.trick.plays):
                return Refusal("out_of_turn", f"{seat} has played to this trick already")
            return Refusal("out_of_turn", f"{seat} is not next: {self.waits_for(state)}")
        if refusal := self._no_play(state, seat, card):
            return refusal
        leader = state.leader or seat
        order = self.round_from(leader, state)
        plays = sorted((*state.trick.plays, Play(seat, card)), key=lambda play: order.index(play.seat))
        # A card put in the place of the lead leaves its suit to be named anew.
        named = None if seat == leader else state.trick.named
        state = replace(state, leader=leader, raps=frozenset(), trick=Trick(tuple(plays), named=named))
        said = [Said("card_played", played_line(seat, card))]
        state, revoked = self._fresh_revokes(state, seat)
        said += revoked
        if seat == leader and self.names_suit(state, Play(seat, card)):
            return replace(state, phase=Phase.NAME_SUIT), said
        state, more = self._go_on(state)
        return state, said + more

    def _fresh_revokes(self, state: TableState, seat: str) -> Change:
        """The revokes that show with the card just played by ``seat``, its own first.

        One may be another's: a lead that took the place of a withdrawn one can turn what lies upon it into a revoke.
        """
        others = [other for other in state.players if other != seat]
        every = [one for player in (seat, *others) for one in self.proved(state, player)]
        fresh = [one for one in every if one not in state.announced]
        state = replace(state, announced=(*state.announced, *fresh))
        return state, [said_revoke(one) for one in fresh]

    def _go_on(self, state: TableState) -> Change:
        """After a card: the next player's turn, or the trick is won."""
        if self.turn(state) is not None:
            return replace(state, phase=Phase.FOLLOW), []
        plays = state.trick.plays
        winner = winning(plays, self.led(state), state.trump, joker=self.joker_wins(state, plays))
        state = replace(state, phase=Phase.PICK_UP, trick=replace(state.trick, winner=winner))
        number = len(state.tricks) + 1
        cards = [play.line() for play in plays]
        return state, [Said("trick_won", {"trick": number, "seat": winner, "cards": cards})]

    def on_taken_back(self, state: TableState, event: TakenBack) -> Change | Refusal:
        """A card of the trick on the mark is withdrawn; its player fills the hole first."""
        seat, card = event.seat, event.card
        play = Play(seat, card)
        if play not in state.trick.plays:
            return Refusal("not_there", f"{seat} has no {sign(card)} in this trick to take back")
        rest = tuple(one for one in state.trick.plays if one != play)
        # What it proved is announced again when it is proved again.
        now = len(state.tricks) + 1
        proof = (seat, card, now)
        announced = (one for one in state.announced if (one.seat, one.proved_by, one.proved_in) != proof)
        state = replace(state, announced=tuple(announced))
        # Says that it was a card of the trick: one that had to go back anyway was never played.
        said = [Said("card_taken_back", {**play.line(), "played": True})]
        if not rest:
            # A tie without a kept card still binds the default leader; otherwise a free lead is free again.
            leader = None if self.free else state.leader
            return replace(state, phase=Phase.LEAD, trick=Trick(), leader=leader, raps=frozenset()), said
        if all(one.seat != state.leader for one in rest):
            # The lead is missing under the others' cards: its player fills the hole.
            return replace(state, phase=Phase.LEAD, trick=Trick(rest)), said
        phase = Phase.NAME_SUIT if state.phase is Phase.NAME_SUIT else Phase.FOLLOW
        return replace(state, phase=phase, trick=Trick(rest, named=state.trick.named)), said

    def on_leads_tied(self, state: TableState, event: LeadsTied) -> Change | Refusal:
        """Leads at the same time: the kept one is played next, or the default leader must lead."""
        expected = self.expected(state)
        if state.phase is not Phase.LEAD or not expected.free:
            return Refusal("wrong_phase", f"no leads can tie now: {self.waits_for(state)}")
        kept, back = event.kept, event.taken_back
        if not isinstance(back, tuple) or not (kept is None or isinstance(kept, Play)):
            return Refusal("no_tie", "a tie needs leads of two players or more")
        plays = (*((kept,) if kept else ()), *back)
        if len(plays) < 2 or not all(isinstance(play, Play) for play in plays):
            return Refusal("no_tie", "a tie needs leads of two players or more")
        if not distinct([play.seat for play in plays]) or not distinct([play.card for play in plays]):
            return Refusal("no_tie", "tied leads are different cards of different players")
        for play in plays:
            if play.seat not in expected.seats:
                return Refusal("not_your_turn", f"{play.seat} may not lead now, so nothing ties with it")
            if refusal := self._no_play(state, play.seat, play.card):
                return refusal
        if kept is not None and not self.options.get("mark", True):
            return Refusal("no_mark", "without the mark all tied cards are taken back")
        next_seat = self.after(kept.seat, state) if kept else expected.default
        fields = {
            "kept": kept.line() if kept else None,
            "taken_back": [play.line() for play in back],
            "next": next_seat,
        }
        # The kept card's own `Played` follows; until then nobody else leads.
        return replace(state, raps=frozenset(), leader=kept.seat if kept else None, forced=kept is None), [
            Said("leads_tied", fields)
        ]

    def on_suit_named(self, state: TableState, event: SuitNamed) -> Change | Refusal:
        """The leader of a joker names its suit."""
        seat, suit = event.seat, event.suit
        if state.phase is not Phase.NAME_SUIT:
            return self.wrong_phase(state, "there is no suit to be named")
        if seat != state.leader:
            return Refusal("not_your_turn", f"{seat} can't name the suit: {self.waits_for(state)}")
        if suit not in SUITS:
            return Refusal("no_such_suit", f"{seat}'s joker stands for a suit, not for {suit}")
        state = replace(state, trick=replace(state.trick, named=suit))
        state, revoked = self._fresh_revokes(state, seat)
        state, more = self._go_on(state)
        return state, [Said("joker_named", {"seat": seat, "suit": suit}), *revoked, *more]

    def on_trick_taken(self, state: TableState, event: TrickTaken) -> Change | Refusal:
        """The complete trick has been picked up; after the last one the hand is scored."""
        if state.phase is not Phase.PICK_UP:
            return self.wrong_phase(state, "there is no trick to pick up")
        said = [Said("trick_taken", {"seat": event.seat})]
        if self.last_trick(state):
            state, more = self.score_hand(state)
            return state, said + more
        return self.open_lead(replace(state, tricks=(*state.tricks, state.trick))), said
