"""Which functions each test calls: only a test that runs a mutant's function can notice the mutant."""

from __future__ import annotations

import ast
import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

import pytest

from tests.mutants.sites import Mutant

Function = tuple[str, int]
"""A module's path below the tree, and the line at which a function begins."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What a test took and called, set-up included."""

    __test__ = False

    seconds: float
    functions: frozenset[Function]


class CallRecorder:
    """A plugin of pytest that notes the functions of a tree that each test calls.

    A fixture that several tests share calls its functions for the first of them alone; so what the set-up of a test
    calls counts for all tests of its file.
    """

    def __init__(self, tree: Path) -> None:
        self._tree = f"{tree}/"
        self._codes: set[CodeType] = set()
        self._set_up: dict[str, set[CodeType]] = {}
        self._tests: dict[str, tuple[float, set[CodeType]]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """A test is set up."""
        self._codes = self._set_up.setdefault(_file_of(item.nodeid), set())
        self._trace(on=True)
        yield
        self._trace(on=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """A test runs."""
        self._codes = set()
        started_s = time.process_time()
        self._trace(on=True)
        yield
        self._trace(on=False)
        self._tests[item.nodeid] = time.process_time() - started_s, self._codes

    def _trace(self, *, on: bool) -> None:
        note = self._note if on else None
        threading.settrace(note)
        sys.settrace(note)

    def _note(self, frame: FrameType, _event: str, _argument: object) -> None:
        self._codes.add(frame.f_code)

    def write(self, path: Path) -> None:
        """Write what was noted for :func:`read_runs`."""
        runs = {
            test: (seconds, sorted(self._functions(codes | self._set_up[_file_of(test)])))
            for test, (seconds, codes) in self._tests.items()
        }
        path.write_text(json.dumps(runs), encoding="utf-8")

    def _functions(self, codes: set[CodeType]) -> set[Function]:
        return {
            (code.co_filename.removeprefix(self._tree), code.co_firstlineno)
            for code in codes
            if code.co_filename.startswith(f"{self._tree}table/")
        }


@cache
def read_runs(path: Path) -> dict[str, TestRun]:
    """Return the test runs that a :class:`CallRecorder` wrote."""
    return {
        test: TestRun(seconds, frozenset((path, line) for path, line in functions))
        for test, (seconds, functions) in json.loads(path.read_text(encoding="utf-8")).items()
    }


def choose_tests(mutant: Mutant, source: bytes, runs: Mapping[str, TestRun]) -> list[str]:
    """Return the tests that call the function with the fault, the shortest first.

    What stands outside of functions, or is called while modules are imported, concerns all tests that call anything of
    the module; where there are none, all tests.
    """
    line = _line_of_function(source, mutant.line)
    lines = {
        test: [start for path, start in run.functions if path == mutant.path] for test, run in runs.items()
    }
    chosen = (
        [test for test, starts in lines.items() if line in starts]
        or [test for test, starts in lines.items() if starts]
        or [*runs]
    )
    return sorted(chosen, key=lambda test: runs[test].seconds)


def _line_of_function(source: bytes, line: int) -> int | None:
    """Return the line at which the innermost function around ``line`` begins, its decorators included."""
    starts = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or first):
                starts.append(first)
    return max(starts, default=None)


def _file_of(test: str) -> str:
    return test.split("::")[0]
