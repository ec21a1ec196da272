"""The machine that the table runs on: locks, mounts, USB sticks, clock, systemd, terminal and library settings."""
