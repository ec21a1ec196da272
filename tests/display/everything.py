"""Every screen that there is, by name, with the longest texts that it has to bear; and the sizes of screens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

from table.cards import card
from table.config.settings import PLAIN_SCREEN, ScreenConfig, SeatKind
from table.display.drawing.boxes import Size
from table.display.drawing.canvas import Canvas, PlacedText
from table.display.drawing.colours import TEXT
from table.display.drawing.text_fitting import ELLIPSIS, overhang, render_block
from table.display.table_view.prompts_and_gestures import gesture_hints_for
from table.display.view_picture import ScreenView
from table.errors import TableError
from table.events.event_registry import line_sentence
from table.i18n.catalogue import ENGLISH
from table.menu.menu_pages import make_menu_view
from table.menu.menu_view_data import make_loading_view
from table.observed_facts import MS
from table.phrase import Phrase, line_place, make_phrase
from table.referee.model.bid_dial import Dial
from table.referee.model.hypothesis import TableCard
from table.referee.model.notices import Notice, Tone
from table.referee.model.view import Controls, OpenOptions, TrickReview, View
from table.session.fault_page import make_fault_view
from tests.display.menus import pages
from tests.display.views import (
    LONG_NAMES,
    NAMES,
    blank_photo,
    game_moments,
    large_moments,
    moments,
    odd_moments,
)

LANDSCAPE: Final = ((800, 480), (1280, 720), (1920, 1080))
UPRIGHT: Final = tuple((height, width) for width, height in LANDSCAPE)
FLAT: Final = ScreenConfig(lies_flat=True)
SIZES: Final[tuple[tuple[Size, ScreenConfig], ...]] = (
    *((size, PLAIN_SCREEN) for size in (*LANDSCAPE, *UPRIGHT)),
    *((size, FLAT) for size in (LANDSCAPE[0], LANDSCAPE[1], UPRIGHT[1])),
)
"""Each screen with the look that it is tried in."""


def called(size: Size, look: ScreenConfig) -> str:
    """A short name of one of these."""
    return f"{size[0]}x{size[1]}{'-flat' if look.lies_flat else ''}"


def faults(canvas: Canvas) -> Iterator[str]:
    """What is cut off, sticks out of the screen, or stands upon another text."""
    screen = canvas.surface.get_rect()
    for one in canvas.placed:
        if any(line.endswith(ELLIPSIS) for line in one.lines):
            yield f"cut off: {one.text} ({' / '.join(one.lines)})"
        if not screen.contains(one.ink):
            yield f"not on the screen: {one.text}"
        if not one.box.inflate(2, 2).contains(one.ink):
            yield f"not in its box: {one.text}"
        if one.quarters % 2 == 0 and is_clipped(one):
            yield f"letters cut off: {one.text} ({' / '.join(one.lines)})"
    for one, other in combinations(canvas.placed, 2):
        if one.ink.colliderect(other.ink):
            yield f"upon another: {one.text} and {other.text}"


def is_clipped(one: PlacedText) -> bool:
    """Whether its letters, of which the accents may, rise or fall out of its box."""
    plain = tuple("".join(normalize("NFD", letter)[0] for letter in line) for line in one.lines)
    drawn = render_block(plain, one.height, TEXT, 0, strong=True)
    letters = drawn.get_bounding_rect()
    top = one.ink.top - overhang(one.height) + letters.top
    return not one.box.top - 1 <= top <= top + letters.height <= one.box.bottom + 1


def screens(language: str = ENGLISH) -> Iterator[tuple[str, ScreenView]]:
    """All of them; ``language``: of which the menu spells names."""
    for names, how in ((NAMES[:4], "4"), (NAMES, "7"), (LONG_NAMES[:5], "5-long"), (LONG_NAMES, "7-long")):
        for makes in (moments, odd_moments, game_moments, large_moments, asking):
            for name, view in makes(names):
                yield f"{how}-{name}", view
    for number, menu in enumerate(pages(language)):
        yield f"menu-{number}-{menu.shown_page.page.value}", make_menu_view(menu)
    told = make_phrase("menu.cant_begin", error=text_of(LONG_NAMES[0]))
    yield "menu-told", replace(make_menu_view(pages(language)[0]), message=told)
    no_camera = make_phrase("camera.error", error=TableError("source.no_module"))
    yield "menu-no-camera", replace(make_menu_view(pages(language)[0]), troubles=(no_camera,))
    yield "menu-fault", make_fault_view(longest_error(), Path("/etc/cardtable/table.toml"))
    yield "menu-copying", make_loading_view("menu.copying")


def text_of(name: str) -> str:
    """What an error may say."""
    return f"table.toml: seat 3.name: {name!r} has a seat already (expected another name)"


def longest_error() -> TableError:
    """One of the longest that keep a table from starting: it says what was expected, and where."""
    missing = TableError("source.no_picamera", error="No module named 'picamera2'")
    return TableError(missing, at=("/etc/cardtable/table.toml", line_place(103), "camera.source"))


def asking(seats: tuple[str, ...]) -> Iterator[tuple[str, View]]:
    """Panels, questions, dials, what is told, a pause: over a trick that is being played."""
    every = dict((*moments(seats, hands=[3]), *odd_moments(seats)))
    view, one, two, last = every["trick-won"], seats[0], seats[1], seats[-1]
    lines = (
        *(make_phrase("panel.name", name=name) for name in seats),
        make_phrase("panel.misdeal"),
        make_phrase("panel.leave"),
        make_phrase("panel.pause"),
        make_phrase("panel.close"),
    )
    yield "panel", replace(view, panel=OpenOptions(last, lines, 3))
    lost = make_phrase("panel.lost", what=make_phrase("lost.trick", n=3))
    sure = (make_phrase("panel.no"), make_phrase("panel.yes", what=make_phrase("panel.misdeal")))
    path = (make_phrase("panel.misdeal"),)
    yield "panel-sure", replace(view, panel=OpenOptions(two, sure, 0, make_phrase("panel.sure"), path, lost))
    for name, said in reviewed(seats):
        lies = (TableCard(1, card("10H"), two, "back"),) if name == "tied" else ()
        title = make_phrase("panel.trick", trick=11, leader=one, winner=last)
        steps = (make_phrase("menu.at", at=1, lines=1),) * 12
        photo = blank_photo() if name == "photo" else None
        review = TrickReview(view.state, lies, said, photo)
        yield f"review-{name}", replace(view, panel=OpenOptions(two, steps, 11, title, review=review))
    cards = (
        make_phrase("panel.card", card="QS"),
        make_phrase("panel.card", card="QC"),
        make_phrase("panel.another"),
    )
    high = ("A", "K", "Q", "J")
    ranks = tuple(make_phrase("panel.card", card=f"{rank}H") for rank in (*high, *range(10, 1, -1)))
    asked = OpenOptions(
        None, cards, title=make_phrase("notice.asked_card", seat=last), hint=make_phrase("panel.by_tap")
    )
    yield "question", replace(view, question=asked)
    order = make_phrase("notice.asked_order", seats=seats)
    both = replace(
        asked, title=order, options=tuple(make_phrase("panel.name", name=name) for name in (one, last))
    )
    yield "question-ruling", replace(view, question=both, notices=_told(seats, "ruling"))
    yield "answers", replace(view, question=replace(asked, seat=two, hint=None))
    yield "answers-many", replace(view, question=replace(asked, seat=one, options=ranks, marked=7, hint=None))
    calling = replace(every["auction"], now_ns=1_000 * MS)
    yield "dial", replace(calling, dial=Dial(one, ("6C", "6D"), "6D", 3_000 * MS, 2_500 * MS))
    yield "dial-suit", replace(every["name-suit"], dial=Dial(one, ("S", "C"), "C", 3_000 * MS, 2_500 * MS))
    yield "counting", replace(every["secret"], countdown_ends_ns=1_900 * MS)
    yield "paused", replace(view, paused=True)
    kinds: tuple[SeatKind, ...] = ("two", "one", "knock")
    controls = {seat: Controls(kinds[number % 3]) for number, seat in enumerate(seats)}
    for name in ("bid-open", "lead-open", "secret", "pass-cards", "game-over"):
        yield f"{name}-mixed", replace(every[name], controls=controls)
    yield "paused-mixed", replace(view, paused=True, controls=controls)
    by_panel = replace(asked, hint=make_phrase("panel.by_panel"))
    yield "question-mixed", replace(view, question=by_panel, controls=controls)
    for number, (kind, said) in enumerate(told(seats)):
        yield f"told-{number}", replace(view, notices=(Notice(view.now_ns, kind, said),))


def reviewed(seats: tuple[str, ...]) -> Iterator[tuple[str, Phrase | None]]:
    """What is told beside a trick that is looked at again: nothing, and the longest."""
    one, two, last = ({"seat": seat, "card": "10H"} for seat in (seats[0], seats[1], seats[-1]))
    yield "plain", None
    yield (
        "photo",
        line_sentence({"event": "leads_tied", "kept": None, "taken_back": [two, last], "next": seats[1]}),
    )
    yield (
        "tied",
        line_sentence({"event": "leads_tied", "kept": one, "taken_back": [two, last], "next": seats[1]}),
    )
    yield "revoke", line_sentence({"event": "revoke", **last, "trick": 11, "proved_by": "QH"})


def _told(seats: tuple[str, ...], kind: Tone) -> tuple[Notice, ...]:
    said = next(said for tone, said in told(seats) if tone == kind)
    return (Notice(1_000 * MS, kind, said),)


def told(seats: tuple[str, ...]) -> Iterator[tuple[Tone, Phrase]]:
    """The longest that the table says, of each kind."""
    one, two, last = seats[0], seats[1], seats[-1]

    def notice(code: str, **fields: Any) -> Phrase:
        return make_phrase(f"notice.{code}", **fields)

    waits = make_phrase("waits.turn_up", seat=last)
    why = make_phrase("refused.dealer_s_card", seat=one, card="10H", dealer=two)
    yield (
        "ruling",
        notice("tied_kept", seat=one, back=(two, last), why=make_phrase("tie.earlier", apart_ns=211 * MS)),
    )
    yield "ruling", notice("bids_tied", names=(one, two, last), spread_ns=24_900_000, seat=two)
    yield "ruling", notice("revoke", seat=last, card="10H", trick=11, proof="QH")
    yield "hint", notice("take_back", seat=last, card="10H", why=why)
    yield (
        "hint",
        notice("refused", why=make_phrase("refused.not_above", seat=last, other=one, bid="10NT", last="11C")),
    )
    yield "ruling", notice("bid_in_turn", seat=last)
    yield "ruling", notice("gulash")
    yield "ruling", notice("level_below", names=(one, two, last))
    yield "hint", notice("turn_another", seat=one, why=make_phrase("refused.trumps_known", waits=waits))
    press = gesture_hints_for((one,), {one: Controls("one")})
    free = make_phrase("help.bid_or_wait", how=press("number"), rap=press("rap"))
    wrong = gesture_hints_for((one, two), {one: Controls("one")})("wrong")
    yield "hint", make_phrase("button.awaited", seats=(one, two, last), how=free, wrong=wrong)
    yield "ruling", notice("changed_mind", was=_played(one, "10H"), now=_played(two, "10D"))
    yield "trouble", notice("arm_disagrees", arm=one, seat=last)
    yield "ruling", notice("resumed", place=make_phrase("place.cards", hand=12, trick=11, cards=13, laid=3))


def _played(seat: str, card: str) -> Phrase:
    return make_phrase("brief.card_played", seat=seat, card=card)
