"""The menu's pages about the rules: where they start from, each option, and the values of an option.

They are made from the definitions of the options: a new option of a game needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from table.games.engine.ruleset import OptionSpec
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.i18n.rules_page import rules_paragraphs
from table.menu.menu import Menu, MenuAction, MenuEntry, OpenPage, PageSubject, menu_entry
from table.menu.next_game_plan import (
    change_option,
    find_plan_fault,
    plan_options,
    plan_rules_phrase,
    starting_point_phrase,
    starting_points,
)
from table.phrase import Phrase, WrongValueError, make_phrase

MAX_ITEMS: Final = 40
"""The most items of a list that is put together in the menu."""


# --- what the rules start from --------------------------------------------------------------------------------------


def open_rules(menu: Menu) -> OpenPage:
    """Return the page of the rules, with the chosen ones selected."""
    chosen = [entry.line.chosen for entry in rules_page(menu)]
    return OpenPage(PageSubject.RULES, selected=chosen.index(True))


def rules_page(menu: Menu) -> Iterator[MenuEntry]:
    """Yield how the rules are changed, and what they can start from."""
    plan, config = menu.plan, menu.context.config
    if agreed_game(menu) is not None:
        yield menu_entry(make_phrase("menu.read_rules"), opens=OpenPage(PageSubject.READ_RULES))
    differing = plan_rules_phrase(plan, config) if plan.changes else None
    single_rules = make_phrase("menu.single_rules")
    options = OpenPage(PageSubject.OPTIONS)
    yield menu_entry(single_rules, differing, opens=options, chosen=bool(plan.changes))
    for name in starting_points(plan, config):
        chosen = name == plan.preset and not plan.changes
        text = starting_point_phrase(plan, name, config)
        yield menu_entry(text, action=_start_from(name), chosen=chosen)
    if not plan.changes and plan.preset in plan.kept_rules.get(plan.game, {}):
        yield menu_entry(make_phrase("menu.forget_rules", name=plan.preset), action=_forget_rules)


def _start_from(name: str) -> MenuAction:
    return lambda menu: menu.change_plan(preset=name, changes={}).back


def keep_rules(name: str) -> MenuAction:
    """Return the action that keeps the rules, as they are agreed now, under a name."""

    def do(menu: Menu) -> Menu:
        plan = menu.plan.keep_rules(name, plan_options(menu.plan, menu.context.config))
        return _close_options(replace(menu, plan=replace(plan, preset=name, changes={})).back)

    return do


def _close_options(menu: Menu) -> Menu:
    return menu.back.back


def _forget_rules(menu: Menu) -> Menu:
    plan = menu.plan.keep_rules(menu.plan.preset, None).choose_game(menu.plan.game, menu.context.config)
    return replace(menu, plan=plan).back


# --- the rules, to be read ------------------------------------------------------------------------------------------


def agreed_game(menu: Menu) -> Game | None:
    """Return the game as it is agreed, with others in the place of players who are still missing; None if unfit."""
    plan, config = menu.plan, menu.context.config
    options = plan_options(plan, config)
    players = plan.players(config.seats)
    others = (letter for letter in "ABCDEFGH" if letter not in players)
    while len(players) < GAMES[plan.game].seat_range[0]:
        players = (*players, next(others))
    try:
        return make_game(plan.game, players, options)
    except WrongValueError:
        return None


def read_rules_page(menu: Menu) -> Iterator[MenuEntry]:
    """Yield a line for each paragraph of the rules as agreed; the screen shows the selected one."""
    game = agreed_game(menu)
    if game is not None:
        count = len(
            rules_paragraphs(game.name, game.rules_page_values(), package=game.spec.rules_page_package)
        )
        for number in range(1, count + 1):
            yield menu_entry(make_phrase("menu.at", at=number, lines=count))


# --- single options -------------------------------------------------------------------------------------------------


def options_page(menu: Menu) -> Iterator[MenuEntry]:
    """Yield each option with its value, and how the rules are kept under a name."""
    options = plan_options(menu.plan, menu.context.config)
    for option in GAMES[menu.plan.game].option_specs:
        if option.check.choices or option.check.item is not None:
            value = option.value_of(options)
            at = next((at for at, choice in enumerate(option.check.choices) if _is(option, choice, value)), 0)
            page = OpenPage(PageSubject.OPTION, option.name, selected=at)
            yield menu_entry(option.title, option.value_phrase(value), opens=page, about=option.about)
    if menu.plan.changes:
        yield menu_entry(make_phrase("menu.keep_rules"), opens=OpenPage(PageSubject.SPELL))
    yield menu_entry(make_phrase("menu.done"), action=_close_options)


def option_of_page(menu: Menu, page: OpenPage) -> OptionSpec:
    """Return the option that a page is about."""
    return next(option for option in GAMES[menu.plan.game].option_specs if option.name == page.subject)


def option_page(menu: Menu) -> Iterator[MenuEntry]:
    """Yield the values of an option, each with what the option decides, or why the value can't be played."""
    option = option_of_page(menu, menu.shown_page)
    value = option.value_of(plan_options(menu.plan, menu.context.config))
    for choice in option.check.choices:
        yield menu_entry(
            option.value_phrase(choice),
            action=_set_option(option, choice),
            chosen=_is(option, choice, value),
            about=_find_fault(menu, option, choice) or option.about,
        )
    if option.check.item is not None:
        yield from _list_lines(option, option.check.item.choices, value or [])


def _list_lines(option: OptionSpec, choices: tuple[Any, ...], items: list[Any]) -> Iterator[MenuEntry]:
    """Yield the lines that put a list together, item by item."""
    yield menu_entry(make_phrase("menu.done"), option.value_phrase(items or None), about=option.about)
    shorter = _set_option(option, items[:-1] or None, stays=True)
    yield menu_entry(make_phrase("menu.last_away"), action=shorter, about=option.about)
    for choice in choices:
        longer = _set_option(option, [*items, choice][:MAX_ITEMS], stays=True)
        yield menu_entry(make_phrase("menu.add_hand", cards=choice), action=longer, about=option.about)


def _is(option: OptionSpec, choice: Any, value: Any) -> bool:
    """Return whether a choice is the option's value; True is not 1."""
    taken = option.value_of({option.name: choice})
    return taken == value and type(taken) is type(value)


def _set_option(option: OptionSpec, value: Any, *, stays: bool = False) -> MenuAction:
    def do(menu: Menu) -> Menu:
        changed = replace(menu, plan=change_option(menu.plan, option, value, menu.context.config))
        return changed if stays else changed.back

    return do


def _find_fault(menu: Menu, option: OptionSpec, choice: Any) -> Phrase | None:
    """Return why these players can't play with this choice; None where they can, or are not all there yet."""
    config = menu.context.config
    fault = find_plan_fault(change_option(menu.plan, option, choice, config), config)
    return fault if fault is not None and fault.code == "rule.unfit" else None
