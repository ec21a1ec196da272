"""The events of the journal, each described once: its fields, its line, what is compared, its phrases."""
