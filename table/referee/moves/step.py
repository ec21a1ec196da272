"""One step of the search: the observation that hypotheses are expanded by, in the context of the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from table.events.event_spec import Announcement
from table.events.game_events import Event
from table.games.engine.game_state import Refusal
from table.games.game import Game
from table.observed_facts import CardGone, CardLanded
from table.referee.model.beam import BeamBuilder
from table.referee.model.event_costs import ArmEvidence, arm_evidence
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.notices import Notice, Tone, make_notice
from table.referee.model.observations import CardsLanded, Observation
from table.referee.model.search_context import SearchContext

PERSON_ERROR = 1e-7
"""The probability that a person errs about whose a card is: nearly never."""


@dataclass(frozen=True, slots=True)
class Step:
    """The expansion of hypotheses by one observation: what each function of this package is given beside them."""

    context: SearchContext
    observation: Observation
    beam: BeamBuilder
    """Collects what follows from all hypotheses, and knows what is not worth generating."""
    t_ns: int
    """The stamp of the entries that are made."""

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.context.game

    @property
    def unobserved(self) -> bool:
        """Whether the cards landed in no frame: when the camera restarted, or went on after a gap."""
        return isinstance(self.observation, CardsLanded) and self.observation.unobserved

    def at(self, t_ns: int) -> Step:
        """Return the same step with another stamp, for one of several cards."""
        return self if t_ns == self.t_ns else replace(self, t_ns=t_ns)

    def is_too_costly(self, hypothesis: Hypothesis, nats: float = 0.0) -> bool:
        """Return whether a hypothesis that costs ``nats`` more is not worth following."""
        return hypothesis.cost + nats > self.beam.max_cost

    def arm_evidence(self, fact: CardLanded | CardGone, hypothesis: Hypothesis) -> ArmEvidence:
        """Return the evidence for whose arm brought or took a card; what people have said of its owner comes first."""
        players, angles = hypothesis.state.players, self.context.angles
        pinned = self.context.pins.seats.get(fact.id) if isinstance(fact, CardLanded) else None
        if pinned is not None:
            return ArmEvidence({seat: 1.0 if seat == pinned else PERSON_ERROR for seat in players})
        return arm_evidence(fact, tuple((seat, angles[seat]) for seat in players) if angles else ())

    def notice(self, tone: Tone, code: str, *seats: str | None, **fields: object) -> Notice:
        """Build a notice with the stamp of the step."""
        return make_notice(self.t_ns, tone, code, *seats, **fields)

    def apply(
        self,
        hypothesis: Hypothesis,
        event: Event,
        *,
        extra: Mapping[str, Any] | None = None,
        card_id: int | None = None,
        notices: Iterable[Notice] = (),
    ) -> Hypothesis | Refusal:
        """Return the hypothesis after an event of the game, or the refusal; as `Hypothesis.apply_event`."""
        return hypothesis.apply_event(
            self.game,
            event,
            self.t_ns,
            extra=extra,
            observation_number=self.observation.number,
            card_id=card_id,
            notices=tuple(notices),
        )

    def add_remark(
        self,
        hypothesis: Hypothesis,
        said: Announcement | None,
        *notices: Notice,
        card_id: int | None = None,
    ) -> Hypothesis:
        """Return the hypothesis after a journal line, notices, or both, that change no state."""
        lines = (said,) if said is not None else ()
        number = self.observation.number
        return hypothesis.add_entry(
            said, lines, self.t_ns, observation_number=number, card_id=card_id, notices=notices
        )
