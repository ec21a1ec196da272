"""The error-free facts of a simulated game, and what the referee makes of them."""

from __future__ import annotations

from dataclasses import fields

from table.observed_facts import END_NS, CardFact, CardGone, CardLanded, Reading
from table.pipeline import referee_from_config
from table.referee.records.journal import Journal, JournalLine
from table.simulation.players.game_director import MishapRates
from table.simulation.players.simulated_game import LayAct, World
from table.simulation.rendering.motions_over_time import Lay, Take

NO_MISHAPS = MishapRates(**{rate.name: 0.0 for rate in fields(MishapRates)})
"""No mishaps at all: every act is regular."""


def card_facts(world: World) -> list[CardFact]:
    """Return the landings and departures on the mark, as an error-free tracker would report them."""
    upon = {act.id: act.upon for act in world.acts if isinstance(act, LayAct)}
    facts: list[CardFact] = []
    lying: set[int] = set()
    for motion in world.motions:
        if isinstance(motion, Lay):
            lying.add(motion.id)
            facts.append(
                CardLanded(
                    t_ns=motion.t_ns,
                    id=motion.id,
                    readings=() if motion.card is None else (Reading(motion.card, 1.0),),
                    place_mm=(motion.rest.x, motion.rest.y),
                    angle_deg=motion.rest.angle,
                    arm_deg=motion.seat_deg,
                    arm_sure=1.0,
                    frame=world.clock.first_frame_at(motion.t_ns),
                    upon=upon[motion.id],
                    overlaps=upon[motion.id],
                )
            )
        elif isinstance(motion, Take):
            lying -= set(motion.ids)
            facts += [CardGone(motion.t_ns, card_id, motion.seat_deg, not lying) for card_id in motion.ids]
    return sorted(facts, key=lambda fact: (fact.t_ns, fact.id))


def journal_of(world: World) -> list[JournalLine]:
    """Return the journal of a referee that receives every true call and card fact."""
    referee = referee_from_config(world.config, Journal())
    referee.start(world.start_ns)
    for fact in sorted([*world.calls, *card_facts(world)], key=lambda fact: fact.t_ns):
        referee.take((fact,), fact.t_ns, fact.t_ns)
    referee.take((), END_NS, world.end_ns)
    return referee.journal.lines
