"""The change that an event makes to a game, while its handler applies it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.cards import Card
from table.events.event_registry import announcement_of
from table.events.event_spec import Announcement
from table.events.game_events import Event
from table.games.engine.game_state import RefusedError, State
from table.games.engine.whose_turn import Turns


class Change:
    """The state as changed so far, and the journal lines announced so far, the event's own line first."""

    def __init__(self, turns: Turns, state: State) -> None:
        self.turns = turns
        self.rules = turns.rules
        self.state = state
        self.announcements: list[Announcement] = []

    def announce(self, event: Event, **added: Any) -> None:
        """Announce an event's own line; ``added``: the fields that the rules add."""
        self.announcements.append(announcement_of(event, **added))

    def announce_line(self, name: str, **fields: Any) -> None:
        """Announce a line that follows from the event."""
        self.announcements.append(Announcement(name, fields))

    def refused_now(self, code: str, why: str = "", /, **fields: object) -> RefusedError:
        """Return the error of a refusal that says what the table waits for."""
        return RefusedError(code, why, **fields, waits=self.turns.awaited_action_phrase(self.state))

    def wrong_phase(self, why: str, **fields: object) -> RefusedError:
        """Return the error of an event that is impossible in this phase, with what the table waits for."""
        code = "not_dealt" if self.state.phase.is_deal else "wrong_phase"
        return RefusedError(code, why, waits=self.turns.awaited_action_phrase(self.state), **fields)


# --- checks of event values: events come from journals and people, and may hold anything -------------------------


def all_distinct(values: Sequence[object]) -> bool:
    """Return whether no value occurs twice (values of any kind)."""
    return all(value not in values[:index] for index, value in enumerate(values))


def values_by_seat(pairs: object) -> dict[str, Any]:
    """Return bids or points by seat; empty where the value is not a tuple of seats and values."""
    if not isinstance(pairs, tuple) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        return {}
    return {seat: value for seat, value in pairs if isinstance(seat, str)}


def unknown_card(card: object) -> RefusedError:
    """Return the error of a card that is not in the pack."""
    return RefusedError("no_such_card", card=card if isinstance(card, Card) else str(card))
