"""Every code that the program says has its words in each language, and every field that they name is said."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from table.__main__ import make_parser
from table.buttons.line_faults import LineFault
from table.events.event_registry import EVENT_SPECS
from table.games.engine.game_state import Phase
from table.games.registry import GAMES
from table.i18n.catalogue import Catalogue, CatalogueEntry, languages, load_catalogue, parse_catalogue
from table.i18n.phrase_rendering import PhraseRenderer, renderer_for
from table.i18n.terminal_output import set_language
from table.menu.menu import MenuRequest, PageSubject
from table.phrase import Phrase, make_phrase
from table.referee.interaction.questions import QuestionKind
from table.referee.model.notice_expiry import SCOPES

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"[a-z_]+(\.[a-z_]+)+")
SAID_BY_TEMPLATE = re.compile(r"\bsay\('([a-z_.]+)'")
PARTS = {code.partition(".")[0] for code in load_catalogue().entries}


@cache
def said() -> frozenset[str]:
    """Every literal of code or template that is a code of a phrase: a part of the catalogue, a dot, a name."""
    found = set()
    for path in (ROOT / "table").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        pieces = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if (
                node not in pieces
                and isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and CODE.fullmatch(node.value)
            ):
                part, _, name = node.value.partition(".")
                if part in PARTS and not name.endswith(("py", "toml", "csv", "jsonl")):
                    found.add(node.value)
    for path in (ROOT / "table").rglob("*.jinja"):
        found.update(SAID_BY_TEMPLATE.findall(path.read_text(encoding="utf-8")))
    return frozenset(found)


def made() -> Iterator[str]:
    """The codes that are put together where they are said."""
    for kind in EVENT_SPECS.values():
        if kind.make_sentence is None and kind.sentence_code is None:
            yield f"line.{kind.name}"
        if kind.brief_code is None and (
            kind.event_class is not None or kind.name in ("bid_refused", "out_of_turn")
        ):
            yield f"brief.{kind.name}"
    yield from (f"notice.{code}" for code in SCOPES)
    yield from (f"notice.asked_{about}" for about in get_args(QuestionKind))
    yield from (f"line.asked.{about}" for about in get_args(QuestionKind))
    yield from (f"prompt.{act}.{way}" for act in ("bid", "lead") for way in ("anyone", "must"))
    yield from (f"button.{fault.value}{more}" for fault in LineFault for more in ("", "_alone"))
    yield from (f"panel.{when}{call}" for when in ("", "earlier_") for call in ("bid", "pass"))
    yield from (f"count.{what}" for what in ("bid", "card", "trick", "hand"))
    yield from (f"line.corrected.{what}" for what in ("undo", "redo"))
    yield from (f"waits.{phase.value.replace(' ', '_')}" for phase in Phase)
    yield from (f"waits.{phase.value}_open" for phase in (Phase.BID, Phase.LEAD))
    yield from (f"refused.{why}" for why in refused())
    yield from (f"game.{name}" for name in GAMES)
    for option in (option for kind in GAMES.values() for option in kind.option_specs):
        if option.check.choices or option.check.item:
            yield option.title.code
        for value in map(option.value_phrase, option.check.choices):
            yield from (value.code for value in (value,) if isinstance(value, Phrase))
    yield from helped()
    yield from ("init.yes", "init.no")
    yield from (one.about.code for kind in GAMES.values() for one in kind.option_specs)
    yield from (
        f"menu.title_{page.value}"
        for page in PageSubject
        if page not in (PageSubject.CHAIR, PageSubject.SPELL, PageSubject.OPTION, PageSubject.READ_RULES)
    )
    yield from (f"menu.{wish.value}" for wish in MenuRequest)
    yield from (f"menu.how_{kind}" for kind in ("two", "one", "knock"))


class Listening(PhraseRenderer):
    """English, which notes the codes that are asked for."""

    def __init__(self) -> None:
        super().__init__(load_catalogue())
        self.codes: set[str] = set()

    def __call__(self, phrase: Phrase | str) -> str:
        if isinstance(phrase, Phrase):
            self.codes.add(phrase.code)
        return super().__call__(phrase)


def helped() -> set[str]:
    """The codes of the help of all commands and arguments."""
    listening = Listening()
    set_language(listening)
    try:
        make_parser()
    finally:
        set_language(renderer_for())
    return {code for code in listening.codes if code.startswith("usage.")}


REFUSING = {"refuse": 2, "RefusedError": 2, "refused_now": 2, "wrong_phase": 1}
"""The functions that make refusals, with the number of their arguments up to the phrase's code."""


def refused() -> Iterator[str]:
    """Why the games refuse what can't be: the literals of the last code that each refusal is given."""
    for path in (ROOT / "table" / "games").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                code = node.args[: REFUSING.get(name, 0)][-1:]
                for one in (found for arg in code for found in ast.walk(arg)):
                    if isinstance(one, ast.Constant) and isinstance(one.value, str):
                        yield one.value


def templates(entry: CatalogueEntry) -> list[str]:
    return [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "by"]


def fields(text: str) -> Iterator[tuple[str, str]]:
    """The fields of a template with what stands after their colons."""
    yield from ((name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name is not None)


def ways(entry: CatalogueEntry) -> set[tuple[str, str]]:
    """Which fields an entry names, and how it has them written."""
    return {field for text in templates(entry) for field in fields(text)}


@pytest.mark.parametrize("language", languages())
def test_every_code_has_its_words(language: str) -> None:
    entries = load_catalogue(language).entries
    # A settings' section and a key look like codes; they are said by no phrase.
    not_said = {
        "camera.source",
        "camera.size",
        "camera.pack",
        "camera.homography",
        "camera.mat",
        "game.name",
        "game.options",
    }
    lacks = sorted((said() | set(made())) - entries.keys() - not_said)
    assert not lacks, f"{language}.toml lacks {len(lacks)}: {', '.join(lacks)}"


def test_every_entry_is_said_somewhere() -> None:
    coded = {"suit", "bid", "why", "event", "side", "control", "by", "part", "game", "list"}
    codes = {
        spec
        for entry in load_catalogue().entries.values()
        for text in templates(entry)
        for _, spec in fields(text)
    }
    known = said() | set(made()) | codes
    left = [
        code for code in load_catalogue().entries if code not in known and code.partition(".")[0] not in coded
    ]
    assert left == []


@pytest.mark.parametrize("language", languages())
def test_a_translation_has_the_codes_and_the_fields_of_english(language: str) -> None:
    english, other = load_catalogue(), load_catalogue(language)
    apart = sorted(english.entries.keys() ^ other.entries.keys())
    assert not apart, f"only one of en.toml and {language}.toml has these {len(apart)}: {', '.join(apart)}"
    for code, entry in other.entries.items():
        known = {name for text in templates(english.entries[code]) for name, _ in fields(text)}
        assert {name for text in templates(entry) for name, _ in fields(text)} == known, code


@pytest.mark.parametrize("language", languages())
def test_a_translation_writes_a_field_in_a_way_that_there_is(language: str) -> None:
    english = {code: ways(entry) for code, entry in load_catalogue().entries.items()}
    for code, entry in load_catalogue(language).entries.items():
        assert ways(entry) <= english[code], code


@pytest.mark.parametrize("language", languages())
def test_what_depends_on_a_number_has_words_for_all_the_rest(language: str) -> None:
    for code, entry in load_catalogue(language).entries.items():
        assert isinstance(entry, str) or {"by", "other"} <= entry.keys(), code


def test_a_language_has_plural_forms_of_its_own() -> None:
    entry = {"by": "n", "one": "one", "two": "a pair", "7": "a week", "other": "{n}"}
    words = PhraseRenderer(Catalogue("xx", "", {"one": (1,), "two": (2,)}, {"x.days": entry}))
    told = [words(make_phrase("x.days", n=number)) for number in (0, 1, 2, 3, 7)]
    assert told == ["0", "one", "a pair", "3", "a week"]
    assert words(make_phrase("x.days", n=("Ada", "Ben"))) == "a pair"


def test_what_a_language_lacks_is_said_in_english() -> None:
    words = PhraseRenderer(
        parse_catalogue("xx", {"language": {"name": "", "plurals": {}, "letters": []}, "word": {"nt": "-"}})
    )
    assert [words(make_phrase("word.nt")), words(make_phrase("word.joker"))] == ["-", "Joker"]
