"""The mat as a PDF, by ReportLab."""

from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from table.errors import TableError
from table.phrase import say
from table.setup.mat import Box, Mat, Ring, shapes

_POINT: float = 72 / 25.4
"""Points a millimetre."""


def write_mat(mat: Mat, path: Path) -> None:
    """Write the sheet as a PDF of one page in its paper's size; ``TableError`` where that can't be done."""
    # Drawn in millimetres from the sheet's middle, y down; uncompressed, so that what is printed can be read in it.
    canvas = Canvas(
        str(path), pagesize=(mat.width * _POINT, mat.height * _POINT), pageCompression=0, invariant=1
    )
    canvas.setTitle(f"Card table mat, {mat.paper}")
    canvas.setAuthor("cardtable")
    canvas.scale(_POINT, _POINT)
    canvas.translate(mat.width / 2, mat.height / 2)
    for shape in shapes(mat):
        if isinstance(shape, Box):
            canvas.setFillGray(0 if shape.black else 1)
            canvas.rect(shape.x, -shape.y - shape.height, shape.width, shape.height, stroke=0, fill=1)
        elif isinstance(shape, Ring):
            canvas.setLineWidth(shape.line)
            canvas.circle(0, 0, shape.radius)
        else:
            canvas.setFillGray(0)
            canvas.setFont("Helvetica", shape.size)
            canvas.drawString(shape.x, -shape.y, shape.text)
    canvas.showPage()
    try:
        canvas.save()
    except OSError as error:
        raise TableError("file.not_written_as", at=path, error=error, expected=say("expected.pdf")) from None
