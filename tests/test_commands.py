"""The commands: bad input is one line and exit 2; no traceback."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from table.__main__ import COMMANDS, main
from table.commands.arguments import parse_game
from table.commands.setup import detect
from table.detection import photo_reading
from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.display.window import ScreenWindow
from table.games.registry import GAMES
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from table.observed_facts import Image, Reading
from table.phrase import make_phrase
from table.playback import run_loop
from tests.tracking.cards_on_cloth import cloth, lay
from tests.wrong import told

PICTURE = make_phrase("expected.picture")
UNKNOWN = told("set_up.unknown_key", known=()).partition("(")[0]
NO_PICTURE = told("file.no_picture", most=32, expected=PICTURE)
TOML = """
[game]
name = "whysteria"
[game.options]
hands = [1]
[[seat]]
name = "Ada"
angle = 0
bid = 1
rap = 2
[[seat]]
name = "Ben"
angle = 180
bid = 3
rap = 4
[camera]
size = [320, 240]
fps = 10
homography = [[0.9, 0, 160], [0, 0.9, 120], [0, 0, 1]]
"""


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """An empty table, and the dealer's rap."""
    (tmp_path / "table.toml").write_text(TOML)
    rap = "t_ns,seat,control,level\n500000000,Ada,rap,1\n600000000,Ada,rap,0\n"
    (tmp_path / "buttons.csv").write_text(rap)
    video = cv2.VideoWriter(str(tmp_path / "video.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for _ in range(30):
        video.write(np.full((240, 320, 3), 90, dtype=np.uint8))
    video.release()
    return tmp_path


def fails(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Run a command that must complain: exit 2, one line, nothing printed."""
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("cardtable: ")
    return captured.err


def test_a_replay_prints_the_journal(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(recording)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines] == ["game_started", "hand_started", "trump", "dealt"]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]


def test_check_exits_with_1_where_the_truth_differs(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (recording / "truth.jsonl").write_text(
        '{"event": "trump", "suit": "S", "card": null}\n{"event": "bid", "seat": "Ben", "bid": 1}\n'
    )
    assert main(["replay", str(recording), "--check"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == '- {"event": "bid", "seat": "Ben", "bid": 1}'
    assert out[1].startswith("1 of 2 events as in the truth, 1 differences")


def test_check_exits_with_0_where_nothing_differs(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (recording / "truth.jsonl").write_text('{"event": "trump", "suit": "S", "card": null}\n')
    assert main(["replay", str(recording), "--check"]) == 0


def test_a_replay_in_a_window_prints_its_check_and_ends_by_itself(
    recording: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    wall = SimpleNamespace(ns=0, shown=[])
    sleep = lambda seconds: setattr(wall, "ns", wall.ns + round(seconds * 1e9))  # noqa: E731
    monkeypatch.setattr(run_loop, "time", SimpleNamespace(monotonic_ns=lambda: wall.ns, sleep=sleep))
    monkeypatch.setattr(
        ScreenWindow, "show", lambda _, view: wall.shown.append((wall.ns, capsys.readouterr().out))
    )
    (recording / "truth.jsonl").write_text('{"event": "trump", "suit": "S", "card": null}\n')
    assert main(["replay", str(recording), "--check", "--window"]) == 0
    said = [(at, told) for at, told in wall.shown if told]
    assert [told.startswith("1 of 1 events as in the truth, 0 differences") for _, told in said] == [True]
    assert said[0][0] < run_loop.LAST_PICTURE_NS / 2, "only when the last picture had gone"


def test_check_without_a_truth_is_one_line(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = told("file.none", expected=make_phrase("expected.what_happened"))
    assert f"truth.jsonl: {missing}" in fails(capsys, "replay", str(recording), "--check")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("table.toml", "[game", "table.toml: not a TOML file"),
        ("table.toml", TOML.replace('"whysteria"', '"bridge"'), "bridge"),
        ("table.toml", TOML.replace("hands = [1]", "hands = [60]"), "hands"),
        ("table.toml", TOML.replace("hands = [1]", "hnads = [1]"), "hnads"),
        ("table.toml", TOML.replace("homography", "homographie"), f"camera.homographie: {UNKNOWN}"),
        (
            "buttons.csv",
            "t_ns,seat,control,level\n500000000,Ada,ra",
            f"buttons.csv: line 2: {told('row.cut_off')}",
        ),
        ("video.avi", "no video", told("recording.no_video")),
    ],
)
def test_a_broken_recording_is_one_line(
    recording: Path, capfd: pytest.CaptureFixture[str], name: str, text: str, expected: str
) -> None:
    (recording / name).write_text(text)
    assert expected in fails(capfd, "replay", str(recording))


def test_a_recording_without_a_video_is_one_line(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recording / "video.avi").unlink()
    assert told("recording.videos", n=0) in fails(capsys, "replay", str(recording))


def test_a_picture_that_is_none_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for content in (b"", b"not a picture"):
        (tmp_path / "a.jpg").write_bytes(content)
        assert f"a.jpg: {NO_PICTURE}" in fails(capfd, "detect", str(tmp_path / "a.jpg"))
    unread = told("file.unread", error="No such file or directory", expected=PICTURE)
    assert unread in fails(capfd, "detect", str(tmp_path / "b.jpg"))


def test_detect_reads_the_other_pictures_beside_a_broken_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, card in (("a.png", "AS"), ("c.png", "9H")):
        picture = cloth()
        lay(picture, card, 250, 250, 20)
        cv2.imwrite(str(tmp_path / name), picture)
    (tmp_path / "b.jpg").write_bytes(b"not a picture")
    assert main(["detect", "--json", *(str(tmp_path / name) for name in ("a.png", "b.jpg", "c.png"))]) == 2
    said = capsys.readouterr()
    read = [json.loads(line) for line in said.out.splitlines()]
    assert [(Path(one["image"]).name, one["cards"][0]["card"]) for one in read] == [
        ("a.png", "AS"),
        ("c.png", "9H"),
    ]
    assert said.err.count("\n") == 1
    assert f"b.jpg: {NO_PICTURE}" in said.err


def test_detect_prints_one_object_for_each_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "empty.png")
    cv2.imwrite(path, np.full((300, 300, 3), 70, np.uint8))
    assert main(["detect", "--json", "--card-px", "100", path, path]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found == [{"image": path, "cards": []}] * 2


def test_detect_tells_the_cards_and_no_guesses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = cloth()
    lay(picture, "QH", 150, 200, 20)
    lay(picture, "7C", 370, 300, 130)
    path = str(tmp_path / "two.png")
    cv2.imwrite(path, picture)
    assert main(["detect", path]) == 0
    told = capsys.readouterr().out
    assert "2 cards" in told
    assert "Q♥" in told
    assert "7♣" in told
    sure = photo_reading.read_still

    def doubtful(detector: Detector, image: Image, card_px: float) -> list[CardDetection]:
        first, second = sure(detector, image, card_px)
        return [first, replace(second, readings=(Reading(second.card, 0.49),))]

    monkeypatch.setattr(detect, "read_still", doubtful)
    assert main(["detect", "--json", path]) == 0
    assert len(json.loads(capsys.readouterr().out)["cards"]) == 1


def test_games_lists_every_game_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in GAMES)
    for name, game in GAMES.items():
        assert main(["games", name]) == 0
        out = capsys.readouterr().out
        assert all(f"  {option.name} = " in out for option in game.option_specs)


def test_games_tells_the_rules_as_played_at_a_table(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = recording / "table.toml"
    assert main(["games", "--config", str(config)]) == 0
    assert "Hands of 1 cards" in capsys.readouterr().out
    other = told("set_up.other_game", game="whysteria", asked="oh-hell")
    assert other in fails(capsys, "games", "oh-hell", "--config", str(config))


def test_an_unknown_game_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"bridge: {told('wrong.no_game', games=tuple(GAMES))}" in fails(capsys, "games", "bridge")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([command, "--help"])
    assert exit_.value.code == 0
    assert "usage: cardtable" in capsys.readouterr().out


def test_a_wrong_command_line_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["replai"])
    assert exit_.value.code == 2


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--version"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out == f"cardtable {version('cardtable')}\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "the following arguments are required: COMMAND (see cardtable --help)"),
        (["nosuch"], "invalid choice: 'nosuch'"),
        (["play", "--nosuch"], "unrecognized arguments: --nosuch"),
        (["replay"], "replay: the following arguments are required: DIR (see cardtable replay --help)"),
        (["doctor", "--buttons", "x\ny"], "doctor: argument --buttons: "),
        (["x" * 5000], "see cardtable --help)"),
    ],
)
def test_arguments_that_are_wrong_are_told_in_one_line(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("cardtable: ")
    assert expected in told
    assert len(told) <= 300


@pytest.mark.parametrize(
    "given", ["oh-hell", "Oh Hell", "OH-HELL", "Whist israélien", "וויסט ישראלי", "Israelisches Whist"]
)
def test_a_game_is_known_by_the_name_that_the_table_prints(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", given]) == 0
    wanted = "oh-hell" if given.lower().startswith("oh") else "israeli-whist"
    assert f'name = "{wanted}"' in capsys.readouterr().out


def test_every_printed_name_of_a_game_is_that_game_s_alone() -> None:
    for language in languages():
        for name in GAMES:
            assert parse_game(renderer_for(language)(make_phrase("menu.game_is", game=name))) == name


def test_without_a_table_toml_it_is_said_what_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    for command in (["play"], ["play", "--headless"], ["record", str(tmp_path / "new")], ["calibrate"]):
        assert main([*command, "--config", str(path)]) == 2
        assert "cardtable init" in capsys.readouterr().err
