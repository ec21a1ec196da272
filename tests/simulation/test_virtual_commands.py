"""``cardtable demo`` and ``cardtable virtual``."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest

from table.__main__ import main, make_parser
from table.commands import demo
from table.games.registry import GAMES
from table.observed_facts import Frame
from table.simulation.demo_window import NARROW, WIDE, camera_column_width, draw_column
from table.sources.recordings.recording import open_recording
from tests.wrong import expects, told


def shape_of(path: Path) -> tuple[int, ...]:
    picture = cv2.imread(str(path))
    assert picture is not None
    return tuple(picture.shape)


SHORT_DEMO = ["demo", "--headless", "--players", "2", "--hands", "1", "--seed", "4"]


def test_demo_without_a_display_tells_the_game_and_leaves_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0001-game-over.png").write_bytes(b"from an earlier demo")
    argv = [*SHORT_DEMO, "--pictures", str(tmp_path)]
    assert main(argv) == 0
    told = capsys.readouterr().out
    assert "Ada and Ben" in told
    assert "wins trick 1" in told
    assert "The game is over" in told
    assert "events as in the truth, 0 differences" in told
    assert "the table followed the whole game: " in told
    screens = sorted(tmp_path.glob("*.png"))
    assert len(screens) >= 4
    assert not (tmp_path / "0001-game-over.png").exists()
    for path in screens:
        assert shape_of(path) == (720, 1280, 3)
        camera = path.with_name(path.stem + "-camera.jpg")
        assert shape_of(camera) == (360, 640, 3)


@pytest.mark.thorough
def test_a_demo_of_which_the_table_got_something_wrong_says_so_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = [*SHORT_DEMO, "--pictures", str(tmp_path)]
    winner = "table.games.engine.apply_play_events.trick_winner"
    monkeypatch.setattr(winner, lambda state, _: state.trick.plays[0].seat)
    answers = [main(argv)]
    monkeypatch.setattr(winner, lambda state, _: state.trick.plays[1].seat)
    told = capsys.readouterr().out
    answers.append(main(argv))
    told += capsys.readouterr().out
    assert sorted(answers) == [0, 1]
    assert "What happened: " in told
    assert "The table made of it: " in told
    assert '"event"' not in told
    assert told.count("the table followed the whole game") == 1


@pytest.mark.parametrize("game", GAMES)
def test_the_demo_plays_no_deciding_hand_unless_a_seed_asks_for_it(game: str) -> None:
    hands = []
    for more in ([], ["--seed", "1"]):
        config, world = demo._game(make_parser().parse_args(["demo", "--game", game, *more]))
        scored = [line for line in world.truth if line["event"] == "hand_scored"]
        hands.append(len(scored) - len(config.options["hands"]))
    assert hands == [0, 2 if game == "israeli-whist" else 0]


def test_virtual_writes_a_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "game"
    argv = ["virtual", str(folder), "--game", "oh-hell", "--hands", "1", "--size", "320x180", "--fps", "10"]
    assert main([*argv, "--pace", "0.4", "--plain"]) == 0
    assert "lines of truth" in capsys.readouterr().out
    recording = open_recording(folder)
    assert (recording.config.game, recording.config.camera.size) == ("oh-hell", (320, 180))
    assert recording.truth_path.exists()


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["demo", "--game", "poker"], f"poker: {told('wrong.no_game', games=tuple(GAMES))}"),
        (
            ["demo", "--players", "9"],
            f"--players: {expects('expected.range', low=2, high=7, instead=9)}",
        ),
        (
            ["demo", "--game", "israeli-whist", "--players", "3"],
            f"--players: {expects('expected.the_number', n=4, instead=3)}",
        ),
        (["demo", "--hands", "30"], "--hands: "),
        (["demo", "--seed", "-1"], f"--seed: {expects('expected.number_from', low=0, instead=-1)}"),
        (["virtual", "DIR", "--size", "big"], f"--size: {expects('expected.picture_size', instead='big')}"),
        (
            ["virtual", "DIR", "--fps", "1000"],
            f"--fps: {expects('expected.range', low=10, high=120, instead=1000.0)}",
        ),
        (
            ["virtual", "DIR", "--pace", "0"],
            f"--pace: {expects('expected.range', low=0.3, high=5, instead=0.0)}",
        ),
    ],
)
def test_what_can_t_be_played_is_said_in_one_line(
    argv: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "new") if word == "DIR" else word for word in argv]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert complaint in said


def test_the_camera_s_picture_stands_beside_the_screen_where_there_is_room() -> None:
    assert camera_column_width(NARROW) == 0
    assert camera_column_width(WIDE) == WIDE[0] - 1280
    size = (camera_column_width(WIDE), WIDE[1])
    frame = Frame(0, np.full((90, 160, 3), (10, 20, 200), np.uint8), 0)
    empty, filled = draw_column(None, (), size), draw_column(frame, ("Ada plays A♠.",) * 60, size)
    assert filled.get_size() == size
    assert empty.get_at((size[0] // 2, 60))[:3] != (200, 20, 10)
    assert filled.get_at((size[0] // 2, 60))[:3] == (200, 20, 10)


def test_the_demos_column_says_at_its_foot_which_keys_do_what() -> None:
    size = (360, 720)
    said = ("Ada plays A♠.",) * 60
    plain, keyed = (draw_column(None, said, size, keys) for keys in ((), ("Ada: 1 bids, Q raps", "Esc ends")))
    top, foot = pygame.Rect(0, 0, 360, 600), pygame.Rect(0, 660, 360, 60)
    shown = [
        [pygame.image.tobytes(column.subsurface(part), "RGB") for column in (plain, keyed)]
        for part in (top, foot)
    ]
    assert shown[0][0] == shown[0][1]
    assert shown[1][0] != shown[1][1]
