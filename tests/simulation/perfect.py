"""Runs the referee on the error-free facts of a simulated game."""

from __future__ import annotations

from table.observed_facts import END_NS
from table.pipeline import referee_from_config
from table.referee.records.journal import Journal, JournalLine
from table.simulation.players.simulated_game import World


def journal_of(world: World) -> list[JournalLine]:
    """Return the journal of a referee that receives every true call and card fact."""
    referee = referee_from_config(world.config, Journal())
    referee.start(world.start_ns)
    for fact in sorted([*world.calls, *world.card_facts], key=lambda fact: fact.t_ns):
        referee.take((fact,), fact.t_ns, fact.t_ns)
    referee.take((), END_NS, world.end_ns)
    return referee.journal.lines
