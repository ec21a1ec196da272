"""The rule for tied leads: which card stays on the mark, and which go back (Whysteria, "Tied bids")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.observed_facts import MS, CardLanded
from table.phrase import Phrase, make_phrase

MIN_LEAD_GAP_NS = 60 * MS
"""Where tied cards lie apart, the first one stays only if its stamp is this long before the next one's: 67 ms by the
rules, less what is lost where stamps fall upon frames (60 ms is two frames of 30 a second, four of 60)."""


@dataclass(frozen=True, slots=True)
class LeadRuling:
    """The ruling on tied leads: the card that stays, if any, and the reason."""

    kept_lead: CardLanded | None
    reason: Phrase
    """The reason, for the screen."""


def judge_leads(landings: Sequence[CardLanded], *, mark: bool) -> LeadRuling:
    """Rule on two or more leads inside one tie window, given in the order of landing.

    In one pile the card underneath was first and stays; where cards lie apart, the first stays if its landing
    can be told from the next one's; where neither holds, all go back. Without the mark (``mark`` false) all go
    back always. Source: Whysteria's rules, with RULES.md's readings for three cards.
    """
    if not mark:
        return LeadRuling(None, make_phrase("tie.no_mark"))
    piles = _piles(landings)
    if len(piles) == 1:
        tied = {landed.id for landed in landings}
        # Cards left on the mark from before lie under all leads and were none.
        beneath = [landed for landed in landings if not tied & set(landed.upon)]
        if len(beneath) == 1:
            return LeadRuling(beneath[0], make_phrase("tie.underneath"))
        landings = beneath or landings
    elif len(piles) != len(landings):
        return LeadRuling(None, make_phrase("tie.some_apart"))
    first, second = landings[:2]
    if second.t_ns - first.t_ns >= MIN_LEAD_GAP_NS:
        return LeadRuling(first, make_phrase("tie.earlier", apart_ns=second.t_ns - first.t_ns))
    return LeadRuling(None, make_phrase("tie.same_moment"))


def _piles(landings: Sequence[CardLanded]) -> list[set[int]]:
    """Return the piles of cards, as sets of ids connected by overlapping."""
    ids = {landed.id for landed in landings}
    piles: list[set[int]] = []
    for landed in landings:
        touching = ({landed.id} | set(landed.upon) | set(landed.overlaps)) & ids
        joined = [pile for pile in piles if pile & touching]
        piles = [pile for pile in piles if not pile & touching]
        piles.append(touching.union(*joined))
    return piles
