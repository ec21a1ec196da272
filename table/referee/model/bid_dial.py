"""A dial on the screen for choosing a bid.

Taps step through the choices, a hold goes up a level, a rap or quiet calls the shown value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.cards import Contract, parse_bid
from table.events.game_events import Bid
from table.games.engine.game_state import Phase, State
from table.games.game import Game


@dataclass(frozen=True, slots=True)
class Dial:
    """One player's dial; ``shown`` is the chosen value, None until the first tap."""

    seat: str
    choices: tuple[str, ...]
    """Bids or suits as the journal has them."""
    shown: str | None = None
    calls_at_ns: int | None = None
    """When quiet will call the shown value; None where only a rap does."""
    quiet_ns: int = 0
    """How long without a press until then."""
    first_press_ns: int = 0
    """The first press that turned the dial: the stamp of the resulting call."""

    @property
    def bid(self) -> Bid:
        """The bid of an auction that the dial shows."""
        return Bid(self.seat, parse_bid(str(self.shown)))

    def step(self, taps: int) -> Dial:
        """Return the dial after some taps: the first sets the lowest choice, each further one goes up one."""
        if not self.choices:
            return self
        at = -1 if self.shown is None else self.choices.index(self.shown)
        return replace(self, shown=self.choices[min(at + taps, len(self.choices) - 1)])

    def level_up(self) -> Dial:
        """Return the dial after a hold: one level up in the same denomination; from nothing to the lowest choice."""
        if self.shown is None:
            return self.step(1)
        bid = parse_bid(self.shown)
        assert isinstance(bid, Contract)
        wanted = str(Contract(bid.tricks + 1, bid.trump))
        return replace(self, shown=wanted) if wanted in self.choices else self


def new_dial(game: Game, state: State, seat: str, first_press_ns: int = 0) -> Dial:
    """Return a new dial, which shows no value yet: of bids in an auction, else of suits."""
    choices = (game.legal_bids if state.phase is Phase.AUCTION else game.legal_suits)(state, seat)
    return Dial(seat, tuple(map(str, choices)), first_press_ns=first_press_ns)
