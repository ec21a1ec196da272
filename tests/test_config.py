"""table.toml is read strictly: every complaint is one line with file, key and what was expected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.config.settings import EXPECTED_CONFIG, ScreenConfig, load_config, read_language
from table.config.toml_edit import copy_set_up, write_recording_config
from table.errors import TableError
from tests.wrong import wrong

GOOD = """
[game]
name = "whysteria"
[game.options]
hands = [2, 1]
[[seat]]
name = "Ada"
angle = 90
bid = 5
rap = 16
[[seat]]
name = "Ben"
angle = 270.5
bid = 6
[camera]
homography = [[2.0, 0, 640], [0, 2.0, 360], [0, 0, 1]]
size = [1280, 720]
[buttons]
tap_gap_ms = 400
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_missing_keys_have_their_defaults(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD))
    assert config.names == ("Ada", "Ben")
    assert config.buttons.tap_gap_ms == 400
    assert config.buttons.tie_window_ms == 30
    assert config.camera.tie_window_ms == 250
    assert config.seats[1].one_button
    assert not config.seats[0].one_button
    assert config.options == {"hands": [2, 1]}


@pytest.mark.parametrize(
    ("old", "new", "key", "code", "fields"),
    [
        ('name = "whysteria"', "", "game.name", "set_up.no_game", {}),
        ('name = "whysteria"', 'nome = "whysteria"', "game.nome", "set_up.unknown_key", {"known": ("name",)}),
        ("angle = 90", "", "seat 1.angle", "set_up.missing", {}),
        ("angle = 90", 'angle = "north"', "seat 1.angle", "expected.range", {"low": -360, "high": 360}),
        ("bid = 6", "bid = 5", "seat 2.bid", "set_up.same_line", {"line": 5, "other": "seat 1.bid"}),
        ("bid = 6", "bid = true", "seat 2.bid", "expected.whole", {"instead": True}),
        ('name = "Ben"', 'name = "Ada"', "seat 2.name", "set_up.same_name", {"name": "Ada"}),
        ('name = "Ben"', 'name = "ada"', "seat 2.name", "set_up.alike_names", {"other": "Ada"}),
        ('name = "Ben"', 'name = "Be\\u0007n"', "seat 2.name", "expected.printable", {}),
        ('name = "Ben"', 'name = "Be\\nn"', "seat 2.name", "expected.printable", {}),
        ('name = "Ben"', f'name = "{"n" * 25}"', "seat 2.name", "expected.letters", {"most": 24}),
        ('name = "Ben"', 'name = "Ben "', "seat 2.name", "expected.no_spaces", {}),
        (
            "angle = 270.5",
            "angle = -270",
            "seat 2.angle",
            "set_up.same_place",
            {"angle": -270, "seat": 1, "other": 90},
        ),
        ("angle = 270.5", "angle = 87", "seat 2.angle", "set_up.same_place", {"least": 5}),
        ("[camera]", '[camera]\nsource = "cam\\u0000era"', "camera.source", "expected.source", {}),
        ("size = [1280, 720]", "size = [1280]", "camera.size", "expected.size", {}),
        ("[0, 0, 1]]", "[0, 0, 0]]", "camera.homography", "expected.homography", {}),
        ("tap_gap_ms = 400", "tap_gap_ms = -1", "buttons.tap_gap_ms", "expected.whole", {"low": 50}),
        ("tap_gap_ms = 400", "hold_ms = 3000", "buttons.wrong_ms", "expected.more_than_hold", {"ms": 3000}),
        ("tap_gap_ms = 400", "[lamps]", "lamps", "set_up.unknown_section", {}),
        (
            "tap_gap_ms = 400",
            '[screen]\nlanguage = "xx"',
            "screen.language",
            "expected.one_of",
            {"choices": ("de", "en", "fr", "he"), "instead": "xx"},
        ),
        ("tap_gap_ms = 400", '[screen]\nsound = "off"', "screen.sound", "expected.truth", {}),
        ("tap_gap_ms = 400", "[screen]\nsize = [1280]", "screen.size", "expected.size", {}),
        (
            "tap_gap_ms = 400",
            "[screen]\nsize = [300, 720]",
            "screen.size",
            "expected.window_size",
            {"least": "[320, 200]"},
        ),
        ("tap_gap_ms = 400", "[screen]\nlies_flat = 1", "screen.lies_flat", "expected.truth", {}),
        (
            "tap_gap_ms = 400",
            "[screen]\nturned = 45",
            "screen.turned",
            "expected.one_of",
            {"choices": ("0", "90", "180", "270")},
        ),
        ("tap_gap_ms = 400", "[screen]\nfour_colours = 4", "screen.four_colours", "expected.truth", {}),
        (
            "tap_gap_ms = 400",
            "[screen]\nfour_colors = true",
            "screen.four_colors",
            "set_up.unknown_key",
            {"known": ("language", "size", "turned", "lies_flat", "moments", "four_colours", "sound")},
        ),
        ("[camera]", '[camera]\ncourts = "XYZ"', "camera.courts", "expected.courts", {"instead": "XYZ"}),
    ],
)
def test_an_ill_formed_key_is_named_with_what_was_expected(
    tmp_path: Path, old: str, new: str, key: str, code: str, fields: dict[str, Any]
) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with wrong(code, at=(path, key), kind=TableError, **fields) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}: {key}: ")
    assert "\n" not in str(caught.value)


def test_the_screen_is_as_the_file_says_and_as_usual_where_it_says_nothing(tmp_path: Path) -> None:
    assert load_config(write(tmp_path, GOOD)).screen == ScreenConfig(
        language="en",
        sound=True,
        size=(1280, 720),
        turned=0,
        lies_flat=False,
        moments=True,
        four_colours=False,
    )
    said = (
        "[screen]\nsize = [480, 800]\nturned = 90\nlies_flat = true\nfour_colours = true\n"
        "language = 'he'\nsound = false\nmoments = false\n"
    )
    screen = load_config(write(tmp_path, f"{GOOD}\n{said}")).screen
    assert screen == ScreenConfig(
        "he", (480, 800), 90, lies_flat=True, moments=False, four_colours=True, sound=False
    )


def around(*angles: float) -> str:
    seats = "".join(f'[[seat]]\nname = "P{angle}"\nangle = {angle}\n' for angle in angles)
    return f'[game]\nname = "whysteria"\n{seats}'


@pytest.mark.parametrize("angles", [(0, 120, 240), (300, 20, 100), (-90, 0, 180), (350, 10), (10, 350)])
def test_seats_may_begin_anywhere_around_the_table(tmp_path: Path, angles: tuple[float, ...]) -> None:
    found = load_config(write(tmp_path, around(*angles)))
    assert tuple(seat.angle for seat in found.seats) == angles


@pytest.mark.parametrize(
    ("angles", "seat"), [((0, 240, 120), 3), ((90, 0, 270), 3), ((0, 90, 270, 180), 4), ((0, 90, 60), 3)]
)
def test_seats_against_the_playing_order_are_refused(
    tmp_path: Path, angles: tuple[float, ...], seat: int
) -> None:
    with wrong("set_up.not_in_order", at=f"seat {seat}.angle", seat=seat - 1):
        load_config(write(tmp_path, around(*angles)))


def test_names_of_24_characters_in_any_script_are_kept(tmp_path: Path) -> None:
    text = GOOD.replace('"Ben"', f'"{"ש" * 24}"').replace('"Ada"', '"Zoë O\'Hara-Łuk"')
    assert load_config(write(tmp_path, text)).names == ("Zoë O'Hara-Łuk", "ש" * 24)


@pytest.mark.parametrize("text", ["[game", "= 3", "\x00", 'seat = "no"\n[game]\nname = "whysteria"'])
def test_a_file_that_is_no_table_is_one_line(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(TableError) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with wrong("file.unread", at=tmp_path / "table.toml", expected=EXPECTED_CONFIG):
        load_config(tmp_path / "table.toml")


def test_the_language_is_known_before_anything_else_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    assert read_language(path) == "en", "what is missing is said later, in English"
    for text in ('[screen]\nlanguage = "en"\n', "[screen]\nlanguage = 3\n", "screen = 3\n", "no toml"):
        path.write_text(text, encoding="utf-8")
        assert read_language(path) == "en"


def test_a_film_is_looked_for_beside_the_file_and_other_sources_stay_as_they_are(tmp_path: Path) -> None:
    def source(written: str) -> str | int:
        return load_config(
            write(tmp_path, GOOD.replace("[camera]", f"[camera]\nsource = {written}"))
        ).camera.source

    assert source('"films/game.mp4"') == str(tmp_path / "films" / "game.mp4")
    assert source('"/films/game.mp4"') == "/films/game.mp4"
    for kept in ("picamera", "2", "/dev/video0", "rtsp://camera/1"):
        assert source(f'"{kept}"') == kept
    assert source("0") == 0


def test_a_recording_has_what_the_menu_found_where_table_toml_could_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    seats = "".join(
        f'[[seat]]\nname = "{name}"\nangle = {angle}\n' for name, angle in (("Ada", 0), ("Ben", 180))
    )
    homography = "[[1.8, 0, 640], [0, 1.8, 360], [0, 0, 1]]"
    camera = (
        f'[camera]\nsource = "/dev/video0" # the old one\nfps = 25\nhomography = {homography}\nmat = "A3"\n'
    )
    path.write_text(f'[game]\nname = "whysteria"\n{seats}{camera}')
    (tmp_path / "pack.npz").write_bytes(b"cards")
    config = load_config(path)
    found = replace(
        config.camera,
        source="picamera",
        homography=((2.0, 0.0, 600.0), (0.0, 2.0, 300.0), (0.0, 0.0, 1.0)),
        mat=None,
        pack=tmp_path / "pack.npz",
    )
    own_file = tmp_path / "state" / "game.toml"
    write_recording_config(replace(config, camera=found), own_file)
    folder = tmp_path / "recording"
    folder.mkdir()
    copy_set_up(replace(config, camera=found, path=own_file), folder)
    recorded = load_config(folder / "table.toml")
    assert recorded.camera == replace(found, pack=folder / "pack.npz")
    assert (folder / "pack.npz").read_bytes() == b"cards"
    assert recorded.seats == config.seats
