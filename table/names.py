"""Names of people: which letters a name may have, and which spellings are one person."""

from __future__ import annotations

from unicodedata import category, normalize

JOINERS = "\u200c\u200d"
"""ZERO WIDTH NON-JOINER and JOINER: they shape letters in Persian and Indic names, and join emoji."""


def is_printed(letter: str) -> bool:
    """Whether a letter stands for itself on a terminal and a screen: no control character and no half of one.

    Python's ``isprintable`` leaves out all spaces but one, and the joiners.
    """
    return letter.isprintable() or letter in JOINERS or category(letter) == "Zs"


def joins_inside(name: str) -> bool:
    """Whether every joiner stands alone between two letters: elsewhere it is a letter that nobody can see."""
    padded = f" {name} "
    return not any(
        letter in JOINERS
        and any(beside.isspace() or beside in JOINERS for beside in padded[at - 1 : at + 2 : 2])
        for at, letter in enumerate(padded)
    )


def person_of(name: str) -> str:
    """What all spellings of one person's name have in common; two people differ in it.

    Case, the width and the composition of letters, the kind and the number of spaces, and what cannot be seen do not
    count. Accents do: Hoa and Hòa are two people. This is Unicode's ``NFKC_Casefold`` with single spaces (Unicode
    Standard, section 3.13, D147), on which two names are a caseless match for identifiers.
    """
    folded = normalize("NFKC", normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in folded if not _is_ignored(letter)).split())


def _is_ignored(letter: str) -> bool:
    """Whether it is a format character or a variation selector."""
    return category(letter) == "Cf" or "\ufe00" <= letter <= "\ufe0f"


def same_person(one: str, other: str) -> bool:
    """Whether two names are one person's."""
    return person_of(one) == person_of(other)
