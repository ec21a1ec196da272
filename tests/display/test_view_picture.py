"""The picture of a view: every phase, readable, the same each time, and nothing hidden in it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import pygame
import pytest

from table.cards import JOKER, UnseenCard, cards, pack, tricks_of_bid
from table.config.settings import MIN_WINDOW_SIZE
from table.display.drawing.canvas import Canvas, PlacedText
from table.display.drawing.card_faces import draw_captioned_card_face, draw_card_back, draw_card_face
from table.display.drawing.icons import ICONS, draw_icon
from table.display.table_view.header_and_footer import NOTICE_NS, current_notices
from table.display.table_view.prompts_and_gestures import countdown_phrase
from table.display.table_view.seat_plate import draw_pips
from table.display.table_view.table_centre import dial_time_left
from table.display.view_picture import draw_canvas, visible_part
from table.events.game_events import Bid, Dealt, Rapped
from table.games.engine.game_state import Expected, Phase
from table.games.registry import make_game
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Call, Gesture
from table.phrase import make_phrase, size_phrase
from table.referee.model.bid_dial import Dial
from table.referee.model.search_context import RefereeTimes
from table.referee.model.view import OpenOptions, View
from table.referee.records.journal import Journal
from table.referee.referee import Referee
from tests.display.views import (
    LONG_NAMES,
    NAMES,
    even_angles,
    game_moments,
    moments,
    notice,
    odd_moments,
    step,
    view_of,
)
from tests.speeds import first_quick
from tests.wrong import wrong

SIZES = [(1280, 720), (1920, 1080), (1024, 600)]


@cache
def every(players: int, *, long: bool = False) -> dict[str, View]:
    names = (LONG_NAMES if long else NAMES)[:players]
    return dict((*moments(names), *odd_moments(names), *(game_moments(names) if players > 2 else ())))


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def written(canvas: Canvas) -> str:
    return " | ".join(placed.text for placed in canvas.placed)


def clashes(placed: list[PlacedText]) -> list[tuple[str, str]]:
    return [(one.text, two.text) for one, two in combinations(placed, 2) if one.ink.colliderect(two.ink)]


@pytest.mark.parametrize("size", SIZES)
@first_quick("players", range(7, 1, -1))
def test_every_moment_is_drawn_with_all_text_in_its_box_and_none_upon_another(
    players: int, size: tuple[int, int]
) -> None:
    screen = pygame.Rect((0, 0), size)
    for name, view in every(players, long=players % 2 == 1).items():
        canvas = draw_canvas(view, size)
        assert canvas.surface.get_size() == size
        for placed in canvas.placed:
            assert placed.box.contains(placed.ink), (name, placed)
            assert screen.contains(placed.ink), (name, placed)
        assert not clashes(canvas.placed), name


@pytest.mark.parametrize("size", [(320, 200), (800, 480), (600, 1024), (2560, 1080)])
def test_odd_screens_get_a_picture_too(size: tuple[int, int]) -> None:
    for view in (every(3)["trick-won"], every(7)["hand-scored"], every(7)["leads-tied"]):
        assert draw_canvas(view, size).surface.get_size() == size


def test_a_screen_too_small_for_a_table_is_refused_in_a_line() -> None:
    with wrong("image.small_screen", size=size_phrase((100, 80)), least=size_phrase(MIN_WINDOW_SIZE)):
        draw_canvas(every(2)["deal"], (100, 80))


def test_drawing_twice_gives_the_same_picture() -> None:
    for view in every(3).values():
        assert pixels(draw_canvas(view, (640, 360)).surface) == pixels(draw_canvas(view, (640, 360)).surface)


def test_drawing_changes_no_kept_sprite() -> None:
    view = every(5)["leads-tied"]
    first = pixels(draw_canvas(view, (1280, 720)).surface)
    for other in every(5).values():
        draw_canvas(other, (1280, 720))
    assert pixels(draw_canvas(view, (1280, 720)).surface) == first


# --- what is hidden ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
def test_a_bid_made_in_secret_can_not_be_guessed_from_the_picture(number: int) -> None:
    view = every(4)["secret"]
    seat = view.game.seats[-1]
    other = replace(view, state=replace(view.state, bids=((seat, number),)))
    assert pixels(draw_canvas(other, (640, 360)).surface) == pixels(draw_canvas(view, (640, 360)).surface)


def test_how_long_somebody_taps_a_secret_bid_is_not_shown() -> None:
    view = every(4)["secret"]
    for seat in view.game.seats:
        tapping = replace(view, calling_seats=frozenset({seat}))
        assert pixels(draw_canvas(tapping, (640, 360)).surface) == pixels(
            draw_canvas(view, (640, 360)).surface
        )


def test_somebody_who_is_calling_is_shown_by_the_same_mark_in_any_seat() -> None:
    view = replace(every(3)["bid-open"], calling_seats=frozenset())
    seen = set()
    for seat in view.game.seats:
        one = draw_canvas(replace(view, calling_seats=frozenset({seat})), (1280, 720))
        assert pixels(one.surface) != pixels(draw_canvas(view, (1280, 720)).surface)
        seen.add(written(one))
    # The mark is dots, no letters: nothing is written that was not written before.
    assert seen == {written(draw_canvas(view, (1280, 720)))}


# --- what must be seen ------------------------------------------------------------------------------------


def test_the_headline_says_that_anyone_may_bid_and_who_must_otherwise() -> None:
    assert "Anyone may bid; if nobody does, Ben must" in written(
        draw_canvas(every(3)["bid-open"], (1280, 720))
    )


def test_the_headline_says_who_must_bid_after_a_tie_and_why() -> None:
    shown = written(draw_canvas(every(3)["bids-tied"], (1280, 720)))
    assert "Ben must bid" in shown
    assert "4.9 ms apart" in shown


def test_the_last_bidders_forbidden_number_is_shown_and_only_then() -> None:
    view = every(3)["bid-last"]
    missing = view.state.cards - sum(tricks_of_bid(bid) for _, bid in view.state.bids)
    assert f"Ada may not bid {missing}" in written(draw_canvas(view, (1280, 720)))
    assert "may not bid" not in written(draw_canvas(every(3)["bid-open"], (1280, 720)))


def test_no_number_is_called_forbidden_when_the_last_bidder_is_free() -> None:
    game = make_game("whysteria", ("Ada", "Ben"), {"hands": [2]})
    view = every(2)["bid-last"]
    state = replace(view.state, cards=2, bids=(("Ben", 3),))
    shown = written(draw_canvas(view_of(game, state), (1280, 720)))
    assert "may not bid" not in shown


def test_a_card_that_goes_back_names_its_player() -> None:
    texts = [placed.text for placed in draw_canvas(every(3)["leads-tied"], (1280, 720)).placed]
    assert texts[texts.index("take back") - 1] == "Ben"


def test_who_has_rapped_is_marked() -> None:
    game = make_game("whysteria", NAMES[:3])
    state = every(3)["bid-open"].state
    rapped = step(game, state, Rapped("Cleo"))
    assert "rap" in [placed.text for placed in draw_canvas(view_of(game, rapped), (1280, 720)).placed]


def test_while_cards_are_passed_on_nobody_deals_and_the_plates_say_who_has_still_to_rap() -> None:
    game = make_game("oh-hell", NAMES[:3], {"exchange": 1, "trump": "progressive"})
    passing = step(game, step(game, game.start().state, Dealt("Ada")), Rapped("Ben"))
    shown = [placed.text for placed in draw_canvas(view_of(game, passing), (1280, 720)).placed]
    assert "deals" not in shown
    assert shown.count("press RAP") == 2
    assert shown.count("ready") == 1


def test_bids_are_shown_with_their_sum() -> None:
    game = make_game("whysteria", NAMES[:3])
    state = step(game, every(3)["bid-open"].state, Bid("Cleo", 4))
    shown = written(draw_canvas(view_of(game, state), (1280, 720)))
    assert "bid 4" in shown
    assert "Bids 4 of 7" in shown
    assert "2 still to bid" in shown


def test_the_cards_of_the_trick_are_numbered_in_playing_order() -> None:
    texts = [placed.text for placed in draw_canvas(every(5)["trick-won"], (1280, 720)).placed]
    assert all(str(number) in texts for number in range(1, 6))


def test_the_score_sheet_is_shown_after_a_hand_until_the_next_is_dealt() -> None:
    scored = every(3)["hand-scored"]
    assert "Total" in written(draw_canvas(scored, (1280, 720)))
    dealt = replace(scored.state, phase=Phase.BID)
    view = replace(scored, state=dealt, expected=Expected(Phase.BID, ("Ada",), "Ada"))
    assert "Total" not in written(draw_canvas(view, (1280, 720)))


def test_a_sentence_leaves_the_screen_after_a_while() -> None:
    view = replace(
        every(3)["follow"], notices=(*notice("the older", "hint", 0), *notice("the oldest", "hint", -1))
    )
    assert current_notices(replace(view, now_ns=NOTICE_NS - 1)) == view.notices[:1]
    assert "The older" in written(draw_canvas(replace(view, now_ns=1), (1280, 720)))
    assert "The older" not in written(draw_canvas(replace(view, now_ns=NOTICE_NS + MS), (1280, 720)))


@pytest.mark.parametrize(
    ("seconds", "shown"), [(-0.1, None), (0.1, "3"), (1.5, "2"), (2.9, "1"), (3.2, "Up!"), (5.1, None)]
)
def test_the_one_card_hand_is_counted_to_three_after_the_deal(seconds: float, shown: str | None) -> None:
    game = make_game("whysteria", NAMES[:3], {"hands": [1]})
    state = step(game, game.start().state, Dealt("Ada"))
    view = view_of(game, state, dealt_ns=5_000 * MS, now_ns=round((5 + seconds) * 1_000 * MS))
    count = countdown_phrase(view)
    assert (phrase_text(count) if count is not None else None) == shown
    texts = [placed.text for placed in draw_canvas(view, (1280, 720)).placed]
    assert any(text.startswith("trick to bid for") for text in texts) is (shown is None)
    bid = step(game, state, Bid("Cleo", 1))
    assert countdown_phrase(replace(view, state=bid)) is None
    assert countdown_phrase(replace(every(3)["bid-open"], dealt_ns=view.dealt_ns, now_ns=view.now_ns)) is None


@pytest.mark.parametrize(
    ("left", "shown"), [(2.9, "3"), (1.5, "2"), (0.2, "1"), (0.0, "Bid!"), (-4.0, "Bid!")]
)
def test_secret_bids_are_counted_in(left: float, shown: str) -> None:
    view = replace(every(4)["secret"], countdown_ends_ns=10_000 * MS, now_ns=round((10 - left) * 1_000 * MS))
    count = countdown_phrase(view)
    assert count is not None
    assert phrase_text(count) == shown
    assert shown in [placed.text for placed in draw_canvas(view, (1280, 720)).placed]


def test_the_dial_is_shown_with_what_is_left_of_its_quiet() -> None:
    view = replace(every(4)["auction"], dial=Dial("Ada", ("6C", "6D"), "6D", 3_500 * MS, 2_500 * MS))
    assert "6♦" in [placed.text for placed in draw_canvas(view, (1280, 720)).placed]
    assert dial_time_left(replace(view, now_ns=1_000 * MS)) == 1.0
    assert dial_time_left(replace(view, now_ns=2_250 * MS)) == 0.5
    assert dial_time_left(replace(view, now_ns=4_000 * MS)) == 0.0
    assert pixels(draw_canvas(view, (640, 360)).surface) != pixels(
        draw_canvas(replace(view, now_ns=3_000 * MS), (640, 360)).surface
    )


@pytest.mark.parametrize("dial_ms", [1000, 2500, 8000])
def test_the_dials_bar_is_full_at_first_whatever_quiet_is_asked_for(dial_ms: int) -> None:
    game, seats = make_game("israeli-whist", NAMES[:4], {"target": 300}), NAMES[:4]
    referee = Referee(game, even_angles(seats), Journal(), RefereeTimes(dial_ns=dial_ms * MS))
    referee.start(0)
    rap = Call(1_000 * MS, 1_100 * MS, referee.state.dealer, Gesture.RAP)
    referee.take([rap], 2_000 * MS, 2_000 * MS)
    seat = referee.view(0).expected.default_seat
    assert seat is not None
    tapped = Call(3_000 * MS, 3_500 * MS, seat, Gesture.TAPS, 1)
    referee.take([tapped], 3_501 * MS, 3_501 * MS)
    # Quiet counts from the last press; the call itself is known a burst's gap later.
    parts = [dial_time_left(referee.view((3_000 + at) * MS)) for at in (0, dial_ms // 2, dial_ms)]
    assert parts == [1.0, 0.5, 0.0]


def test_equal_views_for_the_eye_give_equal_pictures() -> None:
    for view in every(3).values():
        assert pixels(draw_canvas(visible_part(view), (640, 360)).surface) == pixels(
            draw_canvas(view, (640, 360)).surface
        )


def test_a_trouble_that_stands_needs_no_new_picture() -> None:
    view = every(3)["bid-open"]
    moments_ = [
        replace(view, notices=(*notice("No camera", "trouble", now),), now_ns=now)
        for now in (10**9, 2 * 10**9)
    ]
    assert visible_part(moments_[0]) == visible_part(moments_[1])


@pytest.mark.parametrize("kind", ["ruling", "hint", "trouble"])
def test_the_kinds_of_sentences_differ_in_shape(kind: str) -> None:
    others = {"ruling", "hint", "trouble"} - {kind}
    shape = pygame.mask.from_surface(draw_icon(kind, 44, (255, 255, 255)))
    for other in others:
        assert pygame.mask.from_surface(draw_icon(other, 44, (255, 255, 255))).overlap_area(
            shape, (0, 0)
        ) < 0.95 * max(shape.count(), 1)
    assert draw_canvas(replace(every(3)["follow"], notices=notice("Look", kind)), (1280, 720)).surface


def test_a_score_that_hangs_on_a_question_says_that_it_is_not_certain() -> None:
    view = every(3)["hand-scored"]
    assert "not yet certain" not in written(draw_canvas(view, (1280, 720)))
    (result,) = view.state.results[-1:]
    hanging = replace(view, provisional_hands=frozenset((result.hand,)))
    assert "not yet certain" in written(draw_canvas(hanging, (1280, 720)))


@pytest.mark.parametrize("size", SIZES)
def test_a_ruling_and_what_is_asked_are_in_sight_together(size: tuple[int, int]) -> None:
    lines = (
        make_phrase("panel.card", card="KH"),
        make_phrase("panel.card", card="KD"),
        make_phrase("panel.another"),
    )
    asked = OpenOptions(
        None, lines, title=make_phrase("notice.asked_card", seat="Ada"), hint=make_phrase("panel.by_tap")
    )
    view = replace(every(3)["follow"], notices=notice("Ben took the 4♣ back", "ruling"), question=asked)
    canvas = draw_canvas(view, size)
    for words in ("Ben took the 4♣ back", phrase_text(asked.title), "K♦"):
        assert words in written(canvas)
    assert not clashes(canvas.placed)


def test_a_seat_without_an_angle_is_drawn_all_the_same() -> None:
    assert draw_canvas(replace(every(4)["follow"], seat_angles={}), (1280, 720)).surface


# --- the parts --------------------------------------------------------------------------------------------


def test_every_card_has_a_face_of_its_own() -> None:
    every_card = {*pack(63), *cards("JOKER")}
    assert len({pixels(draw_card_face(one, (70, 100))) for one in every_card}) == len(every_card)
    assert len({pixels(draw_captioned_card_face(one, (70, 100))) for one in every_card}) == len(every_card)
    assert draw_card_back((70, 100)).get_size() == (70, 100)


def test_every_sign_is_drawn_at_any_size_and_differs_in_shape() -> None:
    masks = {name: pygame.mask.from_surface(draw_icon(name, 40, (10, 200, 90))) for name in ICONS}
    assert all(mask.count() > 40 for mask in masks.values())
    assert len({(*mask.outline(), mask.count()) for mask in masks.values()}) == len(ICONS)
    for name in ICONS:
        assert draw_icon(name, 1, (255, 0, 0)).get_size() == (1, 1)


def test_made_needed_and_over_are_told_apart_without_colours() -> None:
    canvas = Canvas((1280, 720))
    strips = []
    for number, pip in enumerate(("won", "ring", "excess", "none")):
        box = pygame.Rect(0, 60 * number, 200, 40)
        assert draw_pips(canvas, [pip], box, on_amber=True)
        strips.append(pixels(canvas.surface.subsurface(box)))
    # On amber all are drawn in ink: what differs is the shape.
    assert len(set(strips)) == 4


def test_pips_too_small_to_tell_apart_are_not_drawn() -> None:
    canvas = Canvas((1280, 720))
    before = pixels(canvas.surface)
    assert not draw_pips(canvas, ["ring"] * 13, pygame.Rect(0, 0, 60, 40), on_amber=False)
    assert pixels(canvas.surface) == before


def test_a_card_that_nobody_saw_is_a_question_mark_and_no_joker() -> None:
    unknown, joker = (draw_card_face(one, (60, 84)) for one in (UnseenCard(won=False), JOKER))
    assert pygame.image.tobytes(unknown, "RGB") != pygame.image.tobytes(joker, "RGB")
    assert draw_captioned_card_face(UnseenCard(won=False), (60, 84)).get_size() == (60, 84)
