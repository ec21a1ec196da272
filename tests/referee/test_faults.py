"""The fault bench: without faults everything comes out exactly, faults are what they say, and seeds repeat."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

import pytest

from table.cards import card
from table.events.game_events import Bid, Dealt, Played, TakenBack, TrickTaken
from table.games.engine.game_state import Phase
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.observed_facts import MS, Call, CardGone, CardLanded, Fact, Gesture
from table.referee.records.journal import JournalLine
from table.referee.referee import Referee
from tests.referee.faults import games, people
from tests.referee.faults.__main__ import main
from tests.referee.faults.damage import KINDS, LANDING, PICK_UP, Camera, Fault
from tests.referee.faults.doubles import Double, doubles, fits
from tests.referee.faults.eye import Eye, Laid
from tests.referee.faults.games import NONE, Plan, plans, play, play_both
from tests.referee.faults.measure import judge_hand
from tests.referee.faults.truth import Truth
from tests.referee.faults.world import World
from tests.speeds import first_quick

SEATS = ("Ada", "Ben", "Cleo")
ANGLES = {"Ada": 40.0, "Ben": 160.0, "Cleo": 280.0}


@first_quick("name", GAMES)
def test_without_faults_every_event_is_as_it_was_and_nothing_is_asked(name: str) -> None:
    for plan in plans(7, 7, [name], [NONE], 1 / 30, several=False):
        outcome = play(plan, answers=False, keep=True)
        assert [hand.verdict.differences for hand in outcome.hands] == [()] * len(outcome.hands)
        assert (outcome.lost, outcome.broken, outcome.asked, outcome.faults) == (False, None, 0, [])
        truth = outcome.truth
        assert truth is not None
        lines = [line for hand in truth.hands for _, line in hand.lines] + (
            [truth.over] if truth.over else []
        )
        ends = ("hand_scored", "game_over")
        true = [line for line in lines if line["event"] in ends]
        told = [line for line in outcome.lines if line["event"] in ends]
        assert [{key: line.get(key) for key in one} for one, line in zip(true, told, strict=True)] == true


@pytest.mark.thorough
def test_a_game_depends_on_its_seed_and_number_alone(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for jobs in ("1", "2", "1"):
        assert main(["--games", "8", "--seed", "3", "--several", "--jobs", jobs]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == texts[2]
    main(["--games", "8", "--seed", "4", "--several"])
    assert capsys.readouterr().out != texts[0]


def test_arguments_that_cannot_be_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (
        ["--rate", "2"],
        ["--rate", "x/0"],
        ["--hurry", "2"],
        ["--faults", "missed,gone"],
        ["--games", "0"],
    ):
        with pytest.raises(SystemExit) as stopped:
            main(wrong)
        assert stopped.value.code == 2
    assert "gone: expected some of none, missed" in capsys.readouterr().err


# --- what the faults are ----------------------------------------------------------------------------------------------


class Trick:
    """Three cards laid down at 1, 4 and 7 s and picked up by Ben at 20 s, with one fault of a kind."""

    def __init__(self, kind: str) -> None:
        for seed in range(400):
            self.facts, self.laid, faults = self._play(kind, seed)
            if [fault.kind for fault in faults] == [kind]:
                self.fault = faults[0]
                return
        raise AssertionError(f"no single {kind} in 400 tricks")

    @staticmethod
    def _play(kind: str, seed: int) -> tuple[list[Fact], list[Laid], list[Fault]]:
        game = make_game("oh-hell", SEATS, {"hands": [3]})
        rng = random.Random(seed)
        world = World(Referee(game, ANGLES))
        eye = Eye(world, ANGLES, rng)
        camera = Camera(world, eye, game.pack(), rng, [kind], 1.0, lambda: (0, 1, 0))
        laid = []
        for number, (seat, name) in enumerate(zip(SEATS, ("9H", "4H", "QD"), strict=True)):
            laid.append(Laid(seat, card(name), (12.0 * number, 10.0)))
            camera.lay(laid[-1], (1_000 + 3_000 * number) * MS, last=number == 2)
            world.advance((3_900 + 3_000 * number) * MS)
        camera.pick_up(laid, "Ben", 20_000 * MS)
        world.advance(30_000 * MS)
        return world.facts, laid, camera.faults

    @property
    def landed(self) -> list[CardLanded]:
        return [fact for fact in self.facts if isinstance(fact, CardLanded)]

    @property
    def gone(self) -> list[CardGone]:
        return [fact for fact in self.facts if isinstance(fact, CardGone)]

    def names(self) -> list[str]:
        return [fact.readings[0].card for fact in self.landed]

    def late(self) -> list[float]:
        """When cards went, in seconds from the pick-up."""
        return [fact.t_ns / 1e9 - 20 for fact in self.gone]


def test_a_missed_card_neither_lands_nor_goes() -> None:
    trick = Trick("missed")
    assert len(trick.names()) == len(trick.gone) == 2
    assert set(trick.names()) < {"9H", "4H", "QD"}


def test_a_misread_card_has_its_true_name_second_and_a_surely_misread_one_not_at_all() -> None:
    for kind, confidence in (("misread", 0.6), ("surely-misread", 0.98)):
        trick = Trick(kind)
        seen = zip(trick.landed, (str(laid.card) for laid in trick.laid), strict=True)
        ((wrong, true),) = [one for one in seen if one[0].readings[0].card != one[1]]
        assert (wrong.readings[0].card, wrong.readings[0].confidence) == (trick.fault.read, confidence)
        assert [one.card for one in wrong.readings[1:]] == ([true] if kind == "misread" else [])


def test_an_unknown_owner_has_no_arm_and_a_wrong_one_another_players() -> None:
    unknown = [(fact.arm_deg, fact.arm_sure) for fact in Trick("owner-unknown").landed]
    assert unknown.count((None, 0.0)) == 1
    off = [
        abs((fact.arm_deg or 0) - ANGLES[seat]) > 60
        for fact, seat in zip(Trick("owner-wrong").landed, SEATS, strict=True)
    ]
    assert sorted(off) == [False, False, True]


def test_a_card_that_lands_twice_lies_in_its_place_under_a_new_number() -> None:
    trick = Trick("twice")
    again = [fact for fact in trick.landed if trick.names().count(fact.readings[0].card) == 2]
    assert len(trick.landed) == 4
    assert again[0].place_mm == again[1].place_mm
    assert again[0].id != again[1].id
    assert len(trick.gone) == 4


def test_a_ghost_was_never_laid_and_goes() -> None:
    trick = Trick("ghost")
    assert len(trick.landed) == len(trick.gone) == 4
    assert trick.fault.read in trick.names()


def test_a_card_that_is_gone_early_does_not_go_again() -> None:
    late = Trick("gone-early").late()
    assert sorted(at < -1 for at in late) == [False, False, True]


def test_one_card_goes_late_or_all_in_three_grabs() -> None:
    late = Trick("gone-late")
    assert sorted(at > 0.4 for at in late.late()) == [False, False, True]
    assert [fact.mark_empty for fact in late.gone] == [False, False, True]
    grabs = Trick("three-grabs").late()
    assert len(set(grabs)) == 3
    assert max(grabs) - min(grabs) > 1.5


def test_a_pushed_card_lands_elsewhere_under_a_new_number() -> None:
    trick = Trick("pushed")
    again = [fact for fact in trick.landed if trick.names().count(fact.readings[0].card) == 2]
    (x, y), (x0, y0) = again[0].place_mm, again[1].place_mm
    assert 9 < ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5 < 151
    assert again[0].id in [fact.id for fact in trick.gone if fact.t_ns <= again[1].t_ns]


def test_tied_leads_change_their_arms_or_their_order() -> None:
    seen = set()
    for seed in range(40):
        game = make_game("whysteria", SEATS, {"hands": [3]})
        world = World(Referee(game, ANGLES))
        eye = Eye(world, ANGLES, random.Random(seed))
        camera = Camera(
            world, eye, game.pack(), random.Random(seed), ["leads-swapped"], 1.0, lambda: (0, 1, 0)
        )
        leads = [Laid("Ada", card("9H"), (0.0, 0.0)), Laid("Ben", card("4H"), (10.0, -10.0))]
        camera.lay_tied([(leads[0], 1_000 * MS), (leads[1], 1_060 * MS)], pile=True)
        world.advance(2_000 * MS)
        first, second = [fact for fact in world.facts if isinstance(fact, CardLanded)]
        assert first.t_ns < second.t_ns
        arms = abs((first.arm_deg or 0) - ANGLES["Ada"]) < 15
        seen.add((bool(camera.faults), arms, first.upon == (second.id,), second.upon == (first.id,)))
    assert seen == {
        (False, True, False, True),
        (True, False, False, True),
        (True, True, True, False),
    }


def test_a_lost_call_never_arrives() -> None:
    game = make_game("oh-hell", SEATS, {"hands": [3]})
    world = World(Referee(game, ANGLES))
    eye = Eye(world, ANGLES, random.Random(1))
    camera = Camera(world, eye, game.pack(), random.Random(1), ["call-lost"], 0.5, lambda: (0, 0, 0))
    for at in range(100):
        camera.press("Ada", Gesture.RAP, 0, at * MS, at * MS)
    world.advance(200 * MS)
    heard = sum(isinstance(fact, Call) for fact in world.facts)
    assert 30 < heard < 70
    assert heard + len(camera.faults) == 100


@pytest.mark.thorough
def test_each_fault_happens_in_games_about_as_often_as_asked_for() -> None:
    for kind in KINDS:
        some = plans(3, 2, ["whysteria"], [kind], 1 / 10, several=False)
        outcomes = [play(plan, answers=False, keep=True) for plan in some]
        faults = sum(len(outcome.faults) for outcome in outcomes)
        cards = sum(isinstance(fact, CardLanded) for outcome in outcomes for fact in outcome.facts)
        assert faults > 0, kind
        if kind in (*LANDING, *PICK_UP):
            assert cards / 25 < faults < cards / 5, kind


# --- questions, and referees that fail --------------------------------------------------------------------------------


class Asking(Referee):
    """Asks for the name of every card that was played."""

    answers: ClassVar[list[tuple[str | None, str, int]]] = []
    """What was answered: the card, by whom, how many seconds after the question."""

    def take(self, facts: Iterable[Fact], until_ns: int, now_ns: int) -> Sequence[JournalLine]:
        decided = super().take(facts, until_ns, now_ns)
        for line in decided:
            if line["event"] == "card_played":
                fields = {
                    "question": len(self.journal.lines),
                    "about": "card",
                    "hand": self.state.hand,
                    "trick": len(self.state.tricks) + 1,
                    "seat": line["seat"],
                    "choices": ["2C"],
                    "true": line["card"],
                }
                self.journal.append("asked", line["t_ns"], now_ns, fields)
        return decided

    def answer(self, question: int, choice: str | None, now_ns: int, by: str) -> bool:
        line = next(line for line in self.journal.lines if line.get("question") == question)
        assert (choice, by) == (line["true"], line["seat"])
        self.answers.append((choice, by, (now_ns - line["decided_ns"]) // 10**9))
        self.journal.append("answered", now_ns, now_ns, {"question": question, "by": by, "choice": choice})
        return True


def test_whoever_is_asked_answers_truly_three_seconds_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "Referee", Asking)
    monkeypatch.setattr(people, "MISHAPS", replace(people.MISHAPS, second_thoughts=0))
    Asking.answers.clear()
    (plan,) = plans(1, 6, ["prediction-whist"], [NONE], 1 / 30, several=False)
    silent, answered = play_both(plan)
    cards = sum(line["event"] == "card_played" for hand in play_truth(plan) for line in hand)
    without = answered.asked_without + answered.asked_revoke
    assert silent.asked == answered.asked == without == len(Asking.answers) == cards > 0
    assert {seconds for _, _, seconds in Asking.answers} == {3}


def test_a_question_after_a_real_revoke_is_counted_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    _, truth = hand_of("Ada:5H Ben:9S", "Ben:2D Ada:KD", "Ada:7C Ben:3H")  # Ben had a heart
    assert [games._revoked(truth, {"hand": 1, "trick": trick}) for trick in (1, 2, 3)] == [True, False, True]
    monkeypatch.setattr(games, "Referee", Asking)
    monkeypatch.setattr(games, "_revoked", lambda truth, question: question["trick"] == 1)
    (plan,) = plans(1, 6, ["prediction-whist"], [NONE], 1 / 30, several=False)
    outcome = play(plan, answers=False, keep=True)
    firsts = sum(line["event"] == "asked" and line["trick"] == 1 for line in outcome.lines)
    assert 0 < outcome.asked_revoke == firsts < outcome.asked
    assert outcome.asked_without == outcome.asked - firsts


def play_truth(plan: Plan) -> list[list[JournalLine]]:
    truth = play(plan, answers=False, keep=True).truth
    assert truth is not None
    return [[line for _, line in hand.lines] for hand in truth.hands]


def test_a_referee_that_raises_breaks_its_game_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Raising(Referee):
        def take(self, facts: Iterable[Fact], until_ns: int, now_ns: int) -> Sequence[JournalLine]:
            if self.state.phase is Phase.FOLLOW:
                raise KeyError("lost")
            return super().take(facts, until_ns, now_ns)

    monkeypatch.setattr(games, "Referee", Raising)
    assert main(["--games", "2", "--game", "oh-hell"]) == 0
    assert "broken, 4 times: KeyError" in capsys.readouterr().out


# --- what is counted --------------------------------------------------------------------------------------------------


def hand_of(*tricks: str) -> tuple[Game, Truth]:
    """A hand of Whysteria in which Ada bids 0 and Ben 1, its tricks as ``Ada:5H Ben:9H``, ``-Ben:9H`` taken back."""
    game = make_game("whysteria", ["Ada", "Ben"], {"hands": [len(tricks)], "first_dealer": "Ben"})
    truth = Truth(game)
    for event in (Dealt("Ben"), Bid("Ada", 0), Bid("Ben", 1)):
        truth.does(event)
    for trick in tricks:
        for seat, name in (one.split(":") for one in trick.split()):
            back = seat.startswith("-")
            truth.does(TakenBack(seat[1:], card(name)) if back else Played(seat, card(name)))
        winner = truth.state.trick.winner
        assert winner is not None
        truth.does(TrickTaken(winner))
    return game, truth


def hand_of_two() -> tuple[Game, Truth]:
    """Ada leads the 5 of hearts, Ben takes it with the 9; the second trick is Ben's and Ada's."""
    return hand_of("Ada:5H Ben:9H", "Ben:3D Ada:KD")


def misread(read: str) -> Fault:
    return Fault("surely-misread", 0, 1, Laid("Ben", card("9H"), (0.0, 0.0)), read)


def test_a_misread_card_fits_where_nothing_that_was_seen_speaks_against_it() -> None:
    game, truth = hand_of_two()
    hand = truth.hands[0]
    hand.arms |= {1, 2}
    assert fits(game, hand, misread("JH"))
    assert not fits(game, hand, misread("2H"))  # Ada would have taken the trick, and Ben's arm was seen
    assert not fits(game, hand, misread("KD"))  # seen again in the second trick
    assert not fits(game, hand, misread("JD"))  # the same winner no more: a diamond doesn't follow hearts
    assert not fits(game, hand, Fault("missed", 0, 1))
    hand.arms.clear()
    assert fits(game, hand, misread("2H"))  # anyone may lead, so nobody can know


def hand_of_three() -> tuple[Game, Truth]:
    """Ben takes Ada's 5 of hearts with a trump; the other tricks are Ada's, Ben having followed suit."""
    return hand_of("Ada:5H Ben:9S", "Ben:3C Ada:KC", "Ada:KD Ben:3D")


def read_as(truth: Truth, was: str, read: str) -> Fault:
    trick, seat = next(place for place, held in truth.hands[0].played.items() if str(held) == was)
    return Fault("surely-misread", 0, trick, Laid(seat, card(was), (0.0, 0.0)), read)


def test_a_misread_card_that_makes_one_revoke_has_a_double_and_does_not_fit() -> None:
    game, truth = hand_of_three()
    hand = truth.hands[0]
    hand.arms |= {1, 2, 3}
    hearts = read_as(truth, "3D", "3H")  # as if Ben had had a heart in the first trick
    assert not fits(game, hand, hearts)
    (double,) = doubles(game, hand, [hearts])
    assert double.revokes == 1
    assert [line["card"] for _, line in double.lines if line["event"] == "revoke"] == ["9S"]
    others = [one for one in double.lines if one[1]["event"] not in ("revoke", "card_played", "trick_won")]
    assert others == [one for one in hand.lines if one in others]
    assert [line["event"] for _, line in others][-1] == "hand_scored"


def test_a_double_may_have_a_card_without_a_name_where_another_was_misread_too() -> None:
    game, truth = hand_of_two()
    hand = truth.hands[0]
    hand.arms |= {1}
    known, unknown = misread("2C"), Fault("surely-misread", 0, 2, Laid("Ben", card("3D"), (0.0, 0.0)), "9H")
    assert not list(doubles(game, hand, [unknown]))  # the nine of hearts lay there before
    (double,) = doubles(game, hand, [known, unknown])
    laid = [line["card"] for _, line in double.lines if line["event"] == "card_played"]
    assert laid == ["5H", "?", "9H", "KD"]
    assert not list(doubles(game, hand, [known]))


def test_a_double_by_a_card_without_a_name_alone_hides_a_revoke_and_no_more() -> None:
    game, truth = hand_of("Ada:5H Ben:9S", "Ben:3H Ada:KC")  # Ben had a heart
    hand = truth.hands[0]
    proof = Fault("surely-misread", 0, 2, Laid("Ben", card("3H"), (0.0, 0.0)), "9S")
    won = Fault("missed", 0, 1, Laid("Ben", card("9S"), (0.0, 0.0)))
    (double,) = doubles(game, hand, [proof])
    assert "revoke" not in [line["event"] for _, line in double.lines]
    assert not list(doubles(game, hand, [Fault("missed", 0, 2, Laid("Ada", card("KC"), (0.0, 0.0)))]))
    assert [_winners(one) for one in doubles(game, hand, [won])] == [["Ben", "Ben"]]


def test_a_double_with_a_revoke_whose_proof_is_laid_twice_has_one_revoke_more() -> None:
    game, truth = hand_of("Ada:5H Ben:9H", "Ben:3H -Ben:3H Ben:3H Ada:KD")
    (double,) = doubles(game, truth.hands[0], [misread("9S")])
    assert [line["event"] for _, line in double.lines].count("revoke") == 2
    assert double.revokes == 1


def test_a_card_that_was_laid_before_and_taken_back_may_stand_without_a_name() -> None:
    game, truth = hand_of("Ada:5H Ben:3H -Ben:3H Ben:9S", "Ben:3H Ada:KC")
    (double,) = doubles(game, truth.hands[0], [read_as(truth, "3H", "9S")])
    laid = [line["card"] for _, line in double.lines if line["event"] == "card_played"]
    assert laid == ["5H", "3H", "9S", "?", "KC"]


def _winners(double: Double) -> list[object]:
    return [line["seat"] for _, line in double.lines if line["event"] == "trick_won"]


def test_a_revoke_is_unknown_where_its_lead_has_no_name() -> None:
    _, truth = hand_of("Ada:5H Ben:9S", "Ben:3H Ada:KC")  # Ben had a heart
    lines = truth.hands[0].lines
    assert [line["event"] for _, line in lines].count("revoke") == 1

    def unnamed(lead: str) -> list[tuple[int, dict[str, object]]]:
        told = [(part, dict(line)) for part, line in lines if line["event"] != "revoke"]
        for _, line in told:
            if line.get("card") == lead:
                line["card"] = "?"
            if line["event"] == "trick_won":
                line["cards"] = [
                    {**play, "card": "?"} if play["card"] == lead else play for play in line["cards"]
                ]
        return told

    assert judge_hand(lines, unnamed("5H"), set()).differences == ()
    assert judge_hand(lines, unnamed("KC"), set()).differences == ((2, "-revoke"),)


def with_card(
    lines: Sequence[tuple[int, dict[str, object]]], **instead: object
) -> list[tuple[int, dict[str, object]]]:
    """The lines with another field in Ben's first card."""
    return [
        (part, {**line, **instead} if line.get("card") == "9H" and line["event"] == "card_played" else line)
        for part, line in lines
    ]


def test_an_unnamed_card_is_a_difference_of_name_alone() -> None:
    lines = hand_of_two()[1].hands[0].lines
    verdict = judge_hand(lines, with_card(lines, card="?"), set())
    assert (verdict.off, verdict.wrong_score, verdict.differences, verdict.unnamed) == (False, False, (), 1)


def test_a_hand_is_off_the_rails_where_a_part_differs_that_was_not_to() -> None:
    lines = hand_of_two()[1].hands[0].lines
    wrong = with_card(lines, seat="Ada")
    assert not judge_hand(lines, wrong, {1, 2}).off
    assert judge_hand(lines, wrong, {2}).off
    assert judge_hand(lines, [], {0, 1, 2}).wrong_score


def test_a_lead_that_was_missed_and_laid_again_has_a_double_in_which_another_led() -> None:
    game, truth = hand_of("Ada:5D Ben:JH -Ada:5D Ada:5D", "Ben:3C Ada:KC")
    hand = truth.hands[0]
    first = hand.acts.index(Played("Ada", card("5D")))
    missed = Fault("missed", 0, 1, Laid("Ada", card("5D"), (0.0, 0.0)), act=first)
    (double,) = doubles(game, hand, [missed])
    assert [line["cards"][0]["seat"] for _, line in double.lines if line["event"] == "trick_won"] == [
        "Ben"
    ] * 2
    assert _winners(double) == ["Ben", "Ada"]
    assert fits(game, hand, missed)
    hand.arms |= {1}  # Ada was seen to take the trick
    assert not list(doubles(game, hand, [missed]))
    hand.arms.clear()
    other = Fault("missed", 0, 2, Laid("Ben", card("3C"), (0.0, 0.0)))
    assert {_winners(one)[1] for one in doubles(game, hand, [missed, other])} == {
        "Ada"
    }  # no guess hides behind it
    again = replace(missed, act=len(hand.acts) - 1)
    assert not list(doubles(game, hand, [again]))  # it was seen when it was laid first
