"""Playback of a game: run at its pace, views of any past moment, screenshots and sound cues."""
