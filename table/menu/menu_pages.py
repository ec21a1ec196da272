"""The pages of the menu: the lines of each page, and what each line does."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from table.chart_data import Figures
from table.config.settings import SeatConfig
from table.games.engine.option_checks import player_count_phrase
from table.games.engine.ruleset import GameSpec
from table.games.registry import GAMES
from table.menu.menu import (
    CAMERA_REQUESTS,
    Menu,
    MenuAction,
    MenuEntry,
    MenuRequest,
    OpenPage,
    PageSubject,
    PlayedGame,
    menu_entry,
)
from table.menu.menu_view_data import MenuChair, MenuLine, MenuView
from table.menu.name_entry import NameEntry
from table.menu.next_game_plan import GamePlan, chair_angles, plan_rules_phrase, starting_points
from table.menu.rules_pages import (
    agreed_game,
    keep_rules,
    open_rules,
    option_of_page,
    option_page,
    options_page,
    read_rules_page,
    rules_page,
)
from table.names import normalize_name
from table.observed_facts import Call, Gesture
from table.phrase import Phrase, make_phrase

Lines = Iterator[MenuEntry]


def _stay(menu: Menu) -> Menu:
    return menu


def _change_plan(**changes: Any) -> MenuAction:
    return lambda menu: menu.change_plan(**changes).back


def _send_request(request: MenuRequest) -> MenuAction:
    return lambda menu: replace(menu, request=request)


# --- the first page -------------------------------------------------------------------------------------------------


def _main_page(menu: Menu) -> Lines:
    plan, context = menu.plan, menu.context
    if context.unfinished is not None:
        yield menu_entry(make_phrase("menu.go_on"), context.unfinished, _send_request(MenuRequest.GO_ON))
    if context.config.camera.homography is None:
        yield menu_entry(make_phrase("menu.calibrate"), action=_send_request(MenuRequest.CALIBRATE))
    yield menu_entry(make_phrase("menu.begin"), _short_fault(menu.fault), _begin_game)
    game = OpenPage(PageSubject.GAME, selected=tuple(GAMES).index(plan.game))
    yield menu_entry(make_phrase("menu.game"), _game_phrase(plan.game), opens=game)
    rules = plan_rules_phrase(plan, context.config)
    yield menu_entry(make_phrase("menu.rules"), rules, opens=open_rules(menu))
    names = make_phrase("menu.names", names=plan.players(context.config.seats))
    yield menu_entry(make_phrase("menu.players"), names, opens=_players(menu))
    dealer = plan.dealer or make_phrase("menu.by_lot")
    yield menu_entry(make_phrase("menu.dealer"), dealer, opens=OpenPage(PageSubject.DEALER))
    if context.played_games:
        last_day = context.played_games[0].start_day
        yield menu_entry(make_phrase("menu.evenings"), last_day, opens=OpenPage(PageSubject.EVENINGS))
    yield menu_entry(make_phrase("menu.settings"), opens=OpenPage(PageSubject.SETTINGS))


def _short_fault(fault: Phrase | None) -> Phrase | None:
    """Return the fault in a few words, where it is about the number of players."""
    if fault is None or "range" not in fault.fields:
        return fault
    return make_phrase("menu.needs", range=fault.fields["range"])


def _begin_game(menu: Menu) -> Menu:
    fault = menu.fault
    if fault is None:
        return replace(menu, request=MenuRequest.BEGIN)
    page = _players(menu) if fault.code == "menu.players_needed" else OpenPage(PageSubject.OPTIONS)
    return replace(menu.open_page(page), message=fault)


def _game_phrase(name: str) -> Phrase:
    return make_phrase("menu.game_is", game=name)


# --- the game and its options ---------------------------------------------------------------------------------------


def _game_page(menu: Menu) -> Lines:
    for name, kind in GAMES.items():
        low, high = kind.seat_range
        players = player_count_phrase(low, min(high, len(menu.context.config.seats)))
        yield menu_entry(_game_phrase(name), players, _choose_game(name), chosen=name == menu.plan.game)


def _choose_game(name: str) -> MenuAction:
    def do(menu: Menu) -> Menu:
        if name != menu.plan.game:
            menu = replace(menu, plan=menu.plan.choose_game(name, menu.context.config))
        return menu.back.open_page(open_rules(menu))

    return do


# --- the players ----------------------------------------------------------------------------------------------------


def _chair_names(menu: Menu) -> list[str]:
    return [chair.name for chair in menu.context.config.seats]


def _chair_phrase(menu: Menu, chair: str, code: str = "menu.chair") -> Phrase:
    return make_phrase(code, number=_chair_names(menu).index(chair) + 1)


def _players(menu: Menu) -> OpenPage:
    """Return the players' page, with the chair of whoever pressed selected."""
    chairs = _chair_names(menu)
    selected = chairs.index(menu.pressed_by) if menu.pressed_by in chairs else 0
    return OpenPage(PageSubject.PLAYERS, selected=selected)


def _players_page(menu: Menu) -> Lines:
    for chair in _chair_names(menu):
        player = menu.plan.seated.get(chair) or make_phrase("menu.empty")
        nobody_known = chair not in menu.plan.seated and not _known_but_not_seated(menu.plan)
        page = PageSubject.SPELL if nobody_known else PageSubject.CHAIR
        yield menu_entry(_chair_phrase(menu, chair), player, opens=OpenPage(page, chair))
    yield menu_entry(make_phrase("menu.done"))


def _chair_page(menu: Menu) -> Lines:
    """Return the lines for a chair: people who have played before, a new name, nobody."""
    plan, chair = menu.plan, menu.shown_page.subject
    yield menu_entry(make_phrase("menu.new_name"), opens=OpenPage(PageSubject.SPELL, chair))
    if chair in plan.seated:
        yield menu_entry(
            make_phrase("menu.nobody"), action=lambda m: replace(m, plan=m.plan.seat_player(chair, None)).back
        )
    chairs = {normalize_name(name): other_chair for other_chair, name in plan.seated.items()}
    for name in (*_known_but_not_seated(plan), *plan.seated.values()):
        other_chair = chairs.get(normalize_name(name))
        value = None
        if other_chair is not None and other_chair != chair:
            value = _chair_phrase(menu, other_chair)
        yield menu_entry(name, value, _seat_player(name, chair), chosen=other_chair == chair)


def _known_but_not_seated(plan: GamePlan) -> list[str]:
    """Return the people who have played before and have no chair."""
    seated = set(map(normalize_name, plan.seated.values()))
    return [name for name in plan.known_players if normalize_name(name) not in seated]


def _seat_player(name: str, chair: str) -> MenuAction:
    """Return the action that seats a player on a chair, and goes on to the next one.

    The player who sat there takes the chair that becomes free.
    """

    def do(menu: Menu) -> Menu:
        before = menu.plan
        plan = before.seat_player(chair, name)
        freed = [other for other, player in before.seated.items() if player == name and other != chair]
        if freed and chair in before.seated:
            plan = plan.seat_player(freed[0], before.seated[chair])
        dealer = before.dealer if before.dealer in plan.seated.values() else None
        menu = replace(menu, plan=replace(plan, dealer=dealer))
        while menu.shown_page.page is not PageSubject.PLAYERS:
            menu = menu.back
        return menu.change_page(selected=_chair_names(menu).index(chair) + 1)

    return do


def _spell_page(menu: Menu) -> Lines:
    page, rows = menu.shown_page, menu.context.alphabets[menu.screen.language]
    spelling, how = page.spelling, make_phrase("menu.type_name")
    if spelling.row is not None:
        for letter in rows[spelling.row]:
            yield menu_entry(letter, action=_set_spelling(spelling.with_letter(letter), at=1), about=how)
        return
    if page.subject:
        others = [name for other_chair, name in menu.plan.seated.items() if other_chair != page.subject]
    else:
        others = list(starting_points(menu.plan, menu.context.config))
    name = spelling.finished_name(others)
    if name is not None:
        use_name = _seat_player(name, page.subject) if page.subject else keep_rules(name)
        yield menu_entry(make_phrase("menu.name_done", name=name), action=use_name, about=how)
    elif spelling.name:
        yield menu_entry(make_phrase("menu.name_taken", name=spelling.name.strip()), action=_stay, about=how)
    for number, row in enumerate(rows):
        yield menu_entry(" ".join(row), action=_set_spelling(replace(spelling, row=number)), about=how)
    if spelling.name:
        shorter = _set_spelling(spelling.without_last_letter, at=1)
        yield menu_entry(make_phrase("menu.delete"), action=shorter, about=how)


def _set_spelling(spelling: NameEntry, at: int = 0) -> MenuAction:
    # The name is the line above the rows, as soon as there is one.
    selected = at if spelling.name else 0
    return lambda menu: menu.change_page(spelling=spelling, selected=selected)


def _dealer_page(menu: Menu) -> Lines:
    lot = make_phrase("menu.by_lot")
    yield menu_entry(lot, action=_change_plan(dealer=None), chosen=menu.plan.dealer is None)
    for name in menu.plan.players(menu.context.config.seats):
        yield menu_entry(name, action=_change_plan(dealer=name), chosen=name == menu.plan.dealer)


# --- the settings ---------------------------------------------------------------------------------------------------


def _settings_page(menu: Menu) -> Lines:
    screen, languages = menu.screen, menu.context.languages
    yield _switch_entry(make_phrase("menu.sound"), "sound", is_on=screen.sound)
    yield _switch_entry(make_phrase("menu.four_colours"), "four_colours", is_on=screen.four_colours)
    yield _switch_entry(make_phrase("menu.lies_flat"), "lies_flat", is_on=screen.lies_flat)
    page = OpenPage(PageSubject.LANGUAGE, selected=tuple(languages).index(screen.language))
    yield menu_entry(make_phrase("menu.language"), languages[screen.language], opens=page)
    in_use = menu.context.camera_in_use
    if any(other != in_use for other in menu.context.cameras):
        camera_page = OpenPage(PageSubject.CAMERA)
        yield menu_entry(make_phrase("menu.change_camera"), _camera_name(in_use), opens=camera_page)
    for request in (*CAMERA_REQUESTS, *((MenuRequest.SWITCH_OFF,) if menu.context.may_switch_off else ())):
        yield menu_entry(make_phrase(f"menu.{request.value}"), action=_send_request(request))
    yield menu_entry(make_phrase("menu.done"))


def _switch_entry(text: Phrase, key: str, *, is_on: bool) -> MenuEntry:
    """Return an entry that switches a setting of the screen on or off, and stays on its page."""
    value = make_phrase("rule.on" if is_on else "rule.off")
    return menu_entry(text, value, lambda menu: menu.change_plan(screen={**menu.plan.screen, key: not is_on}))


def _language_page(menu: Menu) -> Lines:
    for language, title in menu.context.languages.items():
        action = _change_plan(screen={**menu.plan.screen, "language": language})
        yield menu_entry(title, action=action, chosen=language == menu.screen.language)


def _camera_page(menu: Menu) -> Lines:
    for source in menu.context.cameras:
        # The mark is forgotten with a change of cameras alone: the camera in use leaves the page.
        is_in_use = source == menu.context.camera_in_use
        action = None if is_in_use else _change_camera(source)
        yield menu_entry(_camera_name(source), action=action, chosen=is_in_use)
    yield menu_entry(make_phrase("menu.done"))


def _camera_name(source: str) -> Phrase | str:
    """Return a camera's name for people: without the folder of its device, and without what all names have."""
    if source == "picamera":
        return make_phrase("menu.camera_module")
    bus, _, name = source.rpartition("/")[2].removesuffix("-video-index0").rpartition("usb-")
    return f"USB {name}" if bus else name.replace("_", " ")


def _change_camera(source: str) -> MenuAction:
    return lambda menu: replace(menu, request=MenuRequest.CHANGE_CAMERA, wanted_camera=source)


# --- the games that were played, and what requests have found -------------------------------------------------------


def _played_games_page(menu: Menu) -> Lines:
    for number, game in enumerate(menu.context.played_games):
        yield menu_entry(game.start_day, game.description, opens=OpenPage(PageSubject.EVENING, str(number)))
    for request in (MenuRequest.STATISTICS, MenuRequest.EXPORT):
        yield menu_entry(make_phrase(f"menu.{request.value}"), action=_send_request(request))


def _played_game_page(menu: Menu) -> Lines:
    """Return the result or the standing of a game, and below it the totals."""
    game = _game_of_page(menu, menu.shown_page)
    yield menu_entry(game.description)
    for name, total in game.totals:
        yield menu_entry(name, str(total))
    if not game.totals:
        yield menu_entry(make_phrase("menu.no_hand_over"))
    yield menu_entry(make_phrase("menu.done"))


def _game_of_page(menu: Menu, opened: OpenPage) -> PlayedGame:
    return menu.context.played_games[int(opened.subject)]


def _statistics_page(menu: Menu) -> Lines:
    for figures in menu.shown_page.figures:
        yield menu_entry(figures.title, action=_stay)
    yield menu_entry(make_phrase("menu.done"))


def _findings_page(menu: Menu) -> Lines:
    yield from map(MenuEntry, menu.shown_page.findings)
    yield menu_entry(make_phrase("menu.done"))


def show_findings(menu: Menu, findings: tuple[MenuLine, ...]) -> Menu:
    """Return the menu with a page of a command's findings."""
    page = OpenPage(PageSubject.TOLD, findings=findings, selected=len(findings))
    return replace(menu.open_page(page), request=None)


def show_statistics(menu: Menu, figures: tuple[Figures, ...]) -> Menu:
    """Return the menu with a page of statistics, the first table or chart shown."""
    return replace(menu.open_page(OpenPage(PageSubject.STATISTICS, figures=figures)), request=None)


_PAGES: Mapping[PageSubject, Callable[[Menu], Lines]] = {
    PageSubject.MAIN: _main_page,
    PageSubject.GAME: _game_page,
    PageSubject.RULES: rules_page,
    PageSubject.OPTIONS: options_page,
    PageSubject.OPTION: option_page,
    PageSubject.READ_RULES: read_rules_page,
    PageSubject.PLAYERS: _players_page,
    PageSubject.CHAIR: _chair_page,
    PageSubject.SPELL: _spell_page,
    PageSubject.DEALER: _dealer_page,
    PageSubject.SETTINGS: _settings_page,
    PageSubject.LANGUAGE: _language_page,
    PageSubject.CAMERA: _camera_page,
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
    menu = replace(menu, pressed_by=call.seat, lot_number=call.t_ns)
    if call.gesture is Gesture.WRONG:
        return menu.back
    pressed = menu.stepper.press(call, page_entries(menu))
    if pressed.stepper is not menu.stepper:
        menu = replace(menu, stepper=pressed.stepper, message=None)
    return pressed.action(menu) if pressed.action is not None else menu


def is_entering_name(menu: Menu) -> bool:
    """Return whether a name is being entered: a keyboard's letters then belong to the name."""
    return menu.shown_page.page is PageSubject.SPELL


def type_letter(menu: Menu, letter: str) -> Menu:
    """Return the menu after a keyboard's letter (empty: one is deleted); the line that confirms becomes selected."""
    spelling = menu.shown_page.spelling
    spelling = spelling.with_typed_letter(letter) if letter else spelling.without_last_letter
    return menu.change_page(spelling=spelling, selected=0)


def make_menu_view(menu: Menu) -> MenuView:
    """Return the immutable view of the menu from which the screen is drawn."""
    lines = tuple(entry.line for entry in page_entries(menu))
    *above, shown = menu.stepper.levels
    return MenuView(
        title=_page_title(menu, shown),
        lines=lines,
        selected=min(shown.selected, len(lines) - 1),
        path=tuple(_page_title(menu, page) for page in above),
        chairs=_shown_chairs(menu),
        figures=shown.figures[min(shown.selected, len(shown.figures) - 1)] if shown.figures else None,
        rules=_rules_to_read(menu),
        entered_name=shown.spelling.name if is_entering_name(menu) else None,
        message=menu.message,
        button_help=_button_help(menu),
    )


def _rules_to_read(menu: Menu) -> tuple[GameSpec, Mapping[str, Any]] | None:
    game = agreed_game(menu) if menu.shown_page.page is PageSubject.READ_RULES else None
    return (game.spec, game.rules_page_values()) if game is not None else None


def _page_title(menu: Menu, opened: OpenPage) -> Phrase:
    if opened.page is PageSubject.CHAIR:
        return _chair_phrase(menu, opened.subject, "menu.who_sits")
    if opened.page is PageSubject.READ_RULES:
        return _game_phrase(menu.plan.game)
    if opened.page is PageSubject.OPTION:
        return option_of_page(menu, opened).title
    if opened.page is PageSubject.SPELL:
        return (
            _chair_phrase(menu, opened.subject, "menu.spell")
            if opened.subject
            else make_phrase("menu.spell_rules")
        )
    if opened.page is PageSubject.EVENING and not _game_of_page(menu, opened).over:
        return make_phrase("menu.title_unfinished")
    return make_phrase(f"menu.title_{opened.page.value}")


_PAGES_WITH_CHAIRS = (
    PageSubject.MAIN,
    PageSubject.PLAYERS,
    PageSubject.CHAIR,
    PageSubject.SPELL,
    PageSubject.DEALER,
    PageSubject.CAMERA,
)


def _chair_views(menu: Menu) -> tuple[MenuChair, ...]:
    """Return the views of all chairs, with the one that the selected line is about marked; none on other pages."""
    shown, plan, seats = menu.shown_page, menu.plan, menu.context.config.seats
    if shown.page not in _PAGES_WITH_CHAIRS or (is_entering_name(menu) and not shown.subject):
        return ()
    marked = shown.subject
    if shown.page is PageSubject.PLAYERS and shown.selected < len(seats):
        marked = seats[shown.selected].name
    elif shown.page is PageSubject.DEALER and shown.selected > 0:
        player = plan.players(seats)[shown.selected - 1]
        marked = next(chair for chair, name in plan.seated.items() if name == player)
    return chair_views(plan, seats, {marked})


def _shown_chairs(menu: Menu) -> tuple[MenuChair, ...]:
    """Return the chairs on the plan of the table: the empty ones where somebody may take them."""
    views = _chair_views(menu)
    if menu.shown_page.page in (PageSubject.PLAYERS, PageSubject.CHAIR, PageSubject.SPELL):
        return views
    return tuple(chair for chair in views if chair.name) or views


def chair_views(plan: GamePlan, seats: Sequence[SeatConfig], marked: Container[str]) -> tuple[MenuChair, ...]:
    """Return the views of all chairs with their players, some of them marked."""
    angles = chair_angles(plan.seated, seats)
    return tuple(
        MenuChair(
            angles[seat.name],
            name=(name := plan.seated.get(seat.name)),
            marked=seat.name in marked,
            deals_first=name is not None and name == plan.dealer,
        )
        for seat in seats
    )


def marked_chair(menu: Menu) -> str | None:
    """Return the chair that the selected line is about: its lamp is lit."""
    views = zip(_chair_names(menu), _chair_views(menu), strict=False)
    return next((chair for chair, view in views if view.marked), None)


def _button_help(menu: Menu) -> Phrase:
    """Return the phrase that explains the keys, or else the buttons of the chairs; where they differ, of most."""
    if menu.context.has_keyboard:
        return make_phrase("menu.how_keys")
    config = menu.context.config
    kinds = [seat.kind for seat in config.seats]
    return make_phrase(f"menu.how_{max(kinds, key=kinds.count)}", seconds=config.buttons.wrong_s)
