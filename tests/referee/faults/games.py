"""One game of the bench, and many of them."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from table.games.engine.game_state import Phase
from table.observed_facts import MS, Fact
from table.referee.records.journal import JournalLine
from table.referee.referee import Referee
from tests.referee.faults.answers import true_answer
from tests.referee.faults.damage import RATE, TIED, Camera, Fault
from tests.referee.faults.eye import Eye
from tests.referee.faults.measure import Hand, judge
from tests.referee.faults.people import FaultyTable, Players
from tests.referee.faults.tables import random_table
from tests.referee.faults.truth import Truth
from tests.referee.faults.world import World

HURRY = 0.7
MOST_HANDS = 16
MOST_ACTS = 6_000
MOST_SECONDS = 120
"""A referee that takes longer for a game never ends."""
TIES = "whysteria"
"""The one game in which leads can tie."""
NONE = "none"
SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class Plan:
    """Which game is played, and what goes wrong in it."""

    seed: int
    number: int
    game: str
    fault: str
    """A kind, ``none`` or ``several``."""
    kinds: tuple[str, ...]
    rate: float = RATE
    hurry: float = HURRY


@dataclass(slots=True)
class Outcome:
    """What came of a game once played."""

    hands: list[Hand] = field(default_factory=list)
    asked: int = 0
    asked_without: int = 0
    """Questions where nothing had gone wrong in this hand and the one before ..."""
    asked_revoke: int = 0
    """... but that somebody has really revoked in the trick that is asked about, or laid the proof to it."""
    lost: bool = False
    broken: str | None = None
    longest_take_s: float = 0.0
    """The most processor time that the referee took at once."""
    facts: list[Fact] = field(default_factory=list)
    lines: list[JournalLine] = field(default_factory=list)
    truth: Truth | None = None
    faults: list[Fault] = field(default_factory=list)


def plans(
    games: int, seed: int, names: Sequence[str], kinds: Sequence[str], rate: float, *, several: bool
) -> list[Plan]:
    """The games of a run: every game with every kind in turn, or with all of them at once."""
    found = []
    for number in range(games):
        name = names[number % len(names)]
        kind = SEVERAL if several else kinds[number // len(names) % len(kinds)]
        if kind in TIED and TIES in names:
            name = TIES
        mixed = tuple(one for one in (kinds if several else (kind,)) if one != NONE)
        found.append(Plan(seed, number, name, kind, mixed, rate))
    return found


def play(
    plan: Plan, *, answers: bool, keep: bool = False, record: Callable[[Referee], None] = lambda referee: None
) -> Outcome:
    """Play one game.

    ``answers``: whoever is asked answers truly. ``keep``: the outcome keeps all that was told. ``record`` is given the
    referee when its game has been opened.
    """
    key = f"{plan.seed}/{plan.number}"
    game, angles = random_table(plan.game, random.Random(f"{key}/table"))
    truth = Truth(game)
    referee = Referee(game, angles)
    world = World(
        referee, (lambda line: true_answer(truth, referee.journal.lines, line)) if answers else None
    )
    record(referee)
    eye = Eye(world, angles, random.Random(f"{key}/eye"))
    camera = Camera(
        world, eye, game.pack(), random.Random(f"{key}/faults"), plan.kinds, plan.rate, lambda: truth.moment
    )
    seed = random.Random(f"{key}/people").randrange(2**32)
    table = FaultyTable(truth, world, camera, angles, seed, f"{key}/deal")
    players = Players(table, plan.hurry)
    outcome = Outcome()

    def asked(line: JournalLine) -> None:
        outcome.asked += 1
        hand = len(truth.hands) - 1
        if not any(fault.hand >= hand - 1 for fault in camera.faults):
            revoked = _revoked(truth, line)
            outcome.asked_revoke += revoked
            outcome.asked_without += not revoked

    world.on_asked = asked
    finished = 0
    try:
        with _ends():
            finished = _play(players, world, truth, outcome)
    except AssertionError as error:
        if _in_bench(error):
            raise
        outcome.broken = _told(error)
    except Exception as error:
        outcome.broken = _told(error)
    outcome.longest_take_s = world.longest_take_s
    outcome.hands = judge(truth, referee.journal.lines, camera.faults, finished)
    if keep:
        outcome.facts, outcome.lines, outcome.truth = world.facts, referee.journal.lines, truth
        outcome.faults = camera.faults
    return outcome


def _play(players: Players, world: World, truth: Truth, outcome: Outcome) -> int:
    """Play to the end; how many hands were finished."""
    hands = len(truth.hands)
    for _ in range(MOST_ACTS):
        players.act()
        over = truth.state.phase is Phase.OVER
        if over or len(truth.hands) > hands:
            finished, hands = len(truth.hands) - (not over), len(truth.hands)
            world.advance(max(world.now_ns, players.table.camera.busy_ns) + 1_000 * MS)
            world.hear_answers()
            if not _together(world, truth):
                players.table.heed.looks()
            if not _together(world, truth):
                world.advance(world.now_ns + 62_000 * MS)
                world.hear_answers()
            outcome.lost = not _together(world, truth)
            if over or outcome.lost or finished >= MOST_HANDS:
                world.advance(world.now_ns + 62_000 * MS)
                return finished
    raise AssertionError("the bench's own game has no end")


def _revoked(truth: Truth, question: JournalLine) -> bool:
    """Whether somebody has really revoked in the trick that is asked about, or laid the proof to it."""
    told = [one for hand in truth.hands if hand.before.hand == question["hand"] for one in hand.lines]
    return any(
        line["event"] == "revoke" and question["trick"] in (line["trick"], part) for part, line in told
    )


def _together(world: World, truth: Truth) -> bool:
    """Whether the table is where the game is, between two hands."""
    shown, true = world.referee.state, truth.state
    return (shown.phase, shown.hand, shown.dealer, shown.players, shown.cards) == (
        true.phase,
        true.hand,
        true.dealer,
        true.players,
        true.cards,
    )


def _told(error: BaseException) -> str:
    """What was raised, and where."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return f"{type(error).__name__}: {error}"
    code = trace.tb_frame.f_code
    return f"{type(error).__name__} in {code.co_qualname if hasattr(code, 'co_qualname') else code.co_name}: {error}"


def _in_bench(error: BaseException) -> bool:
    """Whether the bench itself has failed, and not the referee."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and Path(trace.tb_frame.f_code.co_filename).parent == Path(__file__).parent


class EndlessError(Exception):
    """The referee didn't end."""


@contextmanager
def _ends() -> Iterator[None]:
    """Raises ``EndlessError`` when the game takes far too long."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise EndlessError(f"no end after {MOST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def answering() -> bool:
    """Whether the referee takes answers."""
    return hasattr(Referee, "answer")


def play_both(plan: Plan) -> tuple[Outcome, Outcome]:
    """A game with nobody answering, and the same with true answers."""
    silent = play(plan, answers=False)
    return silent, play(plan, answers=True) if answering() else silent
