"""What every test may rely on: no display is opened, and OpenCV keeps its complaints to itself."""

import os

# Before anything imports OpenCV or pygame: both read these once.
os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
