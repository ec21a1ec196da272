"""Records what a referee is told, call by call, and plays it to another one.

A tape makes the referee's part of a game repeatable without camera, tracking or buttons, so that the referee and
tracking can be changed at the same time and compared apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from table.observed_facts import Fact
from table.referee.referee import Referee
from tests.referee.recorded_facts import KINDS, fact_of, line_of

Row = Mapping[str, Any]
"""A line of a file: plain JSON values."""

METHODS = {"looking": "note_view_since"}
"""The methods of calls that tapes know by another name."""


def fact_row(fact: Fact) -> dict[str, Any]:
    """The fact as plain values; a field that has its default is left out, so that a new one makes no difference."""
    row = line_of(fact)
    defaults = {field.name: field.default for field in fields(KINDS[row["kind"]])}
    return {
        name: value
        for name, value in row.items()
        if name == "kind" or defaults[name] is MISSING or getattr(fact, name) != defaults[name]
    }


class Tape:
    """The calls of one referee's public methods, in order, as rows."""

    def __init__(self, start_ns: int | None = None) -> None:
        """``start_ns``: when the game was opened, where that is not recorded."""
        self.rows: list[Row] = [] if start_ns is None else [{"call": "start", "now_ns": start_ns}]

    def record(self, referee: Referee) -> None:
        """Keep every later call of ``referee``."""

        def wrap(name: str, row_of: Callable[..., Row]) -> None:
            method = METHODS.get(name, name)
            original = getattr(referee, method)

            def recording(*given: Any) -> Any:
                self.rows.append({"call": name, **row_of(*given)})
                return original(*given)

            setattr(referee, method, recording)

        take = referee.take

        def taking(facts: Iterable[Fact], until_ns: int, now_ns: int) -> Sequence[Any]:
            heard = tuple(facts)
            rows = [fact_row(fact) for fact in heard]
            self.rows.append({"call": "take", "facts": rows, "until_ns": until_ns, "now_ns": now_ns})
            return take(heard, until_ns, now_ns)

        referee.take = taking  # type: ignore[method-assign]
        wrap("start", lambda now_ns: {"now_ns": now_ns})
        wrap("looking", lambda since_ns: {"since_ns": since_ns})
        wrap("answer", lambda question, choice, now_ns, by: _answer(question, choice, now_ns, by))

    def play(self, referee: Referee) -> None:
        """Make the recorded calls again, with the values in their order."""
        for row in self.rows:
            given = {name: value for name, value in row.items() if name != "call"}
            if "facts" in given:
                given["facts"] = [fact_of(_of_today(fact)) for fact in given["facts"]]
            name = str(row["call"])
            getattr(referee, METHODS.get(name, name))(*given.values())


def facts_of(rows: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """The facts of a tape, each with the time at which the referee was told (``told_ns``)."""
    for row in rows:
        for fact in row.get("facts", ()):
            yield {**fact, "told_ns": row["now_ns"]}


def _of_today(fact: Row) -> Row:
    """A recorded fact without the fields that facts had when it was recorded and have no more."""
    names = {"kind", *(field.name for field in fields(KINDS[fact["kind"]]))}
    return {name: value for name, value in fact.items() if name in names}


def _answer(question: int, choice: str | None, now_ns: int, by: str) -> Row:
    return {"question": question, "choice": choice, "now_ns": now_ns, "by": by}
