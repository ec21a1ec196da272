"""Short hands for telling a game's story in a test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from table.cards import bid_to_json, card
from table.events.event_spec import Announcement, Play
from table.events.game_events import (
    Bid,
    Dealt,
    Event,
    LeadsTied,
    Played,
    TakenBack,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.game_state import Expected, Phase, Refusal, State
from table.games.registry import make_game

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("vectors.json").read_text())


class Story:
    """A game that is told event by event; seats are named by single letters."""

    def __init__(self, name: str, seats: str = "ABC", **options: Any) -> None:
        game = make_game(name, list(seats), options)
        self.game = game
        self.said: list[Announcement] = []
        self.state: State
        step = game.start()
        self.state, self.said = step.state, list(step.announcements)

    def does(self, *events: Event) -> list[Announcement]:
        """Events that are possible; what the last one said."""
        said: list[Announcement] = []
        for event in events:
            step = self.game.apply(self.state, event)
            assert not isinstance(step, Refusal), (event, step)
            self.state = step.state
            said = list(step.announcements)
            self.said += said
        return said

    def refuses(self, event: Event) -> Refusal:
        """An event that is not possible."""
        step = self.game.apply(self.state, event)
        assert isinstance(step, Refusal), step
        return step

    def expected(self) -> Expected:
        return self.game.expected(self.state)

    def phase(self) -> Phase:
        return self.state.phase

    def deals(self, turned: str | None = None) -> list[Announcement]:
        """The dealer raps, after laying the turned card."""
        if turned:
            self.does(TurnedUp(card(turned)))
        return self.does(Dealt(self.state.dealer))

    def bids(self, told: str) -> list[Announcement]:
        """``bids("A2 B0")``."""
        return self.does(*(Bid(one[0], int(one[1:])) for one in told.split()))

    def plays(self, told: str) -> list[Announcement]:
        """``plays("A:9C B:10D")``; what the last card said."""
        return self.does(*(Played(one[0], card(one[2:])) for one in told.split()))

    def trick(self, told: str) -> list[Announcement]:
        """The cards of a whole trick, and its taking."""
        self.plays(told)
        return self.trick_taken()

    def trick_taken(self) -> list[Announcement]:
        """Its winner picks up the trick."""
        winner = self.state.trick.winner
        assert winner is not None
        return self.does(TrickTaken(winner))

    def takes_back(self, told: str) -> list[Announcement]:
        return self.does(TakenBack(told[0], card(told[2:])))

    def leads_tie(self, kept: str | None, *back: str) -> list[Announcement]:
        def play(told: str) -> Play:
            return Play(told[0], card(told[2:]))

        return self.does(LeadsTied(play(kept) if kept else None, tuple(play(one) for one in back)))

    def scored(self) -> list[Mapping[str, Any]]:
        return [one.fields for one in self.said if one.event == "hand_scored"]


def events(said: list[Announcement]) -> list[str]:
    return [one.event for one in said]


def legal(story: Story, seat: str) -> list[int | str]:
    return [bid_to_json(bid) for bid in story.game.legal_bids(story.state, seat)]
