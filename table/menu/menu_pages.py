"""The pages of the menu: the lines of each page, and the action of each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from table.bar_chart_data import BarChart
from table.config.settings import SeatConfig
from table.games.engine.option_checks import player_count_phrase
from table.games.registry import GAMES
from table.menu import menu as steps
from table.menu.menu import Menu, MenuContext, MenuEntry, MenuRequest, OpenPage, PageSubject, PlayedGame
from table.menu.menu_view_data import MenuChair, MenuLine, MenuView
from table.menu.name_entry import NameEntry
from table.menu.next_game_plan import GamePlan, preset_names, preset_phrase
from table.names import normalize_name
from table.observed_facts import Call
from table.phrase import Phrase, make_phrase

Lines = Iterator[MenuEntry]


# --- the first page -------------------------------------------------------------------------------------------------


def _main_page(menu: Menu) -> Lines:
    plan, around = menu.plan, menu.context
    if around.unfinished is not None:
        yield MenuEntry(
            MenuLine(make_phrase("menu.go_on"), around.unfinished),
            lambda m: m.with_request(MenuRequest.GO_ON),
        )
    yield MenuEntry(MenuLine(make_phrase("menu.begin"), _short_fault(menu.fault)), _begin_game)
    players = plan.players(around.config.seats)
    yield _page_entry(
        PageSubject.GAME, make_phrase("menu.game"), _game_phrase(plan.game), at=tuple(GAMES).index(plan.game)
    )
    presets = preset_names(plan.game, around.config)
    preset = preset_phrase(plan.game, plan.preset)
    yield _page_entry(PageSubject.PRESET, make_phrase("menu.preset"), preset, at=presets.index(plan.preset))
    yield MenuEntry(
        MenuLine(make_phrase("menu.players"), make_phrase("menu.names", names=players)), _open_players
    )
    dealer = plan.dealer or make_phrase("menu.by_lot")
    yield _page_entry(PageSubject.DEALER, make_phrase("menu.dealer"), dealer)
    if around.played_games:
        yield _page_entry(
            PageSubject.EVENINGS, make_phrase("menu.evenings"), around.played_games[0].start_day
        )
    yield _page_entry(PageSubject.SETTINGS, make_phrase("menu.settings"))


def _short_fault(fault: Phrase | None) -> Phrase | None:
    """Return the fault in a few words, where it is about the number of players."""
    if fault is None or "range" not in fault.fields:
        return fault
    return make_phrase("menu.needs", range=fault.fields["range"])


def _begin_game(menu: Menu) -> Menu:
    """Begin the game, or open the page where something is missing."""
    fault = menu.fault
    if fault is None:
        return menu.with_request(MenuRequest.BEGIN)
    page = _open_players(menu) if fault.code == "menu.players_needed" else menu.open_page(PageSubject.PRESET)
    return replace(page, message=fault)


def _page_entry(page: PageSubject, text: Phrase, value: Phrase | str | None = None, at: int = 0) -> MenuEntry:
    """Return an entry that opens a page."""
    return MenuEntry(MenuLine(text, value), lambda menu: menu.open_page(page, at=at))


def _game_phrase(name: str) -> Phrase:
    return make_phrase("menu.game_is", game=name)


# --- the game and its options ---------------------------------------------------------------------------------------


def _game_page(menu: Menu) -> Lines:
    for name, kind in GAMES.items():
        low, high = kind.seat_range
        players = player_count_phrase(low, min(high, len(menu.context.config.seats)))
        yield MenuEntry(MenuLine(_game_phrase(name), players, name == menu.plan.game), _choose_game(name))


def _choose_game(name: str) -> steps.MenuAction:
    """Return the action that chooses a game and opens its presets."""

    def do(menu: Menu) -> Menu:
        first = preset_names(name, menu.context.config)[0]
        preset = menu.plan.preset if name == menu.plan.game else first
        return menu.with_plan(replace(menu.plan, game=name, preset=preset)).back.open_page(
            PageSubject.PRESET, at=preset_names(name, menu.context.config).index(preset)
        )

    return do


def _preset_page(menu: Menu) -> Lines:
    for name in preset_names(menu.plan.game, menu.context.config):
        text = preset_phrase(menu.plan.game, name)
        yield MenuEntry(MenuLine(text, chosen=name == menu.plan.preset), _change_plan(preset=name))


def _change_plan(**changes: Any) -> steps.MenuAction:
    """Return the action that changes the plan and leaves its page."""
    return lambda menu: menu.with_plan(replace(menu.plan, **changes)).back


def _open_page(page: PageSubject, about: str = "") -> steps.MenuAction:
    """Return the action that opens a page."""
    return lambda menu: menu.open_page(page, about)


# --- the players ----------------------------------------------------------------------------------------------------


def _open_players(menu: Menu) -> Menu:
    """Open the players' page, with the chair of whoever pressed selected."""
    chairs = [chair.name for chair in menu.context.config.seats]
    return menu.open_page(
        PageSubject.PLAYERS, at=chairs.index(menu.pressed_by) if menu.pressed_by in chairs else 0
    )


def _players_page(menu: Menu) -> Lines:
    for number, chair in enumerate(menu.context.config.seats, start=1):
        player = menu.plan.seated.get(chair.name)
        text = make_phrase("menu.chair", number=number)
        yield MenuEntry(
            MenuLine(text, player or make_phrase("menu.empty")), _open_page(PageSubject.CHAIR, chair.name)
        )
    yield MenuEntry(MenuLine(make_phrase("menu.done")))


def _chair_page(menu: Menu) -> Lines:
    """Return the lines for a chair: people who have played before, a new name, nobody."""
    plan, chair = menu.plan, menu.shown_page.subject
    yield MenuEntry(MenuLine(make_phrase("menu.new_name")), _open_page(PageSubject.SPELL, chair))
    if chair in plan.seated:
        yield MenuEntry(
            MenuLine(make_phrase("menu.nobody")), lambda m: m.with_plan(m.plan.seat_player(chair, None)).back
        )
    seated = {normalize_name(name): other_chair for other_chair, name in plan.seated.items()}
    not_seated = [name for name in plan.known_players if normalize_name(name) not in seated]
    for name in (*not_seated, *(name for name in plan.seated.values())):
        other_chair = seated.get(normalize_name(name))
        value = (
            None
            if other_chair is None or other_chair == chair
            else make_phrase("menu.chair", number=_chair_number(menu, other_chair))
        )
        yield MenuEntry(MenuLine(name, value, other_chair == chair), _seat_player(name, chair))


def _seat_player(name: str, chair: str) -> steps.MenuAction:
    """Return the action that seats a player on a chair; the player who sat there takes the chair that becomes free."""

    def do(menu: Menu) -> Menu:
        plan = menu.plan
        previous_player = plan.seated.get(chair)
        previous_chair = next(
            (seated_on for seated_on, player in plan.seated.items() if player == name), None
        )
        dealer = plan.dealer
        plan = plan.seat_player(chair, name)
        if previous_chair is not None and previous_chair != chair and previous_player is not None:
            plan = plan.seat_player(previous_chair, previous_player)
        dealer_if_seated = dealer if dealer in plan.seated.values() else None
        return menu.with_plan(replace(plan, dealer=dealer_if_seated)).back

    return do


def _chair_number(menu: Menu, chair: str) -> int:
    return [seat.name for seat in menu.context.config.seats].index(chair) + 1


def _spell_page(menu: Menu) -> Lines:
    spelling, rows = menu.shown_page.spelling, _alphabet(menu)
    if spelling.row is not None:
        for letter in rows[spelling.row]:
            yield MenuEntry(MenuLine(letter), _set_spelling(spelling.with_letter(letter), at=1))
        return
    others = [
        name for other_chair, name in menu.plan.seated.items() if other_chair != menu.shown_page.subject
    ]
    name = spelling.finished_name(others)
    if name is not None:
        yield MenuEntry(
            MenuLine(make_phrase("menu.name_done", name=name)),
            lambda m: _seat_player(name, m.shown_page.subject)(m).back,
        )
    elif spelling.name:
        yield MenuEntry(MenuLine(make_phrase("menu.name_taken", name=spelling.name.strip())), lambda m: m)
    for number, row in enumerate(rows):
        yield MenuEntry(MenuLine(" ".join(row)), _set_spelling(replace(spelling, row=number)))
    if spelling.name:
        yield MenuEntry(
            MenuLine(make_phrase("menu.delete")), _set_spelling(spelling.without_last_letter, at=1)
        )


def _set_spelling(spelling: NameEntry, at: int = 0) -> steps.MenuAction:
    """Return the action that changes the name being entered."""

    def do(menu: Menu) -> Menu:
        # The name is the line above the rows, as soon as there is one.
        return menu.with_page(
            replace(menu.shown_page, spelling=spelling, selected=at if spelling.name else 0)
        )

    return do


def _alphabet(menu: Menu) -> tuple[str, ...]:
    return menu.context.alphabets[menu.screen.language]


def _dealer_page(menu: Menu) -> Lines:
    yield MenuEntry(
        MenuLine(make_phrase("menu.by_lot"), chosen=menu.plan.dealer is None), _change_plan(dealer=None)
    )
    for name in menu.plan.players(menu.context.config.seats):
        yield MenuEntry(MenuLine(name, chosen=name == menu.plan.dealer), _change_plan(dealer=name))


# --- the settings ---------------------------------------------------------------------------------------------------


def _settings_page(menu: Menu) -> Lines:
    screen = menu.screen
    yield _switch_entry(make_phrase("menu.sound"), "sound", is_on=screen.sound)
    yield _switch_entry(make_phrase("menu.four_colours"), "four_colours", is_on=screen.four_colours)
    yield _switch_entry(make_phrase("menu.lies_flat"), "lies_flat", is_on=screen.lies_flat)
    languages = menu.context.languages
    at = tuple(languages).index(screen.language)
    yield _page_entry(PageSubject.LANGUAGE, make_phrase("menu.language"), languages[screen.language], at=at)
    for request in (MenuRequest.CALIBRATE, MenuRequest.ENROL, MenuRequest.SWITCH_OFF):
        if request in menu.context.offered_requests:
            yield MenuEntry(MenuLine(make_phrase(f"menu.{request.value}")), _send_request(request))
    yield MenuEntry(MenuLine(make_phrase("menu.done")))


def _switch_entry(text: Phrase, key: str, *, is_on: bool) -> MenuEntry:
    """Return an entry that switches a setting of the screen on or off, and stays on its page."""
    value = make_phrase("menu.on" if is_on else "menu.off")
    return MenuEntry(MenuLine(text, value), lambda menu: _with_screen(menu, key, not is_on))


def _with_screen(menu: Menu, key: str, value: str | bool) -> Menu:
    """Return a menu with a changed setting of the screen."""
    return menu.with_plan(replace(menu.plan, screen={**menu.plan.screen, key: value}))


def _language_page(menu: Menu) -> Lines:
    for name, title in menu.context.languages.items():
        yield MenuEntry(MenuLine(title, chosen=name == menu.screen.language), _choose_language(name))


def _choose_language(language: str) -> steps.MenuAction:
    return lambda menu: _with_screen(menu, "language", language).back


def _send_request(request: MenuRequest) -> steps.MenuAction:
    return lambda menu: menu.with_request(request)


def _played_games_page(menu: Menu) -> Lines:
    for number, game in enumerate(menu.context.played_games):
        yield MenuEntry(
            MenuLine(game.start_day, game.description), _open_page(PageSubject.EVENING, str(number))
        )
    for request in (MenuRequest.STATISTICS, MenuRequest.EXPORT):
        yield MenuEntry(MenuLine(make_phrase(f"menu.{request.value}")), _send_request(request))


def _played_game_page(menu: Menu) -> Lines:
    """Return the result or the standing of a game, and below it the totals."""
    game = _game_of_page(menu, menu.shown_page)
    yield MenuEntry(MenuLine(game.description))
    for name, total in game.totals:
        yield MenuEntry(MenuLine(name, str(total)))
    if not game.totals:
        yield MenuEntry(MenuLine(make_phrase("menu.no_hand_over")))
    yield MenuEntry(MenuLine(make_phrase("menu.done")))


def _game_of_page(menu: Menu, opened: OpenPage) -> PlayedGame:
    """Return the game that a page is about."""
    return menu.context.played_games[int(opened.subject)]


def _statistics_page(menu: Menu) -> Lines:
    for plot in menu.shown_page.charts:
        yield MenuEntry(MenuLine(plot.title), lambda m: m)
    yield MenuEntry(MenuLine(make_phrase("menu.done")))


def _findings_page(menu: Menu) -> Lines:
    for line in menu.shown_page.findings:
        yield MenuEntry(line)
    yield MenuEntry(MenuLine(make_phrase("menu.done")))


_PAGES: Mapping[PageSubject, Callable[[Menu], Lines]] = {
    PageSubject.MAIN: _main_page,
    PageSubject.GAME: _game_page,
    PageSubject.PRESET: _preset_page,
    PageSubject.PLAYERS: _players_page,
    PageSubject.CHAIR: _chair_page,
    PageSubject.SPELL: _spell_page,
    PageSubject.DEALER: _dealer_page,
    PageSubject.SETTINGS: _settings_page,
    PageSubject.LANGUAGE: _language_page,
    PageSubject.EVENINGS: _played_games_page,
    PageSubject.EVENING: _played_game_page,
    PageSubject.STATISTICS: _statistics_page,
    PageSubject.TOLD: _findings_page,
}


# --- the view and the buttons ---------------------------------------------------------------------------------------


def page_entries(menu: Menu) -> tuple[MenuEntry, ...]:
    """Return the entries of the page that is shown."""
    return tuple(_PAGES[menu.shown_page.page](menu))


def apply_call(menu: Menu, call: Call) -> Menu:
    """Return the menu after a call (tap, rap or other gesture) of any player."""
    return steps.handle_call(menu, call, page_entries)


def is_entering_name(menu: Menu) -> bool:
    """Return whether a name is being entered: a keyboard's letters then belong to the name."""
    return menu.shown_page.page is PageSubject.SPELL


def type_letter(menu: Menu, letter: str) -> Menu:
    """Return the menu after a letter of a keyboard, while a name is entered; empty: the last letter is deleted.

    The line that confirms the name becomes selected.
    """
    spelling = menu.shown_page.spelling
    return menu.with_page(
        replace(
            menu.shown_page,
            spelling=spelling.with_typed_letter(letter) if letter else spelling.without_last_letter,
            selected=0,
        )
    )


def open_menu(around: MenuContext, plan: GamePlan) -> Menu:
    """Return the menu when it opens: resuming is selected where a game is unfinished, else beginning."""
    return Menu(around, plan)


def show_findings(menu: Menu, findings: tuple[MenuLine, ...]) -> Menu:
    """Return the menu with a page of a command's findings."""
    return replace(menu.open_page(PageSubject.TOLD), request=None).with_page(
        replace(OpenPage(PageSubject.TOLD, len(findings)), findings=findings)
    )


def show_statistics(menu: Menu, plots: tuple[BarChart, ...]) -> Menu:
    """Return the menu with a page of statistics, the first chart shown."""
    return replace(menu.open_page(PageSubject.STATISTICS), request=None).with_page(
        OpenPage(PageSubject.STATISTICS, charts=plots)
    )


def make_menu_view(menu: Menu) -> MenuView:
    """Return the immutable view of the menu from which the screen is drawn."""
    lines = page_entries(menu)
    seats = menu.context.config.seats
    return MenuView(
        title=_page_title(menu, menu.shown_page),
        lines=tuple(entry.line for entry in lines),
        selected=min(menu.shown_page.selected, len(lines) - 1),
        path=tuple(_page_title(menu, page) for page in menu.open_pages[:-1]),
        chairs=_chair_views(menu) if menu.shown_page.page in _PAGES_WITH_CHAIRS else (),
        chart=_selected_chart(menu.shown_page),
        entered_name=menu.shown_page.spelling.name if menu.shown_page.page is PageSubject.SPELL else None,
        message=menu.message,
        button_help=make_phrase("menu.how_keys") if menu.context.has_keyboard else _button_help(seats),
    )


def _selected_chart(opened: OpenPage) -> BarChart | None:
    """Return the selected chart; beyond the last, the last."""
    return opened.charts[min(opened.selected, len(opened.charts) - 1)] if opened.charts else None


_PAGES_WITH_CHAIRS = (
    PageSubject.MAIN,
    PageSubject.PLAYERS,
    PageSubject.CHAIR,
    PageSubject.SPELL,
    PageSubject.DEALER,
)


def _page_title(menu: Menu, opened: OpenPage) -> Phrase:
    """Return the title of an open page."""
    if opened.page in (PageSubject.CHAIR, PageSubject.SPELL):
        number = _chair_number(menu, opened.subject)
        return make_phrase(
            "menu.who_sits" if opened.page is PageSubject.CHAIR else "menu.spell", number=number
        )
    if opened.page is PageSubject.EVENING and not _game_of_page(menu, opened).over:
        return make_phrase("menu.title_unfinished")
    return make_phrase(f"menu.title_{opened.page.value}")


def _chair_views(menu: Menu) -> tuple[MenuChair, ...]:
    """Return the views of all chairs, with the one that the selected line is about marked."""
    page, plan = menu.shown_page.page, menu.plan
    seats = menu.context.config.seats
    marked = menu.shown_page.subject
    if page is PageSubject.PLAYERS and menu.shown_page.selected < len(seats):
        marked = seats[menu.shown_page.selected].name
    elif page is PageSubject.DEALER and menu.shown_page.selected > 0:
        player = plan.players(seats)[menu.shown_page.selected - 1]
        marked = next(chair for chair, name in plan.seated.items() if name == player)
    return tuple(
        MenuChair(
            seat.angle,
            name=(name := plan.seated.get(seat.name)),
            marked=seat.name == marked,
            deals_first=name is not None and name == plan.dealer,
        )
        for seat in seats
    )


def marked_chair(menu: Menu) -> str | None:
    """Return the chair that the selected line is about: its lamp is lit."""
    places = _chair_views(menu) if menu.shown_page.page in _PAGES_WITH_CHAIRS else ()
    seats = menu.context.config.seats
    return next((seat.name for seat, place in zip(seats, places, strict=False) if place.marked), None)


def _button_help(seats: tuple[SeatConfig, ...]) -> Phrase:
    """Return the phrase that explains the buttons of the chairs; where they differ, of most chairs."""
    kinds = [seat.kind for seat in seats]
    return make_phrase(f"menu.how_{max(kinds, key=kinds.count)}")
