"""Setting a table up without an editor: what init asks and what it writes."""

from __future__ import annotations

import builtins
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.__main__ import main
from table.commands.setup import init as init_command
from table.config.pin_plan import PIN_PLAN
from table.config.settings import load_config
from table.config.toml_edit import set_keys
from table.config.toml_template import Choices, render_table_toml
from table.games.engine.option_checks import player_count_phrase
from table.games.registry import GAMES
from table.pipeline import game_from_config
from table.sources.camera import v4l2
from tests.wrong import expects, told

EXAMPLE = Choices(("Ada", "Ben", "Cleo", "Dan"))
"""As `make example` has it."""
HARDWARE = Path(__file__).parents[2] / "hardware"


class Terminal(io.StringIO):
    """A standard input with somebody at it."""

    def isatty(self) -> bool:
        return True


def answered(monkeypatch: pytest.MonkeyPatch, *answers: str) -> Iterator[str]:
    """Somebody sits there and gives these answers, then leaves."""
    left = iter(answers)

    def give(question: str) -> str:
        for answer in left:
            return answer
        raise EOFError

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(builtins, "input", give)
    monkeypatch.setattr(init_command, "has_gpio_header", lambda: True)
    return left


def init(path: Path, *options: str) -> int:
    return main(["init", "--config", str(path), *options])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def test_the_example_in_the_repository_is_what_init_writes() -> None:
    assert (HARDWARE / "table.toml").read_text(encoding="utf-8") == render_table_toml(EXAMPLE)


def test_the_example_loads_and_has_the_lines_of_the_pin_plan() -> None:
    config = load_config(HARDWARE / "table.toml")
    assert game_from_config(config).name == "whysteria"
    assert [(seat.bid, seat.rap, seat.led) for seat in config.seats] == [tuple(pins) for pins in PIN_PLAN[:4]]


def test_every_key_behind_a_hash_can_be_taken_as_it_stands(path: Path) -> None:
    uncommented, count = re.subn(r"(?m)^# (\w+ = )", r"\1", render_table_toml(EXAMPLE))
    assert count > 12
    path.write_text(uncommented)
    config = load_config(path)
    game_from_config(config)
    assert config.camera.homography is not None
    assert config.camera.pack == path.parent / "pack.npz"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("buttons", ["two", "knock", "one"])
def test_a_table_for_any_game_is_written_by_options_alone(path: Path, game: str, buttons: str) -> None:
    high = GAMES[game].seat_range[1]
    names = [f"Player {number}" for number in range(1, min(high, 7) + 1)]
    assert init(path, "--players", *names, "--game", game, "--buttons", buttons) == 0
    config = load_config(path)
    assert config.game == game
    assert config.names == tuple(names)
    for seat, pins in zip(config.seats, PIN_PLAN, strict=False):
        assert (seat.bid, seat.led) == (pins.bid, pins.led)
        assert seat.rap == (None if buttons == "one" else pins.rap)
        assert seat.knock == (buttons == "knock")


def test_names_are_written_so_that_they_are_read_again(path: Path) -> None:
    names = ['Anna "Ann"', "Zoë\\", "נועה"]
    assert init(path, "--players", *names, "--camera", "2", "--first-angle", "-90") == 0
    config = load_config(path)
    assert config.names == tuple(names)
    assert config.camera.source == 2
    assert [seat.angle for seat in config.seats] == [270, 30, 150]


def test_somebody_at_the_terminal_is_asked_until_the_answer_will_do(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ("bridge", "oh-hell", "Ada", "Ada, ada, Ben", "Ada, Ben ,Cleo", "", "13", "6", "/dev/video2")
    left = answered(monkeypatch, *answers)
    assert init(path) == 0
    assert next(left, None) is None
    config = load_config(path)
    assert config.game == "oh-hell"
    assert config.names == ("Ada", "Ben", "Cleo")
    assert [seat.angle for seat in config.seats] == [180, 300, 60]
    assert config.camera.source == "/dev/video2"
    out = capsys.readouterr().out
    assert f"bridge: {told('wrong.no_game', games=tuple(GAMES))}" in out
    assert told("init.so_many", n=1, range=player_count_phrase(3, 7)) in out
    assert f"player 2: {told('init.same_name', name='ada')}" in out
    assert expects("expected.hour", instead="13") in out


def test_what_was_given_as_an_option_is_not_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = answered(monkeypatch, "", "Ada,Ben", "", "never")
    assert init(path, "--buttons", "one", "--camera", "0") == 0
    assert next(left) == "never"
    assert load_config(path).seats[0].one_button


def test_an_existing_file_is_written_over_only_when_somebody_says_so_and_kept_aside(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text("mine")
    assert init(path, "--players", "Ada", "Ben") == 2
    assert told("init.is_there") in capsys.readouterr().err
    answered(monkeypatch, "")
    assert init(path, "--players", "Ada", "Ben") == 1
    assert path.read_text() == "mine"
    answered(monkeypatch, "perhaps", "yes", "", "", "", "")
    assert init(path, "--players", "Ada", "Ben") == 0
    assert load_config(path).names == ("Ada", "Ben")
    assert (path.parent / "table.toml.old").read_text() == "mine"
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert init(path, "--players", "Cleo", "Dan", "--force") == 0
    assert load_config(path).names == ("Cleo", "Dan")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), f"--players: {told('init.no_option')}"),
        (("--players", "Ada"), f"--players: {told('init.so_many', n=1, range=player_count_phrase(2, 7))}"),
        (
            ("--players", *"ABCDEFGH", "--game", "prediction-whist"),
            f"--players: {told('init.so_many', n=8, range=player_count_phrase(2, 7))}",
        ),
        (("--players", "Ada", "ADA"), f"player 2: {told('init.same_name', name='ADA')}"),
        (("--players", "Ada", "B\ten"), f"player 2: {expects('expected.printable')}"),
        (("--players", "Ada", "n" * 25), f"player 2: {expects('expected.letters', most=24)}"),
        (("--players", "Ada", ""), f"player 2: {expects('expected.text')}"),
        (
            ("--players", "Ada", "Ben", "--game", "bridge"),
            f"--game: bridge: {told('wrong.no_game', games=tuple(GAMES))}",
        ),
        (("--players", "Ada", "Ben", "--camera", ""), f"--camera: {expects('expected.source')}"),
    ],
)
def test_where_nobody_can_be_asked_bad_options_are_one_line(
    path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str
) -> None:
    assert init(path, *options) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not path.exists()


def test_somebody_who_leaves_ends_it_in_one_line(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answered(monkeypatch, "whysteria")
    assert init(path) == 2
    assert capsys.readouterr().err == f"cardtable: init: {told('init.no_answer')}\n"


def test_a_camera_given_by_its_number_is_written_by_the_name_that_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_id = path.parent / "by-id"
    by_id.mkdir()
    (path.parent / "video0").touch()
    name = by_id / "usb-Acme-video-index0"
    name.symlink_to(path.parent / "video0")
    monkeypatch.setattr(v4l2, "BY_ID", by_id)
    monkeypatch.setattr(v4l2, "DEVICES", path.parent)
    assert init(path, "--players", "Ada", "Ben", "--camera", "0") == 0
    assert load_config(path).camera.source == str(name)
    assert init(path, "--players", "Ada", "Ben", "--camera", "3", "--force") == 0
    assert load_config(path).camera.source == 3


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert init(tmp_path / "no" / "table.toml", "--players", "Ada", "Ben") == 2
    assert told("file.not_written", error="No such file or directory") in capsys.readouterr().err


# --- changing a key -------------------------------------------------------------------------------------------


def test_a_key_is_changed_and_every_comment_kept(path: Path) -> None:
    init(path, "--players", "Ada", "Ben")
    before = path.read_text()
    rows = [[1.5, 0.0, 640.0], [0.0, 1.5, 360.0], [0.0, 0.0, 1.0]]
    set_keys(path, "camera", {"homography": rows, "mat": "A4"})
    assert load_config(path).camera.homography == ((1.5, 0, 640), (0, 1.5, 360), (0, 0, 1))
    assert set(before.splitlines()) <= set(path.read_text().splitlines())
    set_keys(path, "camera", {"mat": None})
    assert load_config(path).camera.mat is None


def test_a_file_keeps_its_rights_and_a_link_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "table.toml"
    real.write_text("[camera]\nfps = 30\n")
    real.chmod(0o640)
    link.symlink_to(real)
    set_keys(link, "camera", {"mat": "A4"})
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert 'mat = "A4"' in real.read_text()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["real.toml", "table.toml"]
