"""Between hands people change chairs: their scores go with them, and the chair's buttons and arm are theirs."""

from __future__ import annotations

from pathlib import Path

from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.events.game_events import Bid, Reseated, TurnedUp
from table.pipeline import Pipeline
from table.referee.records.journal import read_lines
from tests.games.play import Story, events
from tests.session.presses import Evening, NoCards, Nothing

CONFIG = TableConfig(
    "prediction-whist",
    {"hands": [2, 1]},
    (
        SeatConfig("Ada", 0, bid=1, rap=2),
        SeatConfig("Ben", 120, bid=3),
        SeatConfig("Cleo", 240, bid=4, rap=5),
    ),
    CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))),
)


def play_another_game(evening: Evening) -> None:
    """Cleo ends the game, and has the next one begin."""
    evening.press("Cleo", "rap", 2500)
    evening.choose("Cleo", "rap", "End the game here")
    evening.choose("Cleo", "rap", "Yes")
    evening.press("Cleo", "rap", 60)
    evening.choose("Cleo", "rap", "Play another game")


def test_scores_go_with_the_people_and_the_deal_goes_round_the_new_way() -> None:
    story = Story("prediction-whist", "ABC", hands=[1, 1, 1])
    story.deals()
    story.bids("B0 C0 A0")
    story.trick("B:2H C:3H A:4H")
    assert story.state.dealer == "B"
    totals = dict(story.state.totals)
    assert events(story.does(Reseated(("C", "B", "A")))) == ["reseated"]
    assert (story.state.players, story.state.dealer, story.state.totals) == (("C", "B", "A"), "B", totals)
    story.deals()
    assert story.refuses(Bid("C", 0)).code == "not_your_turn"
    story.bids("A0 C0 B0")


def test_chairs_are_changed_between_hands_only_and_everybody_has_one() -> None:
    story = Story("oh-hell", "ABC", hands=[2])
    assert story.refuses(Reseated(("A", "B"))).code == "chairs"
    assert story.refuses(Reseated(("A", "B", "B"))).code == "chairs"
    story.does(TurnedUp(story.game.pack()[0]))
    assert story.refuses(Reseated(("B", "A", "C"))).code == "between_hands"


def test_the_buttons_of_a_chair_are_its_new_player_s_also_after_a_power_cut(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards(), journal=path))
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "Change chairs")
    evening.choose("Ada", "rap", "Ada")
    evening.choose("Ada", "rap", "Ada and Cleo change chairs")
    view = evening.pipeline.view(evening.now)
    assert dict(view.seat_angles) == {"Ada": 240, "Ben": 120, "Cleo": 0}
    assert view.state.seats == ("Cleo", "Ben", "Ada")
    evening.pipeline.referee.journal.close()
    lines = read_lines(path)
    assert lines[-1] | {"seats": ["Cleo", "Ben", "Ada"]} == lines[-1]

    pipeline = Pipeline(CONFIG, Nothing(), reader=NoCards(), journal=path, resume=lines)
    again = Evening(pipeline)
    again.now = evening.now
    again.wait()
    again.press("Cleo", "rap", 60)  # from the chair that was Cleo's, where Ada sits and deals
    assert (
        pipeline.referee.journal.lines[-1] | {"event": "dealt", "dealer": "Ada"}
        == pipeline.referee.journal.lines[-1]
    )
    assert pipeline.view(again.now).controls["Ada"].kind == "two"
    again.press("Ben", "bid", 2500)
    panel = pipeline.view(again.now).panel
    assert panel is not None
    assert panel.seat == "Ben"
    pipeline.referee.journal.close()


def test_the_next_game_begins_on_the_chairs_of_now(tmp_path: Path) -> None:
    path = tmp_path / "second.jsonl"
    pipeline = Pipeline(CONFIG, Nothing(), reader=NoCards(), next_journal=lambda: path)
    evening = Evening(pipeline)
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "Change chairs")
    evening.choose("Ada", "rap", "Ada")
    evening.choose("Ada", "rap", "Ada and Ben change chairs")
    play_another_game(evening)
    pipeline.referee.journal.close()
    assert [line["event"] for line in read_lines(path)] == [
        "game_started",
        "hand_started",
        "trump",
        "reseated",
    ]
    assert read_lines(path)[0]["seats"] == ["Ada", "Ben", "Cleo"], (
        "as table.toml has them: it can be gone on with"
    )
    assert pipeline.referee.state.seats == ("Ben", "Ada", "Cleo")


def test_who_has_left_is_away_in_the_next_game_too(tmp_path: Path) -> None:
    path = tmp_path / "second.jsonl"
    pipeline = Pipeline(CONFIG, Nothing(), reader=NoCards(), next_journal=lambda: path)
    evening = Evening(pipeline)
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "A player leaves or comes")
    evening.choose("Ada", "rap", "Ada leaves")
    evening.choose("Ada", "rap", "Yes")
    play_another_game(evening)
    state = pipeline.referee.state
    assert (state.seats, state.players, state.dealer) == (("Ada", "Ben", "Cleo"), ("Ben", "Cleo"), "Ben")
    evening.press("Ben", "bid", 1000)
    pipeline.referee.journal.close()
    assert read_lines(path)[-1] | {"event": "dealt", "dealer": "Ben"} == read_lines(path)[-1]
    resumed = Pipeline(CONFIG, Nothing(), reader=NoCards(), journal=path, resume=read_lines(path))
    again = Evening(resumed)
    again.now = evening.now
    again.wait()
    assert resumed.referee.state.players == ("Ben", "Cleo")
    resumed.referee.journal.close()


def test_a_change_of_chairs_can_be_undone() -> None:
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards()))
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "Change chairs")
    evening.choose("Ada", "rap", "Ada")
    evening.choose("Ada", "rap", "Ada and Cleo change chairs")
    evening.press("Ada", "rap", 2500)  # the buttons of the chair on which Cleo sits now
    panel = evening.pipeline.view(evening.now).panel
    assert panel is not None
    assert panel.seat == "Cleo"
    at = next(n for n, line in enumerate(panel.options) if line.code == "panel.undo")
    for _ in range(at):
        evening.press("Ada", "bid", 60)
    evening.press("Ada", "rap", 60)
    assert dict(evening.pipeline.view(evening.now).seat_angles) == {"Ada": 0, "Ben": 120, "Cleo": 240}
    evening.press("Ada", "rap", 60)
    assert (
        evening.pipeline.referee.journal.lines[-1] | {"dealer": "Ada"}
        == evening.pipeline.referee.journal.lines[-1]
    )
    assert evening.pipeline.referee.journal.lines[-1]["event"] == "dealt"
