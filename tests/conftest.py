"""What every test may rely on: no display is opened, OpenCV keeps its complaints to itself, chance repeats itself.

`make test` leaves out what is marked ``thorough``; `make test-all` runs all, with more examples of each property.
"""

import os
from pathlib import Path

# Before anything imports NumPy, OpenCV or pygame: they read these once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `cardtable` has it
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")  # the workers have the other processors
os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pytest
from hypothesis import settings

# The same examples at every run, on every machine: as many as `make test` has time for, or all (--hypothesis-profile).
settings.register_profile("quick", derandomize=True, database=None, deadline=None, max_examples=15)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=100)
settings.load_profile("quick")

LONGEST = ("demos", "scenes")
"""Folders of the longest tests. They start first, so that no worker is left alone with one of them in the end."""
THOROUGH = ("models",)
"""Folders of which all tests are thorough: training, which no change of the table can break."""


def folder_of(item: pytest.Item) -> str:
    """Return the folder of a test under `tests/`."""
    return item.path.relative_to(Path(__file__).parent).parts[0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the thorough folders, and put the longest tests first."""
    for item in items:
        if folder_of(item) in THOROUGH:
            item.add_marker("thorough")
    items.sort(key=lambda item: folder_of(item) not in LONGEST)
