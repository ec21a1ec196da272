"""URLs without their secrets: a camera's password stands in its owner's own file and nowhere else.

A camera's URL may hold a password before its host, in its query or, with many cheap ones, somewhere in its path.
So of a URL only scheme and host are shown.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "…"
"""In the place of what is not shown."""
PRIVATE_MODE: Final = 0o600
"""Of a file that holds a secret: nobody else may read it."""
_URL: Final = re.compile(
    r"""(?P<scheme>\b[a-z][a-z0-9+.-]*:// | \b(?:https?|rtsps?|rtmps?|rtp|srt|ftps?|mmsh?):/+)
        (?P<user>[^\n]*@)?  # to the last @ of the line: people write passwords with @, / and spaces as they are
        (?P<host>[^\s/?\#"'<>]*)
        (?P<rest>[/?\#][^\s"'<>]+)?""",
    re.IGNORECASE | re.VERBOSE,
)
_SECRET: Final = re.compile(r"[?]|pass|pwd|token|key|auth", re.IGNORECASE)
"""What the rest of a URL holds in which a secret may stand."""


def without_secrets(text: str) -> str:
    """The text with each URL in it shortened to its scheme and host."""
    return _URL.sub(_shown, text) if ":/" in text else text


def has_secret(text: str) -> bool:
    """Whether a URL in the text may hold a password."""
    return any(one["user"] or _SECRET.search(one["rest"] or "") for one in _URL.finditer(text))


def _shown(found: re.Match[str]) -> str:
    return f"{found['scheme']}{found['host']}{f'/{HIDDEN}' if found['rest'] else ''}"
