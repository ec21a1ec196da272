"""Golden transcripts: one short game for each variant, written for people to read and check against the rules.

``python -m tests.games.transcripts`` writes them anew; the tests compare them. Read the difference before
committing it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from table.cards import card
from table.events.event_spec import Announcement
from table.games.engine.game_state import Phase
from tests.games.catalogue import Kind, game_of, label
from tests.games.driver import Driver, Manners

FOLDER = Path(__file__).with_name("transcripts")

PLAIN = Manners(rap=0.05, tie=0.0, take_back=0.0, auction_pass=0.7)
LIVELY = Manners(rap=0.2, tie=0.3, take_back=0.06, auction_pass=0.7)
CARELESS = Manners(rap=0.05, tie=0.1, take_back=0.02, revoke=0.5, auction_pass=0.7)
SILENT = Manners(take_back=0.0, auction_pass=0.97)

VARIANTS: dict[str, tuple[Kind, Manners, int]] = {
    "whysteria": (("whysteria", 3, {"hands": [3, 2, 1]}), PLAIN, 1),
    "whysteria-ties": (("whysteria", 4, {"hands": [3, 2]}), LIVELY, 2),
    "whysteria-two-players": (("whysteria", 2, {"hands": [4, 1]}), LIVELY, 3),
    "whysteria-without-the-mark": (("whysteria", 3, {"hands": [3], "mark": False}), LIVELY, 340),
    "whysteria-constant": (("whysteria", 5, {"constant": 2}), PLAIN, 5),
    "whysteria-revokes": (("whysteria", 3, {"hands": [6]}), CARELESS, 6),
    "israeli-whist": (("israeli-whist", 4, {"target": 15}), PLAIN, 30),
    "israeli-whist-elhanani": (("israeli-whist", 4, {"hands": [13], "scoring": "elhanani"}), PLAIN, 2),
    "israeli-whist-gulash": (("israeli-whist", 4, {"hands": [13], "gulash": "plain"}), SILENT, 30),
    "israeli-whist-rising": (("israeli-whist", 4, {"hands": [13], "gulash": "rising"}), SILENT, 117),
    "oh-shit": (("oh-shit", 3, {"hands": [1, 2, 3]}), PLAIN, 278),
    "oh-shit-half-joker": (("oh-shit", 4, {"hands": [5, 4, 3], "half": True, "joker": True}), PLAIN, 197),
    "oh-shit-63-cards": (("oh-shit", 7, {"hands": [9], "pack": 63}), PLAIN, 3),
    "oh-shit-revokes": (("oh-shit", 3, {"hands": [6], "joker": True}), CARELESS, 64),
    "prediction-whist": (("prediction-whist", 3, {"lives": 2, "start": 3}), PLAIN, 66),
    "prediction-whist-climb": (
        ("prediction-whist", 4, {"lives": 2, "start": 2, "return": "climb"}),
        PLAIN,
        2,
    ),
    "prediction-whist-double-nil": (
        ("prediction-whist", 3, {"lives": 2, "start": 2, "double_nil": True}),
        PLAIN,
        138,
    ),
    "oh-hell": (("oh-hell", 3, {"hands": [3, 2, 1]}), PLAIN, 1),
    "oh-hell-up-down": (("oh-hell", 3, {"shape": "up-down", "start": 2}), PLAIN, 2),
    "oh-hell-down": (("oh-hell", 4, {"shape": "down", "start": 3, "made_all_bonus": True}), PLAIN, 3),
    "oh-hell-harsh": (("oh-hell", 4, {"hands": [3, 2], "scoring": "harsh"}), PLAIN, 4),
    "oh-hell-quick": (("oh-hell", 4, {"hands": [3, 2], "scoring": "quick"}), PLAIN, 5),
    "oh-hell-tricks": (("oh-hell", 4, {"hands": [3, 2], "scoring": "tricks"}), PLAIN, 5),
    "oh-hell-catastrophe": (("oh-hell", 3, {"hands": [9, 8, 7, 6, 5], "scoring": "catastrophe"}), PLAIN, 51),
    "oh-hell-screw-up": (("oh-hell", 3, {"hands": [2, 1], "hook": False}), PLAIN, 7),
    "oh-hell-progressive": (("oh-hell", 3, {"hands": [2, 1, 1, 1, 2], "trump": "progressive"}), PLAIN, 8),
    "oh-hell-no-trump-every": (
        ("oh-hell", 3, {"hands": [4, 3], "no_trump_every": 2, "joker": True}),
        PLAIN,
        174,
    ),
    "oh-hell-exchange": (("oh-hell", 4, {"hands": [3], "exchange": 2}), PLAIN, 10),
    "oh-hell-exchange-right": (
        ("oh-hell", 3, {"hands": [2], "exchange": 1, "exchange_to": "right"}),
        PLAIN,
        10,
    ),
    "oh-hell-forehead": (("oh-hell", 4, {"hands": [1, 2], "forehead": True}), PLAIN, 11),
    "oh-hell-forehead-final": (
        ("oh-hell", 3, {"hands": [1, 1], "forehead": "final", "exchange": 1}),
        PLAIN,
        11,
    ),
    "oh-hell-nullo": (("oh-hell", 3, {"hands": [2, 2], "nullo": True}), PLAIN, 84),
    "oh-hell-every-place": (("oh-hell", 5, {"hands": [1], "tie_break": "every"}), PLAIN, 4),
    "oh-hell-nullo-race": (("oh-hell", 3, {"hands": [2, 1], "nullo": "race"}), PLAIN, 6),
    "oh-hell-two-packs": (("oh-hell", 8, {"hands": [4], "packs": 2, "joker": True}), PLAIN, 13),
}
"""Name of the file: the game, how people behave, the seed."""


def transcript(kind: Kind, manners: Manners, seed: int) -> str:
    """The whole game, a line an announcement, with everybody's cards."""
    game = game_of(kind)
    driver = Driver(game, random.Random(seed), manners, max_hands=6)
    rows = [f"# {label(kind)}", ""]
    rows += [row for said in driver.said for row in rows_of(said)]
    while driver.state.phase is not Phase.OVER:
        known = len(driver.said)
        before = driver.state
        driver.one()
        if before.phase in (Phase.DEAL, Phase.TURN_UP) and driver.state.phase not in (
            Phase.DEAL,
            Phase.TURN_UP,
        ):
            rows += [f"    {seat:6}{in_order(driver.hands[seat])}" for seat in driver.state.players]
        if before.phase is Phase.PASS_CARDS and driver.state.phase is not Phase.PASS_CARDS:
            rows += [f"    {seat:6}{in_order(driver.hands[seat])}" for seat in driver.state.players]
        rows += [row for said in driver.said[known:] for row in rows_of(said)]
    return "\n".join(rows) + "\n"


def in_order(cards: Any) -> str:
    """A hand, by suits."""
    ordered = sorted(cards, key=lambda one: ("SHDC".find(one.suit or "C"), -one.strength))
    return " ".join(one.symbol for one in ordered)


def by_seat(values: Mapping[str, Any]) -> str:
    """Numbers by seat in a row."""
    return ", ".join(f"{seat} {value}" for seat, value in values.items())


def listed(plays: Any) -> str:
    """Cards by seat in a row."""
    return ", ".join(f"{play['seat']} {card(play['card']).symbol}" for play in plays)


def rows_of(said: Announcement) -> Iterator[str]:
    """An announcement in words."""
    event, f = said.event, said.fields
    if event == "game_started":
        options = ", ".join(f"{name}: {value}" for name, value in f["options"].items())
        yield f"{f['game']} by {', '.join(f['seats'])}; {options}"
    elif event == "hand_started":
        yield ""
        players = f" for {', '.join(f['players'])}" if "players" in f else ""
        yield f"== Hand {f['hand']}: {f['cards']} cards{players}, {f['dealer']} deals"
    elif event == "trump":
        yield f"Trumps: {f['suit']}" + (f" (turned {card(f['card']).symbol})" if f["card"] else "")
    elif event == "dealt":
        yield f"{f['dealer']} has dealt"
    elif event == "bid":
        yield f"{f['seat']} bids {f['bid']}"
    elif event in ("pass", "rap"):
        yield f"{f['seat']} {event}{'es' if event == 'pass' else 's'}"
    elif event == "bids_tied":
        yield f"Tied bids of {', '.join(f['seats'])}: {f['next']} must bid"
    elif event == "bids_revealed":
        yield f"All bid at once: {by_seat(f['bids'])}"
    elif event == "bidding_over":
        yield f"Bids: {by_seat(f['bids'])} ({f['over']:+})"
    elif event == "leads_tied":
        kept = f"{listed([f['kept']])} stays" if f["kept"] else "none stays"
        yield f"  Tied leads: {kept}, back go {listed(f['taken_back'])}; next is {f['next']}"
    elif event == "card_taken_back":
        yield f"  {f['seat']} takes {card(f['card']).symbol} back"
    elif event == "joker_named":
        yield f"  {f['seat']} names {f['suit']}"
    elif event == "revoke":
        proof = card(f["proved_by"]).symbol
        yield f"  Revoke: {f['seat']}'s {card(f['card']).symbol} in trick {f['trick']}, proved by {proof}"
    elif event == "trick_won":
        yield f"Trick {f['trick']} to {f['seat']}: {listed(f['cards'])}"
    elif event in ("trick_taken", "card_played"):
        # The line of the trick shows its cards.
        return
    elif event == "hand_scored":
        for name in ("bids", "tricks", "points", "totals", "faults"):
            if name in f:
                yield f"{name:7}{by_seat(f[name])}"
    elif event == "lives":
        yield f"Lives: {by_seat(f['lives'])}" + (f"; out: {', '.join(f['out'])}" if f["out"] else "")
    elif event == "play_off":
        yield f"A tie: {' and '.join(f['seats'])} play {f['cards']} cards"
    elif event == "cards_passed":
        yield f"Everybody hands {f['cards']} cards to the {f['to']}"
    elif event == "thrown_in":
        yield f"Thrown in: {f['why']}"
    elif event == "game_over":
        yield ""
        places = "; ".join(" and ".join(place) for place in f["ranking"])
        yield f"Game over. {by_seat(f['totals'])}. Places: {places}. Won by {' and '.join(f['winners'])}."
    else:
        raise AssertionError(f"no words for {event}")


def main() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, variant in VARIANTS.items():
        (FOLDER / f"{name}.txt").write_text(transcript(*variant), encoding="utf-8")
    print(f"{len(VARIANTS)} transcripts in {FOLDER.name}")


if __name__ == "__main__":
    main()
