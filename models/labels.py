"""The labels that the namer is trained on: the runtime's own (see table/sight/labels.py)."""

from __future__ import annotations

from table.sight.labels import CARDS, JOKER, NONE, RANKS, SUITS, card_probabilities, split

__all__ = ["CARDS", "JOKER", "NONE", "RANKS", "SUITS", "card_probabilities", "split"]
