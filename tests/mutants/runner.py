"""Runs tests of a copy of the tree in a forked process, in which the heavy libraries are loaded already."""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.mutants.calls import CallRecorder

ROOT = Path(__file__).parents[2]
LEFT_OUT = (".git", ".venv*", ".*_cache", "__pycache__", "build", "*.egg-info", "shared")
HEAVY = ("numpy", "cv2", "pygame", "onnxruntime", "gpiozero", "tomlkit", "reportlab", "hypothesis.strategies")

TEST_LIMIT_S = 40.0
"""Processor time that a test may take: the longest that `make test` runs takes 10 s. A mutant may loop for ever ..."""
MAX_BYTES = 8 << 30
"""... or fill the memory."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What tests made of a tree: by which test a fault was noticed ("" if by none), and how long it took."""

    noticed_by: str
    seconds: float


def load_heavy() -> None:
    """Import what every run needs and no mutant changes."""
    import_module("tests.conftest")  # sets what the libraries read when they are loaded
    for name in HEAVY:
        import_module(name)


def copy_tree(to: Path) -> None:
    """Copy the tree into a new folder."""
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)


def write_source(path: Path, source: bytes) -> None:
    """Write a module's source, and forget what was compiled of it: its size and second may be the same."""
    path.write_bytes(source)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def run_tests(tree: Path, tests: Sequence[str], limit_s: float, calls: Path | None = None) -> Outcome:
    """Run tests (names of files or of tests under ``tree``) in this order until one fails.

    One that takes more than ``TEST_LIMIT_S`` fails; so does what runs past ``limit_s`` or dies. ``calls``: a file for
    what each test calls, for :func:`tests.mutants.calls.read_runs`.
    """
    started = time.monotonic()
    receiving, sending = os.pipe()
    child = os.fork()
    if not child:
        os.close(receiving)
        _run_in_child(tree, tests, sending, calls)
    os.close(sending)
    try:
        ready, _, _ = select.select([receiving], [], [], limit_s)
        told = os.read(receiving, 65536) if ready else json.dumps("the time limit").encode()
    finally:
        os.close(receiving)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # with all that a test has left running
        os.waitpid(child, 0)
    return Outcome(json.loads(told) if told else "a process that died", time.monotonic() - started)


class FirstFailure:
    """Remembers which test failed, and tells it through a pipe when all is over."""

    def __init__(self, sending: int) -> None:
        self.noticed_by = ""
        self._sending = sending
        self._running = "no test"

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test starts."""
        self._running = nodeid
        signal.setitimer(signal.ITIMER_PROF, TEST_LIMIT_S)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A part of a test has ended."""
        if report.failed and not self.noticed_by:
            self.noticed_by = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """The tests of a file are known, unless it can't even be imported."""
        if report.failed and not self.noticed_by:
            self.noticed_by = f"{report.nodeid}::import"

    def stop_long_test(self, *_: object) -> None:
        """A test has taken too long."""
        self.noticed_by = self.noticed_by or f"{self._running} (time limit)"
        self.finish()

    def finish(self) -> None:
        """Tell what was noticed and leave the process, whatever still runs in it."""
        os.write(self._sending, json.dumps(self.noticed_by).encode())
        os._exit(0)


class Chosen:
    """Leaves of the tests of some files those that were chosen, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The tests of the files are known."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )


def _run_in_child(tree: Path, tests: Sequence[str], sending: int, calls: Path | None) -> None:
    """Run the tests and tell the first that failed; never returns."""
    failure = FirstFailure(sending)
    recorder = CallRecorder(tree)
    plugins: list[object] = [failure]
    if calls is not None:
        plugins.append(recorder)
    if any("::" in test for test in tests):
        plugins.append(Chosen(tests))
    files = [*dict.fromkeys(test.split("::")[0] for test in tests)]
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGPROF, failure.stop_long_test)
        signal.setitimer(signal.ITIMER_PROF, TEST_LIMIT_S)
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
        os.chdir(tree)
        os.environ["PYTHONPATH"] = str(tree)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        sys.path[:] = [str(tree), *(place for place in sys.path if Path(place or ".").resolve() != ROOT)]
        for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "table", "hardware")]:
            del sys.modules[name]
        # A property that fails is not shrunk.
        unshrunk = settings(settings.get_profile("quick"), phases=[Phase.explicit, Phase.generate])
        settings.register_profile("mutants", unshrunk)
        options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-profile", "mutants"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what was loaded beforehand
        status = pytest.main([*options, "-m", "not thorough", *files], plugins=plugins)
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            failure.noticed_by = failure.noticed_by or f"exit status {int(status)}"
        if calls is not None:
            recorder.write(calls)
    except BaseException as error:
        failure.noticed_by = failure.noticed_by or repr(error)
    failure.finish()
