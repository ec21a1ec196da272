"""The open panel is drawn, and follows its player's taps."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from table.display.draw import draw
from table.phrase import Phrase, say
from table.referee.view import OpenPanel
from tests.referee.tabletop import TableTop

LINES = tuple(say("panel.name", name=f"Choice number {number} of the panel") for number in range(9))


@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("lines", [LINES[:1], LINES])
def test_the_marked_line_shows(size: tuple[int, int], lines: tuple[Phrase, ...]) -> None:
    view = TableTop(hands=[3]).referee.view(0)
    pictures = [
        pygame.image.tobytes(draw(replace(view, panel=OpenPanel("Ada", lines, at)), size), "RGB")
        for at in range(len(lines))
    ]
    assert len(set(pictures)) == len(lines), "each choice looks different"
    assert pygame.image.tobytes(draw(view, size), "RGB") not in pictures
