"""State of a simulated game as the players know it, converted from the ground-truth referee to game values."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import SUITS, Card, card
from table.events.event_spec import Play
from table.events.game_events import BidValue
from table.games.engine.game_state import Expected, Phase, State, Trick
from table.simulation.players.ground_truth_referee import GroundTruthReferee
from table.simulation.reference_rules.israeli_whist import IsraeliWhist
from table.simulation.reference_rules.oh_shit import OhShit
from table.simulation.reference_rules.whysteria import Whysteria


def make_state(referee: GroundTruthReferee) -> State:
    """Return the game's public state, as every player knows it."""
    reference = referee.reference
    tricks = tuple(
        make_trick(cards, named, winner)
        for cards, named, winner in zip(
            reference.done, reference.done_named, reference.winners_of_tricks, strict=True
        )
    )
    plays = [(seat, name) for seat, name in reference.trick if name]
    if referee.joker_to_name is not None:
        plays.insert(0, (referee.joker_to_name.seat, referee.joker_to_name.card))
    winner = (
        reference.trick_winner(reference.trick, reference.named) if reference.waits == "pick up" else None
    )
    return State(
        phase=referee.phase,
        hand=reference.hand,
        cards=reference.cards,
        dealer=reference.dealer,
        seats=tuple(reference.seats),
        players=tuple(reference.players),
        trump=reference.trump,
        turned=card(referee.turned_up_card) if referee.turned_up_card is not None else None,
        bids=tuple(reference.bids),
        raps=frozenset(reference.rapped if isinstance(reference, Whysteria) else referee.ready_seats),
        trick=make_trick(plays, reference.named, winner),
        tricks=tricks,
        totals=dict(reference.totals),
        winners=tuple(reference.winners),
        calls=tuple(reference.calls) if isinstance(reference, IsraeliWhist) else (),
    )


def make_trick(cards: Sequence[tuple[str, str]], named: str | None, winner: str | None) -> Trick:
    """Return a trick of (seat, card name) pairs as a ``Trick``."""
    return Trick(tuple(Play(seat, card(name)) for seat, name in cards), winner, named)


def find_expected(referee: GroundTruthReferee) -> Expected:
    """Return what may happen next and which seats may do it."""
    reference, phase = referee.reference, referee.phase
    if phase in (Phase.DEAL, Phase.TURN_UP):
        return Expected(phase, (reference.dealer,), reference.dealer, must_act=True)
    if phase in (Phase.PASS_CARDS, Phase.SECRET_BID):
        order = reference.round_from(reference.left_of(reference.dealer, reference.players))
        return Expected(
            phase, tuple(seat for seat in order if seat not in referee.ready_seats) or tuple(order), None
        )
    if phase is Phase.OVER:
        return Expected(phase, (), None)
    if referee.anyone_may_act:
        assert isinstance(reference, Whysteria)
        order = [seat for seat in reference.round_from(reference.default()) if seat in reference.who_may()]
        return Expected(phase, tuple(order), order[0], anyone_may_act=True)
    if phase is Phase.AUCTION:
        assert isinstance(reference, IsraeliWhist)
        turn: str | None = reference.whose_call()
    elif phase is Phase.BID:
        turn = reference.default() if isinstance(reference, Whysteria) else reference.whose_bid()
    elif phase is Phase.NAME_SUIT:
        turn = referee.joker_to_name.seat if referee.joker_to_name is not None else None
    elif phase is Phase.PICK_UP:
        turn = reference.trick_winner(reference.trick, reference.named)
    else:
        turn = referee.turn
    assert turn is not None
    return Expected(phase, (turn,), turn, must_act=True)


def legal_bids(referee: GroundTruthReferee, seat: str) -> list[BidValue]:
    """Return the bids that ``seat`` may make now, the lowest first."""
    return referee.reference.legal_bids(seat)


def legal_plays(referee: GroundTruthReferee, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of ``hand`` that ``seat`` may play now by the rules; empty if it may not play."""
    if seat not in find_expected(referee).seats or referee.phase not in (Phase.LEAD, Phase.FOLLOW):
        return ()
    return tuple(card(name) for name in referee.reference.legal_plays(seat, [str(held) for held in hand]))


def joker_suits_on_dial(referee: GroundTruthReferee) -> tuple[str, ...]:
    """Return the suits that a led joker may stand for, by what all players know."""
    reference, joker = referee.reference, referee.joker_to_name
    trick_number = len(reference.done) + 1
    if joker is None or not isinstance(reference, OhShit) or trick_number == reference.cards:
        return SUITS
    return (
        tuple(suit for suit in SUITS if not reference.has_discarded_on(joker.seat, suit, trick_number))
        or SUITS
    )
