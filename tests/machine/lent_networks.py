"""Runs the detector's networks for an emulated machine, whose processor would take minutes for a picture.

A message, either way, is its length in four bytes and then so many: a network's file name, a line feed and a batch in
NumPy's format; the outputs as an archive of NumPy's.
"""

from __future__ import annotations

import io
import socket
from threading import Thread
from typing import BinaryIO, Final

import numpy as np

from table.detection.indices.onnx_inference import Network
from tests.machine.image import PROJECT

WEIGHTS: Final = PROJECT / "table" / "detection" / "weights"


class NetworkLender:
    """Answers over a connection to the machine until it ends."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._networks: dict[str, Network] = {}
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        self._thread.join()

    def _serve(self) -> None:
        with self._connection.makefile("rb") as messages:
            while message := _read_message(messages):
                name, _, batch = message.partition(b"\n")
                outputs = self._find(name.decode())(np.load(io.BytesIO(batch)))
                reply = io.BytesIO()
                np.savez(reply, *outputs)
                self._connection.sendall(len(reply.getvalue()).to_bytes(4, "big") + reply.getvalue())

    def _find(self, name: str) -> Network:
        if name not in self._networks:
            self._networks[name] = Network(WEIGHTS / name)
        return self._networks[name]


def _read_message(messages: BinaryIO) -> bytes:
    """Return the next message; nothing at the connection's end."""
    try:
        return messages.read(int.from_bytes(messages.read(4), "big"))
    except OSError:
        return b""
