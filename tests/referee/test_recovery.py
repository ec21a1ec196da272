"""Where the camera was wrong, the play that follows tells: the table comes back to what really happened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.cards import UnseenCard, card
from table.events.game_events import Played
from table.games.engine.game_state import Phase
from table.history.truth_comparison import Comparison, compare
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Call, CardGone, CardLanded, Fact
from table.referee.records.journal import JournalLine, effective_lines
from table.referee.referee import Referee
from table.simulation.players.game_director import ROUGH_MISHAPS, play_game
from table.simulation.simulated_config import make_simulated_config
from tests.referee.recorded_facts import load, replayed
from tests.referee.tabletop import TableTop, correct, entries_of, find_last
from tests.simulation.perfect import journal_of

# --- whole games as a camera told them -------------------------------------------------------------------------------


def unnamed(comparison: Comparison) -> bool:
    """Whether one card's name is all that differs: its play and its trick stand with ``?`` in the name's place."""
    if len(comparison.gaps) != 1:
        return False
    (gap,) = comparison.gaps
    found = [line for line in gap.truth if line["event"] == "card_played"]
    if len(found) != 1:
        return False
    name = found[0]["card"]
    hidden = [
        {
            **line,
            **({"card": "?"} if "card" in line else {}),
            **({"cards": [_hide(play, name) for play in line["cards"]]} if "cards" in line else {}),
        }
        for line in gap.truth
    ]
    return compare(hidden, gap.journal).differences == ()


def _hide(play: dict[str, str], name: str) -> dict[str, str]:
    return {**play, "card": "?"} if play["card"] == name else play


UNSEEN = [("oh-hell-1", "QS", 53), ("prediction-whist-16", "6H", 51)]


@pytest.mark.parametrize(("name", "card_name", "events"), UNSEEN)
def test_a_card_that_was_never_seen_costs_its_name_and_nothing_else(
    name: str, card_name: str, events: int
) -> None:
    game = load(name)
    comparison = compare(game.truth, replayed(game))
    assert (comparison.matched, comparison.expected) == (events - 2, events)
    assert unnamed(comparison)


@pytest.mark.parametrize("entries", [1, 8], ids=["at once", "in the next hand"])
@pytest.mark.parametrize(("name", "card_name", "events"), UNSEEN)
def test_a_person_who_names_the_unseen_card_makes_the_game_whole(
    name: str, card_name: str, events: int, entries: int
) -> None:
    game = load(name)
    mended: list[str] = []

    def mend(referee: Referee, now_ns: int) -> None:
        at = find_last(
            referee,
            lambda entry: isinstance(entry.cause, Played) and isinstance(entry.cause.card, UnseenCard),
        )
        if at is not None and len(entries_of(referee)) >= at + entries and not mended:
            cause = entries_of(referee)[at].cause
            assert isinstance(cause, Played)
            mended.append(cause.seat)
            assert correct(referee, at, Played(cause.seat, card(card_name)), now_ns, cause.seat)

    comparison = compare(game.truth, replayed(game, mend))
    assert mended
    assert comparison.differences == ()
    assert comparison.matched == events


def test_a_card_that_never_was_costs_the_withdrawal_that_it_was_taken_for_and_nothing_else() -> None:
    """The card is taken for one that was left lying, and so for played when its turn came."""
    game = load("whysteria-9")
    comparison = compare(game.truth, replayed(game))
    assert (comparison.matched, comparison.expected) == (58, 60)
    (withdrawn, played) = comparison.differences
    assert (withdrawn[0], played[0]) == ("-", "~")
    assert '"card_taken_back", "seat": "Ben", "card": "10H"' in withdrawn
    assert '"card_played", "seat": "Ben", "card": "10H"' in played


# --- what sight is not sure of ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sure", "leads"), [(0.6, "Ada"), (None, "Cleo")])
def test_which_lead_lay_beneath_is_believed_as_far_as_it_was_seen_surely(
    sure: float | None, leads: str
) -> None:
    """Ben's lead seems to lie beneath Ada's; but it is Ben who takes his back, and Cleo who plays then."""
    table = free_leads()
    table.lay("KC", 6000, "Ben")
    table.lay("9D", 6060, "Ada", upon=["KC"], order_sure=sure)
    table.settle(until=7000)
    assert [line[1]["seat"] for line in table.said("leads_tied")] == ["Ben"]
    table.withdraw("KC", 8000)
    table.settle(until=8500)
    table.lay("4D", 9500, "Cleo", upon=["9D"])
    table.settle(until=10_500)
    assert table.referee.state.trick.plays[0].seat == leads


# --- one fault in a small trick --------------------------------------------------------------------------------------


def free_leads(cards: int = 3, **options: Any) -> TableTop:
    """Whysteria: Ada deals; Cleo is the default leader, and anyone may lead."""
    table = TableTop(**{"hands": [cards, 1], **options})
    table.rap("Ada", 1000)
    table.bid("Cleo", cards - 1, 2000)
    table.bid("Ada", 0, 3000)
    table.bid("Ben", 0, 4000)
    return table


def in_turn(cards: int = 3) -> TableTop:
    """Oh Hell, clubs are trumps: Cleo deals, Ada leads."""
    table = TableTop("oh-hell", hands=[cards, 1], trump="progressive", first_dealer="Cleo")
    table.rap("Cleo", 1000)
    for at, seat in enumerate(("Ada", "Ben", "Cleo")):
        table.bid(seat, 0, 2000 + 1000 * at)
    return table


def second_trick(table: TableTop) -> None:
    """Ada, who won the first, leads; all that comes is seen."""
    table.lay("AS", 13_000, "Ada")
    table.lay("3S", 14_000, "Ben")
    table.lay("2S", 15_000, "Cleo")
    table.clear("AS", "3S", "2S", at=16_500, arm="Ada")


SECOND = (2, "Ada", [("Ada", "AS"), ("Ben", "3S"), ("Cleo", "2S")])


def tricks(table: TableTop) -> list[tuple[int, str, list[tuple[str, str]]]]:
    """The tricks that hold: number, winner, cards in playing order."""
    return [
        (line["trick"], line["seat"], [(play["seat"], play["card"]) for play in line["cards"]])
        for line in effective_lines(table.settle())
        if line["event"] == "trick_won"
    ]


def question_lines(table: TableTop) -> list[JournalLine]:
    return [line for line in table.settle() if line["event"] == "asked"]


TRUE = (1, "Ada", [("Ada", "9H"), ("Ben", "8H"), ("Cleo", "4H")])


def without(seat: str) -> tuple[int, str, list[tuple[str, str]]]:
    """The first trick with one player's card unnamed."""
    return (1, "Ada", [(who, "?" if who == seat else name) for who, name in TRUE[2]])


def test_a_card_never_seen_in_the_middle_of_a_trick_is_somebodys_all_the_same() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [without("Ben"), SECOND]


def test_a_trick_whose_last_card_was_never_seen_is_complete_when_it_is_picked_up() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.clear("9H", "8H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [without("Cleo"), SECOND]


def test_a_lead_that_was_never_seen_is_the_leaders_and_the_next_cards_stay_their_players() -> None:
    table = in_turn()
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.clear("8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [without("Ada"), SECOND]


def test_a_misread_card_is_what_it_might_also_be_once_the_card_it_was_read_as_is_played() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("3S", 7000, "Ben", confidence=0.8, others=[("8H", 0.15)])
    ben = table.ids["3S"]
    table.lay("4H", 8000, "Cleo")
    table.ids["8H"] = ben
    table.clear("9H", "8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]
    assert any(line["event"] == "corrected" and line["by"] == "table" for line in table.settle())


def test_a_card_under_a_wrong_arm_stays_the_play_of_whoever_is_next() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Cleo")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]


def test_a_free_lead_under_a_wrong_arm_is_its_leaders_once_play_has_gone_round() -> None:
    table = free_leads()
    table.lay("9H", 6000, "Ben")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]


def test_a_table_that_changes_its_mind_says_what_it_thought_and_why_it_does_no_more() -> None:
    table = free_leads()
    table.lay("9H", 6000, "Ben")
    table.lay("8H", 7000, "Ben")
    assert "corrected" not in [line["event"] for line in table.settle(until=7500)]
    table.lay("4H", 8000, "Cleo")
    (line,) = [line for line in table.settle(until=8500) if line["event"] == "corrected"]
    assert (line["by"], line["from"]["seat"], line["to"]["seat"]) == ("table", "Ben", "Ada")
    sentences = [phrase_text(notice.phrase) for notice in table.referee.view(8500 * MS).notices]
    assert sentences == ["Ada's 9♥, not Ben's 9♥: what came later fits that better"]


@pytest.mark.parametrize("old_goes", [False, True])
def test_a_card_that_lands_twice_is_played_once(old_goes: bool) -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    first = table.ids["9H"]
    table.lay("8H", 7000, "Ben")
    table.lay("9H", 7500)
    again = table.ids["9H"]
    if old_goes:
        table.ids["9H"] = first
        table.withdraw("9H", 7500)
        table.ids["9H"] = again
    else:
        table.ids["old"] = first
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "8H", "4H", *(() if old_goes else ("old",)), at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]


@pytest.mark.parametrize("leaves", [True, False])
def test_a_card_that_is_not_there_moves_nobodys_card(leaves: bool) -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("KD", 6500, confidence=0.6, others=[("KH", 0.2)])
    if leaves:
        table.withdraw("KD", 7900)
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "8H", "4H", *(() if leaves else ("KD",)), at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]


def test_a_card_that_is_told_of_as_gone_too_early_stays_played() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.withdraw("9H", 7600)
    table.lay("4H", 8000, "Cleo")
    table.clear("8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]
    assert ("card_taken_back", "Ada", "9H") not in [
        (line["event"], line.get("seat"), line.get("card")) for line in effective_lines(table.settle())
    ]


def test_a_card_that_is_told_of_as_gone_too_late_belongs_to_the_trick_that_was_taken() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    for name in ("9H", "4H"):
        table.withdraw(name, 10_000)
    table.lay("AS", 13_000, "Ada")
    table.withdraw("8H", 13_900)
    table.lay("3S", 14_000, "Ben")
    table.lay("2S", 15_000, "Cleo")
    table.clear("AS", "3S", "2S", at=16_500, arm="Ada")
    assert tricks(table) == [TRUE, SECOND]


def test_a_trick_picked_up_in_three_grabs_is_taken_once() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.withdraw("9H", 10_000)
    table.withdraw("4H", 11_200)
    table.clear("8H", at=12_400, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]
    assert len([line for line in effective_lines(table.settle()) if line["event"] == "trick_taken"]) == 2


def test_a_card_that_somebody_else_pushes_away_is_still_its_players() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.withdraw("9H", 7400)
    table.lay("9H", 7401, "Cleo", place=(110, 90))
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]


def test_tied_leads_given_to_each_others_players_are_put_right_by_the_play_that_follows() -> None:
    table = free_leads()
    table.lay("9H", 6000, "Cleo")  # Ada's
    table.lay("8D", 6100, "Ada", upon=["9H"])  # Cleo's
    table.withdraw("8D", 6900)
    table.lay("8H", 7500, "Ben")
    table.lay("4H", 8500, "Cleo")
    table.clear("9H", "8H", "4H", at=10_000, arm="Ada")
    second_trick(table)
    assert tricks(table) == [TRUE, SECOND]
    assert ("leads_tied", {"seat": "Ada", "card": "9H"}, [{"seat": "Cleo", "card": "8D"}], "Ben") in [
        (line["event"], line["kept"], line["taken_back"], line["next"])
        for line in effective_lines(table.settle())
        if line["event"] == "leads_tied"
    ]


SEVEN = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen")


def test_seven_players_whose_tied_leads_were_misjudged_end_in_the_trick_that_was_played() -> None:
    table = TableTop(angles={seat: 51.4 * at for at, seat in enumerate(SEVEN)}, hands=[2, 1])
    table.rap("Ada", 1000)
    # Ada deals: the bids go from her left round to her; the default leader is left of the last bidder.
    for at, seat in enumerate((*SEVEN[1:], SEVEN[0])):
        table.bid(seat, 0, 2000 + 1000 * at)
    leads = {"Ada": "9H", "Cleo": "8D", "Eve": "KC"}
    seen = {"Ada": "Cleo", "Cleo": "Eve", "Eve": "Ada"}  # whose arm seems to have brought whose card
    lying: list[str] = []
    for at, (seat, name) in enumerate(leads.items()):
        table.lay(name, 12_000 + 50 * at, seen[seat], upon=lying)
        lying.append(name)
    table.withdraw("KC", 13_000)
    table.withdraw("8D", 13_500)
    rest = {"Ben": "8H", "Cleo": "4H", "Dan": "3H", "Eve": "5H", "Finn": "6H", "Gwen": "7H"}
    for at, (seat, name) in enumerate(rest.items()):
        table.lay(name, 14_000 + 1000 * at, seat)
    table.clear("9H", *rest.values(), at=22_000, arm="Ada")
    table.lay("AS", 24_000, "Ada")
    table.lay("2S", 25_000, "Ben")
    assert tricks(table) == [(1, "Ada", [("Ada", "9H"), *rest.items()])]


def test_who_deals_turns_the_trump_up_so_cards_laid_by_others_are_play() -> None:
    """Oh Hell without bidding: Dan's card seems to be the dealer's, as if it were the one turned up."""
    angles = {"Ada": 30.0, "Ben": 90.0, "Cleo": 150.0, "Dan": 210.0, "Eve": 270.0, "Fay": 330.0}
    table = TableTop("oh-hell", angles, hands=[3, 1], nullo=True, first_dealer="Fay")
    table.rap("Fay", 1000)
    table.lay("3C", 2500, "Fay")
    table.clear("3C", at=4000, arm="Fay")
    laid = (("2S", "Ada"), ("QS", "Ben"), ("9S", "Cleo"), ("6H", "Fay"), ("8S", "Eve"), ("7S", "Fay"))
    for place, (name, arm) in enumerate(laid):
        table.lay(name, 6000 + 1000 * place, arm)
        table.settle(until=6500 + 1000 * place)
        assert table.referee.state.turned == card("3C")
    assert [(play.seat, str(play.card)) for play in table.referee.state.trick.plays] == [
        *(("Ada", "2S"), ("Ben", "QS"), ("Cleo", "9S"), ("Dan", "6H"), ("Eve", "8S"), ("Fay", "7S")),
    ]


# --- a better look, a question ---------------------------------------------------------------------------------------


def test_a_sure_misreading_that_comes_out_when_that_card_is_seen_again_is_asked_about_once() -> None:
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("KH", 7000, "Ben")  # it is another heart
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "KH", "4H", at=10_000)
    table.lay("AS", 13_000, "Ada")
    table.lay("2S", 14_000, "Ben")
    table.lay("KH", 15_000, "Cleo")  # this one is the king
    table.clear("AS", "2S", "KH", at=16_500, arm="Ada")
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 1, "Ben")
    assert table.referee.answer(question["question"], "8H", 17_000_000_000, "Ben")
    assert tricks(table)[0] == TRUE
    assert len(question_lines(table)) == 1


def test_an_answer_is_about_the_card_that_was_asked_for_whatever_is_believed_meanwhile() -> None:
    table = in_turn()
    table.lay("8C", 6000, "Ada")
    table.lay("7C", 7000, "Cleo")  # it is Ben's
    table.lay("KC", 8000, "Ben")  # and this is Cleo's
    table.clear("8C", "7C", "KC", at=9500)
    table.lay("3H", 11_000, "Cleo")
    table.lay("10D", 12_000, "Ada")
    table.lay("2S", 13_000, "Ben")
    table.settle(until=14_000)
    (question,) = table.referee.questions
    assert tricks(table)[0][1] == "Ben"
    table.clear("3H", "10D", "2S", at=15_000, arm="Cleo")
    assert tricks(table)[0][1] == "Cleo"
    true = {"7C": "Ben", "KC": "Cleo"}[question.card or ""]
    assert table.referee.answer(question.number, true, 16_000_000_000, true)
    assert tricks(table)[0] == (1, "Cleo", [("Ada", "8C"), ("Ben", "7C"), ("Cleo", "KC")])


def test_a_lead_that_nobody_knows_is_asked_about_once_a_revoke_hangs_on_it() -> None:
    table = in_turn()
    table.lay("8H", 7000, "Ben")
    table.lay("4S", 8000, "Cleo")
    table.clear("8H", "4S", at=9500, arm="Ada")
    table.lay("AD", 11_000, "Ada")
    table.lay("2D", 12_000, "Ben")
    table.settle(until=12_500)
    assert not table.referee.questions
    table.lay("3H", 13_000, "Cleo")  # if hearts were led this proves a revoke
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 1, "Ada")
    assert not [line for line in table.settle() if line["event"] == "revoke"]
    assert table.referee.answer(question["question"], "9H", 14_000_000_000, "Ada")
    (revoke,) = (line for line in effective_lines(table.settle()) if line["event"] == "revoke")
    assert (revoke["seat"], revoke["card"], revoke["proved_by"]) == ("Cleo", "4S", "3H")
    assert len(question_lines(table)) == 1


def test_an_unseen_card_that_won_over_trumps_was_one_so_its_name_proves_a_revoke() -> None:
    table = in_turn()
    for at, (seat, name) in enumerate((("Ada", "9C"), ("Ben", "8D"), ("Cleo", "4C"))):
        table.lay(name, 6000 + 1000 * at, seat)
    table.clear("9C", "8D", "4C", at=9500, arm="Ada")
    table.lay("3C", 11_000, "Ada")
    table.lay("2C", 13_000, "Cleo", upon=["3C"])
    table.clear("3C", "2C", at=14_500, arm="Ben")
    table.lay("7D", 16_000, "Ben")
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 2, "Ben")
    table.lay("5D", 17_000, "Cleo")
    table.lay("4D", 18_000, "Ada")
    assert not [line for line in table.settle() if line["event"] in ("revoke", "answered")]
    assert table.referee.answer(question["question"], "KC", 18_500 * MS, "Ben")
    held = effective_lines(table.referee.journal.lines)
    assert [line["seat"] for line in held if line["event"] == "revoke"] == ["Ben"]
    assert len(question_lines(table)) == 1


@pytest.mark.parametrize(("arm", "taken_back"), [("Ben", ["6D"]), (None, [])], ids=["his", "nobody's"])
def test_the_name_of_an_unseen_card_changes_nothing_of_what_went_before_it(
    arm: str | None, taken_back: list[str]
) -> None:
    """A card that Ben laid before his unseen one was taken back, and one that no arm brought was none of his."""
    table = in_turn()
    for at, (seat, name) in enumerate((("Ada", "9C"), ("Ben", "8D"), ("Cleo", "4C"))):
        table.lay(name, 6000 + 1000 * at, seat)
    table.clear("9C", "8D", "4C", at=9500, arm="Ada")
    table.lay("3C", 11_000, "Ada")
    table.lay("6D", 12_000, arm)
    table.withdraw("6D", 12_600)
    table.lay("2C", 14_000, "Cleo", upon=["3C"])
    table.clear("3C", "2C", at=15_500, arm="Ben")
    table.lay("7D", 17_000, "Ben")
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 2, "Ben")
    assert table.referee.answer(question["question"], "KC", 18_000 * MS, "Ben")
    held = effective_lines(table.referee.journal.lines)
    assert [line["card"] for line in held if line["event"] == "card_taken_back"] == taken_back
    assert tricks(table)[1] == (2, "Ben", [("Ada", "3C"), ("Ben", "KC"), ("Cleo", "2C")])


def a_card_that_went(*, settled: bool) -> TableTop:
    """Ben's king leaves before Cleo's card falls, with Ben's arm over the mark: taken back, or only lost from sight?

    ``settled``: who leads next is seen; else no arm is, and nobody knows who took the trick.
    """
    table = in_turn()
    table.lay("9H", 6000, "Ada")
    table.lay("KH", 7000, "Ben")
    table.facts.append(CardGone(8_000 * MS, table.ids.pop("KH"), table.angles["Ben"], mark_empty=False))
    table.lay("4H", 10_000, "Cleo")
    table.clear("9H", "4H", at=14_000)
    second = ("AS", "2S", "3S")
    for place, name in enumerate(second):
        table.lay(name, 17_000 + 1000 * place, ("Ben", "Cleo", "Ada")[place] if settled else None)
    table.clear(*second, at=22_000)
    table.lay("6D", 25_000)
    table.settle(until=26_000)
    return table


@pytest.mark.parametrize(("choice", "winner"), [("KH", "Ben"), ("5H", "Ada")])
def test_whether_a_card_went_for_good_is_asked_as_what_its_player_laid(choice: str, winner: str) -> None:
    """Taken back or lost, picked up or not: it matters where the trick is another one, which a card's name tells."""
    table = a_card_that_went(settled=False)
    (question,) = table.referee.questions
    assert (question.about, question.trick, question.seat) == ("card", 1, "Ben")
    assert table.referee.answer(question.number, choice, 27_000 * MS, "Ben")
    cards = [("Ada", "9H"), ("Ben", choice), ("Cleo", "4H")]
    assert [one for one in tricks(table) if one[0] == 1] == [(1, winner, cards)]


def test_how_a_card_went_is_not_asked_where_the_trick_is_the_same() -> None:
    table = a_card_that_went(settled=True)
    assert not table.referee.questions
    assert tricks(table)[0] == (1, "Ben", [("Ada", "9H"), ("Ben", "KH"), ("Cleo", "4H")])


def test_a_hands_last_trick_that_an_unread_card_may_have_won_is_asked_about_once_it_is_scored() -> None:
    table = in_turn(2)
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "8H", "4H", at=10_000, arm="Ada")
    table.lay("3S", 13_000, "Ada")
    table.lay("7S", 15_000, "Cleo")
    table.clear("3S", "7S", at=16_500, arm="Ben")
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 2, "Ben")
    assert table.referee.state.phase is Phase.DEAL
    assert table.referee.answer(question["question"], "QS", 17_000_000_000, "Ben")
    assert tricks(table)[1] == (2, "Ben", [("Ada", "3S"), ("Ben", "QS"), ("Cleo", "7S")])


def test_a_hands_last_trick_is_asked_about_although_it_scores_the_same_for_whoever_won_it() -> None:
    table = TableTop(hands=[2, 1])
    table.rap("Ada", 1000)
    for at, (seat, number) in enumerate((("Cleo", 2), ("Ada", 0), ("Ben", 2))):
        table.bid(seat, number, 2000 + 1000 * at)
    table.lay("AH", 6000, "Ada")
    table.lay("3H", 7000, "Ben", upon=["AH"])
    table.lay("4H", 8000, "Cleo", upon=["3H"])
    table.clear("AH", "3H", "4H", at=10_000, arm="Ada")
    table.lay("KC", 12_000, "Ada")
    table.lay("QC", 13_000, "Ben", upon=["KC"])
    table.lay("2S", 14_000, "Cleo", upon=["QC"], confidence=0.98)
    table.clear("KC", "QC", "2S", at=16_000, arm="Ada")
    table.settle(until=17_000)
    (scored,) = [line for line in table.referee.journal.lines if line["event"] == "hand_scored"]
    assert (scored["tricks"]["Cleo"], set(scored["points"].values())) == (1, {0})
    (question,) = table.referee.questions
    assert (question.about, question.seat) == ("card", "Cleo")
    assert table.referee.answer(question.number, "2D", 18_000 * MS, "Cleo")
    held = effective_lines(table.referee.journal.lines)
    assert [line["tricks"] for line in held if line["event"] == "hand_scored"] == [
        {"Ada": 2, "Ben": 0, "Cleo": 0}
    ]


def no_trumps(cards: int = 2) -> TableTop:
    """Oh Shit: an ace is turned up; Ada deals, Ben leads; all fists are on the table at 5 s, the count ends at 8 s."""
    table = TableTop("oh-shit", hands=[cards], joker=True)
    table.rap("Ada", 1000)
    table.lay("AD", 2000)
    table.clear("AD", at=3000)
    for place, seat in enumerate(("Cleo", "Ben", "Ada")):
        table.rap(seat, 4000 + 500 * place)
    return table


def trick_on_the_mark(table: TableTop) -> list[tuple[str, str]]:
    """What the screen shows as played, which is what the game holds of the trick."""
    table.settle()
    plays = [(play.seat, str(play.card)) for play in table.referee.state.trick.plays]
    cards = table.referee.view(0).cards_on_mark
    lying = [(one.seat, str(one.card)) for one in cards if one.role == "played"]
    assert lying == plays
    return plays


def test_a_lead_that_turns_out_to_be_the_joker_leaves_mark_and_game_agreeing() -> None:
    table = no_trumps()
    for seat in ("Ada", "Ben", "Cleo"):
        table.bid(seat, 1, 9000)
    table.lay("9H", 12_000, "Ben", confidence=0.6)
    table.lay("5H", 13_000, "Cleo")
    table.lay("6H", 14_000, "Ada")
    assert len(trick_on_the_mark(table)) == 3
    table.reread("9H", "JOKER", 14_500)
    assert trick_on_the_mark(table) == [("Ben", "JOKER")]
    assert table.referee.state.phase is Phase.NAME_SUIT
    table.bid("Ben", 2, 15_000)
    table.rap("Ben", 17_000)
    assert trick_on_the_mark(table) == [("Ben", "JOKER"), ("Cleo", "5H"), ("Ada", "6H")]
    assert "card_taken_back" not in [line["event"] for line in effective_lines(table.settle())]


# --- a card laid before its time -------------------------------------------------------------------------------------


def test_a_card_laid_while_the_jokers_suit_is_named_counts_once_it_is_named() -> None:
    table = no_trumps()
    for seat in ("Ada", "Ben", "Cleo"):
        table.bid(seat, 1, 9000)
    table.lay("JOKER", 12_000, "Ben")
    table.lay("5H", 13_000, "Cleo")
    assert table.said("out_of_turn") == [("out_of_turn", "Cleo", "5H")]
    assert trick_on_the_mark(table) == [("Ben", "JOKER")]
    table.bid("Ben", 2, 14_000)
    table.rap("Ben", 16_000)
    assert trick_on_the_mark(table) == [("Ben", "JOKER"), ("Cleo", "5H")]


@pytest.mark.parametrize("arm", ["Ben", None], ids=["arm seen", "arm unseen"])
def test_a_lead_laid_before_the_last_secret_bid_counts_once_all_are_in(arm: str | None) -> None:
    table = no_trumps()
    for seat in ("Ada", "Cleo"):
        table.bid(seat, 1, 9000)
    table.lay("7H", 11_000, arm)
    assert table.said("out_of_turn")
    table.bid("Ben", 1, 12_000)
    table.lay("8H", 14_000, "Cleo")
    table.lay("9H", 15_000, "Ada")
    assert trick_on_the_mark(table) == [("Ben", "7H"), ("Cleo", "8H"), ("Ada", "9H")]


def test_a_lead_laid_before_the_last_secret_bid_and_taken_back_does_not_count() -> None:
    table = no_trumps()
    for seat in ("Ada", "Cleo"):
        table.bid(seat, 1, 9000)
    table.lay("7H", 11_000, "Ben")
    table.withdraw("7H", 11_500)
    table.bid("Ben", 1, 12_000)
    assert table.said("out_of_turn", "card_taken_back", "card_played") == [
        ("out_of_turn", "Ben", "7H"),
        ("card_taken_back", "Ben", "7H"),
    ]


@pytest.mark.parametrize("rap_at", [200, 1000], ids=["after the rap", "before the rap"])
def test_a_turned_joker_goes_back_and_the_next_card_makes_trumps(rap_at: int) -> None:
    table = TableTop("oh-hell", hands=[2], joker=True)
    table.rap("Ada", rap_at)
    table.lay("JOKER", 500, "Ada")
    table.settle(until=900)
    assert any("turn another card" in phrase_text(notice.phrase) for notice in table.referee.view(0).notices)
    table.clear("JOKER", at=1500, arm="Ada")
    table.lay("8D", 5000, "Ada")
    table.clear("8D", at=7000, arm="Ada")
    assert table.said("card_taken_back", "trump", "out_of_turn", "card_played") == [
        ("card_taken_back", "Ada", "JOKER"),
        ("trump", "D", "8D"),
    ]
    assert table.referee.state.phase is Phase.BID


def test_a_turned_joker_that_lies_beneath_the_next_card_goes_back_with_it() -> None:
    table = TableTop("oh-hell", hands=[2], joker=True)
    table.rap("Ada", 200)
    table.lay("JOKER", 500, "Ada")
    table.lay("8D", 5000, "Ada", upon=["JOKER"])
    table.clear("JOKER", "8D", at=7000, arm="Ada")
    assert table.said("card_taken_back", "trump", "out_of_turn") == [
        ("trump", "D", "8D"),
        ("card_taken_back", "Ada", "JOKER"),
    ]


# --- nothing went wrong ----------------------------------------------------------------------------------------------


GAMES = [
    ("whysteria", 4, {"hands": [4, 2]}),
    ("oh-hell", 3, {"hands": [4, 3]}),
    ("israeli-whist", 4, {"hands": [4]}),
    ("oh-shit", 5, {"hands": [4, 3], "joker": True}),
    ("prediction-whist", 3, {"hands": [4, 3]}),
]


@pytest.mark.parametrize(("name", "players", "options"), GAMES, ids=[game[0] for game in GAMES])
def test_nothing_is_asked_in_a_game_that_was_seen_as_it_was(
    name: str, players: int, options: dict[str, Any]
) -> None:
    for seed in range(2):
        config = make_simulated_config(name, players, options, seed=seed)
        lines = journal_of(play_game(config, seed, mischief=ROUGH_MISHAPS, pace=0.8))
        assert lines[-1]["event"] == "game_over"
        assert not [line for line in lines if line["event"] == "asked"]


def test_two_cards_of_one_trick_that_were_never_seen_cost_their_names_and_nothing_else() -> None:
    """Ben's and Cleo's cards of Oh Hell's hand 2, trick 1: who follows suit in the next one tells which trick it is."""
    game = load("oh-hell-two-missed")
    lines = effective_lines(replayed(game))
    scores = [[line for line in side if line["event"] == "hand_scored"] for side in (game.truth, lines)]
    assert [line["tricks"] for line in scores[0]] == [line["tricks"] for line in scores[1]]
    assert [line["points"] for line in scores[0]] == [line["points"] for line in scores[1]]
    assert not [line for line in lines if line["event"] == "asked"]


def test_a_play_off_in_which_a_trump_is_turned_up_is_played_without_a_question() -> None:
    """Ben deals to Cleo and turns the trump up before he raps: it is no card laid too early."""
    lines = replayed(load("oh-hell-play-off"))
    assert any(line["event"] == "play_off" for line in lines)
    assert not [line for line in lines if line["event"] == "asked"]


def test_a_card_turned_up_in_the_next_hand_casts_no_doubt_on_the_last_one() -> None:
    """Cleo, who had a heart, laid the four of spades in Oh Hell's first trick; it is turned up for the next hand."""
    table = TableTop("oh-hell", hands=[3, 1])
    table.lay("2C", 1000, "Ada")
    table.rap("Ada", 2500)
    for place, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 0, 4000 + 1000 * place)
    table.withdraw("2C", 8000)
    for start, cards in (
        (9000, ("9H", "4S", "8H")),
        (15_000, ("7D", "3H", "6D")),
        (21_000, ("KD", "5S", "9D")),
    ):
        for place, (name, seat) in enumerate(zip(cards, ("Ben", "Cleo", "Ada"), strict=True)):
            table.lay(name, start + 1000 * place, seat)
        table.clear(*cards, at=start + 4000, arm="Ben")
    table.lay("4S", 28_000, "Ben")
    table.settle(until=29_000)
    assert [line["card"] for line in table.referee.journal.lines if line["event"] == "revoke"] == ["4S"]
    assert table.referee.state.turned == card("4S")
    assert not table.referee.questions


FOUR = {"Ada": 40.0, "Ben": 130.0, "Cleo": 220.0, "Dan": 310.0}


def four_free(cards: int = 3) -> TableTop:
    """Whysteria, spades are trumps: Dan deals; Ada is the default leader, and anyone may lead."""
    table = TableTop("whysteria", FOUR, hands=[cards, 1], first_dealer="Dan")
    table.rap("Dan", 1000)
    for place, seat in enumerate(FOUR):
        table.bid(seat, 0, 2000 + 1000 * place)
    return table


def tied_lead_misread() -> TableTop:
    """Ada's 2♥, beneath Ben's tied lead, is read as a club; two who didn't follow clubs have some."""
    table = four_free()
    table.lay("2C", 7000, "Ada")
    table.lay("JD", 7060, "Ben", upon=["2C"])
    table.withdraw("JD", 8500)
    for place, (name, seat) in enumerate((("6H", "Ben"), ("3D", "Cleo"), ("4H", "Dan"))):
        table.lay(name, 9500 + 1000 * place, seat)
    table.clear("2C", "6H", "3D", "4H", at=13_000)
    for place, (name, seat) in enumerate((("AH", "Ben"), ("QC", "Cleo"), ("5C", "Dan"), ("2D", "Ada"))):
        table.lay(name, 15_000 + 1000 * place, seat)
    return table


@pytest.mark.thorough
def test_a_tied_lead_that_was_misread_for_sure_is_doubted_as_any_lead_is() -> None:
    table = tied_lead_misread()
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 1, "Ada")
    assert {choice[-1] for choice in question["choices"][1:]} == {"H"}
    assert not [line for line in effective_lines(table.settle()) if line["event"] == "revoke"]
    assert table.referee.answer(question["question"], "2H", 20_000_000_000, "Ada")
    plays = [("Ada", "2H"), ("Ben", "6H"), ("Cleo", "3D"), ("Dan", "4H")]
    assert tricks(table)[0] == (1, "Ben", plays)


def test_an_answer_renames_no_card_where_another_one_was_missed() -> None:
    """Whysteria for two: Ben's king on Ada's 5♦ is never seen, so it seems to be taken back and the queen his card."""
    table = TableTop("whysteria", {"Ada": 90.0, "Ben": 270.0}, hands=[4, 1], first_dealer="Ben")
    table.rap("Ben", 1000)
    table.bid("Ada", 0, 2000)
    table.bid("Ben", 0, 3000)
    table.lay("QH", 6000, "Ben")
    table.lay("10S", 7000, "Ada")
    table.clear("QH", "10S", at=8500, arm="Ada")
    table.lay("5D", 10_000, "Ada")
    table.clear("5D", at=12_500, arm="Ada")
    table.rap("Ada", 13_500)
    table.lay("QC", 15_000, "Ben")
    table.lay("4C", 16_500, "Ada")
    table.clear("QC", "4C", at=18_000, arm="Ben")
    table.lay("AS", 19_500, "Ben")
    table.settle(until=20_000)
    (question,) = table.referee.questions
    assert (question.about, question.trick, question.seat) == ("card", 2, "Ben")
    assert table.referee.answer(question.number, "KC", 21_000 * MS, "Ben")
    assert [plays for _, _, plays in tricks(table)[1:]] == [
        [("Ada", "5D"), ("Ben", "KC")],
        [("Ben", "QC"), ("Ada", "4C")],
    ]


def test_an_answer_may_name_a_card_that_was_seen_in_the_hand_before() -> None:
    table = TableTop("whysteria", FOUR, hands=[1, 3], first_dealer="Cleo")
    table.rap("Cleo", 1000)
    for place, seat in enumerate(("Dan", "Ada", "Ben", "Cleo")):
        table.bid(seat, 0, 2000 + 1000 * place)
    cards = (("2H", "Dan"), ("7H", "Ada"), ("8H", "Ben"), ("9H", "Cleo"))
    for place, (name, seat) in enumerate(cards):
        table.lay(name, 7000 + 1000 * place, seat)
    table.clear("2H", "7H", "8H", "9H", at=12_000, arm="Cleo")
    later = tied_lead_misread().facts
    table.facts += [_later(fact, 20_000_000_000, 100) for fact in later]
    (question,) = question_lines(table)
    assert table.referee.answer(question["question"], "2H", 60_000_000_000, "Ada")
    assert tricks(table)[1][2][0] == ("Ada", "2H")


def _later(fact: Fact, after_ns: int, above: int) -> Fact:
    if isinstance(fact, Call):
        return replace(fact, t_ns=fact.t_ns + after_ns, end_ns=fact.end_ns + after_ns)
    moved = replace(fact, t_ns=fact.t_ns + after_ns, id=fact.id + above)
    if isinstance(moved, CardLanded):
        return replace(moved, upon=tuple(one + above for one in moved.upon))
    return moved


def lead_missed(*second: tuple[str, str]) -> TableTop:
    """Ada leads 3♥, which isn't seen; asked to play she lays it down again. Then ``second``."""
    table = four_free()
    for place, (name, seat) in enumerate((("4D", "Ben"), ("4H", "Cleo"), ("QC", "Dan"))):
        table.lay(name, 8500 + 1000 * place, seat)
    table.lay("3H", 22_000, "Ada")
    table.clear("4D", "4H", "QC", "3H", at=24_000)
    for place, (name, seat) in enumerate(second):
        table.lay(name, 26_000 + 1000 * place, seat)
    return table


LED_BY_ADA = (1, "Cleo", [("Ada", "3H"), ("Ben", "4D"), ("Cleo", "4H"), ("Dan", "QC")])


def test_a_missed_lead_that_is_laid_again_is_the_lead_once_two_would_have_revoked_without_it() -> None:
    table = lead_missed(("KD", "Cleo"), ("8D", "Dan"), ("AC", "Ada"), ("9S", "Ben"))
    assert LED_BY_ADA in tricks(table)
    assert not [line for line in effective_lines(table.settle()) if line["event"] == "revoke"]


def test_whose_lead_it_was_is_asked_and_said() -> None:
    table = lead_missed(("KH", "Cleo"), ("8D", "Dan"), ("AC", "Ada"))
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["choices"]) == ("order", 1, ["Ben", "Ada"])
    assert table.referee.answer(question["question"], "Ada", 30_000_000_000, "Ada")
    assert LED_BY_ADA in tricks(table)


def test_a_lead_misread_for_sure_may_have_been_of_any_suit() -> None:
    """Oh Hell, clubs are trumps: Ada's 7♦ is read as 7♥, Ben discards, and Cleo's 10♦ wins."""
    table = in_turn()
    table.lay("7H", 6000, "Ada")
    table.lay("6S", 7000, "Ben")
    table.lay("10D", 8000, "Cleo")
    table.clear("7H", "6S", "10D", at=9500, arm="Cleo")
    table.lay("3S", 11_000, "Cleo")
    table.lay("4S", 12_000, "Ada")
    table.lay("7H", 13_000, "Ben")
    assert tricks(table)[0] == (1, "Cleo", [("Ada", "?"), ("Ben", "6S"), ("Cleo", "10D")])


def test_a_hands_last_lead_is_doubted_where_its_player_takes_a_trick_that_it_did_not_win() -> None:
    table = TableTop(hands=[1, 1])
    table.rap("Ada", 1000)
    for place, seat in enumerate(("Cleo", "Ada", "Ben")):
        table.bid(seat, 0, 2000 + 1000 * place)
    table.lay("2H", 6000, "Cleo")
    table.lay("8H", 7000, "Ada")
    table.lay("4H", 8000, "Ben")
    table.clear("2H", "8H", "4H", at=10_000, arm="Cleo")
    (question,) = question_lines(table)
    assert (question["about"], question["seat"], question["choices"]) == ("card", "Cleo", ["2H", "AH", "KH"])


def test_a_lead_that_several_are_proved_not_to_have_followed_is_doubted() -> None:
    """Ada's heart is read as the nine of spades: all who followed suit seem to have revoked."""
    angles = {"Ada": 40.0, "Ben": 130.0, "Cleo": 220.0, "Dan": 310.0}
    table = TableTop("oh-hell", angles, hands=[4, 1], trump="progressive", first_dealer="Dan")
    table.rap("Dan", 1000)
    for place, seat in enumerate(angles):
        table.bid(seat, 0, 2000 + 1000 * place)
    table.lay("9S", 7000, "Ada")
    table.lay("5H", 8000, "Ben")
    table.lay("6H", 9000, "Cleo")
    table.lay("2C", 10_000, "Dan")
    table.clear("9S", "5H", "6H", "2C", at=12_000, arm="Dan")
    table.lay("AS", 14_000, "Dan")
    table.lay("2D", 15_000, "Ada")
    table.lay("3S", 16_000, "Ben")
    table.lay("4S", 17_000, "Cleo")
    table.clear("AS", "2D", "3S", "4S", at=19_000, arm="Dan")
    table.lay("KD", 21_000, "Dan")
    (question,) = question_lines(table)
    assert (question["about"], question["trick"], question["seat"]) == ("card", 1, "Ada")
    assert not [line for line in effective_lines(table.settle()) if line["event"] == "revoke"]


def test_an_answer_that_says_what_was_seen_makes_no_card_unseen() -> None:
    """Oh Shit, the last trick: Cleo's card seems to lie twice; Ada is asked for her own, which was read as it is."""
    table = TableTop("oh-shit", hands=[1, 1])
    table.rap("Ada", 1000)
    table.lay("2D", 2000)
    table.clear("2D", at=2500)
    for place, seat in enumerate(("Cleo", "Ben", "Ada")):
        table.rap(seat, 4000 + 500 * place)
    for place, seat in enumerate(("Cleo", "Ben", "Ada")):
        table.bid(seat, 1, 8500 + 100 * place)
    table.lay("AC", 12_000, "Ben")
    table.lay("8C", 13_000, "Cleo", upon=["AC"])
    number = table.ids["8C"]
    table.lay("8C", 13_200, "Cleo", upon=["AC", "8C"])
    table.withdraw("8C", 14_250)
    table.ids["8C"] = number
    table.lay("QC", 14_800, upon=["AC", "8C"])
    table.clear("AC", "8C", "QC", at=16_500, arm="Ben")
    table.settle(until=17_000)
    (question,) = table.referee.questions
    assert question.seat == "Ada"
    assert table.referee.answer(question.number, "QC", 17_000_000_000, "Ada")
    assert tricks(table) == [(1, "Ben", [("Ben", "AC"), ("Cleo", "8C"), ("Ada", "QC")])]
    assert table.referee.state.turned is None


# --- when nothing more comes ------------------------------------------------------------------------------------------


def two_tricks() -> TableTop:
    """Ada and Ben have two cards each; Ben's first one is never seen, and the trick looks like a lead taken back."""
    table = TableTop(angles={"Ada": 40.0, "Ben": 220.0}, hands=[2, 1])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Ada", 1, 3000)
    table.lay("8S", 6000, "Ada")
    table.clear("8S", at=9000, arm="Ada")
    table.lay("JS", 10000, "Ada")
    table.lay("QD", 11000, "Ben", upon=["JS"])
    table.clear("JS", "QD", at=13000, arm="Ada")
    return table


def test_a_hand_is_over_when_another_card_is_waited_for_in_vain() -> None:
    table = two_tricks()
    table.settle(until=57_999)
    assert len(table.referee.state.tricks) == 1
    table.settle(until=58_001)
    assert table.referee.state.phase is Phase.DEAL
    scored = [line for line in effective_lines(table.referee.journal.lines) if line["event"] == "hand_scored"]
    assert [line["tricks"] for line in scored] == [{"Ada": 2, "Ben": 0}]


def test_somebody_who_thinks_for_long_loses_nothing() -> None:
    table = TableTop(angles={"Ada": 40.0, "Ben": 220.0}, hands=[1])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Ada", 0, 3000)
    table.lay("8S", 6000, "Ada")
    table.settle(until=200_000)
    table.lay("QS", 210_000, "Ben", upon=["8S"])
    table.clear("8S", "QS", at=213_000, arm="Ben")
    assert [line[2] for line in table.said("card_played")] == ["8S", "QS"]
    assert not table.said("corrected", "asked")


def two_misread() -> TableTop:
    """Oh Hell: Ada's 5♠ and Cleo's A♣ are misread for sure; Ben plays the real 5♥, and Ada has no hearts."""
    table = TableTop("oh-hell", hands=[4])
    table.lay("2D", 500)
    table.clear("2D", at=800)
    table.rap("Ada", 1000)
    for place, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 1 if seat == "Ben" else 0, 2000 + 1000 * place)
    table.lay("9S", 6000, "Ben")
    table.lay("3S", 7000, "Cleo", upon=["9S"])
    table.lay("5H", 8000, "Ada", upon=["3S"], confidence=0.98)
    table.clear("9S", "3S", "5H", at=10000, arm="Ben")
    table.lay("4C", 12000, "Ben")
    table.lay("JC", 13000, "Cleo", upon=["4C"], confidence=0.98)
    table.lay("QC", 14000, "Ada", upon=["JC"])
    table.clear("4C", "JC", "QC", at=16000, arm="Cleo")
    table.lay("10H", 18000, "Cleo")
    table.lay("8S", 19000, "Ada", upon=["10H"])
    table.lay("5H", 20000, "Ben", upon=["8S"])
    return table


def test_two_cards_misread_for_sure_are_both_found_out() -> None:
    table = two_misread()
    table.settle(until=20_500)
    held = effective_lines(table.referee.journal.lines)
    assert [line["seat"] for line in held if line["event"] == "trick_won"][:2] == ["Ben", "Cleo"]
    assert not [line for line in held if line["event"] == "revoke"]
    assert [line["card"] for line in held if line["event"] == "card_played"] == [
        *("9S", "3S", "?"),
        *("4C", "?", "QC"),
        *("10H", "8S", "5H"),
    ]
