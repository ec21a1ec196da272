"""Moments: what the screen shows large for a few seconds, such as bids turned over or the result of a hand.

Moments are a function of the journal and of what was pressed or played since. Nothing waits for one, and none changes a
decision: it stands where the table would stand, until its time is over or somebody goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, Final, Literal, TypeAlias

from table.events.event_registry import QUESTION_EVENTS
from table.events.event_spec import LineFields
from table.observed_facts import MS

MomentKind: TypeAlias = Literal["bids_tied", "bid", "leads_tied", "bids_revealed", "hand_scored", "game_over"]
"""The journal event that a moment shows; ``bid``: two bids close together, of which the earlier one counts first."""
DURATIONS_NS: Final[Mapping[Any, int]] = {
    "bids_tied": 6_000 * MS,
    "bid": 4_000 * MS,
    "leads_tied": 8_000 * MS,
    "bids_revealed": 3_000 * MS,
    "hand_scored": 8_000 * MS,
    "game_over": 12_000 * MS,
}
"""How long each moment lasts if nobody goes on."""
CLOSE_CALL_NS: Final = 300 * MS
"""Two free bids that began less than this apart are shown with their distance."""
_PASSING_EVENTS: Final = frozenset(("card_taken_back", *QUESTION_EVENTS))
"""The events that end no moment: what a ruling asked for is done, or the table asks something."""

PictureOf: TypeAlias = Callable[[int], bytes | None]
"""Returns the photo finish of the journal line with a number, a JPEG, if there is one."""
Press: TypeAlias = tuple[str, int]
"""A seat, and when it pressed."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something memorable, and when the screen shows it."""

    kind: MomentKind
    since_ns: int
    until_ns: int
    presses: tuple[Press, ...] = ()
    """Who pressed when, of tied bids and of bids close together; the earliest first."""
    picture: bytes | None = None
    """The photo finish of tied leads, a JPEG."""


def find_moments(
    lines: Sequence[LineFields],
    acts: Sequence[int] = (),
    *,
    free_bids: bool = False,
    picture_of: PictureOf = lambda seq: None,
) -> tuple[Moment, ...]:
    """Return the moments of what was decided last, one after the other.

    ``acts``: the stamps of presses and cards, in order; each ends the moment in which it falls. ``free_bids``: whether
    anybody may bid at any time, so that bids may come close together. ``picture_of``: the photo finish of the line with
    a number, if there is one.
    """
    latest = _decided_last(lines)
    if not latest or any(line["event"] == "corrected" for line in latest):
        return ()  # (what a correction writes again has been shown)
    since_ns = int(latest[0]["decided_ns"])
    moments = []
    for line in latest:
        kind, presses = line["event"], _find_presses(line, lines, free_bids=free_bids)
        picture = picture_of(line.get("seq", 0)) if kind == "leads_tied" else None
        needed = {
            "bid": presses,
            "bids_tied": presses,
            "leads_tied": picture,
            "game_over": line.get("winners"),  # (nobody has won where no hand was scored)
        }
        if kind not in DURATIONS_NS or not needed.get(kind, True):
            continue
        until_ns = since_ns + DURATIONS_NS[kind]
        until_ns = next((act for act in acts if since_ns < act < until_ns), until_ns)
        moments.append(Moment(kind, since_ns, until_ns, presses, picture))
        since_ns = until_ns
    return tuple(moments)


def _decided_last(lines: Sequence[LineFields]) -> list[LineFields]:
    """Return the lines that were decided together last, without those that end no moment."""
    latest: list[LineFields] = []
    for line in reversed(lines):
        if latest and line.get("decided_ns") != latest[-1]["decided_ns"]:
            break
        if line["event"] not in _PASSING_EVENTS and "decided_ns" in line:
            latest.append(line)
    return latest[::-1]


def _find_presses(line: LineFields, lines: Sequence[LineFields], *, free_bids: bool) -> tuple[Press, ...]:
    """Return the presses that a line is about, where they lay close together."""
    match line["event"]:
        case "bids_tied" if "presses_ns" in line:
            return tuple(zip(line["seats"], line["presses_ns"], strict=False))
        case "bids_tied" if "spread_ns" in line and len(line["seats"]) == 2:
            first, second = line["seats"]
            return (first, line["t_ns"]), (second, line["t_ns"] + line["spread_ns"])
        case "bid" if free_bids:
            before = next(_bids_before(line, lines), None)
            if before is not None and line["t_ns"] - before["t_ns"] < CLOSE_CALL_NS:
                return (before["seat"], before["t_ns"]), (line["seat"], line["t_ns"])
    return ()


def _bids_before(line: LineFields, lines: Sequence[LineFields]) -> Iterator[LineFields]:
    """Yield the bids of the same hand before ``line``, the latest first."""
    for earlier in dropwhile(lambda later: later is not line, reversed(lines)):
        if earlier["event"] in ("dealt", "hand_started", "corrected"):
            return
        if earlier["event"] == "bid" and earlier is not line:
            yield earlier
