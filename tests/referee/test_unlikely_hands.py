"""Hands of the fault bench in which much went wrong, or something unlikely was done: they are told as they were.

Each is kept as the facts that were told of it (``python -m tests.referee.faults.export``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from table.observed_facts import CardLanded, Fact
from table.referee.records.journal import JournalLine, effective_lines
from table.referee.referee import Referee
from tests.referee.recorded_facts import RecordedGame, load, replayed
from tests.speeds import first_quick


def tricks(lines: list[JournalLine]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each trick's winner, and who laid what to it, the lead first."""
    return [
        (line["seat"], [(play["seat"], play["card"]) for play in line["cards"]])
        for line in effective_lines(lines)
        if line["event"] == "trick_won"
    ]


def truly(game: RecordedGame) -> Callable[[Referee, int], None]:
    """Whoever is asked what was laid, by whom or who led, says what truly was."""
    won = {line["trick"]: line["cards"] for line in game.truth if line["event"] == "trick_won"}

    def answer(referee: Referee, now_ns: int) -> None:
        while referee.questions:
            question = referee.questions[0]
            laid = {play["seat"]: play["card"] for play in won[question.trick]}
            true = {
                "card": laid.get(question.seat or ""),
                "owner": next((seat for seat, name in laid.items() if name == question.card), None),
                "order": won[question.trick][0]["seat"],
            }[question.about]
            assert true is not None
            assert referee.answer(question.number, true, now_ns, question.seat or next(iter(laid)))

    return answer


def test_a_tied_lead_that_its_player_takes_back_was_not_the_first_though_it_was_seen_beneath() -> None:
    game = load("whysteria-beneath-wrong")
    lines = replayed(game)
    assert _won(effective_lines(lines)) == _won(list(game.truth))
    assert scores(lines) == scores(list(game.truth))
    assert not [line for line in effective_lines(lines) if line["event"] == "revoke"]


def asked(lines: list[JournalLine]) -> list[JournalLine]:
    """The questions."""
    return [line for line in lines if line["event"] == "asked"]


TOLD = {
    "whysteria-far-arm": "a tied lead comes with the arm of a player who sits far off",
    "whysteria-two-arms": "so does a tied lead, and another card of the same trick",
    "oh-shit-three-ghosts": "three cards are told of in one trick that nobody laid",
    "oh-shit-ghost-last-trick": "a card that nobody laid falls while the last trick's lead proves a revoke",
    "oh-shit-ghost-last": "a card that nobody laid lands in the breath after a hand's last one, as if it made trumps",
    "oh-shit-two-wrong-arms": "two cards of a trick come with arms of others, and lie on their players' sides",
    "whysteria-three-wrong-arms": "the same of three in a game of ten tricks",
    "oh-shit-lost-fist": "a bid made in secret is not heard, and the hand's one trick is played",
}


@first_quick("name", TOLD, quick=3)
def test_a_hand_in_which_much_went_wrong_is_told_as_it_was(name: str) -> None:
    game = load(name)
    lines = replayed(game)
    assert tricks(lines) == tricks(list(game.truth))


def test_a_hands_last_card_that_is_seen_anew_before_anybody_can_have_dealt_makes_no_trumps() -> None:
    game = load("oh-shit-twice-last")
    for event, field in (("trump", "card"), ("hand_scored", "points")):
        told, true = (
            [line[field] for line in lines if line["event"] == event]
            for lines in (effective_lines(replayed(game)), game.truth)
        )
        assert told == true


@pytest.mark.thorough
def test_a_trick_with_several_faults_is_found_out_though_no_place_tells_of_a_player() -> None:
    game = load("whysteria-two-arms")
    game = replace(game, told=[replace(one, fact=_in_the_middle(one.fact)) for one in game.told])
    assert tricks(replayed(game)) == tricks(list(game.truth))


def _in_the_middle(fact: Fact) -> Fact:
    """A card that lands lies where its place tells nothing of its player."""
    return replace(fact, place_mm=(0.0, 0.0)) if isinstance(fact, CardLanded) else fact


REVOKED = {
    "whysteria-revoke": "the next trick proves that the last card was a revoke, and no missed lead laid again",
    "whysteria-revoke-pushed": "the same among three, of whom two had led at once",
    "whysteria-revoke-last-trick": "the same, and in the next trick two lead at once",
    "whysteria-revoke-two-tricks": "the same in a hand of two tricks",
    "whysteria-ghost-lead": "the second of two revokes: the trick was none that was taken back along with a ghost",
}


@pytest.mark.parametrize("name", REVOKED)
def test_a_revoke_that_was_seen_as_it_was_is_not_asked_about(name: str) -> None:
    game = load(name)
    lines = replayed(game)
    assert tricks(lines) == tricks(list(game.truth))
    assert [line for line in effective_lines(lines) if line["event"] == "revoke"]
    assert not asked(lines)


@pytest.mark.thorough
def test_what_a_player_laid_whose_card_nobody_saw_is_asked_not_whose_card_it_was() -> None:
    """Of seven cards three were not seen, nor was the next lead: who won hangs on what they were."""
    game = load("oh-hell-six-missed")
    lines = replayed(game, truly(game))
    assert {line["about"] for line in asked(lines)} == {"card"}
    assert _won(effective_lines(lines)) == _won(list(game.truth))


def test_of_what_proves_a_revoke_it_is_asked_what_it_was_though_it_is_proved_either_way() -> None:
    game = load("oh-shit-proof-misread")
    lines = replayed(game, truly(game))
    proofs = [
        (line["trick"], line["proved_by"]) for line in effective_lines(lines) if line["event"] == "revoke"
    ]
    assert proofs == [(2, "7S"), (3, "7S")]


def _won(lines: list[JournalLine]) -> dict[int, str]:
    """Each trick's winner, as it was told last."""
    return {line["trick"]: line["seat"] for line in lines if line["event"] == "trick_won"}


ANSWERED = {
    "whysteria-trick-unseen": "of one trick not a card was seen: in the end a card is waited for that nobody has",
    "prediction-whist-trick-unseen": "the same of the first of three tricks",
    "oh-shit-ghost-proof": "of a card and a ghost in the last trick one is the proof of a revoke, and a hand was there",
    "whysteria-revoke-wrong-arm": "a revoke comes with the leader's arm, as if it had been the lead",
    "israeli-whist-taken-back-proof": "a trick's last card is taken back for another one, and that proves a revoke",
    "oh-shit-two-arms": "two cards of a trick come with arms of others, and one of them is a revoke",
    "whysteria-two-missed-revoke": "two cards of a trick that proves a revoke are missed, and none was taken back",
    "oh-shit-proof-misread": "two revokes have a later proof than the best reading of a card says",
    "oh-shit-misread-twice": "two cards of a trick are surely misread, and one of them as if it were a revoke",
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ANSWERED)
def test_what_nobody_could_see_is_put_right_by_answers(name: str) -> None:
    game = load(name)
    lines = replayed(game, truly(game))
    assert asked(lines)
    assert _won(effective_lines(lines)) == _won(list(game.truth))
    assert scores(lines) == scores(list(game.truth))


def scores(lines: list[JournalLine]) -> list[object]:
    """What each hand counted."""
    return [line["points"] for line in effective_lines(lines) if line["event"] == "hand_scored"]
