"""The mat as a PDF, by ReportLab."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import cv2
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from table.display.ink import ink
from table.display.text import fitted, line_height, overhang
from table.errors import TableError
from table.files.writing import replace_file
from table.phrase import say
from table.setup.mat import Box, Label, Mat, Ring, shapes
from table.words.render import Words

_POINT: float = 72 / 25.4
"""Points a millimetre."""
FINE: int = 24
"""Pixels a millimetre of what is written: finer than printers are (600 an inch)."""


def write_mat(mat: Mat, path: Path, words: Words) -> None:
    """Write the sheet as a PDF of one page in its paper's size; ``TableError`` where that can't be done.

    Its text is written as the screen writes it, in any script, and stands in the PDF as small pictures.
    """
    # Drawn in millimetres from the sheet's middle, y down; uncompressed, so that what is printed can be read in it.
    written = BytesIO()
    canvas = Canvas(
        written, pagesize=(mat.width * _POINT, mat.height * _POINT), pageCompression=0, invariant=1
    )
    canvas.setTitle(f"{words(say('mat.title'))}, {mat.paper}")
    canvas.setAuthor("cardtable")
    canvas.scale(_POINT, _POINT)
    canvas.translate(mat.width / 2, mat.height / 2)
    high = _letters(mat, words)
    for shape in shapes(mat):
        if isinstance(shape, Box):
            canvas.setFillGray(0 if shape.black else 1)
            canvas.rect(shape.x, -shape.y - shape.height, shape.width, shape.height, stroke=0, fill=1)
        elif isinstance(shape, Ring):
            canvas.setLineWidth(shape.line)
            canvas.circle(0, 0, shape.radius)
        else:
            _write(canvas, shape, words, high)
    canvas.showPage()
    canvas.save()
    try:
        replace_file(path, written.getvalue())
    except OSError as error:
        raise TableError("file.not_written_as", at=path, error=error, expected=say("expected.pdf")) from None


def _letters(mat: Mat, words: Words) -> int:
    """The height, in pixels, of the largest letters in which each line of the sheet fits its rectangle."""
    found = []
    for shape in shapes(mat):
        if isinstance(shape, Label):
            box = (int(shape.width * FINE), int(shape.height * FINE))
            largest = next(
                size for size in range(box[1], 0, -1) if line_height(size) + 2 * overhang(size) <= box[1]
            )
            found.append(fitted(words(shape.says), box, largest, largest // 2, 1, strong=True)[0])
    return min(found)


def _write(canvas: Canvas, label: Label, words: Words, high: int) -> None:
    """A line of text, at the side of its rectangle where it is begun to be read."""
    rtl = words.catalogue.rtl
    written = ink([words(label.says)], high, rtl=rtl)
    height, width = (pixels / FINE for pixels in written.shape)
    left = label.x + label.width - width if rtl else label.x
    picture = BytesIO(cv2.imencode(".png", 255 - written)[1].tobytes())
    canvas.drawImage(ImageReader(picture), left, -label.y - (label.height + height) / 2, width, height)
