"""A camera's password appears nowhere but in the file of the table's owner."""

from __future__ import annotations

import stat
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest

from table.__main__ import main
from table.buttons.gpio_edges import EdgeReading
from table.commands.setup import doctor
from table.config.settings import load_config
from table.config.toml_edit import set_keys, write_recording_config
from table.errors import TableError
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Frame
from table.sources.camera.live_camera import LiveCamera
from table.sources.recordings.last_half_minute_buffer import ReplayBuffer
from table.sources.recordings.live_recorder import Recorder
from table.url_secrets import has_secret, without_secrets

SECRET = "s3cret"
URLS = [
    f"http://admin:{SECRET}@127.0.0.1:1/video",
    f"rtsp://admin:{SECRET}@127.0.0.1:1/video",
    f"http://127.0.0.1:1/video?user=admin&pwd={SECRET}",
    f"rtsp://127.0.0.1:1/user=admin_password={SECRET}_channel=1.sdp",
    f"http://admin:/@? {SECRET}@127.0.0.1:1/video",
    f"http://admin:it's {SECRET}@127.0.0.1:1/video",
]
TOML = """
# before: source = "{url}"
[game]
name = "whysteria"
[[seat]]
name = "Ada # 1"
angle = 0
[[seat]]
name = "Ben"
angle = 180
[camera]
source = "{url}"  # or {url}
size = [32, 24]
homography = [[0.1, 0, 16], [0, 0.1, 12], [0, 0, 1]]
"""


@pytest.fixture(params=URLS)
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TOML.format(url=request.param))
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("url", URLS)
def test_of_a_url_only_scheme_and_host_are_shown(url: str) -> None:
    assert without_secrets(url) == f"{url[:4]}://127.0.0.1:1/…"
    assert has_secret(url)


@pytest.mark.parametrize(
    "plain", ["picamera", "/dev/video0", "film.mp4", "a: b", "at 12:/30", "rtsp://camera"]
)
def test_what_holds_no_url_with_more_than_a_host_stays_as_it_is(plain: str) -> None:
    assert without_secrets(plain) == plain
    assert not has_secret(plain)


def test_it_is_in_no_recording(path: Path, tmp_path: Path) -> None:
    config = load_config(path)
    with Recorder(tmp_path / "recording", config) as recorder:
        recorder.add_frame(Frame(MS, np.zeros((24, 32, 3), np.uint8), 0))
    copied = (tmp_path / "recording" / "table.toml").read_text()
    assert SECRET not in copied
    assert load_config(tmp_path / "recording" / "table.toml").names == config.names
    assert "# or " in copied, "comments stay"


def test_it_is_in_no_complaint(path: Path, tmp_path: Path) -> None:
    with ReplayBuffer(load_config(path)) as ring:
        ring.add_frame(Frame(MS, np.zeros((24, 32, 3), np.uint8), 0))
        ring.add_reading(EdgeReading((), MS))
        assert ring.save(tmp_path / "001").wait(20)
        assert ring.trouble is None
    assert SECRET not in (tmp_path / "001" / "table.toml").read_text()


def test_it_is_in_no_set_up_of_a_game_that_the_menu_chose(path: Path, tmp_path: Path) -> None:
    write_recording_config(load_config(path), tmp_path / "game.toml")
    assert SECRET not in (tmp_path / "game.toml").read_text()


def test_it_is_in_no_error_and_not_on_the_screen(path: Path) -> None:
    config = load_config(path)
    assert SECRET not in repr(config)
    with LiveCamera(config.camera, again_s=5.0) as camera:
        for _ in range(1000):
            taken = camera.next_frame(0.01)
            if taken.trouble is not None:
                break
        assert taken.trouble is not None
        assert SECRET not in phrase_text(taken.trouble)
        assert "127.0.0.1" in phrase_text(taken.trouble)


def test_a_key_with_the_url_in_it_that_is_refused_is_told_without(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    for wrong in (f"size = '{URLS[0]}'", f"source = ['{URLS[0]}']", f"{'k' * 3} = '{URLS[0]}'"):
        path.write_text(f"[game]\nname = 'whysteria'\n[camera]\n{wrong}\n")
        assert main(["play", "--config", str(path)]) == 2
    assert main(["calibrate", URLS[0], "--config", str(path)]) == 2
    shown = capfd.readouterr()
    assert SECRET not in shown.out + shown.err


def test_the_doctor_says_nothing_of_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("table.sources.camera.live_camera.PATIENCE_S", 0.3)
    with pytest.raises(TableError) as caught:
        doctor._camera(load_config(path), [])
    assert SECRET not in str(caught.value)
    assert SECRET not in capfd.readouterr().err


def test_the_doctor_says_that_others_may_read_it(path: Path) -> None:
    def examined() -> list[str]:
        of_the_set_up = takewhile(lambda finding: finding.part == "set-up", doctor.check_table(path))
        return [finding.text for finding in of_the_set_up if not finding.good]

    assert examined() == []
    path.chmod(0o644)
    (fault,) = examined()
    assert f"chmod 600 {path}" in fault


def test_the_file_that_holds_it_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    assert main(["init", "--config", str(path), "--players", "Ada", "Ben", "--camera", "picamera"]) == 0
    assert stat.S_IMODE(path.stat().st_mode) & 0o044, "others may read what is no secret"
    set_keys(path, "camera", {"source": URLS[0]})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    assert main(["init", "--config", str(path), "--players", "Ada", "Ben", "--camera", URLS[0]]) == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
