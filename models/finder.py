"""The finder: a YOLO-pose network of one class, trained from nothing with Ultralytics on synthesised scenes.

    python -m models finder --pool runs/pool/a --hours 1.5 --run runs/finder       # trains
    python -m models finder --resume runs/finder/weights/last.pt --hours 0.5       # goes on after a stop

Ultralytics' own loop, optimiser, loss and checkpoints; ours are the data (scenes from a pool, turned, cropped and
lit anew each time), three settings of the loss, and a validation that is quick enough for a CPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compat import prepare
from models.config import load as load_config
from models.pool import Pools, PoolScene
from models.wordlabels import along
from table.detection.indices.keypoints import FoundIndices, decode_finder_output

prepare()

import torch  # noqa: E402
from torch.utils.data import DataLoader, Dataset  # noqa: E402
from ultralytics.engine.trainer import BaseTrainer  # noqa: E402
from ultralytics.models.yolo.pose import PoseTrainer  # noqa: E402
from ultralytics.nn.tasks import PoseModel  # noqa: E402
from ultralytics.utils.loss import KeypointLoss, v8PoseLoss  # noqa: E402

MODEL_FILE = Path(__file__).with_name("finder.yaml")
SCALE = 0.75
"""Pixels of the finder's training picture for one of the scene; the table looks at a hair less (FINDER_CARD_PX)."""
KEYPOINT_SIGMA = 0.12
"""Spread of the keypoints' likeness, in units of the box: tight, for the angle hangs on two points 13 px apart."""
VISIBLE = 0.6
"""An index that shows at least this share of itself is to be found ..."""
HIDDEN = 0.3
"""... one that shows less than this is background, and in between neither is held against the network."""


class PointLoss(KeypointLoss):  # type: ignore[misc]
    """Ultralytics' keypoint loss plus the plain distance, which pulls from afar and still pulls when close."""

    def forward(self, pred_kpts: Any, gt_kpts: Any, kpt_mask: Any, area: Any) -> Any:
        """Compute the loss; shapes as in Ultralytics: (n, 2, 2), (n, 2, 3), (n, 2), (n, 1)."""
        likeness = super().forward(pred_kpts, gt_kpts, kpt_mask, area)
        distance = (pred_kpts[..., :2] - gt_kpts[..., :2]).pow(2).sum(-1).add(1e-4).sqrt() / area.sqrt()
        return likeness + distance.mean()


class IndexLoss(v8PoseLoss):  # type: ignore[misc]
    """Ultralytics' pose loss, which leaves half-hidden indices out of the score's loss."""

    def __init__(self, model: Any) -> None:
        super().__init__(model, tal_topk=10)
        # The default power of 6 on the overlap leaves small boxes without a signal until they fit; see models/README.
        self.assigner.beta = 3.0
        self._weight: Any = None
        plain: Any = self.bce

        def weighted(scores: Any, targets: Any) -> Any:
            loss = plain(scores, targets)
            # Never mute a place that was assigned to a visible index next to a half-hidden one.
            return loss if self._weight is None else loss * torch.maximum(self._weight, (targets > 0).float())

        self.bce: Any = weighted
        self.keypoint_loss = PointLoss(self.keypoint_loss.sigmas)  # type: ignore[has-type]

    def loss(self, preds: Any, batch: Any) -> Any:
        """Compute the loss of a batch; `batch["ignore"]` holds (image, x1, y1, x2, y2), the box as shares."""
        height, width = preds["feats"][0].shape[2:]
        weight = torch.ones(len(preds["boxes"]), height, width, device=preds["boxes"].device)
        for k, x1, y1, x2, y2 in batch["ignore"].tolist():
            weight[
                int(k),
                max(int(y1 * height), 0) : max(int(y2 * height + 1), 0),
                max(int(x1 * width), 0) : max(int(x2 * width + 1), 0),
            ] = 0.0
        self._weight = weight.view(len(weight), -1, 1)
        # The network may have run in bfloat16; places and losses need more digits.
        with torch.autocast(preds["boxes"].device.type, enabled=False):
            exact: Any = {k: preds[k].float() for k in ("boxes", "scores", "kpts")}
            shapes = [feature.detach()[:, :1].float() for feature in preds["feats"]]
            exact["feats"] = shapes
            return super().loss(exact, batch)


class IndexModel(PoseModel):  # type: ignore[misc]
    """The pose network with the loss above."""

    def init_criterion(self) -> Any:
        """Give the loss that the trainer uses."""
        return IndexLoss(self)

    def predict(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Run the network; in training on a CPU that can, in bfloat16 (Ultralytics does so on a GPU only)."""
        half = self.training and x.device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()
        with torch.autocast("cpu", torch.bfloat16, enabled=bool(half)):
            return super().predict(x, *args, **kwargs)


def view(
    scene: PoolScene, size: int, rng: np.random.Generator | None
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A scene at the finder's scale: (size, size, 3), and its index rows in that picture's pixels.

    With `rng` it is turned by quarter turns (never mirrored), enlarged and cropped, and lit differently.
    """
    image, indices = scene.image, along(scene.indices).copy()
    source = image.shape[0]
    scale = SCALE * 100.0 / card_width(scene)
    angle, shift = 0.0, np.zeros(2)
    if rng is not None:
        # The table's user gives the scale within a third; most pictures are near it.
        scale = max(scale * float(np.exp(np.clip(rng.normal(0, 0.17), -0.4, 0.4))), 0.8 * SCALE)
        angle = float(rng.integers(4)) * 90.0
        if rng.random() < 0.5:
            angle += float(rng.uniform(-30, 30))
        room = max(source * scale - size, 0.0) / 2
        shift = rng.uniform(-room, room, 2) if room else shift
    matrix = cv2.getRotationMatrix2D((source / 2 - 0.5, source / 2 - 0.5), angle, scale)
    matrix[:, 2] += size / 2 - source / 2 + shift
    fill = tuple(float(v) for v in image[:: source // 8, :: source // 8].reshape(-1, 3).mean(axis=0))
    out = cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_AREA, borderValue=fill)
    points = indices[:, :12].reshape(-1, 6, 2) @ matrix[:, :2].T + matrix[:, 2]
    indices[:, :12] = points.reshape(-1, 12)
    return np.asarray(relight(out, rng) if rng is not None else out, dtype=np.uint8), indices


def card_width(scene: PoolScene) -> float:
    """The median short side of the scene's cards, pixels; 100 where there is none."""
    if not len(scene.cards):
        return 100.0
    quads = scene.cards[:, :8].reshape(-1, 4, 2)
    sides = np.hypot(*(quads[:, 1] - quads[:, 0]).T)
    return float(np.clip(np.median(sides), 30.0, 200.0))


def relight(image: NDArray[Any], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Change brightness, contrast and colour a little, and sometimes blur or add noise."""
    if rng.random() < 0.6:
        level = np.arange(256, dtype=np.float32) / 255
        table = np.empty((256, 3), np.float32)
        gamma, gain = rng.uniform(0.75, 1.35), rng.uniform(0.75, 1.2)
        for channel in range(3):
            table[:, channel] = gain * rng.uniform(0.92, 1.08) * level**gamma
        image = cv2.LUT(image, (np.clip(table, 0, 1) * 255).astype(np.uint8)[None])
    chance = rng.random()
    if chance < 0.12:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.0))
    elif chance < 0.24:
        noise = rng.normal(0, rng.uniform(2, 9), (*image.shape[:2], 1)).astype(np.float32)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    return np.asarray(image, dtype=np.uint8)


def labels(indices: NDArray[np.float32], size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Boxes with keypoints (n, 8) and boxes to ignore (m, 4) as shares of the picture."""
    quads = indices[:, 4:12].reshape(-1, 4, 2)
    low, high = quads.min(axis=1), quads.max(axis=1)
    inside = np.clip(high, 0, size) - np.clip(low, 0, size)
    share = inside.prod(axis=1) / np.maximum((high - low).prod(axis=1), 1e-6)
    visible = indices[:, 12] * share
    keep = visible >= VISIBLE
    low, high = np.clip(low, 0, size), np.clip(high, 0, size)
    rows = np.concatenate([(low + high) / 2, high - low, indices[:, 0:4]], axis=1)[keep] / size
    unsure = (visible >= HIDDEN) & ~keep
    return rows.astype(np.float32), (np.concatenate([low, high], axis=1)[unsure] / size).astype(np.float32)


class SceneData(Dataset):  # type: ignore[misc]
    """Scenes from the pools, each drawn anew; `length` of them make an "epoch" (a checkpoint's worth)."""

    def __init__(self, folders: list[Path], size: int, length: int, seed: int | None) -> None:
        self.folders, self.size, self.length, self.seed = folders, size, length, seed
        self.pools: Pools | None = None
        self.rng = np.random.default_rng(seed)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, number: int) -> dict[str, Any]:
        if self.pools is None:  # opened in the loader's worker
            self.pools = Pools(self.folders)
            info = torch.utils.data.get_worker_info()
            self.rng = np.random.default_rng([self.seed or 0, info.id if info else 0, len(self.pools)])
        if self.seed is None:
            image, indices = view(self.pools.at(number), self.size, None)
        else:
            image, indices = view(self.pools.sample(self.rng), self.size, self.rng)
        rows, ignore = labels(indices, self.size)
        return {
            "img": torch.from_numpy(np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1))),
            "rows": torch.from_numpy(rows),
            "ignore": torch.from_numpy(ignore),
        }

    @staticmethod
    def collate(items: list[dict[str, Any]]) -> dict[str, Any]:
        """Put samples together as Ultralytics' loss wants them."""
        rows = torch.cat([item["rows"] for item in items])
        numbers = torch.cat([torch.full((len(item["rows"]),), float(k)) for k, item in enumerate(items)])
        ignore = torch.cat(
            [
                torch.cat([torch.full((len(i["ignore"]), 1), float(k)), i["ignore"]], 1)
                for k, i in enumerate(items)
            ]
        )
        return {
            "img": torch.stack([item["img"] for item in items]),
            "cls": torch.zeros(len(rows), 1),
            "bboxes": rows[:, :4],
            "keypoints": rows[:, 4:8].reshape(-1, 2, 2),
            "batch_idx": numbers,
            "ignore": ignore,
        }


class QuickValidator:
    """Recall and precision of indices on held-out scenes: the F1 at its best threshold is the fitness."""

    def __init__(self, loader: Any, trainer: Any) -> None:
        self.dataloader, self.trainer = loader, trainer
        self.args = SimpleNamespace(plots=False, compile=False)
        self.metrics = SimpleNamespace(keys=["recall", "precision", "angle", "threshold"])

    def __call__(self, trainer: Any = None, model: Any = None) -> dict[str, float]:
        """Give recall, precision, median angle error in degrees, the threshold they hold at, and F1 as fitness."""
        network = self.trainer.ema.ema if self.trainer.ema else self.trainer.model
        network.eval()
        scores: list[float] = []
        right: list[bool] = []
        errors: list[float] = []
        total = 0
        with torch.inference_mode():
            for batch in self.dataloader:
                size = batch["img"].shape[-1]
                out = network(batch["img"].to(self.trainer.device).float() / 255)
                out = (out[0] if isinstance(out, tuple) else out).cpu().numpy()
                for k in range(len(out)):
                    found = decode_finder_output(out[k], 0.05)
                    truth = batch["keypoints"][batch["batch_idx"] == k].numpy() * size
                    unsure = batch["ignore"][batch["ignore"][:, 0] == k, 1:].numpy() * size
                    total += len(truth)
                    good, angle_errors = match(found, truth, unsure)
                    scores += [float(s) for s, g in zip(found.score, good, strict=True) if g is not None]
                    right += [bool(g) for g in good if g is not None]
                    errors += angle_errors
        order = np.argsort(-np.array(scores))
        hits = np.cumsum(np.array(right, bool)[order])
        count = np.arange(1, len(hits) + 1)
        f1 = 2 * hits / (count + max(total, 1))
        best = int(np.argmax(f1)) if len(f1) else 0
        return {
            "recall": float(hits[best] / max(total, 1)) if len(f1) else 0.0,
            "precision": float(hits[best] / (best + 1)) if len(f1) else 0.0,
            "angle": float(np.median(errors)) if errors else 180.0,
            "threshold": float(np.array(scores)[order][best]) if len(f1) else 0.0,
            "fitness": float(f1[best]) if len(f1) else 0.0,
        }


def match(
    found: FoundIndices, truth: NDArray[np.float32], unsure: NDArray[np.float32]
) -> tuple[list[bool | None], list[float]]:
    """Match found indices to true keypoints (n, 2, 2), the surest first.

    Returns for each found one True, False, or None (it lies on a half-hidden index), and the angle errors of the
    matched ones in degrees.
    """
    taken = np.zeros(len(truth), bool)
    result: list[bool | None] = []
    errors: list[float] = []
    middles = truth.mean(axis=1) if len(truth) else np.zeros((0, 2))
    reach = np.hypot(*(truth[:, 1] - truth[:, 0]).T) if len(truth) else np.zeros(0)
    for middle, step in zip(found.middle, found.rank_to_suit, strict=True):
        gap = np.hypot(*(middles - middle).T) / np.maximum(reach, 1e-6) + taken * 1e6
        if len(gap) and gap.min() < 0.5:
            k = int(gap.argmin())
            taken[k] = True
            result.append(True)
            a, b = truth[k, 1] - truth[k, 0], step
            cosine = float(a @ b / max(float(np.hypot(*a) * np.hypot(*b)), 1e-6))
            errors.append(float(np.degrees(np.arccos(np.clip(cosine, -1, 1)))))
        elif len(unsure) and ((unsure[:, :2] - 2 < middle) & (middle < unsure[:, 2:] + 2)).all(axis=1).any():
            result.append(None)
        else:
            result.append(False)
    return result, errors


class IndexTrainer(PoseTrainer):  # type: ignore[misc]
    """Ultralytics' pose trainer, fed from pools."""

    pools: list[Path]
    held: list[Path]
    epoch_scenes: int = 3200
    held_scenes: int = 96

    def get_dataset(self) -> dict[str, Any]:
        """Describe the data; the "paths" are the pools."""
        return {
            "nc": 1,
            "names": {0: "index"},
            "channels": 3,
            "kpt_shape": [2, 2],
            "kpt_oks_sigmas": [KEYPOINT_SIGMA, KEYPOINT_SIGMA],
            "train": "train",
            "val": "val",
        }

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
        """Build the network from the model file."""
        model = IndexModel(cfg, nc=1, ch=3, data_kpt_shape=(2, 2), verbose=False)
        model.names = self.data["names"]
        if weights:
            model.load(weights)
        return model.to(memory_format=torch.channels_last)  # a third faster on a CPU too

    def get_dataloader(
        self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train"
    ) -> Any:
        """Give the loader of pool scenes, or of the first held-out scenes."""
        if mode == "train":
            seed = self.args.seed + 1000 * (self.start_epoch if self.resume else 0)
            data = SceneData(self.pools, self.args.imgsz, self.epoch_scenes, seed)
        else:
            data = SceneData(self.held, self.args.imgsz, min(self.held_scenes, len(Pools(self.held))), None)
        return DataLoader(data, batch_size, num_workers=self.args.workers, collate_fn=SceneData.collate)

    def _build_train_pipeline(self) -> None:
        BaseTrainer._build_train_pipeline(self)

    def preprocess_batch(self, batch: Any) -> Any:
        """Move a batch to the device, as shares of 1."""
        batch = super().preprocess_batch(batch)
        batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
        return batch

    def get_validator(self) -> Any:
        """Give the quick validation."""
        return QuickValidator(self.test_loader, self)

    def final_eval(self) -> None:
        """Leave the checkpoints as they are: they have been validated, and can be resumed from."""


def main() -> None:
    """Train or go on training."""
    config = load_config()["finder"]
    parser = argparse.ArgumentParser(prog="python -m models finder", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--pool", type=Path, action="append", required=True, help="pool folder; may be repeated"
    )
    parser.add_argument("--held", type=Path, action="append", required=True, help="pool of held-out scenes")
    parser.add_argument("--run", type=Path, default=Path("runs/finder"))
    parser.add_argument("--resume", type=Path, help="last.pt of a run that was stopped")
    parser.add_argument("--model", type=Path, default=MODEL_FILE)
    parser.add_argument("--start", type=Path, help="weights to start from (a .pt of the same network)")
    parser.add_argument("--hours", type=float, default=config["hours"])
    parser.add_argument("--batch", type=int, default=config["batch"])
    parser.add_argument("--lr", type=float, default=config["lr"])
    parser.add_argument("--size", type=int, default=config["size"])
    parser.add_argument("--epoch-scenes", type=int, default=config["epoch_scenes"])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--seed", type=int, default=config["seed"])
    args = parser.parse_args()

    prepare(args.threads)
    cv2.setNumThreads(1)
    IndexTrainer.pools, IndexTrainer.held = args.pool, args.held
    IndexTrainer.epoch_scenes = args.epoch_scenes
    overrides: dict[str, Any] = {
        "model": str(args.model),
        "data": "pool",
        "imgsz": args.size,
        "batch": args.batch,
        "nbs": args.batch,
        "epochs": 10000,
        "time": args.hours,
        "optimizer": "AdamW",
        "lr0": args.lr,
        "lrf": config["lr_end"],
        "weight_decay": config["weight_decay"],
        "warmup_epochs": config["warmup_epochs"],
        "warmup_bias_lr": args.lr,
        "box": config["box"],
        "cls": config["cls"],
        "pose": config["pose"],
        "dfl": config["dfl"],
        "device": args.device,
        "workers": args.workers,
        "seed": args.seed,
        "patience": 0,
        "plots": False,
        "val": True,
        "amp": "bf16" if args.device != "cpu" else False,
        "close_mosaic": 0,
        "project": str(args.run.parent.resolve()),
        "name": args.run.name,
        "exist_ok": True,
        "deterministic": False,
    }
    if args.resume:
        overrides["resume"] = str(args.resume)
    if args.start:
        overrides["pretrained"] = str(args.start)
    # Imported by its package name, so that checkpoints name `models.finder.IndexModel` and can be loaded anywhere.
    from models.finder import IndexTrainer as Trainer

    Trainer.pools, Trainer.held, Trainer.epoch_scenes = args.pool, args.held, args.epoch_scenes
    Trainer(overrides=overrides).train()
