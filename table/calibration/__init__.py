"""Calibration: the mat, the homography, the picture's quality and orientation, and the seats' directions."""
