"""What every test may rely on: no display is opened, OpenCV keeps its complaints to itself, chance repeats itself."""

import os

# Before anything imports NumPy, OpenCV or pygame: they read these once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `cardtable` has it
os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from hypothesis import settings

# The same examples at every run, on every machine.
settings.register_profile("steady", derandomize=True, database=None)
settings.load_profile("steady")
