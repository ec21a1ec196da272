"""The games: pure rules. Nothing in here knows a clock, a device, a file or a random number."""
