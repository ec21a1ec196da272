"""Telling systemd that the table runs and lives: a datagram to the socket that it names (sd_notify's protocol)."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

ALIVE_NS = 2_000_000_000
"""So often it is told that the table lives; the unit's WatchdogSec is ten times as long."""


class Notifier:
    """Speaks to systemd where it listens; does nothing elsewhere."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        address = environ.get("NOTIFY_SOCKET", "")
        self._socket: socket.socket | None = None
        self._told_ns: int | None = None
        if address.startswith(("/", "@")):
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            # An abstract socket's name begins with a zero byte, which is written "@".
            self._address = "\0" + address[1:] if address.startswith("@") else address

    def alive(self, now_ns: int) -> None:
        """The table has just worked something off; the first time it is ready."""
        if self._told_ns is None:
            self._send("READY=1\nWATCHDOG=1")
        elif now_ns - self._told_ns < ALIVE_NS:
            return
        else:
            self._send("WATCHDOG=1")
        self._told_ns = now_ns

    def close(self) -> None:
        """The table ends."""
        self._send("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, text: str) -> None:
        if self._socket is not None:
            try:
                self._socket.sendto(text.encode(), self._address)
            except OSError:
                return  # systemd is busy or gone; the next one will do
