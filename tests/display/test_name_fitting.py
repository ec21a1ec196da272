"""Long names stay whole, or can at least be told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.display.drawing.canvas import Canvas
from table.display.drawing.text_fitting import block_height, fit_name, initials, shorten_names, text_width
from table.display.view_picture import draw_canvas
from table.games.engine.game_state import Phase
from table.games.registry import make_game
from table.i18n.terminal_output import phrase_text
from table.phrase import make_phrase
from tests.display.everything import is_clipped
from tests.display.views import LONG_NAMES, NAMES, game_moments, moments, odd_moments, view_of

BOX = (120, 36)


def test_a_short_name_is_written_as_large_as_may_be() -> None:
    assert fit_name("Li", ("Li", "Ada"), BOX, 30, 14) == (30, ("Li",))


def test_a_longer_name_is_written_smaller_before_it_is_broken() -> None:
    size, lines = fit_name("Bartholomäus", LONG_NAMES, BOX, 30, 14)
    assert lines == ("Bartholomäus",)
    assert 14 <= size < 30


def test_a_long_name_is_broken_between_its_words_or_after_its_hyphen() -> None:
    box = (100, 36)
    assert fit_name("Maximiliane-Theodora", LONG_NAMES, box, 30, 14)[1] == ("Maximiliane-", "Theodora")
    assert fit_name("Σωκράτης Παπαδόπουλος", LONG_NAMES, (120, 36), 30, 14)[1] == (
        "Σωκράτης",
        "Παπαδόπουλος",
    )


def test_a_long_word_is_broken_in_its_middle() -> None:
    _, lines = fit_name("Wolfeschlegelsteinhausen", LONG_NAMES, (120, 36), 30, 14)
    assert lines == ("Wolfeschlege-", "lsteinhausen")


def test_names_with_no_room_for_two_lines_become_initials_that_tell_apart() -> None:
    names = ("Maximiliane", "Maximilian", "Anna Maria", "Anna Martha")
    short = initials(names)
    assert len(set(short.values())) == len(names)
    assert initials(("Ada Lovelace", "Ben", "Bob")) == {"Ada Lovelace": "AL", "Ben": "Be", "Bob": "Bo"}
    _, lines = fit_name("Maximiliane-Theodora", LONG_NAMES, (30, 20), 20, 14)
    assert lines == ("MT",)


@pytest.mark.parametrize("name", LONG_NAMES)
@pytest.mark.parametrize("box", [(20, 10), (60, 20), (100, 34), (160, 50)])
def test_no_name_sticks_out_of_its_box(name: str, box: tuple[int, int]) -> None:
    size, lines = fit_name(name, LONG_NAMES, box, 40, 14)
    assert block_height(len(lines), size) <= box[1]
    assert all(text_width(line, size) <= box[0] for line in lines)


def texts(canvas: Canvas) -> list[str]:
    return [placed.text for placed in canvas.placed]


def test_a_made_bid_has_its_points_first_and_a_missed_one_a_cross() -> None:
    view = dict(game_moments(NAMES[:3]))["many-hands"]
    placed = draw_canvas(view, (1280, 720)).placed
    assert {"+11", "-10", "-20"} <= {one.text for one in placed}
    # The first player's last hand but one: its points, and beside them in smaller letters the total.
    points = next(one.ink for one in reversed(placed) if one.text == "+10")
    total = next(one.ink for one in placed if one.text == "288")
    assert points.height > total.height
    assert points.right < total.left
    assert abs(points.centery - total.centery) < points.height / 2


def test_the_sheet_calls_lives_lives_and_counts_faults() -> None:
    views = dict(game_moments(NAMES[:3]))
    assert "Lives" in texts(draw_canvas(views["lives-sheet"], (1280, 720)))
    assert "6 faults of 20" in texts(draw_canvas(views["faults-sheet"], (1280, 720)))


def test_a_game_without_a_last_hand_numbers_its_hands_alone() -> None:
    game = make_game("whysteria", NAMES[:3], {"constant": 5})
    state = replace(game.start().state, hand=3)
    assert "Hand 3" in texts(draw_canvas(view_of(game, state), (1280, 720)))
    israeli = make_game("israeli-whist", NAMES[:4], {"hands": [13]})
    extra = replace(israeli.start().state, hand=3, phase=Phase.DEAL)
    assert "Hand 3" in texts(draw_canvas(view_of(israeli, extra), (1280, 720)))


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
@pytest.mark.parametrize("players", [3, 7])
def test_no_name_is_cut_at_any_moment(size: tuple[int, int], players: int) -> None:
    names = LONG_NAMES[:players]
    for moment, view in (*moments(names), *odd_moments(names), *game_moments(names)):
        cut = [
            one.text
            for one in draw_canvas(view, size).placed
            if any(line.endswith("…") for line in one.lines)
        ]
        assert cut == [], moment


def test_a_phrase_in_short_has_initials_wherever_a_name_stands() -> None:
    among = ("Maximiliane-Theodora", "Li")
    said = make_phrase(
        "help.pass_cards",
        rap=make_phrase("help.deal", seat="Li"),
        waiting=("Maximiliane-Theodora", "Li"),
        plays=[{"seat": "Maximiliane-Theodora", "card": "9H"}],
        n=3,
    )
    short = shorten_names(said, among)
    assert short.fields == {
        "rap": make_phrase("help.deal", seat="Li"),
        "waiting": ("MT", "Li"),
        "plays": ({"seat": "MT", "card": "9H"},),
        "n": 3,
    }


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)])
def test_whose_card_goes_back_is_told_by_the_whole_name_with_seven_players(size: tuple[int, int]) -> None:
    view = dict(moments(NAMES))["leads-tied"]
    canvas = draw_canvas(view, size)
    back = [one for one in canvas.placed if one.text == phrase_text(make_phrase("screen.take_back"))]
    (name,) = (one for one in canvas.placed[: canvas.placed.index(back[0])][-1:])
    assert name.lines == (name.text,) == (NAMES[1],)
    assert not is_clipped(name)


def test_a_name_in_a_low_place_is_smaller_rather_than_initials() -> None:
    assert fit_name("Dmitri", NAMES, (120, 16), 30, 29)[1] == ("Dmitri",)
