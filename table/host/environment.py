"""What OpenCV and NumPy read from the environment as they are loaded: to be imported before them."""

from __future__ import annotations

import os

# OpenCV and its FFmpeg complain in their own words; what is wrong is said in one line of ours.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# Products and pictures here are small: threads that wait for each other cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
