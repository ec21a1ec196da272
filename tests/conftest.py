"""What every test may rely on: no display is opened, and OpenCV keeps its complaints to itself."""

import os

# Before anything imports NumPy, OpenCV or pygame: they read these once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `cardtable` has it
os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
