"""The machine that the table runs on: its one camera, its supervisor, what its libraries say."""
