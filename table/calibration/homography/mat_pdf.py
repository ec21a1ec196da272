"""Writes the mat as a PDF with ReportLab."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import cv2
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from table.calibration.homography.mat_design import Box, Circle, Label, Mat, printed_shapes
from table.display.drawing.text_fitting import fit_text, line_height, overhang
from table.display.drawing.text_on_image import render_text_mask
from table.errors import convert_errors
from table.files.atomic_writing import replace_file
from table.i18n.phrase_rendering import PhraseRenderer
from table.phrase import make_phrase

_POINTS_PER_MM: float = 72 / 25.4
TEXT_PX_PER_MM: int = 24
"""Resolution of the text in pixels a millimetre: finer than printers are (600 an inch)."""


def write_mat(mat: Mat, path: Path, render: PhraseRenderer) -> None:
    """Write the sheet as a one-page PDF, its text (of any script) as pictures; raise `TableError` if that fails."""
    # Drawn in millimetres from the sheet's middle, y down; uncompressed, so that the printed content can be read.
    pdf = BytesIO()
    canvas = Canvas(
        pdf,
        pagesize=(mat.width * _POINTS_PER_MM, mat.height * _POINTS_PER_MM),
        pageCompression=0,
        invariant=1,
    )
    canvas.setTitle(f"{render(make_phrase('mat.title'))}, {mat.paper}")
    canvas.setAuthor("cardtable")
    canvas.scale(_POINTS_PER_MM, _POINTS_PER_MM)
    canvas.translate(mat.width / 2, mat.height / 2)
    text_height = _text_height_px(mat, render)
    for shape in printed_shapes(mat):
        if isinstance(shape, Box):
            canvas.setFillGray(0 if shape.black else 1)
            canvas.rect(shape.x, -shape.y - shape.height, shape.width, shape.height, stroke=0, fill=1)
        elif isinstance(shape, Circle):
            canvas.setLineWidth(shape.line)
            canvas.circle(0, 0, shape.radius)
        else:
            _draw_label(canvas, shape, render, text_height)
    canvas.showPage()
    canvas.save()
    with convert_errors(OSError, "file.not_written_as", at=path, expected=make_phrase("expected.pdf")):
        replace_file(path, pdf.getvalue())


def _text_height_px(mat: Mat, render: PhraseRenderer) -> int:
    """Return the largest text height, in pixels, at which each line of the sheet fits its rectangle."""
    heights = []
    for shape in printed_shapes(mat):
        if isinstance(shape, Label):
            box = (int(shape.width * TEXT_PX_PER_MM), int(shape.height * TEXT_PX_PER_MM))
            largest = next(
                size for size in range(box[1], 0, -1) if line_height(size) + 2 * overhang(size) <= box[1]
            )
            heights.append(fit_text(render(shape.text), box, largest, largest // 2, 1, strong=True)[0])
    return min(heights)


def _draw_label(canvas: Canvas, label: Label, render: PhraseRenderer, text_height: int) -> None:
    """Draw a line of text from the side of its rectangle at which reading begins."""
    rtl = render.catalogue.rtl
    mask = render_text_mask([render(label.text)], text_height, rtl=rtl)
    height, width = (pixels / TEXT_PX_PER_MM for pixels in mask.shape)
    left = label.x + label.width - width if rtl else label.x
    picture = BytesIO(cv2.imencode(".png", 255 - mask)[1].tobytes())
    canvas.drawImage(ImageReader(picture), left, -label.y - (label.height + height) / 2, width, height)
