"""The result of a game as a QR code (ISO/IEC 18004) for phones: it holds short text, and no address."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pygame

from table.display.drawing.boxes import centred, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, EDGE, INK, PANEL_DEEP, PAPER, TEXT
from table.events.event_registry import line_sentence
from table.games.engine.dealing_and_scoring import ranking
from table.phrase import make_phrase
from table.referee.model.view import View

_QUIET_ZONE = 4
"""The light border that readers need, in modules (the standard's least)."""
_MIN_MODULE_PX = 3
"""With smaller modules a phone has to come too near to the screen."""


def draw_result_code(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the code, and beside it the text that it holds."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    text = result_text(canvas, view)
    room, rest = _split(canvas, box)
    code = _draw_modules(_encode(text))
    scale = min(room.size) // code.get_width()
    code = pygame.transform.scale_by(code, scale)
    with canvas.unmirrored(centred(code.get_size(), room.center)) as place:
        canvas.surface.blit(code, place)
    head, rest = split(rest, "top", 0.3, canvas.px(12))
    canvas.draw_text(make_phrase("screen.point_a_phone"), head, 40, AMBER, align=0, lines=3)
    canvas.draw_text(text, rest, 40, TEXT, align=0, lines=10)


def has_result_code(canvas: Canvas, view: View, box: pygame.Rect) -> bool:
    """Return whether the game has a result, and its code is large enough for a phone."""
    if not view.state.results:
        return False
    modules = len(_encode(result_text(canvas, view)))
    room, _ = _split(canvas, box)
    return modules > 0 and min(room.size) // (modules + 2 * _QUIET_ZONE) >= _MIN_MODULE_PX


def result_text(canvas: Canvas, view: View) -> str:
    """Return the text in the code: the game, who won, all totals in the order of the places."""
    state = view.state
    places = ranking(view.game.rules, state)
    ended = {
        "event": "game_over",
        "winners": state.winners,
        "totals": dict(state.totals),
        "ranking": places,
    }
    return canvas.words(make_phrase("screen.result", game=view.game.name, ended=line_sentence(ended)))


def _split(canvas: Canvas, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the room for the code, and the one for its text."""
    return split(canvas.inset(box, 20, 16), "top" if is_upright(box) else "left", 0.55, canvas.px(24))


@lru_cache(maxsize=8)
def _encode(text: str) -> tuple[bytes, ...]:
    """Return the code's rows of modules, 1 for a dark one; no rows where the text is too long for a code."""
    # Loaded late: only a game's end needs it.
    from segno import DataOverflowError, make_qr

    try:
        return tuple(map(bytes, make_qr(text, error="l", encoding="utf-8").matrix))
    except DataOverflowError:
        return ()


def _draw_modules(rows: tuple[bytes, ...]) -> pygame.Surface:
    """Return a code with its quiet zone on a new surface, a pixel for each module."""
    is_dark = np.pad(np.array([list(row) for row in rows], bool), _QUIET_ZONE)
    return pygame.surfarray.make_surface(np.where(is_dark.T[..., None], INK, PAPER))
