"""Render phrases as text in a language; escape what could control a terminal: names come from files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from string import Formatter
from typing import Any
from unicodedata import bidirectional

from table.cards import NO_TRUMP, SUIT_SYMBOLS, BidValue, Card, Contract, card, parse_bid
from table.i18n.catalogue import ENGLISH, Catalogue, load_catalogue
from table.names import is_printable_letter
from table.phrase import Phrase, make_phrase
from table.url_secrets import without_secrets

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""The invisible direction marks of Unicode."""
MISSING = "…"
"""The replacement for a field that a phrase lacks."""


class PhraseRenderer:
    """Renders phrases as text in one language."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def __call__(self, phrase: Phrase | str) -> str:
        """Return the text of a phrase; a plain string (a name, a line of an older journal) stays as it is."""
        if isinstance(phrase, str):
            return without_secrets(phrase)
        entry = self.catalogue.entries.get(phrase.code) or load_catalogue().entries.get(phrase.code)
        if entry is None:
            return phrase.code
        fields = _escape_fields(phrase.fields)
        template = self.catalogue.template(entry, fields)
        return without_secrets(
            "".join(
                before
                if name is None
                else before + self._isolate_direction(self._render_field(name, spec, fields))
                for before, name, spec in _split_template(template)
            )
        )

    def has_text(self, code: str) -> bool:
        """Return whether the language has a template for a code."""
        return code in self.catalogue.entries

    def join_list(self, items: Iterable[str], way: str = "and") -> str:
        """Join items as ``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``; ``way``: ``and`` or ``or``."""
        texts = list(items)
        if len(texts) < 2:
            return texts[0] if texts else self(make_phrase("list.nobody"))
        return self(make_phrase(f"list.{way}", first=self.join_commas(texts[:-1]), last=texts[-1]))

    def join_commas(self, items: Iterable[str]) -> str:
        """Join items by commas: ``Ada, Ben``."""
        return self(make_phrase("list.comma")).join(map(self._isolate_direction, items))

    def join_pairs(self, values: Mapping[str, str]) -> str:
        """Join names and what belongs to each by commas: ``Ada 3, Ben 0``."""
        return self.join_commas(f"{self._isolate_direction(name)} {value}" for name, value in values.items())

    def _isolate_direction(self, text: str) -> str:
        """Append a direction mark to text of the other direction, so that it does not affect what follows."""
        sides = {bidirectional(letter) for letter in text}
        if self.catalogue.rtl:
            return text + RIGHT_TO_LEFT if "L" in sides else text
        return text + LEFT_TO_RIGHT if sides & {"R", "AL"} else text

    def render_value(self, value: Any) -> str:
        """Render a field's value of any type."""
        if isinstance(value, Phrase):
            return self(value)
        if isinstance(value, bool):
            return str(value).lower()  # as in table.toml
        if isinstance(value, Card):
            return self.render_card(str(value))
        if isinstance(value, Mapping):
            return self.join_pairs({name: self.render_value(item) for name, item in value.items()})
        if isinstance(value, tuple | list):
            return self.join_list(map(self.render_value, value))
        return self(make_phrase("word.nothing")) if value is None else escape_unprintable(str(value))

    def render_card(self, name: Any) -> str:
        """Render a card given by its name; a string that is no card's name stays as it is."""
        if not name:
            return self(make_phrase("word.a_card"))
        if not isinstance(name, str):
            return self.render_value(name)
        try:
            parsed = card(name)
        except ValueError:
            return name
        return self(make_phrase("word.joker")) if parsed.is_joker else parsed.symbol

    def join_cards(self, names: Iterable[Any]) -> str:
        """Join cards by spaces; each is one in a language that is written from right to left too."""
        return " ".join(self._isolate_direction(self.render_card(name)) for name in names)

    def render_bid(self, written: object) -> str:
        """Render a bid: ``3``, ``6♣``, ``9 NT``, ``double nil``; any other value as it is."""
        try:
            bid: BidValue | None = parse_bid(written)
        except ValueError:
            bid = None
        if not isinstance(bid, Contract):
            return self.render_code("bid", str(written))
        if bid.trump == NO_TRUMP:
            return f"{bid.tricks} {self(make_phrase('word.nt'))}"
        return f"{bid.tricks}{SUIT_SYMBOLS[bid.trump]}"

    def render_code(self, part: str, name: str) -> str:
        """Return the text of the code ``part.name``, or ``name`` itself when the language has no such code."""
        code = f"{part}.{name.replace(' ', '_')}"
        return self(Phrase(code)) if self.has_text(code) else name

    def _render_field(self, name: str, spec: str, fields: Mapping[str, Any]) -> str:
        if name not in fields:
            return MISSING
        value = fields[name]
        if "." in spec and self.has_text(spec):
            return self(Phrase(spec, {**fields, "n": value}))
        if spec.startswith("@"):
            return self(value) if isinstance(value, Phrase) else self.render_code(spec[1:], str(value))
        render = _FORMATS.get(spec)
        return render(self, value) if render is not None else format(value, spec)


def _escape_fields(value: Any) -> Any:
    """Return a phrase's field values with control characters in strings escaped."""
    if isinstance(value, str):
        return escape_unprintable(value)
    if isinstance(value, Mapping):
        return {_escape_fields(name): _escape_fields(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return tuple(map(_escape_fields, value))
    return value


def _render_play(words: PhraseRenderer, play: Mapping[str, Any]) -> str:
    return words(make_phrase("word.play", seat=play["seat"], card=play["card"]))


_FORMATS: dict[str, Callable[[PhraseRenderer, Any], str]] = {
    "": PhraseRenderer.render_value,
    "card": PhraseRenderer.render_card,
    # The cards of some plays, separated by spaces.
    "cards": lambda words, plays: words.join_cards(play["card"] for play in plays),
    # Cards by their names, separated by spaces.
    "names": PhraseRenderer.join_cards,
    "play": _render_play,
    "plays": lambda words, plays: words.join_list(_render_play(words, play) for play in plays),
    "bid": PhraseRenderer.render_bid,
    "bids": lambda words, bids: words.join_pairs({seat: words.render_bid(bid) for seat, bid in bids.items()}),
    "sign": lambda words, suit: SUIT_SYMBOLS.get(suit, str(suit)),
    "signed": lambda words, number: f"{number:+d}",
    # Nanoseconds as milliseconds.
    "ms": lambda words, span_ns: f"{span_ns / 1e6:.0f}",
    "ms1": lambda words, span_ns: f"{span_ns / 1e6:.1f}",
    "or": lambda words, values: words.join_list(map(words.render_value, values), "or"),
    "comma": lambda words, values: words.join_commas(map(words.render_value, values)),
    # Places, each within the one before.
    "places": lambda words, places: ": ".join(map(words.render_value, places)),
    # As in the program's own files: strings in quotes.
    "written": lambda words, value: repr(value),
}
"""The rendering function of each format that may stand after a field's colon."""


@cache
def _split_template(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Split a template into the text before each field, the field's name (None after the last) and its format."""
    return tuple((before, name, spec or "") for before, name, spec, _ in Formatter().parse(template))


def escape_unprintable(line: str) -> str:
    """Return the line with control and invisible characters escaped as in JSON (``\\u001b``)."""
    if line.isprintable():
        return line
    return "".join(
        letter if is_printable_letter(letter) or letter in (LEFT_TO_RIGHT, RIGHT_TO_LEFT) else _escape(letter)
        for letter in line
    )


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


@cache
def renderer_for(language: str = ENGLISH) -> PhraseRenderer:
    """Return the phrase renderer of a language; raise ``LookupError`` when it has no catalogue."""
    return PhraseRenderer(load_catalogue(language))


def capitalize_first(text: str) -> str:
    """Return the text with its first letter capitalized."""
    return text[:1].upper() + text[1:]
