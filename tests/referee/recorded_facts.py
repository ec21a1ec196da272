"""Games as facts: what the devices told the referee in a whole game, kept as JSON lines, to be replayed unseen.

``NAME.jsonl`` begins with a line that describes the table (game, options, seats with their angles, when the referee
was started); every further line is one fact with its kind and all its fields, in the order in which they were handed
to the referee, and the clock at that moment (``told_ns``). ``NAME.truth.jsonl`` holds what really happened, as a
recording's ``truth.jsonl`` does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from table.games.registry import make_game
from table.observed_facts import END_NS, Call, CardGone, CardLanded, CardReread, Fact, Gesture, Reading
from table.referee.records.journal import JournalLine
from table.referee.referee import Referee

FOLDER: Final = Path(__file__).parent / "facts"
KINDS: Final[Mapping[str, type[Fact]]] = {
    "call": Call,
    "landed": CardLanded,
    "reread": CardReread,
    "gone": CardGone,
}


@dataclass(frozen=True)
class ReportedFact:
    """A fact, and when it was handed to the referee."""

    told_ns: int
    fact: Fact


@dataclass(frozen=True)
class RecordedGame:
    """A whole game as facts."""

    game: str
    options: Mapping[str, Any]
    angles: Mapping[str, float]
    """The seats in playing order, and where they are."""
    start_ns: int
    """The clock when the referee was started."""
    told: Sequence[ReportedFact]
    """In the order in which they were handed over."""
    truth: Sequence[JournalLine]

    @property
    def facts(self) -> list[Fact]:
        """The facts alone."""
        return [one.fact for one in self.told]


def load(name: str, folder: Path = FOLDER) -> RecordedGame:
    """Read the game ``name``."""
    head, *rest = _lines(folder / f"{name}.jsonl")
    return RecordedGame(
        game=head["game"],
        options=head["options"],
        angles={seat["name"]: seat["angle"] for seat in head["seats"]},
        start_ns=head["start_ns"],
        told=tuple(ReportedFact(line.pop("told_ns"), fact_of(line)) for line in rest),
        truth=_lines(folder / f"{name}.truth.jsonl"),
    )


def replayed(game: RecordedGame, after: Callable[[Referee, int], None] | None = None) -> list[JournalLine]:
    """The journal of a game's facts, each handed over when it was; ``after`` is called after each, with the clock."""
    referee = Referee(make_game(game.game, tuple(game.angles), game.options), game.angles)
    referee.start(game.start_ns)
    now = game.start_ns
    until = END_NS
    known = []
    for report in reversed(game.told):
        known.append(until)
        until = min(until, report.fact.t_ns)
    for report, watermark in zip(game.told, reversed(known), strict=True):
        now = max(now, report.told_ns)
        referee.take([report.fact], watermark, now)
        if after is not None:
            after(referee, now)
    return referee.journal.lines


def save(game: RecordedGame, name: str, folder: Path = FOLDER) -> None:
    """Write ``game`` so that `load` gives the same again."""
    head = {
        "game": game.game,
        "options": dict(game.options),
        "seats": [{"name": name, "angle": angle} for name, angle in game.angles.items()],
        "start_ns": game.start_ns,
    }
    lines = [head, *({"told_ns": one.told_ns, **line_of(one.fact)} for one in game.told)]
    _write(folder / f"{name}.jsonl", lines)
    _write(folder / f"{name}.truth.jsonl", game.truth)


def line_of(fact: Fact) -> dict[str, Any]:
    """A fact with its kind and all its fields, as JSON has them."""
    kind = next(kind for kind, known in KINDS.items() if isinstance(fact, known))
    values = {field.name: _plain(getattr(fact, field.name)) for field in fields(fact)}
    # (What was not told of in the first recordings is left out where it isn't told.)
    if values.get("order_sure", 0.0) is None:
        del values["order_sure"]
    if values.get("unseen_ns") == 0:
        del values["unseen_ns"]
    return {"kind": kind, **values}


def fact_of(line: Mapping[str, Any]) -> Fact:
    """The fact that `line_of` made ``line`` of."""
    values = {name: _TYPED.get(name, _as_is)(value) for name, value in line.items() if name != "kind"}
    return KINDS[line["kind"]](**values)


def _plain(value: Any) -> Any:
    if isinstance(value, Gesture):
        return value.value
    if isinstance(value, Reading):
        return [value.card, value.confidence]
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _as_is(value: Any) -> Any:
    return value


_TYPED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "gesture": Gesture,
    "readings": lambda values: tuple(Reading(*value) for value in values),
    "place_mm": tuple,
    "upon": tuple,
    "overlaps": tuple,
}
"""The fields that JSON has no type for."""


def _lines(path: Path) -> list[JournalLine]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _write(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
