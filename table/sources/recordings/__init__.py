"""Recordings: reading and writing folders of video, button edges and answers."""
