"""Any moment of a game as the screen shows it: of a journal by its lines, of a recording by playing it once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from table.errors import TableError
from table.events.known import QUESTIONS, event_of, sentence
from table.games.base import Refusal, State
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.phrase import at_line, expected
from table.pipeline import Pipeline
from table.referee.journal import JournalLine, effective
from table.referee.notices import Notice, Tone
from table.referee.resumed import pieces_left
from table.referee.view import Lying, View, over_ns
from table.referee.wishes import AT_THE_TABLE
from table.sources.recording import Recording
from table.words.spoken import text

TOLD: dict[str, Tone] = {
    "bids_tied": "ruling",
    "leads_tied": "ruling",
    "revoke": "ruling",
    "corrected": "ruling",
    "hand_rescored": "ruling",
    "bid_refused": "hint",
    "out_of_turn": "hint",
    "asked": "hint",
}
"""The lines of a journal that the screen says, and in which tone."""
PAST = frozenset(("bidding_over", "trick_taken", "hand_started"))
"""With these lines, what was said before them is over."""

MATTERS = {
    "game_over": 0,
    "revoke": 0,
    "leads_tied": 0,
    "bids_tied": 0,
    "corrected": 0,
    "hand_scored": 1,
    "play_off": 1,
    "thrown_in": 1,
    "out_of_turn": 2,
    "bid_refused": 2,
    "bids_revealed": 2,
    "bidding_over": 3,
    "trick_won": 4,
    "dealt": 5,
}
"""The events of the journal that change what matters, and how soon one is left out where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What had been decided at one moment, and what the screen showed."""

    now_ns: int
    lines: Sequence[JournalLine]
    """The journal up to then."""
    view: Callable[[], View]
    """Made when it is asked for: of a recording before the next moment is."""


# --- by a journal -------------------------------------------------------------------------------------------------


def of_journal(lines: Sequence[JournalLine]) -> Iterator[Moment]:
    """A moment after each line, or after the last of those that were decided together.

    Where people sat and what they heard besides the journal's lines is not known: seats are even, rulings are told by
    the lines' own sentences. ``TableError`` for lines that are of no game.
    """
    told = _Told(_game_of(lines))
    now_ns = 0
    for number, line in enumerate(lines, start=1):
        now_ns = max(now_ns, time_of(line))
        told.take(line)
        if number == len(lines) or time_of(lines[number]) > now_ns:
            yield Moment(
                now_ns, lines[:number], partial(_shown, told.game, told.state, lines[:number], now_ns)
            )


def time_of(line: JournalLine) -> int:
    """When a line was known; ``TableError`` where it does not say so."""
    found = line.get("decided_ns", line.get("t_ns"))
    if type(found) is not int:
        raise TableError(expected("expected.nanoseconds", at=(at_line(line.get("seq", 0)), "decided_ns")))
    return found


def _game_of(lines: Sequence[JournalLine]) -> Game:
    first = lines[0] if lines else {}
    if first.get("event") != "game_started":
        raise TableError(expected("expected.game_started", at=at_line(1)))
    name, seats, options = first.get("game"), first.get("seats"), first.get("options")
    if name not in GAMES or not isinstance(seats, list) or not isinstance(options, dict):
        raise TableError(expected("expected.game_fields", at=at_line(1)))
    try:
        return make_game(name, tuple(map(str, seats)), options)
    except (ValueError, TypeError, KeyError) as error:
        raise TableError(error, at=at_line(1)) from None


class _Told:
    """Where a game stands, by the lines that were told so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        start = game.start().state
        self._states: list[tuple[int, State]] = [(0, start)]
        """The states so far, each with the number of the line that led to it."""

    @property
    def state(self) -> State:
        """Where it stands now."""
        return self._states[-1][1]

    def take(self, line: JournalLine) -> None:
        """One line more; ``TableError`` where it can't be of this game, or says nothing that can be told."""
        number = line.get("seq", self._states[-1][0] + 1)
        try:
            text(sentence(line))
        except Exception as error:  # whatever its words stumble over in a line that no referee wrote
            raise TableError(error, at=at_line(number)) from None
        if line["event"] == "corrected":
            since = line.get("since")
            if type(since) is not int:
                raise TableError(expected("expected.line", at=(at_line(number), "since")))
            while len(self._states) > 1 and self._states[-1][0] >= since:
                self._states.pop()
            return
        if line["event"] in QUESTIONS:
            return
        try:
            event = event_of(line)
            if event is None:
                return
            step = self.game.apply(self.state, event)
        except Exception as error:  # whatever the rules stumble over in a line that no referee wrote
            raise TableError(error, at=at_line(number)) from None
        if isinstance(step, Refusal):
            raise TableError("journal.impossible", at=at_line(number), event=line["event"], why=step.why)
        self._states.append((number, step.state))


def _shown(game: Game, state: State, lines: Sequence[JournalLine], now_ns: int) -> View:
    """The screen after ``lines``, where they led to ``state``; ``TableError`` where one of them can't be shown."""
    try:
        return _view(game, state, lines, now_ns)
    except Exception as error:  # whatever the screen stumbles over in a line that no referee wrote
        raise TableError(error, at=at_line(len(lines))) from None


def _view(game: Game, state: State, lines: Sequence[JournalLine], now_ns: int) -> View:
    """The screen after ``lines``, where they led to ``state``."""
    lying = tuple(
        Lying(number, piece.card, piece.seat, "go back", (0.0, 0.0), 0.0, piece.confidence)
        for number, piece in enumerate(pieces_left(state, lines), start=1)
        if piece.kind == "back"
    )
    held = {id(line) for line in effective(lines)}
    recent = takewhile(lambda line: line["event"] not in PAST, reversed(lines))
    notices = (
        Notice(time_of(line), TOLD[line["event"]], sentence(line))
        for line in recent
        if line["event"] in TOLD and (id(line) in held or line["event"] == "corrected")
    )
    seats = game.seats
    return View(
        game=game,
        state=state,
        expected=game.expected(state),
        angles={seat: (180 + 360 * at / len(seats)) % 360 for at, seat in enumerate(seats)},
        lying=lying,
        notices=tuple(notices),
        now_ns=now_ns,
        over_ns=over_ns(state, lines),
    )


# --- by a recording -----------------------------------------------------------------------------------------------


def of_recording(recording: Recording) -> Iterator[Moment]:
    """A moment after each of its deliveries, by the path of a live table."""
    pipeline = Pipeline(
        recording.config, recording, durable=False, answers=recording.answers, wishes=AT_THE_TABLE
    )
    for now_ns in pipeline.run():
        yield moment_of(pipeline, now_ns)


def moment_of(pipeline: Pipeline, now_ns: int) -> Moment:
    """This very moment of a game under way."""
    return Moment(now_ns, pipeline.referee.journal.lines, partial(pipeline.view, now_ns))


def what_matters(lines: Sequence[JournalLine]) -> JournalLine | None:
    """The line that a picture is named after, of those that were known at once: they are all in the one picture.

    The one that matters most, and of these the latest; None where none matters. What a correction says again was known
    before, and matters less than the correction.
    """
    mattering = [line for line in lines if line["event"] in MATTERS]
    return min(reversed(mattering), key=lambda line: MATTERS[line["event"]], default=None)


def mattering(moments: Iterator[Moment]) -> Iterator[tuple[Moment, JournalLine]]:
    """Each moment at which something that matters was known, with the line of it that matters most."""
    told = 0
    for moment in moments:
        line = what_matters(moment.lines[told:])
        told = len(moment.lines)
        if line is not None:
            yield moment, line
