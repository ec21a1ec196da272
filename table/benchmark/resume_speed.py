"""Benchmark of resuming a game in the middle of a long session: a journal of 10,000 lines.

The session is played by the rules alone, at random; the last two hands, whose facts are stored beside the
journal, by a referee that gets each card.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from table.benchmark.rules_speed import SEATS, play_at_random
from table.cards import tricks_of_bid
from table.events.game_events import Bid, Dealt, Played, TrickTaken
from table.games.engine.game_state import Phase, State
from table.games.game import Game
from table.games.registry import make_game
from table.history.archive import find_unfinished_game, resume_game
from table.observed_facts import MS, Call, CardGone, CardLanded, Fact, Gesture, Reading
from table.referee.records.journal import Journal
from table.referee.referee import Referee
from table.system.memory_tuning import suspend_collection

LINES = 10_000
CARDS = 13
LINES_PER_HAND = 80
JOURNAL_NAME = "evening.jsonl"
ANGLES = {seat: 360.0 * place / len(SEATS) for place, seat in enumerate(SEATS)}


RESUME_POINTS = ("between", "trick", "alone")
"""The points at which a power cut may end the session: between two hands, at the last trick of the next one
(when there is most beside the journal), and with only the journal, where the facts beside it are lost."""


class ResumeCost(NamedTuple):
    """The cost of resuming, in seconds of processor time, from each of the three points."""

    lines: int
    between_hands_s: float
    last_trick_s: float
    journal_only_s: float


def measure_resume(lines: int = LINES) -> ResumeCost:
    """Write a journal of at least ``lines`` lines, and measure resuming from it."""
    game = make_long_game(lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = write_journals(folder, lines)
        return ResumeCost(count, *(time_resume(folder / stand, game)[0] for stand in RESUME_POINTS))


def make_long_game(lines: int) -> Game:
    """Make a game of which ``lines`` lines can be played."""
    return make_game("whysteria", SEATS, {"hands": [CARDS] * (lines // LINES_PER_HAND + 4)})


def write_journals(folder: Path, lines: int) -> int:
    """Write the journal of a long game into a folder for each of the three points; return its number of lines."""
    game, rng = make_long_game(lines), random.Random(1)
    between, trick, alone = (folder / stand for stand in RESUME_POINTS)
    alone.mkdir()
    with Journal(alone / JOURNAL_NAME, durable=False) as journal:
        state = _play_hands(game, journal, lines, rng)
        count = len(journal.lines)
    shutil.copytree(alone, between)
    state = _play_on(between / JOURNAL_NAME, game, state, rng)
    shutil.copytree(between, trick)
    _play_on(trick / JOURNAL_NAME, game, state, rng, left_out=len(SEATS))
    return count


@suspend_collection()
def time_resume(folder: Path, game: Game) -> tuple[float, float]:
    """Return the processor time and the wall-clock time, in seconds, of resuming an interrupted game."""
    wall_start_s, cpu_start_s = time.monotonic(), time.process_time()
    unfinished_game = find_unfinished_game(folder, game)
    assert unfinished_game is not None
    with Journal(unfinished_game.path, earlier=unfinished_game.lines) as journal:
        Referee(game, ANGLES, journal).resume(unfinished_game.latest_ns + 1, unfinished_game.stored)
        return time.process_time() - cpu_start_s, time.monotonic() - wall_start_s


def _play_on(path: Path, game: Game, state: State, rng: random.Random, left_out: int = 0) -> State:
    """Resume a journal and play another hand before the referee, without its last ``left_out`` facts; return the
    state of the game.
    """
    unfinished_game = resume_game(path, game)
    start_ns = unfinished_game.latest_ns + 1
    facts = list(_facts_of_hand(game, state, rng, start_ns))
    with Journal(path, earlier=unfinished_game.lines) as journal:
        referee = Referee(game, ANGLES, journal)
        referee.resume(start_ns, unfinished_game.stored)
        for t_ns, facts_at_once in groupby(facts[: len(facts) - left_out], key=lambda fact: fact.t_ns):
            referee.take(list(facts_at_once), t_ns + 1, t_ns + 1)
        return referee.state


def _play_hands(game: Game, journal: Journal, lines: int, rng: random.Random) -> State:
    """Play hands at random and write the journal, until it has ``lines`` lines and a hand is over."""
    start = game.start()
    steps = chain([start], (step for _, step in play_at_random(game, start.state, rng)))
    for number, step in enumerate(steps):
        t_ns = number * 1_000 * MS
        for announcement in step.announcements:
            journal.append(announcement.event, t_ns, t_ns, announcement.fields)
        if len(journal.lines) >= lines and step.state.phase is Phase.DEAL:
            return step.state
    raise AssertionError("the game is too short")


def _facts_of_hand(game: Game, state: State, rng: random.Random, start_ns: int) -> Iterator[Fact]:
    """Yield the facts of a hand that begins at ``start_ns``, as the devices give them."""
    number, t_ns = 0, start_ns
    cards_on_mark: list[int] = []
    for event, step in play_at_random(game, state, rng):
        t_ns += 1_500 * MS
        match event:
            case Dealt(seat):
                yield Call(t_ns, t_ns, seat, Gesture.RAP)
            case Bid(seat, bid):
                yield Call(t_ns, t_ns, seat, Gesture.TAPS if bid else Gesture.ZERO, tricks_of_bid(bid))
            case Played(seat, card):
                number += 1
                cards_on_mark.append(number)
                readings = (Reading(str(card), 0.99),)
                yield CardLanded(t_ns, number, readings, (0.0, 0.0), 0.0, ANGLES[seat], 0.9, number, (), ())
            case TrickTaken(seat):
                for track_id in cards_on_mark:
                    yield CardGone(t_ns, track_id, ANGLES[seat], mark_empty=True)
                cards_on_mark = []
        if step.state.hand != state.hand:
            return
