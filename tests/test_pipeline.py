"""The one path: what the buttons' layer finds wrong reaches the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.detection.card_detections import CardDetection
from table.display.table_view.prompts_and_gestures import headline_help
from table.i18n.terminal_output import phrase_text
from table.observed_facts import END_NS, MS, Control, Delivery, Edge, Frame, Image
from table.phrase import Phrase, make_phrase
from table.pipeline import Pipeline, detector_from_config, game_from_config
from table.playback.run_loop import PICTURE_NS
from table.referee.model.view import View
from table.referee.records.journal import read_lines
from table.referee.referee import Referee
from tests.referee.test_resumed_table import complete_trick
from tests.session.presses import Nothing
from tests.wrong import wrong

CONFIG = TableConfig(
    "whysteria",
    {"hands": [1]},
    (SeatConfig("Ada", 0, bid=1, rap=2), SeatConfig("Ben", 180, bid=3, rap=4)),
    CameraConfig(homography=((1.8, 0, 640), (0, 1.8, 360), (0, 0, 1))),
)


class NoCards:
    """Sees nothing."""

    def read(self, image: Image, card_px: float = 100.0) -> list[CardDetection]:
        return []


def test_the_pack_that_table_toml_names_is_read_and_no_other_of_its_name(tmp_path: Path) -> None:
    named, beside = tmp_path / "packs" / "mine.npz", tmp_path / "mine.npz"
    named.parent.mkdir()
    for pack in (named, beside):
        pack.write_bytes(b"no pack")
    config = replace(CONFIG, camera=replace(CONFIG.camera, pack=named), path=tmp_path / "table.toml")
    with wrong("file.damaged", at=named):
        detector_from_config(config, game_from_config(config))


class StuckButton:
    """Ada's RAP is pressed and stays down for a minute."""

    def deliveries(self) -> Iterator[Delivery]:
        yield Delivery(0, (Edge(0, "Ada", "rap", 1),), None, 0, 0)
        for second in range(60):
            now = second * 1000 * MS
            yield Delivery(now, (), None, now, now)
        yield Delivery(60_000 * MS, (), None, END_NS, END_NS)


def test_the_deliveries_decided_together_what_the_journal_says() -> None:
    pipeline = Pipeline(CONFIG, StuckButton(), reader=NoCards())
    decided = [line for _ in pipeline.run() for line in pipeline.decided]
    assert decided == pipeline.referee.journal.lines
    assert len(decided) > 2


def test_the_referee_makes_one_view_a_delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    view = Referee.view

    def counted(self: Referee, now_ns: int, *more: Any) -> View:
        made.append(now_ns)
        return view(self, now_ns, *more)

    monkeypatch.setattr(Referee, "view", counted)
    pipeline = Pipeline(CONFIG, StuckButton(), reader=NoCards())
    clock = [now_ns for now_ns in pipeline.run() for _ in (pipeline.view(now_ns), pipeline.view(now_ns))]
    assert made == clock[::2]


def test_a_button_that_stays_down_is_told_on_the_screen() -> None:
    pipeline = Pipeline(CONFIG, StuckButton(), reader=NoCards())
    told = set()
    for now_ns in pipeline.run():
        told |= {
            phrase_text(notice.phrase) for notice in pipeline.view(now_ns).notices if notice.tone == "trouble"
        }
    assert any(text.startswith("Ada's rap button stays down") for text in told)
    how = headline_help(pipeline.view(60_000 * MS))
    assert how is not None
    assert phrase_text(how).endswith("hold your button"), "the other one deals now"
    assert [line["event"] for line in pipeline.referee.journal.lines][-1] == "trump", "it was no rap"


AUCTION = TableConfig(
    "israeli-whist",
    {"target": 300, "first_dealer": "Ada"},
    tuple(
        SeatConfig(name, 90 * at, bid=2 * at, rap=2 * at + 1)
        for at, name in enumerate(("Ada", "Ben", "Cleo", "Dmitri"))
    ),
    CONFIG.camera,
)


class Presses:
    """Ada's presses: the control, and when it goes down and up (ms). Each edge is delivered a picture later."""

    def __init__(self, *presses: tuple[Control, int, int], until_ms: int) -> None:
        self.edges = [
            Edge(at * MS, "Ada", control, level)
            for control, down, up in presses
            for level, at in ((1, down), (0, up))
        ]
        self.until_ns = until_ms * MS

    def deliveries(self) -> Iterator[Delivery]:
        for edge in self.edges:
            now = edge.t_ns + PICTURE_NS
            yield Delivery(now, (edge,), None, now, now)
        yield Delivery(self.until_ns, (), None, self.until_ns, self.until_ns)


DEALT: tuple[Control, int, int] = ("rap", 100, 160)


def test_each_tap_of_an_auction_shows_at_once_and_quiet_counts_after_the_last() -> None:
    taps: tuple[tuple[Control, int, int], ...] = tuple(("bid", at, at + 60) for at in (8000, 8200, 8400))
    pipeline = Pipeline(AUCTION, Presses(DEALT, *taps, until_ms=14_000), reader=NoCards())
    shown = [
        (now_ns // MS, dial.shown)
        for now_ns in pipeline.run()
        if (dial := pipeline.view(now_ns).dial) is not None
    ]
    # In the delivery that brings a tap, long before its burst is over; until it is let go it may become a hold.
    assert shown == [(8100, "5C"), (8240, "5C"), (8300, "5D"), (8440, "5D"), (8500, "5H")]
    # The quiet began when the last tap did, and was over in time.
    assert [line["bid"] for line in pipeline.referee.journal.lines if line["event"] == "bid"] == ["5H"]


def test_taps_in_the_panel_turn_no_dial() -> None:
    opened: tuple[Control, int, int] = ("rap", 8000, 10_100)
    tapped: tuple[Control, int, int] = ("bid", 16_000, 16_060)
    pipeline = Pipeline(AUCTION, Presses(DEALT, opened, tapped, until_ms=16_100), reader=NoCards())
    views = [pipeline.view(now_ns) for now_ns in pipeline.run()]
    assert views[-1].panel is not None
    assert views[-1].panel.marked == 1
    assert [view.dial for view in views] == [None] * len(views)


class LosesEvents:
    """Three button events are lost after a second, one more five seconds later; then half a minute of quiet."""

    def deliveries(self) -> Iterator[Delivery]:
        for second in range(30):
            now = second * 1000 * MS
            yield Delivery(now, (), None, now, now, lost={1: 3, 6: 1}.get(second, 0))
        yield Delivery(30_000 * MS, (), None, END_NS, END_NS)


def test_lost_button_events_are_told_on_the_screen_for_a_while() -> None:
    pipeline = Pipeline(CONFIG, LosesEvents(), reader=NoCards())
    told = {}
    for now_ns in pipeline.run():
        told[now_ns // (1000 * MS)] = [
            phrase_text(notice.phrase).split(":")[0] for notice in pipeline.view(now_ns).notices
        ]
    assert told[0] == []
    assert told[1] == ["3 button events were lost"]
    assert told[6] == told[17] == ["4 button events were lost"]
    assert told[18] == []


class Quiet:
    """Nothing happens for a minute and a half."""

    def deliveries(self) -> Iterator[Delivery]:
        for second in range(90):
            now = second * 1000 * MS
            yield Delivery(now, (), None, now, now)
        yield Delivery(90_000 * MS, (), None, END_NS, END_NS)


def test_what_befell_a_journal_is_told_on_the_screen_for_a_minute(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    damaged, gone = make_phrase("journal.new_game"), make_phrase("journal.gone")
    pipeline = Pipeline(CONFIG, Quiet(), reader=NoCards(), journal=path, remarks=[damaged])
    told = {}
    for now_ns in pipeline.run():
        second = now_ns // (1000 * MS)
        shown = [notice.phrase.code for notice in pipeline.view(now_ns).notices]
        told[second] = sorted({damaged.code, gone.code}.intersection(shown))
        if second == 10:
            path.unlink()
    assert told[0] == told[10] == [damaged.code]
    assert told[11] == told[59] == sorted((damaged.code, gone.code))
    assert told[60] == told[70] == [gone.code]
    assert told[71] == []
    assert pipeline.remarks == [damaged, gone]
    assert read_lines(path, torn_end=True) == pipeline.referee.journal.lines


class ResumedGame:
    """A game that goes on after a power cut; the trick that lay on the mark was picked up in the dark."""

    def __init__(self) -> None:
        seats = [SeatConfig(name, angle) for name, angle in (("Ada", 0), ("Ben", 120), ("Cleo", 240))]
        config = replace(CONFIG, options={"hands": [2]}, seats=tuple(seats))
        self._pipeline = Pipeline(config, Nothing(), reader=NoCards(), resume=complete_trick())
        self._t_ns = 60_000 * MS
        self._table = np.random.default_rng(1).integers(60, 90, (720, 1280, 3)).astype(np.uint8)

    def wait(self, seconds: float, *troubles: Phrase, pictures: bool = True, covered: bool = False) -> None:
        for _ in range(round(10 * seconds)):
            self._t_ns += 100 * MS
            image = np.zeros_like(self._table) if covered else self._table
            frame = Frame(self._t_ns, image, self._t_ns // MS) if pictures else None
            self._pipeline.process(Delivery(self._t_ns, (), frame, self._t_ns, self._t_ns, troubles=troubles))

    @property
    def knows_that_it_was_taken(self) -> bool:
        return bool(self._pipeline.referee.journal.lines[-1]["event"] == "trick_taken")


@pytest.mark.parametrize("code", ["camera.few", "camera.other_clock", "camera.slow"])
def test_a_camera_that_is_complained_of_shows_what_lies_there(code: str) -> None:
    game = ResumedGame()
    trouble = make_phrase(code, fps=5, least=7)
    game.wait(2, trouble)
    assert not game.knows_that_it_was_taken, "a hand may hide it"
    game.wait(3, trouble)
    assert game.knows_that_it_was_taken


@pytest.mark.parametrize("gap", [{"pictures": False}, {"covered": True}], ids=["no pictures", "covered"])
def test_while_the_camera_does_not_see_the_mark_nothing_was_taken_from_it(gap: dict[str, bool]) -> None:
    game = ResumedGame()
    game.wait(1)
    game.wait(10, **gap)
    game.wait(2)
    assert not game.knows_that_it_was_taken
    game.wait(3)
    assert game.knows_that_it_was_taken
