"""``cardtable calibrate``: finds the camera's homography from the printed mat or from cards, and the seats' angles."""

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
import numpy as np

from table.calibration.calibration_picture import AimScreen, draw_aiming_view, draw_calibration
from table.calibration.homography.calibrate_from_cards import PLACES, calibrate_by_cards, find_card_outlines
from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.calibration.homography.check_findings import Finding
from table.calibration.homography.homography_checks import check_view, measure_view
from table.calibration.homography.mat_design import MARK_MM, RULER_MM, mat_for_paper
from table.calibration.seat_directions_from_raps import SeatFinder
from table.commands.arguments import (
    add_command,
    add_config_option,
    checked_type,
    number_type,
    require_config_file,
)
from table.commands.play import stop_on_signals
from table.config.settings import MATS, RULER_RANGE, Matrix, TableConfig, load_config
from table.config.toml_edit import Value, set_keys, set_seat_angles
from table.detection.detector import Detector
from table.errors import TableError, convert_errors
from table.files.atomic_writing import replace_file
from table.files.picture_and_video_reading import (
    MOST_BYTES,
    decode_picture,
    explain_undecodable,
    open_video,
    picture_kind,
    read_next_picture,
)
from table.files.safe_reading import read_head
from table.i18n.terminal_output import ask, print_line, print_phrase, terminal_renderer
from table.observed_facts import Image
from table.phrase import expected_error, make_phrase, size_phrase
from table.session.devices_in_use_check import require_free_devices
from table.sources.camera.live_camera import LiveCamera
from table.sources.live_table import open_live, require_frames
from table.table_geometry import CARD_MM, Points

FRAMES = 15
"""The number of pictures of the camera or a film that are used: half a second shows the mains' flicker."""
PICTURE = "calibration.png"


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "calibrate", run)
    parser.add_argument("source", metavar="IMAGE|VIDEO", nargs="*", type=Path)
    add_config_option(parser)
    parser.add_argument("--mat", metavar="FILE.pdf", type=Path)
    parser.add_argument("--paper", choices=MATS, default="A4")
    ruler, print_mm = number_type(*RULER_RANGE), {"mm": RULER_MM}
    parser.add_argument("--ruler", metavar="MM", type=ruler, default=RULER_MM, fields=print_mm)
    parser.add_argument("--picture", metavar="FILE", type=Path, fields={"usual": PICTURE})
    parser.add_argument("--cards", action="store_true", fields={"places": PLACES - 1})
    card_size, poker = checked_type(_parse_card_size), {"width": CARD_MM[0], "height": CARD_MM[1]}
    parser.add_argument("--card-size", metavar="WxH", type=card_size, default=CARD_MM, fields=poker)
    parser.add_argument("--aim", action="store_true")
    parser.add_argument("--seats", action="store_true")
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--check", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Calibrate, or print the mat, aim the camera or find the seats; return 1 where a finding is bad."""
    if arguments.mat is not None:
        return _print_mat(arguments.mat, arguments.paper)
    config = load_config(require_config_file(arguments.config), menu=True)
    if arguments.seats:
        if not config.seats:
            raise TableError(expected_error("expected.places", at=(arguments.config, "seat")))
        return _find_seats(config)
    if arguments.aim:
        return _run_aim_screen(config, arguments.ruler, fullscreen=not arguments.window)
    result = (
        _calibrate_by_cards(arguments, config) if arguments.cards else _calibrate_by_mat(arguments, config)
    )
    for finding in result.findings:
        print_line(finding.format_line())
    _save_picture(arguments.picture or arguments.config.parent / PICTURE, result, config)
    if not result.usable:
        print_phrase("calibrate.left", path=str(arguments.config))
    elif not arguments.check:
        set_keys(arguments.config, "camera", result.keys)
        print_phrase("calibrate.set", path=str(arguments.config))
    return 0 if all(finding.good for finding in result.findings) else 1


def _find_seats(config: TableConfig) -> int:
    """Find the seats' angles: everybody raps with a hand over the mark; then write the angles to table.toml."""
    finder = SeatFinder(config)
    angles: dict[str, float] = {}
    require_free_devices()
    table = open_live(config)
    asked_to_hold = False
    print_phrase("calibrate.clear")
    with stop_on_signals(table.stop):
        for delivery in require_frames(table.deliveries()):
            raps = finder.process(delivery)
            if finder.ready and not asked_to_hold:
                asked_to_hold = True
                print_phrase("calibrate.hold")
            for seat, angle in raps:
                if angle is None:
                    print_phrase("calibrate.no_arm", seat=seat)
                else:
                    angles[seat] = angle
                    print_phrase("calibrate.sits", seat=seat, angle=angle)
            if len(angles) == len(config.seats):
                break
    missing = [name for name in config.names if name not in angles]
    if missing:
        print_phrase("calibrate.not_heard", path=str(config.path), seats=tuple(missing))
        return 1
    assert config.path is not None
    set_seat_angles(config.path, angles)
    print_phrase("calibrate.seats_set", path=str(config.path))
    return 0


def _run_aim_screen(config: TableConfig, ruler_mm: float, *, fullscreen: bool) -> int:
    """Show the latest live picture with the overlay, until the user quits or the film ends."""
    require_free_devices()
    with (
        AimScreen(config.screen, fullscreen=fullscreen) as screen,
        LiveCamera(config.camera, kept=1) as camera,
    ):
        for frame in camera:
            screen.show_picture(
                draw_aiming_view(frame.image, config.camera.homography, config.seats, ruler_mm)
            )
            if screen.quits():
                break
    return 0


@dataclass(frozen=True, slots=True)
class _Result:
    image: Image
    corners: Points
    """The corners of the detected quadrilaterals, 4 N x 2 pixels of the image."""
    findings: tuple[Finding, ...]
    usable: bool
    homography: Matrix
    keys: Mapping[str, Value | None]
    """The values for ``table.toml``."""


def _calibrate_by_mat(arguments: argparse.Namespace, config: TableConfig) -> _Result:
    if len(arguments.source) > 1:
        raise TableError(expected_error("expected.one_picture"))
    frames = _get_frames(arguments.source[0] if arguments.source else None, config)
    found = calibrate_from_mat(frames, arguments.ruler)
    ruler = None if arguments.ruler == RULER_MM else arguments.ruler
    keys = {**found.keys, "mat_ruler": ruler}
    return _Result(frames[-1], found.mat.corners, found.findings, found.usable, found.homography, keys)


def _calibrate_by_cards(arguments: argparse.Namespace, config: TableConfig) -> _Result:
    detector = Detector(courts=config.camera.courts)
    if arguments.source:
        images = [_get_frames(source, config)[-1] for source in arguments.source]
        quads = [quad for image in images for quad in find_card_outlines(image, detector)]
    else:
        images, quads = _photograph_cards(config, detector)
    homography, residual_mm = calibrate_by_cards(quads, arguments.card_size)
    view_finding = check_view(measure_view(homography, config.camera.size))
    places = make_phrase("calibrate.places", n=len(quads), off=residual_mm)
    findings = (Finding("cards", True, places), view_finding)
    keys = {"homography": homography, "mat": None, "mat_turn": None, "mat_ruler": None}
    return _Result(images[-1], np.concatenate(quads), findings, view_finding.good, homography, keys)


def _photograph_cards(config: TableConfig, detector: Detector) -> tuple[list[Image], list[Points]]:
    """Take pictures of one card, on the mark and then at other places; the user says at the terminal when."""
    if not sys.stdin.isatty():
        raise TableError(expected_error("expected.pictures_or_terminal", at="--cards", places=PLACES))
    images: list[Image] = []
    quads: list[Points] = []
    require_free_devices()
    with LiveCamera(config.camera) as camera:
        while len(quads) < PLACES:
            try:
                ask(make_phrase("calibrate.lay_elsewhere" if quads else "calibrate.lay"))
            except EOFError:
                raise TableError("calibrate.nobody", at="--cards") from None
            image = _take_picture(camera)
            quads_in_image = find_card_outlines(image, detector)
            if len(quads_in_image) != 1:
                print_phrase("calibrate.cards_seen", n=len(quads_in_image))
                continue
            images.append(image)
            quads.append(quads_in_image[0])
    return images, quads


def _take_picture(camera: LiveCamera) -> Image:
    """Return a picture taken after this call: those in the queue are older."""
    asked_ns = time.monotonic_ns()
    for frame in camera:
        if frame.t_ns >= asked_ns:
            return frame.image
    raise TableError("calibrate.film_over")


def _print_mat(path: Path, paper: str) -> int:
    # ReportLab takes a while to load, and no other command wants it.
    from table.calibration.homography.mat_pdf import write_mat

    mat = mat_for_paper(paper)
    write_mat(mat, path, terminal_renderer())
    sizes = {"width": mat.width, "height": mat.height, "mark": MARK_MM, "ruler": RULER_MM}
    print_phrase("calibrate.mat", path=str(path), paper=mat.paper, **sizes)
    return 0


def _save_picture(path: Path, result: _Result, config: TableConfig) -> None:
    first, *rest = result.findings
    lines = [_short_text(first), *(_short_text(finding) for finding in rest if not finding.good)]
    picture = draw_calibration(result.image, result.homography, result.corners, config.seats, lines)
    if path.suffix not in ("", ".png", ".jpg"):
        raise TableError(expected_error("expected.png_or_jpg", at=path))
    data = cv2.imencode(path.suffix or ".png", picture)[1]
    with convert_errors(
        OSError, "file.not_written_as", at=path, expected=make_phrase("expected.picture_place")
    ):
        replace_file(path, data.tobytes())
    print_phrase("calibrate.picture", path=str(path))


def _short_text(finding: Finding) -> str:
    return f"{finding.name}: {finding.text.split(':')[0]}"


def _parse_card_size(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"(\d{2,3}(?:\.\d+)?)x(\d{2,3}(?:\.\d+)?)", text)
    if match is None or not 0.5 < float(match[1]) / float(match[2]) < 0.85:
        raise expected_error("expected.card_size", instead=text)
    return float(match[1]), float(match[2])


# --- the pictures -----------------------------------------------------------------------------------------


def _get_frames(source: Path | None, config: TableConfig) -> Sequence[Image]:
    """Return pictures of the size that ``table.toml`` says, at least one, the latest last."""
    if source is None:
        require_free_devices()
        with LiveCamera(config.camera) as camera:
            frames = [frame.image for frame in itertools.islice(camera, FRAMES)]
    else:
        frames = _read_frames(source)
    if not frames:
        raise TableError("source.no_pictures", source=config.camera.source_without_password)
    height, width = frames[-1].shape[:2]
    if (width, height) != config.camera.size:
        size, wanted = size_phrase((width, height)), size_phrase(config.camera.size)
        raise TableError("calibrate.other_size", at=str(source), size=size, expected=wanted, path=config.path)
    return frames


def _read_frames(path: Path) -> list[Image]:
    wanted = make_phrase("expected.picture_or_film")
    data = read_head(path, wanted, MOST_BYTES)
    image = decode_picture(data)
    if image is not None:
        return [image]
    if picture_kind(data[:64]) is not None:
        raise TableError(explain_undecodable(data), at=path)
    film = open_video(path, wanted)
    frames: list[Image] = []
    if film is not None:
        while len(frames) < FRAMES and (frame := read_next_picture(film)) is not None:
            frames.append(frame)
        film.release()
    if not frames:
        raise TableError("calibrate.no_picture", at=path)
    return frames
