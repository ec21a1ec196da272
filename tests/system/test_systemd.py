"""systemd is told that the table is ready, lives and ends."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from table.system.systemd import ALIVE_NS, Notifier


def test_systemd_hears_ready_then_signs_of_life_then_the_end(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(path)
        systemd.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": path})
        notifier.notify_alive(4)
        with pytest.raises(BlockingIOError):  # what was processed first is not on the screen yet
            systemd.recv(100)
        for now_ns in (5, 6, ALIVE_NS + 4, ALIVE_NS + 5, ALIVE_NS + 6):
            notifier.notify_alive(now_ns)
        notifier.close()
        heard = [systemd.recv(100).decode() for _ in range(3)]
    assert heard == ["READY=1\nWATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


def test_an_abstract_socket_is_reached() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind("")  # the kernel chooses an abstract name
        systemd.setblocking(False)
        notifier = Notifier({"NOTIFY_SOCKET": "@" + systemd.getsockname()[1:].decode()})
        notifier.notify_alive(0)
        notifier.notify_alive(1)
        assert systemd.recv(100).startswith(b"READY=1")
        notifier.close()


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    for environ in ({}, {"NOTIFY_SOCKET": str(tmp_path / "gone")}, {"NOTIFY_SOCKET": "vsock:2:1234"}):
        notifier = Notifier(environ)
        notifier.notify_alive(0)
        notifier.notify_alive(1)
        notifier.close()
