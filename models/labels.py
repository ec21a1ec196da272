"""The labels that the namer is trained on: the runtime's own (see table/reader/labels.py)."""

from __future__ import annotations

from table.reader.labels import CARDS, JOKER, NONE, RANKS, SUITS, card_probabilities, split

__all__ = ["CARDS", "JOKER", "NONE", "RANKS", "SUITS", "card_probabilities", "split"]
