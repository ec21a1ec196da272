"""Where a virtual game stands, read off the house, in the values that players and director know games by."""

from __future__ import annotations

from collections.abc import Sequence

from table.cards import SUITS, Card, card
from table.events.happenings import BidValue
from table.events.kind import Play
from table.games.base import Expected, Phase, State, Trick
from table.virtual.house import House
from table.virtual.naive.israeli_whist import IsraeliWhist
from table.virtual.naive.oh_shit import OhShit
from table.virtual.naive.whysteria import Whysteria


def state_of(house: House) -> State:
    """Everything that a player may know."""
    naive = house.naive
    tricks = tuple(
        trick_of(cards, named, winner)
        for cards, named, winner in zip(naive.done, naive.done_named, naive.winners_of_tricks, strict=True)
    )
    lying = [(seat, name) for seat, name in naive.trick if name]
    if house.naming is not None:
        lying.insert(0, (house.naming.seat, house.naming.card))
    winner = naive.trick_winner(naive.trick, naive.named) if naive.waits == "pick up" else None
    return State(
        phase=house.phase,
        hand=naive.hand,
        cards=naive.cards,
        dealer=naive.dealer,
        seats=tuple(naive.seats),
        players=tuple(naive.players),
        trump=naive.trump,
        turned=card(house.turned) if house.turned is not None else None,
        bids=tuple(naive.bids),
        raps=frozenset(naive.rapped if isinstance(naive, Whysteria) else house.ready),
        trick=trick_of(lying, naive.named, winner),
        tricks=tricks,
        totals=dict(naive.totals),
        winners=tuple(naive.winners),
        calls=tuple(naive.calls) if isinstance(naive, IsraeliWhist) else (),
    )


def trick_of(cards: Sequence[tuple[str, str]], named: str | None, winner: str | None) -> Trick:
    """A trick as a value."""
    return Trick(tuple(Play(seat, card(name)) for seat, name in cards), winner, named)


def expected_of(house: House) -> Expected:
    """What may happen next, and who may do it."""
    naive, phase = house.naive, house.phase
    if phase in (Phase.DEAL, Phase.TURN_UP):
        return Expected(phase, (naive.dealer,), naive.dealer, must=True)
    if phase in (Phase.PASS_CARDS, Phase.SECRET_BID):
        order = naive.round_from(naive.left_of(naive.dealer, naive.players))
        return Expected(phase, tuple(seat for seat in order if seat not in house.ready) or tuple(order), None)
    if phase is Phase.OVER:
        return Expected(phase, (), None)
    if house.free:
        assert isinstance(naive, Whysteria)
        order = [seat for seat in naive.round_from(naive.default()) if seat in naive.who_may()]
        return Expected(phase, tuple(order), order[0], free=True)
    if phase is Phase.AUCTION:
        assert isinstance(naive, IsraeliWhist)
        turn: str | None = naive.whose_call()
    elif phase is Phase.BID:
        turn = naive.default() if isinstance(naive, Whysteria) else naive.whose_bid()
    elif phase is Phase.NAME_SUIT:
        turn = house.naming.seat if house.naming is not None else None
    elif phase is Phase.PICK_UP:
        turn = naive.trick_winner(naive.trick, naive.named)
    else:
        turn = house.turn
    assert turn is not None
    return Expected(phase, (turn,), turn, must=True)


def legal_bids(house: House, seat: str) -> list[BidValue]:
    """The bids that ``seat`` may make now, the lowest first."""
    return house.naive.legal_bids(seat)


def legal_plays(house: House, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of a hand that ``seat`` may play now by the rules; empty when it may not play."""
    if seat not in expected_of(house).seats or house.phase not in (Phase.LEAD, Phase.FOLLOW):
        return ()
    return tuple(card(name) for name in house.naive.legal_plays(seat, [str(held) for held in hand]))


def suits_on_dial(house: House) -> tuple[str, ...]:
    """The suits that a led joker may stand for, as far as everybody can tell."""
    naive, joker = house.naive, house.naming
    number = len(naive.done) + 1
    if joker is None or not isinstance(naive, OhShit) or number == naive.cards:
        return SUITS
    return tuple(suit for suit in SUITS if not naive.has_discarded_on(joker.seat, suit, number)) or SUITS
