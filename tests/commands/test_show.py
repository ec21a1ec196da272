"""``show`` draws any moment of a recording or a journal; ``replay --pictures`` those that matter."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest

from table.__main__ import main
from table.commands.show import select_tiles
from table.display.picture_files import CODECS
from table.display.view_picture import draw_canvas
from table.files.picture_and_video_reading import read_picture
from table.observed_facts import MS, Image
from table.phrase import expected_error, line_place, make_phrase
from table.playback.views_of_past_moments import replay_journal
from table.referee.records.journal import read_lines
from tests.history.test_archive import written
from tests.sources.test_full_disk import nearly_full_disk
from tests.test_commands import fails
from tests.test_commands import recording as recording
from tests.wrong import expects, told


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A whole game of one hand, a line every 600 ms."""
    return every_600_ms(written(tmp_path / "game.jsonl", over=True))


def every_600_ms(path: Path) -> Path:
    lines = read_lines(path)
    for number, line in enumerate(lines):
        line["t_ns"] = line["decided_ns"] = (7_000 + 600 * number) * MS
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def of_surface(surface: pygame.Surface) -> Image:
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)[..., ::-1])


def test_the_end_of_a_journal_is_shown_where_nothing_else_is_asked_for(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "end"
    assert main(["show", str(journal), "--out", str(out), "--size", "640x360"]) == 0
    *_, last = replay_journal(read_lines(journal))
    assert np.array_equal(read_picture(out), of_surface(draw_canvas(last.view(), (640, 360)).surface))
    assert capsys.readouterr().out.startswith(f"{out}: ")


@pytest.fixture
def timed(tmp_path: Path) -> Path:
    """A game that was broken off after its first bid; a line every 600 ms."""
    return every_600_ms(written(tmp_path / "begun.jsonl"))


@pytest.mark.parametrize(
    ("when", "line"), [("0s", 1), ("1.3s", 3), ("0:01.3", 3), ("0:02", 4), ("2.4s", 5), ("4", 4), ("5", 5)]
)
def test_a_moment_is_named_by_seconds_or_by_a_lines_number(
    when: str, line: int, timed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "then.png"
    assert main(["show", str(timed), "--at", when, "--out", str(out)]) == 0
    shown = list(replay_journal(read_lines(timed)))[line - 1].view()
    assert np.array_equal(read_picture(out), of_surface(draw_canvas(shown, (1280, 720)).surface))
    assert f"(line {line})" in capsys.readouterr().out


@pytest.mark.parametrize("when", ["2.5s", "9:00", "6", "99999999"])
def test_a_moment_after_the_end_is_refused_with_where_the_end_is(
    when: str, timed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = told("show.no_moment", ends="0:02.4", lines=5)
    assert ends in fails(capsys, "show", str(timed), "--at", when)


@pytest.mark.parametrize("when", ["", "soon", "-3", "0", "1:75", "3 s", "٣", "1e3s", "123456789012"])
def test_what_is_no_moment_is_one_line(when: str, timed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["show", str(timed), f"--at={when}"])
    assert exit_.value.code == 2
    assert expects("expected.moment", instead=when) in capsys.readouterr().err


def test_a_contact_sheet_has_the_moments_that_matter(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.png"
    assert main(["show", str(journal), "--sheet", "--out", str(out)]) == 0
    # dealt, bidding over, the trick, the hand's result, the end
    assert "5 of the 5" in capsys.readouterr().out
    assert read_picture(out).shape[1] > 4 * 480


@pytest.mark.parametrize("most", [1, 3, 6, 9])
def test_what_matters_less_is_left_out_first_and_evenly(most: int) -> None:
    ranks = [5, 4, 4, 1, 5, 4, 4, 0]
    kept = select_tiles(ranks, most)
    assert len(kept) == min(most, len(ranks))
    assert kept == sorted(set(kept))
    assert kept == {1: [7], 3: [1, 3, 7], 6: [1, 2, 3, 5, 6, 7], 9: list(range(8))}[most]


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_film_shows_the_whole_game(
    suffix: str, journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"film{suffix}"
    assert main(["show", str(journal), "--film", str(out), "--size", "641x360"]) == 0
    film = cv2.VideoCapture(str(out), cv2.CAP_FFMPEG)
    frames = []
    while (read := film.read())[0]:
        frames.append(np.asarray(read[1], np.uint8))
    assert frames[0].shape == (360, 640, 3)
    *_, last = replay_journal(read_lines(journal))
    podium = last.view()
    end = of_surface(draw_canvas(replace(podium, now_ns=podium.moments[-1].until_ns), (640, 360)).surface)
    assert float(np.abs(frames[-1].astype(int) - end).mean()) < 4
    assert float(np.abs(frames[0].astype(int) - end).mean()) > 8
    assert f"{len(frames) / 10:.0f} s" in capsys.readouterr().out


def test_an_old_film_stays_where_the_disk_does_not_take_all_of_the_new_one(
    journal: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "film.mp4"
    out.write_bytes(b"the old film")
    with nearly_full_disk():
        assert told("recording.pictures_lost") in fails(capfd, "show", str(journal), "--film", str(out))
    assert out.read_bytes() == b"the old film"
    assert [path.name for path in tmp_path.glob("film*")] == ["film.mp4"]


@pytest.mark.parametrize("place", [".", "/"])
@pytest.mark.parametrize(
    "command", [("calibrate", "--mat"), ("show", "JOURNAL", "--out"), ("show", "JOURNAL", "--film")]
)
def test_a_folder_in_place_of_a_file_is_one_line(
    command: tuple[str, ...], place: str, journal: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(journal) if argument == "JOURNAL" else argument for argument in command]
    assert f"cardtable: {place}: " in fails(capfd, *arguments, place)


@pytest.mark.parametrize("options", [["--sheet", "--at", "3"], ["--sheet", "--film", "a.mp4"]])
def test_only_one_thing_is_shown_at_a_time(
    options: list[str], journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = expects("expected.one_of", choices=("--at", "--sheet", "--film"))
    assert one in fails(capsys, "show", str(journal), *options)


def test_a_place_where_no_film_can_be_is_one_line(journal: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for place in ("film.png", "missing/film.mp4"):
        wrong = told("image.no_film", suffixes=tuple(CODECS))
        assert wrong in fails(capfd, "show", str(journal), "--film", place)


def test_of_a_damaged_journal_what_stands_before_is_shown(
    timed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timed.write_text(timed.read_text() + "no line\nnor this\n")
    assert main(["show", str(timed), "--out", str(tmp_path / "a.png")]) == 1
    captured = capsys.readouterr()
    assert "(line 5)" in captured.out
    assert "line 6" in captured.err


def test_what_is_neither_a_recording_nor_a_journal_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.txt").write_text("Hello\n")
    assert "table.toml" in fails(capsys, "show", str(tmp_path))
    fault = expected_error("expected.event", at=line_place(1))
    assert told("journal.nothing", fault=fault) in fails(capsys, "show", str(tmp_path / "text.txt"))
    unread = told(
        "file.unread", error="No such file or directory", expected=make_phrase("expected.json_lines")
    )
    assert unread in fails(capsys, "show", str(tmp_path / "missing"))


def test_a_recording_is_shown_by_playing_it(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "dealt.png"
    assert main(["show", str(recording), "--at", "4", "--out", str(out)]) == 0
    assert "Ada has dealt" in capsys.readouterr().out
    assert read_picture(out).shape == (720, 1280, 3)


def test_a_replay_leaves_a_picture_of_each_change_that_matters(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in ("0009-trick-won.png", "2024-holidays.png"):
        (folder / name).touch()
    assert main(["replay", str(recording), "--pictures", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["0004-dealt.png", "2024-holidays.png"]
    assert '"event": "dealt"' in capsys.readouterr().out


def test_a_recordings_pictures_speak_the_language_of_its_table(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = recording / "table.toml"
    shown, folder = tmp_path / "shown.png", tmp_path / "pictures"
    found = []
    for language in ("en", "de"):
        toml.write_text(f'{toml.read_text()}\n[screen]\nlanguage = "{language}"\n')
        assert main(["show", str(recording), "--out", str(shown)]) == 0
        assert main(["replay", str(recording), "--pictures", str(folder)]) == 0
        (kept,) = folder.iterdir()
        found.append((read_picture(shown), read_picture(kept)))
        toml.write_text(toml.read_text().partition("\n[screen]")[0])
    assert not any(np.array_equal(one, other) for one, other in zip(*found, strict=True))
    assert "Ada has dealt" in capsys.readouterr().out, "what is printed is in the language of who asks"


def test_a_recordings_pictures_are_as_its_tables_screen_is_set_up(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = recording / "table.toml"
    toml.write_text(toml.read_text() + "\n[screen]\nsize = [480, 800]\nlies_flat = true\n")
    shown, folder = tmp_path / "shown.png", tmp_path / "pictures"
    assert main(["show", str(recording), "--out", str(shown)]) == 0
    assert main(["replay", str(recording), "--pictures", str(folder)]) == 0
    assert read_picture(shown).shape == (800, 480, 3)
    assert [read_picture(path).shape for path in folder.iterdir()] == [(800, 480, 3)]
    flat = read_picture(shown)
    toml.write_text(toml.read_text().replace("lies_flat = true", ""))
    assert main(["show", str(recording), "--out", str(shown)]) == 0
    assert not np.array_equal(read_picture(shown), flat)
    assert main(["show", str(recording), "--out", str(shown), "--size", "640x360"]) == 0
    assert read_picture(shown).shape == (360, 640, 3)
