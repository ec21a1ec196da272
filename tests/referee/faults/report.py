"""The bench's tables: what came of the games, by fault and by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from tests.referee.faults.games import NONE, Outcome, Plan

HEAD = (
    ("games", "games played"),
    ("hands", "hands finished"),
    ("faults", "faults in them"),
    (
        "fit",
        "of these: all that was seen fits a faultless game",
    ),
    ("off", "hands off the rails: an event wrong later than the trick after the faulty one"),
    ("off*", "... as in a faultless game that looked the same (a double); with ^: in one with a revoke more"),
    ("off^", ""),
    ("wrong", "wrong scores with nobody answering; * and ^ as above"),
    ("wrong*", ""),
    ("wrong^", ""),
    ("off,a", "hands off the rails with true answers"),
    ("wrong,a", "wrong scores with true answers"),
    ("wrong*,a", ""),
    ("wrong^,a", ""),
    ("unnamed", "cards called ? with nobody answering"),
    ("asked", "questions with nobody answering"),
    ("asked,0", "questions where nothing was wrong in this hand and the one before"),
    ("asked,^", "... but that a revoke had really been made, or proved, in the trick that is asked about"),
    ("asked,a", "questions with true answers"),
    ("lost", "games in which the table was somewhere else after a hand; their other hands are not played"),
    ("lost,a", "the same with true answers"),
    ("broken", "games in which the referee raised, or didn't end (either way of answering)"),
)


@dataclass(slots=True)
class Tally:
    """Sums over some games; ``_a``: with true answers."""

    games: int = 0
    hands: int = 0
    faults: int = 0
    fit: int = 0
    off: int = 0
    off_double: int = 0
    off_revoke: int = 0
    wrong: int = 0
    wrong_double: int = 0
    wrong_revoke: int = 0
    off_a: int = 0
    wrong_a: int = 0
    wrong_double_a: int = 0
    wrong_revoke_a: int = 0
    unnamed: int = 0
    asked: int = 0
    asked_without: int = 0
    asked_revoke: int = 0
    asked_a: int = 0
    lost: int = 0
    lost_a: int = 0
    broken: int = 0

    def add(self, other: Tally) -> None:
        """Add another sum."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def count(self, name: str, happened: bool) -> None:
        """Add one to a sum, if it happened."""
        setattr(self, name, getattr(self, name) + happened)

    def row(self) -> tuple[int, ...]:
        """The numbers in the order of ``HEAD``."""
        return tuple(getattr(self, one.name) for one in fields(self))


def tally(silent: Outcome, answered: Outcome) -> Tally:
    """One game's sums."""
    found = Tally(games=1)
    found.broken = int(silent.broken is not None or answered.broken is not None)
    found.lost, found.lost_a = int(silent.lost), int(answered.lost)
    found.asked, found.asked_a = silent.asked, answered.asked
    found.asked_without, found.asked_revoke = silent.asked_without, silent.asked_revoke
    for hand in silent.hands:
        found.hands += 1
        found.faults += len(hand.faults)
        found.fit += hand.fitting
        found.unnamed += hand.verdict.unnamed
        suffix = f"_{hand.like}" if hand.like else ""
        found.count(f"off{suffix}", hand.verdict.off)
        found.count(f"wrong{suffix}", hand.verdict.wrong_score)
    for hand in answered.hands:
        suffix = f"_{hand.like}" if hand.like else ""
        found.count("off_a", hand.verdict.off and not suffix)
        found.count(f"wrong{suffix}_a", hand.verdict.wrong_score)
    return found


def ailing(told: Tally) -> str | None:
    """What is worth looking into in a game's sums; None for nothing."""
    worth = ("off", "wrong", "off_a", "wrong_a", "asked_without", "lost", "lost_a", "broken")
    found = [f"{name} {number}" for name in worth if (number := getattr(told, name))]
    return ", ".join(found) or None


@dataclass(slots=True)
class Report:
    """Everything that is told in the end."""

    by: dict[tuple[str, str], Tally] = field(default_factory=dict)
    """Fault and game."""
    broken: Counter[str] = field(default_factory=Counter)

    def add(self, plan: Plan, told: Tally, broken: Iterable[str]) -> None:
        """Add a game."""
        self.by.setdefault((plan.fault, plan.game), Tally()).add(told)
        self.broken.update(broken)

    def text(self) -> str:
        """The tables."""
        kinds = list(dict.fromkeys(kind for kind, _ in self.by))
        games = list(dict.fromkeys(game for _, game in self.by))
        rows = [("fault", *(name for name, _ in HEAD))]
        rows += [(kind, *map(str, self._sum(kind, None).row())) for kind in kinds]
        faulty = Tally()
        for kind in kinds:
            if kind != NONE:
                faulty.add(self._sum(kind, None))
        rows.append(("all faults", *map(str, faulty.row())))
        parts = [_table(rows)]
        if len(games) > 1:
            rows = [("game, all faults", *(name for name, _ in HEAD))]
            for game in games:
                found = Tally()
                for kind in kinds:
                    if kind != NONE:
                        found.add(self.by.get((kind, game), Tally()))
                rows.append((game, *map(str, found.row())))
            parts.append(_table(rows))
            rows = [("off + wrong of hands (100 faults)", *games)]
            rows += [(kind, *(_cell(self.by.get((kind, game))) for game in games)) for kind in kinds]
            parts.append(_table(rows))
        parts.append("\n".join(f"{name}: {means}" for name, means in HEAD if means))
        parts += [f"broken, {times} times: {what}" for what, times in self.broken.most_common()]
        return "\n\n".join(parts) + "\n"

    def _sum(self, kind: str | None, game: str | None) -> Tally:
        found = Tally()
        for (one, other), told in self.by.items():
            if kind in (None, one) and game in (None, other):
                found.add(told)
        return found


def _cell(told: Tally | None) -> str:
    """Hands off the rails and wrong scores of hands, and both for a hundred faults."""
    if told is None or not told.hands:
        return "-"
    text = f"{told.off}+{told.wrong} of {told.hands}"
    if told.faults:
        text += f" ({100 * told.off / told.faults:.0f}+{100 * told.wrong / told.faults:.0f})"
    return text


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
