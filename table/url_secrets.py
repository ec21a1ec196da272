"""Removal of secrets from URLs: a camera's password may appear in its owner's own file only.

A camera's URL may hold a password before its host, in its query or, with many cheap ones, somewhere in its path. So of
a URL only scheme and host are shown.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "…"
PRIVATE_MODE: Final = 0o600
"""The mode of a file that holds a secret: nobody else may read it."""
_URL: Final = re.compile(
    r"""(?P<scheme>\b[a-z][a-z0-9+.-]*:// | \b(?:https?|rtsps?|rtmps?|rtp|srt|ftps?|mmsh?):/+)
        (?P<user>[^\n]*@)?  # to the last @ of the line: people write passwords with @, / and spaces as they are
        (?P<host>[^\s/?\#"'<>]*)
        (?P<rest>[/?\#][^\s"'<>]+)?""",
    re.IGNORECASE | re.VERBOSE,
)
_SECRET: Final = re.compile(r"[?]|pass|pwd|token|key|auth", re.IGNORECASE)
"""Marks in the rest of a URL in which a secret may be."""


def without_secrets(text: str) -> str:
    """Return the text with each URL in it shortened to its scheme and host."""
    return _URL.sub(_shorten, text) if ":/" in text else text


def has_secret(text: str) -> bool:
    """Return whether a URL in the text may hold a password."""
    return any(url["user"] or _SECRET.search(url["rest"] or "") for url in _URL.finditer(text))


def _shorten(url: re.Match[str]) -> str:
    return f"{url['scheme']}{url['host']}{f'/{HIDDEN}' if url['rest'] else ''}"
