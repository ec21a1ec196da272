"""A game's page of rules: the template's own small language, and that each game's speaks of what is played."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from table.games.registry import GAMES
from table.i18n.catalogue import languages
from table.i18n.rules_page import PAGE_WIDTH, fill_page, rules_page
from tests.games.catalogue import KINDS, Kind, game_of, label


def test_a_line_stands_where_its_condition_holds() -> None:
    template = "[joker] J\n[not joker] N\n[packs=2] two\n[joker and packs=1] one\n[not packs=1] more\n"
    assert fill_page(template, {"joker": True, "packs": 1}) == "J one\n"
    assert fill_page(template, {"joker": False, "packs": 2}) == "N two more\n"


def test_lines_run_on_and_what_is_indented_stands_alone() -> None:
    template = "Deals of {hands}.\nThen:\n[on]   1. a\n  2. b\nEnd.\n\n[off] Nothing.\n\nLast."
    fields = {"hands": [2, 1], "on": True, "off": False}
    assert fill_page(template, fields) == "Deals of 2, 1. Then:\n  1. a\n  2. b\nEnd.\n\nLast.\n"


def test_a_name_that_the_game_does_not_tell_is_no_silence() -> None:
    with pytest.raises(KeyError):
        fill_page("[jokers] x", {"joker": True})
    with pytest.raises(KeyError):
        fill_page("{jokers}", {"joker": True})


@pytest.mark.parametrize("kind", KINDS, ids=map(label, KINDS))
def test_each_game_tells_its_players_and_hands_and_leaves_no_gap(kind: Kind) -> None:
    game = game_of(kind)
    told = rules_page(game.name, game.rules_page_values())
    assert not set("{}[]") & set(told)
    assert "None" not in told
    assert f"{len(game.seats)} players" in told
    assert ", ".join(map(str, game.hand_sizes)) in " ".join(told.split())
    assert max(map(len, told.splitlines())) <= PAGE_WIDTH


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_each_language_has_the_conditions_and_the_fields_of_the_english_page(
    name: str, language: str
) -> None:
    assert pieces(name, language) == pieces(name, "en")


def pieces(name: str, language: str) -> list[str]:
    """The conditions before a template's lines, and the fields in them."""
    template = files("table.games") / f"{name.replace('-', '_')}.{language}.txt"
    return sorted(re.findall(r"^\[[^]]+\]|\{[^}]+\}", template.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", KINDS, ids=map(label, KINDS))
def test_a_page_leaves_no_gap_in_any_language(kind: Kind, language: str) -> None:
    game = game_of(kind)
    told = rules_page(game.name, game.rules_page_values(), language)
    assert not set("{}[]") & set(told)
    assert ", ".join(map(str, game.hand_sizes)) in " ".join(told.split())
    assert max(map(len, told.splitlines())) <= PAGE_WIDTH
