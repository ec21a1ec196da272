"""Text as a browser shows it well: suits as signs of text, and cards that read from left to right in any language."""

from __future__ import annotations

import re
from typing import Final

from table.cards import NO_TRUMP, SUIT_SYMBOLS
from table.events.event_registry import line_sentence
from table.i18n.phrase_rendering import LEFT_TO_RIGHT, RIGHT_TO_LEFT, PhraseRenderer
from table.referee.records.journal import JournalLine

TEXT_STYLE: Final = "\ufe0e"
"""After a suit's sign: phones then draw the sign as text, not as a picture of their own."""
_CARD: Final = re.compile(r"(?:1?\d|[A-Z])?[♠♥♦♣]")


def sentence_text(line: JournalLine, words: PhraseRenderer) -> str:
    """Return a line of the journal as a sentence."""
    before, after = (LEFT_TO_RIGHT, LEFT_TO_RIGHT + RIGHT_TO_LEFT) if words.catalogue.rtl else ("", "")
    return _CARD.sub(lambda card: f"{before}{card[0]}{TEXT_STYLE}{after}", words(line_sentence(line)))


def card_text(card: str, words: PhraseRenderer) -> str:
    """Return a card that stands alone."""
    return _CARD.sub(lambda card: f"{card[0]}{TEXT_STYLE}", words.render_card(card))


def trump_text(suit: str | None, words: PhraseRenderer) -> str:
    """Return the trump suit as its sign, or the words for no trumps; empty where it is not known."""
    if suit is None:
        return ""
    return words.render_code("suit", NO_TRUMP) if suit == NO_TRUMP else f"{SUIT_SYMBOLS[suit]}{TEXT_STYLE}"
