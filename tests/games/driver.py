"""Random players with real hands, for any game of the registry."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from table.cards import Card
from table.events.event_spec import Announcement, Play
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    Came,
    Dealt,
    Ended,
    Event,
    LeadsTied,
    Left,
    Passed,
    Played,
    Rapped,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game


@dataclass
class Manners:
    """How often what happens (0..1)."""

    rap: float = 0.1
    tie: float = 0.15
    take_back: float = 0.05
    revoke: float = 0.0
    throw_in: float = 0.0
    auction_pass: float = 0.6
    come_and_go: float = 0.0


@dataclass
class Driver:
    """Plays a game to its end, keeping every event with the state before it."""

    game: Game
    rng: random.Random
    manners: Manners = field(default_factory=Manners)
    max_hands: int = 40

    def __post_init__(self) -> None:
        step = self.game.start()
        self.state: State = step.state
        self.said: list[Announcement] = list(step.announcements)
        self.history: list[tuple[State, Event]] = []
        self.hands: dict[str, list[Card]] = {}
        self.stock: list[Card] = []

    def do(self, event: Event) -> None:
        """Apply an event that must be possible."""
        step = self.game.apply(self.state, event)
        assert not isinstance(step, Refusal), (event, step, self.state)
        self.history.append((self.state, event))
        self.state = step.state
        self.said += step.announcements

    def play(self) -> list[Announcement]:
        """To the end of the game; everything that was said."""
        while self.state.phase is not Phase.OVER:
            self.one()
        return self.said

    def one(self) -> None:
        """One thing happens."""
        if self.state.hand > self.max_hands:
            self.do(Ended())
            return
        if self.state.phase is not Phase.DEAL and self.rng.random() < self.manners.throw_in:
            self.do(ThrownIn("a card was seen"))
            return
        often = self.manners.come_and_go
        if often and self.rng.random() < often and self.come_or_go():
            return
        acts = {
            Phase.DEAL: self.deal,
            Phase.TURN_UP: self.turn_up,
            Phase.PASS_CARDS: self.pass_cards,
            Phase.AUCTION: self.auction,
            Phase.BID: self.bid,
            Phase.SECRET_BID: self.secret_bid,
            Phase.LEAD: self.lead,
            Phase.FOLLOW: self.follow,
            Phase.NAME_SUIT: self.name_suit,
            Phase.PICK_UP: self.pick_up,
        }
        acts[self.state.phase]()

    def come_or_go(self) -> bool:
        """Somebody leaves or comes, if the game agrees."""
        seat = self.rng.choice(self.game.seats)
        event: Event = Came(seat) if seat in self.state.away else Left(seat)
        if isinstance(self.game.apply(self.state, event), Refusal):
            return False
        self.do(event)
        return True

    def deal(self) -> None:
        state = self.state
        if state.turned is None:
            pack = list(self.game.pack())
            self.rng.shuffle(pack)
            self.hands = {}
            for seat in state.players:
                self.hands[seat], pack = pack[: state.cards], pack[state.cards :]
            self.stock = pack
            if self.game.turns_up_trump(state) and self.rng.random() < 0.5:
                self.turn_up()
                return
        self.do(Dealt(state.dealer))

    def turn_up(self) -> None:
        while True:
            turned = self.stock.pop(0) if self.stock else self.hands[self.state.dealer][-1]
            step = self.game.apply(self.state, TurnedUp(turned))
            if not isinstance(step, Refusal):
                self.do(TurnedUp(turned))
                return

    def pass_cards(self) -> None:
        count = self.game.rules.cards_to_pass(self.state)
        order = list(self.state.players)
        given = {seat: [self.hands[seat].pop() for _ in range(count)] for seat in order}
        step = 1 if self.game.rules.passes_to == "left" else -1
        for at, seat in enumerate(order):
            self.hands[order[(at + step) % len(order)]] += given[seat]
        self.rng.shuffle(order)
        for seat in order:
            self.do(Rapped(seat))

    def auction(self) -> None:
        seat = self.game.expected(self.state).default_seat
        assert seat is not None
        bids = self.game.legal_bids(self.state, seat)
        if not bids or self.rng.random() < self.manners.auction_pass:
            self.do(Passed(seat))
        else:
            self.do(Bid(seat, bids[min(int(self.rng.expovariate(0.5)), len(bids) - 1)]))

    def free_seats(self) -> Sequence[str]:
        expected = self.game.expected(self.state)
        assert expected.seats
        assert expected.default_seat == expected.seats[0]
        assert expected.must_act or expected.anyone_may_act
        assert not (expected.must_act and len(expected.seats) > 1)
        for seat in expected.seats[1:]:
            if seat not in self.state.raps and self.rng.random() < self.manners.rap:
                self.do(Rapped(seat))
                return self.game.expected(self.state).seats
        return expected.seats

    def bid(self) -> None:
        seats = self.free_seats()
        if len(seats) > 1 and self.rng.random() < self.manners.tie:
            self.do(BidsTied(tuple(self.rng.sample(list(seats), self.rng.randint(2, len(seats))))))
            return
        seat = self.rng.choice(list(seats))
        bids = self.game.legal_bids(self.state, seat)
        assert bids, "nobody may be without a bid"
        self.do(Bid(seat, self.rng.choice(bids)))

    def secret_bid(self) -> None:
        waiting = [seat for seat in self.state.players if seat not in self.state.raps]
        if waiting:
            self.do(Rapped(self.rng.choice(waiting)))
            return
        bids = tuple((s, self.rng.choice(self.game.legal_bids(self.state, s))) for s in self.state.players)
        self.do(BidsRevealed(bids))

    def lead(self) -> None:
        seats = self.free_seats()
        if len(seats) > 1 and self.rng.random() < self.manners.tie:
            tied = self.rng.sample(list(seats), self.rng.randint(2, len(seats)))
            cards = [self.rng.choice(self.hands[seat]) for seat in tied]
            plays = [Play(seat, card) for seat, card in zip(tied, cards, strict=True)]
            stays = self.game.rules.keeps_lowest_lead and self.rng.random() < 0.5
            self.do(LeadsTied(plays[0] if stays else None, tuple(plays[1:] if stays else plays)))
            if stays:
                self.put(tied[0], cards[0])
            return
        self.card_of(self.rng.choice(list(seats)))

    def follow(self) -> None:
        seat = self.game.expected(self.state).default_seat
        assert seat is not None
        if self.rng.random() < self.manners.take_back:
            self.take_back()
            return
        self.card_of(seat)

    def card_of(self, seat: str) -> None:
        legal = self.game.legal_plays(self.state, seat, self.hands[seat])
        assert legal, "nobody may be without a card to play"
        assert set(legal) <= set(self.hands[seat])
        anything = self.rng.random() < self.manners.revoke
        self.put(seat, self.rng.choice(self.hands[seat] if anything else list(legal)))

    def put(self, seat: str, card: Card) -> None:
        self.hands[seat].remove(card)
        self.do(Played(seat, card))

    def take_back(self) -> None:
        play = self.rng.choice(self.state.trick.plays)
        assert isinstance(play.card, Card)
        self.hands[play.seat].append(play.card)
        self.do(TakenBack(play.seat, play.card))

    def name_suit(self) -> None:
        leader = self.state.trick.leader
        assert leader is not None
        self.do(
            SuitNamed(leader, self.rng.choice(self.game.legal_suits(self.state, leader, self.hands[leader])))
        )

    def pick_up(self) -> None:
        if self.rng.random() < self.manners.take_back:
            self.take_back()
            return
        winner = self.state.trick.winner
        assert winner is not None
        self.do(TrickTaken(winner))


def named(said: Sequence[Announcement], event: str) -> list[dict[str, Any]]:
    """The fields of all lines of one kind."""
    return [dict(one.fields) for one in said if one.event == event]
