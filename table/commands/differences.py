"""Where the table was wrong about a game whose truth is known: what happened and what it made of it, in sentences."""

from __future__ import annotations

from typing import Any

from table.check import Gap
from table.display.words import bid_sign, card_sign, listed, sentence
from table.events.known import NOT_COMPARED
from table.referee.journal import Line


def told(gap: Gap) -> list[tuple[int, str]]:
    """Each difference of a gap in order: when (in nanoseconds, by the truth where it stands there) and what, in words.

    An event is set beside the one of its kind, and of the same player if there is one, that the table wrote instead.
    """
    left = list(gap.journal)
    found: list[tuple[int, str]] = []
    for happened in gap.truth:
        instead = _instead(happened, left)
        if instead is None:
            made = "The table missed it."
        else:
            left.remove(instead)
            made = f"The table made of it: {_apart(happened, instead)}"
        found.append((happened["t_ns"], f"What happened: {sentence(happened)} {made}"))
    for wrong in left:
        found.append((wrong["t_ns"], f"The table wrote: {sentence(wrong)} That did not happen."))
    return sorted(found, key=lambda one: one[0])


def _instead(happened: Line, left: list[Line]) -> Line | None:
    same = [line for line in left if line["event"] == happened["event"]]
    own = [line for line in same if line.get("seat") == happened.get("seat")]
    return next(iter(own or same), None)


def _apart(happened: Line, instead: Line) -> str:
    """The sentence of what the table wrote; where that says the same, the fields that differ."""
    if sentence(instead) != sentence(happened):
        return sentence(instead)
    names = [name for name in happened if name not in NOT_COMPARED and happened[name] != instead.get(name)]
    if not names:
        return "the same, but at another place in the game."
    return f"the same, but for {listed(f'{name} ({_plain(instead.get(name))})' for name in names)}."


def _plain(value: Any) -> str:
    """A field's value in words."""
    if isinstance(value, dict) and set(value) == {"seat", "card"}:
        return f"{value['seat']}'s {card_sign(value['card'])}"
    if isinstance(value, dict):
        return ", ".join(f"{seat} {_plain(one)}" for seat, one in value.items())
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    return "nothing" if value is None else bid_sign(value) if isinstance(value, int | str) else str(value)
