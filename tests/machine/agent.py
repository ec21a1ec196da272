"""Runs in the machine, by Debian's Python alone: does what the bench asks for over a serial port.

One JSON object a line in, one out. ``{"run": [...]}`` runs a command and answers ``{"status", "output"}``.
``{"pull": [[after_ms, line, level], ...]}`` pulls lines of the simulated GPIO chip (0: to ground, a button pressed),
each so many milliseconds after the one before, and answers with the monotonic time of each in nanoseconds.
"""

from __future__ import annotations

import glob
import json
import subprocess
import time
from typing import Any

PORTS = "/sys/class/virtio-ports/*/name"
PORT_NAME = "bench"


def find_port() -> str:
    """Return the device of the bench's port, once the kernel has it."""
    while True:
        for name in glob.glob(PORTS):
            with open(name, encoding="ascii") as file:
                if file.read().strip() == PORT_NAME:
                    return "/dev/" + name.split("/")[-2]
        time.sleep(0.2)


def pull(steps: list[list[int]]) -> list[int]:
    """Pull lines one after the other."""
    times = []
    for after_ms, line, level in steps:
        [file_name] = glob.glob(f"/sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio{line}/pull")
        time.sleep(after_ms / 1000)
        with open(file_name, "w", encoding="ascii") as file:
            times.append(time.monotonic_ns())
            file.write("pull-up" if level else "pull-down")
    return times


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Do what was asked for."""
    if "pull" in request:
        return {"times": pull(request["pull"])}
    done = subprocess.run(
        request["run"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return {"status": done.returncode, "output": done.stdout.decode(errors="replace")}


def main() -> None:
    """Answer until the machine stops."""
    with open(find_port(), "r+b", buffering=0) as port:
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
