"""Translation: a message catalogue for each language (``en.toml``) that holds all sentences, and phrase rendering."""
