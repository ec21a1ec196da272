"""Runs in the machine, by Debian's Python alone: does what the bench asks for over a serial port.

One JSON object a line in, one out. Times are of the machine's monotonic clock, in nanoseconds.

``{"run": [...]}`` runs a command and answers ``{"status", "output"}``.
``{"pull": [[time, line, level], ...]}`` has lines of the simulated GPIO chip pulled at these times (0: to ground, a
button pressed), and answers at once.
``{"wait_until": time}`` answers then.
``{"opened": path}`` answers when a file has been opened: ``{"times": [...]}``, since this was asked for the first time.
"""

from __future__ import annotations

import ctypes
import glob
import json
import os
import socket
import subprocess
import threading
import time
from io import FileIO
from typing import Any

PORTS = "/sys/class/virtio-ports/*/name"
NETWORKS = "/run/bench-networks"
IN_OPEN = 0x20
opened: dict[str, list[int]] = {}


def open_port(port_name: str) -> FileIO:
    """Return one of the bench's ports, once the kernel has it."""
    while True:
        for name in glob.glob(PORTS):
            with open(name, encoding="ascii") as file:
                if file.read().strip() == port_name:
                    return open("/dev/" + name.split("/")[-2], "r+b", buffering=0)
        time.sleep(0.2)


def pull(steps: list[list[int]]) -> None:
    """Pull lines one after the other, however busy the machine is."""
    [chip] = glob.glob("/sys/devices/platform/gpio-sim.*/gpiochip*")
    lines = {line for _, line, _ in steps}
    files = {line: os.open(f"{chip}/sim_gpio{line}/pull", os.O_WRONLY) for line in lines}
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    for time_ns, line, level in steps:
        wait_until(time_ns)
        os.pwrite(files[line], b"pull-up" if level else b"pull-down", 0)


def wait_until(time_ns: int) -> None:
    """Wait until then."""
    time.sleep(max(0, time_ns - time.monotonic_ns()) / 1e9)


def watch(path: str) -> None:
    """Note each time at which a file is opened, once it is there, as inotify(7) tells."""
    libc = ctypes.CDLL(None)
    descriptor = libc.inotify_init1(os.O_CLOEXEC)
    while libc.inotify_add_watch(descriptor, os.fsencode(path), IN_OPEN) < 0:
        time.sleep(0.1)
    times = opened[path] = []

    def note() -> None:
        while os.read(descriptor, 4096):
            times.append(time.monotonic_ns())

    threading.Thread(target=note, daemon=True).start()


def lend_networks() -> None:
    """Relay messages between the table and the bench, which runs the networks for it."""
    port, lock = open_port("networks"), threading.Lock()

    def relay(client: socket.socket) -> None:
        with client, client.makefile("rb") as messages:
            while header := messages.read(4):
                message = memoryview(header + messages.read(int.from_bytes(header, "big")))
                with lock:
                    while message:
                        message = message[port.write(message) :]
                    header = read_exactly(port, 4)
                    reply = read_exactly(port, int.from_bytes(header, "big"))
                client.sendall(header + reply)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(NETWORKS)
        os.chmod(NETWORKS, 0o666)
        listener.listen()
        while True:
            threading.Thread(target=relay, args=(listener.accept()[0],), daemon=True).start()


def read_exactly(port: FileIO, size: int) -> bytes:
    """Read so many bytes of a port."""
    data = b""
    while len(data) < size:
        data += port.read(size - len(data)) or b""
    return data


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Do what was asked for."""
    if "pull" in request:
        threading.Thread(target=pull, args=(request["pull"],), daemon=True).start()
        return {}
    if "wait_until" in request:
        wait_until(request["wait_until"])
        return {}
    if "opened" in request:
        if request["opened"] not in opened:
            watch(request["opened"])
        while not opened[request["opened"]]:
            time.sleep(0.1)
        return {"times": opened[request["opened"]]}
    done = subprocess.run(
        request["run"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return {"status": done.returncode, "output": done.stdout.decode(errors="replace")}


def main() -> None:
    """Answer until the machine stops."""
    threading.Thread(target=lend_networks, daemon=True).start()
    with open_port("bench") as port:
        line = b""
        while True:
            part = port.read(4096)
            if not part:  # nobody is at the other end yet
                time.sleep(0.2)
                continue
            line += part
            while b"\n" in line:
                request, _, line = line.partition(b"\n")
                try:
                    reply = answer(json.loads(request))
                except Exception as error:  # the bench is told, whatever it is
                    reply = {"error": f"{type(error).__name__}: {error}"}
                port.write(json.dumps(reply).encode() + b"\n")


if __name__ == "__main__":
    main()
