"""The machine's disk: Debian's packages, and the product set up in them by ``systemd/setup.sh`` as on a Pi.

Needs root (packages are unpacked and ``setup.sh`` runs in a chroot) and Debian's packages :data:`NEEDED`.
Each stage is kept in the cache folder under a hash of what it is made of, so that a change of the product
builds neither the system nor the wheels anew. The product is the last commit of this checkout.

What differs from a Pi: the processor (amd64; ``dpkg`` says arm64 to ``setup.sh``), the packages of Raspberry Pi OS
that Debian lacks (``python3-picamera2``), the kernel (the host's, with ``gpio-sim``), and :data:`FILES`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from hardware.bench import host

HERE: Final = Path(__file__).resolve().parent
PROJECT: Final = HERE.parent.parent
NEEDED: Final = (
    "qemu-system-x86 mmdebstrap e2fsprogs dosfstools kmod busybox-static gcc make xz-utils linux-image-amd64 "
    "linux-headers-amd64 linux-source"
)
TOOLS: Final = (
    "qemu-system-x86_64",
    "mmdebstrap",
    "mke2fs",
    "debugfs",
    "e2fsck",
    "dumpe2fs",
    "tune2fs",
    "mkfs.vfat",
    "modprobe",
    "busybox",
    "git",
)
SUITE: Final = "bookworm"
PACKAGES: Final = (
    "systemd-sysv udev dbus kmod e2fsprogs ca-certificates python3 python3-venv git make "
    "libdrm2 libgbm1 libegl1 libgles2 libgl1-mesa-dri"
)
"""A bare system with what ``setup.sh`` installs (less ``python3-picamera2``)."""
PYTHON: Final = "3.11"
PLATFORMS: Final = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
DISK_MIB: Final = 2560
DISK_MODULES: Final = ("virtio_pci", "virtio_blk", "ext4", "crc32c_generic")
MODULES: Final = (
    "virtio_console",
    "virtio_gpu",
    "evdev",
    "configfs",
    "button",
    "xhci_pci",
    "usb_storage",
    "sd_mod",
    "vfat",
    "nls_cp437",
    "nls_ascii",
)
GPIO_CHIP: Final = "/sys/kernel/config/gpio-sim/table"
INIT: Final = """#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t devtmpfs none /dev
{insert}
/bin/busybox mount -o ro /dev/vda /root
/bin/busybox umount /proc
/bin/busybox mount --move /dev /root/dev
exec /bin/busybox switch_root /root /sbin/init
"""
FILES: Final = {
    "etc/fstab": "/dev/vda / ext4 defaults,noatime 0 1\n",
    "etc/hostname": "table\n",
    "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
    # Raspberry Pi OS has this rule and the group in its package raspberrypi-sys-mods.
    "etc/udev/rules.d/99-com.rules": 'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"\n',
    "etc/modules-load.d/bench.conf": "\n".join((*MODULES, "gpio-sim")) + "\n",
    "etc/systemd/journald.conf.d/bench.conf": "[Journal]\nStorage=persistent\n",
    "etc/systemd/system/bench-buttons.service": f"""[Unit]
Description=Simulated GPIO lines, named like those of a Raspberry Pi 4
After=systemd-modules-load.service sys-kernel-config.mount
Requires=sys-kernel-config.mount
Before=cardtable.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -ec 'mkdir -p {GPIO_CHIP}/bank; cd {GPIO_CHIP}; \
    echo 32 >bank/num_lines; echo pinctrl-bcm2711 >bank/label; echo 1 >live'
[Install]
WantedBy=multi-user.target
""",
    "etc/systemd/system/bench-agent.service": """[Unit]
Description=Does what the bench asks for
DefaultDependencies=no
After=systemd-remount-fs.service systemd-modules-load.service
[Service]
ExecStart=/usr/bin/python3 -S /usr/local/lib/bench-agent.py
Restart=always
RestartSec=1
[Install]
WantedBy=sysinit.target
""",
}
"""What the bench puts on the disk besides."""
PICAMERA2: Final = "class Picamera2:\n    def global_camera_info():\n        return []\n"
"""What Raspberry Pi OS has, which finds no camera where none is connected."""
SITE_PACKAGES: Final = f"opt/cardtable/.venv/lib/python{PYTHON}/site-packages"
GUEST_FILES: Final = {
    "agent.py": "usr/local/lib/bench-agent.py",
    "guest_onnxruntime.py": "usr/local/lib/bench/onnxruntime.py",
}
"""What of this package runs in the machine."""
LEND_NETWORKS: Final = "import sys; sys.path.insert(0, '/usr/local/lib/bench')\n"
"""A line of Python's path, by which it finds the bench's onnxruntime before the real one."""
MASKED: Final = (
    "apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service "
    "fstrim.timer systemd-update-utmp.service systemd-update-utmp-runlevel.service systemd-pstore.service"
)
"""Units that cost an emulated processor time and that no table needs."""
FAKES: Final = {
    # What setup.sh would install is there already.
    "apt-get": "exit 0",
    "dpkg": 'case "$1" in --print-architecture) echo arm64 ;; *) exec /usr/bin/dpkg "$@" ;; esac',
}
"""Commands that ``setup.sh`` finds before the system's."""
SET_UP_ENVIRON: Final = {
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": "/root/wheels",
    # What the Makefile adds on a Raspberry Pi: the kernel's own way to its GPIO lines.
    "MAKEFLAGS": "-- PI=[pi]",
}
"""For ``setup.sh``, which finds Python's packages on the disk."""
CLOUD_INIT: Final = "cloud-init"
SEED: Final = "var/lib/cloud/seed/nocloud"
ORIGIN: Final = "/root/origin"
""":data:`USER_DATA`'s repository on a disk that installs itself."""
USER_DATA: Final = PROJECT / "systemd" / "user-data"


class Image(NamedTuple):
    """What QEMU boots; ``disk`` is for copying, not for booting."""

    kernel: Path
    initrd: Path
    disk: Path


def default_cache() -> Path:
    """Return the folder in which what was built is kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cardtable-machine"


def find_missing_tools(tools: Iterable[str], packages: str) -> str:
    """Return which ``tools`` this machine lacks and the packages that have them; nothing if it lacks none."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return f"no {', '.join(missing)}: expected Debian's {packages}" if missing else ""


def require_tools() -> None:
    """Raise ``MissingError`` where an image can't be built, or not be run."""
    missing = find_missing_tools(TOOLS, NEEDED)
    if missing:
        raise host.MissingError(missing)
    if os.geteuid() != 0:
        raise host.MissingError("not root: mmdebstrap and chroot need it")


def build_image(cache: Path, report: Callable[[str], None], *, installs_itself: bool = False) -> Image:
    """Return the image of the last commit, built as far as ``cache`` lacks it; ``MissingError`` says what is needed.

    With ``installs_itself`` it is a card as the Imager leaves it: ``systemd/user-data`` is still to be done.
    """
    require_tools()
    cache.mkdir(parents=True, exist_ok=True)
    kernel, release = host.kernel(Path("/"))
    packages = f"{PACKAGES} {CLOUD_INIT}" if installs_itself else PACKAGES
    kind = "bare-" if installs_itself else ""
    base = _cached(cache, f"{kind}base.tar", [SUITE, packages], lambda to: _make_base(packages, to), report)
    wheels = _cached(cache, "wheels", _wheel_arguments(), _download_wheels, report)
    modules = _cached(cache, "modules", [release, *DISK_MODULES, *MODULES], _make_modules, report)
    initrd = _cached(
        cache, "initrd", [release, INIT, modules.name], lambda to: _make_initrd(release, to), report
    )
    commit = run_command("git", "-C", PROJECT, "rev-parse", "HEAD").strip()
    parts = [base.name, wheels.name, modules.name, commit, Path(__file__).read_text()]
    parts += [(HERE / name).read_text() for name in GUEST_FILES]
    set_up = _leave_to_cloud_init if installs_itself else _set_up
    disk = _cached(
        cache, f"{kind}disk", parts, lambda to: _make_disk(base, wheels, modules, set_up, to), report
    )
    return Image(kernel, initrd, disk)


def _cached(
    cache: Path, name: str, parts: Iterable[str], make: Callable[[Path], None], report: Callable[[str], None]
) -> Path:
    """Return the file or folder that ``make`` makes of ``parts``; older ones of this name are removed."""
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    target = cache / f"{name}.{digest}"
    if not target.exists():
        report(f"building {target.name}")
        unfinished = cache / f"unfinished-{name}"
        _remove(unfinished)
        make(unfinished)
        unfinished.rename(target)
        for old in cache.glob(f"{name}.*"):
            if old != target:
                _remove(old)
    return target


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def run_command(*command: str | Path, environ: dict[str, str] | None = None, ok: Sequence[int] = (0,)) -> str:
    """Run a command and return what it printed; ``FailedError`` has the end of what it complained of."""
    done = subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )
    if done.returncode not in ok:
        words = " ".join(map(str, command))
        raise host.FailedError(f"{words}: status {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


# --- stages -----------------------------------------------------------------------------------------------


def _make_base(packages: str, target: Path) -> None:
    include = f"--include={','.join(packages.split())}"
    run_command("mmdebstrap", "--quiet", "--variant=minbase", "--format=tar", include, SUITE, target)


def _wheel_arguments() -> list[str]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    needed = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["pi"],
        *project["build-system"]["requires"],
    ]
    pins = PROJECT / ".ci" / f"constraints-{PYTHON}.txt"
    # The hash is of the pins, not of their path.
    pinned = [line for line in pins.read_text().splitlines() if line and not line.startswith("#")]
    return [*needed, "--", *pinned]


def _download_wheels(target: Path) -> None:
    arguments = _wheel_arguments()
    needed, pins = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    with TemporaryDirectory() as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("\n".join(pins))
        platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:"]
        command += ["--python-version", PYTHON, *platforms, "--constraint", str(constraints)]
        run_command(*command, "--dest", target, *needed)


def _module_files(release: str, names: Sequence[str]) -> list[Path]:
    """The files of modules and of what they need, in the order in which they can be loaded."""
    lines = run_command("modprobe", "--set-version", release, "--show-depends", "--all", *names).splitlines()
    return list(dict.fromkeys(Path(line.split()[1]) for line in lines if line.startswith("insmod ")))


def _make_modules(target: Path) -> None:
    """A folder with ``lib/modules/RELEASE``: what the machine loads, ``gpio-sim`` among it."""
    _, release = host.kernel(Path("/"))
    folder = target / "lib" / "modules" / release
    folder.mkdir(parents=True)
    for file in _module_files(release, (*DISK_MODULES, *MODULES)):
        shutil.copy(file, folder)
    with TemporaryDirectory() as work:
        shutil.copy(host.gpio_sim(Path("/"), release, Path(work)), folder)
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        shutil.copy(Path("/lib/modules") / release / name, folder)
    run_command("depmod", "--basedir", target, release)


def _make_initrd(release: str, target: Path) -> None:
    archive = host.Archive()
    for name in ("proc", "dev", "root"):
        archive.add(name, 0o40755)
    archive.file("bin/busybox", Path(shutil.which("busybox") or ""))
    files = _module_files(release, DISK_MODULES)
    for file in files:
        archive.file(file.name, file)
    insert = "\n".join(f"/bin/busybox insmod /{file.name}" for file in files)
    archive.add("init", 0o100755, INIT.format(insert=insert).encode())
    target.write_bytes(archive.bytes())


def _make_disk(
    base: Path, wheels: Path, modules: Path, set_up: Callable[[Path, Path], None], target: Path
) -> None:
    with TemporaryDirectory(dir=target.parent) as folder:
        root = Path(folder)
        root.chmod(0o755)
        run_command("tar", "-C", root, "-xf", base)
        for name, body in FAKES.items():
            _write(root / "usr/local/bin" / name, f"#!/bin/sh\n{body}\n", 0o755)
        _write(root / "boot/firmware/config.txt", "# the system's own\n")
        run_command("chroot", root, "groupadd", "--system", "gpio")
        set_up(root, wheels)
        for name, text in FILES.items():
            _write(root / name, text)
        for name, path in GUEST_FILES.items():
            _write(root / path, (HERE / name).read_text())
        shutil.copytree(modules, root, dirs_exist_ok=True)
        run_command(
            "chroot", root, "systemctl", "enable", "--quiet", "bench-agent.service", "bench-buttons.service"
        )
        run_command("chroot", root, "systemctl", "mask", "--quiet", *MASKED.split())
        (root / "srv/camera").mkdir()
        (root / "etc/cardtable").mkdir(exist_ok=True)
        (root / "etc/cardtable/video.mp4").symlink_to("/srv/camera/video.mp4")
        make_file_system(root, target, DISK_MIB)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def _set_up(root: Path, wheels: Path) -> None:
    """Run ``systemd/setup.sh`` of a clone of this checkout in the root, as on a Pi after a ``git clone``."""
    _clone(root / "root/cardtable")
    shutil.copytree(wheels, root / "root/wheels")
    environ = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", **SET_UP_ENVIRON}
    run_command("chroot", root, "sh", "/root/cardtable/systemd/setup.sh", environ=environ)
    _write(root / SITE_PACKAGES / "picamera2.py", PICAMERA2)
    for name in ("wheels", "cardtable"):
        shutil.rmtree(root / "root" / name)


def _leave_to_cloud_init(root: Path, wheels: Path) -> None:
    """Put ``systemd/user-data`` where cloud-init looks for it, and what it would fetch onto the disk."""
    _clone(root / ORIGIN.lstrip("/"))
    shutil.copytree(wheels, root / "root/wheels")
    words = "".join(f'Environment="{name}={value}"\n' for name, value in SET_UP_ENVIRON.items())
    _write(root / "etc/systemd/system/cloud-final.service.d/bench.conf", f"[Service]\n{words}")
    [address] = [line.split()[3] for line in USER_DATA.read_text().splitlines() if "git clone" in line]
    _write(root / SEED / "user-data", USER_DATA.read_text().replace(address, ORIGIN))
    _write(root / SEED / "meta-data", "instance-id: bench\n")


def _clone(target: Path) -> None:
    run_command("git", "clone", "--quiet", "--depth", "1", f"file://{PROJECT}", target)


# --- files on a disk that isn't running -------------------------------------------------------------------


def copy_disk(disk: Path, target: Path) -> None:
    """Copy a disk, its holes as holes."""
    run_command("cp", "--sparse=always", "--reflink=auto", disk, target)


def make_file_system(folder: Path, target: Path, mib: int) -> None:
    """Make a disk with what is in a folder."""
    run_command("truncate", "--size", f"{mib}M", target)
    run_command("mke2fs", "-q", "-t", "ext4", "-d", folder, target)


def make_disk(image: Image, target: Path, *, lends_networks: bool) -> None:
    """Make a disk to boot from; with ``lends_networks`` the bench runs the table's networks (lent_networks.py)."""
    copy_disk(image.disk, target)
    if lends_networks:
        put_file(target, f"/{SITE_PACKAGES}/bench.pth", LEND_NETWORKS.encode())


def put_file(disk: Path, path: str, data: bytes, mode: int = 0o644) -> None:
    """Write a file, root's, onto a disk that isn't running; its folder exists."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "file"
        source.write_bytes(data)
        source.chmod(mode)
        # (A file that isn't there yet can't be removed, which debugfs only says.)
        for command in (f"rm {path}", f"write {source} {path}"):
            run_command("debugfs", "-w", "-R", command, disk)
    if get_file(disk, path) != data:
        raise host.FailedError(f"{path}: could not be written onto {disk}")


def get_file(disk: Path, path: str) -> bytes:
    """Return a file of a disk that isn't running; ``FailedError`` if it isn't there."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "file"
        run_command("debugfs", "-R", f"dump {path} {target}", disk)
        if not target.exists():
            raise host.FailedError(f"{path}: not on {disk}")
        return target.read_bytes()


def list_folder(disk: Path, path: str) -> list[str]:
    """Return the names in a folder of a disk that isn't running; none if there is no such folder."""
    rows = run_command("debugfs", "-R", f"ls -p {path}", disk).splitlines()
    return [row.split("/")[5] for row in rows if row.startswith("/") and row.split("/")[5] not in (".", "..")]


def repair_disk(disk: Path) -> str:
    """Replay the journal of a disk and repair what needs no question, as at boot; ``FailedError`` if more is needed."""
    return run_command("e2fsck", "-p", disk, ok=(0, 1))


def check_disk(disk: Path) -> None:
    """Check the whole file system and change nothing; ``FailedError`` says what is wrong."""
    run_command("e2fsck", "-f", "-n", disk)
