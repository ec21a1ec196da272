"""The judge of the scene bench finds each kind of wrong fact, and nothing wrong with right ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.observed_facts import MS, CardFact, CardGone, CardLanded, CardReread, Reading
from tests.scenes.judge import CAUSES, ReportedFact, Shown, Verdict, judge
from tests.scenes.kinds import scene
from tests.scenes.report import report
from tests.scenes.scenario import Scenario

SCENE = scene("tuning", "tied, one taken back", 2)
ALL = Shown({card.id for card in SCENE.cards}, {(tie.first, tie.second) for tie in SCENE.ties})


def perfect(scenario: Scenario) -> list[CardFact]:
    """What perfect eyes tell, each card under its own id plus 10."""
    angles = {seat.name: seat.angle for seat in scenario.config.seats}
    facts: list[CardFact] = []
    for number, card in enumerate(scenario.cards):
        facts.append(
            CardLanded(
                t_ns=card.landed_ns + 15 * MS,
                id=card.id + 10,
                readings=(Reading(card.name, 0.99),),
                place_mm=card.place,
                angle_deg=0.0,
                arm_deg=angles[card.seat],
                arm_sure=0.99,
                frame=20 + 10 * number,
                upon=tuple(other + 10 for other in card.upon),
            )
        )
        if card.taken_ns is not None:
            facts.append(CardGone(card.taken_ns + 15 * MS, card.id + 10, None, mark_empty=False))
    return facts


def judged(facts: list[CardFact], shown: Shown = ALL) -> Verdict:
    return judge(SCENE, [ReportedFact(fact, fact.t_ns + 200 * MS) for fact in facts], shown)


FACTS = perfect(SCENE)
LANDED = [fact for fact in FACTS if isinstance(fact, CardLanded)]
GONE = {fact.id: fact for fact in FACTS if isinstance(fact, CardGone)}
FIRST, SECOND = LANDED
OTHERS = [seat.angle for seat in SCENE.config.seats if abs(seat.angle - (FIRST.arm_deg or 0.0)) > 1]
UNSURE = (Reading(FIRST.readings[0].card, 0.3),)


def instead(*changed: CardFact) -> list[CardFact]:
    """Perfect facts, but for these."""
    keys = {(type(fact), fact.id) for fact in changed}
    return [*(fact for fact in FACTS if (type(fact), fact.id) not in keys), *changed]


PLANTED: dict[str, list[CardFact]] = {
    "missed": [fact for fact in FACTS if fact.id != FIRST.id],
    "invented": [*FACTS, replace(FIRST, id=77, readings=(Reading("JOKER", 0.9),), place_mm=(140.0, 0.0))],
    "twice": [*FACTS, replace(FIRST, id=77, t_ns=FIRST.t_ns + 300 * MS, place_mm=(20.0, 30.0))],
    "name wrong": [*FACTS, CardReread(FIRST.t_ns + MS, FIRST.id, (Reading("JOKER", 0.9),))],
    "name unsure": instead(replace(FIRST, readings=UNSURE)),
    "owner wrong": instead(replace(FIRST, arm_deg=OTHERS[0], arm_sure=0.6)),
    "owner untold": instead(replace(FIRST, arm_deg=None, arm_sure=0.0)),
    "order wrong": instead(replace(FIRST, upon=(SECOND.id,)), replace(SECOND, upon=())),
    "order unsure": instead(replace(FIRST, frame=30), replace(SECOND, frame=30, upon=())),
    "leaving off": instead(replace(GONE[SECOND.id], t_ns=GONE[SECOND.id].t_ns + 120 * MS)),
    "leaving untold": [fact for fact in FACTS if fact != GONE[FIRST.id]],
    "gone too soon": instead(replace(GONE[FIRST.id], t_ns=GONE[FIRST.id].t_ns - 120 * MS)),
}


def test_nothing_is_wrong_with_what_perfect_eyes_tell() -> None:
    verdict = judged(FACTS)
    assert verdict.notes == []
    assert (verdict.cards, verdict.pairs, verdict.leavings, verdict.told_sure) == (2, 1, 2, 2)
    assert verdict.stamps_ms == [15, 15]
    assert verdict.waits_ms == [215, 215]


@pytest.mark.parametrize("cause", PLANTED)
def test_a_planted_wrong_fact_is_found_for_what_it_is(cause: str) -> None:
    assert judged(PLANTED[cause]).wrong == {cause: 1}


def test_a_wrong_owner_that_is_told_surely_counts_twice() -> None:
    wrong = judged(instead(replace(FIRST, arm_deg=OTHERS[0], arm_sure=0.97))).wrong
    assert wrong == {"owner wrong": 1, "owner wrong, sure": 1}
    assert {*PLANTED, *wrong} == set(CAUSES)


def test_what_no_picture_shows_is_not_asked_for() -> None:
    nothing = Shown((), ())
    assert judged(PLANTED["order unsure"], nothing).wrong == {}
    assert judged(PLANTED["name unsure"], nothing).wrong == {}
    # But what is told surely has to be right.
    assert judged(PLANTED["order wrong"], nothing).wrong == {"order wrong": 1}
    assert judged(PLANTED["name wrong"], nothing).wrong == {"name wrong": 1}


def test_the_report_counts_per_thousand_and_names_the_worst_kind() -> None:
    bad = judged(PLANTED["name wrong"])
    lines = "\n".join(report({"good": judged(FACTS), "bad": bad}))
    assert next(line for line in lines.splitlines() if line.startswith("bad")).split()[1:3] == ["2", "1"]
    assert "500" in lines
    assert "names 75.00%" in lines
    assert lines.endswith("worst: bad, 500 wrong facts per thousand cards")
