"""What really happened: the plain rules applied to what the ground-truth referee says that people did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from table.cards import BidValue, PlayedCard, card
from table.events.event_registry import event_from_line
from table.events.event_spec import Play
from table.events.game_events import Bid, BidsRevealed, Event, Passed, Played, SuitNamed, TakenBack
from table.games.engine.game_state import Expected, Phase, Refusal, State, Step
from table.games.game import Game
from table.referee.records.journal import JournalLine
from table.simulation.players.simulated_game import TruthLine


@dataclass
class TrueHand:
    """One hand (thrown-in ones count too)."""

    before: State
    """The state in which it was to be dealt."""
    lines: list[tuple[int, JournalLine]] = field(default_factory=list)
    """What was said, with the part of the hand: 0 before the play, then the number of the trick."""
    acts: list[Event | JournalLine] = field(default_factory=list)
    """What was done, with what was said besides: as the hand began, and in remarks."""
    played: dict[tuple[int, str], PlayedCard] = field(default_factory=dict)
    """Trick and seat -> the card played (the last one, where one was taken back)."""
    bids: dict[str, BidValue] = field(default_factory=dict)
    """Every bid of the hand as its player made it."""
    calls: dict[int, list[tuple[str, BidValue | None]]] = field(default_factory=dict)
    """How often cards had been passed on -> the calls of that auction; None: a pass."""
    suits: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Trick -> who named which suit for a joker."""
    arms: set[int] = field(default_factory=set)
    """The tricks whose taker's arm the camera has seen."""


class Truth:
    """The game as it was really played."""

    def __init__(self, game: Game) -> None:
        self.game = game
        step = game.start()
        self.state: State = step.state
        self.hands: list[TrueHand] = []
        self.over: JournalLine | None = None
        """The game's last line."""
        self.part = 0
        """Of the hand: 0 before the play, then the number of the trick, from 1."""
        self._say(step)

    @property
    def hand(self) -> TrueHand:
        """The hand that is played."""
        return self.hands[-1]

    @property
    def where(self) -> tuple[int, int]:
        """The hand, from 0, and its part."""
        return len(self.hands) - 1, self.part

    @property
    def moment(self) -> tuple[int, int, int]:
        """The hand, from 0, its part, and how many acts it has had."""
        return *self.where, len(self.hand.acts)

    @property
    def expected(self) -> Expected:
        """What may happen next."""
        return self.game.expected(self.state)

    def hear(self, lines: Sequence[TruthLine]) -> None:
        """True events as the ground-truth referee has ruled; a card taken back may have been none of the trick."""
        for line in lines:
            if line["event"] == "card_taken_back":
                play = Play(line["seat"], card(line["card"]))
                if play in self.state.trick.plays:
                    self.does(TakenBack(play.seat, play.card))
                else:
                    self.remarks("card_taken_back", seat=line["seat"], card=line["card"])
            elif line["event"] != "bid" or self.state.phase in (Phase.AUCTION, Phase.BID):
                event = event_from_line(line)
                if event is not None:
                    self.does(event)

    def does(self, event: Event) -> None:
        """What really happened, and must have been possible."""
        step = self.game.apply(self.state, event)
        assert not isinstance(step, Refusal), (event, step)
        self.hand.acts.append(event)
        match event:
            case Played(seat, laid):
                self.hand.played[self.part, seat] = laid
            case TakenBack(seat, _):
                self.hand.played.pop((self.part, seat), None)
            case Bid(seat, _) | Passed(seat) if self.state.phase is Phase.AUCTION:
                bid = event.bid if isinstance(event, Bid) else None
                self.hand.calls.setdefault(self.state.card_passes, []).append((seat, bid))
            case Bid(seat, bid):
                self.hand.bids[seat] = bid
            case BidsRevealed(bids):
                self.hand.bids.update(bids)
            case SuitNamed(seat, suit):
                self.hand.suits[self.part] = seat, suit
        self.state = step.state
        self._say(step)

    def remarks(self, event: str, **fields: str) -> None:
        """What changes nothing in the game."""
        line: JournalLine = {"event": event, **fields}
        self.hand.acts.append(line)
        self.hand.lines.append((self.part, line))

    def possible(self, event: Event) -> State | None:
        """The state after an event, if that is possible."""
        step = self.game.apply(self.state, event)
        return None if isinstance(step, Refusal) else step.state

    def _say(self, step: Step) -> None:
        begun = False
        for said in step.announcements:
            line: JournalLine = {"event": said.event, **said.fields}
            if said.event == "hand_started":
                self.hands.append(TrueHand(step.state))
                self.part, begun = 0, True
            elif said.event == "game_over":
                self.over = line
            elif self.hands:
                self.hand.lines.append((self.part, line))
                if begun:
                    self.hand.acts.append(line)
                self.part += said.event in ("trick_taken", "bidding_over")
