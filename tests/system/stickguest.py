"""Runs as the only program of a virtual machine with a stick: looks for it before, while and after it is mounted.

Prints what it found as a row of JSON, and the bench's last word.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from table.errors import TableError
from table.history.export import export_game
from table.system.disks import find_stick

GAME = Path("/game.jsonl")
PLACE = "/media/cardtable/STICK"
BUSYBOX = "/bin/busybox"


def found() -> str:
    """Where the stick is, or which complaint there is."""
    try:
        return str(find_stick())
    except TableError as error:
        return error.what.code


def main() -> None:
    """Mount, copy, unmount."""
    before = found()
    subprocess.run([BUSYBOX, "mount", "-t", "vfat", "/dev/sda1", PLACE], check=True)
    mounted = found()
    written = [path.name for path in export_game(GAME, Path(mounted))]
    subprocess.run([BUSYBOX, "mount", "-o", "remount,ro", PLACE], check=True)
    read_only = found()
    subprocess.run([BUSYBOX, "umount", PLACE], check=True)
    result = {
        "before": before,
        "mounted": mounted,
        "written": written,
        "read_only": read_only,
        "after": found(),
    }
    print(json.dumps(result), flush=True)
    print("=== bench end ===", flush=True)


if __name__ == "__main__":
    main()
