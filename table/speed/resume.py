"""How long a table takes to come up again in the middle of a long evening: a journal of 10,000 lines.

The evening is played by the rules alone, at random; the last two hands, whose facts are kept beside the journal, by a
referee that is told each card.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from table.cards import Card
from table.events.happenings import Bid, Dealt, Event, Played, TrickTaken
from table.facts import MS, Call, CardGone, CardLanded, Fact, Gesture, Reading
from table.games.base import Phase, Refusal, State
from table.games.game import Game
from table.games.registry import make_game
from table.host.collecting import nothing_collected
from table.journals.archive import go_on_with, unfinished
from table.referee.journal import Journal
from table.referee.referee import Referee
from table.speed.games import SEATS, next_event

LINES = 10_000
CARDS = 13
LINES_A_HAND = 80
NAME = "evening.jsonl"
ANGLES = {seat: 360.0 * place / len(SEATS) for place, seat in enumerate(SEATS)}


STANDS = ("between", "trick", "alone")
"""How a power cut may leave that evening: between two hands and at the last trick of the next one (when there is most
beside the journal), and with nothing beside the journal, where that is lost."""


@dataclass(frozen=True, slots=True)
class ResumeCost:
    """What it costs to come up again, in seconds of processor time, from each of :data:`STANDS`."""

    lines: int
    between_s: float
    trick_s: float
    alone_s: float


def resume_cost(lines: int = LINES, seed: int = 1) -> ResumeCost:
    """Write a journal of at least so many lines, and come back to it."""
    game = long_game(lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = write_evening(folder, lines, seed)
        return ResumeCost(count, *(resume(folder / stand, game)[0] for stand in STANDS))


def long_game(lines: int) -> Game:
    """A game of which so many lines can be played."""
    return make_game("whysteria", SEATS, {"hands": [CARDS] * (lines // LINES_A_HAND + 4)})


def write_evening(folder: Path, lines: int, seed: int = 1) -> int:
    """Write the journal of :func:`long_game`, and leave it in a folder for each of :data:`STANDS`: how long it is."""
    game, rng = long_game(lines), random.Random(seed)
    between, trick, alone = (folder / stand for stand in STANDS)
    alone.mkdir()
    with Journal(alone / NAME, durable=False) as journal:
        state = _play(game, journal, lines, rng)
        count = len(journal.lines)
    shutil.copytree(alone, between)
    state = _tell(between / NAME, game, list(_hand(game, state, rng)))
    shutil.copytree(between, trick)
    _tell(trick / NAME, game, list(_hand(game, state, rng))[: -len(SEATS)])
    return count


@nothing_collected()
def resume(folder: Path, game: Game) -> tuple[float, float]:
    """Go on with a game that was broken off: the processor time that it takes, and that by the wall, seconds.

    Afterwards there is beside the journal what there is beside any game that goes on.
    """
    began, started = time.monotonic(), time.process_time()
    kept = unfinished(folder, game)
    assert kept is not None
    with Journal(kept.path, earlier=kept.lines) as journal:
        Referee(game, ANGLES, journal).resume(kept.until_ns + 1, kept.settled)
        return time.process_time() - started, time.monotonic() - began


def _tell(path: Path, game: Game, facts: Sequence[Fact]) -> State:
    """Go on with a journal, and tell a referee more; where the game stands then."""
    with Journal(path, earlier=go_on_with(path, game).lines) as journal:
        referee = Referee(game, ANGLES, journal)
        referee.resume(0)
        for t_ns, told in groupby(facts, key=lambda fact: fact.t_ns):
            referee.take(list(told), t_ns + 1, t_ns + 1)
        return referee.state


def _play(game: Game, journal: Journal, lines: int, rng: random.Random) -> State:
    """Play hands at random, and say what comes of it, until there are so many lines and a hand is over."""
    step = game.start()
    state, t_ns = step.state, 0
    hands: dict[str, list[Card]] = {}
    while True:
        for said in step.said:
            journal.say(said.event, t_ns, t_ns, said.fields)
        if len(journal.lines) >= lines and state.phase is Phase.DEAL:
            return state
        if state.phase is Phase.DEAL:
            hands = _dealt(game, state, rng)
        event = next_event(game, state, hands, [], rng)
        after = game.apply(state, event)
        assert not isinstance(after, Refusal), (event, after)
        if isinstance(event, Played):
            hands[event.seat].remove(event.card)
        step, state, t_ns = after, after.state, t_ns + 1_000 * MS


def _dealt(game: Game, state: State, rng: random.Random) -> dict[str, list[Card]]:
    stock = list(game.pack())
    rng.shuffle(stock)
    return {seat: [stock.pop() for _ in range(state.cards)] for seat in state.players}


def _hand(game: Game, state: State, rng: random.Random) -> Iterator[Fact]:
    """What devices tell of a hand."""
    hands, number, t_ns = _dealt(game, state, rng), 0, 0
    lying: list[int] = []
    hand = state.hand
    while state.hand == hand:
        event: Event = next_event(game, state, hands, [], rng)
        t_ns += 1_500 * MS
        match event:
            case Dealt(seat):
                yield Call(t_ns, t_ns, seat, Gesture.RAP)
            case Bid(seat, bid):
                yield Call(t_ns, t_ns, seat, Gesture.TAPS if bid else Gesture.ZERO, int(bid))
            case Played(seat, card):
                number += 1
                hands[seat].remove(card)
                lying.append(number)
                readings = (Reading(str(card), 0.99),)
                yield CardLanded(t_ns, number, readings, (0.0, 0.0), 0.0, ANGLES[seat], 0.9, number, (), ())
            case TrickTaken(seat):
                for one in lying:
                    yield CardGone(t_ns, one, ANGLES[seat], mark_empty=True)
                lying = []
        after = game.apply(state, event)
        assert not isinstance(after, Refusal), (event, after)
        state = after.state
