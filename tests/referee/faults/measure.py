"""What came of a game: what the referee made of it against what really happened, hand by hand.

Both sides are compared event by event as ``--check`` does (the same events and fields; ``totals`` and ``faults`` of a
hand's score left out, because they carry an earlier hand's error along), each hand for itself. Each event stands in a
part of its hand: 0 before the play, then the number of the trick (counted by the tricks picked up).

- A hand is **off the rails** when a part differs that is neither a faulty one nor the next after it; after a fault in
  a hand's last trick the next part is the following hand's bidding and first trick. The hand's score is left out here.
- A **score** is wrong when points or tricks of ``hand_scored`` differ, or it is missing.
- A card named ``?`` with the right seat is a difference of name alone: neither; so is a revoke that then can't be
  known, because its lead, its card or its proof has no name.
- A fault **fits a faultless game** when all that was seen is what a faultless camera could have seen of another game
  (``doubles``): a card misread, surely or not; or a ghost that goes on its own before anything else lands and before
  the pick-up (as a card laid out of turn and taken back). All other faults leave a trace: a card too few or too many,
  a card that goes and doesn't, an arm on the wrong side, a call too few.
- A hand that came out wrong is counted apart where what was told of it is exactly one of its **doubles**: the table
  has told, event for event and to the score, another hand that looked the same, or would have, had only the faults
  happened that it has mended. Doubles in which somebody seems to revoke who did not are counted by themselves.
- A game is **lost** when a hand is over and the table, a minute later and with its screen heeded and what it asks
  answered, is not where the game is: its other hands are not played. It is **broken** when the referee raises or
  doesn't end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from table.events.event_registry import COMPARED_EVENTS, UNCOMPARED_FIELDS
from table.referee.records.journal import JournalLine, effective_lines
from tests.referee.faults.damage import Fault
from tests.referee.faults.doubles import doubles, fits
from tests.referee.faults.truth import Truth

HandLines = Sequence[tuple[int, JournalLine]]
"""Events, each with the part of its hand."""

_LEFT_OUT = UNCOMPARED_FIELDS | {"played", "derived"}
_APART = frozenset(("hand_scored", "game_over"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one hand."""

    off: bool
    wrong_score: bool
    differences: tuple[tuple[int, str], ...]
    """Part and event of each difference, for looking into it."""
    unnamed: int = 0
    """Cards that the referee calls ``?``."""

    @property
    def right(self) -> bool:
        """Whether it is neither off the rails nor wrongly scored."""
        return not self.off and not self.wrong_score


@dataclass(slots=True)
class Hand:
    """A played hand with its faults and its verdict."""

    verdict: Verdict
    faults: list[str] = field(default_factory=list)
    fitting: int = 0
    """How many of them fit a faultless game."""
    like: Literal["double", "revoke"] | None = None
    """What came out wrong is a double of the hand, with no revoke more or with one."""


def judge(truth: Truth, lines: Sequence[JournalLine], faults: Sequence[Fault], finished: int) -> list[Hand]:
    """The first ``finished`` hands of a game."""
    told = parts_of(effective_lines(lines))
    hands = []
    for number, true in enumerate(truth.hands[:finished]):
        mine = [fault for fault in faults if fault.hand == number]
        allowed = {part for fault in mine for part in (fault.part, fault.part + 1)}
        if number and any(
            fault.hand == number - 1 and fault.part >= truth.hands[number - 1].before.cards
            for fault in faults
        ):
            allowed |= {0, 1}
        verdict = judge_hand(true.lines, told[number] if number < len(told) else [], allowed)
        fitting = sum(fits(truth.game, true, fault) for fault in mine)
        hand = Hand(verdict, [fault.kind for fault in mine], fitting)
        if verdict.off or verdict.wrong_score:
            same_as = (
                double
                for double in doubles(truth.game, true, mine)
                if judge_hand(double.lines, told[number] if number < len(told) else [], allowed).right
            )
            best = min((double.revokes for double in same_as), default=None)
            hand.like = None if best is None else "revoke" if best else "double"
        hands.append(hand)
    return hands


def parts_of(lines: Sequence[JournalLine]) -> list[list[tuple[int, JournalLine]]]:
    """A journal's events by hand, each with its part."""
    hands: list[list[tuple[int, JournalLine]]] = []
    part = 0
    for line in lines:
        event = line["event"]
        if event == "hand_started":
            hands.append([])
            part = 0
        elif hands:
            hands[-1].append((part, line))
            part += event in ("trick_taken", "bidding_over")
    return hands


def judge_hand(true: HandLines, told: HandLines, allowed: set[int]) -> Verdict:
    """One hand; ``allowed``: the parts that may differ without the hand being off the rails."""
    wanted = [(part, line) for part, line in true if line["event"] in COMPARED_EVENTS - _APART]
    found = [(part, line) for part, line in told if line["event"] in COMPARED_EVENTS - _APART]
    differences = tuple(_differences(wanted, found))
    unnamed = sum(line.get("card") == "?" for _, line in found)
    off = any(part not in allowed for part, _ in differences)
    scores = [
        [(line["points"], line["tricks"]) for _, line in side if line["event"] == "hand_scored"]
        for side in (true, told)
    ]
    return Verdict(off, scores[0] != scores[1], differences, unnamed)


def _differences(true: HandLines, told: HandLines) -> list[tuple[int, str]]:
    """What stands on one side alone (``-`` in the truth, ``+`` in the journal), by the longest common sequence."""
    low = 0
    while low < min(len(true), len(told)) and same(true[low][1], told[low][1]):
        low += 1
    high = 0
    while high < min(len(true), len(told)) - low and same(true[-1 - high][1], told[-1 - high][1]):
        high += 1
    one, other = true[low : len(true) - high], told[low : len(told) - high]
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row in range(len(one) - 1, -1, -1):
        for column in range(len(other) - 1, -1, -1):
            if same(one[row][1], other[column][1]):
                best[row][column] = best[row + 1][column + 1] + 1
            else:
                best[row][column] = max(best[row + 1][column], best[row][column + 1])
    found = []
    row = column = 0
    while row < len(one) or column < len(other):
        if row < len(one) and column < len(other) and same(one[row][1], other[column][1]):
            row, column = row + 1, column + 1
        elif column == len(other) or (row < len(one) and best[row + 1][column] >= best[row][column + 1]):
            if not _names_unknown(one[row][1], told):
                found.append((one[row][0], "-" + one[row][1]["event"]))
            row += 1
        else:
            found.append((other[column][0], "+" + other[column][1]["event"]))
            column += 1
    return found


def same(true: JournalLine, told: JournalLine) -> bool:
    """Whether every field of the truth stands so in the journal, a card unnamed there being any."""
    if true["event"] != told["event"]:
        return False
    for key, value in true.items():
        if key in _LEFT_OUT or told.get(key) == value:
            continue
        if key == "card" and told.get(key) == "?":
            continue
        if key == "cards" and _same_cards(value, told.get(key)):
            continue
        return False
    return True


def _same_cards(true: Sequence[JournalLine], told: object) -> bool:
    if not isinstance(told, list) or len(told) != len(true):
        return False
    return all(
        here["seat"] == there["seat"] and here["card"] in (there["card"], "?")
        for there, here in zip(true, told, strict=True)
    )


def _names_unknown(line: JournalLine, told: HandLines) -> bool:
    """Whether a revoke can't be known because one of its cards, or the lead, has no name in the journal."""
    if line["event"] != "revoke":
        return False
    unnamed = {one["seat"] for _, one in told if one.get("card") == "?"}
    leads = {one["trick"]: one["cards"][0]["card"] for _, one in told if one["event"] == "trick_won"}
    return line["seat"] in unnamed or leads.get(line["trick"]) == "?"
