"""Benchmark of the rules: random games of each kind, dealt and played with a seeded generator.

Oh Hell is compared with OpenSpiel's ``oh_hell`` on the same deals, where that is installed.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from table.cards import Card
from table.events.game_events import (
    Bid,
    BidsRevealed,
    Dealt,
    Event,
    Passed,
    Played,
    Rapped,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.game_state import Phase, Refusal, State, Step
from table.games.game import Game
from table.games.registry import GAMES, make_game

SEATS = ("North", "East", "South", "West")
CARDS = 5
"""Cards a hand in the random games (Israeli Whist deals all thirteen)."""
SPIEL_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SPIEL_SUITS = ("C", "D", "H", "S")


def make_short_game(name: str) -> Game:
    """Make a short game of four players: one hand, then the end."""
    game = GAMES[name]
    return make_game(name, SEATS, {**game.proposed_options, "hands": [max(CARDS, *game.short_game_hands)]})


def play_random_game(game: Game, rng: random.Random) -> int:
    """Deal and play a game at random to its end; return the number of its events."""
    return sum(1 for _ in play_at_random(game, game.start().state, rng))


def play_at_random(game: Game, state: State, rng: random.Random) -> Iterator[tuple[Event, Step]]:
    """Deal and play at random from ``state``, where a hand is dealt, to the end; yield each event with what follows."""
    hands: dict[str, list[Card]] = {}
    stock: list[Card] = []
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEAL:
            stock = list(game.pack())
            rng.shuffle(stock)
            hands = {seat: [stock.pop() for _ in range(state.cards)] for seat in state.players}
        event = choose_random_event(game, state, hands, stock, rng)
        step = game.apply(state, event)
        if isinstance(step, Refusal):
            raise AssertionError(f"{game.name}: {event} was refused: {step.code}")
        if isinstance(event, Played) and isinstance(event.card, Card):
            hands[event.seat].remove(event.card)
        state = step.state
        yield event, step


def choose_random_event(
    game: Game, state: State, hands: dict[str, list[Card]], stock: list[Card], rng: random.Random
) -> Event:
    """Return a random event that is legal now."""
    expected = game.expected(state)
    # While all bid at once it is nobody's turn; the seat is not used then.
    seat = (rng.choice(expected.seats) if expected.anyone_may_act else expected.default_seat) or state.dealer
    match expected.phase:
        case Phase.DEAL:
            return Dealt(state.dealer)
        case Phase.TURN_UP:
            return TurnedUp(stock[-1] if stock else hands[state.dealer][-1])
        case Phase.SECRET_BID:
            resting = [player for player in state.players if player not in state.raps]
            if resting:
                return Rapped(resting[0])
            bids = ((player, rng.choice(game.legal_bids(state, player))) for player in state.players)
            return BidsRevealed(tuple(bids))
        case Phase.AUCTION:
            legal = game.legal_bids(state, seat)
            # A quarter bids, among the five lowest: auctions end, and about as high as people's do.
            return Bid(seat, rng.choice(legal[:5])) if legal and rng.random() < 0.25 else Passed(seat)
        case Phase.BID:
            return Bid(seat, rng.choice(game.legal_bids(state, seat)))
        case Phase.LEAD | Phase.FOLLOW:
            return Played(seat, rng.choice(game.legal_plays(state, seat, hands[seat])))
        case _:
            assert state.trick.winner is not None
            return TrickTaken(state.trick.winner)


def measure_games_per_second(name: str, seconds: float) -> float:
    """Measure random games of ``name`` per second, over about ``seconds``."""
    game = make_short_game(name)
    return _measure_rate(lambda rng: play_random_game(game, rng), seconds, seed=1)


def compare_with_openspiel(seconds: float) -> tuple[float, float] | None:
    """Return random hands of Oh Hell a second, ours and OpenSpiel's, on the same deals; None without OpenSpiel."""
    try:
        spiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = make_short_game("oh-hell")
    spiel_game = spiel.load_game(f"oh_hell(players={len(SEATS)},num_tricks_fixed={CARDS})")

    def spiel_hand(rng: random.Random) -> None:
        stock = list(game.pack())
        rng.shuffle(stock)
        hands = [[stock.pop() for _ in range(CARDS)] for _ in SEATS]
        state = spiel_game.new_initial_state()
        dealt = [hands[place][number] for number in range(CARDS) for place in range(len(SEATS))]
        for action in (CARDS, 0, *(_spiel_action(card) for card in (*dealt, stock[-1]))):
            state.apply_action(action)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))

    # The two take turns, so that a busy machine is fair to both.
    ours_rate = their_rate = 0.0
    for seed in range(1, 5):
        ours_rate += _measure_rate(lambda rng: play_random_game(game, rng), seconds / 4, seed) / 4
        their_rate += _measure_rate(spiel_hand, seconds / 4, seed) / 4
    return ours_rate, their_rate


def _spiel_action(card: Card) -> int:
    assert card.suit is not None
    return 4 * SPIEL_RANKS.index(card.rank) + SPIEL_SUITS.index(card.suit)


def _measure_rate(play_once: Callable[[random.Random], object], seconds: float, seed: int) -> float:
    rng = random.Random(seed)
    count, start_s = 0, time.perf_counter()
    while (elapsed_s := time.perf_counter() - start_s) < seconds or not count:
        play_once(rng)
        count += 1
    return count / elapsed_s
