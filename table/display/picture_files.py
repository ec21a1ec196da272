"""Write what the screen shows to files: a picture, a contact sheet of many small pictures, a film."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pygame

from table.config.settings import PLAIN_SCREEN, ScreenConfig
from table.display.drawing.boxes import Size
from table.display.drawing.colours import DIM, GROUND
from table.display.drawing.text_fitting import line_height, overhang, render_line, truncate_text
from table.display.view_picture import ScreenView, draw_canvas, visible_part
from table.errors import TableError, convert_errors
from table.files.atomic_writing import create_file, replace_file
from table.files.picture_and_video_reading import count_pictures
from table.files.silence_library_stderr import suppress_stderr
from table.i18n.phrase_rendering import renderer_for
from table.observed_facts import MS
from table.phrase import WrongValueError, make_phrase
from table.referee.model.view import View

TILE_PX = 480
"""The longer side of a tile, in pixels."""
_GAP = 14
"""Pixels between tiles."""
_CAPTION_HEIGHT = 20
"""The text height of the captions, in pixels."""
_MAX_WIDTH = 2000
"""The greatest width of a sheet, in pixels."""
FPS = 10
STEP_NS = 1_000 * MS // FPS
MAX_STILL_NS = 2_000 * MS
"""The longest time that an unchanged picture is shown, however long nothing changed."""
CODECS = {".webm": "VP80", ".mp4": "mp4v", ".mkv": "mp4v", ".avi": "mp4v"}
"""The codec for each file name ending that a film may have.

OpenCV's own FFmpeg writes them without a licence. Browsers and code hosts play the first. The others take less time.
"""


def save_view(view: ScreenView, path: Path | str, screen: ScreenConfig = PLAIN_SCREEN) -> None:
    """Draw ``view`` into a PNG file, without a display; raise ``TableError`` when that fails."""
    with convert_errors(WrongValueError, at=make_phrase("part.screen")):
        picture = draw_canvas(view, screen.size, screen).surface
    save_picture(picture, path)


def save_picture(picture: pygame.Surface, path: Path | str) -> None:
    """Write a surface to a PNG file, whatever the file's name; raise ``TableError`` when that fails."""
    data = io.BytesIO()
    pygame.image.save(picture, data, "picture.png")
    with convert_errors(OSError, "file.not_written_as", at=path, expected=make_phrase("expected.png")):
        replace_file(Path(path), data.getvalue())


def contact_sheet(tiles: Sequence[tuple[ScreenView, str]], screen: ScreenConfig) -> pygame.Surface:
    """Draw each view, scaled down, with its text as a caption, in rows in the language's reading direction."""
    size, rtl = screen.size, renderer_for(screen.language).catalogue.rtl
    scale = TILE_PX / max(size)
    tile = (round(size[0] * scale), round(size[1] * scale))
    step = (tile[0] + _GAP, tile[1] + line_height(_CAPTION_HEIGHT) + _GAP)
    columns = max(1, min(_MAX_WIDTH // step[0], len(tiles)))
    rows = max(1, -(-len(tiles) // columns))
    sheet = pygame.Surface((columns * step[0] + _GAP, rows * step[1] + _GAP), depth=32)
    sheet.fill(GROUND)
    for number, (view, caption_text) in enumerate(tiles):
        row, column = divmod(number, columns)
        left, top = _GAP + (columns - 1 - column if rtl else column) * step[0], _GAP + row * step[1]
        sheet.blit(pygame.transform.smoothscale(draw_canvas(view, size, screen).surface, tile), (left, top))
        text = truncate_text(caption_text, _CAPTION_HEIGHT, tile[0])
        caption = render_line(text, _CAPTION_HEIGHT, DIM, rtl=rtl, four=screen.four_colours)
        caption_left = left + tile[0] - caption.get_width() if rtl else left
        sheet.blit(caption, (caption_left, top + tile[1] + 2 - overhang(_CAPTION_HEIGHT)))
    return sheet


def save_film(views: Iterable[tuple[View, int]], path: Path, screen: ScreenConfig) -> float:
    """Write a film of views, each with its duration, in the codec that the file name asks for; return its seconds.

    No view is shown longer than :data:`MAX_STILL_NS`. The film's sides are even. An old film stays until the new one is
    complete. Raises ``TableError`` when it cannot be written.
    """
    import cv2  # loaded late: only a film needs it

    size: Size = (screen.size[0] // 2 * 2, screen.size[1] // 2 * 2)
    frames = 0
    with convert_errors((OSError, ValueError), "image.no_film", at=path, suffixes=tuple(CODECS)):
        if path.suffix.lower() not in CODECS or path.is_dir():
            raise ValueError
        temporary_path = path.with_name(f"{path.stem}.part{path.suffix}")
        create_file(temporary_path).close()
        with suppress_stderr():
            codec = cv2.VideoWriter.fourcc(*CODECS[path.suffix.lower()])
            writer = cv2.VideoWriter(str(temporary_path), cv2.CAP_FFMPEG, codec, FPS, size)
        if not writer.isOpened():
            temporary_path.unlink(missing_ok=True)
            raise ValueError
    try:
        for view, span_ns in views:
            drawn = pygame.surfarray.array3d(draw_canvas(view, size, screen).surface)
            picture = np.ascontiguousarray(drawn.swapaxes(0, 1)[..., ::-1])
            count = max(1, round(min(span_ns, MAX_STILL_NS) / STEP_NS))
            for _ in range(count):
                writer.write(picture)
            frames += count
        writer.release()
        if count_pictures(temporary_path) != frames:
            raise TableError("recording.pictures_lost", at=path)
        with convert_errors(OSError, "image.no_film", at=path, suffixes=tuple(CODECS)):
            temporary_path.replace(path)
    finally:
        writer.release()
        temporary_path.unlink(missing_ok=True)
    return frames / FPS


def view_durations(moments: Iterable[tuple[int, View]]) -> Iterator[tuple[View, int]]:
    """Yield each view whose picture differs from the last, with its duration; the last has :data:`MAX_STILL_NS`."""
    last: tuple[int, View, ScreenView] | None = None
    for now_ns, view in moments:
        visible = visible_part(view)
        if last is not None and visible != last[2]:
            yield last[1], now_ns - last[0]
        if last is None or visible != last[2]:
            last = now_ns, view, visible
    if last is not None:
        yield last[1], MAX_STILL_NS
