"""Photographs of the printed mat, made in the test: the PDF's own rectangles, seen by a camera that is known."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.mat_design import Paper, mat_for_paper
from table.calibration.homography.mat_pdf import write_mat
from table.i18n.phrase_rendering import PhraseRenderer, renderer_for
from table.observed_facts import Image

SIZE = (1280, 720)
PX_PER_MM = 8.0
CLOTH = (62, 104, 40)
_FILL = re.compile(r"^(?:n )?([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re f\*?$|^([01]) g$")


@cache
def printed(paper: Paper) -> NDArray[np.uint8]:
    """The sheet as its PDF says, grey, ``PX_PER_MM``; read from the PDF's drawing commands (rectangles only)."""
    mat = mat_for_paper(paper)
    text = page(paper, renderer_for())
    points = 72 / 25.4
    scale, _, _, _, across, up = next(_placed(text))
    assert abs(scale - points) < 1e-4
    assert abs(across - mat.width / 2 * points) < 1e-3
    assert abs(up - mat.height / 2 * points) < 1e-3
    sheet = np.full((round(mat.height * PX_PER_MM), round(mat.width * PX_PER_MM)), 255, np.uint8)
    grey = 0
    for line in text.splitlines():
        found = _FILL.match(line.strip())
        if found is None:
            continue
        if found[5]:
            grey = 255 * int(found[5])
            continue
        x, y, width, height = (float(part) for part in found.groups()[:4])
        left, right = (round((edge + mat.width / 2) * PX_PER_MM) for edge in (x, x + width))
        top, bottom = (round((mat.height / 2 - edge) * PX_PER_MM) for edge in (y + height, y))
        sheet[top:bottom, left:right] = grey
    assert (sheet == 0).mean() > 0.03
    return sheet


def page(paper: Paper, words: PhraseRenderer) -> str:
    """The sheet's PDF, byte for byte."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mat.pdf"
        write_mat(mat_for_paper(paper), path, words)
        return path.read_bytes().decode("latin-1")


def _placed(pdf: str) -> Iterator[tuple[float, ...]]:
    """How each thing is placed, the page first: scale across, two zeros, scale up, left, bottom."""
    for line in re.findall(r"^(.*) cm$", pdf, re.MULTILINE):
        yield tuple(map(float, line.split()))


@dataclass(frozen=True)
class Written:
    """A picture in a PDF: where it stands in mm from the sheet's middle, y down, and how black it is."""

    left: float
    top: float
    width: float
    height: float
    ink: NDArray[np.uint8]


def written(pdf: str) -> list[Written]:
    """The pictures on a page, none twice."""
    streams = re.findall(r"/Height (\d+).*?/Width (\d+)\s*>>\s*stream\s(.*?)endstream", pdf, re.DOTALL)
    found = []
    for (rows, columns, data), place in zip(streams, list(_placed(pdf))[1:], strict=True):
        across, _, _, up, left, bottom = place
        levels = np.frombuffer(
            zlib.decompress(base64.a85decode(data.strip().removesuffix("~>").encode())), np.uint8
        )
        ink = 255 - levels.reshape(int(rows), int(columns))
        found.append(Written(left, -bottom - up, across, up, ink))
    return found


@dataclass(frozen=True)
class Shot:
    """How the camera stands and what it does to the picture."""

    paper: Paper = "A4"
    size: tuple[int, int] = SIZE
    scale: float = 1.8
    """Pixels a millimetre at the mark."""
    turn: float = 0.0
    """Degrees by which the mat lies turned clockwise."""
    tilt: tuple[float, float] = (0.0, 0.0)
    middle: tuple[float, float] = (640.0, 360.0)
    blur: float = 0.6
    noise: float = 2.0
    white: float = 205.0
    black: float = 28.0
    seed: int = 1

    @property
    def homography(self) -> NDArray[np.float64]:
        """Millimetres on the mat to pixels."""
        turn = np.radians(self.turn)
        cos, sin = np.cos(turn) * self.scale, np.sin(turn) * self.scale
        x, y = self.middle
        p, q = self.tilt
        return np.array([[cos + x * p, -sin + x * q, x], [sin + y * p, cos + y * q, y], [p, q, 1.0]])


def photograph(shot: Shot) -> Image:
    """The mat on a cloth, as the camera of ``shot`` sees it, its noise by the seed."""
    noise = np.random.default_rng(shot.seed).standard_normal((shot.size[1], shot.size[0], 3), np.float32)
    picture = _clean(replace(shot, seed=0)) + noise * shot.noise
    return np.asarray(np.clip(np.rint(picture), 0, 255), dtype=np.uint8)


@lru_cache(maxsize=8)
def _clean(shot: Shot) -> NDArray[np.float32]:
    """Without noise: drawn twice as fine, then averaged and blurred."""
    sheet = printed(shot.paper).astype(np.float32) / 255
    mat = mat_for_paper(shot.paper)
    fine = 2
    # A pixel's middle is a whole number: the sheet's first one lies half a pixel inside its edge.
    to_mm = np.array(
        [
            [1 / PX_PER_MM, 0, (0.5 / PX_PER_MM) - mat.width / 2],
            [0, 1 / PX_PER_MM, (0.5 / PX_PER_MM) - mat.height / 2],
            [0, 0, 1],
        ]
    )
    to_fine = np.array([[fine, 0, (fine - 1) / 2], [0, fine, (fine - 1) / 2], [0, 0, 1]])
    warp = to_fine @ shot.homography @ to_mm
    size = (shot.size[0] * fine, shot.size[1] * fine)
    # The sheet is finer than the picture: averaged first, as a lens would.
    soft = cv2.GaussianBlur(sheet, (0, 0), 0.45 * PX_PER_MM / (shot.scale * fine))
    paper = cv2.warpPerspective(soft, warp, size, flags=cv2.INTER_LINEAR, borderValue=-1.0)
    inside = cv2.warpPerspective(np.ones_like(sheet), warp, size, flags=cv2.INTER_LINEAR)
    light = shot.black + np.clip(paper, 0, 1) * (shot.white - shot.black)
    cloth = np.array(CLOTH, np.float32)
    picture = light[..., None] * inside[..., None] + cloth * (1 - inside[..., None])
    picture = cv2.resize(picture, shot.size, interpolation=cv2.INTER_AREA)
    if shot.blur:
        picture = cv2.GaussianBlur(picture, (0, 0), shot.blur)
    return np.asarray(picture, dtype=np.float32)
