"""What happens at tables: somebody leaves or comes late, a hand is thrown in, a game is ended early."""

from __future__ import annotations

from dataclasses import replace

from table.cards import card
from table.events.game_events import Bid, Came, Ended, Left, Played, Rescored, ThrownIn, TurnedUp
from table.games.engine.game_state import Phase
from tests.games.play import Story, events


def test_who_leaves_before_the_deal_is_not_dealt_to_and_keeps_the_total() -> None:
    story = Story("whysteria", "ABCD", hands=[1, 1])
    story.deals()
    story.bids("B0 C0 D0 A0")
    story.trick("B:2H C:3H D:4H A:5H")
    said = story.does(Left("B"))
    assert events(said) == ["player_left", "hand_started", "trump"]
    assert said[1].fields == {"hand": 2, "cards": 1, "dealer": "C", "players": ["A", "C", "D"]}
    story.deals()
    assert story.refuses(Bid("B", 0)).code == "not_in_hand"
    story.bids("D0 A0 C0")
    said = story.trick("D:2H A:3H C:4H")
    assert said[-1].fields["totals"] == {"A": 1, "B": 1, "C": 1, "D": 2}
    assert said[1].fields["points"] == {"A": 1, "C": 0, "D": 1}


def test_who_leaves_during_a_hand_has_it_thrown_in() -> None:
    story = Story("whysteria", "ABC", hands=[2])
    story.deals()
    story.bids("B1 C1 A1")
    story.plays("B:2H")
    said = story.does(Left("C"))
    assert events(said) == ["player_left", "thrown_in", "hand_started", "trump"]
    assert said[2].fields == {"hand": 1, "cards": 2, "dealer": "A", "players": ["A", "B"]}
    story.deals()
    story.bids("B1 A0")
    story.plays("B:2H A:3H")


def test_who_comes_late_plays_from_the_next_deal_on() -> None:
    story = Story("whysteria", "ABC", hands=[1, 1])
    story.does(Left("C"))
    assert events(story.does(Came("C"))) == ["player_came", "hand_started", "trump"]
    assert "".join(story.state.players) == "ABC"
    story.does(Left("C"))
    story.deals()
    assert events(story.does(Came("C"))) == ["player_came"]
    assert "".join(story.state.players) == "AB"
    story.bids("B0 A0")
    story.trick("B:2H A:3H")
    assert "".join(story.state.players) == "ABC"
    assert story.refuses(Came("C")).code == "not_away"


def test_nobody_leaves_where_too_few_would_be_left() -> None:
    story = Story("israeli-whist", "NESW", target=300)
    assert story.refuses(Left("N")).code == "too_few"
    story = Story("oh-hell", "ABCD", hands=[1])
    story.does(Left("A"))
    assert story.refuses(Left("B")).code == "too_few"
    assert story.refuses(Left("A")).code == "away"


def test_the_dealer_who_leaves_hands_the_deal_on() -> None:
    story = Story("oh-hell", "ABCD", hands=[2])
    story.does(TurnedUp(card("3H")))
    said = story.does(Left("A"))
    assert events(said) == ["player_left", "thrown_in", "hand_started"]
    assert said[-1].fields["dealer"] == "B"


def test_a_first_place_shared_with_one_who_has_left_is_not_played_off() -> None:
    story = Story("oh-hell", "ABCD", hands=[1, 1])
    story.deals("2C")
    story.bids("B0 C0 D1 A1")
    story.trick("B:2H C:3H D:4H A:AH")
    story.does(Left("A"))
    story.deals("2C")
    story.bids("C1 D1 B1")
    said = story.trick("C:2H D:AH B:4H")
    assert story.state.totals == {"A": 11, "B": 10, "C": 10, "D": 11}
    assert said[-1].event == "game_over"
    assert said[-1].fields["winners"] == ["A", "D"]


def test_a_misdeal_is_thrown_in_and_dealt_again_by_the_same_dealer() -> None:
    story = Story("oh-hell", "ABC", hands=[2])
    story.deals("2C")
    story.bids("B1")
    said = story.does(ThrownIn("A had a card too many"))
    assert [(one.event, dict(one.fields)) for one in said] == [
        ("thrown_in", {"why": "A had a card too many"}),
        ("hand_started", {"hand": 1, "cards": 2, "dealer": "A"}),
    ]
    assert (story.state.trump, story.state.turned, story.state.bids) == (None, None, ())
    story.deals("3H")
    assert story.state.trump == "H"


def test_a_game_may_be_ended_early_and_the_finished_hands_count() -> None:
    story = Story("oh-hell", "ABC", hands=[1, 5])
    story.deals("2C")
    story.bids("B1 C0 A1")
    story.trick("B:AH C:3H A:4H")
    story.deals("3H")
    story.bids("C1")
    said = story.does(Ended())
    assert events(said) == ["game_over"]
    assert said[0].fields["totals"] == {"A": 0, "B": 11, "C": 10}
    assert said[0].fields["ended"] is True
    assert story.phase() is Phase.OVER
    assert story.refuses(Played("C", card("AS"))).code == "game_over"


def test_a_game_that_ended_before_a_hand_was_scored_has_no_winner() -> None:
    story = Story("oh-hell", "ABC", hands=[1, 5])
    story.deals("2C")
    (over,) = story.does(Ended())
    assert over.fields["winners"] == []
    assert over.fields["ranking"] == [["A", "B", "C"]]
    assert story.state.winners == ()


def scored() -> Story:
    """Two hands of three: B made its bid in the first, C and A in the second."""
    story = Story("oh-hell", "ABC", hands=[1, 1, 1])
    story.deals("2C")
    story.bids("B1 C0 A1")
    story.trick("B:AH C:3H A:4H")
    story.deals("3H")
    story.bids("C1 A0 B1")
    story.trick("C:AH A:2C B:4H")
    return story


def test_a_score_put_right_changes_totals_from_there_on_and_nothing_else() -> None:
    story = scored()
    before = story.state
    said = story.does(Rescored(1, (("B", 20), ("A", 3))))
    assert events(said) == ["hand_rescored"]
    assert said[0].fields == {"hand": 1, "points": {"B": 20, "A": 3}, "totals": dict(story.state.totals)}
    more = {seat: story.state.totals[seat] - before.totals[seat] for seat in "ABC"}
    was = before.results[0].points
    assert more == {"A": 3 - was["A"], "B": 20 - was["B"], "C": 0}
    for result, old in zip(story.state.results, before.results, strict=True):
        assert result.totals["B"] - old.totals["B"] == more["B"]
    assert replace(story.state, results=before.results, totals=before.totals) == before


def test_after_the_game_a_score_put_right_ranks_anew() -> None:
    story = scored()
    story.does(Ended())
    winners = story.state.winners
    said = story.does(Rescored(2, (("A", 99),)))
    assert events(said) == ["hand_rescored", "game_over"]
    assert said[1].fields["winners"] == ["A"]
    assert winners != story.state.winners == ("A",)
    assert story.phase() is Phase.OVER


def test_no_score_is_put_right_of_a_hand_or_a_player_that_has_none() -> None:
    story = scored()
    assert story.refuses(Rescored(3, (("A", 1),))).code == "no_such_hand"
    assert story.refuses(Rescored(1, (("Z", 1),))).code == "no_such_score"
    assert story.refuses(Rescored(1, ())).code == "no_such_score"
