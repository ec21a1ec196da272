"""A date is believed that came from the network or from a battery's clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.system.clock_reliability import is_date_reliable


@pytest.mark.parametrize(
    ("synchronized", "battery", "kernel", "sure"),
    [
        (True, None, False, True),
        (False, "1\n", False, True),
        (False, None, True, True),
        (False, "0\n", False, False),
        (False, None, False, False),
    ],
)
def test_whose_clock_a_date_is_believed_of(
    tmp_path: Path, synchronized: bool, battery: str | None, kernel: bool, sure: bool
) -> None:
    if synchronized:
        (tmp_path / "synchronized").touch()
    if battery is not None:
        (tmp_path / "hctosys").write_text(battery)
    assert is_date_reliable(tmp_path / "synchronized", tmp_path / "hctosys", lambda: kernel, 2026) is sure


def test_no_date_is_believed_that_lies_before_the_first_table(tmp_path: Path) -> None:
    """A clock whose battery is flat says 1970 or 2000."""
    assert not is_date_reliable(tmp_path / "synchronized", tmp_path / "hctosys", lambda: True, 2000)
