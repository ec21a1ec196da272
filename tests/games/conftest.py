from __future__ import annotations

import os

import pytest


@pytest.fixture
def many_events() -> int:
    """How many random events a game gets: CARDTABLE_SLOW=1 for the long form."""
    return 100_000 if os.environ.get("CARDTABLE_SLOW") else 3_000
