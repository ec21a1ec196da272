"""The namer: a small CNN that reads the upright cut-out of an index; plain PyTorch.

    python -m models.namer --pool runs/pool/a --run runs/namer --hours 1.5     # trains, or goes on if the run exists

Cut-outs come from pool scenes (lamp, blur, overlap and all, with the finder's errors in place, size and angle) and,
a share of them, from `models.synth.cutouts`. A fifth shows no index: other parts of cards, background, indices upside
down or far off. Checkpoints are written every few hundred steps; the run goes on from the last one.
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
from models.geometry import cut_upright, upright_matrix, whiten
from models.labels import CARDS, NONE, RANKS, SUITS, split
from models.pool import Pools, PoolScene

prepare()

import torch  # noqa: E402
from torch import nn  # noqa: E402

_SPLIT = np.array([split(card) for card in CARDS])
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
    """Input (N, 3, 64, 48), paper at about 1; output rank logits (N, 18) and suit logits (N, 5).

    The heads look at the flattened map, for what stands above and what below matters (6 and 9).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2),  # 32 x 24
            conv(24, 40),
            conv(40, 64, 2),  # 16 x 12
            conv(64, 64),
            conv(64, 112, 2),  # 8 x 6
            Residual(112),
            nn.Conv2d(112, 24, 1, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(inplace=True),
            nn.Flatten(),
        )
        self.drop = nn.Dropout(0.1)
        self.rank = nn.Linear(24 * 48, len(RANKS))
        self.suit = nn.Linear(24 * 48, len(SUITS))

    def forward(self, x: Any) -> tuple[Any, Any]:
        """Give the logits of both heads."""
        features = self.drop(self.body(x))
        return self.rank(features), self.suit(features)


class CutoutSource:
    """Draws cut-outs with labels from pool scenes."""

    def __init__(
        self,
        pools: Pools,
        config: dict[str, Any],
        seed: int,
        *,
        plain: bool = False,
        negatives: NDArray[np.uint8] | None = None,
    ) -> None:
        self.pools, self.config, self.plain, self.negatives = pools, config, plain, negatives
        self.rng = np.random.default_rng(seed)

    def from_scene(self, scene: PoolScene, count: int) -> tuple[list[NDArray[np.uint8]], list[int]]:
        """Up to about `count` cut-outs of one scene with their numbers in `CARDS`."""
        rng, config = self.rng, self.config
        image = scene.image
        if not self.plain and rng.random() < 0.3:
            image = shrink(image, float(rng.uniform(0.4, 0.9)))
        clear = scene.indices[scene.indices[:, 12] >= 0.75]
        cutouts, names = [], []
        for k in rng.permutation(len(clear))[:count]:
            row = clear[k]
            rank, suit = row[0:2].astype(float), row[2:4].astype(float)
            reach = float(np.hypot(*(suit - rank)))
            if reach < 2 or not (0 <= rank[0] < image.shape[1] and 0 <= rank[1] < image.shape[0]):
                continue
            wrong = not self.plain and rng.random() < config["negatives"] / 2
            label = int(row[13])
            turn = float(rng.normal(0, config["turn_deg"]))
            zoom = float(np.exp(rng.normal(0, config["zoom"])))
            shift = rng.normal(0, config["shift"], 2) * reach
            if wrong:
                label = _NONE
                kind = rng.random()
                if kind < 0.35:
                    turn += 180
                elif kind < 0.6:
                    turn += float(rng.choice([-1, 1]) * rng.uniform(60, 120))
                else:
                    away = rng.uniform(0, 2 * np.pi)
                    shift = np.array([np.cos(away), np.sin(away)]) * reach * rng.uniform(1.0, 2.5)
            matrix = upright_matrix(tuple(rank + shift), tuple(suit + shift), turn, zoom)
            cutouts.append(cut_upright(image, matrix))
            names.append(label)
        lost = scene.indices[scene.indices[:, 12] < 0.3]
        for _ in range(round(count * config["negatives"] / 2) or int(rng.random() < 0.5)):
            place = self._no_index(scene, lost)
            if place is not None:
                cutouts.append(cut_upright(image, upright_matrix(*place)))
                names.append(_NONE)
        return cutouts, names

    def _no_index(self, scene: PoolScene, lost: NDArray[np.float32]) -> tuple[Any, Any] | None:
        """A place in the scene where no visible index is: on a card, on a hidden index, or anywhere."""
        rng = self.rng
        size = scene.image.shape[0]
        kind = rng.random()
        if kind < 0.25 and len(lost):
            row = lost[rng.integers(len(lost))]
            rank, suit = row[0:2].astype(float), row[2:4].astype(float)
        else:
            if kind < 0.75 and len(scene.cards):
                quad = scene.cards[rng.integers(len(scene.cards)), :8].reshape(4, 2).astype(float)
                u, v = rng.uniform(0.05, 0.95, 2)
                point = quad[0] + u * (quad[1] - quad[0]) + v * (quad[3] - quad[0])
                edge = quad[3] - quad[0]
                angle = np.arctan2(edge[1], edge[0]) + rng.choice([0, np.pi]) + rng.normal(0, 0.2)
                width = float(np.hypot(*(quad[1] - quad[0])))
            else:
                point, angle, width = rng.uniform(0, size, 2), rng.uniform(0, 2 * np.pi), rng.uniform(60, 140)
            reach = width * rng.uniform(0.09, 0.2)
            step = np.array([np.cos(angle), np.sin(angle)]) * reach
            rank, suit = point - step / 2, point + step / 2
        middle = (rank + suit) / 2
        if not (0 <= middle[0] < size and 0 <= middle[1] < size):
            return None
        # In real pictures not all indices are known: none of their cards' area is sure to show no index.
        areas = scene.indices[scene.indices[:, 0] < -1e3, 4:12].reshape(-1, 4, 2)
        if ((areas.min(axis=1) < middle) & (middle < areas.max(axis=1))).all(axis=1).any():
            return None
        shown = scene.indices[scene.indices[:, 12] >= 0.3]
        if len(shown):
            theirs = (shown[:, 0:2] + shown[:, 2:4]) / 2
            reach = np.hypot(*(shown[:, 2:4] - shown[:, 0:2]).T)
            if (np.hypot(*(theirs - middle).T) < 1.1 * reach).any():
                return None
        return tuple(rank), tuple(suit)

    def batch(self, size: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """A batch of cut-outs (size, 64, 48, 3) and their numbers in `CARDS`."""
        cutouts: list[NDArray[np.uint8]] = []
        names: list[int] = []
        while len(cutouts) < size:
            more, labels = self.from_scene(self.pools.sample(self.rng), 7)
            cutouts += more
            names += labels
        if self.negatives is not None:
            # The last few are the finder's own mistakes, jittered as the others are.
            for k in range(size - round(size * self.config["mined"]), size):
                wide = self.negatives[self.rng.integers(len(self.negatives))]
                turn, zoom = float(self.rng.normal(0, 6)), float(np.exp(self.rng.normal(0, 0.1)))
                matrix = np.asarray(cv2.getRotationMatrix2D((36, 44), turn, zoom), np.float64)
                matrix[:, 2] += self.rng.normal(0, 2.0, 2) - [12, 16]
                cutouts[k] = np.asarray(
                    cv2.warpAffine(wide, matrix, (48, 64), borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
                )
                names[k] = _NONE
        return np.stack(cutouts[:size]), np.array(names[:size])


def shrink(image: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """The picture as a camera with fewer pixels would give it, in its old size."""
    side = image.shape[0]
    small = cv2.resize(image, (max(1, round(side * share)),) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def augment(cutouts: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Change light, colour, sharpness; cover parts. Never mirrors."""
    n = len(cutouts)
    contrast = rng.uniform(0.6, 1.25, (n, 1, 1, 1))
    gamma = rng.uniform(0.7, 1.45, (n, 1, 1, 1)).astype(np.float32)
    tint = (255 * contrast * rng.uniform(0.85, 1.1, (n, 1, 1, 3))).astype(np.float32)
    out: NDArray[Any] = (cutouts.astype(np.float32) / 255) ** gamma * tint
    # Glare or shadow across the cut-out: a linear ramp.
    ramp = rng.random(n) < 0.3
    if ramp.any():
        x, y = np.meshgrid(np.linspace(-1, 1, out.shape[2]), np.linspace(-1, 1, out.shape[1]))
        angle = rng.uniform(0, 2 * np.pi, ramp.sum())
        slope = np.cos(angle)[:, None, None] * x + np.sin(angle)[:, None, None] * y
        out[ramp] *= (1 + 0.35 * slope[..., None] * rng.random((ramp.sum(), 1, 1, 1))).astype(np.float32)
    haze = np.where(rng.random((n, 1, 1, 1)) < 0.25, rng.uniform(0, 70, (n, 1, 1, 1)), 0)
    out = out * (1 - haze / 255).astype(np.float32) + haze.astype(np.float32)
    for k in np.flatnonzero(rng.random(n) < 0.3):
        out[k] = cv2.GaussianBlur(out[k], (0, 0), rng.uniform(0.4, 2.0))
    for k in np.flatnonzero(rng.random(n) < 0.1):
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), rng.uniform(0, 180), 1)
        smear = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), dtype=np.float32)
        out[k] = cv2.filter2D(out[k], -1, smear / max(float(smear.sum()), 1e-3))
    noisy = rng.random(n) < 0.35
    grain = rng.standard_normal(out[noisy].shape, dtype=np.float32)
    out[noisy] += grain * rng.uniform(2, 14, (noisy.sum(), 1, 1, 1)).astype(np.float32)
    for k in np.flatnonzero(rng.random(n) < 0.15):
        # Something lies over one side: another card, a thumb.
        side = rng.integers(4)
        depth = int(rng.integers(3, 11))
        colour = rng.uniform(20, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(170, 250))
        cover = [np.s_[:depth], np.s_[-depth:], np.s_[:, :depth], np.s_[:, -depth:]][side]
        out[k][cover] = colour
    return np.asarray(np.clip(out, 0, 255), dtype=np.uint8)


def split_labels(names: NDArray[np.int64]) -> tuple[Any, Any]:
    """Rank and suit labels of numbers in `CARDS`, as tensors."""
    return torch.from_numpy(_SPLIT[names, 0]), torch.from_numpy(_SPLIT[names, 1])


def evaluate(network: Any, cutouts: NDArray[np.uint8], names: NDArray[np.int64]) -> dict[str, float]:
    """Share of cards read right, of cards refused, and of no-cards read as a card."""
    network.eval()
    with torch.inference_mode():
        outputs = [
            network(torch.from_numpy(whiten(cutouts[k : k + 256]))) for k in range(0, len(cutouts), 256)
        ]
    rank = torch.cat([o[0] for o in outputs]).argmax(1).numpy()
    suit = torch.cat([o[1] for o in outputs]).argmax(1).numpy()
    cards = names != _NONE
    none = (rank == RANKS.index(NONE)) | ((suit == SUITS.index(NONE)) & (rank != RANKS.index("JOKER")))
    right = (rank == _SPLIT[names, 0]) & (suit == _SPLIT[names, 1])
    return {
        "right": float(right[cards].mean()),
        "refused": float(none[cards].mean()),
        "invented": float((~none)[~cards].mean()) if (~cards).any() else 0.0,
    }


def main() -> None:
    """Train, or go on with the run's last checkpoint."""
    config = load_config()["namer"]
    parser = argparse.ArgumentParser(prog="python -m models.namer", description=__doc__.split("\n")[0])
    parser.add_argument("--pool", type=Path, action="append", required=True)
    parser.add_argument("--held", type=Path, action="append", required=True)
    parser.add_argument("--run", type=Path, default=Path("runs/namer"))
    parser.add_argument("--hours", type=float, default=config["hours"])
    parser.add_argument("--batch", type=int, default=config["batch"])
    parser.add_argument("--lr", type=float, default=config["lr"])
    parser.add_argument(
        "--drawn", type=float, default=config["drawn"], help="share from models.synth.cutouts"
    )
    parser.add_argument("--negatives", type=Path, help="cut-outs from models.mine")
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
    network = Namer().to(args.device, memory_format=torch.channels_last)
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
    negatives = np.load(args.negatives) if args.negatives else None
    source = CutoutSource(pools, config, args.seed + 7919 * step, negatives=negatives)
    held_source = CutoutSource(Pools(args.held), {**config, "negatives": 0.2}, 12345, plain=True)
    held_cutouts, held_names = held_source.batch(2048)
    packs: Any = None
    if args.drawn > 0:
        from models.synth.cutouts import make_cutout
        from models.synth.packs import load_packs

        packs = load_packs("train")
    rng = np.random.default_rng(args.seed + 104729 * step)
    loss_of = nn.CrossEntropyLoss(label_smoothing=config["smoothing"])
    rank_number = {name: k for k, name in enumerate(RANKS)}
    suit_number = {name: k for k, name in enumerate(SUITS)}
    half = args.device != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())
    begun = time.monotonic()
    total, running, seen = args.hours * 3600, 0.0, 0
    while True:
        now = spent + time.monotonic() - begun
        if now >= total:
            break
        share = now / total
        rate = config["lr_end"] + (args.lr - config["lr_end"]) * 0.5 * (1 + np.cos(np.pi * share))
        for group in optimizer.param_groups:
            group["lr"] = float(rate * min(1.0, (step + 1) / 200))
        fresh = round(args.batch * args.drawn)
        cutouts, names = source.batch(args.batch - fresh)
        ranks, suits = split_labels(names)
        if fresh:
            drawn = [make_cutout(rng, packs) for _ in range(fresh)]
            cutouts = np.concatenate([cutouts, np.stack([d[0] for d in drawn])])
            ranks = torch.cat([ranks, torch.tensor([rank_number[d[1]] for d in drawn])])
            suits = torch.cat([suits, torch.tensor([suit_number[d[2]] for d in drawn])])
        network.train()
        batch = torch.from_numpy(whiten(augment(cutouts, rng))).to(args.device)
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
        if step % config["steps_per_checkpoint"] == 0:
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
                "loss": round(running / config["steps_per_checkpoint"], 4),
                "per_second": round(seen / (time.monotonic() - begun)),
                **{k: round(v, 4) for k, v in figures.items()},
            }
            print(json.dumps(line), flush=True)
            with (args.run / "log.jsonl").open("a") as file:
                file.write(json.dumps(line) + "\n")
            running = 0.0


if __name__ == "__main__":
    main()
