"""While the game pauses nothing counts; after ten quiet minutes the screen is dimmed, until somebody is there."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.display.view_picture import draw_canvas
from table.observed_facts import END_NS, MS, CardGone, CardLanded, Delivery, Edge, Frame, Reading
from table.pipeline import Pipeline
from table.referee.interaction.option_levels import SCREEN_TABLE_REQUESTS, TableRequest
from table.sources.idle_detector import IDLE_AFTER_NS, IdleDetector
from tests.referee.tabletop import TableTop
from tests.session.presses import Evening, NoCards, Nothing

CONFIG = TableConfig(
    "prediction-whist",
    {"hands": [1]},
    (SeatConfig("Ada", 0, bid=1, rap=2), SeatConfig("Ben", 180, bid=3)),
    CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))),
)


def at_the_table() -> Evening:
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards(), wishes=frozenset({TableRequest.PAUSE})))
    evening.wait()
    return evening


def events(evening: Evening) -> list[str]:
    return [line["event"] for line in evening.pipeline.referee.journal.lines]


def test_in_a_pause_no_button_counts_until_somebody_raps() -> None:
    evening = at_the_table()
    evening.press("Ada", "rap", 60)
    evening.press("Ada", "rap", 2500)
    evening.choose("Ada", "rap", "Pause")
    before = events(evening)
    assert before[-1] == "dealt"
    eyes = evening.pipeline.card_tracker
    view = evening.pipeline.view(evening.now)
    assert view.paused
    evening.press("Ben", "bid", 60)
    evening.press("Ada", "rap", 2500)
    assert events(evening) == before
    assert evening.pipeline.view(evening.now).panel is None
    evening.press("Ben", "bid", 1000)  # a rap on one button
    assert not evening.pipeline.view(evening.now).paused
    assert events(evening) == before, "it only ends the pause"
    assert evening.pipeline.card_tracker is not eyes, "the mark is looked at anew"
    evening.press("Ben", "bid", 60)
    assert events(evening)[-1] == "bid"


def test_a_tap_moves_the_panel_s_highlight_before_its_burst_has_ended() -> None:
    evening = at_the_table()
    evening.press("Ada", "rap", 2500)
    panel = evening.pipeline.view(evening.now).panel
    assert panel is not None

    def marked_after(edges: tuple[Edge, ...], for_ms: int) -> int:
        evening.now += for_ms * MS
        cameras_ns = start - MS  # pictures come late: calls wait for them before they are judged
        evening.pipeline.process(Delivery(evening.now, edges, None, evening.now, cameras_ns))
        panel = evening.pipeline.view(evening.now).panel
        assert panel is not None
        return panel.marked

    start = evening.now
    taps = (Edge(start, "Ada", "bid", 1), Edge(start + 60 * MS, "Ada", "bid", 0))
    others = (Edge(start, "Ben", "bid", 1), Edge(start + 60 * MS, "Ben", "bid", 0))
    assert marked_after((*taps, *others), 100) == 1
    assert marked_after((), 900) == 1, "the burst has ended, and is not judged yet"
    evening.wait()
    panel = evening.pipeline.view(evening.now).panel
    assert panel is not None
    assert panel.marked == 1


def test_a_pause_is_offered_only_where_somebody_can_end_it() -> None:
    evening = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards()))
    evening.wait()
    evening.press("Ada", "rap", 2500)
    panel = evening.pipeline.view(evening.now).panel
    assert panel is not None
    assert all(line.code != "panel.pause" for line in panel.options)


def test_after_a_pause_the_cards_that_lie_there_are_known_and_those_that_went_are_not_missed() -> None:
    table = TableTop("prediction-whist", hands=[2])
    table.rap("Ada", 1000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 0, 2000 + 1000 * number)
    table.lay("9H", 6000, "Ben")
    table.settle(7000)
    table.referee.restart_tracking(60_000 * MS)
    again = CardLanded(61_000 * MS, 1, (Reading("9H", 0.99),), (0, 0), 0, None, 0, 1, unseen_ns=END_NS)
    table.referee.take((again,), 63_000 * MS, 63_000 * MS)
    next_card = CardLanded(64_000 * MS, 2, (Reading("8H", 0.99),), (30, 0), 0, table.angles["Cleo"], 0.9, 2)
    table.referee.take((next_card,), 66_000 * MS, 66_000 * MS)
    assert [str(play.card) for play in table.referee.state.trick.plays] == ["9H", "8H"]
    third = CardLanded(67_000 * MS, 3, (Reading("7H", 0.99),), (60, 0), 0, table.angles["Ada"], 0.9, 3)
    gone = tuple(CardGone(70_000 * MS, number, table.angles["Ben"], True) for number in (1, 2, 3))
    table.referee.take((third, *gone), 75_000 * MS, 75_000 * MS)
    assert [trick.winner for trick in table.referee.state.tricks] == ["Ben"]


def picture(at_ms: int, level: int = 90, arm: bool = False) -> Delivery:
    noise = np.random.default_rng(at_ms).normal(level, 4, (360, 640, 1)).repeat(3, axis=2)
    image = np.clip(noise, 0, 255).astype(np.uint8)
    if arm:
        image[100:300, 300:360] = 200
    return Delivery(at_ms * MS, (), Frame(at_ms * MS, image, at_ms), at_ms * MS, at_ms * MS)


@pytest.mark.parametrize("stirs", ["press", "arm", "nothing", "light"])
def test_the_screen_comes_back_at_a_press_or_a_movement(stirs: str) -> None:
    still = IdleDetector()
    for second in range(11):
        still.process(picture(1000 * second))
    late = IDLE_AFTER_NS + 11_000 * MS
    assert not still.is_idle(IDLE_AFTER_NS - 1)
    assert still.is_idle(late)
    match stirs:
        case "press":
            still.process(Delivery(late, (Edge(late, "Ada", "bid", 1),), None, late, late))
        case "light":
            still.process(picture(late // MS, level=140))
        case other:
            still.process(picture(late // MS, arm=other == "arm"))
    assert still.is_idle(late + 1) == (stirs in ("nothing", "light"))


def test_a_quiet_table_s_picture_is_dark_and_a_press_brings_it_back() -> None:
    evening = at_the_table()
    bright = pygame.surfarray.array3d(draw_canvas(evening.pipeline.view(evening.now), (640, 360)).surface)
    evening.wait(for_ms=IDLE_AFTER_NS // MS)
    dark = pygame.surfarray.array3d(draw_canvas(evening.pipeline.view(evening.now), (640, 360)).surface)
    assert dark.mean() < bright.mean() / 4
    evening.press("Ben", "bid", 60)
    assert not evening.pipeline.view(evening.now).dimmed


def test_a_pause_in_a_recording_is_one_in_its_replay() -> None:
    """The presses of a recording choose the same lines as at the table."""
    live = at_the_table()
    live.press("Ada", "rap", 2500)
    panel = live.pipeline.view(live.now).panel
    replayed = Evening(Pipeline(CONFIG, Nothing(), reader=NoCards(), wishes=SCREEN_TABLE_REQUESTS))
    replayed.wait()
    replayed.press("Ada", "rap", 2500)
    same = replayed.pipeline.view(replayed.now).panel
    assert panel is not None
    assert same is not None
    pause = [line.code for line in panel.options].index("panel.pause")
    assert [line.code for line in same.options].index("panel.pause") == pause
    replayed.choose("Ada", "rap", "Pause")
    assert replayed.pipeline.view(replayed.now).paused
