"""The bench in its shortest form, on the kernel's own simulated chip; only where QEMU and a kernel are installed."""

from __future__ import annotations

import gc
import json
import os
from pathlib import Path

import pytest

from hardware.bench import host


@pytest.mark.thorough
def test_on_real_interrupts_no_edge_is_lost_and_no_two_presses_change_order(tmp_path: Path) -> None:
    try:
        result = host.measure(Path("/"), tmp_path, short=True, ours=True, timeout_s=900)
    except host.MissingError as error:
        pytest.skip(str(error).splitlines()[0])
    assert result["complete"]
    assert len(result["ways"]) == 2
    for way in result["ways"].values():
        for when in ("quiet", "load"):
            assert way[when]["extra_presses"] == 0
            for _, row in way[when]["by_distance"]:
                assert (row["lost"], row["wrong_order"], row["wrong_ruling"]) == (0, 0, 0)
        if "rulings" in way:
            assert way["rulings"]["tied"] > 0
            assert set(way["rulings"]["differ"].values()) == {0}
        for when in ("burst", "stopped"):
            assert way[when]["came"] == way[when]["sent"] > 1000
            assert way[when]["said_lost"] == 0


def test_the_table_of_the_ways_counts_errors_by_the_thousand_pairs_told() -> None:
    row = {"pairs": 10, "lost": 2, "wrong_order": 3, "wrong_ruling": 1, "true_us": 12.5}
    stamps = {"median_us": 1.0, "p99_us": 2.0, "worst_us": 3.0}
    edges = {"sent": 5000, "came": 4990, "said_lost": 10, "per_s": 4000}
    quiet = {"by_distance": [[1000, row]], "stamp_error": stamps, "extra_presses": 0}
    text = host.table({"ways": {"one way": {"quiet": quiet, "burst": edges, "stopped": edges}}})
    assert "1 µs asked, 12.5 µs true | 333, 2 lost, 1 of 10 ruled wrong |" in text
    row["true_us"] = 1.0
    assert "1,000 pairs, 1 µs apart | 333" in host.table({"ways": {"one way": {"quiet": quiet}}})
    assert "| edges lost, burst | 10 of 5,000 at 4,000/s (10 said) |" in text


def test_the_archive_that_the_kernel_unpacks_has_each_folder_once_and_before_its_files() -> None:
    archive = host.Archive()
    archive.add("a/b/c", 0o100755, b"text")
    archive.add("a/b/d", 0o100644, b"")
    raw = archive.bytes()
    names = [name for name in (b"a\0", b"a/b\0", b"a/b/c\0", b"a/b/d\0", b"TRAILER!!!\0") if name in raw]
    places = [raw.index(name) for name in names]
    assert len(names) == 5
    assert places == sorted(places)
    assert len(raw) % 4 == 0


def test_kept_results_are_shown_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "other"):
        edges = {"sent": 5000, "came": 5000, "said_lost": 0, "per_s": 4000}
        (tmp_path / name).write_text(json.dumps({"ways": {f"{name} way": {"burst": edges}}}))
    monkeypatch.setattr("sys.argv", ["bench", "--show", str(tmp_path / "one"), str(tmp_path / "other")])
    assert host.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| | one way | other way |"
    assert lines[2].count("0 of 5,000 at 4,000/s (0 said)") == 2


def test_a_machine_that_has_told_its_result_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    machine = tmp_path / "qemu-system-x86_64"
    machine.write_text(f"""#!/bin/sh\necho booting\necho '{{"ways": {{}}}}'\necho '{host.END}'\n""")
    machine.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert host.boot(tmp_path, tmp_path, [], 60) == {"ways": {}, "complete": True}
    gc.collect()  # what was left open says so now
    assert [str(warning.message) for warning in recwarn] == []
