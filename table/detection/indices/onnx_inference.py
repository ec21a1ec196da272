"""The inference runtime (onnxruntime), which only this module knows; others use networks as functions on arrays.

It runs on one thread (the table has other things to do); another runtime (ncnn on a Raspberry Pi) needs another class
with the same `__call__`.
"""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from table.errors import TableError


class Network:
    """A network file loaded for inference."""

    def __init__(self, path: Path) -> None:
        """Load the network.

        Raises:
            TableError: the file is missing or is no network.
        """
        if not path.is_file():
            raise TableError("weights.none", at=path)
        # onnxruntime reads this at its first import; its own call to disable telemetry leaves a device's id behind.
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"
        import onnxruntime  # loaded late: commands that read no picture need not wait for it

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime's own exceptions share no base class
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise TableError("weights.no_network", at=path, error=first) from None
        self._input: str = self._session.get_inputs()[0].name
        self._path = path

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of the network's file; a fit to one network is invalid for others."""
        return hashlib.sha256(self._path.read_bytes()).hexdigest()[:16]

    def __call__(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Run the network on (N, 3, H, W) and return its outputs in order."""
        outputs = self._session.run(None, {self._input: batch})
        return [np.asarray(output, dtype=np.float32) for output in outputs]
