"""Thinking times by a journal: how long each bid and each card took after the action before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from table.observed_facts import MS
from table.referee.records.journal import JournalLine, effective_lines

MAX_THINKING_NS: Final = 180_000 * MS
"""Longer times are left out: the player was not at the table."""
_OPENING_EVENTS: Final = frozenset(
    (
        "hand_started",
        "trump",
        "dealt",
        "pass",
        "trick_taken",
        "joker_named",
        "card_taken_back",
        "cards_passed",
    )
)
"""The events besides bids and cards after which a player can act."""
_ACTION_OF_EVENT: Final[dict[str, Literal["bid", "card"]]] = {"bid": "bid", "card_played": "card"}


@dataclass(frozen=True, slots=True)
class Wait:
    """The thinking time of one action."""

    seat: str
    action: Literal["bid", "card"]
    duration_ns: int


def thinking_times(lines: Iterable[JournalLine]) -> Iterator[Wait]:
    """Return the thinking time of every bid and card that stands in the end, except unseen cards.

    Secret bids are all counted from when bidding opened. ``KeyError`` or ``TypeError`` for a line that lacks or garbles
    a field.
    """
    since_ns: int | None = None
    secret_since: int | None = None
    """The start of the time for secret bids, which stand in the journal once all are in."""
    for line in effective_lines(lines):
        event, t_ns = line["event"], line["t_ns"]
        action = _ACTION_OF_EVENT.get(event)
        start_ns = secret_since if action == "bid" and secret_since is not None else since_ns
        if action is not None and start_ns is not None and line.get("card") != "?":
            duration_ns = t_ns - start_ns
            if 0 <= duration_ns <= MAX_THINKING_NS:
                yield Wait(line["seat"], action, duration_ns)
        if event == "bids_revealed":
            secret_since, since_ns = since_ns, t_ns
        elif event in _OPENING_EVENTS or action == "card":
            secret_since, since_ns = None, t_ns
        elif action == "bid" and secret_since is None:
            since_ns = t_ns
