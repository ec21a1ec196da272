"""What was found is told in columns, whatever the language calls the parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.calibration.homography.check_findings import Finding
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language


@pytest.fixture(params=languages())
def spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    set_language(renderer_for(request.param))
    yield
    set_language(renderer_for())


@pytest.mark.usefixtures("spoken")
def test_what_is_said_of_each_part_stands_in_one_column() -> None:
    parts = [code.partition(".")[2] for code in load_catalogue().entries if code.startswith("part.")]
    lines = [Finding(part, good, "|").format_line() for part in parts for good in (True, False)]
    assert len(parts) > 10
    assert len({line.index("|") for line in lines}) == 1
    assert all(line[-2:] == " |" for line in lines)
    # The longest is no farther off than it has to be.
    assert any(line[-3:] == ": |" for line in lines)
