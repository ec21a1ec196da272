"""Names of people: which are allowed, and which are one person's."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.config.settings import check_player_name, load_config
from table.errors import shorten_to_line
from table.history.statistics import Statistics
from table.menu.name_entry import NameEntry
from table.menu.next_game_plan import GamePlan
from table.names import normalize_name, same_person
from table.pipeline import game_from_config
from tests.wrong import wrong

PERSIAN = "علی\u200cرضا"
FAMILY = "👩\u200d👧"
BROKEN = "Anna\u00a0Lea"


@pytest.mark.parametrize("name", [PERSIAN, FAMILY, BROKEN, "क्\u200dष", "Ana\u3000Li"])
def test_joiners_and_spaces_of_every_kind_are_allowed_in_names(name: str) -> None:
    assert check_player_name(name) == name
    assert shorten_to_line(name) == name, "and are printed as they are"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("\u200dAda", "expected.joiners"),
        ("Ada\u200c", "expected.joiners"),
        ("A\u200d\u200dda", "expected.joiners"),
        ("Ada \u200dB", "expected.joiners"),
        ("\u00a0Ada", "expected.no_spaces"),
        ("Ada\u202e", "expected.printable"),
        ("A\x1b[2Jda", "expected.printable"),
    ],
)
def test_what_nobody_could_see_is_refused(name: str, code: str) -> None:
    with wrong(code):
        check_player_name(name)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Hoa", "Hòa", False),
        ("Hòa", "Ho\u0300a", True),
        ("José", "JOSÉ", True),
        ("José", "Jose", False),
        ("Straße", "STRASSE", True),
        ("Ａｄａ", "ada", True),
        (BROKEN, "anna lea", True),
        ("Anna  Lea", "Anna Lea", True),
        (PERSIAN, PERSIAN.replace("\u200c", ""), True),
        ("Ann", "Anna", False),
    ],
)
def test_one_rule_says_who_is_one_person(one: str, other: str, same: bool) -> None:
    assert same_person(one, other) is same
    assert normalize_name(normalize_name(one)) == normalize_name(one)


def test_each_is_counted_alone_whoever_sits_beside() -> None:
    counted = Statistics()
    for seats in (["Hoa", "Ben"], ["Hòa", "Ben"], ["Hoa", "Ho\u0300a"]):
        counted.add(seats, [], [], over=True)
    assert {normalize_name(one.name): one.games for one in counted.people} == {"hoa": 2, "hòa": 2, "ben": 2}


def table_toml(first: str, second: str, dealer: str) -> str:
    seats = "".join(
        f'[[seat]]\nname = "{name}"\nangle = {angle}\n'
        for name, angle in ((first, 0), (second, 120), ("Cleo", 240))
    )
    return f'[game]\nname = "whysteria"\noptions = {{ first_dealer = "{dealer}" }}\n{seats}'


def test_a_table_refuses_one_person_on_two_seats_and_takes_two_who_are_not(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(table_toml("Hòa", "HO\u0300A", "Cleo"), encoding="utf-8")
    with wrong("set_up.alike_names", at="seat 2.name"):
        load_config(path)
    path.write_text(table_toml("Hòa", "Hoa", "Cleo"), encoding="utf-8")
    assert load_config(path).names == ("Hòa", "Hoa", "Cleo")


def test_the_first_dealer_is_found_however_the_name_is_written(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(table_toml("Ben", BROKEN, "anna lea"), encoding="utf-8")
    assert game_from_config(load_config(path)).start().state.dealer == BROKEN


def test_the_menu_knows_one_person_by_one_name() -> None:
    plan = GamePlan(known_players=("Ho\u0300a", "Hoa")).with_known_players("HÒA")
    assert plan.known_players == ("HÒA", "Hoa")
    assert plan.seat_player("1", "Hòa").seat_player("2", "hòa").seated == {"2": "hòa"}
    assert NameEntry("Ho\u0300a").finished_name(["Hoa"]) == "Ho\u0300a"
    assert NameEntry("Ho\u0300a").finished_name(["hòa"]) is None
