"""Exact counts of legal bid and play sequences of small hands: to card games what perft is to chess.

Both implementations walk the same tree, and at every node both must allow the same acts; the number of leaves
is the count. The deals come from a generator of our own, so that a count means the same everywhere, forever.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import methodcaller
from typing import Any

from table.cards import BidValue, bid_to_json, card, parse_bid
from table.events.event_spec import Play
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    CardsPassed,
    Dealt,
    Event,
    LeadsTied,
    Passed,
    Played,
    Rapped,
    SuitNamed,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.games.registry import make_game
from table.simulation.reference_rules import make_reference_game
from table.simulation.reference_rules.common import ReferenceGame
from table.simulation.reference_rules.israeli_whist import IsraeliWhist
from table.simulation.reference_rules.oh_shit import OhShit
from table.simulation.reference_rules.whysteria import Whysteria
from tests.oracles.compare import NAMES, DifferenceError


@dataclass(frozen=True)
class Case:
    """A small hand: the game and its options, how many players, which deal, what to count."""

    game: str
    players: int
    cards: int
    count: str
    """``bids``: whole biddings; ``plays``: whole plays after one bidding (``plays NT``: when the auction made those
    the trumps); ``acts 3``: sequences of three acts
    of any kind from the first bid (raps and ties of two included); ``leads 3``: the same from the first lead;
    ``calls 2``: sequences of two calls of an auction; ``calls 1 after 3``: the same in the fourth auction of a
    gulash."""
    options: dict[str, Any] = field(default_factory=dict)
    deal: int = 1
    turned: str | None = None
    """The turned-up card, taken out of the pack before the deal."""
    joker_to: int | None = None
    """The player (from the dealer's left, 0) who is dealt the joker."""


def shuffled(cards: list[str], seed: int) -> list[str]:
    """The cards in an order that depends on ``seed`` alone (a linear congruential generator)."""
    order, left, number = [], list(cards), seed
    while left:
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        order.append(left.pop((number >> 33) % len(left)))
    return order


def copy_of(naive: ReferenceGame) -> ReferenceGame:
    """An independent copy of a naive game."""
    other = copy.copy(naive)
    for name, value in vars(naive).items():
        if isinstance(value, list | dict):
            setattr(other, name, value.copy())
    return other


@dataclass(frozen=True)
class Node:
    """Both implementations at the same moment, and the hands."""

    game: Game
    state: State
    naive: ReferenceGame
    hands: dict[str, tuple[str, ...]]

    def after(self, event: Event, act: Callable[[Any], object] | None = None) -> Node:
        """The node after an event, which the naive one takes by ``act``."""
        step = self.game.apply(self.state, event)
        if isinstance(step, Refusal):
            raise DifferenceError(f"{event} is refused: {step.why}")
        naive = self.naive
        if act is not None:
            naive = copy_of(naive)
            act(naive)
        return Node(self.game, step.state, naive, self.hands)

    def without(self, seat: str, name: str) -> Node:
        """The node with a card gone from a hand."""
        at = self.hands[seat].index(name)
        rest = self.hands[seat][:at] + self.hands[seat][at + 1 :]
        return Node(self.game, self.state, self.naive, {**self.hands, seat: rest})

    def agree(self, what: str, game: list[Any], naive: list[Any]) -> None:
        """Both must allow the same."""
        if sorted(game, key=str) != sorted(naive, key=str):
            raise DifferenceError(f"{what}: the game says {game}, the naive reading {naive}, in {self.state}")

    def actors(self) -> list[str]:
        """Who may bid or play now."""
        naive = self.naive
        seats = naive.who_may()
        self.agree("who may act", list(self.game.expected(self.state).seats), seats)
        return seats

    def bids(self, seat: str) -> list[int | str]:
        """The legal bids of ``seat``, by both."""
        legal = self.naive.legal_bids(seat)
        self.agree(
            f"{seat}'s legal bids",
            [bid_to_json(bid) for bid in self.game.legal_bids(self.state, seat)],
            legal,
        )
        return legal

    def bid(self, seat: str, bid: int | str) -> Node:
        """After a bid."""
        return self.after(Bid(seat, parse_bid(bid)), lambda naive: naive.bid(seat, bid))

    def plays(self, seat: str) -> list[str]:
        """The legal cards of ``seat``, by both; of two equal cards one."""
        hand = self.hands[seat]
        legal = self.naive.legal_plays(seat, list(hand))
        game = self.game.legal_plays(self.state, seat, [card(name) for name in hand])
        self.agree(f"{seat}'s legal cards", [str(c) for c in game], legal)
        return sorted(set(legal))

    def play(self, seat: str, name: str, named: str | None = None) -> Node:
        """After a card (with the suit that a led joker stands for)."""
        node = self.after(Played(seat, card(name)), lambda naive: naive.play(seat, name, named))
        if named:
            node = node.after(SuitNamed(seat, named))
        return node.without(seat, name)

    def names(self, seat: str, name: str) -> list[str | None]:
        """The suits that a card may be given: one of several for a joker led at no trumps."""
        if name != "JOKER" or self.naive.trick or self.naive.trump != "NT":
            return [None]
        if isinstance(self.naive, OhShit):
            return [*self.naive.suits_to_name(seat, list(self.hands[seat]))]
        return ["S", "H", "D", "C"]


def first_node(case: Case) -> Node:
    """The deal of a case, up to the first bid."""
    seats = NAMES[: case.players]
    options = {"hands": [case.cards], **case.options}
    game, naive = make_game(case.game, seats, options), make_reference_game(case.game, seats, options)
    pack = sorted(naive.pack())
    if case.turned:
        pack.remove(case.turned)
    pack = shuffled(pack, case.deal)
    if case.joker_to is not None:
        pack.remove("JOKER")
        pack.insert(case.joker_to * case.cards, "JOKER")
    order = seats[1:] + seats[:1]
    hands = {seat: tuple(pack[n * case.cards : (n + 1) * case.cards]) for n, seat in enumerate(order)}
    node = Node(game, game.start().state, naive, hands).after(Dealt(seats[0]))
    if case.turned:
        name = case.turned
        node = node.after(TurnedUp(card(name)), lambda naive: naive.turn_up(name))
    naive = copy_of(node.naive)
    naive.dealt()
    return Node(game, node.state, naive, hands)


def count(case: Case) -> int:
    """How many legal sequences there are."""
    node = first_node(case)
    words = case.count.split()
    if words[0] == "bids":
        return count_secret_bids(node) if node.naive.waits == "secret bid" else count_bids(node)
    if words[0] == "calls":
        for _ in range(int(words[3]) if len(words) > 2 else 0):
            node = passed_out(node)
        return count_calls(node, int(words[1]))
    if words[0] == "acts":
        return count_acts(node, int(words[1]))
    node = lowest_bids(node, words[1] if words[0] == "plays" and len(words) > 1 else "C")
    if words[0] == "leads":
        return count_leads(node, int(words[1]))
    return count_plays(node)


def count_bids(node: Node) -> int:
    """Whole biddings without raps and ties."""
    if node.naive.waits == "play":
        return 1
    total = 0
    for seat in node.actors():
        for bid in node.bids(seat):
            total += count_bids(node.bid(seat, bid))
    return total


def fists(node: Node) -> Node:
    """Oh Shit: everybody is ready."""
    for seat in node.naive.players:
        node = node.after(Rapped(seat))
    return node


def count_secret_bids(node: Node) -> int:
    """Ways to bid all at once."""
    node = fists(node)
    ways: list[list[tuple[str, BidValue]]] = [[]]
    for seat in node.naive.round_from(str(node.naive.leader)):
        ways = [[*way, (seat, parse_bid(bid))] for way in ways for bid in node.bids(seat)]
    for way in ways:
        node.after(BidsRevealed(tuple(way)))
    return len(ways)


def lowest_bids(node: Node, suit: str) -> Node:
    """After everybody has bid as low as is allowed, in turn (in an auction the dealer bids ``suit`` first)."""
    if isinstance(node.naive, IsraeliWhist):
        dealer = node.naive.dealer
        low = next(str(bid) for bid in node.bids(dealer) if str(bid).lstrip("0123456789") == suit)
        node = node.after(Bid(dealer, parse_bid(low)), lambda naive: naive.call(dealer, low))
        for _ in range(4):
            node = passed(node)
    if node.naive.waits == "secret bid":
        node = fists(node)
        order = node.naive.round_from(str(node.naive.leader))

        def all_zero(naive: ReferenceGame) -> None:
            for seat in order:
                naive.bid(seat, 0)

        return node.after(BidsRevealed(tuple((seat, 0) for seat in order)), all_zero)
    while node.naive.waits == "bid":
        naive = node.naive
        seat = naive.default()
        node = node.bid(seat, node.bids(seat)[0])
    return node


def count_plays(node: Node) -> int:
    """Whole plays of the hand, without raps and ties."""
    if node.naive.last:
        return 1
    total = 0
    for seat in node.actors():
        for name in node.plays(seat):
            for named in node.names(seat, name):
                total += count_plays(taken(node.play(seat, name, named)))
    return total


def taken(node: Node) -> Node:
    """A complete trick is picked up."""
    if node.naive.waits != "pick up":
        return node
    naive = node.naive
    winner = naive.trick_winner(naive.trick, naive.named)
    node.agree("the trick's winner", [node.state.trick.winner], [winner])
    return node.after(TrickTaken(winner), lambda naive: naive.pick_up())


# --- Whysteria's free acts ----------------------------------------------------------------------------------


def rap_nodes(node: Node) -> list[Node]:
    """After each rap that is possible."""
    naive = node.naive
    assert isinstance(naive, Whysteria)
    if naive.must():
        return []
    quiet = [seat for seat in naive.who_still_may() if seat not in naive.rapped]
    return [node.after(Rapped(seat), methodcaller("rap", seat)) for seat in quiet]


def pairs(seats: list[str]) -> list[tuple[str, str]]:
    """Every two of them, in seat order."""
    return [(a, b) for number, a in enumerate(seats) for b in seats[number + 1 :]]


def count_acts(node: Node, depth: int) -> int:
    """Sequences of bids, raps and ties of two."""
    if depth == 0 or node.naive.waits != "bid":
        return 1
    nodes = [node.bid(seat, bid) for seat in node.actors() for bid in node.bids(seat)]
    nodes += rap_nodes(node)
    nodes += [node.after(BidsTied(two), lambda naive: naive.tie()) for two in pairs(node.actors())]
    return sum(count_acts(each, depth - 1) for each in nodes)


def count_leads(node: Node, depth: int) -> int:
    """Sequences of cards, raps before a lead and ties of two leads (either stays, or none)."""
    if depth == 0 or node.naive.last:
        return 1
    nodes = [taken(node.play(seat, name)) for seat in node.actors() for name in node.plays(seat)]
    if not node.naive.trick:
        nodes += rap_nodes(node)
        for one, two in pairs(node.actors()):
            for first in node.plays(one):
                for second in node.plays(two):
                    plays = Play(one, card(first)), Play(two, card(second))
                    nodes.append(node.after(LeadsTied(None, plays), lambda naive: naive.tie()))
                    kept = node.after(LeadsTied(plays[0], plays[1:]))
                    nodes.append(taken(kept.play(one, first)))
                    kept = node.after(LeadsTied(plays[1], plays[:1]))
                    nodes.append(taken(kept.play(two, second)))
    return sum(count_leads(each, depth - 1) for each in nodes)


# --- Israeli Whist's auction --------------------------------------------------------------------------------


def passed(node: Node) -> Node:
    """After a pass in the auction."""
    seat = node.naive.whose_bid()
    return node.after(Passed(seat), lambda naive: naive.call(seat, "pass"))


def passed_out(node: Node) -> Node:
    """After four passes and the passing of cards: the next auction of a gulash."""
    for _ in range(4):
        node = passed(node)
    for seat in node.naive.players:
        node = node.after(Rapped(seat))
    if node.state.phase is Phase.PASS_CARDS:
        node = node.after(CardsPassed())
    naive = copy_of(node.naive)
    naive.cards_passed()
    return Node(node.game, node.state, naive, node.hands)


def count_calls(node: Node, depth: int) -> int:
    """Sequences of bids and passes in the auction."""
    naive = node.naive
    if depth == 0 or naive.waits != "auction":
        return 1
    seat = naive.whose_bid()
    total = count_calls(passed(node), depth - 1)
    for call in [str(bid) for bid in node.bids(seat)]:
        bid = node.after(Bid(seat, parse_bid(call)), methodcaller("call", seat, call))
        total += count_calls(bid, depth - 1)
    return total
