"""Contact sheet of the filmed kinds: ``python -m tests.scenes.film.sheet --out sheet.png [--beside FILM...]``.

A row is a scene, eight pictures evenly over its time; FILM... are real films, one a row beneath them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from table.files.picture_and_video_reading import open_video, read_next_picture
from table.observed_facts import Image
from table.phrase import make_phrase
from tests.scenes.film.kinds import FILM_KINDS
from tests.scenes.kinds import scene

TILE: Final = (320, 220)
TILES: Final = 8


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("film.png"))
    parser.add_argument("--number", type=int, default=0, help="which scene of each kind (0)")
    parser.add_argument(
        "--kind", choices=list(FILM_KINDS), action="append", help="only this; may be repeated"
    )
    parser.add_argument("--beside", type=Path, nargs="*", default=[], metavar="FILM")
    options = parser.parse_args()
    rows = []
    for kind in options.kind or FILM_KINDS:
        source = scene("film-tuning", kind, options.number).source()
        frames = [delivery.frame.image for delivery in source.deliveries() if delivery.frame is not None]
        rows.append(_row(frames, kind))
    rows += [_row(_pictures(path), path.parent.name) for path in options.beside]
    cv2.imwrite(str(options.out), np.vstack(rows))


def _row(frames: Sequence[Image], title: str) -> Image:
    chosen = np.linspace(0.06, 0.88, TILES) * len(frames)
    row = np.hstack([cv2.resize(frames[int(place)], TILE) for place in chosen])
    cv2.putText(row, title, (6, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255), 1, cv2.LINE_AA)
    return np.asarray(row, np.uint8)


def _pictures(path: Path) -> list[Image]:
    video = open_video(path, make_phrase("expected.video"))
    assert video is not None, path
    pictures = []
    while (picture := read_next_picture(video)) is not None:
        pictures.append(picture)
    return pictures


if __name__ == "__main__":
    main()
