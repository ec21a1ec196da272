"""Card table: real cards on an augmented table."""

import os

# Read once, when OpenCV is first imported: what a picture's header may ask for
# (see table/files/picture_and_video_reading.py).
os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(32 * 1024 * 1024)
# pygame prints a greeting as it is imported, which would stand between the lines on standard output.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
