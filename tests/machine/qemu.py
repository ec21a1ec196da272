"""A running machine: QEMU with a disk whose power can be cut, a screen, simulated buttons and the bench's agent."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Self

from hardware.bench import host
from tests.machine.disk import Disk
from tests.machine.image import Image
from tests.machine.lent_networks import NetworkLender

SCREEN: Final = (1280, 720)
MEMORY_MIB: Final = 1536
PROBE_S: Final = 10
"""Where a kernel starts by KVM at all it takes 2 s; a nested KVM can be slower than no KVM, or never come up."""
POLL_S: Final = 2.0
"""Seldom: an emulated processor is busy for a second with each command that is run on it."""
MONITOR_S: Final = 60
COUNT_INSTRUCTIONS: Final = ("-icount", "shift=0,align=off,sleep=on")
"""An emulated processor's time: a nanosecond an instruction, about as on a Raspberry Pi 4, however long that takes."""
KERNEL_WORDS: Final = (
    "root=/dev/vda console=ttyS0 console=tty1 quiet fsck.repair=yes panic=-1 mitigations=off"
)
PROBE_INIT: Final = "#!/bin/busybox sh\n/bin/busybox poweroff -f\n"


def choose_accelerator(kernel: Path, work: Path) -> str:
    """Return ``kvm`` where a kernel starts by it within :data:`PROBE_S`, else ``tcg``."""
    archive = host.Archive()
    archive.add("dev", 0o40755)
    archive.file("bin/busybox", Path("/bin/busybox"))
    archive.add("init", 0o100755, PROBE_INIT.encode())
    initrd = work / "probe"
    initrd.write_bytes(archive.bytes())
    command = [
        "qemu-system-x86_64",
        "-machine",
        "pc,accel=kvm",
        "-m",
        "256",
        "-nodefaults",
        "-display",
        "none",
    ]
    command += ["-no-reboot", "-kernel", str(kernel), "-initrd", str(initrd), "-append", "quiet panic=-1"]
    with suppress(subprocess.SubprocessError):
        subprocess.run(command, timeout=PROBE_S, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        return "kvm"
    return "tcg"


class JsonLines:
    """Messages over a socket, one JSON object a line."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._received = connection.makefile("rb")

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, timeout_s: float) -> dict[str, Any]:
        """Return the next message; ``TimeoutError`` if none comes, ``EOFError`` at the connection's end."""
        self._socket.settimeout(timeout_s)
        line = self._received.readline()
        if not line:
            raise EOFError
        return dict(json.loads(line))

    def close(self) -> None:
        """Close the connection."""
        self._received.close()
        self._socket.close()


class Machine:
    """A machine that is switched on; a context manager, which switches it off without losing what it wrote.

    ``camera`` is a second disk, which it can only read.
    ``work`` is for its sockets and logs; ``date`` is what its battery clock says (UTC, as ``2026-01-01T20:00:00``).
    """

    def __init__(
        self,
        image: Image,
        disk: Path,
        work: Path,
        *,
        accelerator: str,
        seed: int = 0,
        date: str = "",
        kernel_words: str = "",
        camera: Path | None = None,
    ) -> None:
        self.work = work
        self.console = work / "console.log"
        self.started_s = time.monotonic()
        self._addresses = {name: work / f"{name}.socket" for name in ("disk", "agent", "networks", "monitor")}
        for address in self._addresses.values():
            address.unlink(missing_ok=True)
        self.disk = Disk(disk, self._addresses["disk"], Random(seed))
        monitor = self._addresses["monitor"]
        drive = f"if=none,id=disk,format=raw,file.driver=nbd,file.server.type=unix,file.server.path={self.disk.address}"
        command = ["qemu-system-x86_64", "-machine", f"pc,accel={accelerator}", "-cpu", "max"]
        command += COUNT_INSTRUCTIONS if accelerator == "tcg" else ()
        command += ["-m", str(MEMORY_MIB), "-smp", "1", "-nodefaults", "-display", "none", "-no-reboot"]
        command += ["-drive", drive, "-device", "virtio-blk-pci,drive=disk,write-cache=on"]
        command += ["-device", f"virtio-gpu-pci,xres={SCREEN[0]},yres={SCREEN[1]}"]
        command += ["-device", "virtio-serial-pci"]
        for name, port in (("agent", "bench"), ("networks", "networks")):
            command += ["-chardev", f"socket,id={name},path={self._addresses[name]},server=on,wait=off"]
            command += ["-device", f"virtserialport,chardev={name},name={port}"]
        command += ["-device", "qemu-xhci"]
        command += ["-qmp", f"unix:{monitor},server=on,wait=off", "-serial", f"file:{self.console}"]
        command += ["-rtc", f"base={date or 'utc'}"]
        if camera is not None:
            command += ["-drive", f"if=none,id=camera,format=raw,readonly=on,file={camera.resolve()}"]
            command += ["-device", "virtio-blk-pci,drive=camera"]
        command += ["-kernel", str(image.kernel), "-initrd", str(image.initrd), "-append"]
        command += [f"{KERNEL_WORDS} {kernel_words}".rstrip()]
        self._command = command
        self._messages = work / "qemu.log"

    def __enter__(self) -> Self:
        self.disk.__enter__()
        self.started_s = time.monotonic()
        with self._messages.open("wb") as messages:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=messages, stderr=subprocess.STDOUT
            )
        try:
            self._agent = JsonLines(self._connect("agent"))
            self._networks = NetworkLender(self._connect("networks"))
            self._monitor = JsonLines(self._connect("monitor"))
            self._receive(self._monitor, MONITOR_S)
            self._ask_monitor("qmp_capabilities")
        except BaseException:
            self.__exit__(None)
            raise
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self.disk.__exit__()
        for name in ("_agent", "_networks", "_monitor"):
            if hasattr(self, name):
                getattr(self, name).close()

    @property
    def age_s(self) -> float:
        """Seconds since the machine was switched on."""
        return time.monotonic() - self.started_s

    def pull_plug(self) -> int:
        """Cut the power of disk and machine at once; return how many pages the disk lost."""
        self.disk.cut()
        self._process.kill()
        self._process.wait()
        return self.disk.lost_pages

    def switch_off(self, timeout_s: float = 900) -> None:
        """Shut the machine down as its menu does, and wait until it is off."""
        self.run("systemctl", "poweroff", "--no-block")
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise host.FailedError(f"not off after {timeout_s:.0f} s\n{self.last_words()}") from None

    @property
    def is_off(self) -> bool:
        """Whether the machine has switched itself off."""
        return self._process.poll() is not None

    def press_power_button(self) -> None:
        """Press the button that a Raspberry Pi has on a GPIO line; the kernel makes the same key press of it."""
        self._ask_monitor("system_powerdown")

    def plug_stick_in(self, image: Path) -> None:
        """Push a USB stick in."""
        self._ask_monitor("blockdev-add", driver="raw", **{"node-name": "stick"}, file=_file_node(image))
        self._ask_monitor("device_add", driver="usb-storage", id="stick", drive="stick", removable=True)

    def take_screenshot(self, target: Path) -> None:
        """Write what the screen shows as a PNG file."""
        self._ask_monitor("screendump", filename=str(target.resolve()), format="png")

    def run(self, *command: str, timeout_s: float = 900, ok: Sequence[int] = (0,)) -> str:
        """Run a command as root; return what it printed. ``FailedError`` for another status than ``ok``."""
        answer = self.ask({"run": command}, timeout_s)
        if answer["status"] not in ok:
            raise host.FailedError(
                f"{' '.join(command)}: status {answer['status']}\n{answer['output'][-2000:]}"
            )
        return str(answer["output"])

    def wait_for(self, is_so: Callable[[], bool], what: str, timeout_s: float) -> float:
        """Wait until something is so; return :attr:`age_s`. ``FailedError`` if it takes longer."""
        end_s = time.monotonic() + timeout_s
        while not is_so():
            if time.monotonic() > end_s:
                raise host.FailedError(f"{what}: not within {timeout_s:.0f} s\n{self.last_words()}")
            time.sleep(POLL_S)
        return self.age_s

    def last_words(self) -> str:
        """Return the end of what the machine and QEMU said."""
        paths = [path for path in (self.console, self._messages) if path.exists()]
        return "\n".join(path.read_text(errors="replace")[-2000:] for path in paths)

    def ask(self, request: dict[str, Any], timeout_s: float) -> dict[str, Any]:
        """Have the agent do something; the first answer comes once it runs."""
        self._agent.send(request)
        answer = self._receive(self._agent, timeout_s)
        if "error" in answer:
            raise host.FailedError(f"the agent: {answer['error']}")
        return answer

    def _ask_monitor(self, command: str, **arguments: object) -> dict[str, Any]:
        self._monitor.send({"execute": command, "arguments": arguments})
        while True:  # events come in between
            answer = self._receive(self._monitor, MONITOR_S)
            if "error" in answer:
                raise host.FailedError(f"QEMU's monitor: {answer['error']['desc']}")
            if "return" in answer:
                return dict(answer["return"])

    def _connect(self, name: str) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        for _ in range(100):
            with suppress(OSError):
                connection.connect(str(self._addresses[name]))
                return connection
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        connection.close()
        raise host.FailedError(f"QEMU does not start\n{self.last_words()}")

    def _receive(self, connection: JsonLines, timeout_s: float) -> dict[str, Any]:
        try:
            return connection.receive(timeout_s)
        except TimeoutError:
            raise host.FailedError(f"no answer within {timeout_s:.0f} s\n{self.last_words()}") from None
        except (EOFError, OSError):
            raise host.FailedError(f"the machine is gone\n{self.last_words()}") from None


def _file_node(path: Path) -> dict[str, str]:
    return {"driver": "file", "filename": str(path.resolve())}
