"""`cardtable enrol` from pictures, and from cards that are laid on the mark."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.__main__ import main
from table.calibration.live_enrolment import EnrolmentStep, LiveEnrolment
from table.config.settings import CameraConfig, load_config
from table.detection.detector import Detector
from table.detection.enrolment_examples import ExampleCollector
from table.detection.indices.enrolled_pack import load_pack
from table.observed_facts import MS, Frame
from tests.enrol.oddpack import lay_odd, one_card
from tests.speeds import first_quick
from tests.tracking.cards_on_cloth import PX_PER_MM, cloth, lay
from tests.wrong import expects

TABLE = """
[game]
name = "whysteria"

[[seat]]
name = "Ada"
angle = 0
[[seat]]
name = "Ben"
angle = 180

[camera]
fps = 30
"""


def picture(folder: Path, name: str, image: NDArray[np.uint8]) -> str:
    path = folder / name
    cv2.imwrite(str(path), image)
    return str(path)


@pytest.mark.thorough
def test_pictures_named_after_their_cards_are_learned_and_table_toml_names_the_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text(TABLE)
    paths = [picture(tmp_path, f"{name}-1.png", one_card(name)) for name in ("JS", "QH")]
    assert main(["enrol", *paths]) == 0
    said = capsys.readouterr().out
    assert "J♠ looks like 2♠" in said
    assert "J♠ 2 corners" in said
    assert "Not shown yet: A♠" in said
    assert load_pack(Path("pack.npz")).index_counts == {"QH": 2, "JS": 2}
    assert load_config(Path("table.toml")).camera.pack == Path("pack.npz")
    assert main(["detect", picture(tmp_path, "seen.png", one_card("JS", 190)), "--pack", "pack.npz"]) == 0
    assert "1 card: J♠" in capsys.readouterr().out


def test_what_root_enrolls_can_be_read_by_the_service_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``sudo cardtable enrol`` in the set-up's folder, however closed root keeps its own files."""
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text(TABLE)
    before = os.umask(0o077)
    try:
        assert main(["enrol", picture(tmp_path, "JS-1.png", one_card("JS"))]) == 0
    finally:
        os.umask(before)
    assert Path("pack.npz").stat().st_mode & stat.S_IROTH
    assert Path("table.toml").stat().st_mode & stat.S_IROTH


@pytest.mark.thorough
def test_several_cards_in_a_picture_go_by_the_list_or_by_what_is_read_surely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    listed, unnamed = cloth(), cloth()
    for image, cards in ((listed, ("5S", "8D")), (unnamed, ("3H", "9C"))):
        lay(image, cards[0], 140, 200, 5)
        lay(image, cards[1], 370, 300, 80)
    first, second = picture(tmp_path, "a.png", listed), picture(tmp_path, "b.png", unnamed)
    empty = picture(tmp_path, "c.png", cloth())
    Path("list.csv").write_text("image,card\na.png,5S\na.png,8D\n")
    assert main(["enrol", first, second, empty, "--list", "list.csv", "--out", "two.npz"]) == 1
    assert "c.png: no card read surely" in capsys.readouterr().out
    assert load_pack(Path("two.npz")).index_counts == {"3H": 2, "5S": 2, "8D": 2, "9C": 2}


def test_bad_input_is_one_line_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.npz").write_text("nothing")
    (tmp_path / "list.csv").write_text("image,card\na.png,1S\n")
    shown = picture(tmp_path, "AS.png", cloth())
    for arguments, words in (
        (["enrol", shown, "--out", str(tmp_path / "pack.npz")], "pack.npz: damaged"),
        (["enrol", shown, "--out", str(tmp_path / "n.npz"), "--list", str(tmp_path / "list.csv")], "line 2"),
        (["enrol", "--config", str(tmp_path / "no.toml")], "no.toml: can't be read"),
        (["enrol", "--cards", "14S"], f"--cards: {expects('expected.any_card', instead='14S')}"),
        (["detect", shown, "--pack", str(tmp_path / "no.npz")], "no.npz: can't be read"),
    ):
        assert main(arguments) == 2
        complaint = capsys.readouterr().err
        assert words in complaint
        assert complaint.count("\n") == 1


def shows(card: str) -> NDArray[np.uint8]:
    """The mark with one card of the table's own pack."""
    image = cloth()
    lay(image, card, 250, 260, 4)
    return image


@first_quick(
    ("name", "shown", "words"),
    [
        ("KH", "AS", "A♠"),
        ("KS", "AS", "A♠"),
        ("7H", "9H", "9♥"),
    ],
    ids=["other suit", "other letter", "other figure"],
)
def test_a_picture_that_surely_shows_another_card_than_its_name_says_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, shown: str, words: str
) -> None:
    """An ace of spades saved as KH.jpg made the true one read at .5."""
    wrong, right = picture(tmp_path, f"{name}.png", shows(shown)), picture(tmp_path, "3D.png", shows("3D"))
    out = tmp_path / "pack.npz"
    assert main(["enrol", wrong, right, "--out", str(out)]) == 1
    said = capsys.readouterr().out.splitlines()
    (line,) = [one for one in said if f"{name}.png" in one]
    assert f"shows {words} (" in line
    assert ", not " in line
    assert load_pack(out).index_counts == {"3D": 2}


def test_a_name_that_is_to_be_trusted_is_learned_whatever_is_read(tmp_path: Path) -> None:
    out = tmp_path / "pack.npz"
    assert main(["enrol", picture(tmp_path, "7H.png", shows("9H")), "--out", str(out), "--trust"]) == 0
    assert load_pack(out).index_counts == {"7H": 2}


def test_a_picture_without_a_card_teaches_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pack.npz"
    assert main(["enrol", picture(tmp_path, "AS.png", cloth()), "--out", str(out)]) == 1
    assert "not made out: A♠" in capsys.readouterr().out
    assert not out.exists()


# --- at the table -----------------------------------------------------------------------------------------

MIDDLE = 256.0
CAMERA = CameraConfig(
    size=(512, 512),
    homography=((PX_PER_MM, 0.0, MIDDLE), (0.0, PX_PER_MM, MIDDLE), (0.0, 0.0, 1.0)),
)


class Table:
    """A mark whose picture changes when a card is laid; 30 frames a second."""

    def __init__(self, cards: list[str]) -> None:
        self.enrolment = LiveEnrolment(CAMERA, ExampleCollector(Detector()), cards)
        self.image = cloth()
        self._count = 0

    def wait(self, seconds: float) -> list[EnrolmentStep]:
        said: list[EnrolmentStep] = []
        for _ in range(round(30 * seconds)):
            said += self.enrolment.see(Frame(self._count * 33 * MS, self.image.copy(), self._count))
            self._count += 1
        return said

    def hand(self) -> list[EnrolmentStep]:
        """Something moves over the mark."""
        kept = self.image.copy()
        said: list[EnrolmentStep] = []
        for step in range(4):
            self.image = kept.copy()
            self.image[100 * step : 100 * step + 200, 150:350] = (90, 130, 190)
            said += self.wait(1 / 30)
        self.image = kept
        return said


@pytest.mark.thorough
def test_card_after_card_is_learned_when_it_has_come_to_rest() -> None:
    table = Table(["JS", "QH", "KD"])
    assert not [said for said in table.wait(1) if said.learned]
    assert table.enrolment.requested_card == "JS"
    for name, spot in (("JS", (250, 260, 5)), ("QH", (270, 250, 60)), ("KD", (240, 255, 100))):
        assert not [said for said in table.hand() if said.learned]
        lay_odd(table.image, name, *spot)
        said = table.wait(6)
        assert said[-1].requested == name
        assert said[-1].learned
    assert table.enrolment.requested_card is None
    assert [shown.card for shown in table.enrolment.shown] == ["JS", "QH", "KD"]
    assert all(len(shown.corners) == 2 for shown in table.enrolment.shown)


def test_a_card_that_reads_as_another_is_asked_about_before_it_is_learned() -> None:
    table = Table(["4S"])
    table.wait(1)
    table.hand()
    lay(table.image, "5H", 250, 260, 10)
    (doubted,) = table.wait(2)
    assert not doubted.learned
    assert doubted.shown is not None
    assert doubted.shown.read == "5H"
    table.hand()
    table.image = cloth()
    lay(table.image, "4S", 240, 250, 10)
    said = table.wait(2)
    assert said[-1].learned
    assert table.enrolment.shown[0].read == "4S"


@first_quick(("learned_in", "light"), [(1.0, 0.8), (0.7, 1.0)])
def test_a_learned_card_in_another_light_is_not_the_next_card(learned_in: float, light: float) -> None:
    table = Table(["JS", "QH"])
    table.wait(1)
    table.hand()
    lay_odd(table.image, "JS", 250, 260, 5)
    card = table.image
    table.image = shade(card, learned_in)
    assert table.wait(6)[-1].learned
    table.image = shade(card, light)
    table.wait(6)  # a card that reads as another one is learned after 4 s
    assert table.enrolment.requested_card == "QH"
    table.hand()
    lay_odd(card, "QH", 250, 260, 5)
    table.image = shade(card, light)
    assert table.wait(6)[-1].learned


@pytest.mark.parametrize(("cards", "lay_card"), [(("AS", "2S"), lay), (("JS", "QS"), lay_odd)])
def test_a_learned_card_that_is_pushed_is_not_the_next_card(
    cards: tuple[str, str], lay_card: Callable[..., None]
) -> None:
    table = Table(list(cards))
    table.wait(1)
    table.hand()
    lay_card(table.image, cards[0], 250, 260, 5)
    assert table.wait(6)[-1].learned
    table.hand()
    table.image = cloth()
    lay_card(table.image, cards[0], 262, 255, 12)
    assert not table.wait(6), "nothing has been laid"
    table.hand()
    lay_card(table.image, cards[1], 255, 262, 8)
    assert table.wait(6)[-1].learned
    assert table.enrolment.requested_card is None


def shade(picture: NDArray[np.uint8], light: float) -> NDArray[np.uint8]:
    return np.asarray(np.clip(picture * light, 0, 255), np.uint8)
