"""Detects a camera picture that is upside down: then arms come from opposite the seats of their players.

A card looks the same either way, and so does the table. But the arm that lays a card comes from its player's seat, and
it is usually known who is to lead a trick. Two hypotheses are compared by all the arms since the camera started: as
calibrated, or turned by half a circle. The evidence is the log likelihood ratio. Where seats lie opposite each other
and anyone may lead, an arm says little, and several are needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Final

from table.directions import angle_between
from table.games.engine.game_state import Expected, Phase
from table.observed_facts import CardLanded
from table.phrase import Phrase, make_phrase

_PRIOR: Final = 0.1
"""The prior probability of an upside-down picture, after a camera is installed or its software changed."""
_MAX_LOG_ODDS: Final = 6.0
"""The limit of the log odds, so that a camera that is turned over in a game is noticed within a few cards."""
_SPREAD_DEG: Final = 18.0
"""The spread of a player's arm around the seat's direction (virtual and recorded arms: up to 40 degrees)."""
_MIN_OTHER_PLAYER: Final = 0.02
"""The least share of arms that belong to another player."""
_UNIFORM: Final = 0.125
"""The likelihood of such an arm: uniform over all directions, relative to one straight from its player's seat."""
_ON_TURN: Final = 0.97
"""The probability that a lead is laid by the player whose turn it is ..."""
_WHEN_FREE: Final = 0.5
"""... and where anyone may lead."""
UPSIDE_DOWN: Final = make_phrase("camera.upside_down")
_LEAD_PHASES: Final = (Phase.LEAD, Phase.TURN_UP)


class ImageOrientation:
    """Accumulates evidence from every card that lands, and reports whether the picture is upside down."""

    def __init__(self) -> None:
        self._log_odds = log(_PRIOR / (1 - _PRIOR))

    @property
    def trouble(self) -> Phrase | None:
        """The problem to report, or None."""
        return UPSIDE_DOWN if self._log_odds > 0 else None

    def add_card(self, card: CardLanded, angles: Mapping[str, float], expected: Expected) -> None:
        """Add a landed card as evidence; ``angles`` are the seats' and ``expected`` is the input awaited until then."""
        if card.arm_deg is None or not angles:
            return
        players = _player_probabilities(angles, expected)
        right_player = min(card.arm_sure, 1 - _MIN_OTHER_PLAYER)
        upright, turned = (
            right_player * _likelihood(card.arm_deg + turn_deg, angles, players)
            + (1 - right_player) * _UNIFORM
            for turn_deg in (0.0, 180.0)
        )
        log_odds = self._log_odds + log(turned / upright)
        self._log_odds = max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, log_odds))


def _player_probabilities(angles: Mapping[str, float], expected: Expected) -> Mapping[str, float]:
    if expected.phase not in _LEAD_PHASES or expected.default_seat not in angles or len(angles) < 2:
        return dict.fromkeys(angles, 1 / len(angles))
    first = _WHEN_FREE if expected.anyone_may_act else _ON_TURN
    rest = (1 - first) / (len(angles) - 1)
    return {seat: first if seat == expected.default_seat else rest for seat in angles}


def _likelihood(arm_deg: float, angles: Mapping[str, float], players: Mapping[str, float]) -> float:
    """Return the likelihood of an arm from this direction, relative to one straight from its player's seat."""
    deviations = ((share, angle_between(arm_deg, angles[seat])) for seat, share in players.items())
    return sum(share * exp(-0.5 * (deg / _SPREAD_DEG) ** 2) for share, deg in deviations)
