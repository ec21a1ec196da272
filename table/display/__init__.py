"""The screen: draws views as pictures with pygame. A picture depends on the view alone."""

from __future__ import annotations

import os

# pygame prints a greeting on import, which would appear between the journal's lines on standard output.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
