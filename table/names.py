"""Names of people: which characters a name may have, and which spellings are the same person."""

from __future__ import annotations

import re
from unicodedata import category, normalize

JOINERS = "\u200c\u200d"
"""ZERO WIDTH NON-JOINER and JOINER: they shape letters in Persian and Indic names, and join emoji."""
_LOOSE_JOINER = re.compile(rf"(^|[\s{JOINERS}])[{JOINERS}]|[{JOINERS}](\s|\Z)")


def is_printable_letter(letter: str) -> bool:
    """Return whether a character is printable by itself on a terminal and a screen: no control character, no surrogate.

    Python's ``isprintable`` leaves out all spaces but one, and the joiners.
    """
    return letter.isprintable() or letter in JOINERS or category(letter) == "Zs"


def has_valid_joiners(name: str) -> bool:
    """Return whether every joiner stands alone between two letters: elsewhere it would be an invisible character."""
    return _LOOSE_JOINER.search(name) is None


def normalize_name(name: str) -> str:
    """Return the normalized form of a person's name: all spellings of one name have it in common.

    Case, the width and the composition of letters, the kind and the number of spaces, and invisible characters do not
    count. Accents do: Hoa and Hòa are two people. This is Unicode's ``NFKC_Casefold`` with single spaces (Unicode
    Standard, section 3.13, D147), on which two names are a caseless match for identifiers.
    """
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in folded if not _is_ignored(letter)).split())


def _is_ignored(letter: str) -> bool:
    return category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"


def same_person(name: str, other_name: str) -> bool:
    """Return whether two names are the same person's."""
    return normalize_name(name) == normalize_name(other_name)
