"""Stands in for onnxruntime in an emulated machine: the bench runs the networks (tests/machine/lent_networks.py).

Has what ``table.detection.indices.onnx_inference`` uses of it.
"""

from __future__ import annotations

import io
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

ADDRESS = "/run/bench-networks"


class SessionOptions:
    """Options, which are of no meaning here."""


class InferenceSession:
    """A network file, of which the bench has the like."""

    def __init__(self, path: str, options: SessionOptions, providers: list[str]) -> None:
        """``options`` and ``providers`` are the bench's own."""
        self._name = Path(path).name
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(ADDRESS)
        self._replies = self._socket.makefile("rb")

    def get_inputs(self) -> list[SimpleNamespace]:
        """Return the network's inputs."""
        return [SimpleNamespace(name="batch")]

    def run(self, _: object, inputs: dict[str, NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """Run the network on a batch and return its outputs in order."""
        [batch] = inputs.values()
        request: Any = io.BytesIO()
        np.save(request, batch)
        message = self._name.encode() + b"\n" + request.getvalue()
        self._socket.sendall(len(message).to_bytes(4, "big") + message)
        reply = self._replies.read(int.from_bytes(self._replies.read(4), "big"))
        outputs = np.load(io.BytesIO(reply))
        return [outputs[name] for name in outputs.files]

    def close(self) -> None:
        """Close the connection to the bench."""
        self._replies.close()
        self._socket.close()
