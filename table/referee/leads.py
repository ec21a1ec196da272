"""Leads at the same time: which card stays on the mark, and which go back (Whysteria, "Tied bids")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.facts import MS, CardLanded
from table.phrase import Phrase, say

APART_NS = 60 * MS
"""Where tied cards lie apart, the first one stays only if its stamp is so long before the next one's: 67 ms by the
rules, less what is lost where stamps fall upon frames (60 ms is two frames of 30 a second, four of 60)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The ruling on tied leads."""

    kept: CardLanded | None
    why: Phrase
    """The reason, for the screen."""


def judge_leads(landings: Sequence[CardLanded], *, mark: bool) -> Judged:
    """Rule on two or more leads inside one tie window, given in the order of landing.

    In one pile the card underneath was first and stays; where cards lie apart, the first stays if its landing
    can be told from the next one's; where neither holds, all go back. Without the mark (``mark`` false) all go
    back always. Source: Whysteria's rules, with RULES.md's readings for three cards.
    """
    if not mark:
        return Judged(None, say("tie.no_mark"))
    piles = _piles(landings)
    if len(piles) == 1:
        tied = {landed.id for landed in landings}
        # What was left on the mark from before lies under all of them and was no lead.
        beneath = [landed for landed in landings if not tied & set(landed.upon)]
        if len(beneath) == 1:
            return Judged(beneath[0], say("tie.underneath"))
        landings = beneath or landings
    elif len(piles) != len(landings):
        return Judged(None, say("tie.some_apart"))
    first, second = landings[:2]
    if second.t_ns - first.t_ns >= APART_NS:
        return Judged(first, say("tie.earlier", apart_ns=second.t_ns - first.t_ns))
    return Judged(None, say("tie.same_moment"))


def _piles(landings: Sequence[CardLanded]) -> list[set[int]]:
    """The cards by piles: sets of ids that hang together by overlapping."""
    ids = {landed.id for landed in landings}
    piles: list[set[int]] = []
    for landed in landings:
        touching = ({landed.id} | set(landed.upon) | set(landed.overlaps)) & ids
        joined = [pile for pile in piles if pile & touching]
        piles = [pile for pile in piles if not pile & touching]
        piles.append(touching.union(*joined))
    return piles
