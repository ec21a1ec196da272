"""Views of any past moment of a game: from a journal by its lines, from a recording by running it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from table.errors import TableError, convert_errors
from table.events.event_registry import line_sentence
from table.games.engine.game_state import Phase, State
from table.games.engine.ruleset import Bidding
from table.games.game import Game
from table.games.registry import game_begun_by
from table.history.honours import game_honours
from table.i18n.terminal_output import phrase_text
from table.phrase import expected_error, line_place
from table.pipeline import Pipeline
from table.referee.interaction.option_levels import SCREEN_TABLE_REQUESTS
from table.referee.model.moments import PictureOf, find_moments
from table.referee.model.notices import Notice, Tone
from table.referee.model.view import View, find_game_over_ns, make_cards_to_take_back
from table.referee.records.journal import Journal, JournalLine, effective_lines
from table.referee.records.journal_of_hypothesis import JournalSync
from table.sources.recordings.recording import Recording

NOTICE_TONES: dict[str, Tone] = {
    "bids_tied": "ruling",
    "leads_tied": "ruling",
    "revoke": "ruling",
    "corrected": "ruling",
    "hand_rescored": "ruling",
    "bid_refused": "hint",
    "out_of_turn": "hint",
    "asked": "hint",
}
"""The journal events that become notices on the screen, with their tone."""
NOTICE_RESETS = frozenset(("bidding_over", "trick_taken", "hand_started"))
"""The journal events that end all earlier notices."""

IMPORTANT_EVENTS = (
    ("game_over", "revoke", "leads_tied", "bids_tied", "corrected"),
    ("hand_scored", "play_off", "thrown_in"),
    ("out_of_turn", "bid_refused", "bids_revealed"),
    ("bidding_over",),
    ("trick_won",),
    ("dealt",),
)
"""The journal events that change something important; the first ones stay when not all have room."""
EVENT_PRIORITIES = {event: priority for priority, events in enumerate(IMPORTANT_EVENTS) for event in events}
"""Their priorities, 0 the highest."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game: the decisions so far, and the view."""

    now_ns: int
    lines: Sequence[JournalLine]
    """The journal up to this moment."""
    view: Callable[[], View]
    """Makes the view on demand; for a recording only before the next moment is produced."""


# --- by a journal -------------------------------------------------------------------------------------------------


def replay_journal(
    lines: Sequence[JournalLine], picture_of: PictureOf = lambda seq: None
) -> Iterator[Moment]:
    """Yield a moment after each journal line, or after the last of the lines that were decided together.

    Seat positions and announcements outside the journal are unknown: seats are evenly spaced, and notices come from the
    lines' own sentences. ``picture_of``: as of :func:`find_moments`. Raises ``TableError`` for lines that are not a
    game's journal.
    """
    with convert_errors((ValueError, TypeError, KeyError), at=line_place(1)):
        game = game_begun_by(lines[0] if lines else {})
    now_ns = 0
    for number, (line, state) in enumerate(zip(lines, _states_after(game, lines), strict=True), start=1):
        now_ns = max(now_ns, decided_time(line))
        if number == len(lines) or decided_time(lines[number]) > now_ns:
            so_far = lines[:number]
            yield Moment(now_ns, so_far, partial(_make_view, game, state, so_far, now_ns, picture_of))


def decided_time(line: JournalLine) -> int:
    """Return the time at which a line was decided; raise ``TableError`` when the line has none."""
    decided_ns = line.get("decided_ns", line.get("t_ns"))
    if type(decided_ns) is not int:
        raise TableError(
            expected_error("expected.nanoseconds", at=(line_place(line.get("seq", 0)), "decided_ns"))
        )
    return decided_ns


def _states_after(game: Game, lines: Sequence[JournalLine]) -> Iterator[State]:
    """Yield the state after each line; ``TableError`` for one that cannot belong to this game or has no sentence."""
    journal_sync = JournalSync(game, Journal())
    for number, line in enumerate(lines, start=1):
        # any failure of a line that no referee wrote
        with convert_errors(Exception, at=line_place(line.get("seq", number))):
            phrase_text(line_sentence(line))
            journal_sync.read_line(line)
        yield journal_sync.hypothesis.state


def _make_view(
    game: Game, state: State, lines: Sequence[JournalLine], now_ns: int, picture_of: PictureOf
) -> View:
    # Any failure is that of a line that no referee wrote.
    with convert_errors(Exception, at=line_place(len(lines))):
        held = effective_lines(lines)
        held_ids = {id(line) for line in held}
        recent = takewhile(lambda line: line["event"] not in NOTICE_RESETS, reversed(lines))
        notices = (
            Notice(decided_time(line), NOTICE_TONES[line["event"]], line_sentence(line))
            for line in recent
            if line["event"] in NOTICE_TONES and (id(line) in held_ids or line["event"] == "corrected")
        )
        seats = state.seats
        return View(
            game=game,
            state=state,
            expected=game.expected(state),
            seat_angles={seat: (180 + 360 * place / len(seats)) % 360 for place, seat in enumerate(seats)},
            cards_on_mark=make_cards_to_take_back(held),
            notices=tuple(notices),
            now_ns=now_ns,
            moments=find_moments(
                lines, free_bids=game.rules.bidding is Bidding.FREELY, picture_of=picture_of
            ),
            honours=game_honours(lines) if state.phase is Phase.OVER else (),
            game_over_ns=find_game_over_ns(state, lines),
        )


# --- by a recording -----------------------------------------------------------------------------------------------


def replay_recording(recording: Recording) -> Iterator[Moment]:
    """Yield a moment after each delivery of a recording, which runs through the same pipeline as a live table."""
    pipeline = Pipeline(
        recording.config, recording, durable=False, answers=recording.answers, wishes=SCREEN_TABLE_REQUESTS
    )
    for now_ns in pipeline.run():
        yield Moment(now_ns, pipeline.referee.journal.lines, partial(pipeline.view, now_ns))


def most_important_line(lines: Sequence[JournalLine]) -> JournalLine | None:
    """Return the most important of the lines that were decided together, after which a picture is named.

    Of equally important lines the latest is taken; None when none is important. Lines that a correction repeats were
    known before, and are less important than the correction.
    """
    mattering = [line for line in lines if line["event"] in EVENT_PRIORITIES]
    return min(reversed(mattering), key=lambda line: EVENT_PRIORITIES[line["event"]], default=None)


def important_moments(moments: Iterator[Moment]) -> Iterator[tuple[Moment, JournalLine]]:
    """Yield each moment at which something important was decided, with its most important line."""
    seen_count = 0
    for moment in moments:
        line = most_important_line(moment.lines[seen_count:])
        seen_count = len(moment.lines)
        if line is not None:
            yield moment, line
