"""``cardtable calibrate``: where the camera looks, from the printed mat or from cards."""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from table.commands.arguments import about, checked, number, set_up_file, usage
from table.commands.play import ended_by_signals
from table.config import MATS, RULER_RANGE, Matrix, TableConfig, load_config
from table.errors import TableError
from table.facts import Image
from table.files.films import next_picture, open_film
from table.files.headers import kind_of_picture
from table.files.pictures import MOST_BYTES, decoded, why_undecoded
from table.files.reading import read_head
from table.files.writing import replace_file
from table.host.busy import check_free
from table.phrase import dimensions, expected, say
from table.reader.detector import Detector
from table.setup.aim import AimScreen, aimed
from table.setup.bycards import PLACES, calibrate_by_cards, cards_in
from table.setup.calibration import calibrate
from table.setup.findings import Finding
from table.setup.mat import MARK_MM, RULER_MM, mat_of
from table.setup.picture import draw_found
from table.setup.seats import SeatFinder
from table.setup.tomlfile import Value, set_angles, set_keys
from table.setup.view import fault, measure, sentence
from table.sight.geometry import CARD_MM, Points
from table.sources.camera import Camera
from table.sources.live import open_live, with_pictures
from table.words.spoken import ask, put, spoken, tell

FRAMES = 15
"""So many pictures of the camera or a film are looked at: half a second shows the mains' flicker."""
PICTURE = "calibration.png"


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    low, high = RULER_RANGE
    parser = subparsers.add_parser("calibrate", **about("calibrate"))
    parser.add_argument(
        "source", metavar="IMAGE|VIDEO", nargs="*", type=Path, help=usage("usage.calibrate_source")
    )
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help=usage("usage.config")
    )
    parser.add_argument("--mat", metavar="FILE.pdf", type=Path, help=usage("usage.calibrate_mat"))
    parser.add_argument("--paper", choices=MATS, default="A4", help=usage("usage.calibrate_paper"))
    parser.add_argument(
        "--ruler",
        metavar="MM",
        type=number(low, high),
        default=RULER_MM,
        help=usage("usage.calibrate_ruler", mm=RULER_MM),
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, help=usage("usage.calibrate_picture", usual=PICTURE)
    )
    parser.add_argument(
        "--cards",
        action="store_true",
        help=usage("usage.calibrate_cards", places=PLACES - 1),
    )
    parser.add_argument(
        "--card-size",
        metavar="WxH",
        type=checked(_card_size),
        default=CARD_MM,
        help=usage("usage.calibrate_card_size", width=CARD_MM[0], height=CARD_MM[1]),
    )
    parser.add_argument(
        "--aim",
        action="store_true",
        help=usage("usage.calibrate_aim"),
    )
    parser.add_argument(
        "--seats",
        action="store_true",
        help=usage("usage.calibrate_seats"),
    )
    parser.add_argument("--window", action="store_true", help=usage("usage.calibrate_window"))
    parser.add_argument("--check", action="store_true", help=usage("usage.calibrate_check"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.mat is not None:
        return _print_mat(arguments.mat, arguments.paper)
    config = load_config(set_up_file(arguments.config), menu=True)
    if arguments.seats:
        if not config.seats:
            raise TableError(expected("expected.places", at=(arguments.config, "seat")))
        return _seats(config)
    if arguments.aim:
        return _aim(config, arguments.ruler, fullscreen=not arguments.window)
    result = _by_cards(arguments, config) if arguments.cards else _by_mat(arguments, config)
    for finding in result.findings:
        put(finding.line())
    _draw(arguments.picture or arguments.config.parent / PICTURE, result, config)
    if not result.usable:
        tell("calibrate.left", path=str(arguments.config))
    elif not arguments.check:
        set_keys(arguments.config, "camera", {"homography": result.homography, **result.keys})
        tell("calibrate.set", path=str(arguments.config))
    return 0 if all(finding.good for finding in result.findings) else 1


def _seats(config: TableConfig) -> int:
    """Until everybody has rapped with a hand over the mark; then their angles are written."""
    finder = SeatFinder(config)
    angles: dict[str, float] = {}
    check_free()
    table = open_live(config)
    asked = False
    tell("calibrate.clear")
    with ended_by_signals(table.stop):
        for delivery in with_pictures(table.deliveries()):
            heard = finder.see(delivery)
            if finder.ready and not asked:
                asked = True
                tell("calibrate.hold")
            for one in heard:
                if one.angle is None:
                    tell("calibrate.no_arm", seat=one.seat)
                else:
                    angles[one.seat] = one.angle
                    tell("calibrate.sits", seat=one.seat, angle=one.angle)
            if len(angles) == len(config.seats):
                break
    missing = [name for name in config.names if name not in angles]
    if missing:
        tell("calibrate.not_heard", path=str(config.path), seats=tuple(missing))
        return 1
    assert config.path is not None
    set_angles(config.path, angles)
    tell("calibrate.seats_set", path=str(config.path))
    return 0


def _aim(config: TableConfig, ruler_mm: float, *, fullscreen: bool) -> int:
    """The live picture until somebody ends it, or the film does; always the latest, older ones are left out."""
    check_free()
    with (
        AimScreen(config.screen.size, fullscreen=fullscreen, turned=config.screen.turned) as screen,
        Camera(config.camera, kept=1) as camera,
    ):
        for frame in camera:
            screen.show_picture(aimed(frame.image, config.camera.homography, config.seats, ruler_mm))
            if screen.quits():
                break
    return 0


@dataclass(frozen=True, slots=True)
class _Result:
    """What either way of calibrating comes to."""

    image: Image
    homography: Matrix
    corners: Points
    """Of the quadrilaterals that were found, 4 N x 2 pixels of the image."""
    findings: tuple[Finding, ...]
    usable: bool
    keys: Mapping[str, Value | None]
    """What else stands in table.toml about it."""


def _by_mat(arguments: argparse.Namespace, config: TableConfig) -> _Result:
    if len(arguments.source) > 1:
        raise TableError(expected("expected.one_picture"))
    frames = _frames(arguments.source[0] if arguments.source else None, config)
    found = calibrate(frames, arguments.ruler)
    keys = {
        "mat": found.found.mat.paper,
        "mat_turn": round(found.found.turn_deg, 2),
        "mat_ruler": None if arguments.ruler == RULER_MM else arguments.ruler,
    }
    return _Result(frames[-1], found.homography, found.found.corners, found.findings, found.usable, keys)


def _by_cards(arguments: argparse.Namespace, config: TableConfig) -> _Result:
    detector = Detector(courts=config.camera.courts)
    if arguments.source:
        images = [_frames(source, config)[-1] for source in arguments.source]
        quads = [quad for image in images for quad in cards_in(image, detector)]
    else:
        images, quads = _laid(config, detector)
    found = calibrate_by_cards(quads, arguments.card_size)
    view = measure(found.homography, config.camera.size)
    wrong = fault(view)
    findings = (
        Finding("cards", True, say("calibrate.places", n=len(quads), off=found.residual_mm)),
        Finding("view", wrong is None, wrong or sentence(view)),
    )
    keys = {"mat": None, "mat_turn": None, "mat_ruler": None}
    return _Result(images[-1], found.homography, found.corners, findings, wrong is None, keys)


def _laid(config: TableConfig, detector: Detector) -> tuple[list[Image], list[Points]]:
    """One card, laid on the mark and then at other places, somebody at the terminal saying when."""
    if not sys.stdin.isatty():
        raise TableError(expected("expected.pictures_or_terminal", at="--cards", places=PLACES))
    images: list[Image] = []
    quads: list[Points] = []
    check_free()
    with Camera(config.camera) as camera:
        while len(quads) < PLACES:
            try:
                ask(say("calibrate.lay_elsewhere" if quads else "calibrate.lay"))
            except EOFError:
                raise TableError("calibrate.nobody", at="--cards") from None
            image = _latest(camera)
            found = cards_in(image, detector)
            if len(found) != 1:
                tell("calibrate.cards_seen", n=len(found))
                continue
            images.append(image)
            quads.append(found[0])
    return images, quads


def _latest(camera: Camera) -> Image:
    """A picture that was taken after now: those that wait are older."""
    asked_ns = time.monotonic_ns()
    for frame in camera:
        if frame.t_ns >= asked_ns:
            return frame.image
    raise TableError("calibrate.film_over")


def _print_mat(path: Path, paper: str) -> int:
    # ReportLab takes a while to load, and no other command wants it.
    from table.setup.matpdf import write_mat

    mat = mat_of(paper)
    write_mat(mat, path, spoken())
    tell(
        "calibrate.mat",
        path=str(path),
        paper=mat.paper,
        width=mat.width,
        height=mat.height,
        mark=MARK_MM,
        ruler=RULER_MM,
    )
    return 0


def _draw(path: Path, found: _Result, config: TableConfig) -> None:
    first, *rest = found.findings
    lines = [_short(first), *(_short(finding) for finding in rest if not finding.good)]
    picture = draw_found(
        found.image, found.homography, found.corners, config.seats, lines, rtl=spoken().catalogue.rtl
    )
    good, data = (
        cv2.imencode(path.suffix or ".png", picture) if path.suffix in ("", ".png", ".jpg") else (False, None)
    )
    if not good or data is None:
        raise TableError(expected("expected.png_or_jpg", at=path))
    try:
        replace_file(path, data.tobytes())
    except OSError as error:
        wanted = say("expected.picture_place")
        raise TableError("file.not_written_as", at=path, error=error, expected=wanted) from None
    tell("calibrate.picture", path=str(path))


def _short(finding: Finding) -> str:
    return f"{finding.name}: {finding.text.split(':')[0]}"


def _card_size(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"(\d{2,3}(?:\.\d+)?)x(\d{2,3}(?:\.\d+)?)", text)
    if match is None or not 0.5 < float(match[1]) / float(match[2]) < 0.85:
        raise expected("expected.card_size", instead=text)
    return float(match[1]), float(match[2])


# --- the pictures -----------------------------------------------------------------------------------------


def _frames(source: Path | None, config: TableConfig) -> Sequence[Image]:
    """Pictures of the size that ``table.toml`` says, at least one, the latest last."""
    if source is None:
        check_free()
        with Camera(config.camera) as camera:
            frames = [frame.image for frame in itertools.islice(camera, FRAMES)]
    else:
        frames = _read(source)
    if not frames:
        raise TableError("source.no_pictures", source=config.camera.shown)
    height, width = frames[-1].shape[:2]
    if (width, height) != config.camera.size:
        size, wanted = dimensions((width, height)), dimensions(config.camera.size)
        raise TableError("calibrate.other_size", at=str(source), size=size, expected=wanted, path=config.path)
    return frames


def _read(path: Path) -> list[Image]:
    wanted = say("expected.picture_or_film")
    data = read_head(path, wanted, MOST_BYTES)
    image = decoded(data)
    if image is not None:
        return [image]
    if kind_of_picture(data[:64]) is not None:
        raise TableError(why_undecoded(data), at=path)
    film = open_film(path, wanted)
    frames: list[Image] = []
    if film is not None:
        while len(frames) < FRAMES and (frame := next_picture(film)) is not None:
            frames.append(frame)
        film.release()
    if not frames:
        raise TableError("calibrate.no_picture", at=path)
    return frames
