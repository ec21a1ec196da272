"""The referee with perfect eyes and ears: what it makes of a virtual game of which nothing is lost."""

from __future__ import annotations

from table.facts import END_NS
from table.pipeline import referee_of
from table.referee.journal import Journal, JournalLine
from table.virtual.world import World


def journal_of(world: World) -> list[JournalLine]:
    """The journal of a referee who is told every call and every card as it was."""
    referee = referee_of(world.config, Journal())
    referee.start(world.start_ns)
    for fact in sorted([*world.calls, *world.cards], key=lambda fact: fact.t_ns):
        referee.take((fact,), fact.t_ns, fact.t_ns)
    referee.take((), END_NS, world.end_ns)
    return referee.journal.lines
