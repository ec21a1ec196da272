"""The pages of the menu: the lines of each, and what each does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from table.config import SeatConfig
from table.facts import Call
from table.games.options import so_many
from table.games.registry import GAMES
from table.menu import menu as steps
from table.menu.menu import Around, Entry, Kept, Menu, Opened, Page, Wish
from table.menu.plan import Plan, presets_of, told_preset
from table.menu.plot import Plot
from table.menu.spelling import Spelling
from table.menu.view import Line, MenuView, Place
from table.names import person_of
from table.phrase import Phrase, say

Lines = Iterator[Entry]


# --- the first page -------------------------------------------------------------------------------------------------


def _main(menu: Menu) -> Lines:
    plan, around = menu.plan, menu.around
    if around.unfinished is not None:
        yield Entry(Line(say("menu.go_on"), around.unfinished), lambda m: m.wishing(Wish.GO_ON))
    yield Entry(Line(say("menu.begin"), _short(menu.fault)), _begin)
    players = plan.players(around.set_up.seats)
    yield _opening(Page.GAME, say("menu.game"), _game(plan.game), at=tuple(GAMES).index(plan.game))
    presets = presets_of(plan.game, around.set_up)
    preset = told_preset(plan.game, plan.preset)
    yield _opening(Page.PRESET, say("menu.preset"), preset, at=presets.index(plan.preset))
    yield Entry(Line(say("menu.players"), say("menu.names", names=players)), _to_players)
    dealer = plan.dealer or say("menu.by_lot")
    yield _opening(Page.DEALER, say("menu.dealer"), dealer)
    if around.evenings:
        yield _opening(Page.EVENINGS, say("menu.evenings"), around.evenings[0].day)
    yield _opening(Page.SETTINGS, say("menu.settings"))


def _short(fault: Phrase | None) -> Phrase | None:
    if fault is None or "range" not in fault.fields:
        return fault
    return say("menu.needs", range=fault.fields["range"])


def _begin(menu: Menu) -> Menu:
    """Begin, or go where something is missing."""
    fault = menu.fault
    if fault is None:
        return menu.wishing(Wish.BEGIN)
    to = _to_players(menu) if fault.code == "menu.players_needed" else menu.open(Page.PRESET)
    return replace(to, told=fault)


def _opening(page: Page, text: Phrase, value: Phrase | str | None = None, at: int = 0) -> Entry:
    return Entry(Line(text, value), lambda menu: menu.open(page, at=at))


def _game(name: str) -> Phrase:
    return say("menu.game_is", game=name)


# --- the game and how it is played ----------------------------------------------------------------------------------


def _games(menu: Menu) -> Lines:
    for name, kind in GAMES.items():
        low, high = kind.seat_range
        about = so_many(low, min(high, len(menu.around.set_up.seats)))
        yield Entry(Line(_game(name), about, name == menu.plan.game), _game_chosen(name))


def _game_chosen(name: str) -> steps.Do:
    def do(menu: Menu) -> Menu:
        first = presets_of(name, menu.around.set_up)[0]
        preset = menu.plan.preset if name == menu.plan.game else first
        return menu.planned(replace(menu.plan, game=name, preset=preset)).back.open(
            Page.PRESET, at=presets_of(name, menu.around.set_up).index(preset)
        )

    return do


def _presets(menu: Menu) -> Lines:
    for name in presets_of(menu.plan.game, menu.around.set_up):
        text = told_preset(menu.plan.game, name)
        yield Entry(Line(text, chosen=name == menu.plan.preset), _set(preset=name))


def _set(**changes: Any) -> steps.Do:
    """What changes the plan and leaves its page."""
    return lambda menu: menu.planned(replace(menu.plan, **changes)).back


def _to(page: Page, about: str = "") -> steps.Do:
    """What opens a page."""
    return lambda menu: menu.open(page, about)


# --- the players ----------------------------------------------------------------------------------------------------


def _to_players(menu: Menu) -> Menu:
    """The players' page, the mark on the chair of whoever pressed."""
    chairs = [chair.name for chair in menu.around.set_up.seats]
    return menu.open(Page.PLAYERS, at=chairs.index(menu.by) if menu.by in chairs else 0)


def _players(menu: Menu) -> Lines:
    for number, chair in enumerate(menu.around.set_up.seats, start=1):
        sits = menu.plan.seated.get(chair.name)
        text = say("menu.chair", number=number)
        yield Entry(Line(text, sits or say("menu.empty")), _to(Page.CHAIR, chair.name))
    yield Entry(Line(say("menu.done")))


def _chair(menu: Menu) -> Lines:
    """Who sits on a chair: those who have played before, a new name, nobody."""
    plan, chair = menu.plan, menu.now.about
    yield Entry(Line(say("menu.new_name")), _to(Page.SPELL, chair))
    if chair in plan.seated:
        yield Entry(Line(say("menu.nobody")), lambda m: m.planned(m.plan.sit(chair, None)).back)
    seated = {person_of(name): at for at, name in plan.seated.items()}
    free = [name for name in plan.known if person_of(name) not in seated]
    for name in (*free, *(name for name in plan.seated.values())):
        at = seated.get(person_of(name))
        value = None if at is None or at == chair else say("menu.chair", number=_number(menu, at))
        yield Entry(Line(name, value, at == chair), _sits(name, chair))


def _sits(name: str, chair: str) -> steps.Do:
    """Somebody takes a chair; who sat there takes the one that becomes free."""

    def do(menu: Menu) -> Menu:
        plan = menu.plan
        before = plan.seated.get(chair)
        other = next((at for at, one in plan.seated.items() if one == name), None)
        dealer = plan.dealer
        plan = plan.sit(chair, name)
        if other is not None and other != chair and before is not None:
            plan = plan.sit(other, before)
        still = dealer if dealer in plan.seated.values() else None
        return menu.planned(replace(plan, dealer=still)).back

    return do


def _number(menu: Menu, chair: str) -> int:
    return [one.name for one in menu.around.set_up.seats].index(chair) + 1


def _spell(menu: Menu) -> Lines:
    spelling, rows = menu.now.spelling, _alphabet(menu)
    if spelling.row is not None:
        for letter in rows[spelling.row]:
            yield Entry(Line(letter), _spelling(spelling.took(letter), at=1))
        return
    others = [name for at, name in menu.plan.seated.items() if at != menu.now.about]
    name = spelling.done(others)
    if name is not None:
        yield Entry(Line(say("menu.name_done", name=name)), lambda m: _sits(name, m.now.about)(m).back)
    elif spelling.name:
        yield Entry(Line(say("menu.name_taken", name=spelling.name.strip())), lambda m: m)
    for number, row in enumerate(rows):
        yield Entry(Line(" ".join(row)), _spelling(replace(spelling, row=number)))
    if spelling.name:
        yield Entry(Line(say("menu.delete")), _spelling(spelling.without_last, at=1))


def _spelling(spelling: Spelling, at: int = 0) -> steps.Do:
    def do(menu: Menu) -> Menu:
        # Above the rows stands the name, as soon as there is one.
        return menu.changed(replace(menu.now, spelling=spelling, at=at if spelling.name else 0))

    return do


def _alphabet(menu: Menu) -> tuple[str, ...]:
    return menu.around.alphabets[menu.screen.language]


def _dealers(menu: Menu) -> Lines:
    yield Entry(Line(say("menu.by_lot"), chosen=menu.plan.dealer is None), _set(dealer=None))
    for name in menu.plan.players(menu.around.set_up.seats):
        yield Entry(Line(name, chosen=name == menu.plan.dealer), _set(dealer=name))


# --- the table itself -----------------------------------------------------------------------------------------------


def _settings(menu: Menu) -> Lines:
    screen = menu.screen
    yield _switch(say("menu.sound"), "sound", is_on=screen.sound)
    yield _switch(say("menu.four_colours"), "four_colours", is_on=screen.four_colours)
    yield _switch(say("menu.lies_flat"), "lies_flat", is_on=screen.lies_flat)
    languages = menu.around.languages
    at = tuple(languages).index(screen.language)
    yield _opening(Page.LANGUAGE, say("menu.language"), languages[screen.language], at=at)
    for wish in (Wish.CALIBRATE, Wish.ENROL, Wish.SWITCH_OFF):
        if wish in menu.around.offers:
            yield Entry(Line(say(f"menu.{wish.value}")), _wishing(wish))
    yield Entry(Line(say("menu.done")))


def _switch(text: Phrase, key: str, *, is_on: bool) -> Entry:
    """A line that switches something of the screen on or off, and stays."""
    value = say("menu.on" if is_on else "menu.off")
    return Entry(Line(text, value), lambda menu: _screened(menu, key, not is_on))


def _screened(menu: Menu, key: str, value: str | bool) -> Menu:
    return menu.planned(replace(menu.plan, screen={**menu.plan.screen, key: value}))


def _languages(menu: Menu) -> Lines:
    for name, title in menu.around.languages.items():
        yield Entry(Line(title, chosen=name == menu.screen.language), _speaks(name))


def _speaks(language: str) -> steps.Do:
    return lambda menu: _screened(menu, "language", language).back


def _wishing(wish: Wish) -> steps.Do:
    return lambda menu: menu.wishing(wish)


def _evenings(menu: Menu) -> Lines:
    for number, kept in enumerate(menu.around.evenings):
        yield Entry(Line(kept.day, kept.told), _to(Page.EVENING, str(number)))
    for wish in (Wish.STATISTICS, Wish.EXPORT):
        yield Entry(Line(say(f"menu.{wish.value}")), _wishing(wish))


def _evening(menu: Menu) -> Lines:
    """How it ended, or how it stands, and below it the totals."""
    kept = _kept(menu, menu.now)
    yield Entry(Line(kept.told))
    for name, total in kept.totals:
        yield Entry(Line(name, str(total)))
    if not kept.totals:
        yield Entry(Line(say("menu.no_hand_over")))
    yield Entry(Line(say("menu.done")))


def _kept(menu: Menu, opened: Opened) -> Kept:
    """The game that a page is about."""
    return menu.around.evenings[int(opened.about)]


def _statistics(menu: Menu) -> Lines:
    for plot in menu.now.plots:
        yield Entry(Line(plot.title), lambda m: m)
    yield Entry(Line(say("menu.done")))


def _told(menu: Menu) -> Lines:
    for line in menu.now.findings:
        yield Entry(line)
    yield Entry(Line(say("menu.done")))


_PAGES: Mapping[Page, Callable[[Menu], Lines]] = {
    Page.MAIN: _main,
    Page.GAME: _games,
    Page.PRESET: _presets,
    Page.PLAYERS: _players,
    Page.CHAIR: _chair,
    Page.SPELL: _spell,
    Page.DEALER: _dealers,
    Page.SETTINGS: _settings,
    Page.LANGUAGE: _languages,
    Page.EVENINGS: _evenings,
    Page.EVENING: _evening,
    Page.STATISTICS: _statistics,
    Page.TOLD: _told,
}


# --- what is seen and pressed ---------------------------------------------------------------------------------------


def entries(menu: Menu) -> tuple[Entry, ...]:
    """The lines of the page that is shown."""
    return tuple(_PAGES[menu.now.page](menu))


def press(menu: Menu, call: Call) -> Menu:
    """The menu after a call of anybody's."""
    return steps.pressed(menu, call, entries)


def spells(menu: Menu) -> bool:
    """Whether a name is being spelled: a keyboard's letters are its letters then."""
    return menu.now.page is Page.SPELL


def typed(menu: Menu, letter: str) -> Menu:
    """The menu after a letter of a keyboard, while a name is spelled; empty: the last letter is taken back.

    The mark goes to the line that says that the name is done.
    """
    spelling = menu.now.spelling
    return menu.changed(
        replace(menu.now, spelling=spelling.typed(letter) if letter else spelling.without_last, at=0)
    )


def opening(around: Around, plan: Plan) -> Menu:
    """The menu when it opens: the mark on going on where a game is unfinished, else on beginning."""
    return Menu(around, plan)


def found(menu: Menu, findings: tuple[Line, ...]) -> Menu:
    """With a page of what a command has found."""
    return replace(menu.open(Page.TOLD), wish=None).changed(
        replace(Opened(Page.TOLD, len(findings)), findings=findings)
    )


def counted(menu: Menu, plots: tuple[Plot, ...]) -> Menu:
    """With a page of statistics, the first one shown."""
    return replace(menu.open(Page.STATISTICS), wish=None).changed(Opened(Page.STATISTICS, plots=plots))


def view_of(menu: Menu) -> MenuView:
    """What the screen may show of it."""
    lines = entries(menu)
    seats = menu.around.set_up.seats
    return MenuView(
        title=_title(menu, menu.now),
        lines=tuple(entry.line for entry in lines),
        at=min(menu.now.at, len(lines) - 1),
        path=tuple(_title(menu, one) for one in menu.opened[:-1]),
        places=_places(menu) if menu.now.page in _ABOUT_THE_TABLE else (),
        plot=_plot(menu.now),
        spelled=menu.now.spelling.name if menu.now.page is Page.SPELL else None,
        told=menu.told,
        how=say("menu.how_keys") if menu.around.keys else _how(seats),
    )


def _plot(opened: Opened) -> Plot | None:
    """The marked one; beyond the last, the last."""
    return opened.plots[min(opened.at, len(opened.plots) - 1)] if opened.plots else None


_ABOUT_THE_TABLE = (Page.MAIN, Page.PLAYERS, Page.CHAIR, Page.SPELL, Page.DEALER)


def _title(menu: Menu, opened: Opened) -> Phrase:
    if opened.page in (Page.CHAIR, Page.SPELL):
        number = _number(menu, opened.about)
        return say("menu.who_sits" if opened.page is Page.CHAIR else "menu.spell", number=number)
    if opened.page is Page.EVENING and not _kept(menu, opened).over:
        return say("menu.title_unfinished")
    return say(f"menu.title_{opened.page.value}")


def _places(menu: Menu) -> tuple[Place, ...]:
    page, plan = menu.now.page, menu.plan
    seats = menu.around.set_up.seats
    marked = menu.now.about
    if page is Page.PLAYERS and menu.now.at < len(seats):
        marked = seats[menu.now.at].name
    elif page is Page.DEALER and menu.now.at > 0:
        player = plan.players(seats)[menu.now.at - 1]
        marked = next(chair for chair, name in plan.seated.items() if name == player)
    return tuple(
        Place(
            seat.angle,
            name=(name := plan.seated.get(seat.name)),
            marked=seat.name == marked,
            deals=name is not None and name == plan.dealer,
        )
        for seat in seats
    )


def marked_chair(menu: Menu) -> str | None:
    """The chair that the marked line is about: its lamp glows."""
    places = _places(menu) if menu.now.page in _ABOUT_THE_TABLE else ()
    seats = menu.around.set_up.seats
    return next((seat.name for seat, place in zip(seats, places, strict=False) if place.marked), None)


def _how(seats: tuple[SeatConfig, ...]) -> Phrase:
    """What to press, by the buttons of the chairs; where they differ, by those of most."""
    kinds = [seat.kind for seat in seats]
    return say(f"menu.how_{max(kinds, key=kinds.count)}")
