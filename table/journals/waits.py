"""How long each bid and each card took, by a journal: from what happened before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from table.facts import MS
from table.referee.journal import JournalLine, effective

LONGEST_NS: Final = 180_000 * MS
"""Who took longer was not at the table."""
_OPENS: Final = frozenset(
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
"""What lets somebody act, besides bids and cards."""
_KINDS: Final[dict[str, Literal["bid", "card"]]] = {"bid": "bid", "card_played": "card"}


@dataclass(frozen=True, slots=True)
class Wait:
    """An action, and the time that it took."""

    seat: str
    what: Literal["bid", "card"]
    ns: int


def waits(lines: Iterable[JournalLine]) -> Iterator[Wait]:
    """Every bid and card that stands in the end, but for those that nobody saw.

    Bids in secret are all counted from when bidding opened. ``KeyError`` or ``TypeError`` for a line that lacks or
    garbles a field.
    """
    since: int | None = None
    counted: int | None = None
    """When the count for bids in secret began; they are told once all are in."""
    for line in effective(lines):
        event, t_ns = line["event"], line["t_ns"]
        kind = _KINDS.get(event)
        began = counted if kind == "bid" and counted is not None else since
        if kind is not None and began is not None and line.get("card") != "?":
            took = t_ns - began
            if 0 <= took <= LONGEST_NS:
                yield Wait(line["seat"], kind, took)
        if event == "bids_revealed":
            counted, since = since, t_ns
        elif event in _OPENS or kind == "card":
            counted, since = None, t_ns
        elif kind == "bid" and counted is None:
            since = t_ns
