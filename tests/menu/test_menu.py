"""The menu is stepped by anybody's buttons, and what it has chosen makes a game as ``table.toml`` would."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.chart_data import BarChart
from table.config.pin_plan import plan_chairs
from table.config.settings import ButtonsConfig, CameraConfig, ScreenConfig, SeatConfig, TableConfig
from table.games.registry import GAMES
from table.games.registry import make_game as make
from table.i18n.rules_page import rules_paragraphs
from table.i18n.terminal_output import phrase_text
from table.menu.menu import Menu, MenuRequest, PageSubject, PlayedGame
from table.menu.menu_pages import (
    make_menu_view,
    marked_chair,
    page_entries,
    show_findings,
    show_statistics,
)
from table.menu.menu_view_data import MenuLine
from table.menu.next_game_plan import (
    GamePlan,
    chair_angles,
    config_to_resume,
    draw_dealer,
    find_plan_fault,
    game_config,
    initial_plan,
    place_chairs,
    plan_options,
    screen_config,
    seats_to_resume,
    starting_points,
    taken_chairs,
)
from table.observed_facts import Gesture
from table.phrase import Phrase, make_phrase
from table.pipeline import game_from_config
from tests.menu.hands import OPEN, Finger, around


def seated(*names: str, **more: object) -> GamePlan:
    plan = GamePlan(**more)  # type: ignore[arg-type]
    for number, name in enumerate(names, start=1):
        plan = plan.seat_player(str(number), name)
    return plan


@pytest.mark.parametrize(("wrong_ms", "held"), [(1000, "1 second"), (2500, "2.5 seconds")])
def test_the_menu_says_how_long_the_set_up_wants_that_s_wrong_held(wrong_ms: int, held: str) -> None:
    set_up = replace(OPEN, buttons=ButtonsConfig(wrong_ms=wrong_ms))
    told = make_menu_view(Menu(around(set_up), GamePlan())).button_help
    assert told is not None
    assert phrase_text(told) == f"Tap BID: next line. Press RAP: choose it. Hold RAP {held}: back"


def test_a_tap_steps_round_a_rap_chooses_and_that_s_wrong_goes_back() -> None:
    finger = Finger()
    count = len(finger.codes)
    finger.call(Gesture.TAPS, count + 1)
    assert finger.menu.shown_page.selected == 1
    finger.call(Gesture.RAP)
    assert finger.codes[0] == "menu.game_is"
    finger.call(Gesture.WRONG)
    assert (finger.menu.shown_page.page, finger.menu.shown_page.selected) == (PageSubject.MAIN, 1)
    finger.call(Gesture.WRONG)
    assert finger.menu.shown_page.page is PageSubject.MAIN, "the first page stays"
    finger.call(Gesture.ZERO, 1)  # on one button: a tap and a hold
    assert finger.codes[:2] == ["menu.read_rules", "menu.single_rules"]
    finger.call(Gesture.ZERO)
    finger.call(Gesture.DOUBLE_NIL)
    finger.call(Gesture.UNKNOWN)
    assert finger.codes[0] == "menu.read_rules"


def test_what_is_missing_is_said_and_shown() -> None:
    finger = Finger(chair="3")
    finger.choose("menu.begin")
    assert finger.menu.request is None
    assert finger.menu.shown_page.page is PageSubject.PLAYERS
    assert finger.menu.message is not None
    assert finger.menu.message.code == "menu.players_needed"
    assert marked_chair(finger.menu) == "3", "whoever pressed is asked first"


def test_a_name_is_spelled_by_two_buttons_or_taken_from_those_who_played_before() -> None:
    finger = Finger(Menu(around(), GamePlan(known_players=("Zoë", "שרה"))))
    finger.choose("menu.players")
    finger.choose("menu.chair", number=1)
    assert finger.codes == ["menu.new_name", "Zoë", "שרה"]
    finger.choose("menu.new_name")
    finger.spell("ANN-EV")
    finger.call(Gesture.TAPS, len(finger.codes) - 2)
    finger.call(Gesture.RAP)  # the last letter is taken back
    finger.spell("A_B")
    assert make_menu_view(finger.menu).entered_name == "Ann-Ea B"
    finger.choose("menu.name_done", name="Ann-Ea B")
    assert finger.menu.shown_page.page is PageSubject.PLAYERS
    finger.choose("menu.chair", number=2)
    finger.choose("שרה")
    assert finger.menu.plan.players(OPEN.seats) == ("Ann-Ea B", "שרה")
    assert finger.menu.plan.known_players == ("שרה", "Ann-Ea B", "Zoë")


def test_that_s_wrong_leaves_a_row_of_letters_before_it_leaves_the_name() -> None:
    finger = Finger()
    finger.choose("menu.players")
    finger.choose("menu.chair", number=1)
    finger.choose("A B C D E F")
    finger.call(Gesture.WRONG)
    assert finger.codes[0] == "A B C D E F"
    finger.call(Gesture.WRONG)
    assert finger.menu.shown_page.page is PageSubject.PLAYERS, "nobody is known who could be chosen"


def test_nobody_has_another_player_s_name() -> None:
    finger = Finger(Menu(around(), seated("Eva", "Ben")))
    finger.choose("menu.players")
    finger.choose("menu.chair", number=3)
    finger.spell("EVA")
    assert finger.codes[0] == "menu.name_taken"
    before = finger.menu
    finger.choose("menu.name_taken")
    assert finger.menu.plan == before.plan
    finger.spell("N")
    finger.choose("menu.name_done")
    assert finger.menu.plan.players(OPEN.seats) == ("Eva", "Ben", "Evan")


def test_who_takes_a_chair_that_is_taken_changes_with_its_player() -> None:
    finger = Finger(Menu(around(), seated("Ada", "Ben", "Cleo", dealer="Ben")))
    finger.choose("menu.players")
    finger.choose("menu.chair", number=1)
    finger.choose("Cleo")
    assert finger.menu.plan.players(OPEN.seats) == ("Cleo", "Ben", "Ada")
    finger.choose("menu.chair", number=2)
    finger.choose("menu.nobody")
    assert finger.menu.plan.players(OPEN.seats) == ("Cleo", "Ada")
    assert finger.menu.plan.dealer is None, "who deals first has to be there"


def rules_with(**values: str) -> tuple[Phrase, ...]:
    """The words of rules of Oh Hell that differ from the usual ones."""
    return tuple(
        make_phrase(
            "rule.is", option=Phrase(f"rule.oh-hell.{name}"), value=Phrase(f"rule.oh-hell.{name}.{value}")
        )
        for name, value in values.items()
    )


def test_the_game_its_rules_and_the_dealer_are_chosen_and_stand_marked() -> None:
    finger = Finger(Menu(around(), seated("Ada", "Ben", "Cleo")))
    finger.choose("menu.game")
    finger.choose("menu.game_is", game="oh-hell")
    assert finger.menu.shown_page.page is PageSubject.RULES
    finger.choose("rule.differing", rules=rules_with(scoring="harsh"))
    finger.choose("menu.rules")
    assert [entry.line.chosen for entry in page_entries(finger.menu)].index(
        True
    ) == finger.menu.shown_page.selected
    finger.call(Gesture.WRONG)
    finger.choose("menu.dealer")
    finger.choose("Ben")
    finger.choose("menu.begin")
    assert finger.menu.request is MenuRequest.BEGIN
    game = game_from_config(game_config(finger.menu.plan, OPEN, 7))
    assert (game.name, game.options["scoring"], game.options["first_dealer"]) == ("oh-hell", "harsh", "Ben")
    assert game.seats == ("Ada", "Ben", "Cleo")


def test_the_lot_makes_the_same_dealer_of_the_same_number_and_is_fair() -> None:
    names = ("Ada", "Ben", "Cleo")
    drawings = [draw_dealer(names, 1_000_000_007 * number) for number in range(3000)]
    assert drawings == [draw_dealer(names, 1_000_000_007 * number) for number in range(3000)]
    assert all(900 < drawings.count(name) < 1100 for name in names)
    plan = seated(*names)
    assert game_config(plan, OPEN, 5).options["first_dealer"] == draw_dealer(names, 5)


@pytest.mark.parametrize("name", GAMES)
def test_every_preset_makes_a_game_for_four(name: str) -> None:
    plan = seated("Ada", "Ben", "Cleo", "Dan", game=name)
    games = []
    for preset in starting_points(plan, OPEN):
        chosen = replace(plan, preset=preset)
        assert find_plan_fault(chosen, OPEN) is None
        options = dict(game_from_config(game_config(chosen, OPEN, 1)).options)
        assert options not in games, "each is another game"
        games.append(options)


def test_a_preset_that_does_not_go_with_so_many_is_said_to_be_so() -> None:
    five = TableConfig("", {}, tuple(SeatConfig(str(n), 50.0 * n, named=False) for n in range(1, 8)))
    plan = seated("A", "B", "C", "D", "E", "F", preset="long")
    told = find_plan_fault(plan, five)
    assert told is not None
    assert told.code == "rule.unfit"
    assert told.fields["option"] == Phrase("rule.whysteria.start")
    finger = Finger(Menu(around(five), plan))
    finger.choose("menu.begin")
    assert finger.menu.shown_page.page is PageSubject.OPTIONS, "there it is put right"
    assert finger.menu.message == told


def option_values(finger: Finger) -> dict[str, object]:
    """The options of the game that would begin, by the menu's page of them."""
    return dict(game_from_config(game_config(finger.menu.plan, OPEN, 1)).options)


@pytest.mark.parametrize("game", GAMES)
def test_each_value_of_each_option_is_stepped_to_and_back(game: str) -> None:
    finger = Finger(Menu(around(), seated("Ada", "Ben", "Cleo", "Dan").choose_game(game, OPEN)))
    usual = option_values(finger)
    finger.choose("menu.rules")
    finger.choose("menu.single_rules")
    for option in GAMES[game].option_specs:
        if not option.check.choices:
            continue
        for choice in (*option.check.choices, option.value_of(GAMES[game].proposed_options)):
            finger.choose(option.title.code)
            line = next(
                entry.line
                for entry in page_entries(finger.menu)
                if entry.line.text == option.value_phrase(choice)
            )
            assert line.about is not None, "its meaning, or why it can't be"
            finger.choose(*([line.text] if isinstance(line.text, str) else [line.text.code]))
            assert finger.menu.shown_page.page is PageSubject.OPTIONS
            fault = find_plan_fault(finger.menu.plan, OPEN)
            assert (fault is None) == (line.about == option.about)
            if fault is None:
                taken = option.check.takes(choice)
                assert taken is None or option_values(finger)[option.name] == taken
        assert finger.menu.plan.changes == {}
    assert option_values(finger) == usual


def test_a_list_of_hands_is_put_together_hand_by_hand() -> None:
    finger = Finger(Menu(around(), seated("Ada", "Ben", "Cleo")))
    finger.choose("menu.rules")
    finger.choose("menu.single_rules")
    finger.choose("rule.hands")
    for cards in (3, 2, 2, 9):
        finger.choose("menu.add_hand", cards=cards)
    finger.choose("menu.last_away")
    finger.choose("menu.done")
    assert option_values(finger)["hands"] == [3, 2, 2]
    finger.choose("rule.hands")
    for _ in range(4):
        finger.choose("menu.last_away")
    assert finger.menu.plan.changes == {}


def test_rules_are_kept_under_a_name_and_forgotten() -> None:
    finger = Finger(Menu(around(), seated("Ada", "Ben", "Cleo").choose_game("oh-hell", OPEN)))
    finger.choose("menu.rules")
    finger.choose("rule.differing", rules=rules_with(scoring="harsh"))
    finger.choose("menu.rules")
    finger.choose("menu.single_rules")
    finger.choose("rule.oh-hell.hook")
    finger.choose("rule.off")
    finger.choose("menu.keep_rules")
    finger.spell("CLUB")
    finger.choose("menu.name_done", name="Club")
    assert finger.menu.shown_page.page is PageSubject.MAIN
    kept = option_values(finger)
    assert (kept["scoring"], kept["hook"]) == ("harsh", False)
    finger.choose("menu.rules")
    finger.choose("rule.all_usual")
    assert option_values(finger)["hook"] is True
    finger.choose("menu.rules")
    finger.choose("Club")
    assert option_values(finger) == kept
    assert make_menu_view(finger.menu).lines[2].value == "Club"
    finger.choose("menu.rules")
    finger.choose("menu.forget_rules", name="Club")
    assert option_values(finger)["hook"] is True
    finger.choose("menu.rules")
    assert "Club" not in finger.codes


def test_the_rules_are_read_as_agreed_before_everybody_is_there() -> None:
    finger = Finger(Menu(around(), seated("Ada").choose_game("oh-hell", OPEN)))
    finger.choose("menu.rules")
    finger.choose("menu.single_rules")
    finger.choose("rule.oh-hell.scoring")
    finger.choose("rule.oh-hell.scoring.harsh")
    finger.call(Gesture.WRONG)
    finger.choose("menu.read_rules")
    view = make_menu_view(finger.menu)
    assert view.rules is not None
    game, values = view.rules
    assert (game.name, values["scoring"], values["players"]) == ("oh-hell", "harsh", 3)
    assert len(view.lines) == len(rules_paragraphs("oh-hell", values))
    finger.call(Gesture.TAPS, 2)
    assert make_menu_view(finger.menu).selected == 2
    finger.call(Gesture.RAP)
    assert finger.menu.shown_page.page is PageSubject.RULES


def test_eight_play_oh_hell_with_two_packs() -> None:
    table = TableConfig("", {}, tuple(SeatConfig(str(n), 45.0 * n, named=False) for n in range(1, 9)))
    plan = seated(*"ABCDEFGH").choose_game("oh-hell", table)
    finger = Finger(Menu(around(table), plan))
    assert finger.menu.fault is not None
    finger.choose("menu.rules")
    finger.choose("menu.single_rules")
    finger.choose("rule.oh-hell.packs")
    finger.choose("2")
    assert finger.menu.fault is None


def test_the_chairs_that_are_taken_are_spread_around_the_table() -> None:
    chairs = plan_chairs()
    four = chair_angles(dict(zip("1234", "ABCD", strict=True)), chairs)
    assert [four[name] for name in "1234"] == [90, 180, 270, 0]
    assert all(0 < four[name] < 90 for name in "567"), "the empty ones are where they are between them"
    assert [seat.angle for seat in taken_chairs({"2": "A", "5": "B"}, chairs)] == [90, 270]
    assert chair_angles({}, chairs) == pytest.approx({seat.name: seat.angle for seat in chairs})


def test_a_chair_that_was_found_stays_and_the_others_are_spread_between() -> None:
    table = place_chairs(replace(OPEN, seats=plan_chairs()), {"2": 100.0, "4": 300.0})
    angles = chair_angles(dict.fromkeys("2345", "x"), table.seats)
    assert {name: angles[name] for name in "2345"} == {"2": 100, "3": 200, "4": 300, "5": 20}
    assert chair_angles({"1": "Ada"}, OPEN.seats) == {seat.name: seat.angle for seat in OPEN.seats}, (
        "as table.toml"
    )


def test_what_is_chosen_of_the_screen_is_kept_in_the_plan_and_nothing_else_of_it() -> None:
    finger = Finger()
    finger.choose("menu.settings")
    for key in ("sound", "four_colours", "lies_flat", "lies_flat"):
        finger.choose(f"menu.{key}")
    finger.choose("menu.language")
    finger.choose("Xish")
    plan = finger.menu.plan
    assert plan.screen == {"sound": False, "four_colours": True, "lies_flat": False, "language": "xx"}
    turned = replace(OPEN, screen=ScreenConfig(turned=90, lies_flat=True))
    assert screen_config(plan, turned) == ScreenConfig("xx", turned=90, four_colours=True, sound=False)
    assert screen_config(GamePlan(), turned) == turned.screen, "what nobody chose is as table.toml has it"


def test_what_is_offered_besides_can_be_wished() -> None:
    finger = Finger(Menu(around(replace(OPEN, camera=CameraConfig())), GamePlan()))
    finger.choose("menu.settings")
    assert "menu.switch_off" not in finger.codes
    able = Finger(Menu(around(may_switch_off=True), GamePlan()))
    able.choose("menu.settings")
    assert "menu.switch_off" in able.codes
    finger.choose("menu.calibrate")
    assert finger.menu.request is MenuRequest.CALIBRATE
    menu = show_findings(finger.menu, (MenuLine("mark", "ok"),))
    assert menu.request is None
    told = Finger(menu)
    told.choose("menu.done")
    assert told.menu.shown_page.page is PageSubject.SETTINGS


def test_another_camera_can_be_chosen_where_there_is_one_even_if_it_is_the_only_one_plugged_in() -> None:
    without = Finger(Menu(around(cameras=("picamera",), camera_in_use="picamera"), GamePlan()))
    without.choose("menu.settings")
    assert "menu.change_camera" not in without.codes, "the one in use"
    cameras = ("picamera", "/dev/v4l/by-id/usb-Over-video-index0")
    finger = Finger(Menu(around(cameras=cameras, camera_in_use="picamera"), GamePlan()))
    finger.choose("menu.settings")
    finger.choose("menu.change_camera")
    assert finger.codes == ["menu.camera_module", "Over", "menu.done"]
    finger.choose("Over")
    assert finger.menu.request is MenuRequest.CHANGE_CAMERA
    assert finger.menu.wanted_camera == "/dev/v4l/by-id/usb-Over-video-index0"


def test_choosing_the_camera_in_use_changes_nothing() -> None:
    cameras = ("/dev/v4l/by-id/usb-Other-video-index0", "/dev/v4l/by-id/usb-Over-video-index0")
    finger = Finger(Menu(around(cameras=cameras, camera_in_use=cameras[1]), GamePlan()))
    finger.choose("menu.settings")
    finger.choose("menu.change_camera")
    finger.choose("Over")
    assert finger.menu.request is None
    assert finger.menu.shown_page.page is PageSubject.SETTINGS


def test_cameras_without_names_of_their_own_are_told_apart_by_their_ports() -> None:
    ports = ("platform-xhci-hcd.0-usb-0:1:1.0", "platform-xhci-hcd.0-usb-0:2:1.0")
    cameras = tuple(f"/dev/v4l/by-path/{port}-video-index0" for port in ports)
    finger = Finger(Menu(around(cameras=cameras, camera_in_use=cameras[0]), GamePlan()))
    finger.choose("menu.settings")
    finger.choose("menu.change_camera")
    assert finger.codes == ["USB 0:1:1.0", "USB 0:2:1.0", "menu.done"]


def test_the_last_games_are_listed_with_how_they_ended() -> None:
    kept = PlayedGame("2026-11-20-200000", make_phrase("menu.done"), (("Ada", 51), ("Ben", 30)))
    finger = Finger(Menu(around(played_games=(kept,)), GamePlan()))
    finger.choose("menu.evenings")
    finger.choose("2026-11-20")
    assert [entry.line.value for entry in page_entries(finger.menu)] == [None, "51", "30", None]
    assert make_menu_view(finger.menu).title == make_phrase("menu.title_evening")


def test_of_a_game_that_is_not_over_it_is_told_how_it_stands() -> None:
    how = make_phrase("menu.evening", game="oh-hell", how=make_phrase("history.unfinished", hand=1))
    kept = PlayedGame("2026-11-20-200000", how, (), over=False)
    finger = Finger(Menu(around(played_games=(kept,)), GamePlan()))
    finger.choose("menu.evenings")
    finger.choose("2026-11-20")
    assert make_menu_view(finger.menu).title == make_phrase("menu.title_unfinished")
    told = [entry.line.text for entry in page_entries(finger.menu)]
    assert told == [how, make_phrase("menu.no_hand_over"), make_phrase("menu.done")]


def test_each_of_the_statistics_is_shown_where_it_is_marked() -> None:
    kept = PlayedGame("2026-11-20-200000", make_phrase("menu.done"), (), unsure=True)
    finger = Finger(Menu(around(played_games=(kept,)), GamePlan()))
    finger.choose("menu.evenings")
    assert "menu.day_unsure" in finger.codes
    finger.choose("menu.statistics")
    assert finger.menu.request is MenuRequest.STATISTICS
    shown = tuple(BarChart(name, make_phrase(f"plot.{name}"), ()) for name in ("time_to_bid", "time_to_play"))
    told = Finger(show_statistics(finger.menu, shown))
    seen = []
    for _ in range(3):
        seen.append(make_menu_view(told.menu).figures)
        told.call(Gesture.TAPS, 1)
    assert seen == [*shown, shown[-1]]
    told.choose("menu.done")
    assert (told.menu.shown_page.page, told.menu.request) == (PageSubject.EVENINGS, None)


def test_a_game_that_table_toml_sets_is_offered_as_it_sets_it() -> None:
    seats = (SeatConfig("Ada", 0), SeatConfig("Ben", 120), SeatConfig("3", 240, named=False))
    config = TableConfig("whysteria", {"hands": [2, 1], "first_dealer": "Ben"}, seats)
    plan = initial_plan(config, None)
    assert (plan.game, plan.dealer, plan.players(seats)) == ("whysteria", "Ben", ("Ada", "Ben"))
    assert plan_options(plan, config) == {"hands": [2, 1]}
    other = replace(plan, game="oh-hell", preset="usual")
    assert plan_options(other, config) == {}


def test_an_unfinished_game_goes_on_where_its_players_sit_around_this_table() -> None:
    plan = seated("Ada", "Ben", "Cleo", "Dan")
    game = make("whysteria", ("Ada", "Cleo", "Dan"))
    seats = seats_to_resume(game, plan, OPEN)
    assert seats == {"1": "Ada", "3": "Cleo", "4": "Dan"}
    found = config_to_resume(game, seats, plan, OPEN)
    assert [(seat.name, seat.angle) for seat in found.seats] == [("Ada", 60), ("Cleo", 180), ("Dan", 240)]
    assert game_from_config(found).start().announcements[0] == game.start().announcements[0]
    assert seats_to_resume(make("whysteria", ("Ada", "Eve")), plan, OPEN) is None
