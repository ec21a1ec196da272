"""The events of the play: leads, cards, tricks, cards taken back."""

from __future__ import annotations

from table.cards import JOKER, NO_TRUMP, SUITS, Card, UnseenCard
from table.events.event_spec import Play
from table.events.game_events import LeadsTied, Played, SuitNamed, TakenBack, TrickTaken
from table.games.engine.change import Change, all_distinct, unknown_card
from table.games.engine.copy_with_changes import evolve
from table.games.engine.dealing_and_scoring import score_hand
from table.games.engine.game_state import Phase, RefusedError, Trick
from table.games.engine.trick_rules import trick_winner, without_proved


def open_lead(change: Change) -> None:
    """Wait for a lead."""
    leader = None if change.rules.free_leads else change.turns.default_leader(change.state)
    trick = Trick(leader=leader)
    change.state = evolve(change.state, phase=Phase.LEAD, trick=trick, raps=frozenset(), forced=False)


# --- cards ------------------------------------------------------------------------------------------------


def apply_played(change: Change, event: Played) -> None:
    """Apply a played card: the lead, or the next card of the trick."""
    state, seat, card = change.state, event.seat, event.card
    if state.phase is Phase.PICK_UP:
        if state.is_last_trick:
            raise RefusedError("too_many_cards", seat=seat, cards=state.cards)
        raise change.refused_now("not_picked_up", seat=seat)
    if not state.phase.is_play:
        raise change.wrong_phase("play_early", seat=seat)
    if seat not in change.turns.expected(state).seats:
        if state.trick.card_of(seat) is not None:
            raise RefusedError("out_of_turn", "played_already", seat=seat)
        raise change.refused_now("out_of_turn", seat=seat)
    _check_card(change, seat, card)
    leader = state.trick.leader or seat
    order = state.seats_from(leader)
    plays = sorted((*state.trick.plays, Play(seat, card)), key=lambda play: order.index(play.seat))
    # The suit of a card that replaces the lead has to be named again.
    named = None if seat == leader else state.trick.named
    trick = Trick(tuple(plays), leader, named=named)
    change.state = evolve(state, phase=Phase.FOLLOW, raps=frozenset(), trick=trick)
    change.announce(event)
    _announce_revokes(change, seat)
    if seat == leader and card is JOKER and state.trump == NO_TRUMP:
        change.state = evolve(change.state, phase=Phase.NAME_SUIT)
    else:
        _close_complete_trick(change)


def _check_card(change: Change, seat: str, card: object) -> None:
    """Refuse a card that this player can't play, whoever's turn it is."""
    rules, state = change.rules, change.state
    if isinstance(card, UnseenCard):
        return
    if not isinstance(card, Card) or card not in rules.card_counts:
        raise unknown_card(card)
    turned = card == state.turned
    # The turned card belongs to the stock, unless all cards are dealt: then it is the last card of the dealer's hand.
    in_stock = turned and state.cards * len(state.players) < len(rules.pack)
    if state.cards_played().count(card) + in_stock >= rules.card_counts[card]:
        raise RefusedError("card_twice", "turned_card" if turned else "card_twice", seat=seat, card=card)
    if turned and not in_stock and seat != state.dealer:
        raise RefusedError("card_twice", "dealer_s_card", seat=seat, card=card, dealer=state.dealer)


def _announce_revokes(change: Change, seat: str) -> None:
    """Announce the revokes proved by the card just played by ``seat``, or by the suit that it named; its own first.

    A lead that replaces a withdrawn one can turn the cards upon it into revokes of other players.
    """
    state, trick = change.state, change.state.trick
    proofs = [play for play in trick.plays if play.seat == seat]
    if seat == trick.leader:
        proofs += [play for play in trick.plays if play.seat != seat]
    proved = [revoke for play in proofs for revoke in change.rules.joker_rules.revokes(state, play)]
    fresh = [revoke for revoke in proved if revoke not in state.revokes]
    if fresh:
        change.state = evolve(state, revokes=(*state.revokes, *fresh))
    for revoke in fresh:
        cards = {"card": str(revoke.card), "trick": revoke.trick, "proved_by": str(revoke.proved_by)}
        change.announce_line("revoke", seat=revoke.seat, **cards)


def _close_complete_trick(change: Change) -> None:
    state = change.state
    if len(state.trick.plays) < len(state.players):
        return
    winner = trick_winner(state, change.rules.joker_rules.wins)
    change.state = evolve(state, phase=Phase.PICK_UP, trick=state.trick._replace(winner=winner))
    cards = [play.to_json() for play in state.trick.plays]
    change.announce_line("trick_won", trick=len(state.tricks) + 1, seat=winner, cards=cards)


def apply_suit_named(change: Change, event: SuitNamed) -> None:
    """Apply the suit that the leader of a joker names."""
    state, seat, suit = change.state, event.seat, event.suit
    if state.phase is not Phase.NAME_SUIT:
        raise change.wrong_phase("no_suit_to_name")
    if seat != state.trick.leader:
        raise change.refused_now("not_your_turn", "name_suit", seat=seat)
    if suit not in SUITS:
        raise RefusedError("no_such_suit", seat=seat, suit=str(suit))
    change.state = evolve(state, phase=Phase.FOLLOW, trick=state.trick._replace(named=suit))
    change.announce(event)
    _announce_revokes(change, seat)
    _close_complete_trick(change)


def apply_taken_back(change: Change, event: TakenBack) -> None:
    """Apply the withdrawal of a card from the current trick; its player has to replace it first."""
    state, seat, card = change.state, event.seat, event.card
    play = Play(seat, card)
    if play not in state.trick.plays:
        raise RefusedError("not_there", seat=seat, card=card if isinstance(card, Card) else str(card))
    # `played` marks a card of the trick: a card that had to go back anyway was never played.
    change.announce(event, played=True)
    # A revoke that this card proved is announced again when it is proved again.
    proof = (seat, card, len(state.tricks) + 1)
    revokes = tuple(
        revoke for revoke in state.revokes if (revoke.seat, revoke.proved_by, revoke.proved_in) != proof
    )
    leader = state.trick.leader
    remaining = tuple(other for other in state.trick.plays if other != play)
    state = evolve(state, revokes=revokes)
    if not remaining:
        # After a tie without a kept card the default leader still must lead; otherwise a free lead is free again.
        trick = Trick(leader=None if change.rules.free_leads else leader)
        change.state = evolve(state, phase=Phase.LEAD, trick=trick, raps=frozenset())
    elif all(other.seat != leader for other in remaining):
        # The lead is missing under the others' cards: its player has to replace it.
        change.state = evolve(state, phase=Phase.LEAD, trick=Trick(remaining, leader))
    else:
        phase = Phase.NAME_SUIT if state.phase is Phase.NAME_SUIT else Phase.FOLLOW
        trick = state.trick._replace(plays=remaining, winner=None)
        change.state = evolve(state, phase=phase, trick=trick)


def apply_trick_taken(change: Change, event: TrickTaken) -> None:
    """Apply the pick-up of the complete trick; after the last trick the hand is scored."""
    state = change.state
    if state.phase is not Phase.PICK_UP:
        raise change.wrong_phase("no_trick")
    change.announce(event)
    # Computed anew for the whole trick: a lead that was replaced can have unmade a revoke with the joker.
    proved = (
        revoke for play in state.trick.plays for revoke in change.rules.joker_rules.revokes(state, play)
    )
    earlier = (revoke for revoke in state.revokes if revoke.proved_in <= len(state.tricks))
    revokes = (*earlier, *proved)
    failures = without_proved((*state.failures, *change.rules.joker_rules.failures(state)), revokes)
    change.state = state = evolve(state, failures=failures, revokes=revokes)
    if state.is_last_trick:
        score_hand(change)
    else:
        change.state = evolve(state, tricks=(*state.tricks, state.trick))
        open_lead(change)


# --- leads at the same time -------------------------------------------------------------------------------


def apply_leads_tied(change: Change, event: LeadsTied) -> None:
    """Apply simultaneous leads: the kept one is played next, or the default leader must lead."""
    rules, state = change.rules, change.state
    now = change.turns.expected(state)
    if state.phase is not Phase.LEAD or not now.anyone_may_act:
        raise change.refused_now("wrong_phase", "no_leads_tie")
    kept, taken_back = event.kept, event.taken_back
    plays = (*((kept,) if kept is not None else ()), *taken_back) if isinstance(taken_back, tuple) else ()
    if len(plays) < 2 or not all(isinstance(play, Play) for play in plays):
        raise RefusedError("no_tie", "no_tie_of_leads")
    if not all_distinct([play.seat for play in plays]) or not all_distinct([play.card for play in plays]):
        raise RefusedError("no_tie", "no_tie_of_the_same")
    for play in plays:
        if play.seat not in now.seats:
            raise RefusedError("not_your_turn", "lead_ties", seat=str(play.seat))
        _check_card(change, play.seat, play.card)
    if kept and not rules.keeps_lowest_lead:
        raise RefusedError("no_mark")
    # The kept card's own `Played` follows; until then nobody else leads.
    trick = Trick(leader=kept.seat if kept else None)
    change.state = evolve(state, raps=frozenset(), trick=trick, forced=not kept)
    change.announce(event, next=state.left_of(kept.seat) if kept else now.default_seat)
