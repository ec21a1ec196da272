"""What the table asks is answered by the seats' buttons, while play goes on or first in the panel."""

from __future__ import annotations

import pygame

from table.display.view_picture import draw_canvas
from table.games.engine.game_state import Phase
from table.observed_facts import MS, Gesture
from tests.english import Read, read
from tests.referee.tabletop import TableTop
from tests.referee.test_correction_panel import Hands
from tests.referee.test_referee_cards import bidden, trick


def doubtful() -> tuple[TableTop, Hands]:
    """A trick of which Ben's card is K♥ or K♦, taken by nobody in sight; Ada has led to the next."""
    table = bidden()
    lay_doubtful(table)
    table.lay("3S", 12000, "Ada", sure=0.5)
    table.settle(12500)
    assert len(table.referee.questions) == 1
    return table, Hands(table, 12600)


def lay_doubtful(table: TableTop) -> None:
    table.lay("9H", 6000, "Ada")
    table.lay("KH", 7000, "Ben", confidence=0.55, others=[("KD", 0.42)])
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "KH", "4H", at=9500)


def test_who_names_a_card_of_the_last_trick_when_nothing_moves_any_more_says_that_it_was_played() -> None:
    table = bidden(2)
    trick(table)
    table.clear("9H", "8H", "4H", at=9000, arm="Ada")
    table.lay("AC", 11000, "Ada")
    table.withdraw("AC", 15100, "Ada")
    table.settle(69_000)
    assert table.referee.state.phase is Phase.LEAD, "the ace was taken back, as far as was seen"
    (question,) = table.referee.questions
    assert table.referee.answer(question.number, "KC", 70_000 * MS, "Ada")
    (*_, trick_won, _) = table.said("trick_won", "hand_scored")
    assert [play["card"] for play in trick_won[3]] == ["KC", "AC", "?"]


def test_an_answer_that_ends_a_later_hand_can_be_taken_back() -> None:
    table = TableTop(hands=[1, 1, 1, 1])
    for deal, dealer in enumerate(("Ada", "Ben", "Cleo")):
        at = 1000 + 20_000 * deal
        table.rap(dealer, at)
        for place, seat in enumerate(("Cleo", "Ada", "Ben")):
            table.bid(seat, 0, at + 1000 + 1000 * place)
    for at, suit in ((6000, "S"), (26_000, "H")):
        table.lay("9" + suit, at, "Ada")
        table.lay("8" + suit, at + 1000, "Ben")
        table.lay("4" + suit, at + 2000, "Cleo")
        table.clear("9" + suit, "8" + suit, "4" + suit, at=at + 3000, arm="Ada")
    table.lay("AC", 47_000, "Ada")
    table.withdraw("AC", 51_100, "Ada")
    table.settle(109_000)
    before, hands = table.referee.state, Hands(table, 110_000)
    assert before.hand == 3
    for taps in (1, 3, 1):  # another card; clubs; the king
        hands.do(Gesture.TAPS, taps)
        hands.do(Gesture.RAP)
    assert table.referee.state.hand == 4
    hands.choose("Take back: the answer K♣", "Yes")  # (the score is lost)
    assert table.referee.state == before


def panel_of(table: TableTop) -> Read:
    found = table.referee.view(0).question
    assert found is not None
    return read(found)


def test_a_tap_takes_it_up_more_taps_step_and_a_rap_answers() -> None:
    table, hands = doubtful()
    before = table.referee.state
    assert (panel_of(table).seat, panel_of(table).lines) == (None, ("K♥", "K♦", "A♥", "Another?"))
    hands.do(Gesture.TAPS, 1)
    assert (panel_of(table).seat, panel_of(table).at) == ("Ada", 0)
    hands.do(Gesture.TAPS, 1)
    hands.do(Gesture.RAP, seat="Cleo")
    assert panel_of(table).at == 1
    hands.do(Gesture.RAP)
    assert table.referee.questions == ()
    assert str(table.referee.state.tricks[0].plays[1].card) == "KD"
    assert table.said("answered") == [("answered", 1, "KD")]
    assert not table.said("bid_refused")
    hands.choose("Take back: the answer K♦")
    assert str(table.referee.state.tricks[0].plays[1].card) == "KH"
    assert table.referee.state == before


def test_another_card_is_named_by_suit_then_rank() -> None:
    table, hands = doubtful()
    hands.do(Gesture.TAPS, 4)
    hands.do(Gesture.RAP)
    assert panel_of(table).lines == ("♠", "♥", "♦", "♣")
    hands.do(Gesture.TAPS, 3)
    hands.do(Gesture.RAP)
    hands.do(Gesture.TAPS, 1)
    hands.do(Gesture.RAP)
    assert str(table.referee.state.tricks[0].plays[1].card) == "KC"


def test_thats_wrong_or_quiet_leaves_it_open() -> None:
    table, hands = doubtful()
    hands.do(Gesture.TAPS, 1)
    hands.do(Gesture.WRONG)
    assert panel_of(table).seat is None
    hands.do(Gesture.TAPS, 1)
    pressed = hands.at + 500
    table.settle(pressed + 19_999)
    assert panel_of(table).seat == "Ada"
    table.settle(pressed + 20_001)
    assert panel_of(table).seat is None


def test_presses_of_who_has_taken_it_up_mean_nothing_else_even_once_it_is_settled() -> None:
    table, hands = doubtful()
    hands.do(Gesture.TAPS, 1, seat="Ben")
    assert table.referee.answer(1, "KH", 0, "Cleo")
    before = len(table.referee.journal.lines)
    assert panel_of(table).lines == ()
    hands.do(Gesture.TAPS, 1, seat="Ben")
    hands.do(Gesture.RAP, seat="Ben")
    assert len(table.referee.journal.lines) == before
    assert table.referee.view(0).question is None
    hands.do(Gesture.TAPS, 1, seat="Ben")
    assert table.referee.journal.lines[-1]["event"] == "bid_refused"


def test_while_something_else_is_awaited_it_stands_first_in_the_panel() -> None:
    table = bidden(1)
    lay_doubtful(table)
    table.settle(12500)
    hands = Hands(table, 12600)
    assert table.referee.state.phase is Phase.DEAL
    assert table.referee.questions
    totals = dict(table.referee.state.totals)
    hands.do(Gesture.TAPS, 1)
    assert panel_of(table).seat is None
    hands.choose("Answer: ")
    other = next(line for line in ("K♥", "K♦") if line != asked_card(table))
    hands.mark(other)
    hands.do(Gesture.RAP)
    assert table.referee.questions == ()
    assert table.referee.state.totals != totals


def asked_card(table: TableTop) -> str:
    return {"KH": "K♥", "KD": "K♦"}[str(table.referee.questions[0].card)]


def test_the_foot_of_the_screen_shows_what_is_asked_and_what_is_marked() -> None:
    table, hands = doubtful()
    pictures = []
    for _ in range(3):
        pictures.append(
            pygame.image.tobytes(draw_canvas(table.referee.view(10**12), (1280, 720)).surface, "RGB")
        )
        hands.do(Gesture.TAPS, 1)
    assert len(set(pictures)) == 3


def hanging_hand() -> TableTop:
    """A hand of one trick, taken at 9.5 s, whose score hangs on Ben's card."""
    table = bidden(1)
    lay_doubtful(table)
    table.settle(12500)
    return table


def test_a_score_that_hangs_on_a_question_says_so_for_a_minute() -> None:
    table = hanging_hand()
    assert table.referee.view(12_500 * MS).provisional_hands == {1}
    assert table.referee.view((9_500 + 59_999) * MS).provisional_hands == {1}
    assert table.referee.view((9_500 + 60_000) * MS).provisional_hands == frozenset()
    assert table.referee.questions


def test_a_score_hangs_on_a_question_until_the_next_dealers_rap_and_is_corrected_after_it() -> None:
    table = hanging_hand()
    table.rap(table.referee.state.dealer, 14000)
    table.settle(15000)
    assert table.referee.view(15_000 * MS).provisional_hands == frozenset()
    (question,) = table.referee.questions
    totals = dict(table.referee.state.totals)
    other = next(choice for choice in question.choices if choice != question.card)
    assert table.referee.answer(question.number, other, 15_000 * MS, "Ada")
    assert table.referee.state.totals != totals


def test_a_score_hangs_on_nothing_once_it_is_answered() -> None:
    table = hanging_hand()
    (question,) = table.referee.questions
    assert table.referee.answer(question.number, question.choices[0], 13_000 * MS, "Ada")
    assert table.referee.view(13_000 * MS).provisional_hands == frozenset()
