"""The play of a hand: leads, cards, tricks, cards taken back."""

from __future__ import annotations

from dataclasses import replace

from table.cards import NO_TRUMP, SUITS, Card
from table.events.happenings import LeadsTied, Played, SuitNamed, TakenBack, TrickTaken
from table.events.kind import Play, Said
from table.events.known import said_of
from table.games.base import Change, Phase, Refusal, Revoke, State, Trick, refuse
from table.games.copies import but
from table.games.given import distinct, no_such_card
from table.games.hands import proved, score_hand
from table.games.rules import Rules
from table.games.tricks import next_to_play, suit_to_follow, winning
from table.games.turns import default_leader, expected, waits, wrong_phase


def open_lead(rules: Rules, state: State) -> State:
    """The state before a lead."""
    leader = None if rules.free_leads else default_leader(rules, state)
    return but(state, phase=Phase.LEAD, trick=Trick(), raps=frozenset(), forced=False, leader=leader)


# --- cards ------------------------------------------------------------------------------------------------


def played(rules: Rules, state: State, event: Played) -> Change | Refusal:
    """A card: the lead, or the next of the trick."""
    seat, card = event.seat, event.card
    if state.phase is Phase.PICK_UP:
        if state.last_trick:
            return refuse("too_many_cards", seat=seat, cards=state.cards)
        return refuse("not_picked_up", seat=seat, waits=waits(rules, state))
    if state.phase not in (Phase.LEAD, Phase.FOLLOW):
        return wrong_phase(rules, state, "play_early", seat=seat)
    if seat not in expected(rules, state).seats:
        if state.trick.card_of(seat) is not None:
            return refuse("out_of_turn", "played_already", seat=seat)
        return refuse("out_of_turn", seat=seat, waits=waits(rules, state))
    if refusal := _no_play(rules, state, seat, card):
        return refusal
    leader = state.leader or seat
    order = state.round_from(leader)
    plays = sorted((*state.trick.plays, Play(seat, card)), key=lambda play: order.index(play.seat))
    # A card put in the place of the lead leaves its suit to be named anew.
    named = None if seat == leader else state.trick.named
    state = but(state, leader=leader, raps=frozenset(), trick=Trick(tuple(plays), named=named))
    state, revoked = _fresh_revokes(rules, state, seat)
    said = [said_of(event), *revoked]
    if seat == leader and card.is_joker and state.trump == NO_TRUMP:
        return but(state, phase=Phase.NAME_SUIT), said
    state, more = _go_on(rules, state)
    return state, said + more


def _no_play(rules: Rules, state: State, seat: str, card: object) -> Refusal | None:
    """Why this card can't be played by this player, whoever's turn it is."""
    if isinstance(card, Card) and card.is_unseen:
        return None
    if not isinstance(card, Card) or card not in rules.copies:
        return no_such_card(card)
    turned = card == state.turned
    # The turned card is the stock's, unless all are dealt: then the dealer has shown the last card of the own hand.
    in_stock = turned and state.cards * len(state.players) < len(rules.pack)
    if state.seen().count(card) + in_stock >= rules.copies[card]:
        return refuse("card_twice", "turned_card" if turned else "card_twice", seat=seat, card=card)
    if turned and not in_stock and seat != state.dealer:
        return refuse("card_twice", "dealer_s_card", seat=seat, card=card, dealer=state.dealer)
    return None


def _fresh_revokes(rules: Rules, state: State, seat: str) -> Change:
    """The revokes that show with the card just played by ``seat``, or the suit that it named; its own first.

    A lead that took the place of a withdrawn one can turn what lies upon it into a revoke of another.
    """
    players = [seat]
    if seat == state.leader and len(state.trick.plays) > 1:
        players += [other for other in state.players if other != seat]
    every = [one for player in players for one in proved(rules, state, player)]
    fresh = [one for one in every if one not in state.announced]
    return but(state, announced=(*state.announced, *fresh)), [_said_revoke(one) for one in fresh]


def _said_revoke(revoke: Revoke) -> Said:
    fields = {"seat": revoke.seat, "card": str(revoke.card), "trick": revoke.trick}
    return Said("revoke", {**fields, "proved_by": str(revoke.proved_by)})


def _go_on(rules: Rules, state: State) -> Change:
    """After a card: the next player's turn, or the trick is won."""
    if next_to_play(state) is not None:
        return but(state, phase=Phase.FOLLOW), []
    winner = _winner(rules, state)
    state = but(state, phase=Phase.PICK_UP, trick=Trick(state.trick.plays, winner, state.trick.named))
    cards = [play.line() for play in state.trick.plays]
    return state, [Said("trick_won", {"trick": len(state.tricks) + 1, "seat": winner, "cards": cards})]


def _winner(rules: Rules, state: State) -> str:
    plays = state.trick.plays
    joker = None
    if state.trump == NO_TRUMP:
        joker = next((at for at, play in enumerate(plays) if play.card.is_joker), None)
        if joker is not None and not rules.joker.wins(state, plays[joker].seat):
            joker = None
    return winning(plays, suit_to_follow(state), state.trump, joker=joker)


def suit_named(rules: Rules, state: State, event: SuitNamed) -> Change | Refusal:
    """The leader of a joker names its suit."""
    seat, suit = event.seat, event.suit
    if state.phase is not Phase.NAME_SUIT:
        return wrong_phase(rules, state, "no_suit_to_name")
    if seat != state.leader:
        return refuse("not_your_turn", "name_suit", seat=seat, waits=waits(rules, state))
    if suit not in SUITS:
        return refuse("no_such_suit", seat=seat, suit=str(suit))
    state = but(state, trick=replace(state.trick, named=suit))
    state, revoked = _fresh_revokes(rules, state, seat)
    state, more = _go_on(rules, state)
    return state, [said_of(event), *revoked, *more]


def taken_back(rules: Rules, state: State, event: TakenBack) -> Change | Refusal:
    """A card of the trick on the mark is withdrawn; its player fills the hole first."""
    seat, card = event.seat, event.card
    play = Play(seat, card)
    if play not in state.trick.plays:
        return refuse("not_there", seat=seat, card=card if isinstance(card, Card) else str(card))
    rest = tuple(one for one in state.trick.plays if one != play)
    # What it proved is announced again when it is proved again.
    proof = (seat, card, len(state.tricks) + 1)
    announced = (one for one in state.announced if (one.seat, one.proved_by, one.proved_in) != proof)
    state = but(state, announced=tuple(announced))
    # Says that it was a card of the trick: one that had to go back anyway was never played.
    said = [said_of(event, played=True)]
    if not rest:
        # A tie without a kept card still binds the default leader; otherwise a free lead is free again.
        leader = None if rules.free_leads else state.leader
        return but(state, phase=Phase.LEAD, trick=Trick(), leader=leader, raps=frozenset()), said
    if all(one.seat != state.leader for one in rest):
        # The lead is missing under the others' cards: its player fills the hole.
        return but(state, phase=Phase.LEAD, trick=Trick(rest)), said
    phase = Phase.NAME_SUIT if state.phase is Phase.NAME_SUIT else Phase.FOLLOW
    return but(state, phase=phase, trick=Trick(rest, named=state.trick.named)), said


def trick_taken(rules: Rules, state: State, event: TrickTaken) -> Change | Refusal:
    """The complete trick has been picked up; after the last one the hand is scored."""
    if state.phase is not Phase.PICK_UP:
        return wrong_phase(rules, state, "no_trick")
    said = [said_of(event)]
    if state.last_trick:
        state, more = score_hand(rules, state)
        return state, said + more
    return open_lead(rules, but(state, tricks=(*state.tricks, state.trick))), said


# --- leads at the same time -------------------------------------------------------------------------------


def leads_tied(rules: Rules, state: State, event: LeadsTied) -> Change | Refusal:
    """Leads at the same time: the kept one is played next, or the default leader must lead."""
    now = expected(rules, state)
    if state.phase is not Phase.LEAD or not now.free:
        return refuse("wrong_phase", "no_leads_tie", waits=waits(rules, state))
    kept, back = event.kept, event.taken_back
    if not isinstance(back, tuple) or not (kept is None or isinstance(kept, Play)):
        return refuse("no_tie", "no_tie_of_leads")
    plays = (*((kept,) if kept else ()), *back)
    if len(plays) < 2 or not all(isinstance(play, Play) for play in plays):
        return refuse("no_tie", "no_tie_of_leads")
    if not distinct([play.seat for play in plays]) or not distinct([play.card for play in plays]):
        return refuse("no_tie", "no_tie_of_the_same")
    for play in plays:
        if play.seat not in now.seats:
            return refuse("not_your_turn", "lead_ties", seat=str(play.seat))
        if refusal := _no_play(rules, state, play.seat, play.card):
            return refusal
    if kept is not None and not rules.mark:
        return refuse("no_mark")
    # The kept card's own `Played` follows; until then nobody else leads.
    leader = kept.seat if kept else None
    said = said_of(event, next=state.left_of(kept.seat) if kept else now.default)
    return but(state, raps=frozenset(), leader=leader, forced=kept is None), [said]
