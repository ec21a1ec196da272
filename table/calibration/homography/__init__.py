"""The homography from camera picture to table plane: from the printed mat or from cards, and its checks."""
