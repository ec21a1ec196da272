"""The referee with perfect eyes and ears: what it makes of a virtual game of which nothing is lost."""

from __future__ import annotations

from table.facts import END_NS, MS
from table.games.registry import make_game
from table.referee.desk import Times
from table.referee.journal import Journal, Line
from table.referee.referee import Referee
from table.virtual.world import World


def journal_of(world: World) -> list[Line]:
    """The journal of a referee who is told every call and every card as it was."""
    config = world.config
    times = Times(
        bid_tie_ns=config.buttons.tie_window_ms * MS,
        lead_tie_ns=config.camera.tie_window_ns,
        tap_gap_ns=config.buttons.tap_gap_ms * MS,
        dial_ns=config.buttons.dial_ms * MS,
    )
    game = make_game(config.game, config.names, config.options)
    referee = Referee(game, {seat.name: seat.angle for seat in config.seats}, Journal(), times)
    referee.start(world.start_ns)
    facts = sorted([*world.calls, *world.cards], key=lambda fact: fact.t_ns)
    for fact in facts:
        referee.take((fact,), fact.t_ns, fact.t_ns)
    referee.take((), END_NS, world.end_ns)
    return referee.journal.lines
