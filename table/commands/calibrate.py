"""``cardtable calibrate``: where the camera looks, from the printed mat or from cards."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table.commands.numbers import number
from table.config import MATS, RULER_RANGE, TableConfig, load_config
from table.errors import TableError
from table.facts import Image
from table.findings import Finding
from table.setup.calibration import Calibration, calibrate
from table.setup.mat import MARK_MM, RULER_MM, mat_of
from table.setup.picture import draw_found
from table.setup.tomlfile import set_keys
from table.sources.camera import Camera

FRAMES = 15
"""So many pictures of the camera or a film are looked at: half a second shows the mains' flicker."""
PICTURE = "calibration.png"


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    low, high = RULER_RANGE
    parser = subparsers.add_parser(
        "calibrate",
        help="find the mark and the scale from the printed mat",
        description="Find the mark and the scale from the printed mat, in the camera's picture or in a picture or film "
        "of it, and write them into table.toml, with a picture of what was found. Says what is wrong with camera and "
        "light, and what to do about it. Exit status 1 where anything is; what no table could be played with is not "
        "written. Print the mat first (--mat).",
    )
    parser.add_argument("source", metavar="IMAGE|VIDEO", nargs="?", type=Path, help="instead of the camera")
    parser.add_argument(
        "--config", metavar="FILE", type=Path, default=Path("table.toml"), help="default: table.toml"
    )
    parser.add_argument("--mat", metavar="FILE.pdf", type=Path, help="write the mat to print, and no more")
    parser.add_argument("--paper", choices=MATS, default="A4", help="the mat's paper (default: A4)")
    parser.add_argument(
        "--ruler",
        metavar="MM",
        type=number(lambda length: low <= length <= high, f"a length from {low:g} to {high:g} mm"),
        default=RULER_MM,
        help=f"what the mat's line of {RULER_MM:g} mm measures on your print, where the printer changed the size",
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, help=f"what was found (default: {PICTURE} beside table.toml)"
    )
    parser.add_argument("--check", action="store_true", help="only tell: table.toml stays as it is")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.mat is not None:
        return _print_mat(arguments.mat, arguments.paper)
    if not arguments.config.exists():
        raise TableError(f"{arguments.config}: missing: make one first (cardtable init)")
    config = load_config(arguments.config)
    frames = _frames(arguments.source, config)
    found = calibrate(frames, arguments.ruler)
    for finding in found.findings:
        print(finding.line(11), flush=True)
    _draw(arguments.picture or arguments.config.parent / PICTURE, frames[-1], found, config)
    if not found.usable:
        print(f"{arguments.config}: left as it was: put right what is a FAULT, and calibrate again")
    elif not arguments.check:
        keys = {
            "homography": found.homography,
            "mat": found.found.mat.paper,
            "mat_turn": round(found.found.turn_deg, 2),
            "mat_ruler": None if arguments.ruler == RULER_MM else arguments.ruler,
        }
        set_keys(arguments.config, "camera", keys)
        print(f"{arguments.config}: camera.homography is set")
    return 0 if all(finding.good for finding in found.findings) else 1


def _print_mat(path: Path, paper: str) -> int:
    # ReportLab takes a while to load, and no other command wants it.
    from table.setup.matpdf import write_mat

    mat = mat_of(paper)
    write_mat(mat, path)
    print(
        f"{path}: {mat.paper}, {mat.width:g} x {mat.height:g} mm, the mark {MARK_MM:g} mm across. Print it at 100 % "
        f"and measure the line of {RULER_MM:g} mm (another length: --ruler); lay it flat where cards are to be played."
    )
    return 0


def _draw(path: Path, image: Image, found: Calibration, config: TableConfig) -> None:
    faults = [_short(finding) for finding in found.findings if not finding.good]
    lines = [_short(found.findings[0]), *(text for text in faults if text != _short(found.findings[0]))]
    picture = draw_found(image, found.homography, found.found.corners, config.seats, lines)
    good, data = (
        cv2.imencode(path.suffix or ".png", picture) if path.suffix in ("", ".png", ".jpg") else (False, None)
    )
    if not good or data is None:
        raise TableError(f"{path}: expected a name that ends with .png or .jpg")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise TableError(
            f"{path}: can't be written ({error.strerror}): expected a place for a picture"
        ) from None
    print(f"{path}: what was found")


def _short(finding: Finding) -> str:
    return f"{finding.part}: {finding.text.split(':')[0]}"


# --- the pictures -----------------------------------------------------------------------------------------


def _frames(source: Path | None, config: TableConfig) -> Sequence[Image]:
    """Pictures of the size that ``table.toml`` says, at least one, the latest last."""
    if source is None:
        with Camera(config.camera) as camera:
            frames = [frame.image for frame in itertools.islice(camera, FRAMES)]
    else:
        frames = _read(source)
    if not frames:
        raise TableError(f"camera.source {config.camera.source!r} gives no pictures")
    height, width = frames[-1].shape[:2]
    if (width, height) != config.camera.size:
        wide, high = config.camera.size
        raise TableError(
            f"{source}: {width} x {height} pixels: expected {wide} x {high}, as camera.size in {config.path} says"
        )
    return frames


def _read(path: Path) -> list[Image]:
    try:
        data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise TableError(f"{path}: can't be read ({error.strerror}): expected a picture or a film") from None
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if image is not None:
        return [np.asarray(image, dtype=np.uint8)]
    film = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    frames: list[Image] = []
    while len(frames) < FRAMES and (got := film.read())[0]:
        frames.append(np.asarray(got[1], dtype=np.uint8))
    film.release()
    if not frames:
        raise TableError(f"{path}: neither a picture nor a film: expected a PNG, a JPEG, an MP4 or the like")
    return frames
