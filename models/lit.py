"""Changes cut-outs on the device that trains: what `models.cutouts.augment` does, for thousands at once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch
from torch.nn import functional

from models.cutouts import label_weight
from table.detection.indices.class_labels import CARDS, JOKER
from table.detection.indices.index_crop import NARROW_WINDOW, RANK_TO_SUIT_PX, WIDE_WINDOW

_LEFT: Final = WIDE_WINDOW.rank_at[0] - NARROW_WINDOW.rank_at[0]
_TOP: Final = WIDE_WINDOW.rank_at[1] - NARROW_WINDOW.rank_at[1]
"""Where the narrow window begins in the wide one."""
_TURN_DEG: Final = 3.0
_SHIFT_PX: Final = 0.7
_BLURS: Final = 12
"""Kernels drawn for a batch: a share of the cut-outs gets each."""
_REACH: Final = 7
"""A motion's blur is at most twice as long: a card thrown past a shutter of a sixtieth."""


def _kernels(count: int, device: Any) -> Any:
    """Blurs out of focus, two in three, and by motion: (count, 15, 15), each of sum 1."""
    x = torch.arange(-_REACH, _REACH + 1, device=device, dtype=torch.float32)
    y, x = torch.meshgrid(x, x, indexing="ij")
    made = []
    for k in range(count):
        if k % 3:
            sigma = float(np.random.uniform(0.4, 2.0))
            kernel = torch.exp(-(x * x + y * y) / (2 * sigma * sigma))
        else:
            angle, half = np.random.uniform(0, np.pi), np.random.uniform(1.0, _REACH)
            along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
            kernel = (half + 0.5 - along.abs()).clamp(0, 1) * (1 - across.abs()).clamp_min(0)
        made.append(kernel / kernel.sum())
    return torch.stack(made)


def _moved(pictures: Any) -> Any:
    """Turn and shift each a little more than it was cut with."""
    n, _, height, width = pictures.shape
    turn = torch.randn(n, device=pictures.device) * np.deg2rad(_TURN_DEG)
    cos, sin = turn.cos(), turn.sin()
    shift = torch.randn(n, 2, device=pictures.device) * _SHIFT_PX * 2
    rows = [
        torch.stack([cos, -sin * height / width, shift[:, 0] / width], 1),
        torch.stack([sin * width / height, cos, shift[:, 1] / height], 1),
    ]
    grid = functional.affine_grid(torch.stack(rows, 1), list(pictures.shape), align_corners=False)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


_COVERED: Final = 0.14
"""Share of the cut-outs over which something with a straight edge is laid, at any depth."""
_HALF_INDEX: Final = (10.0, 11.0)
"""About half of a rank's or a suit's width and height in a cut-out."""
_HALF_WORD: Final = 18.0
"""About half of the width of a joker's word across its card (``synth.packs.word_drop``)."""
_JOKER: Final = CARDS.index(JOKER)
_SKINS: Final = ((170.0, 195.0, 235.0), (110.0, 145.0, 205.0), (80.0, 110.0, 165.0), (35.0, 50.0, 80.0))


def _occlude(pictures: Any, names: Any) -> tuple[Any, Any]:
    """Cover a part of each cut-out with another card, a finger or a sleeve.

    Returns:
        The pictures, and (n,) the smaller of the visible shares of rank and suit; of jokers, the rank part's.
    """
    device, (n, _, height, width) = pictures.device, pictures.shape

    def even(low: float, high: float, *shape: int) -> Any:
        return low + (high - low) * torch.rand(n, *shape, device=device)

    angle = even(0, 2 * np.pi, 1, 1)
    # The edge goes by somewhere near the middle between rank and suit.
    x = torch.arange(width, device=device)[None, None] - WIDE_WINDOW.rank_at[0]
    y = torch.arange(height, device=device)[None, :, None] - WIDE_WINDOW.rank_at[1] - RANK_TO_SUIT_PX / 2
    beyond = angle.cos() * x + angle.sin() * y - even(-16, 22, 1, 1)
    wide = torch.where(
        torch.rand(n, 1, 1, device=device) < 0.3, even(8, 25, 1, 1), 1e3
    )  # a finger, or a card
    cover = torch.minimum(beyond + 0.5, wide - beyond).clamp(0, 1)
    # Another card: what another cut-out shows, moved so that its own index lies elsewhere.
    down, right = (int(np.random.choice([-1, 1]) * np.random.randint(14, 36)) for _ in range(2))
    others = pictures[torch.randperm(n, device=device)].roll((down, right), (2, 3))
    skin = torch.tensor(_SKINS, device=device)[torch.randint(len(_SKINS), (n,), device=device)]
    plain = torch.where(torch.rand(n, 1, device=device) < 0.5, skin * even(0.7, 1.1, 1), even(5, 250, 3))
    laid = torch.where(
        torch.rand(n, 1, 1, 1, device=device) < 0.6, others, plain[:, :, None, None].expand_as(pictures)
    )
    depth, reach = even(0, 0.5, 1, 1), even(1, 5, 1, 1)
    shadow = 1 - depth * (1 - beyond.neg() / reach).clamp(0, 1)
    over = cover[:, None]
    out = laid * over + pictures * shadow[:, None] * (1 - over)
    rank_at, suit_at = WIDE_WINDOW.rank_at[1], WIDE_WINDOW.rank_at[1] + RANK_TO_SUIT_PX
    index = torch.minimum(*(_uncovered(cover, middle, _HALF_INDEX[0]) for middle in (rank_at, suit_at)))
    return out, torch.where(names == _JOKER, _uncovered(cover, rank_at, _HALF_WORD), index)


def _uncovered(cover: Any, middle: float, half_x: float) -> Any:
    """Return (n,) the visible shares of the rank's or the suit's place, whose middle is in this line."""
    left, half_y = WIDE_WINDOW.rank_at[0], _HALF_INDEX[1]
    rows = slice(round(middle - half_y), round(middle + half_y))
    return 1 - cover[:, rows, round(left - half_x) : round(left + half_x)].mean((1, 2))


def augment(cutouts: Any, names: Any, weights: Any) -> tuple[Any, Any]:
    """Change light, colour and sharpness, and cover parts. Never mirrors.

    Args:
        cutouts: (n, height, width, 3) uint8 BGR, on the device.
        names: (n,) their numbers in ``CARDS``.
        weights: (n,) of their labels (``cutouts.label_weight``).

    Returns:
        (n, 3, height, width) float32 of 0 to 255, and the weights of the labels now.
    """
    device, n = cutouts.device, len(cutouts)

    def even(low: float, high: float, *shape: int) -> Any:
        return low + (high - low) * torch.rand(n, *shape, device=device)

    def some(share: float) -> Any:
        return torch.rand(n, 1, 1, 1, device=device) < share

    out = _moved(cutouts.permute(0, 3, 1, 2).float())
    height, width = out.shape[2:]
    under = torch.randperm(n, device=device)[: round(n * _COVERED)]
    out[under], seen = _occlude(out[under], names[under])
    weights = weights.clone()
    weights[under] = torch.minimum(weights[under], label_weight(seen))
    tint = 255 * even(0.6, 1.25, 1, 1, 1) * even(0.85, 1.1, 3, 1, 1)
    out = (out / 255).clamp(0, 1) ** even(0.7, 1.45, 1, 1, 1) * tint
    y, x = torch.meshgrid(
        torch.linspace(-1, 1, height, device=device),
        torch.linspace(-1, 1, width, device=device),
        indexing="ij",
    )
    angle = even(0, 2 * np.pi, 1, 1, 1)
    ramp = 1 + 0.35 * even(0, 1, 1, 1, 1) * (angle.cos() * x + angle.sin() * y)
    out = torch.where(some(0.3), out * ramp, out)
    haze = torch.where(some(0.25), even(0, 70, 1, 1, 1), torch.zeros(n, 1, 1, 1, device=device))
    out = out * (1 - haze / 255) + haze
    # Two in five are blurred, each kernel's share of them alike.
    for kernel, part in zip(
        _kernels(_BLURS, device), torch.randperm(n, device=device)[: n * 2 // 5].chunk(_BLURS), strict=False
    ):
        padded = functional.pad(out[part], (_REACH,) * 4, mode="replicate")
        out[part] = functional.conv2d(padded, kernel.expand(3, 1, *kernel.shape), groups=3)
    out = out + torch.where(some(0.35), even(2, 14, 1, 1, 1), 0.0) * torch.randn_like(out)
    # Something lies over one side of the index: another card, a thumb.
    columns = torch.arange(width, device=device)[None, None, None] - _LEFT
    lines = torch.arange(height, device=device)[None, None, :, None] - _TOP
    depth, side = even(3, 11, 1, 1, 1), torch.randint(4, (n, 1, 1, 1), device=device)
    covered = (
        ((side == 0) & (lines < depth))
        | ((side == 1) & (lines >= NARROW_WINDOW.height - depth))
        | ((side == 2) & (columns < depth))
        | ((side == 3) & (columns >= NARROW_WINDOW.width - depth))
    )
    paper = even(170, 250, 1, 1, 1).expand(n, 3, 1, 1)
    colour = torch.where(some(0.5), even(20, 255, 3, 1, 1), paper)
    return torch.where(some(0.15) & covered, colour, out).clamp(0, 255), weights


def whiten(pictures: Any) -> Any:
    """``index_crop.normalize_white`` for crops of the wide window: (n, 3, 104, 80), values 0 to 255."""
    near = narrowed(pictures)[:, :, ::2, ::2].flatten(2)
    rank = near.shape[2] * 85 // 100
    paper = near.kthvalue(rank + 1, dim=2).values.clamp(64.0, 255.0)
    return pictures / paper[:, :, None, None]


def narrowed(pictures: Any) -> Any:
    """The narrow window's part of the wide window's cut-outs, (n, 3, 64, 48)."""
    return pictures[:, :, _TOP : _TOP + NARROW_WINDOW.height, _LEFT : _LEFT + NARROW_WINDOW.width]
