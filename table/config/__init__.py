"""The set-up file ``table.toml``: its keys and their checks, its template, and edits of it."""
