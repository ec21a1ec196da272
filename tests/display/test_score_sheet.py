"""The score sheet and the chart: what is read first is largest, nothing is too small, and every hand has its page."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pygame
import pytest

from table.cards import DOUBLE_NIL, BidValue
from table.chart_data import axis_ticks, running_totals
from table.config.settings import ScreenConfig
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import Colour
from table.display.pages.score_sheet import PAGE_NS, ResultPage, latest_hands, plan_pages
from table.display.table_view.plate_positions import spread_apart
from table.display.view_picture import draw_canvas, visible_part
from table.games.engine.game_state import HandResult
from table.games.registry import make_game
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase
from table.referee.model.moments import Moment
from table.referee.model.view import View
from tests.display.views import LONG_NAMES, NAMES, game_moments, large_moments, moments, view_of

SIZES = [(800, 480), (1280, 720)]


@cache
def views(players: int, *, long: bool = False) -> dict[str, View]:
    names = (LONG_NAMES if long else NAMES)[:players]
    return dict((*moments(names), *game_moments(names)))


def texts(canvas: Canvas) -> list[str]:
    return [placed.text for placed in canvas.placed]


def inks(canvas: Canvas, text: str) -> list[pygame.Rect]:
    return [placed.ink for placed in canvas.placed if placed.text == text]


@pytest.mark.parametrize("size", SIZES)
def test_seven_players_and_25_hands_are_read_from_afar(size: tuple[int, int]) -> None:
    canvas = draw_canvas(views(7)["many-hands"], size)
    points = inks(canvas, "+11") + inks(canvas, "-10") + inks(canvas, "-20")
    assert len(points) >= 3 * 7
    assert min(ink.height for ink in points) >= size[1] / 25


@pytest.mark.parametrize("size", SIZES)
def test_the_names_and_points_of_ten_players_are_no_smaller_than_the_key_below_them(
    size: tuple[int, int],
) -> None:
    names = (*NAMES, "Hugo", "Ina", "Jonathan")
    game = make_game("oh-hell", names, {"packs": 2, "scoring": "harsh"})
    made, missed = names[::2], names[1::2]
    points = dict.fromkeys(made, 11) | dict.fromkeys(missed, -10)
    totals = dict.fromkeys(made, 110) | dict.fromkeys(missed, -100)
    tricks = dict.fromkeys(made, 1) | dict.fromkeys(missed, 0)
    results = tuple(
        HandResult(hand, 3, names[0], dict.fromkeys(names, 1), tricks, points, totals)
        for hand in range(1, 11)
    )
    state = replace(game.start().state, results=results, totals=totals, hand=11)
    canvas = draw_canvas(view_of(game, state), size)
    (key,) = (placed for placed in canvas.placed if placed.text.startswith("Each hand:"))
    for text in (*names, "+11", "-10"):
        drawn = [placed.height for placed in canvas.placed if placed.text == text]
        assert drawn, text
        assert min(drawn) >= 0.8 * key.height, text


@pytest.mark.parametrize("players", [3, 7])
def test_a_hands_points_come_first_and_the_running_total_is_smaller_beside_them(players: int) -> None:
    canvas = draw_canvas(views(players)["many-hands"], (1280, 720))
    points = inks(canvas, "+11")[0]
    total, tricks = (
        next(ink for ink in inks(canvas, text) if abs(ink.centery - points.centery) < 4)
        for text in ("264", "1/1")
    )
    assert points.right <= total.left
    assert total.right <= tricks.left
    assert points.height > total.height >= tricks.height


def test_a_bid_of_nought_that_was_made_has_its_nought_and_a_missed_one_a_cross() -> None:
    view = views(3)["hand-scored"]
    (result,) = view.state.results
    seat, other, third = view.game.seats
    nil = replace(
        result,
        bids={seat: 0, other: 1, third: 1},
        tricks={seat: 0, other: 0, third: 1},
        points={seat: 0, other: 0, third: 1},
    )
    shown = texts(draw_canvas(replace(view, state=replace(view.state, results=(nil,))), (1280, 720)))
    assert shown.count("+0") == 1
    assert shown.count("+1") == 1


@pytest.mark.parametrize(
    ("tricks", "points", "sign", "shown"),
    [(1, 0, "tick", []), (0, -1, "broken", []), (0, 1, None, ["+1♥"])],
    ids=["made", "missed", "a life back"],
)
def test_where_points_are_lives_a_made_bid_has_a_tick_and_a_missed_one_a_broken_heart(
    tricks: int, points: int, sign: str | None, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def noting(canvas: Canvas, name: str, box: pygame.Rect, colour: Colour) -> pygame.Rect:
        drawn.append(name)
        return pygame.Rect(box)

    monkeypatch.setattr(Canvas, "draw_icon", noting)
    view = views(4)["lives-sheet"]
    (result,), first = view.state.results, view.game.seats[0]
    bids: dict[str, BidValue] = {first: DOUBLE_NIL if points > 0 else 1}
    hand = replace(result, bids=bids, tricks={first: tricks}, points={first: points})
    canvas = draw_canvas(replace(view, state=replace(view.state, results=(hand,))), (1280, 720))
    assert [name for name in drawn if name in ("tick", "cross", "broken")] == ([sign] if sign else [])
    assert [text for text in texts(canvas) if text[0] in "+-"] == shown


def test_the_letters_of_one_kind_are_alike_in_all_rows() -> None:
    canvas = draw_canvas(views(7)["many-hands"], (1280, 720))
    for kind in (("-10", "-20"), ("+10", "+11", "+12"), ("228", "240", "-190", "-200")):
        assert len({ink.height for text in kind for ink in inks(canvas, text)[:-1]}) == 1


def test_what_went_before_is_one_row_with_its_totals() -> None:
    view = views(7)["many-hands"]
    canvas = draw_canvas(view, (1280, 720))
    before = next(text for text in texts(canvas) if text.endswith("before"))
    count = int(before.split()[0])
    shown = texts(canvas).count(phrase_text(make_phrase("count.card", n=3)))
    assert count + shown == len(view.state.results) == 25
    assert texts(canvas).count(str(view.state.results[count - 1].totals["Ada"])) == 3  # Ada, Dmitri, Gwen


@pytest.mark.parametrize("hands", [1, 2, 7, 8, 9, 13, 25, 60])
@pytest.mark.parametrize("room", [1, 2, 5, 8])
@pytest.mark.parametrize("code", [False, True])
def test_every_hand_has_a_page_when_the_game_is_over(hands: int, room: int, code: bool) -> None:
    found = plan_pages(hands, room, chart=hands > 1, code=code)
    assert found[0] == latest_hands(hands, room)
    assert (ResultPage.CHART in found) is (hands > 1)
    assert (ResultPage.CODE in found) is code
    shown = [number for page in found if isinstance(page, slice) for number in range(hands)[page]]
    assert sorted(shown) == list(range(hands))
    for page in found:
        if isinstance(page, slice):
            assert 1 <= page.stop - page.start <= max(1, room - bool(page.start))


def test_pages_are_turned_by_themselves_and_drawn_only_then() -> None:
    over = views(7)["many-hands-end"]
    assert over.game_over_ns == 0
    moments = [replace(over, now_ns=at * PAGE_NS // 4) for at in range(20)]
    turned = [visible_part(view) for view in moments]
    assert [turned[at] == turned[at - 1] for at in range(1, 20)] == [at % 4 != 0 for at in range(1, 20)]
    drawn = [pygame.image.tobytes(draw_canvas(view, (1280, 720)).surface, "RGB") for view in turned[::4]]
    assert len(set(drawn)) == len(drawn)


def test_honours_follow_the_chart_where_there_are_any() -> None:
    view = dict(large_moments(NAMES[:3]))["honours"]
    shown = texts(draw_canvas(view, (1280, 720)))
    for honour in view.honours:
        assert phrase_text(honour.title) in shown
        assert phrase_text(honour.figure) in shown
    none = texts(draw_canvas(replace(view, honours=()), (1280, 720)))
    assert phrase_text(view.honours[0].title) not in none


def test_pages_are_turned_once_what_is_shown_large_is_over() -> None:
    over = views(7)["many-hands-end"]
    podium = Moment("game_over", 0, PAGE_NS)
    view = replace(over, moments=(podium,), now_ns=PAGE_NS - 1)
    assert visible_part(view) != visible_part(over)
    for later_ns in (0, PAGE_NS):
        after = replace(view, now_ns=PAGE_NS + later_ns)
        assert visible_part(after) == visible_part(replace(over, now_ns=later_ns))


def test_nothing_is_turned_while_there_is_one_page() -> None:
    view = views(3)["hand-scored"]
    assert visible_part(view) == visible_part(replace(view, now_ns=view.now_ns + 3 * PAGE_NS))


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_the_chart_names_every_player_with_the_total(size: tuple[int, int], long: bool) -> None:
    view = views(7, long=long)["game-over-chart"]
    canvas = draw_canvas(view, size)
    screen = pygame.Rect((0, 0), size)
    for seat in view.game.seats:
        (name,) = inks(canvas, seat)[-1:]
        totals = inks(canvas, str(view.state.totals[seat]))
        assert any(abs(total.centery - name.centery) <= 2 and total.left > name.right for total in totals)
        assert screen.contains(name)


@pytest.mark.parametrize("size", [*SIZES, (480, 800)])
def test_the_numbers_of_hands_stand_apart_in_the_chart(size: tuple[int, int]) -> None:
    canvas = draw_canvas(views(4)["game-over-chart"], size)
    (said,) = inks(canvas, phrase_text(make_phrase("screen.hands")))
    row = [placed for placed in canvas.placed if abs(placed.box.centery - said.centery) <= said.height]
    numbers = sorted((placed.ink for placed in row if placed.text.isdigit()), key=lambda ink: ink.left)
    assert len(numbers) > 3
    assert min(ink.width for ink in numbers) > 0
    assert max(int(placed.text) for placed in row if placed.text.isdigit()) > 9
    assert all(after.left - before.right >= before.height / 4 for before, after in pairwise(numbers))


def test_a_course_begins_with_what_everybody_had_and_leaves_play_offs_out() -> None:
    def hand(
        number: int, points: dict[str, int], totals: dict[str, int], *, play_off: bool = False
    ) -> HandResult:
        return HandResult(number, 1, "Ada", {}, {}, points, totals, play_off=play_off)

    results = (
        hand(1, {"Ada": -1, "Ben": 0}, {"Ada": 2, "Ben": 3}),
        hand(2, {"Ben": -1}, {"Ada": 2, "Ben": 2}),
        hand(3, {"Ada": 1, "Ben": 0}, {"Ada": 2, "Ben": 2}, play_off=True),
    )
    assert running_totals(results, ("Ada", "Ben")) == {"Ada": [3, 2, 2], "Ben": [3, 3, 2]}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 5, [0, 1, 2, 3, 4, 5]),
        (0, 9, [0, 2, 4, 6, 8, 10]),
        (0, 0, [0, 1]),
        (3, 3, [3, 4]),
        (-250, 300, [-300, -200, -100, 0, 100, 200, 300]),
        (-7, 31, [-10, 0, 10, 20, 30, 40]),
        (0, 104, [0, 20, 40, 60, 80, 100, 120]),
        (-1234, -1000, [-1250, -1200, -1150, -1100, -1050, -1000]),
    ],
)
def test_a_scale_has_a_few_round_numbers_around_all_totals(low: int, high: int, expected: list[int]) -> None:
    assert axis_ticks(low, high) == expected


def test_names_at_the_lines_ends_are_kept_apart_and_in_order() -> None:
    assert spread_apart([50, 200], 30, 0, 300) == [50, 200]
    assert spread_apart([100, 100, 100], 30, 0, 300) == [100, 130, 160]
    assert spread_apart([290, 295, 299], 30, 0, 300) == [225, 255, 285]
    assert spread_apart([-5, 2], 30, 0, 300) == [15, 45]


@pytest.mark.parametrize("size", [*SIZES, (480, 800), (720, 1280)])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("players", [4, 7])
def test_how_many_cards_a_hand_had_stands_in_one_line(
    size: tuple[int, int], language: str, players: int
) -> None:
    placed = draw_canvas(views(players)["many-hands"], size, ScreenConfig(language)).placed
    label = renderer_for(language)(make_phrase("count.card", n=3))
    rows = [one for one in placed if one.text == label and one.ink.top > size[1] // 5]
    assert len(rows) > 3
    assert {one.lines for one in rows} == {(label,)}
