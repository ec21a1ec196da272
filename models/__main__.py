"""The training side's one command: ``python -m models TASK``; each task is a module with a ``main`` of its own."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from table.errors import TableError, shorten_to_line

TASKS = {
    "fetch": "models.synth.fetch",
    "letters": "models.synth.letters",
    "heldout": "models.synth.heldout",
    "realpool": "models.synth.realpool",
    "pool": "models.pool",
    "harvest": "models.harvest",
    "mine": "models.mine",
    "finder": "models.finder",
    "namer": "models.namer",
    "extras": "models.extras",
    "distil": "models.distil",
    "restore": "models.restore",
    "pips": "models.pips",
    "export": "models.export",
    "evaluate": "models.evaluate",
    "jokers": "models.jokers",
    "ownpack": "models.ownpack",
    "games": "models.games",
    "speed": "models.speed",
}
"""The tasks in the order in which a detector is made: pictures, pools, training, export, measuring."""
TRAINING = frozenset(("torch", "ultralytics", "onnx", "onnxslim"))
"""What the extra ``train`` installs; most tasks do without."""


def about(module: str) -> str:
    """What a task does: its docstring's first line, read without importing what it needs."""
    spec = find_spec(module)
    assert spec is not None, module
    assert spec.origin is not None, module
    said = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
    assert said is not None, module
    return said.splitlines()[0].partition(": ``python")[0].rstrip(".")


def usage() -> str:
    """The tasks, a line each."""
    rows = (f"  {task:<10}{about(module)}" for task, module in TASKS.items())
    return "\n".join(("usage: python -m models TASK [-h] ...", "", *rows))


def main(arguments: Sequence[str]) -> int:
    """Run a task; its exit status."""
    task, rest = (arguments[0], arguments[1:]) if arguments else ("", ())
    if task in ("", "-h", "--help"):
        print(usage())
        return 0 if task else 2
    if task not in TASKS:
        return _complain(f"{task}: no such task: expected one of {', '.join(TASKS)}")
    sys.argv = [f"python -m models {task}", *rest]
    try:
        return int(importlib.import_module(TASKS[task]).main() or 0)
    except TableError as error:
        return _complain(str(error))
    except FileNotFoundError as error:
        return _complain(f"{error.filename}: no such file")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in TRAINING:
            raise
        return _complain(f"{error.name} is not installed: pip install -e '.[train]' first")


def _complain(wrong: str) -> int:
    print(shorten_to_line(f"models: {wrong}"), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
