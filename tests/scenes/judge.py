"""Compares the facts that sight told of a scene with what truly happened; nothing else reads a card fact here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from table.observed_facts import MS, CardFact, CardGone, CardLanded, CardReread, Reading
from tests.scenes.scenario import Scenario, TrueCard

NEAR_NS: Final = 2_000 * MS
"""A landing that is told of belongs to a true one this near in time ..."""
NEAR_MM: Final = 45.0
"""... and in place."""
SURE_OWNER: Final = 0.95
SURE_NAME: Final = 0.5
SURE_ORDER: Final = 0.75
"""Which of two cards lies upon the other is told as unsure below this."""

CAUSES: Final = (
    "missed",
    "invented",
    "twice",
    "name wrong",
    "name unsure",
    "owner wrong",
    "owner wrong, sure",
    "owner untold",
    "order wrong",
    "order unsure",
    "leaving off",
    "leaving untold",
    "gone too soon",
)
"""What may be wrong with a card, its owner, the order of a pair, or a leaving."""


@dataclass(frozen=True, slots=True)
class ReportedFact:
    """A fact, and the stamp of the frame that sight had last seen when it told it."""

    fact: CardFact
    at_ns: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What the pictures show of a scene: only that is asked for."""

    names: Collection[int]
    """The ids of the cards whose name can be read."""
    orders: Collection[tuple[int, int]]
    """The tied pairs whose order can be seen."""
    hidden: Collection[int] = ()
    """The ids of the cards that no picture shows: they may be missed."""


@dataclass
class Verdict:
    """What is wrong with the facts of a scene, and the figures of those that are right."""

    cards: int = 0
    pairs: int = 0
    leavings: int = 0
    told_sure: int = 0
    """Owners told with more than SURE_OWNER."""
    wrong: Counter[str] = field(default_factory=Counter)
    """By cause."""
    stamps_ms: list[float] = field(default_factory=list)
    """How much later than the card came to rest its landing is stamped."""
    waits_ms: list[float] = field(default_factory=list)
    """How long after that it was told."""
    notes: list[str] = field(default_factory=list)

    def add(self, other: Verdict) -> None:
        """Add another scene's."""
        self.cards += other.cards
        self.pairs += other.pairs
        self.leavings += other.leavings
        self.told_sure += other.told_sure
        self.wrong.update(other.wrong)
        self.stamps_ms += other.stamps_ms
        self.waits_ms += other.waits_ms

    def fault(self, cause: str, what: str) -> None:
        """Note something wrong."""
        assert cause in CAUSES
        self.wrong[cause] += 1
        self.notes.append(f"{cause}: {what}")


def judge(scenario: Scenario, told: Sequence[ReportedFact], shown: Shown) -> Verdict:
    """What is wrong with the facts of a scene."""
    verdict = Verdict(cards=len(scenario.cards), pairs=len(scenario.ties))
    landed = {one.fact.id: one for one in told if isinstance(one.fact, CardLanded)}
    readings = _final_readings(told)
    match = _matched(scenario.cards, landed, readings)
    for card in scenario.cards:
        if card.id not in match:
            if card.id not in shown.hidden:
                verdict.fault("missed", card.name or "a card face down")
            continue
        one = landed[match[card.id]]
        assert isinstance(one.fact, CardLanded)
        verdict.stamps_ms.append((one.fact.t_ns - card.landed_ns) / MS)
        verdict.waits_ms.append((one.at_ns - card.landed_ns) / MS)
        _name(verdict, card, readings[one.fact.id], card.id in shown.names)
        _owner(verdict, card, one.fact, scenario)
    _invented(verdict, scenario, landed, readings, set(match.values()))
    _orders(verdict, scenario, landed, match, shown)
    _leavings(verdict, scenario, told, match)
    return verdict


def _final_readings(told: Sequence[ReportedFact]) -> dict[int, tuple[Reading, ...]]:
    """What each card was read as in the end."""
    found: dict[int, tuple[Reading, ...]] = {}
    for one in told:
        if isinstance(one.fact, (CardLanded, CardReread)):
            found[one.fact.id] = one.fact.readings
    return found


def _matched(
    cards: Sequence[TrueCard], landed: Mapping[int, ReportedFact], readings: Mapping[int, tuple[Reading, ...]]
) -> dict[int, int]:
    """For each true card the id under which sight told of it; the nearest in name, time and place first."""
    costs = []
    for card in cards:
        for number, one in landed.items():
            fact = one.fact
            assert isinstance(fact, CardLanded)
            late = abs(fact.t_ns - card.landed_ns)
            far = abs(complex(*fact.place_mm) - complex(*card.place))
            if late < NEAR_NS and far < NEAR_MM:
                read = readings[number]
                other = not read or read[0].card != card.name
                costs.append((2.0 * other + late / (500 * MS) + far / 30, card.id, number))
    match: dict[int, int] = {}
    for _, true, number in sorted(costs):
        if true not in match and number not in match.values():
            match[true] = number
    return match


def _name(verdict: Verdict, card: TrueCard, read: Sequence[Reading], shown: bool) -> None:
    sure = bool(read) and read[0].confidence >= SURE_NAME
    if sure and read[0].card != card.name:
        verdict.fault("name wrong", f"{card.name} read as {read[0].card} ({read[0].confidence:.2f})")
    elif not sure and shown:
        said = f"{read[0].card} ({read[0].confidence:.2f})" if read else "nothing"
        verdict.fault("name unsure", f"{card.name} read as {said}")


def _owner(verdict: Verdict, card: TrueCard, fact: CardLanded, scenario: Scenario) -> None:
    if fact.arm_deg is None:
        verdict.fault("owner untold", card.name)
        return
    arm = fact.arm_deg
    seat = min(scenario.config.seats, key=lambda one: abs((one.angle - arm + 180) % 360 - 180))
    sure = fact.arm_sure > SURE_OWNER
    verdict.told_sure += sure
    if seat.name != card.seat:
        said = f"{card.name} of {card.seat} told as {seat.name}'s ({arm:.0f} degrees, {fact.arm_sure:.2f})"
        verdict.fault("owner wrong", said)
        if sure:
            verdict.fault("owner wrong, sure", said)


def _invented(
    verdict: Verdict,
    scenario: Scenario,
    landed: Mapping[int, ReportedFact],
    readings: Mapping[int, tuple[Reading, ...]],
    known: Collection[int],
) -> None:
    for number, one in landed.items():
        fact = one.fact
        if number in known or not isinstance(fact, CardLanded):
            continue
        name = readings[number][0].card if readings[number] else ""
        lies = any(
            card.name == name and card.landed_ns - 500 * MS <= fact.t_ns <= (card.taken_ns or 2**62)
            for card in scenario.cards
        )
        where = f"{name or 'a blank'} at {fact.place_mm[0]:.0f}, {fact.place_mm[1]:.0f} mm"
        verdict.fault("twice" if lies else "invented", where)


def _orders(
    verdict: Verdict,
    scenario: Scenario,
    landed: Mapping[int, ReportedFact],
    match: Mapping[int, int],
    shown: Shown,
) -> None:
    for tie in scenario.ties:
        pair = (tie.first, tie.second)
        if not all(one in match for one in pair):
            continue  # a missed card is counted as such
        first, second = (landed[match[one]].fact for one in pair)
        assert isinstance(first, CardLanded)
        assert isinstance(second, CardLanded)
        what = f"{tie.overlap:.2f} covered, {tie.gap_ms:.0f} ms apart"
        said = told_order(first, second)
        if said < 0:
            verdict.fault("order wrong", what)
        elif said == 0 and pair in shown.orders:
            verdict.fault("order unsure", what)


def told_order(first: CardLanded, second: CardLanded) -> int:
    """1: told that ``first`` came first; -1: that ``second`` did; 0: not told surely."""
    if first.id in second.upon or second.id in first.upon:
        upper = second if first.id in second.upon else first
        surely = upper.order_sure is None or upper.order_sure >= SURE_ORDER
        return (1 if upper is second else -1) if surely else 0
    return (second.frame > first.frame) - (second.frame < first.frame)


def _leavings(
    verdict: Verdict, scenario: Scenario, told: Sequence[ReportedFact], match: Mapping[int, int]
) -> None:
    frame_ns = 1e9 / scenario.config.camera.fps
    gone = {one.fact.id: one.fact for one in told if isinstance(one.fact, CardGone)}
    for card in scenario.cards:
        fact = gone.get(match.get(card.id, -1))
        verdict.leavings += card.taken_ns is not None
        if fact is None:
            if card.taken_ns is not None and card.id in match:
                verdict.fault("leaving untold", card.name)
        elif card.taken_ns is None or fact.t_ns < card.taken_ns - 2.5 * frame_ns:
            early = (card.taken_ns or scenario.end_ns) - fact.t_ns
            verdict.fault("gone too soon", f"{card.name} by {early / MS:.0f} ms")
        elif fact.t_ns > card.taken_ns + 2.5 * frame_ns:
            verdict.fault("leaving off", f"{card.name} by {(fact.t_ns - card.taken_ns) / MS:.0f} ms")
