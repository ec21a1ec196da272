"""Words: one catalogue a language (``en.toml``), and what makes text of a phrase. Nothing else holds a sentence."""
