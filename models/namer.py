"""The namers: small CNNs that read the upright cut-out of an index; plain PyTorch.

    python -m models namer --pool runs/pool/a --run runs/namer --hours 1.5     # trains, or goes on if the run exists
    python -m models namer --network second --pool runs/pool/a --run runs/second

`first` reads every find; `second`, seven times the work, sees more of the card's corner and is asked where the first
is in doubt.

What they learn from: models/cutouts.py. Checkpoints are written every few hundred steps; the run goes on from the last
one.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compat import prepare
from models.config import load as load_config
from models.cutouts import CutoutSource, augment
from models.pool import Pools
from table.detection.indices.class_labels import CARDS, NONE, RANKS, SUITS, head_labels
from table.detection.indices.index_crop import NARROW_WINDOW, WIDE_WINDOW, CropWindow, normalize_white

prepare()

import torch  # noqa: E402
from torch import nn  # noqa: E402

_SPLIT = np.array([head_labels(card) for card in CARDS])
_NONE = CARDS.index(NONE)


def conv(inputs: int, outputs: int, stride: int = 1) -> Any:
    """3 × 3 convolution, batch normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions around a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(conv(channels, channels), conv(channels, channels))

    def forward(self, x: Any) -> Any:
        """Add what the convolutions find."""
        return x + self.body(x)


class Namer(nn.Module):  # type: ignore[misc]
    """Input (N, 3, height, width), paper at about 1; output rank logits (N, 18) and suit logits (N, 5).

    The heads look at the flattened map, for what stands above and what below matters (6 and 9).
    """

    def __init__(self, window: CropWindow, layers: list[Any], channels: int) -> None:
        super().__init__()
        self.window = window
        self.body = nn.Sequential(
            *layers,
            nn.Conv2d(channels, 24, 1, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(inplace=True),
            nn.Flatten(),
        )
        self.drop = nn.Dropout(0.1)
        flat = 24 * (window.width // 8) * (window.height // 8)
        self.rank = nn.Linear(flat, len(RANKS))
        self.suit = nn.Linear(flat, len(SUITS))

    def forward(self, x: Any) -> tuple[Any, Any]:
        """Give the logits of both heads."""
        features = self.drop(self.body(x))
        return self.rank(features), self.suit(features)


def first_namer() -> Namer:
    """The network of the first look: 32 million multiplications, 0.39 million weights."""
    layers = [
        conv(3, 24, 2),  # 32 x 24
        conv(24, 40),
        conv(40, 64, 2),  # 16 x 12
        conv(64, 64),
        conv(64, 112, 2),  # 8 x 6
        Residual(112),
    ]
    return Namer(NARROW_WINDOW, layers, 112)


def _wide(first: int, second: int, third: int, last: int, *, residuals: int) -> Namer:
    """A network that looks at the wide window; so many channels in its stages, and residuals in the two coarse ones."""
    layers = [
        conv(3, first, 2),  # 52 x 40
        conv(first, second),
        conv(second, third, 2),  # 26 x 20
        *(Residual(third) for _ in range(residuals)),
        conv(third, last, 2),  # 13 x 10
        *(Residual(last) for _ in range(residuals)),
    ]
    return Namer(WIDE_WINDOW, layers, last)


def second_namer() -> Namer:
    """The network of the second look: 216 million multiplications, 0.9 million weights."""
    return _wide(32, 48, 96, 160, residuals=1)


def teacher() -> Namer:
    """A network to learn from (`models.distil`), too large for a table: 1.0 thousand million multiplications."""
    return _wide(48, 96, 160, 256, residuals=2)


NETWORKS = {"first": first_namer, "second": second_namer}


def split_labels(names: NDArray[np.int64]) -> tuple[Any, Any]:
    """Rank and suit labels of numbers in `CARDS`, as tensors."""
    return torch.from_numpy(_SPLIT[names, 0]), torch.from_numpy(_SPLIT[names, 1])


def refused(rank: Any, suit: Any) -> Any:
    """Of which cut-outs a network says that they show no index: by the likeliest ranks and suits, two arrays."""
    return (rank == RANKS.index(NONE)) | ((suit == SUITS.index(NONE)) & (rank != RANKS.index("JOKER")))


def rate_share(passed: float, step: int, lowest: float, warm: int) -> float:
    """How much of its highest the learning rate is: it rises for some steps, then falls by a half cosine.

    Args:
        passed: the share of the time that has passed.
        step: from 0 on.
        lowest: what it falls to.
        warm: the steps in which it rises.
    """
    falling = lowest + (1 - lowest) * 0.5 * (1 + np.cos(np.pi * min(passed, 1.0)))
    return float(falling * min(1.0, (step + 1) / warm))


def evaluate(network: Any, cutouts: NDArray[np.uint8], names: NDArray[np.int64]) -> dict[str, float]:
    """Share of cards read right, of cards refused, and of no-cards read as a card."""
    network.eval()
    with torch.inference_mode():
        outputs = [
            network(torch.from_numpy(normalize_white(cutouts[k : k + 256], network.window)))
            for k in range(0, len(cutouts), 256)
        ]
    rank = torch.cat([o[0] for o in outputs]).argmax(1).numpy()
    suit = torch.cat([o[1] for o in outputs]).argmax(1).numpy()
    cards = names != _NONE
    none = refused(rank, suit)
    right = (rank == _SPLIT[names, 0]) & (suit == _SPLIT[names, 1])
    return {
        "right": float(right[cards].mean()),
        "refused": float(none[cards].mean()),
        "invented": float((~none)[~cards].mean()) if (~cards).any() else 0.0,
    }


def main() -> None:
    """Train, or go on with the run's last checkpoint."""
    config = load_config()["namer"]
    parser = argparse.ArgumentParser(prog="python -m models namer", description=__doc__.split("\n")[0])
    parser.add_argument("--pool", type=Path, action="append", required=True)
    parser.add_argument("--held", type=Path, action="append", required=True)
    parser.add_argument("--network", choices=sorted(NETWORKS), default="first")
    parser.add_argument("--run", type=Path, default=Path("runs/namer"))
    parser.add_argument("--start", type=Path, help="weights to start from (a .pt of the same network)")
    parser.add_argument("--hours", type=float, default=config["hours"])
    parser.add_argument("--batch", type=int, default=config["batch"])
    parser.add_argument("--lr", type=float, default=config["lr"])
    parser.add_argument(
        "--negatives", type=Path, action="append", default=[], help="cut-outs from models.mine"
    )
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=config["seed"])
    args = parser.parse_args()

    prepare(args.threads)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    args.run.mkdir(parents=True, exist_ok=True)
    checkpoint = args.run / "last.pt"
    torch.manual_seed(args.seed)
    network = NETWORKS[args.network]().to(args.device).to(memory_format=torch.channels_last)
    if args.start and not checkpoint.exists():
        network.load_state_dict(
            torch.load(args.start, map_location=args.device, weights_only=True)["network"]
        )
    window = network.window
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), args.lr, weight_decay=config["weight_decay"])
    step, spent = 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=args.device, weights_only=True)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step, spent = state["step"], state["spent"]
        print(f"goes on at step {step}, {spent / 3600:.2f} h spent", flush=True)

    pools = Pools(args.pool)
    negatives = [np.load(path) for path in args.negatives]
    source = CutoutSource(pools, config, args.seed + 7919 * step, negatives=negatives, window=window)
    held_source = CutoutSource(
        Pools(args.held), {**config, "negatives": 0.2}, 12345, plain=True, window=window
    )
    held_cutouts, held_names = held_source.batch(2048)
    rng = np.random.default_rng(args.seed + 104729 * step)
    loss_of = nn.CrossEntropyLoss(label_smoothing=config["smoothing"])
    half = args.device != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())
    begun = time.monotonic()
    total, running, since, seen = args.hours * 3600, 0.0, 0, 0
    done = False
    while not done:
        now = spent + time.monotonic() - begun
        done = now >= total
        for group in optimizer.param_groups:
            group["lr"] = args.lr * rate_share(now / total, step, config["lr_end"] / args.lr, 200)
        cutouts, names = source.batch(args.batch)
        ranks, suits = split_labels(names)
        network.train()
        batch = torch.from_numpy(normalize_white(augment(cutouts, rng), window)).to(args.device)
        with torch.autocast(torch.device(args.device).type, torch.bfloat16, enabled=half):
            rank, suit = network(batch.contiguous(memory_format=torch.channels_last))
        loss = loss_of(rank.float(), ranks.to(args.device)) + loss_of(suit.float(), suits.to(args.device))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        average.update_parameters(network)
        step += 1
        seen += len(cutouts)
        running += float(loss.detach())
        since += 1
        if done or step % config["steps_per_checkpoint"] == 0:
            figures = evaluate(average.module, held_cutouts, held_names)
            spent_now = spent + time.monotonic() - begun
            state = {
                "network": network.state_dict(),
                "average": average.state_dict(),
                "optimizer": optimizer.state_dict(),
                "step": step,
                "spent": spent_now,
            }
            torch.save(state, checkpoint.with_suffix(".tmp"))
            checkpoint.with_suffix(".tmp").replace(checkpoint)
            line = {
                "step": step,
                "minutes": round(spent_now / 60, 1),
                "loss": round(running / since, 4),
                "per_second": round(seen / (time.monotonic() - begun)),
                **{k: round(v, 4) for k, v in figures.items()},
            }
            print(json.dumps(line), flush=True)
            with (args.run / "log.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")
            running, since = 0.0, 0
