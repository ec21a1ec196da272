"""The screen: pictures of a view, drawn with pygame. Drawing is a function of the view alone."""

from __future__ import annotations

import os

# pygame greets on standard output when it is imported: that would stand between the journal's lines.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
