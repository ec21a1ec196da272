"""What the net runs: each subject has a name from which it can be run again, and gives streams of rows.

``facts`` are the card facts (and, in a game, the calls), ``journal`` the lines with their sentences, ``tape`` what the
referee was told. ``tape`` is not compared itself: the referee is played it again, and the journal compared.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from table.cards import pack
from table.commands.arguments import Parser
from table.commands.demo import PACE
from table.commands.virtual import add_game_options, choose_appearance, make_config, simulate_game
from table.config.settings import TableConfig, load_config
from table.detection.card_detections import CardReader
from table.detection.detector import Detector
from table.events.event_registry import line_sentence
from table.games.registry import GAMES
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.terminal_output import phrase_text
from table.observed_facts import Answer
from table.pipeline import Pipeline, referee_from_config
from table.referee.interaction.option_levels import SCREEN_TABLE_REQUESTS, TableRequest
from table.referee.interaction.questions import find_prepared_answer
from table.referee.records.journal import Journal, JournalLine
from table.referee.referee import Referee
from table.simulation.simulated_source import SimulatedSource
from table.sources.recordings.recording import Recording, open_recording
from table.sources.source import Source
from table.tracking.tracker import CardTracker
from tests.referee.faults.damage import KINDS as FAULTS
from tests.referee.faults.damage import RATE
from tests.referee.faults.games import NONE, Plan, plans, play
from tests.referee.faults.tables import random_table
from tests.same.tape import Row, Tape, fact_row, facts_of
from tests.scenes.kinds import KINDS as SCENES
from tests.scenes.kinds import scene, scenes
from tests.scenes.slips import Slipping
from tests.scenes.watch import detector, watch

Streams = Mapping[str, Sequence[Row]]

TESTS: Final = Path(__file__).parents[1]
SHARED: Final = TESTS.parents[1] / "shared"
RECORDINGS: Final = {"tests": TESTS / "recordings", "shared": SHARED / "recordings"}
FILMS: Final = SHARED / "realvideo"

SCENE_COUNT: Final = 300
SLIPS: Final = 0.3
"""The share of detections that the slipping reader takes for another card."""
FAULT_GAMES: Final = 200
FAULT_SEED: Final = 47


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that is run. ``name`` is ``part/rest``."""

    name: str

    @property
    def part(self) -> str:
        """The kind of subject: a key of `PARTS`."""
        return self.name.partition("/")[0]

    @property
    def rest(self) -> str:
        """Which of its kind."""
        return self.name.partition("/")[2]

    def run(self) -> Streams:
        """Its streams with the code as it stands."""
        return PARTS[self.part](self.rest)

    def replay(self, tape: Sequence[Row]) -> Sequence[Row] | None:
        """The journal that the referee makes of a recorded tape; None where there is no referee."""
        if self.part not in _REFEREES:
            return None
        referee = _REFEREES[self.part](self.rest)
        kept = Tape()
        kept.rows = list(tape)
        kept.play(referee)
        return journal_rows(referee.journal.lines)


def everything(quick: bool) -> list[Subject]:
    """All that can be run on this machine, the longest first; ``quick``: a tenth of it."""
    games = [name for name in GAMES if not quick or name == "oh-hell"]
    demos = [f"demos/{name}" for name in sorted(games, key=lambda name: name != "israeli-whist")]
    kept = [
        f"recordings/{root}/{folder.name}"
        for root, parent in RECORDINGS.items()
        for folder in sorted(parent.glob("*/"))
        if (folder / "table.toml").is_file() and (root == "tests" or not quick)
    ]
    films = [
        f"films/{folder.name}" for folder in sorted(FILMS.glob("*/")) if not quick or "480" in folder.name
    ]
    # By number, so that every kind is among the first.
    chosen = sorted(scenes("tuning"), key=lambda title: title[2])[: len(SCENES) if quick else SCENE_COUNT]
    drawn = [
        f"scenes/{':'.join(map(str, title))}{':slips' if number % 3 == 2 else ''}"
        for number, title in enumerate(chosen)
    ]
    faults = [f"faults/{number}" for number in range(0, FAULT_GAMES, 7 if quick else 1)]
    return [Subject(name) for name in ["words/all", *demos, *kept, *films, *drawn, *faults]]


def journal_rows(lines: Sequence[JournalLine]) -> list[Row]:
    """The lines with the sentence that people read of each."""
    return [{**line, "says": phrase_text(line_sentence(line))} for line in lines]


# --- the parts


@cache
def _reader() -> CardReader:
    return detector()


def _scene(rest: str) -> Streams:
    stream, kind, number, *slips = rest.split(":")
    reader = Slipping(_reader(), SLIPS) if slips else _reader()
    told = watch(scene(stream, kind, int(number)), reader)
    return {"facts": [{**fact_row(report.fact), "told_ns": report.at_ns} for report in told]}


def _film(rest: str) -> Streams:
    folder = FILMS / rest
    config = load_config(folder / "table.toml", menu=True)
    film = Recording(folder, config, next(folder.glob("video.*")), None, ())
    reader = Detector(courts=config.camera.courts, pack=[str(card) for card in pack()])
    sight = CardTracker(config.camera, reader)
    rows = []
    now_ns = 0
    for delivery in film.deliveries():
        if delivery.frame is not None:
            now_ns = delivery.frame.t_ns
            rows += [{**fact_row(fact), "told_ns": now_ns} for fact in sight.see(delivery.frame).facts]
    rows += [{**fact_row(fact), "told_ns": now_ns} for fact in sight.end().facts]
    return {"facts": rows}


def _game(
    config: TableConfig, source: Source, answers: Sequence[Answer], wishes: frozenset[TableRequest]
) -> Streams:
    pipeline = Pipeline(config, source, answers=answers, wishes=wishes)
    tape = Tape()
    tape.record(pipeline.referee)
    for _ in pipeline.run():
        pass
    facts = list(facts_of(tape.rows))
    return {"facts": facts, "journal": journal_rows(pipeline.referee.journal.lines), "tape": tape.rows}


def _recording_at(rest: str) -> Recording:
    root, _, name = rest.partition("/")
    return open_recording(RECORDINGS[root] / name)


def _recording(rest: str) -> Streams:
    recording = _recording_at(rest)
    return _game(recording.config, recording, recording.answers, SCREEN_TABLE_REQUESTS)


def _recording_referee(rest: str) -> Referee:
    recording = _recording_at(rest)
    referee = referee_from_config(recording.config, Journal())
    referee.requests.offered = SCREEN_TABLE_REQUESTS
    if recording.answers:
        referee.answerer = lambda question, t_ns: find_prepared_answer(recording.answers, question, t_ns)
    return referee


def _demo_options(rest: str) -> argparse.Namespace:
    parser = Parser()
    add_game_options(parser)
    return parser.parse_args(["--game", rest])


def _demo(rest: str) -> Streams:
    options = _demo_options(rest)
    config = make_config(options)
    table = SimulatedSource(simulate_game(config, options, PACE), choose_appearance(options))
    return _game(config, table, (), frozenset())


def _demo_referee(rest: str) -> Referee:
    return referee_from_config(make_config(_demo_options(rest)), Journal())


def _plan(rest: str) -> Plan:
    """Half of the games have one kind of fault, half have all mixed; every second has true answers."""
    number = int(rest)
    several = number % 2 == 1
    return plans(number + 1, FAULT_SEED, list(GAMES), (NONE, *FAULTS), RATE, several=several)[number]


def _fault(rest: str) -> Streams:
    tape = Tape(start_ns=0)
    outcome = play(_plan(rest), answers=int(rest) // 2 % 2 == 1, keep=True, record=tape.record)
    return {"journal": journal_rows(outcome.lines), "tape": tape.rows}


def _fault_referee(rest: str) -> Referee:
    plan = _plan(rest)
    game, angles = random_table(plan.game, random.Random(f"{plan.seed}/{plan.number}/table"))
    return Referee(game, angles)


def _words(_: str) -> Streams:
    return {language: list(_entries(language)) for language in languages()}


def _entries(language: str) -> Iterator[dict[str, Any]]:
    for code, entry in sorted(load_catalogue(language).entries.items()):
        yield {"code": code, "text": entry if isinstance(entry, str) else dict(entry)}


PARTS: Final[Mapping[str, Callable[[str], Streams]]] = {
    "words": _words,
    "demos": _demo,
    "recordings": _recording,
    "films": _film,
    "scenes": _scene,
    "faults": _fault,
}
"""How each kind of subject is run."""

_REFEREES: Final[Mapping[str, Callable[[str], Referee]]] = {
    "demos": _demo_referee,
    "recordings": _recording_referee,
    "faults": _fault_referee,
}
"""A new referee for each kind of subject that has a tape."""
