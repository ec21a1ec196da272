"""Environment variables for OpenCV and NumPy, which read them when they are loaded; import this module first."""

from __future__ import annotations

import os

# Silence OpenCV and its FFmpeg; the table reports errors in one line of its own.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# Products and pictures here are small: threads that wait for each other cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
