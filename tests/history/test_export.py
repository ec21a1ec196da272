"""Games in other programs' formats: what PBN holds of them, and copies on a stick."""

from __future__ import annotations

import errno
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

from table.__main__ import main
from table.benchmark.rules_speed import choose_random_event
from table.cards import Card, pack
from table.events.game_events import Played, Reseated
from table.games.engine.game_state import Phase, Refusal, Step
from table.games.registry import make_game
from table.history import export
from table.history.archive import read_game
from table.history.export import board_texts, csv_text, export_game, pbn_text
from table.referee.records.journal import Journal, JournalLine, read_lines
from table.session import past_games_for_menu
from tests.history.simulated_journal import simulated_journal
from tests.wrong import wrong

SEATS = ("Ada", 'Ben "B"', "Cleo", "Dan")


def played(
    path: Path,
    name: str = "israeli-whist",
    hands: tuple[int, ...] = (13,),
    around: tuple[str, ...] = SEATS,
) -> list[JournalLine]:
    """The journal of a game at random; ``around``: the players in the chairs that they change to before the deal."""
    rng = random.Random(3)
    game = make_game(name, SEATS, {"hands": list(hands)})
    step, t_ns = game.start(), 0
    if around != SEATS:
        changed = game.apply(step.state, Reseated(around))
        assert not isinstance(changed, Refusal)
        step = Step(changed.state, (*step.announcements, *changed.announcements))
    with Journal(path, durable=False) as journal:
        while True:
            for said in step.announcements:
                journal.append(said.event, t_ns, t_ns, said.fields)
            state, t_ns = step.state, t_ns + 1
            if state.phase is Phase.OVER:
                return read_lines(path)
            if state.phase is Phase.DEAL:
                stock = list(game.pack())
                rng.shuffle(stock)
                held = {seat: [stock.pop() for _ in range(state.cards)] for seat in state.players}
            event = choose_random_event(game, state, held, stock, rng)
            after = game.apply(state, event)
            assert not isinstance(after, Refusal), after
            if isinstance(event, Played) and isinstance(event.card, Card):
                held[event.seat].remove(event.card)
            step = after


def tag(board: str, name: str) -> str:
    found = re.search(rf'^\[{name} "(.*)"\]$', board, re.MULTILINE)
    assert found is not None, name
    return found[1]


def test_a_hand_of_thirteen_is_a_board_with_its_deal_and_its_play(tmp_path: Path) -> None:
    lines = played(tmp_path / "game.jsonl")
    [board], others = board_texts(lines, "2026-11-20")
    assert others == 0
    assert (tag(board, "Date"), tag(board, "North"), tag(board, "East")) == (
        "2026.11.20",
        "Ada",
        'Ben \\"B\\"',
    )
    hands = [hand.split(".") for hand in tag(board, "Deal").removeprefix("N:").split()]
    assert [sum(map(len, hand)) for hand in hands] == [13] * 4
    dealt = {
        suit + rank for hand in hands for suit, ranks in zip("SHDC", hand, strict=True) for rank in ranks
    }
    assert dealt == {str(card)[-1] + str(card)[:-1].replace("10", "T") for card in pack(52)}
    rows = [row.split() for row in board.splitlines() if not row.startswith("[")]
    assert [len(row) for row in rows] == [4] * 13
    # Every row begins with the seat that led to the first trick; the cards are those of that seat's hand.
    first = "NESW".index(tag(board, "Play"))
    assert {row[0] for row in rows} == {
        suit + rank for suit, ranks in zip("SHDC", hands[first], strict=True) for rank in ranks
    }
    [scored] = [line for line in lines if line["event"] == "hand_scored"]
    assert tag(board, "Tricks") == " ".join(
        f"{letter}:{scored['tricks'][seat]}" for letter, seat in zip("NESW", SEATS, strict=True)
    )


def test_after_a_change_of_chairs_a_board_has_the_players_as_they_sit(tmp_path: Path) -> None:
    around = ("Dan", "Ada", "Cleo", SEATS[1])
    lines = played(tmp_path / "game.jsonl", around=around)
    [board], _ = board_texts(lines, None)
    assert [tag(board, name).replace("\\", "") for name in ("North", "East", "South", "West")] == [*around]
    tricks = [line["cards"] for line in lines if line["event"] == "trick_won"]
    rows = [row.split() for row in board.splitlines() if not row.startswith("[")]
    assert rows[0] == [play["card"][-1] + play["card"][:-1].replace("10", "T") for play in tricks[0]]


def test_a_contract_is_told_where_bridge_has_it(tmp_path: Path) -> None:
    lines = played(tmp_path / "game.jsonl")
    last = max(
        n for n, line in enumerate(lines) if line["event"] == "bid" and str(line["bid"])[-1:] in "SHDCT"
    )
    told = []
    for bid in ("6C", "7C", "9NT", "13S"):
        lines[last]["bid"] = bid
        told.append(tag(board_texts(lines, None)[0][0], "Contract"))
    assert told == ["?", "1C", "3NT", "7S"]
    assert tag(board_texts(lines, None)[0][0], "Date") == "????.??.??"


def test_hands_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    assert board_texts(played(tmp_path / "small.jsonl", "whysteria", (3, 2)), None) == ([], 2)
    lines = played(tmp_path / "game.jsonl")
    trick = next(line for line in lines if line["event"] == "trick_won")
    trick["cards"][1]["card"] = "?"
    assert board_texts(lines, None) == ([], 1)
    del trick["cards"]
    with wrong("row.garbled"):
        board_texts(lines, None)


def test_a_hand_whose_last_card_of_a_trick_was_withdrawn_is_a_board_too(tmp_path: Path) -> None:
    path = simulated_journal(tmp_path / "game.jsonl", "israeli-whist", 4, {"hands": [13] * 4}, seed=3)
    lines = read_lines(path)
    tricks = [line["trick"] for line in lines if line["event"] == "trick_won"]
    assert len(tricks) > 4 * 13, "the game has such a trick"
    boards, others = board_texts(lines, None)
    assert (len(boards), others) == (4, 0)


def test_a_board_has_no_date_where_the_name_of_the_game_tells_none(tmp_path: Path) -> None:
    dates = []
    for name in ("2026-11-20-200000+0100", "2026-11-20-200000+0100-unsure", "Sunday at Ada's"):
        played(path := tmp_path / f"{name}.jsonl")
        game, journal = read_game(path)
        dates.append(tag(pbn_text(game, journal.lines)[0], "Date"))
    assert dates == ["2026.11.20", "????.??.??", "????.??.??"]


def test_a_game_that_fits_no_pbn_is_refused_without_a_word_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.jsonl"
    played(path, "whysteria", (3, 2))
    assert main(["export", str(path), "--pbn"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert str(path) in printed.err


def test_all_games_are_copied_to_the_stick_in_every_format_that_holds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    games, stick = tmp_path / "cardtable" / "games", tmp_path / "stick"
    games.mkdir(parents=True)
    stick.mkdir()
    played(games / "2026-11-20-200000.jsonl")
    played(games / "2026-11-21-200000.jsonl", "whysteria", (2,))
    (games / "2026-11-22-200000.jsonl").write_text('{"event": "rap"}\n')
    monkeypatch.setattr(export, "find_stick", lambda: stick)
    assert main(["export", "--stick"]) == 1, "one is no game"
    wanted = {"0.jsonl", "0.csv", "0.html", "0.pbn", "1.jsonl", "1.csv", "1.html"}
    assert {path.name for path in (stick / "cardtable").iterdir()} == {
        f"2026-11-2{name[0]}-200000{name[1:]}" for name in wanted
    }
    for path in games.iterdir():
        if path.stem != "2026-11-22-200000":
            assert (stick / "cardtable" / path.name).read_bytes() == path.read_bytes()
    assert len((stick / "cardtable" / "2026-11-20-200000.csv").read_text().splitlines()) == 5
    capsys.readouterr()
    assert main(["export", "2026-11-20-200000", "--pbn"]) == 0
    assert capsys.readouterr().out == (stick / "cardtable" / "2026-11-20-200000.pbn").read_text()
    # The menu does the same.
    copied, refused = past_games_for_menu.copy_games_to_stick()
    assert (getattr(copied.text, "fields", {})["n"], getattr(refused.text, "code", "")) == (
        2,
        "menu.not_copied",
    )
    assert len(past_games_for_menu.past_figures()) == 6


def test_a_stick_that_is_pulled_out_is_told_once_and_not_for_each_game_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [tmp_path / f"2026-11-2{day}-200000.jsonl" for day in range(5)]
    for path in games:
        played(path, "whysteria", (1,))
    games[0].write_text('{"event": "rap"}\n')

    def write(path: Path, data: bytes) -> None:
        if path.stem == games[2].stem:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(export, "find_stick", lambda: tmp_path / "stick")
    monkeypatch.setattr(export, "replace_file", write)
    copied, errors = export.copy_to_stick(games)
    assert copied.fields["n"] == 1
    assert [error.phrase.fields["what"].code for error in errors] == ["wrong.expected", "file.not_written"]


def test_nothing_is_written_where_a_stick_was_that_is_pulled_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [tmp_path / f"2026-11-2{day}-200000.jsonl" for day in range(3)]
    for path in games:
        played(path, "whysteria", (1,))
    mounted, stick = tmp_path / "mounted", tmp_path / "stick"
    stick.mkdir()

    def read_and_pull(path: Path) -> Any:
        if path == games[1]:
            stick.rename(mounted)
            stick.mkdir()  # what is left of a mount
        return read_game(path)

    monkeypatch.setattr(export, "find_stick", lambda: stick)
    monkeypatch.setattr(export, "read_game", read_and_pull)
    copied, errors = export.copy_to_stick(games)
    assert (copied.fields["n"], len(errors)) == (1, 1)
    assert len([*(mounted / "cardtable").iterdir()]) == 3
    assert not [*stick.iterdir()]


def test_a_stick_that_is_full_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-20-200000.jsonl"
    played(path)
    (tmp_path / "stick").write_text("")
    with wrong("file.not_written"):
        export_game(path, tmp_path / "stick")


def test_no_spreadsheet_runs_a_name_and_numbers_stay_numbers(tmp_path: Path) -> None:
    seats = ("=1+2", "+Ben", "-Cleo", "@Dan")
    totals = dict(zip(seats, (-3, 1, 2, 3), strict=True))
    zeros = dict.fromkeys(seats, 0)
    lines: list[JournalLine] = [
        {"event": "hand_started", "hand": 1, "cards": 2, "dealer": "@Dan"},
        {"event": "trump", "suit": "S"},
        {
            "event": "hand_scored",
            "hand": 1,
            "bids": zeros,
            "tricks": zeros,
            "points": totals,
            "totals": totals,
        },
    ]
    rows = csv_text(lines).splitlines()[1:]
    assert rows[0] == "1,2,'@Dan,S,'=1+2,0,0,-3,-3"
    cells = [cell for row in rows for cell in row.split(",")]
    assert all(cell.lstrip("-").isdigit() for cell in cells if cell[0] in "=+-@")
