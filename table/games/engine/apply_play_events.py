"""The events of the play: leads, cards, tricks, cards taken back."""

from __future__ import annotations

from dataclasses import replace

from table.cards import NO_TRUMP, SUITS, Card
from table.events.event_registry import announcement_of
from table.events.event_spec import Announcement, Play
from table.events.game_events import LeadsTied, Played, SuitNamed, TakenBack, TrickTaken
from table.games.engine.copy_with_changes import evolve
from table.games.engine.dealing_and_scoring import current_revokes, score_hand
from table.games.engine.event_value_checks import all_distinct, refuse_unknown_card
from table.games.engine.game_state import Change, Phase, Refusal, Revoke, State, Trick, refuse
from table.games.engine.ruleset import Rules
from table.games.engine.trick_rules import next_player, suit_to_follow, winning
from table.games.engine.whose_turn import awaited_action_phrase, default_leader, expected, refuse_wrong_phase


def open_lead(rules: Rules, state: State) -> State:
    """Return the state before a lead."""
    leader = None if rules.free_leads else default_leader(rules, state)
    return evolve(state, phase=Phase.LEAD, trick=Trick(), raps=frozenset(), forced=False, leader=leader)


# --- cards ------------------------------------------------------------------------------------------------


def apply_played(rules: Rules, state: State, event: Played) -> Change | Refusal:
    """Apply a played card: the lead, or the next card of the trick."""
    seat, card = event.seat, event.card
    if state.phase is Phase.PICK_UP:
        if state.is_last_trick:
            return refuse("too_many_cards", seat=seat, cards=state.cards)
        return refuse("not_picked_up", seat=seat, waits=awaited_action_phrase(rules, state))
    if state.phase not in (Phase.LEAD, Phase.FOLLOW):
        return refuse_wrong_phase(rules, state, "play_early", seat=seat)
    if seat not in expected(rules, state).seats:
        if state.trick.card_of(seat) is not None:
            return refuse("out_of_turn", "played_already", seat=seat)
        return refuse("out_of_turn", seat=seat, waits=awaited_action_phrase(rules, state))
    if refusal := _refuse_card(rules, state, seat, card):
        return refusal
    leader = state.leader or seat
    order = state.seats_from(leader)
    plays = sorted((*state.trick.plays, Play(seat, card)), key=lambda play: order.index(play.seat))
    # The suit of a card that replaces the lead has to be named again.
    named = None if seat == leader else state.trick.named
    state = evolve(state, leader=leader, raps=frozenset(), trick=Trick(tuple(plays), named=named))
    state, revoke_lines = _announce_revokes(rules, state, seat)
    announcements = [announcement_of(event), *revoke_lines]
    if seat == leader and card.is_joker and state.trump == NO_TRUMP:
        return evolve(state, phase=Phase.NAME_SUIT), announcements
    state, more = _close_or_continue_trick(rules, state)
    return state, announcements + more


def _refuse_card(rules: Rules, state: State, seat: str, card: object) -> Refusal | None:
    """Return why this player can't play this card, whoever's turn it is; None where it is possible."""
    if isinstance(card, Card) and card.is_unseen:
        return None
    if not isinstance(card, Card) or card not in rules.card_counts:
        return refuse_unknown_card(card)
    turned = card == state.turned
    # The turned card belongs to the stock, unless all cards are dealt: then it is the last card of the dealer's hand.
    in_stock = turned and state.cards * len(state.players) < len(rules.pack)
    if state.cards_played().count(card) + in_stock >= rules.card_counts[card]:
        return refuse("card_twice", "turned_card" if turned else "card_twice", seat=seat, card=card)
    if turned and not in_stock and seat != state.dealer:
        return refuse("card_twice", "dealer_s_card", seat=seat, card=card, dealer=state.dealer)
    return None


def _announce_revokes(rules: Rules, state: State, seat: str) -> Change:
    """Announce the revokes proved by the card just played by ``seat``, or by the suit that it named; its own first.

    A lead that replaces a withdrawn one can turn the cards upon it into revokes of other players.
    """
    players = [seat]
    if seat == state.leader and len(state.trick.plays) > 1:
        players += [player for player in state.players if player != seat]
    proved_revokes = [revoke for player in players for revoke in current_revokes(rules, state, player)]
    fresh = [revoke for revoke in proved_revokes if revoke not in state.announced]
    return evolve(state, announced=(*state.announced, *fresh)), [_revoke_line(revoke) for revoke in fresh]


def _revoke_line(revoke: Revoke) -> Announcement:
    """Return the announcement of a revoke."""
    fields = {"seat": revoke.seat, "card": str(revoke.card), "trick": revoke.trick}
    return Announcement("revoke", {**fields, "proved_by": str(revoke.proved_by)})


def _close_or_continue_trick(rules: Rules, state: State) -> Change:
    """Go on after a card: with the next player's turn, or the trick is won."""
    if next_player(state) is not None:
        return evolve(state, phase=Phase.FOLLOW), []
    winner = _trick_winner(rules, state)
    state = evolve(state, phase=Phase.PICK_UP, trick=Trick(state.trick.plays, winner, state.trick.named))
    cards = [play.to_json() for play in state.trick.plays]
    return state, [
        Announcement("trick_won", {"trick": len(state.tricks) + 1, "seat": winner, "cards": cards})
    ]


def _trick_winner(rules: Rules, state: State) -> str:
    """Return the winner of the complete trick on the mark."""
    plays = state.trick.plays
    joker = None
    if state.trump == NO_TRUMP:
        joker = next((index for index, play in enumerate(plays) if play.card.is_joker), None)
        if joker is not None and not rules.joker_rules.wins(state, plays[joker].seat):
            joker = None
    return winning(plays, suit_to_follow(state), state.trump, joker=joker)


def apply_suit_named(rules: Rules, state: State, event: SuitNamed) -> Change | Refusal:
    """Apply the suit that the leader of a joker names."""
    seat, suit = event.seat, event.suit
    if state.phase is not Phase.NAME_SUIT:
        return refuse_wrong_phase(rules, state, "no_suit_to_name")
    if seat != state.leader:
        return refuse("not_your_turn", "name_suit", seat=seat, waits=awaited_action_phrase(rules, state))
    if suit not in SUITS:
        return refuse("no_such_suit", seat=seat, suit=str(suit))
    state = evolve(state, trick=replace(state.trick, named=suit))
    state, revoke_lines = _announce_revokes(rules, state, seat)
    state, more = _close_or_continue_trick(rules, state)
    return state, [announcement_of(event), *revoke_lines, *more]


def apply_taken_back(rules: Rules, state: State, event: TakenBack) -> Change | Refusal:
    """Apply the withdrawal of a card from the current trick; its player has to replace it first."""
    seat, card = event.seat, event.card
    play = Play(seat, card)
    if play not in state.trick.plays:
        return refuse("not_there", seat=seat, card=card if isinstance(card, Card) else str(card))
    remaining = tuple(other for other in state.trick.plays if other != play)
    # A revoke that this card proved is announced again when it is proved again.
    proof = (seat, card, len(state.tricks) + 1)
    announced = (
        revoke for revoke in state.announced if (revoke.seat, revoke.proved_by, revoke.proved_in) != proof
    )
    state = evolve(state, announced=tuple(announced))
    # `played` marks a card of the trick: a card that had to go back anyway was never played.
    announcements = [announcement_of(event, played=True)]
    if not remaining:
        # After a tie without a kept card the default leader still must lead; otherwise a free lead is free again.
        leader = None if rules.free_leads else state.leader
        return evolve(state, phase=Phase.LEAD, trick=Trick(), leader=leader, raps=frozenset()), announcements
    if all(other.seat != state.leader for other in remaining):
        # The lead is missing under the others' cards: its player has to replace it.
        return evolve(state, phase=Phase.LEAD, trick=Trick(remaining)), announcements
    phase = Phase.NAME_SUIT if state.phase is Phase.NAME_SUIT else Phase.FOLLOW
    return evolve(state, phase=phase, trick=Trick(remaining, named=state.trick.named)), announcements


def apply_trick_taken(rules: Rules, state: State, event: TrickTaken) -> Change | Refusal:
    """Apply the pick-up of the complete trick; after the last trick the hand is scored."""
    if state.phase is not Phase.PICK_UP:
        return refuse_wrong_phase(rules, state, "no_trick")
    announcements = [announcement_of(event)]
    if state.is_last_trick:
        state, more = score_hand(rules, state)
        return state, announcements + more
    return open_lead(rules, evolve(state, tricks=(*state.tricks, state.trick))), announcements


# --- leads at the same time -------------------------------------------------------------------------------


def apply_leads_tied(rules: Rules, state: State, event: LeadsTied) -> Change | Refusal:
    """Apply simultaneous leads: the kept one is played next, or the default leader must lead."""
    now = expected(rules, state)
    if state.phase is not Phase.LEAD or not now.anyone_may_act:
        return refuse("wrong_phase", "no_leads_tie", waits=awaited_action_phrase(rules, state))
    kept, taken_back = event.kept, event.taken_back
    if not isinstance(taken_back, tuple) or not (kept is None or isinstance(kept, Play)):
        return refuse("no_tie", "no_tie_of_leads")
    plays = (*((kept,) if kept else ()), *taken_back)
    if len(plays) < 2 or not all(isinstance(play, Play) for play in plays):
        return refuse("no_tie", "no_tie_of_leads")
    if not all_distinct([play.seat for play in plays]) or not all_distinct([play.card for play in plays]):
        return refuse("no_tie", "no_tie_of_the_same")
    for play in plays:
        if play.seat not in now.seats:
            return refuse("not_your_turn", "lead_ties", seat=str(play.seat))
        if refusal := _refuse_card(rules, state, play.seat, play.card):
            return refusal
    if kept is not None and not rules.keeps_lowest_lead:
        return refuse("no_mark")
    # The kept card's own `Played` follows; until then nobody else leads.
    leader = kept.seat if kept else None
    announcement = announcement_of(event, next=state.left_of(kept.seat) if kept else now.default_seat)
    return evolve(state, raps=frozenset(), leader=leader, forced=kept is None), [announcement]
