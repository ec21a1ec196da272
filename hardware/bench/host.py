"""Boots a virtual machine with the kernel's simulated GPIO chip and measures four ways of reading buttons.

    python hardware/bench/host.py [--short] [--json FILE]

Needs Debian's packages qemu-system-x86, linux-image-amd64, linux-headers-amd64, linux-source, gcc, make (kernel
and sources may be installed or merely unpacked under --root), and in the running Python: gpiod, lgpio, gpiozero
and this project (``pip install -e '.[pi]' lgpio``). No KVM, no root.

The machine's clock counts instructions (``-icount``), :data:`SPEED` of them a nanosecond, whatever else runs on the
host. So the figures don't depend on how busy the host is, and idle time costs nothing.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
END = "=== bench end ==="
SPEED = 5
"""Instructions a nanosecond. QEMU counts one; its guest is told that the counter ticks so many times as fast
(``tsc_early_khz``), and so takes all its times from a processor of that speed."""
OURS = ("gpiod", "gpiozero", "colorzero")
OTHERS = ("lgpio.py",)
"""What the ways of reading import."""
LEFT_OUT = {
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "lib2to3",
    "pydoc_data",
}
BYTECODE = f".{sys.implementation.cache_tag}.pyc"
"""How bytecode ends that the guest's Python takes for its source; what others wrote is left out."""
INIT = """#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t sysfs none /sys
/bin/busybox mount -t devtmpfs none /dev
/bin/busybox mount -t tmpfs none /tmp
/bin/busybox insmod /configfs.ko
/bin/busybox mount -t configfs none /sys/kernel/config
/bin/busybox insmod /gpio-sim.ko
cd /tmp
PYTHONHOME={prefix} PYTHONPATH=/packages {python} -S /guest.py
/bin/busybox poweroff -f
"""


class MissingError(Exception):
    """Something the bench needs is not there."""


class FailedError(Exception):
    """All that the bench needs is there, and it came to no result."""


# --- kernel and module ------------------------------------------------------------------------------------


def kernel(root: Path) -> tuple[Path, str]:
    """The newest kernel image for which there are headers too, and its release."""
    for image in sorted((root / "boot").glob("vmlinuz-*-amd64"), reverse=True):
        release = image.name.removeprefix("vmlinuz-")
        if (root / "lib/modules" / release).exists() and headers(root, release).exists():
            return image, release
    raise MissingError("no kernel: expected Debian's linux-image-amd64 and linux-headers-amd64")


def headers(root: Path, release: str) -> Path:
    """Where the headers of a kernel lie (their makefiles hold absolute paths: they must be installed)."""
    return Path("/usr/src") / f"linux-headers-{release}"


def module(root: Path, release: str, name: str, work: Path) -> Path | None:
    """A module of the kernel's package, unpacked; None where the package has none."""
    for found in (root / "lib/modules" / release).rglob(f"{name}.ko*"):
        target = work / f"{name}.ko"
        if found.suffix == ".xz":
            target.write_bytes(subprocess.run(["xz", "-dc", found], check=True, capture_output=True).stdout)
        else:
            shutil.copy(found, target)
        return target
    return None


def gpio_sim(root: Path, release: str, work: Path) -> Path:
    """The kernel's gpio-sim: from its package, else built from the same kernel's source package."""
    found = module(root, release, "gpio-sim", work)
    if found:
        return found
    version = ".".join(release.split(".")[:2])
    archive = root / f"usr/src/linux-source-{version}.tar.xz"
    if not archive.exists():
        raise MissingError(f"no gpio-sim: {archive} is missing (Debian's linux-source-{version})")
    build = work / f"gpio-sim-{release}"
    target = build / "gpio-sim.ko"
    if target.exists():
        return target
    build.mkdir(parents=True, exist_ok=True)
    wanted = {
        "drivers/gpio/gpio-sim.c": "chip.c",
        "drivers/gpio/gpiolib.h": "gpiolib.h",
        "drivers/gpio/dev-sync-probe.c": "dev-sync-probe.c",
        "drivers/gpio/dev-sync-probe.h": "dev-sync-probe.h",
        "kernel/irq/irq_sim.c": "irq_sim.c",
    }
    with tarfile.open(archive) as tar:
        for member in tar:
            inner = member.name.partition("/")[2]
            if inner in wanted and (source := tar.extractfile(member)) is not None:
                (build / wanted[inner]).write_bytes(source.read())
    # Built into one module, irq_sim can't have irq_to_desc, which is not exported; generic_handle_irq calls the
    # same handler of the same interrupt.
    text = (build / "irq_sim.c").read_text()
    text = text.replace("handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)")
    (build / "irq_sim.c").write_text(text)
    probe = " dev-sync-probe.o" if (build / "dev-sync-probe.c").exists() else ""
    (build / "Kbuild").write_text(f"obj-m := gpio-sim.o\ngpio-sim-y := chip.o irq_sim.o{probe}\n")
    make = ["make", "-C", str(headers(root, release)), f"M={build}", "modules"]
    done = subprocess.run(make, capture_output=True, text=True)
    if not target.exists():
        raise FailedError(f"gpio-sim can't be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return target


# --- the initramfs ----------------------------------------------------------------------------------------


class Archive:
    """A cpio archive in the form that the kernel unpacks ("newc")."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._names: set[str] = set()
        self._number = 0

    def add(self, name: str, mode: int, data: bytes = b"", changed_s: int = 0) -> None:
        """Add a file, folder or link, last changed at ``changed_s``; its folders are added as needed."""
        name = name.strip("/")
        if name in self._names:
            return
        parent = name.rpartition("/")[0]
        if parent:
            self.add(parent, stat.S_IFDIR | 0o755)
        self._names.add(name)
        self._entry(name, mode, data, changed_s)

    def _entry(self, name: str, mode: int, data: bytes, changed_s: int) -> None:
        self._number += 1
        raw = name.encode() + b"\0"
        fields = (self._number, mode, 0, 0, 1, changed_s, len(data), 0, 0, 0, 0, len(raw), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + raw
        self._parts += [head, bytes(-len(head) % 4), data, bytes(-len(data) % 4)]

    def file(self, name: str, path: Path, mode: int = 0o755) -> None:
        """Add a file of this machine; it keeps its time, by which Python knows whether bytecode is of its source."""
        self.add(name, stat.S_IFREG | mode, path.read_bytes(), int(path.stat().st_mtime))

    def tree(self, name: str, folder: Path) -> None:
        """Add a folder, without what isn't needed."""
        for path in sorted(folder.rglob("*")):
            inner = path.relative_to(folder)
            if (
                path.is_file()
                and not LEFT_OUT & set(inner.parts)
                and path.suffix not in (".a", ".onnx", ".png", ".ttf", ".wav")
                and (path.suffix != ".pyc" or path.name.endswith(BYTECODE))
            ):
                self.file(f"{name}/{inner}", path)

    def bytes(self) -> bytes:
        """The archive."""
        self._entry("TRAILER!!!", 0, b"", 0)
        return b"".join(self._parts)


def libraries(*binaries: Path) -> Iterator[Path]:
    """The shared libraries that binaries need."""
    for binary in binaries:
        listing = subprocess.run(["ldd", binary], capture_output=True, text=True).stdout
        for word in listing.split():
            if word.startswith("/") and Path(word).exists():
                yield Path(word).resolve() if "/../" in word else Path(word)


def with_python(work: Path, packages: Sequence[str]) -> Archive:
    """Busybox, this Python with what it needs, these packages, the table's own and NumPy; no ``init`` yet."""
    archive = Archive()
    for folder in ("proc", "sys", "dev", "tmp", "sys"):
        archive.add(folder, stat.S_IFDIR | 0o755)
    python = Path(sys.executable).resolve()
    busybox = shutil.which("busybox")
    if busybox is None:
        raise MissingError("no busybox: expected Debian's busybox or busybox-static")
    archive.file("bin/busybox", Path(busybox))
    archive.file(str(python), python)
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(stdlib.rglob("*")):
        inner = path.relative_to(stdlib)
        out = {"site-packages", "dist-packages"} | LEFT_OUT
        ours = path.suffix != ".pyc" or path.name.endswith(BYTECODE)
        if (
            path.is_file()
            and ours
            and not out & set(inner.parts)
            and not inner.parts[0].startswith("config-")
        ):
            archive.file(str(path), path)
    needed = [Path(busybox), python, *stdlib.glob("lib-dynload/*.so")]
    for package in packages:
        found = find_package(package)
        if found.is_dir():
            archive.tree(f"packages/{package}", found)
            needed += found.glob("*.so")
        else:
            archive.file(f"packages/{package}", found)
            for extra in (*found.parent.glob("_lgpio*.so"), *found.parent.glob("lgpio.libs/*")):
                archive.file(f"packages/{extra.relative_to(found.parent)}", extra)
                needed.append(extra)
    sources = work / "table"
    shutil.copytree(PROJECT / "table", sources, dirs_exist_ok=True)
    compileall.compile_dir(sources, quiet=1)  # the guest would take many times as long
    archive.tree("packages/table", sources)
    numpy = find_package("numpy")  # table.observed_facts names its array type
    archive.tree("packages/numpy", numpy)
    archive.tree("packages/numpy.libs", numpy.parent / "numpy.libs")
    needed += numpy.rglob("*.so")
    for library in {*libraries(*needed)}:
        if not library.is_relative_to(numpy.parent):  # found beside what needs it
            archive.file(str(library), library)
    return archive


def initramfs(work: Path, configfs: Path, sim: Path, presser: Path, packages: Sequence[str]) -> Path:
    """Python with what it needs, the modules, the finger and the guest's program."""
    archive = with_python(work, packages)
    archive.file("configfs.ko", configfs)
    archive.file("gpio-sim.ko", sim)
    archive.file("presser", presser)
    archive.file("guest.py", HERE / "guest.py")
    return packed(archive, INIT, work)


def packed(archive: Archive, init: str, work: Path) -> Path:
    """The archive with its ``init``, in which ``{python}`` and ``{prefix}`` are this Python's."""
    named = init.format(prefix=sys.base_prefix, python=Path(sys.executable).resolve())
    archive.add("init", stat.S_IFREG | 0o755, named.encode())
    target = work / "initramfs"
    target.write_bytes(archive.bytes())  # as it is: unpacking costs the guest more than reading
    return target


def find_package(name: str) -> Path:
    """Where an installed package lies."""
    for folder in map(Path, sys.path):
        if (folder / name).exists():
            return folder / name
    raise MissingError(f"no {name.removesuffix('.py')}: pip install gpiod gpiozero lgpio")


# --- running ----------------------------------------------------------------------------------------------


def boot(
    image: Path, ramdisk: Path, words: Sequence[str], timeout_s: int, devices: Sequence[str] = ()
) -> dict[str, Any]:
    """Run the machine until it has told its result, or the time is over.

    ``words``: what the guest's program is to do; ``devices``: what QEMU is to plug in besides.
    """
    kernel_words = (
        f"console=ttyS0 quiet panic=-1 tsc_early_khz={SPEED * 1_000_000} tsc=reliable clocksource=tsc "
        "mitigations=off nosmp lpj=4000000"
    )
    command = ["qemu-system-x86_64", "-machine", "pc,accel=tcg", "-cpu", "max", "-m", "1024", "-smp", "1"]
    command += [
        "-icount",
        "shift=0,sleep=off",
        "-display",
        "none",
        "-no-reboot",
        "-nodefaults",
        "-serial",
        "stdio",
    ]
    command += ["-kernel", str(image), "-initrd", str(ramdisk), *devices]
    command += ["-append", " ".join([kernel_words, *words])]
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as machine:
        watch = Timer(timeout_s, machine.kill)
        watch.start()
        try:
            assert machine.stdout is not None
            for line in machine.stdout:
                lines.append(line.rstrip())
                if line.startswith(("[bench", "Traceback", "thread died")):
                    print(line.rstrip(), file=sys.stderr, flush=True)
        finally:
            watch.cancel()
            machine.kill()
    texts = [line for line in lines if line.startswith("{")]
    if not texts:
        raise FailedError("the machine told no result; its last words:\n" + "\n".join(lines[-40:]))
    result: dict[str, Any] = json.loads(texts[-1])
    result["complete"] = END in lines
    return result


def table(result: dict[str, Any]) -> str:
    """The result as a Markdown table."""
    names = list(result["ways"])
    rows: list[list[str]] = []
    for name in ("quiet", "load"):
        shown = [way.get(name) for way in result["ways"].values()]
        if not any(shown):
            continue
        when = "" if name == "quiet" else ", CPU load"
        for at in range(len(next(filter(None, shown))["by_distance"])):
            cells, label = [], ""
            for one in shown:
                if one is None:
                    cells.append("")
                    continue
                distance, row = one["by_distance"][at]
                asked = f"{int(distance) / 1000:g} µs"
                true = f"{row['true_us']:g} µs"
                label = (f"{true} apart" if true == asked else f"{asked} asked, {true} true") + when
                told = row["pairs"] - row["lost"] / 2
                errors = f"{1000 * row['wrong_order'] / max(1, told):.0f}"
                extra = [f"{row['lost']} lost"] if row["lost"] else []
                extra += (
                    [f"{row['wrong_ruling']} of {row['pairs']} ruled wrong"] if row["wrong_ruling"] else []
                )
                cells.append(", ".join([errors, *extra]))
            rows.append([f"order errors in 1,000 pairs, {label}", *cells])
        for key, text in (("median_us", "median"), ("p99_us", "99 %"), ("worst_us", "worst")):
            cells = [
                f"{one['stamp_error'][key]:,.1f} µs" if one and one["stamp_error"][key] is not None else ""
                for one in shown
            ]
            rows.append([f"stamp after the true time, {text}{when}", *cells])
        rows.append(
            [f"presses that never were{when}", *(str(one["extra_presses"]) if one else "" for one in shown)]
        )
    for name, text in (("burst", "burst"), ("stopped", "burst, reader stopped for 100 ms")):
        cells = []
        for way in result["ways"].values():
            one = way.get(name)
            if one is None:
                cells.append("")
                continue
            lost = one["sent"] - one["came"]
            said = "" if one["said_lost"] is None else f" ({one['said_lost']} said)"
            cells.append(f"{lost} of {one['sent']:,} at {one['per_s']:,}/s{said}")
        rows.append([f"edges lost, {text}", *cells])
    for name, way in result["ways"].items():
        if "rulings" in way:
            one = way["rulings"]
            worst = max(one["differ"].values())
            cell = f"{worst} of {one['pairs']} ({one['tied']} tied)"
            label = "rulings of our referee that load, or late and shuffled delivery, changes"
            rows.append([label, *(cell if name == other else "" for other in names)])
    lines = ["| | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def measure(
    root: Path, work: Path, *, short: bool, ours: bool, others: bool = False, timeout_s: int
) -> dict[str, Any]:
    """Build, boot and measure; ``MissingError`` says what is not there, ``FailedError`` why nothing came of it.

    ``ours``, ``others``: only these ways.
    """
    for tool in ("qemu-system-x86_64", "gcc", "make", "xz", "ldd"):
        if shutil.which(tool) is None:
            raise MissingError(f"no {tool}")
    packages = OURS if ours else (*OURS, *OTHERS)
    for package in packages:
        find_package(package)
    work = work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    image, release = kernel(root)
    sim = gpio_sim(root, release, work)
    configfs = module(root, release, "configfs", work)
    if configfs is None:
        raise MissingError(f"no configfs in {root}/lib/modules/{release}")
    presser = work / "presser"
    subprocess.run(["gcc", "-O2", "-static", "-o", presser, HERE / "presser.c"], check=True)
    ramdisk = initramfs(work, configfs, sim, presser, packages)
    print(f"kernel {release}, initramfs {os.path.getsize(ramdisk) / 1e6:.0f} MB", file=sys.stderr)
    words = [word for word, wanted in (("short", short), ("ours", ours), ("others", others)) if wanted]
    return boot(image, ramdisk, words, timeout_s)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measures four ways of reading buttons on a simulated GPIO chip."
    )
    parser.add_argument("--short", action="store_true", help="fewer presses, only our ways under load")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--ours", action="store_true", help="only our two ways (needs no lgpio)")
    only.add_argument("--others", action="store_true", help="only gpiozero's two ways")
    only.add_argument(
        "--show",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="measure nothing: the table of kept results, side by side",
    )
    parser.add_argument("--json", type=Path, help="keep the result in this file")
    parser.add_argument("--root", type=Path, default=Path("/"), help="where kernel and source packages lie")
    parser.add_argument(
        "--work", type=Path, default=HERE / "build", help="where to build (kept between runs)"
    )
    parser.add_argument(
        "--timeout", type=int, default=3600, metavar="S", help="give up after so many seconds"
    )
    given = parser.parse_args()
    if given.show:
        kept = [json.loads(path.read_text()) for path in given.show]
        print(table({"ways": {name: way for one in kept for name, way in one["ways"].items()}}))
        return 0
    try:
        result = measure(
            given.root,
            given.work,
            short=given.short,
            ours=given.ours,
            others=given.others,
            timeout_s=given.timeout,
        )
    except MissingError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except FailedError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if given.json:
        given.json.write_text(json.dumps(result, indent=1) + "\n")
    print(table(result))
    if not result["complete"]:
        print(f"bench: not all was measured within {given.timeout} s", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
