"""OpenSpiel as an oracle: its ``oh_hell`` for Oh Hell, its ``bridge`` for thirteen cards and no trumps.

OpenSpiel deals, bids and plays at random; the same deal goes through our game with events. Compared are every
legal set of bids and cards, whose turn it is, every trick's winner, and the scores. OpenSpiel counts
``points_per_trick`` for a miss, too, so a hand is scored there twice: once with the parameters whose made bids
are ours, once with those whose missed bids are ours.

OpenSpiel's bridge has partners, passes out after three passes and lets the declarer's left lead: there the
auction's ranks, the legal cards and the tricks are compared, not the scores.
"""

from __future__ import annotations

import importlib
import random
import re
from collections import Counter
from typing import Any

from table.cards import Card, Contract, card, tricks_of_bid
from table.events.game_events import Bid, Dealt, Event, Passed, Played, TrickTaken, TurnedUp
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.games.registry import make_game
from tests.oracles.compare import NAMES, DifferenceError
from tests.oracles.perft import Case, first_node

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = ["C", "D", "H", "S"]
DENOMINATIONS = ["C", "D", "H", "S", "NT"]
FIRST_BID = 52


def load_spiel() -> Any:
    """The ``pyspiel`` module, or None where open_spiel is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def spiel_card(action: int) -> Card:
    """OpenSpiel's card: rank x 4 + suit."""
    return card(RANKS[action // 4] + SUITS[action % 4])


def spiel_action(played: Card) -> int:
    """Our card as OpenSpiel counts it."""
    name = str(played)
    return 4 * RANKS.index(name[:-1]) + SUITS.index(name[-1])


class Ours:
    """Our game, led through events that it must take."""

    def __init__(self, game: Game, where: str) -> None:
        self.game, self.where = game, where
        self.state: State = game.start().state
        self.done: list[str] = []

    def give(self, event: Event) -> None:
        """An event that must be possible."""
        self.done.append(str(event))
        step = self.game.apply(self.state, event)
        if isinstance(step, Refusal):
            self.fail(f"{event} is refused: {step.why}")
        else:
            self.state = step.state

    def fail(self, what: str) -> None:
        """Say where we and OpenSpiel disagree."""
        raise DifferenceError(f"{what}\n  {self.where}\n  " + "; ".join(self.done[-40:]))

    def same(self, what: str, ours: object, theirs: object) -> None:
        """Both must say the same."""
        if ours != theirs:
            self.fail(f"{what}: we say {ours!r}, OpenSpiel {theirs!r}")

    def turn(self, phase: Phase, seat: str) -> None:
        """It is ``seat``'s turn, in that phase."""
        expected = self.game.expected(self.state)
        self.same("the turn", (expected.phase, expected.seats), (phase, (seat,)))


def played(ours: Ours, theirs: Any, seat: str, hand: list[Card], rng: random.Random) -> dict[str, int]:
    """A random card of ``seat``'s hand, which both must allow, is played in both; what was compared."""
    ours.turn(Phase.FOLLOW if ours.state.trick.plays else Phase.LEAD, seat)
    allowed = ours.game.legal_plays(ours.state, seat, hand)
    ours.same(f"{seat}'s legal cards", sorted(map(spiel_action, allowed)), theirs.legal_actions())
    action = rng.choice(theirs.legal_actions())
    hand.remove(spiel_card(action))
    ours.give(Played(seat, spiel_card(action)))
    theirs.apply_action(action)
    return {"play sets": 1, "cards": 1}


# --- Oh Hell ------------------------------------------------------------------------------------------------


def oh_hell_deal(spiel: Any, rng: random.Random, counts: Counter[str]) -> None:
    """One random hand of Oh Hell, standard or harsh."""
    players = rng.randint(3, 7)
    cards = rng.randint(1, min(10, 51 // players))
    scoring = rng.choice(["standard", "harsh"])

    def game(points: int, penalty: str) -> Any:
        return spiel.load_game(
            f"oh_hell(players={players},num_tricks_fixed={cards},"
            f"points_per_trick={points},off_bid_penalty={penalty})"
        )

    theirs = game(1, "false").new_initial_state()
    misses = (game(0, "false") if scoring == "standard" else game(10, "true")).new_initial_state()
    history: list[int] = []
    while theirs.is_chance_node():
        action = rng.choice(theirs.legal_actions())
        history.append(action)
        theirs.apply_action(action)
    # The first two chances are the number of tricks and the dealer; then the cards, one at a time; then trumps.
    seats = NAMES[:players]
    dealer = seats[history[1]]
    hands: dict[str, list[Card]] = {seat: [] for seat in seats}
    for place, action in enumerate(history[2:-1]):
        hands[seats[place % players]].append(spiel_card(action))
    options = {"hands": [cards], "first_dealer": dealer, "scoring": scoring}
    ours = Ours(make_game("oh-hell", seats, options), f"oh-hell, {options}, {players} players, {history}")
    ours.give(Dealt(dealer))
    ours.give(TurnedUp(spiel_card(history[-1])))
    counts["deals"] += 1
    for _ in range(players):
        seat = seats[theirs.current_player()]
        ours.turn(Phase.BID, seat)
        legal = [FIRST_BID + tricks_of_bid(bid) for bid in ours.game.legal_bids(ours.state, seat)]
        ours.same(f"{seat}'s legal bids", legal, theirs.legal_actions())
        counts["bid sets"] += 1
        action = rng.choice(legal)
        ours.give(Bid(seat, action - FIRST_BID))
        theirs.apply_action(action)
        counts["bids"] += 1
    for _ in range(cards):
        for _ in range(players):
            seat = seats[theirs.current_player()]
            counts.update(played(ours, theirs, seat, hands[seat], rng))
        winner = ours.state.trick.winner
        assert winner is not None
        if not theirs.is_terminal():
            ours.same("the trick's winner", winner, seats[theirs.current_player()])
        ours.give(TrickTaken(winner))
        counts["tricks"] += 1
    for action in theirs.history():
        misses.apply_action(action)
    result = ours.state.results[0]
    for number, seat in enumerate(seats):
        made = result.bids[seat] == result.tricks[seat]
        points = theirs.returns()[number] if made else misses.returns()[number]
        ours.same(f"{seat}'s points", result.points[seat], int(points))
        counts["scores"] += 1


def spiel_sequences(spiel: Any, case: Case) -> int:
    """How many biddings or plays OpenSpiel's ``oh_hell`` allows in a case of ours."""
    node = first_node(case)
    state = spiel.load_game(
        f"oh_hell(players={case.players},num_tricks_fixed={case.cards})"
    ).new_initial_state()
    assert case.turned is not None
    seats = NAMES[: case.players]
    dealt = [node.hands[seat][place] for place in range(case.cards) for seat in seats]
    for action in [case.cards, 0, *[spiel_action(card(name)) for name in [*dealt, case.turned]]]:
        state.apply_action(action)
    if case.count == "bids":
        return _leaves(state, case.players)
    for _ in seats:
        state.apply_action(state.legal_actions()[0])
    return _leaves(state, case.players * case.cards)


def _leaves(state: Any, depth: int) -> int:
    """Sequences of so many legal actions."""
    if depth == 0:
        return 1
    return sum(_leaves(state.child(action), depth - 1) for action in state.legal_actions())


# --- bridge -------------------------------------------------------------------------------------------------

PASS = 52
FIRST_CALL = 55
COMPASS = ["North", "East", "South", "West"]


def auction(spiel: Any, rng: random.Random, counts: Counter[str]) -> None:
    """A random auction, bids and passes only, until bridge ends it; bridge's 1 to 7 are our 5 to 11."""
    theirs = spiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    while theirs.is_chance_node():
        theirs.apply_action(theirs.legal_actions()[0])
    ours = Ours(make_game("israeli-whist", COMPASS, {"target": 300}), "an auction")
    ours.give(Dealt("North"))
    for turn in range(400):
        seat = COMPASS[turn % 4]
        ours.turn(Phase.AUCTION, seat)
        calls = ours.game.legal_bids(ours.state, seat)
        legal = [call_action(call) for call in calls if isinstance(call, Contract) and call.tricks <= 11]
        possible = [action for action in theirs.legal_actions() if action >= FIRST_CALL]
        ours.same(f"{seat}'s legal calls", legal, possible)
        counts["bid sets"] += 1
        low = possible[: rng.choice([2, 6, 35])]
        action = rng.choice(low) if low and rng.random() < 0.5 else PASS
        theirs.apply_action(action)
        ours.give(Passed(seat) if action == PASS else Bid(seat, call_of(action)))
        counts["bids"] += 1
        if theirs.is_terminal() or PASS not in theirs.legal_actions():
            return


def call_action(call: Contract) -> int:
    """Our call as OpenSpiel's action."""
    return FIRST_CALL + 5 * (call.tricks - 5) + DENOMINATIONS.index(call.trump)


def call_of(action: int) -> Contract:
    """OpenSpiel's bid as our call."""
    number = action - FIRST_CALL
    return Contract(number // 5 + 5, DENOMINATIONS[number % 5])


def bridge_deal(spiel: Any, rng: random.Random, counts: Counter[str]) -> None:
    """A random auction, then thirteen tricks of another random deal in any denomination."""
    auction(spiel, rng, counts)
    theirs = spiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    hands: dict[str, list[Card]] = {seat: [] for seat in COMPASS}
    for place in range(52):
        action = rng.choice(theirs.legal_actions())
        hands[COMPASS[place % 4]].append(spiel_card(action))
        theirs.apply_action(action)
    call = rng.randrange(FIRST_CALL, FIRST_CALL + 35)
    # North declares in bridge, so East leads: in ours East declares.
    for action in [call, PASS, PASS, PASS]:
        theirs.apply_action(action)
    options = {"target": 1000, "first_dealer": "East"}
    ours = Ours(make_game("israeli-whist", COMPASS, options), f"bridge, {theirs}")
    ours.give(Dealt("East"))
    ours.give(Bid("East", call_of(call)))
    for seat in ["South", "West", "North", "East"]:
        ours.give(Passed(seat))
    for seat in ["South", "West", "North"]:
        ours.give(Bid(seat, rng.choice(ours.game.legal_bids(ours.state, seat))))
    counts["deals"] += 1
    leader, winners = "East", []
    for _ in range(13):
        for place in range(4):
            seat = COMPASS[(COMPASS.index(leader) + place) % 4]
            counts.update(played(ours, theirs, seat, hands[seat], rng))
        winner = ours.state.trick.winner
        assert winner is not None
        ours.give(TrickTaken(winner))
        winners.append(winner)
        leader = winner
        counts["tricks"] += 1
    ours.same("the tricks' winners", winners, re.findall(r"Won by (\w+)\.", str(theirs)))
    tricks = ours.state.results[0].tricks
    declarers = re.findall(r"Declarer tricks won: (\d+)", str(theirs))
    ours.same("North's and South's tricks", tricks["North"] + tricks["South"], int(declarers[0]))
    counts["scores"] += 1


def compare_spiel(name: str, deals: int, seed: int) -> Counter[str]:
    """``oh_hell`` or ``bridge``: as many random deals; what was compared."""
    spiel = load_spiel()
    if spiel is None:
        raise RuntimeError("open_spiel is not installed (pip install open_spiel)")
    counts: Counter[str] = Counter()
    rng = random.Random(f"{name} {seed}")
    for _ in range(deals):
        if name == "oh_hell":
            oh_hell_deal(spiel, rng, counts)
        else:
            bridge_deal(spiel, rng, counts)
    return counts
