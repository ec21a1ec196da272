"""The bench's table: wrong facts per thousand cards, by kind of scene and by cause, and how far the goals are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.scenes.judge import CAUSES, Verdict

_SHORT = {
    "missed": "missed",
    "invented": "invent",
    "twice": "twice",
    "name wrong": "name",
    "name unsure": "name?",
    "owner wrong": "owner",
    "owner wrong, sure": "own!",
    "owner untold": "owner?",
    "order wrong": "order",
    "order unsure": "order?",
    "leaving off": "left",
    "leaving untold": "left?",
    "gone too soon": "soon",
}
LEGEND = (
    "per thousand cards (order: per thousand tied pairs). name, owner, order: told wrong; name?: not told above 0.5;",
    "owner?: not told; order?: not told surely though it can be seen; own!: told wrong above 0.95; twice: a card that",
    "lies told of anew; left: its leaving stamped later than two frames, left?: not told, soon: told before it left;",
    "stamp: the landing's stamp less the true moment, told: when it was told, both ms, median/worst.",
)


def report(kinds: Mapping[str, Verdict]) -> list[str]:
    """The lines of the table."""
    total = Verdict()
    for verdict in kinds.values():
        total.add(verdict)
    head = f"{'kind of scene':<24}{'cards':>6}{'pairs':>6}"
    lines = [*LEGEND, "", head + "".join(f"{_SHORT[cause]:>7}" for cause in CAUSES) + "    stamp      told"]
    lines += [_line(kind, verdict) for kind, verdict in kinds.items() if verdict.cards]
    lines += [_line("all", total), "", *goals(total)]
    rates = {
        kind: sum(verdict.wrong.values()) / verdict.cards for kind, verdict in kinds.items() if verdict.cards
    }
    if rates:
        worst = max(rates, key=lambda kind: rates[kind])
        lines.append(f"worst: {worst}, {1000 * rates[worst]:.0f} wrong facts per thousand cards")
    return lines


def goals(total: Verdict) -> list[str]:
    """What is aimed at, and what is."""
    wrong, cards, pairs = total.wrong, max(1, total.cards), max(1, total.pairs)
    names = 1 - (wrong["missed"] + wrong["name wrong"] + wrong["name unsure"]) / cards
    owners = 1 - (wrong["missed"] + wrong["owner wrong"] + wrong["owner untold"]) / cards
    orders = 1 - (wrong["order wrong"] + wrong["order unsure"]) / pairs
    sure = 1000 * wrong["owner wrong, sure"] / max(1, total.told_sure)
    off = wrong["leaving off"] + wrong["leaving untold"] + wrong["gone too soon"]
    return [
        f"names {names:.2%} (goal 99.9 %), owners {owners:.2%} (99.8 %), order of tied leads {orders:.2%} (99.8 %)",
        f"owners told above 0.95 and wrong: {sure:.1f} in 1,000 of {total.told_sure} (1);"
        f" invented {wrong['invented']} (0), told twice {wrong['twice']};"
        f" leavings not stamped within two frames: {off} of {total.leavings} (0)",
    ]


def _line(kind: str, verdict: Verdict) -> str:
    cells = []
    for cause in CAUSES:
        of = verdict.pairs if cause.startswith("order") else verdict.cards
        rate = 1000 * verdict.wrong[cause] / of if of else 0.0
        cells.append(f"{rate:7.0f}" if rate else f"{'.':>7}")
    spans = "".join(f"{_span(values):>10}" for values in (verdict.stamps_ms, verdict.waits_ms))
    return f"{kind:<24}{verdict.cards:>6}{verdict.pairs or '':>6}{''.join(cells)}{spans}"


def _span(values: Sequence[float]) -> str:
    if not values:
        return ""
    ordered = sorted(values, key=abs)
    return f"{sorted(values)[len(values) // 2]:.0f}/{ordered[-1]:.0f}"
