"""Exact counts: the same legal sequences in both implementations, as many as the table says."""

from __future__ import annotations

from itertools import product
from math import comb, factorial

import pytest

from tests.oracles.perft import Case, count
from tests.oracles.perft_table import SMALL
from tests.oracles.spiel import load_spiel, spiel_sequences


def named(case: Case) -> str:
    options = "-".join(f"{name}={value}" for name, value in case.options.items())
    return f"{case.game}-{case.players}x{case.cards}-{case.count}-{options}-{case.turned}-{case.deal}"


@pytest.mark.parametrize(("case", "leaves"), SMALL, ids=[named(case) for case, _ in SMALL])
def test_both_implementations_allow_as_many_sequences_as_the_table_says(case: Case, leaves: int) -> None:
    assert count(case) == leaves


def hooked(players: int, cards: int) -> int:
    """Biddings in turn whose sum is not the number of tricks."""
    return sum(sum(bids) != cards for bids in product(range(cards + 1), repeat=players))


def test_the_tables_biddings_are_those_of_arithmetic() -> None:
    seen = 0
    for case, leaves in SMALL:
        free = (case.cards + 1) ** case.players
        if case.count != "bids" or case.options.get("nullo") or case.options.get("double_nil"):
            continue
        seen += 1
        if case.game == "oh-shit" or case.options.get("hook") is False:
            assert leaves == free, case
        elif case.game == "whysteria":
            assert leaves == factorial(case.players) * hooked(case.players, case.cards), case
        else:
            assert leaves == hooked(case.players, case.cards), case
    assert seen >= 10


def test_the_tables_auctions_are_those_of_arithmetic() -> None:
    """Two calls by a choice from n bids and a pass: with repetition of nothing but passes, C(n + 2, 2)."""
    for case, leaves in SMALL:
        if case.count.startswith("calls 2"):
            after = int(case.count.split()[-1]) if "after" in case.count else 0
            lowest = 5 + (after if case.options.get("gulash") == "rising" else 0)
            assert leaves == comb(5 * (13 - lowest + 1) + 2, 2), case


SPIEL = [
    (case, leaves)
    for case, leaves in SMALL
    if case.game == "oh-hell" and case.turned and not case.options and case.players <= 7
]


@pytest.mark.parametrize(("case", "leaves"), SPIEL, ids=[named(case) for case, _ in SPIEL])
def test_openspiel_allows_as_many_sequences_as_the_table_says(case: Case, leaves: int) -> None:
    spiel = load_spiel()
    if spiel is None:
        pytest.skip("open_spiel is not installed")
    assert spiel_sequences(spiel, case) == leaves
