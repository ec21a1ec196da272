"""A game that the table has never heard of, written from CONTRIBUTING.md alone: rules, journal and screen take it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import pytest

from table.__main__ import main
from table.benchmark.rules_speed import make_short_game, play_random_game
from table.cards import pack
from table.display.view_picture import draw_canvas
from table.games.engine.game_state import Phase, State, Step
from table.games.engine.option_checks import check_hand_sizes
from table.games.engine.ruleset import Bidding, GameOptions, GameSpec, Rules
from table.games.engine.shared_rules import listed_sizes
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.observed_facts import MS
from table.referee.records.journal import Journal, resume_lines
from table.referee.referee import Referee
from tests.games.driver import Driver, Manners, named
from tests.referee.tabletop import ANGLES, TableTop

# --- the game: all that its author writes -----------------------------------------------------------------------------

CARDS = 7
MADE = 10


@dataclass(frozen=True, kw_only=True)
class NominationWhistOptions(GameOptions):
    """The options that all games have, and no others."""

    def settle(self, players: int) -> Self:
        """One hand of seven cards, unless told otherwise."""
        hands = self.hands or (CARDS,)
        check_hand_sizes(hands, players, 52)
        return replace(self, hands=hands)

    def make_rules(self) -> Rules:
        """One hand, hearts are trumps, the dealer may bid what the others have left."""
        return Rules(
            min_players=3,
            pack=pack(),
            hand_size=listed_sizes(self.hands or ()),
            fixed_trump=lambda state: "H",
            bidding=Bidding.IN_TURN,
            has_hook=False,
            score=a_point_a_trick,
        )


def a_point_a_trick(state: State, seat: str) -> int:
    """A point for each trick, and ten for an exact bid."""
    return state.tricks_won(seat) + MADE * state.made_bid(seat)


NOMINATION_WHIST = GameSpec(
    name="nomination-whist",
    seat_range=(3, 7),
    options=NominationWhistOptions,
    presets={"usual": NominationWhistOptions()},
    rules_page_package=__package__,
)


# --- what the table makes of it ---------------------------------------------------------------------------------------

NAME = NOMINATION_WHIST.name


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registry's one line."""
    monkeypatch.setitem(GAMES, NAME, NOMINATION_WHIST)


def new_game(**options: Any) -> Game:
    return make_game(NAME, tuple(ANGLES), options)


def played(seed: int, manners: Manners) -> Driver:
    driver = Driver(new_game(), random.Random(seed), manners)
    driver.play()
    return driver


def after_a_power_cut(driver: Driver, events: int, path: Path) -> Referee:
    """So many events are journalled at ``path``; then the table comes up with nothing but that file."""
    said = list(driver.game.start().announcements)
    for state, event in driver.history[:events]:
        step = driver.game.apply(state, event)
        assert isinstance(step, Step)
        said += step.announcements
    with Journal(path, durable=False) as journal:
        for number, one in enumerate(said):
            journal.append(one.event, number * MS, number * MS, one.fields)
    lines = resume_lines(path)
    referee = Referee(new_game(), ANGLES, Journal(path, durable=False, earlier=lines))
    referee.resume(len(lines) * MS)
    assert referee.journal.lines == lines
    return referee


@pytest.mark.parametrize("seed", range(4))
def test_random_legal_play_ends_with_the_score_of_its_rules(seed: int) -> None:
    driver = played(seed, Manners(revoke=0.1, take_back=0.1, come_and_go=0.02))
    (scored,) = named(driver.said, "hand_scored")
    for seat, points in scored["points"].items():
        won = scored["tricks"][seat]
        assert points == (10 + won if scored["bids"][seat] == won else won)
    (over,) = named(driver.said, "game_over")
    assert over["totals"] == scored["totals"]
    assert over["totals"][over["winners"][0]] == max(over["totals"].values())


def test_its_journal_brings_the_game_back_after_every_event(tmp_path: Path) -> None:
    driver = played(5, Manners(take_back=0.05))
    states = [*(state for state, _ in driver.history), driver.state]
    for at, state in enumerate(states):
        referee = after_a_power_cut(driver, at, tmp_path / f"{at}.jsonl")
        assert referee.state == state
        referee.journal.close()
    assert {state.phase for state in states} > {Phase.BID, Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP}


def test_the_screen_shows_it(tmp_path: Path) -> None:
    driver = played(5, Manners())
    at = next(at for at, (state, _) in enumerate(driver.history) if len(state.tricks) == 3)
    referee = after_a_power_cut(driver, at, tmp_path / "game.jsonl")
    canvas = draw_canvas(referee.view(0), (640, 360))
    referee.journal.close()
    assert set(referee.game.seats) <= {placed.text for placed in canvas.placed}


def test_buttons_and_cards_play_it_to_its_end() -> None:
    table = TableTop(NAME, hands=[1])
    table.rap("Ada", 1_000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 1 if seat == "Cleo" else 0, 2_000 + 1_500 * number)
    table.lay("KS", 8_000, "Ben")
    table.lay("2H", 10_000, "Cleo")
    table.lay("AS", 12_000, "Ada")
    table.clear("KS", "2H", "AS", at=14_000, arm="Cleo")
    assert table.said("trick_won", "game_over") == [
        (
            "trick_won",
            1,
            "Cleo",
            [
                {"seat": "Ben", "card": "KS"},
                {"seat": "Cleo", "card": "2H"},
                {"seat": "Ada", "card": "AS"},
            ],
        ),
        ("game_over", {"Ada": 10, "Ben": 10, "Cleo": 11}, [["Cleo"], ["Ada", "Ben"]], ["Cleo"]),
    ]


def test_the_commands_know_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", NAME]) == 0
    assert "hearts are trumps" in capsys.readouterr().out
    path = tmp_path / "table.toml"
    argv = ["init", "--config", str(path), "--game", NAME, "--players", *ANGLES]
    assert main(argv) == 0, capsys.readouterr().err
    assert main(["games", "--config", str(path)]) == 0
    assert play_random_game(make_short_game(NAME), random.Random(1)) > CARDS


def test_virtual_players_that_have_not_learned_it_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--game", NAME]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"cardtable: {NAME}: virtual players don't know it")
    assert said.count("\n") == 1
