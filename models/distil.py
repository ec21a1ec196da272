"""Trains both namers at once with a third, large one to learn from, on scenes as they are made: for a GPU.

    python -m models extras --out runs/extras ...
    python -m models distil --extras runs/extras --start-first runs/restored/first.pt --out runs/distilled \
           --device cuda --makers 15 --minutes 8

The teacher sees the wide window, is some ten times the second namer and is of no use at a table. It tells both namers
not only what an index is but what it might be taken for. What is kept is each network's moving average, as
`first.pt`, `second.pt` and `teacher.pt`, every minute.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from models.compat import prepare
from models.config import load as load_config
from models.extras import load as load_extra
from models.stream import Stream
from table.detection.indices.class_labels import CARDS, NONE, RANKS, SUITS, head_labels
from table.detection.indices.index_crop import NARROW_WINDOW, WIDE_WINDOW
from table.errors import TableError

prepare()

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from models import lit  # noqa: E402
from models.namer import NETWORKS, rate_share, refused, teacher  # noqa: E402

_RING: Final = 400_000
"""Cut-outs kept on the device; the oldest give way to new ones."""
_FIRST: Final = 20_000
"""So many must be there before training begins."""
_REAL: Final = 0.06
_MINED: Final = 0.14
"""Shares of a batch: indices of real cards, and what the finder took for an index."""
_WARM: Final = 100
"""Steps in which the rate rises."""
_TAUGHT: Final = 0.6
"""How much the teacher's word counts; the truth counts the rest."""
_LISTENED: Final = 0.2
"""The share of the time after which a teacher that began anew is listened to."""
_KEPT: Final = 0.996
"""Of the moving average at each step."""
_EVERY_S: Final = 60.0
"""From one checkpoint to the next."""


Logits = tuple[Any, Any]
"""Of ranks and suits, (n, 18) and (n, 5)."""


@dataclass
class _Pupil:
    """A network that trains, its moving average, and what moves it."""

    name: str
    network: Any
    average: Any
    optimizer: Any
    rate: float
    smoothing: float

    def learn(self, pictures: Any, labels: Logits, told: Logits | None, share: float) -> Logits:
        """One step, on whitened cut-outs of the wide window; gives what the network said.

        Args:
            pictures: (n, 3, 104, 80).
            labels: ranks and suits, (n, 18) and (n, 5) probabilities.
            told: what the teacher says of them.
            share: how much of the rate there is now.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * share
        self.network.train()
        device = pictures.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device != "cpu"):
            out = _see(self.network, pictures)
        loss = _loss(out, labels, self.smoothing)
        if told is not None:
            loss = (1 - _TAUGHT) * loss + _TAUGHT * _taught(out, told)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        self.average.update_parameters(self.network)
        return out[0].detach(), out[1].detach()


def _see(network: Any, pictures: Any) -> Logits:
    """Rank and suit logits for whitened cut-outs of the wide window."""
    shown = lit.narrowed(pictures) if network.window == NARROW_WINDOW else pictures
    rank, suit = network(shown.contiguous(memory_format=torch.channels_last))
    return rank.float(), suit.float()


def _pupil(name: str, network: Any, start: Path | None, args: argparse.Namespace) -> _Pupil:
    config = load_config()["namer"]
    if start is not None:
        state = torch.load(start, map_location="cpu", weights_only=True)
        network.load_state_dict(state["network"])
    network = network.to(args.device).to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(_KEPT), use_buffers=True
    )
    rate = args.lr / 2 if start else args.lr
    fused = args.device != "cpu"
    optimizer = torch.optim.AdamW(
        network.parameters(), rate, weight_decay=config["weight_decay"], fused=fused
    )
    return _Pupil(name, network, average, optimizer, rate, config["smoothing"])


class _Ring:
    """The newest cut-outs, on the device."""

    def __init__(self, size: int, device: str) -> None:
        self.pictures = torch.zeros(
            (size, WIDE_WINDOW.height, WIDE_WINDOW.width, 3), dtype=torch.uint8, device=device
        )
        self.names = torch.zeros(size, dtype=torch.int64, device=device)
        self.weights = torch.ones(size, dtype=torch.float32, device=device)
        self.made = 0

    def put(self, pictures: Any, names: Any, weights: Any = None) -> None:
        """Take in a block, in the place of the oldest."""
        slots = (torch.arange(len(names), device=self.names.device) + self.made) % len(self.names)
        self.pictures[slots] = torch.from_numpy(pictures).to(self.names.device)
        self.names[slots] = torch.from_numpy(names).to(self.names.device)
        if weights is not None:
            self.weights[slots] = torch.from_numpy(weights).to(self.names.device)
        self.made += len(names)

    def draw(self, number: int) -> tuple[Any, Any, Any]:
        """Any of them: cut-outs, their numbers in `CARDS`, the weights of these labels."""
        slots = torch.randint(min(self.made, len(self.names)), (number,), device=self.names.device)
        return self.pictures[slots], self.names[slots], self.weights[slots]


def _ring_of(path: Path, device: str) -> _Ring:
    pictures, names = load_extra(path)
    ring = _Ring(len(names), device)
    ring.put(pictures, names)
    return ring


def _loss(out: Logits, labels: Logits, smoothing: float) -> Any:
    return sum(
        functional.cross_entropy(logits, label, label_smoothing=smoothing)
        for logits, label in zip(out, labels, strict=True)
    )


def _soft_labels(parts: Any, names: Any, weights: Any) -> Logits:
    """Return target probabilities of ranks and suits: ``weights`` for the card's, the rest for "none"."""
    rank, suit = (
        functional.one_hot(part[names], number) * weights[:, None]
        + functional.one_hot(part[-1:], number) * (1 - weights[:, None])
        for part, number in zip(parts, (len(RANKS), len(SUITS)), strict=True)
    )
    return rank, suit


def _taught(out: Logits, told: Logits) -> Any:
    """Cross entropy with what the teacher says."""
    return sum(
        functional.cross_entropy(ours, theirs.softmax(1)) for ours, theirs in zip(out, told, strict=True)
    )


class _Measure:
    """Held-out cut-outs, the same ones each time."""

    def __init__(self, path: Path, parts: Any, device: str) -> None:
        self._ring, self._parts = _ring_of(path, device), parts
        none = CARDS.index(NONE)
        self._cards = self._ring.names != none

    def figures(self, pupil: _Pupil) -> dict[str, float]:
        """Share of the indices read right, and of the others read as some; mean cross entropy."""
        pupil.average.eval()
        right, ranks, suits = [], [], []
        loss = 0.0
        with torch.inference_mode():
            for k in range(0, len(self._ring.names), 1024):
                pictures = self._ring.pictures[k : k + 1024].permute(0, 3, 1, 2).float()
                out = _see(pupil.average.module, lit.whiten(pictures))
                labels = tuple(part[self._ring.names[k : k + 1024]] for part in self._parts)
                loss += float(_loss(out, labels, 0.0)) * len(pictures)
                rank, suit = (logits.argmax(1) for logits in out)
                right.append((rank == labels[0]) & (suit == labels[1]))
                ranks.append(rank)
                suits.append(suit)
        rank, suit, rights = torch.cat(ranks), torch.cat(suits), torch.cat(right)
        none = refused(rank, suit)
        return {
            "right": round(float(rights[self._cards].float().mean()), 4),
            "invented": round(float((~none)[~self._cards].float().mean()), 4),
            "loss": round(loss / len(rights), 4),
        }


def _keep(folder: Path, pupils: list[_Pupil]) -> None:
    for pupil in pupils:
        average = {k: v.cpu() for k, v in pupil.average.module.state_dict().items()}
        torch.save({"network": average}, folder / f"{pupil.name}.tmp")
        (folder / f"{pupil.name}.tmp").replace(folder / f"{pupil.name}.pt")


class _Mixture:
    """What batches are drawn from: new scenes, real cards and what the finder took for an index."""

    def __init__(self, stream: Stream, extras: Path, batch: int, device: str) -> None:
        self._stream, self._new = stream, _Ring(_RING, device)
        mined = sorted(extras.glob("mined-*.npz"))
        self._others = [(_ring_of(extras / "real.npz", device), round(batch * _REAL))]
        self._others += [(_ring_of(path, device), round(batch * _MINED / len(mined))) for path in mined]
        self._share = batch - sum(share for _, share in self._others)

    @property
    def made(self) -> int:
        """How many new cut-outs there have been."""
        return self._new.made

    def wait(self) -> None:
        """Until there are enough to begin with."""
        while self.made < _FIRST:
            block = self._stream.take(wait_s=60.0)
            if block is None:
                raise TableError("distil: no scene was made within a minute: expected some hundred a second")
            self._new.put(*block)

    def draw(self) -> tuple[Any, Any, Any]:
        """A batch: cut-outs, their numbers in `CARDS`, the weights of these labels."""
        while (block := self._stream.take(wait_s=0.0)) is not None:
            self._new.put(*block)
        drawn = [ring.draw(share) for ring, share in self._others]
        drawn.append(self._new.draw(self._share))
        pictures, names, weights = (torch.cat(parts) for parts in zip(*drawn, strict=True))
        return pictures, names, weights


def _options() -> argparse.Namespace:
    config = load_config()["namer"]
    parser = argparse.ArgumentParser(prog="python -m models distil", description=__doc__.split("\n")[0])
    parser.add_argument("--extras", type=Path, required=True, help="folder from models.extras")
    parser.add_argument("--start-first", type=Path, help="the first namer's weights to go on from")
    parser.add_argument("--start-second", type=Path, help="the second's")
    parser.add_argument(
        "--start-teacher", type=Path, help="the teacher's, who is listened to from the beginning then"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--lr", type=float, default=3e-3, help="of what starts anew; others have half of it")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--makers", type=int, default=15, help="processes that make scenes")
    parser.add_argument("--seed", type=int, default=config["seed"])
    return parser.parse_args()


def main() -> None:
    """Train for the minutes given."""
    args = _options()
    config = load_config()["namer"]
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    parts = torch.tensor([head_labels(card) for card in CARDS], device=args.device).T
    begun = time.monotonic()
    with Stream(args.makers, args.seed) as stream:
        mixture = _Mixture(stream, args.extras, args.batch, args.device)
        measure = _Measure(args.extras / "held.npz", parts, args.device)
        large = _pupil("teacher", teacher(), args.start_teacher, args)
        others = [
            _pupil("first", NETWORKS["first"](), args.start_first, args),
            _pupil("second", NETWORKS["second"](), args.start_second, args),
        ]
        listened = 0.0 if args.start_teacher else _LISTENED
        mixture.wait()
        step, said, done = 0, time.monotonic(), False
        while not done:
            now = (time.monotonic() - begun) / (60 * args.minutes)
            done = now >= 1.0
            cutouts, names, weights = mixture.draw()
            augmented, weights = lit.augment(cutouts, names, weights)
            pictures = lit.whiten(augmented)
            labels = _soft_labels(parts, names, weights)
            share = rate_share(now, step, config["lr_end"] / config["lr"], _WARM)
            told = large.learn(pictures, labels, None, share)
            for pupil in others:
                pupil.learn(pictures, labels, told if now > listened else None, share)
            step += 1
            if done or time.monotonic() - said > _EVERY_S:
                said = time.monotonic()
                _keep(args.out, [large, *others])
                line: dict[str, Any] = {
                    "step": step,
                    "minutes": round((said - begun) / 60, 2),
                    "made": mixture.made,
                    "seen": step * args.batch,
                }
                line |= {pupil.name: measure.figures(pupil) for pupil in (large, *others)}
                print(json.dumps(line), flush=True)
                with (args.out / "log.jsonl").open("a") as file:
                    file.write(json.dumps(line) + "\n")
