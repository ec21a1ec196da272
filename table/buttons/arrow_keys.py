"""Calls made from a keyboard's arrow keys, Enter and Backspace, for the menu, which any player may operate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pygame

from table.observed_facts import Call, Gesture

_KEYS: Final = {
    pygame.K_DOWN: (Gesture.TAPS, 1),
    pygame.K_UP: (Gesture.TAPS, -1),
    pygame.K_RETURN: (Gesture.RAP, 0),
    pygame.K_KP_ENTER: (Gesture.RAP, 0),
    pygame.K_BACKSPACE: (Gesture.WRONG, 0),
}


def calls_from_arrow_keys(events: Iterable[pygame.event.Event], t_ns: int) -> tuple[Call, ...]:
    """Return the calls of the key events read at ``t_ns``, with an empty seat; a step upwards has count -1."""
    pressed = (event.key for event in events if event.type == pygame.KEYDOWN)
    return tuple(Call(t_ns, t_ns, "", *_KEYS[key]) for key in pressed if key in _KEYS)
