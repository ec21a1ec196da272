"""From a phrase to text in a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from string import Formatter
from typing import Any
from unicodedata import bidirectional

from table.cards import NO_TRUMP, SUIT_SIGNS, Card, card
from table.files.secrets import without_secrets
from table.phrase import Phrase, say
from table.words.catalogue import ENGLISH, Catalogue, catalogue
from table.words.terminal import LEFT_TO_RIGHT, RIGHT_TO_LEFT, printable

MISSING = "…"
"""In the place of a field that a phrase lacks."""


class Words:
    """Makes text of phrases, in one language."""

    def __init__(self, of: Catalogue) -> None:
        self.catalogue = of

    def __call__(self, phrase: Phrase | str) -> str:
        """The text of a phrase; text that has no code (a name, a line of an older journal) stays as it is."""
        if isinstance(phrase, str):
            return without_secrets(phrase)
        entry = self.catalogue.entries.get(phrase.code) or catalogue().entries.get(phrase.code)
        if entry is None:
            return phrase.code
        fields = _harmless(phrase.fields)
        template = self.catalogue.template(entry, fields)
        return without_secrets(
            "".join(
                before if name is None else before + self._apart(self._field(name, spec, fields))
                for before, name, spec in _pieces(template)
            )
        )

    def known(self, code: str) -> bool:
        """Whether there are words for a code."""
        return code in self.catalogue.entries

    def listed(self, items: Iterable[str], way: str = "and") -> str:
        """``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``; ``way``: ``and`` or ``or``."""
        every = list(items)
        if len(every) < 2:
            return every[0] if every else self(say("list.nobody"))
        return self(say(f"list.{way}", first=self.joined(every[:-1]), last=every[-1]))

    def joined(self, items: Iterable[str]) -> str:
        """``Ada, Ben``."""
        return self(say("list.comma")).join(map(self._apart, items))

    def _apart(self, text: str) -> str:
        """What stands in a sentence; letters that run the other way take nothing with them that comes after."""
        sides = {bidirectional(letter) for letter in text}
        if self.catalogue.rtl:
            return text + RIGHT_TO_LEFT if "L" in sides else text
        return text + LEFT_TO_RIGHT if sides & {"R", "AL"} else text

    def plain(self, value: Any) -> str:
        """A value of any kind that a field may have."""
        if isinstance(value, Phrase):
            return self(value)
        if isinstance(value, Card):
            return self.card(str(value))
        if isinstance(value, Mapping):
            return self.joined(f"{name} {self.plain(one)}" for name, one in value.items())
        if isinstance(value, tuple | list):
            return self.listed(map(self.plain, value))
        return self(say("word.nothing")) if value is None else printable(str(value))

    def card(self, name: Any) -> str:
        """A card as it is written, from its name; what is no card's name stays as it is."""
        if not name:
            return self(say("word.a_card"))
        if not isinstance(name, str):
            return self.plain(name)
        try:
            found = card(name)
        except ValueError:
            return name
        return self(say("word.joker")) if found.is_joker else found.sign

    def bid(self, bid: int | str | None) -> str:
        """A bid as it is written: ``3``, ``6♣``, ``9 NT``, ``double nil``."""
        text = str(bid)
        if text.endswith(NO_TRUMP) and text[:-2].isdigit():
            return f"{text[:-2]} {self(say('word.nt'))}"
        if text[-1:] in SUIT_SIGNS and text[:-1].isdigit():
            return text[:-1] + SUIT_SIGNS[text[-1]]
        return self.coded("bid", text)

    def coded(self, part: str, name: str) -> str:
        """The words of ``part.name``, where there are any; else the name as it stands."""
        code = f"{part}.{name.replace(' ', '_')}"
        return self(Phrase(code)) if self.known(code) else name

    def _field(self, name: str, spec: str, fields: Mapping[str, Any]) -> str:
        if name not in fields:
            return MISSING
        value = fields[name]
        if "." in spec and self.known(spec):
            return self(Phrase(spec, {**fields, "n": value}))
        if spec.startswith("@"):
            return self(value) if isinstance(value, Phrase) else self.coded(spec[1:], str(value))
        way = _WAYS.get(spec)
        return way(self, value) if way is not None else format(value, spec)


def _harmless(value: Any) -> Any:
    """What a phrase's fields hold, with names that would steer a terminal, or break the line, written out."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {_harmless(name): _harmless(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return tuple(map(_harmless, value))
    return value


def _by_seat(words: Words, values: Mapping[str, Any]) -> str:
    return words.joined(f"{seat} {words.bid(value)}" for seat, value in values.items())


def _play(words: Words, play: Mapping[str, Any]) -> str:
    return words(say("word.play", seat=play["seat"], card=play["card"]))


_WAYS: dict[str, Callable[[Words, Any], str]] = {
    "": Words.plain,
    "card": Words.card,
    # The cards of some plays, one beside the other.
    "cards": lambda words, plays: " ".join(words.card(play["card"]) for play in plays),
    # Cards by their names, one beside the other.
    "names": lambda words, names: " ".join(map(words.card, names)),
    "play": _play,
    "plays": lambda words, plays: words.listed(_play(words, play) for play in plays),
    "bid": Words.bid,
    "bids": _by_seat,
    "sign": lambda words, suit: SUIT_SIGNS.get(suit, str(suit)),
    "signed": lambda words, number: f"{number:+d}",
    # Nanoseconds as milliseconds.
    "ms": lambda words, span_ns: f"{span_ns / 1e6:.0f}",
    "ms1": lambda words, span_ns: f"{span_ns / 1e6:.1f}",
    "or": lambda words, values: words.listed(map(words.plain, values), "or"),
    "comma": lambda words, values: words.joined(map(words.plain, values)),
    # Places, each within the one before.
    "places": lambda words, places: ": ".join(map(words.plain, places)),
    # As the program's own files write it: a text in quotes.
    "written": lambda words, value: repr(value),
    "fields": lambda words, fields: words.joined(
        f"{name} {words.plain(value)}" for name, value in fields.items()
    ),
}
"""How the value of a field is written, by what stands after its colon."""


@cache
def _pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """The text before each field, the field's name (None after the last) and what stands after its colon."""
    return tuple((before, name, spec or "") for before, name, spec, _ in Formatter().parse(template))


@cache
def words_of(language: str = ENGLISH) -> Words:
    """The words of a language; ``LookupError`` where there is no catalogue of it."""
    return Words(catalogue(language))


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]
