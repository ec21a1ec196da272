"""The windows of judgement that a referee has by itself."""

from __future__ import annotations

from table.config.settings import ButtonsConfig, CameraConfig
from table.observed_facts import MS
from table.referee.model.search_context import RefereeTimes


def test_the_defaults_are_those_of_table_toml() -> None:
    buttons, camera, times = ButtonsConfig(), CameraConfig(), RefereeTimes()
    assert times.bid_tie_ns == buttons.tie_window_ms * MS
    assert times.lead_tie_ns == camera.tie_window_ns
    assert times.tap_gap_ns == buttons.tap_gap_ms * MS
    assert times.dial_ns == buttons.dial_ms * MS
