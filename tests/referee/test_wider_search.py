"""Several cards missed at once: what was let go as unlikely is looked for again once what follows surprises."""

from __future__ import annotations

from table.games.engine.game_state import Phase
from table.referee.records.journal import JournalLine, effective_lines
from tests.referee.tabletop import TableTop

SEVEN = {
    "Ada": 130.0,
    "Ben": 190.0,
    "Cleo": 235.0,
    "Dan": 290.0,
    "Eve": 345.0,
    "Fay": 32.0,
    "Gus": 85.0,
}


def in_turn(angles: dict[str, float], cards: int) -> TableTop:
    """Oh Hell, clubs are trumps: the last of the players deals, Ada leads."""
    table = TableTop("oh-hell", angles, hands=[cards], trump="progressive", first_dealer=[*angles][-1])
    table.rap([*angles][-1], 1000)
    for at, seat in enumerate(angles):
        table.bid(seat, 0, 2000 + 1000 * at)
    return table


def scored(table: TableTop) -> list[JournalLine]:
    """How the hands were scored."""
    return [line for line in effective_lines(table.referee.journal.lines) if line["event"] == "hand_scored"]


def two_of_seven_missed() -> TableTop:
    """Ada leads; Ben's and Dan's cards are not seen, and Gus takes the trick with a trump."""
    table = in_turn(SEVEN, 3)
    table.lay("8S", 16_000, "Ada")
    table.lay("2S", 18_700, "Cleo")
    table.lay("4H", 21_400, "Eve")
    table.lay("7S", 22_600, "Fay")
    table.lay("6C", 24_200, "Gus")
    table.clear("8S", "2S", "4H", "7S", "6C", at=25_600, arm="Gus")
    table.lay("KH", 27_000, "Gus")
    return table


def test_two_cards_missed_among_seven_cost_their_names_and_nothing_else() -> None:
    table = two_of_seven_missed()
    table.settle(until=27_500)
    state = table.referee.state
    assert (len(state.tricks), state.trick.plays[0].seat) == (1, "Gus")
    assert [str(play.card) for play in state.tricks[0].plays] == ["8S", "?", "2S", "?", "4H", "7S", "6C"]


def test_a_hands_last_trick_of_which_two_cards_were_missed_is_over_once_nothing_more_is_laid() -> None:
    table = in_turn({"Ada": 40.0, "Ben": 130.0, "Cleo": 220.0, "Dan": 310.0}, 1)
    table.lay("QS", 8000, "Ada")
    table.lay("6S", 9000, "Ben", upon=["QS"])
    table.clear("QS", "6S", at=13_000, arm="Ada")
    table.settle(until=57_000)
    assert table.referee.state.phase is Phase.FOLLOW
    assert not scored(table)
    table.settle(until=59_000)
    assert [line["tricks"] for line in scored(table)] == [{"Ada": 1, "Ben": 0, "Cleo": 0, "Dan": 0}]


def test_a_trick_of_which_one_card_was_seen_was_played_once_the_hand_has_a_trick_too_few() -> None:
    table = in_turn({"Ada": 60.0, "Ben": 180.0, "Cleo": 300.0}, 3)
    table.lay("4C", 8000, "Cleo", place=(-27, -14))
    table.clear("4C", at=9000, arm="Ada")
    for at, cards in ((11_000, ("6H", "KH", "6S")), (17_000, ("AD", "5D", "3D"))):
        players = ("Ada", "Ben", "Cleo") if at < 15_000 else ("Ben", "Cleo", "Ada")
        for place, (seat, name) in enumerate(zip(players, cards, strict=True)):
            table.lay(name, at + 1000 * place, seat, upon=cards[:place])
        table.clear(*cards, at=at + 4000, arm="Ben")
    table.settle(until=60_000)
    assert len(table.referee.state.tricks) == 2
    assert not scored(table)
    table.settle(until=70_000)
    assert [line["tricks"] for line in scored(table)] == [{"Ada": 1, "Ben": 2, "Cleo": 0}]


def test_who_leaves_a_complete_trick_lying_for_long_has_not_taken_it() -> None:
    table = in_turn({"Ada": 60.0, "Ben": 180.0, "Cleo": 300.0}, 2)
    for place, (seat, name) in enumerate((("Ada", "9H"), ("Ben", "8H"), ("Cleo", "4H"))):
        table.lay(name, 8000 + 1000 * place, seat)
    table.settle(until=200_000)
    assert (table.referee.state.phase, len(table.referee.state.tricks)) == (Phase.PICK_UP, 0)
