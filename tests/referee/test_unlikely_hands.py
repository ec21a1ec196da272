"""Hands of the fault bench in which much went wrong, or something unlikely was done: they are told as they were.

Each is kept as the facts that were told of it (``python -m tests.referee.faults.export``).
"""

from __future__ import annotations

import pytest

from table.referee import search
from table.referee.explanation import Explanation
from table.referee.journal import JournalLine, effective
from table.referee.referee import Referee
from tests.referee.recorded_facts import load
from tests.referee.test_recovery import replayed


def tricks(lines: list[JournalLine]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each trick's winner, and who laid what to it, the lead first."""
    return [
        (line["seat"], [(play["seat"], play["card"]) for play in line["cards"]])
        for line in effective(lines)
        if line["event"] == "trick_won"
    ]


def asked(lines: list[JournalLine]) -> list[JournalLine]:
    """The questions."""
    return [line for line in lines if line["event"] == "asked"]


TOLD = {
    "whysteria-far-arm": "a tied lead comes with the arm of a player who sits far off",
    "whysteria-two-arms": "so does a tied lead, and another card of the same trick",
    "oh-shit-three-ghosts": "three cards are told of in one trick that nobody laid",
    "oh-shit-ghost-last": "a card that nobody laid lands in the breath after a hand's last one, as if it made trumps",
    "oh-shit-lost-fist": "a bid made in secret is not heard, and the hand's one trick is played",
}


@pytest.mark.parametrize("name", TOLD)
def test_a_hand_in_which_much_went_wrong_is_told_as_it_was(name: str) -> None:
    game = load(name)
    lines = replayed(game)
    assert tricks(lines) == tricks(list(game.truth))


def test_a_trick_with_several_faults_is_found_out_by_looking_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "ORDINARY", float("inf"))
    game = load("oh-shit-three-ghosts")
    assert tricks(replayed(game)) != tricks(list(game.truth))


def test_looking_wider_again_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [load(name) for name in ("oh-shit-three-ghosts", "oh-hell-six-missed")]
    before = [replayed(game) for game in games]
    looked = []
    wider = search.Search._looking_wider

    def anew(one: search.Search, since: int, place: int) -> tuple[Explanation, ...]:
        looked.append(since in one._wider)
        one._wider.clear()
        return wider(one, since, place)

    monkeypatch.setattr(search.Search, "_looking_wider", anew)
    assert [replayed(game) for game in games] == before
    assert any(looked)


REVOKED = {
    "whysteria-revoke": "the next trick proves that the last card was a revoke, and no missed lead laid again",
    "whysteria-ghost-lead": "the second of two revokes: the trick was none that was taken back along with a ghost",
}


@pytest.mark.parametrize("name", REVOKED)
def test_a_revoke_that_was_seen_as_it_was_is_not_asked_about(name: str) -> None:
    game = load(name)
    lines = replayed(game)
    assert tricks(lines) == tricks(list(game.truth))
    assert [line for line in effective(lines) if line["event"] == "revoke"]
    assert not asked(lines)


def test_what_a_player_laid_whose_card_nobody_saw_is_asked_not_whose_card_it_was() -> None:
    """Of seven cards three were not seen, nor was the next lead: who won hangs on what they were."""
    game = load("oh-hell-six-missed")
    true = {
        (line["trick"], play["seat"]): play["card"]
        for line in game.truth
        if line["event"] == "trick_won"
        for play in line["cards"]
    }

    def answer(referee: Referee, now_ns: int) -> None:
        for question in referee.questions:
            assert question.about == "card"
            assert question.seat is not None
            assert referee.answer(question.number, true[question.trick, question.seat], now_ns, question.seat)

    lines = replayed(game, answer)
    assert asked(lines)
    assert _won(effective(lines)) == _won(list(game.truth))


def _won(lines: list[JournalLine]) -> dict[int, str]:
    """Each trick's winner, as it was told last."""
    return {line["trick"]: line["seat"] for line in lines if line["event"] == "trick_won"}
