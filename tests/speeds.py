"""Two speeds of tests: `make test` runs a part of each long list of cases, `make test-all` all of it.

A test that costs much and protects little that no other test does is marked `thorough`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_quick(
    names: str | tuple[str, ...], cases: Iterable[Any], quick: int = 1, **options: Any
) -> pytest.MarkDecorator:
    """Like ``pytest.mark.parametrize``; all cases but the first ``quick`` are thorough."""
    marked = []
    for place, case in enumerate(cases):
        values = (case,) if isinstance(names, str) else case
        marked.append(pytest.param(*values, marks=[] if place < quick else pytest.mark.thorough))
    return pytest.mark.parametrize(names, marked, **options)
