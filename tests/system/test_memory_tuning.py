"""Pictures that come and go are not paid for in pages of memory that the system has to empty each time."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource
import numpy as np
from table.system.memory_tuning import reuse_freed_memory

def pictures():
    for _ in range(16):
        kept = [np.ones(2 << 20, np.uint8) for _ in range(4)]

{first}
pictures()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
pictures()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(first: str) -> int:
    """How many pages a process was given anew for 64 pictures of 2 MB, after as many before them."""
    command = [sys.executable, "-c", FAULTS.format(first=first)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told to keep memory")
def test_pictures_that_are_done_with_make_room_for_the_next_ones() -> None:
    assert faults("reuse_freed_memory()") < 100
    assert faults("") > 500  # (else this tells nothing)
