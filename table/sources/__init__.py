"""Where frames and edges come from: a recording, the live table, the virtual table."""
