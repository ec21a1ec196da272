"""Corner indices: detected in a picture as keypoints, cropped, and classified by rank and suit."""
