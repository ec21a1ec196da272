"""Views of a game of Whysteria at the moments that matter, made by playing it."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pygame

from table.cards import Contract, card, tricks_of_bid
from table.display.pages.score_sheet import PAGE_NS
from table.events.event_spec import Play
from table.events.game_events import Bid, BidsTied, Dealt, Event, LeadsTied, Played, Rapped, TrickTaken
from table.games.engine.game_state import Expected, HandResult, Phase, Refusal, State, Trick
from table.games.game import Game
from table.games.registry import make_game
from table.observed_facts import MS
from table.phrase import make_phrase
from table.referee.model.hypothesis import TableCard
from table.referee.model.moments import Moment, MomentKind
from table.referee.model.notices import Notice
from table.referee.model.view import Controls, Honour, View

NAMES = ("Ada", "Ben", "Cleo", "Dmitri", "Eve", "Frank", "Gwen")
LONG_NAMES = (
    "Maximiliane-Theodora",
    "Bartholomäus",
    "Wolfeschlegelsteinhausen",
    "Li",
    "Σωκράτης Παπαδόπουλος",
    "Дмитрий Александрович",
    "The Honourable Mrs Featherstonehaugh",
)


def step(game: Game, state: State, event: Event) -> State:
    """The state after an event that must be possible."""
    found = game.apply(state, event)
    assert not isinstance(found, Refusal), found
    return found.state


def even_angles(seats: tuple[str, ...]) -> dict[str, float]:
    """Seats all around the table, the first one at the bottom."""
    return {seat: (180 + 360 * number / len(seats)) % 360 for number, seat in enumerate(seats)}


def view_of(game: Game, state: State, **more: object) -> View:
    """What the referee would show."""
    view = View(game, state, game.expected(state), even_angles(game.seats), now_ns=1_000 * MS)
    return replace(view, **more)  # type: ignore[arg-type]


def notice(text: str, kind: str = "ruling", t_ns: int = 900 * MS) -> tuple[Notice, ...]:
    """One sentence."""
    return (Notice(t_ns, kind, make_phrase("panel.name", name=text)),)  # type: ignore[arg-type]


def lying(number: int, name: str | None, seat: str | None, status: str) -> TableCard:
    """A card on the mark."""
    read = card(name) if name else None
    return TableCard(number, read, seat, status)  # type: ignore[arg-type]


class Player:
    """Deals real hands and plays them by the rules, so that the moments are ones that can happen."""

    def __init__(self, game: Game, seed: int = 7) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.state = game.start().state
        self.hands: dict[str, list] = {}  # type: ignore[type-arg]

    def do(self, event: Event) -> State:
        self.state = step(self.game, self.state, event)
        return self.state

    def deal(self) -> State:
        pack = list(self.game.pack())
        self.random.shuffle(pack)
        size = self.state.cards
        self.hands = {
            seat: sorted(pack[n * size : (n + 1) * size], key=str) for n, seat in enumerate(self.game.seats)
        }
        return self.do(Dealt(self.state.dealer))

    def bid(self) -> State:
        seat = self.game.expected(self.state).default_seat
        assert seat is not None
        legal = self.game.legal_bids(self.state, seat)
        fair = round(self.state.cards / len(self.game.seats))
        near = sorted(legal, key=lambda bid: (abs(tricks_of_bid(bid) - fair), tricks_of_bid(bid)))
        return self.do(Bid(seat, near[min(self.random.choice((0, 0, 1)), len(near) - 1)]))

    def bid_all(self) -> State:
        while self.state.phase is Phase.BID:
            self.bid()
        return self.state

    def choose(self, seat: str):  # type: ignore[no-untyped-def]
        return self.random.choice(self.game.legal_plays(self.state, seat, self.hands[seat]))

    def play(self) -> State:
        seat = self.game.expected(self.state).default_seat
        assert seat is not None
        chosen = self.choose(seat)
        self.hands[seat].remove(chosen)
        return self.do(Played(seat, chosen))

    def play_trick(self) -> State:
        while self.state.phase in (Phase.LEAD, Phase.FOLLOW):
            self.play()
        return self.state

    def take(self) -> State:
        assert self.state.trick.winner is not None
        return self.do(TrickTaken(self.state.trick.winner))

    def play_hand(self) -> State:
        number = len(self.state.results)
        self.deal()
        self.bid_all()
        while len(self.state.results) == number and self.state.phase is not Phase.OVER:
            self.play_trick()
            self.take()
        return self.state


def moments(seats: tuple[str, ...], hands: list[int] | None = None) -> Iterator[tuple[str, View]]:
    """The moments of a game by name: every phase, a tie of bids, a tie of leads, a card out of turn, the end."""
    game = make_game("whysteria", seats, {"hands": hands} if hands else {})
    player = Player(game)
    last = seats[-1]
    yield "deal", view_of(game, player.state)
    player.deal()
    yield "bid-open", view_of(game, player.state, calling_seats=frozenset({last}))
    tied = step(game, player.state, BidsTied(seats[:2]))
    text = f"{seats[0]} and {seats[1]} bid at the same time (4.9 ms apart): neither counts, {seats[1]} bids"
    yield "bids-tied", view_of(game, tied, notices=notice(text))
    rapped = step(game, player.state, Rapped(last)) if len(seats) > 2 else player.state
    player.bid()
    yield "bid-rapped", view_of(game, rapped, notices=notice(f"{last} was 12 ms earlier than {seats[0]}"))
    while len(player.state.bids) < len(seats) - 1:
        player.bid()
    yield "bid-last", view_of(game, player.state)
    player.bid_all()
    yield "lead-open", view_of(game, player.state, calling_seats=frozenset({seats[0]}))
    pending = tuple(lying(n, str(player.choose(seat)), seat, "unread") for n, seat in enumerate(seats[:2]))
    yield "leads-pending", view_of(game, player.state, cards_on_mark=pending)
    one, two = seats[0], seats[1]
    card_of_one = player.choose(one)
    first, second = Play(one, card_of_one), Play(two, player.choose(two))
    tied = step(game, player.state, LeadsTied(first, (second,)))
    tied = step(game, tied, Played(first.seat, first.card))
    back = (lying(1, str(first.card), one, "played"), lying(2, str(second.card), two, "back"))
    text = f"{one} and {two} led at the same time: {one}'s {card_of_one.symbol} lies underneath and stays"
    yield "leads-tied", view_of(game, tied, cards_on_mark=back, notices=notice(text))
    player.play()
    yield "follow", view_of(game, player.state)
    stray = lying(9, "AS", last, "back")
    unread = lying(10, None, None, "unread")
    yield (
        "trouble",
        view_of(
            game,
            player.state,
            cards_on_mark=(stray, unread),
            notices=notice(f"{last}'s A♠ is out of turn and goes back", "trouble"),
        ),
    )
    player.play_trick()
    yield "trick-won", view_of(game, player.state)
    if player.state.cards > 1:
        player.take()
        yield (
            "lead-next",
            view_of(
                game, player.state, notices=notice(f"{one}: pressing like that means nothing here", "hint")
            ),
        )
    number = len(player.state.results)
    while len(player.state.results) == number and player.state.phase is not Phase.OVER:
        player.play_trick()
        player.take()
    if player.state.phase is not Phase.OVER:
        yield "hand-scored", view_of(game, player.state)
    while player.state.phase is not Phase.OVER:
        player.play_hand()
    over = view_of(game, player.state, game_over_ns=1_000 * MS, awaits_next_choice=True)
    yield "game-over", over
    yield "game-over-chart", replace(over, now_ns=over.now_ns + PAGE_NS)


def odd_moments(seats: tuple[str, ...]) -> Iterator[tuple[str, View]]:
    """Moments of the other games, as states that need no rules behind them."""
    game = make_game("whysteria", seats)
    base = replace(game.start().state, cards=5, hand=4, trump=None, totals=dict.fromkeys(seats, 1234))
    one, last = seats[0], seats[-1]

    def view(
        phase: Phase, expected: Expected | None = None, lying: tuple[TableCard, ...] = (), **state: Any
    ) -> View:
        now = replace(base, phase=phase, **state)
        waits = expected or Expected(phase, (one,), one)
        return View(game, now, waits, even_angles(seats), cards_on_mark=lying, now_ns=1_000 * MS)

    yield "turn-up", view(Phase.TURN_UP)
    yield (
        "turned-up",
        view(Phase.DEAL, lying=(lying(1, "10H", None, "turned up"),), turned=card("10H"), trump="H"),
    )
    yield "turned-bid", view(Phase.BID, turned=card("QD"), trump="D", bids=((last, 2),))
    yield "joker-turned", view(Phase.BID, turned=card("JOKER"), trump="NT")
    waiting = tuple(seat for seat in seats if seat != one)
    yield (
        "pass-cards",
        view(Phase.PASS_CARDS, Expected(Phase.PASS_CARDS, waiting, None), raps=frozenset({one})),
    )
    yield "auction", view(Phase.AUCTION, bids=((last, Contract(10, "NT")), (one, Contract(6, "C"))))
    yield "secret", view(Phase.SECRET_BID, Expected(Phase.SECRET_BID, seats, None), bids=((last, 3),))
    named = Trick((Play(one, card("JOKER")),), one)
    yield (
        "name-suit",
        view(Phase.NAME_SUIT, trump="NT", trick=named, bids=tuple((seat, "double nil") for seat in seats)),
    )
    tricks = tuple(Trick((Play(one, card("2C")),), one, one) for _ in range(12))
    many = tuple((seat, 13 if number else 9) for number, seat in enumerate(seats))
    yield "many-tricks", view(Phase.LEAD, cards=13, tricks=tricks, trump="C", bids=many)
    yield (
        "somebody-out",
        view(
            Phase.FOLLOW,
            players=seats[:-1] or seats,
            out=frozenset(seats[-1:]),
            trump="D",
            trick=Trick((Play(one, card("2D")),), one),
        ),
    )
    yield "play-off", view(Phase.BID, players=seats[:-1] or seats, trump="D", play_off=True)
    two = (lying(1, "AS", one, "back"), lying(2, "KS", one, "back"), lying(3, None, None, "unread"))
    equal = Trick((Play(one, card("KH")), Play(last, card("KH"))), one, one)
    yield "won-by-the-first-of-equals", view(Phase.PICK_UP, trump="S", trick=equal)
    stays = (lying(1, "2S", one, "played"), lying(2, "10S", last, "may stay"))
    led = Trick((Play(one, card("2S")),), one)
    yield "lead-may-stay", view(Phase.FOLLOW, trump="S", trick=led, lying=stays)
    yield "two-go-back", view(Phase.FOLLOW, trump="S", trick=Trick((Play(one, card("2S")),), one), lying=two)


def game_moments(seats: tuple[str, ...]) -> Iterator[tuple[str, View]]:
    """What only some games have: lives, faults, cards passed on, a joker with a suit, bids of other kinds, keys."""
    one, two, last = seats[0], seats[1], seats[-1]

    def view(game: Game, phase: Phase, players: tuple[str, ...] = seats, **state: Any) -> View:
        first = replace(game.start().state, hand=4, cards=3, dealer=players[0])
        now = replace(first, phase=phase, players=players, **state)
        waits = Expected(phase, (players[1],), players[1])
        return View(game, now, waits, even_angles(seats), now_ns=1_000 * MS)

    lives = make_game("prediction-whist", seats, {"double_nil": True})
    left = {seat: max(0, 3 - number) for number, seat in enumerate(reversed(seats))}
    playing, out = (
        tuple(seat for seat in seats if left[seat]),
        frozenset(seat for seat in seats if not left[seat]),
    )
    yield "lives-double-nil", view(lives, Phase.BID, playing, totals=left, out=out)
    trick = Trick((Play(playing[0], card("9H")),), playing[0])
    bids = tuple((seat, 1) for seat in playing)
    yield "lives-follow", view(lives, Phase.FOLLOW, playing, totals=left, trick=trick, bids=bids, out=out)
    hand = HandResult(1, 7, one, dict.fromkeys(seats, 7), dict.fromkeys(seats, 1), {}, {})
    faults = make_game("oh-hell", seats, {"scoring": "catastrophe", "exchange": 2})
    points = dict.fromkeys(seats, 0)
    totals = dict.fromkeys(seats, 104)
    off = replace(hand, points=points, totals=totals)
    dealt: dict[str, Any] = {"results": (off,), "totals": totals}
    yield "faults", view(faults, Phase.FOLLOW, trump="H", trick=Trick((Play(one, card("9H")),), one), **dealt)
    handing = view(faults, Phase.PASS_CARDS, trump="H", **dealt)
    yield "faults-pass-cards", replace(handing, expected=Expected(Phase.PASS_CARDS, seats, None))
    yield "faults-sheet", view(faults, Phase.DEAL, **dealt)
    first = replace(off, points=dict.fromkeys(seats, -1), totals=left)
    yield "lives-sheet", view(lives, Phase.DEAL, playing, totals=left, results=(first,), out=out)
    harsh = make_game("oh-hell", seats, {"scoring": "harsh"})
    many = tuple(
        HandResult(
            number,
            3,
            one,
            bids=dict.fromkeys(seats, number % 3),
            tricks={seat: (number + at) % 3 for at, seat in enumerate(seats)},
            points={seat: -10 * (at % 3) or 10 + number % 3 for at, seat in enumerate(seats)},
            totals={seat: number * (-10 if at % 3 else 12) for at, seat in enumerate(seats)},
        )
        for number in range(1, 26)
    )
    yield "many-hands", view(harsh, Phase.DEAL, totals=many[-1].totals, results=many)
    end = view(harsh, Phase.OVER, totals=many[-1].totals, results=many, winners=(one,))
    for page, name in enumerate(("end", "chart", "code", "first", "middle")):
        yield f"many-hands-{name}", replace(end, game_over_ns=0, now_ns=page * PAGE_NS)
    joker = make_game("oh-shit", seats, {"joker": True})
    led = Trick((Play(one, card("JOKER")),), one, named="H")
    yield "joker-named", view(joker, Phase.FOLLOW, trump="NT", turned=card("AS"), trick=led)
    keys = {
        seat: Controls(keys=(str(number), "QWERTYU"[number - 1]))
        for number, seat in enumerate(seats, start=1)
    }
    fists = view(joker, Phase.SECRET_BID, trump="NT", turned=card("AS"), raps=frozenset({one, last}))
    yield "fists", replace(fists, expected=Expected(Phase.SECRET_BID, seats, None), controls=keys)
    free = make_game("whysteria", seats)
    anyone = view_of(free, step(free, step(free, free.start().state, Dealt(one)), Rapped(two)))
    yield "keys", replace(anyone, controls=keys, calling_seats=frozenset({last}))


def blank_photo() -> bytes:
    """A photo finish that shows nothing."""
    photo = io.BytesIO()
    pygame.image.save(pygame.Surface((480, 480)), photo, "photo.jpg")
    return photo.getvalue()


def large_moments(seats: tuple[str, ...]) -> Iterator[tuple[str, View]]:
    """What is shown large for a few seconds: presses, bids turned over, the result of a hand, the podium."""
    every = dict((*moments(seats, hands=[3, 2]), *odd_moments(seats)))
    one, two, last = seats[0], seats[1], seats[-1]

    def at(view: View, kind: MomentKind, **more: Any) -> View:
        return replace(view, moments=(Moment(kind, view.now_ns, view.now_ns + 1, **more),))

    close = ((last, 0), (one, 211_300_000))
    yield "close-call", at(every["bid-last"], "bid", presses=close)
    apart = tuple((seat, number * 4_900_000) for number, seat in enumerate(seats))
    yield "all-tied", at(every["bids-tied"], "bids_tied", presses=apart)
    yield "two-tied", at(every["bids-tied"], "bids_tied", presses=((one, 0), (two, 0)))
    yield "photo-finish", at(every["leads-tied"], "leads_tied", picture=blank_photo())
    bids = tuple((seat, 13 - number) for number, seat in enumerate(seats))
    yield (
        "revealed",
        at(view_of(every["secret"].game, replace(every["secret"].state, bids=bids)), "bids_revealed"),
    )
    scored = every["hand-scored"]
    yield "hand-result", at(scored, "hand_scored")
    result = scored.state.results[-1]
    yield (
        "hand-result-provisional",
        replace(at(scored, "hand_scored"), provisional_hands=frozenset({result.hand})),
    )
    missed = replace(
        result,
        bids=dict.fromkeys(seats, 10),
        tricks={seat: 13 * (number % 2) for number, seat in enumerate(seats)},
        points=dict.fromkeys(seats, -130),
    )
    made = replace(missed, tricks=dict.fromkeys(seats, 10), points=dict.fromkeys(seats, 110))
    for name, found in (("missed", missed), ("made", made)):
        state = replace(scored.state, results=(*scored.state.results[:-1], found))
        yield f"hand-result-{name}", at(replace(scored, state=state), "hand_scored")
    over = every["game-over"]
    for name, totals in (
        ("different", {seat: 1234 - number for number, seat in enumerate(seats)}),
        ("level", dict.fromkeys(seats, -1234)),
    ):
        yield f"podium-{name}", at(replace(over, state=replace(over.state, totals=totals)), "game_over")
    figures = (
        ("boldest_bid", make_phrase("honour.bid_made", bid=13, cards=13, hand=13), (one,)),
        ("longest_streak", make_phrase("honour.in_a_row", n=13), seats),
        ("fastest_bidder", make_phrase("plot.seconds", seconds=12.34), (two,)),
        ("slowest_bidder", make_phrase("plot.seconds", seconds=56.78), (last,)),
        ("closest_tie", make_phrase("honour.apart", spread_ns=24_900_000), seats[:2]),
    )
    honours = tuple(Honour(make_phrase(f"honour.{code}"), who, figure) for code, figure, who in figures)
    yield "honours", replace(over, honours=honours, now_ns=over.now_ns + 2 * PAGE_NS)
    if len(seats) > 2:
        lives = dict(game_moments(seats))["lives-sheet"]
        yield "hand-result-lives", at(lives, "hand_scored")
