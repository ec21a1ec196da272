"""The menu before and between games: immutable values and pure steps, without a device or a file."""
