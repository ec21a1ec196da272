"""Notifications to systemd that the table runs: datagrams to the socket that it names (sd_notify's protocol)."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

ALIVE_NS = 2_000_000_000
"""The interval of the watchdog notification; the unit's WatchdogSec is ten times as long."""


def is_service() -> bool:
    """Return whether systemd runs this process as a service that notifies it: nobody is at a terminal."""
    return "NOTIFY_SOCKET" in os.environ


class Notifier:
    """Sends notifications to systemd; does nothing where systemd does not listen."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        address = (os.environ if environ is None else environ).get("NOTIFY_SOCKET", "")
        self._socket: socket.socket | None = None
        self._sent_ns: int | None = None
        self._is_first = True
        if address.startswith(("/", "@")):
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            # An abstract socket's name begins with a zero byte, which is written "@".
            self._address = "\0" + address[1:] if address.startswith("@") else address

    def notify_alive(self, now_ns: int) -> None:
        """Notify systemd that the table has just processed something.

        The second call also says that it is ready: only then is on the screen what was processed first.
        """
        if self._is_first:
            self._is_first = False
        elif self._sent_ns is None or now_ns - self._sent_ns >= ALIVE_NS:
            self._send("READY=1\nWATCHDOG=1" if self._sent_ns is None else "WATCHDOG=1")
            self._sent_ns = now_ns

    def close(self) -> None:
        """Notify systemd that the table stops."""
        self._send("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, text: str) -> None:
        if self._socket is not None:
            with suppress(OSError):  # systemd is busy or gone; the next notification is enough
                self._socket.sendto(text.encode(), self._address)
