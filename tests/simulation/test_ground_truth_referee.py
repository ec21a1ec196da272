"""The ground-truth referee rules on ties to the millisecond and on cards that are out of place."""

from __future__ import annotations

from typing import Any

import pytest

from table.cards import card as card_named
from table.config.settings import ButtonsConfig, CameraConfig, SeatConfig, TableConfig
from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.simulation.players.ground_truth_referee import GroundTruthReferee
from table.simulation.players.simulated_game import Act, CallAct, LayAct, TakeAct
from table.simulation.rendering.motions_over_time import CardPose

SEATS = ("Ada", "Ben", "Cleo")
S = 1_000 * MS


class Table:
    """A ground-truth referee that takes acts stamped in milliseconds."""

    def __init__(self, game: str = "whysteria", **options: Any) -> None:
        seats = tuple(SeatConfig(seat, 0, bid=1, rap=2) for seat in SEATS)
        self.referee = GroundTruthReferee(
            TableConfig(game, options, seats, CameraConfig(), ButtonsConfig()), 0
        )
        self._ids = 0
        self.ids: dict[str, int] = {}

    def tell(self, *acts: Act) -> list[dict[str, Any]]:
        before = len(self.referee.truth)
        self.referee.rule_on_acts(acts)
        lines = self.referee.truth[before:]
        return [
            {"ms": line["t_ns"] // MS, **{k: v for k, v in line.items() if k != "t_ns"}} for line in lines
        ]

    def said(self, *acts: Act) -> list[str]:
        return [line["event"] for line in self.tell(*acts)]

    def laid(self, ms: float, seat: str, card: str, *upon: str, face_up: bool = True) -> LayAct:
        self._ids += 1
        self.ids[card] = self._ids
        return LayAct(
            round(ms * MS),
            self._ids,
            seat,
            card_named(card),
            face_up,
            tuple(self.ids[beneath] for beneath in upon),
            CardPose(0, 0, 0),
        )

    def taken(self, ms: float, seat: str, *cards: str, to_hand: bool = True) -> TakeAct:
        return TakeAct(round(ms * MS), tuple(self.ids[card] for card in cards), seat, to_hand)

    def phase(self) -> Phase:
        return self.referee.phase

    def bid_all(self, ms: int, bids: str) -> None:
        """Bids by Ben, Cleo and Ada, a second apart, after Ada's deal."""
        self.tell(rapped(ms * MS, "Ada"))
        for number, (seat, bid) in enumerate(zip(("Ben", "Cleo", "Ada"), bids, strict=True), start=1):
            self.tell(bade(ms + 1000 * number, seat, int(bid)))
        assert self.phase() is Phase.LEAD


def bade(ms: float, seat: str, bid: int | str) -> CallAct:
    return CallAct(round(ms * MS), round(ms * MS) + 600 * MS, seat, bid)


def rapped(t_ns: int, seat: str) -> CallAct:
    return CallAct(t_ns, t_ns + 120 * MS, seat, None)


def whysteria() -> Table:
    table = Table(hands=[2, 1])
    table.bid_all(0, "010")
    return table


def test_bids_within_the_window_of_the_earliest_are_tied_and_later_ones_count() -> None:
    table = Table(hands=[2])
    table.tell(rapped(0, "Ada"))
    lines = table.tell(bade(1000, "Cleo", 1), bade(1029.9, "Ben", 1), bade(1030, "Ada", 2))
    assert lines == [
        {"ms": 1000, "event": "bids_tied", "seats": ["Cleo", "Ben"], "spread_ns": 29_900_000, "next": "Ben"}
    ]
    # Ada's began before the last tied burst had ended, and Cleo is no longer asked.
    assert table.said(bade(1700, "Cleo", 0)) == []
    assert table.said(bade(1800, "Ben", 0)) == ["bid"]


def test_a_bid_before_the_deal_and_a_forbidden_last_one_are_none() -> None:
    table = Table(hands=[2])
    assert table.said(bade(500, "Ben", 1), rapped(1 * S, "Ben"), bade(2000, "Ben", 1)) == []
    assert table.said(rapped(3 * S, "Ada"), bade(4000, "Ben", 1), bade(5000, "Cleo", 0)) == ["bid", "bid"]
    assert table.said(bade(6000, "Ada", 1)) == []
    assert table.said(bade(7000, "Ada", 2)) == ["bid"]


@pytest.mark.parametrize(
    ("lands", "kept"),
    [
        ([("Ada", 0, ""), ("Ben", 5, "A")], "Ada"),
        ([("Ada", 0, ""), ("Ben", 66, "")], None),
        ([("Ada", 0, ""), ("Ben", 67, "")], "Ada"),
        ([("Ada", 0, ""), ("Ben", 100, "A"), ("Cleo", 200, "")], None),
        ([("Ada", 0, ""), ("Ben", 5, "A"), ("Cleo", 9, "AB")], "Ada"),
        ([("Ada", 0, ""), ("Ben", 5, ""), ("Cleo", 9, "AB")], None),
        ([("Ada", 0, ""), ("Ben", 80, ""), ("Cleo", 160, "")], "Ada"),
    ],
)
def test_of_tied_leads_the_one_underneath_stays_or_the_plainly_first(
    lands: list[tuple[str, int, str]], kept: str | None
) -> None:
    table = whysteria()
    cards = {"A": "5H", "B": "6H", "C": "7H"}
    acts = [
        table.laid(9000 + ms, seat, cards[seat[0]], *(cards[beneath] for beneath in upon))
        for seat, ms, upon in lands
    ]
    lines = table.tell(*acts)
    assert lines[0]["event"] == "leads_tied"
    assert (lines[0]["kept"] or {}).get("seat") == kept
    assert [play["seat"] for play in lines[0]["taken_back"]] == [seat for seat, _, _ in lands if seat != kept]
    assert [line["event"] for line in lines[1:]] == (["card_played"] if kept else [])
    # Without a kept card the default, left of the last bidder, must lead.
    assert lines[0]["next"] == "Ben"


def test_without_the_mark_all_tied_leads_go_back() -> None:
    table = Table(hands=[2], mark=False)
    table.bid_all(0, "010")
    lines = table.tell(table.laid(9000, "Ada", "5H"), table.laid(9100, "Ben", "6H", "5H"))
    assert [line["event"] for line in lines] == ["leads_tied"]
    assert lines[0]["kept"] is None


def test_a_lead_when_the_window_is_over_is_out_of_turn() -> None:
    table = whysteria()
    assert table.said(table.laid(9000, "Ada", "5H"), table.laid(9250, "Cleo", "6H")) == ["card_played"]
    assert table.referee.cards_to_take_back() == [table.ids["6H"]]
    assert table.said(table.taken(10_000, "Cleo", "6H")) == ["card_taken_back"]


def test_a_card_out_of_turn_that_still_lies_there_counts_when_its_turn_comes() -> None:
    table = whysteria()
    table.tell(table.laid(9000, "Ada", "5H"), table.laid(10_000, "Cleo", "6H"))
    lines = table.tell(table.laid(11_000, "Ben", "9H"))
    assert [(line["event"], line["seat"]) for line in lines] == [
        ("card_played", "Ben"),
        ("card_played", "Cleo"),
        ("trick_won", "Ben"),
    ]


def test_a_lead_before_the_last_trick_is_picked_up_never_counts() -> None:
    table = whysteria()
    table.tell(
        table.laid(9000, "Ada", "5H"), table.laid(10_000, "Ben", "6H"), table.laid(11_000, "Cleo", "7H")
    )
    assert table.said(table.laid(12_000, "Ada", "KH")) == []
    assert table.said(table.taken(13_000, "Cleo", "5H", "6H", "7H", to_hand=False)) == []
    assert table.phase() is Phase.LEAD
    assert table.said(table.taken(14_000, "Ada", "KH")) == ["card_taken_back"]
    assert table.said(table.laid(15_000, "Ben", "2C")) == ["card_played"]


def test_the_last_card_withdrawn_opens_the_trick_again() -> None:
    table = whysteria()
    table.tell(
        table.laid(9000, "Ada", "5H"), table.laid(10_000, "Ben", "6H"), table.laid(11_000, "Cleo", "7H")
    )
    assert table.phase() is Phase.PICK_UP
    assert table.tell(table.taken(12_000, "Cleo", "7H")) == [
        {"ms": 12_000, "event": "card_taken_back", "seat": "Cleo", "card": "7H"}
    ]
    lines = table.tell(table.laid(13_000, "Cleo", "2H"))
    assert [(line["event"], line["seat"]) for line in lines] == [
        ("card_played", "Cleo"),
        ("trick_won", "Ben"),
    ]


def test_a_tied_lead_left_lying_counts_when_the_next_card_falls_if_it_follows_suit() -> None:
    table = whysteria()
    table.tell(table.laid(9000, "Ada", "5H"), table.laid(9100, "Ben", "6H", "5H"))
    lines = table.tell(table.laid(12_000, "Cleo", "7H"))
    assert [(line["ms"], line["event"], line["seat"]) for line in lines] == [
        (12_000, "card_played", "Ben"),
        (12_000, "card_played", "Cleo"),
        (12_000, "trick_won", "Cleo"),
    ]
    table = whysteria()
    table.tell(table.laid(9000, "Ada", "5H"), table.laid(9100, "Ben", "6C", "5H"))
    assert table.said(table.laid(12_000, "Cleo", "7H")) == []


def test_a_card_that_falls_face_down_is_nothing() -> None:
    table = whysteria()
    assert table.said(table.laid(9000, "Ada", "5H", face_up=False), table.taken(10_000, "Ada", "5H")) == []
    assert table.said(table.laid(11_000, "Ada", "5H")) == ["card_played"]


def test_fists_count_after_the_pump_and_only_the_first_of_each() -> None:
    table = Table("oh-shit", hands=[2])
    assert table.said(rapped(0, "Ada"), table.laid(1000, "Ada", "9C")) == ["trump"]
    table.tell(*(rapped((2 + number) * S, seat) for number, seat in enumerate(SEATS)))
    assert table.said(bade(6900, "Ada", 2)) == []
    assert table.said(bade(7100, "Ada", 0), bade(7200, "Ben", 1), bade(7300, "Ada", 1)) == []
    lines = table.tell(bade(7400, "Cleo", 2))
    assert [(line["seat"], line["bid"]) for line in lines] == [("Ben", 1), ("Cleo", 2), ("Ada", 0)]


def test_a_joker_led_at_no_trumps_waits_for_its_suit() -> None:
    table = Table("oh-hell", hands=[2], joker=True, no_trump_every=2)
    table.bid_all(0, "001")
    assert table.said(table.laid(9000, "Ben", "JOKER")) == ["card_played"]
    assert table.phase() is Phase.NAME_SUIT
    assert table.said(table.taken(9500, "Ben", "JOKER")) == ["card_taken_back"]
    assert table.phase() is Phase.LEAD
    assert table.said(table.laid(10_000, "Ben", "JOKER"), bade(11_000, "Ben", "H")) == ["card_played"]
    lines = table.tell(table.laid(12_000, "Cleo", "2S"), table.laid(13_000, "Ada", "AH"))
    assert (lines[-1]["event"], lines[-1]["seat"]) == ("trick_won", "Ben")
    table.tell(table.taken(14_000, "Ben", "JOKER", "2S", "AH", to_hand=False))
    table.tell(table.laid(15_000, "Ben", "3S"))
    lines = table.tell(table.laid(16_000, "Cleo", "3H"))
    assert lines[1] == {
        "ms": 16_000,
        "event": "revoke",
        "seat": "Cleo",
        "card": "2S",
        "trick": 1,
        "proved_by": "3H",
    }
