"""Exports the facts of a game: ``python -m tests.simulation.export_facts DIR [--recording FOLDER | ...]``.

No test: replays a recording that has a ``truth.jsonl``, or plays what ``cardtable demo`` plays with the same options,
and writes all the facts that the referee was handed into ``DIR/NAME.jsonl`` (the recording's name, or ``GAME-SEED``),
with the truth beside it, for tests that need no picture (`tests.referee.recorded_facts`). Prints how the journal
differs from the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from table.commands.arguments import Parser
from table.commands.demo import PACE
from table.commands.virtual import add_game_options, choose_appearance, make_config, simulate_game
from table.history.truth_comparison import compare
from table.i18n.terminal_output import phrase_text
from table.pipeline import Pipeline
from table.referee.records.journal import JournalLine, read_lines
from table.simulation.simulated_source import SimulatedSource
from table.sources.recordings.recording import open_recording
from table.sources.source import Source
from tests.referee.recorded_facts import RecordedGame, ReportedFact, fact_of, save
from tests.same.tape import Tape, facts_of


def main() -> None:
    """Play a game, store its facts and compare the journal with the truth."""
    parser = Parser(description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("--recording", metavar="FOLDER", type=Path, help="replay this instead of playing")
    add_game_options(parser)
    arguments = parser.parse_args()
    source: Source
    truth: Sequence[JournalLine]
    if arguments.recording is not None:
        source = open_recording(arguments.recording)
        config, truth, name = source.config, read_lines(source.truth_path), source.folder.resolve().name
    else:
        config = make_config(arguments)
        world = simulate_game(config, arguments, PACE)
        source, truth, name = (
            SimulatedSource(world, choose_appearance(arguments)),
            world.truth,
            f"{config.game}-{arguments.seed}",
        )
    pipeline = Pipeline(config, source)
    referee = pipeline.referee
    tape = Tape()
    tape.record(referee)
    for _ in pipeline.run():
        pass
    told = [ReportedFact(row.pop("told_ns"), fact_of(row)) for row in facts_of(tape.rows)]
    angles = {seat.name: seat.angle for seat in config.seats}
    start_ns = int(referee.journal.lines[0]["decided_ns"])
    arguments.folder.mkdir(parents=True, exist_ok=True)
    save(RecordedGame(config.game, config.options, angles, start_ns, told, truth), name, arguments.folder)
    comparison = compare(truth, referee.journal.lines)
    print(f"{name}: {phrase_text(comparison.summary())}")
    for difference in comparison.differences:
        print("   ", difference)


if __name__ == "__main__":
    main()
