"""A video writer that writes nothing, in place of OpenCV's."""

from __future__ import annotations

import cv2


class FakeVideoWriter:
    """Opens, writes nothing and closes; tests override what is to fail or to take its time."""

    fourcc = staticmethod(cv2.VideoWriter.fourcc)

    def __init__(self, *_: object) -> None:
        pass

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return True

    def write(self, image: object) -> None:
        pass

    def release(self) -> None:
        pass
