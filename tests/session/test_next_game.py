"""When a game is over the players choose another one, by the same buttons; each game has a journal of its own."""

from __future__ import annotations

from pathlib import Path

from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.games.engine.game_state import Phase
from table.observed_facts import MS, Delivery, Edge
from table.phrase import make_phrase
from table.pipeline import Pipeline
from table.referee.interaction.option_levels import TableRequest
from table.referee.records.journal import read_lines
from tests.session.presses import Evening, NoCards, Nothing

CONFIG = TableConfig(
    "whysteria",
    {"hands": [1, 1]},
    (SeatConfig("Ada", 0, bid=1, rap=2), SeatConfig("Ben", 180, bid=3)),
    CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))),
)


def test_a_rap_after_the_end_offers_another_game(tmp_path: Path) -> None:
    names = iter(("second", "third"))
    pipeline = Pipeline(
        CONFIG,
        Nothing(),
        reader=NoCards(),
        journal=tmp_path / "first.jsonl",
        next_journal=lambda: tmp_path / f"{next(names)}.jsonl",
    )
    evening = Evening(pipeline)
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "End the game here")
    evening.choose("Ada", "rap", "Yes")
    assert pipeline.referee.state.phase is Phase.OVER
    first = pipeline.referee
    evening.press("Ben", "bid", 1000)
    panel = pipeline.view(evening.now).panel
    assert panel is not None
    assert panel.options[0] == make_phrase("panel.next_game")
    evening.choose("Ben", "bid", "Close")
    assert pipeline.referee is first
    evening.press("Ben", "bid", 1000)
    evening.choose("Ben", "bid", "Play another game")
    assert pipeline.referee is not first
    assert pipeline.referee.expected.phase is Phase.DEAL
    evening.press("Ada", "rap", 60)
    pipeline.referee.journal.close()
    assert read_lines(tmp_path / "first.jsonl")[-1]["event"] == "game_over"
    second = read_lines(tmp_path / "second.jsonl")
    assert [(line["seq"], line["event"]) for line in second] == [
        (1, "game_started"),
        (2, "hand_started"),
        (3, "trump"),
        (4, "dealt"),
    ]


def test_the_next_game_has_honours_of_its_own() -> None:
    pipeline = Pipeline(CONFIG, Nothing(), reader=NoCards(), next_journal=lambda: None)
    evening = Evening(pipeline)
    evening.wait()
    shown = []
    for apart in (7 * MS, 19 * MS):
        evening.press("Ada", "rap", 60)
        at = evening.now
        edges = [
            Edge(at + start + held, seat, "bid", 1 if held == 0 else 0)
            for seat, start in (("Ada", 0), ("Ben", apart))
            for held in (0, 60 * MS)
        ]
        evening.now += 5_000 * MS
        pipeline.process(Delivery(evening.now, tuple(edges), None, evening.now, evening.now))
        evening.press("Ada", "rap", 2500)
        evening.choose("Ada", "rap", "End the game here")
        evening.choose("Ada", "rap", "Yes")
        [honour] = pipeline.view(evening.now).honours
        shown.append(honour.figure.fields["spread_ns"])
        evening.press("Ada", "rap", 60)
        evening.choose("Ada", "rap", "Play another game")
    assert shown == [7 * MS, 19 * MS]


def test_without_a_place_for_it_no_next_game_is_offered() -> None:
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards()))
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "End the game here")
    evening.choose("Ada", "rap", "Yes")
    evening.press("Ada", "rap", 60)
    panel = evening.pipeline.view(evening.now).panel
    assert panel is not None
    assert make_phrase("panel.next_game") not in panel.options


def test_the_panel_switches_the_table_off_where_that_can_be_done() -> None:
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards()))
    evening.wait()
    evening.press("Ada", "rap", 2500)
    panel = evening.pipeline.view(evening.now).panel
    assert panel is not None
    assert make_phrase("panel.switch_off") not in panel.options
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards(), wishes=frozenset({TableRequest.OFF})))
    evening.wait()
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "Switch the table off")
    assert evening.pipeline.referee.requests.requested is None, "it is asked once more"
    evening.choose("Ada", "rap", "Yes")
    assert evening.pipeline.referee.requests.requested is TableRequest.OFF
