"""Exports the networks for the table: finder.onnx, namer.onnx, second.onnx, model.json.

    python -m models export --finder runs/finder/weights/last.pt --namer runs/namer/last.pt --held runs/pool/held

The finder goes through Ultralytics' own exporter (dynamic sides), the namers through torch.onnx. The temperatures of
their readings are fitted on cut-outs of held-out scenes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from models.compat import prepare
from models.config import load as load_config
from models.pool import Pools
from table.detection.detector import WEIGHTS
from table.detection.indices.class_labels import card_probabilities

prepare()

import torch  # noqa: E402

from models.cutouts import CutoutSource  # noqa: E402
from models.namer import NETWORKS, Namer  # noqa: E402
from table.detection.indices.index_crop import normalize_white  # noqa: E402


def export_finder(checkpoint: Path, target: Path) -> None:
    """Write the finder's ONNX file."""
    import onnx
    from ultralytics import YOLO

    import models.finder  # noqa: F401  (the checkpoint names its classes)

    copy = target.parent / "finder-export.pt"
    shutil.copyfile(checkpoint, copy)
    model = YOLO(str(copy), task="pose")
    path = model.export(
        format="onnx", imgsz=384, dynamic=True, simplify=True, opset=17, device="cpu", verbose=False
    )
    copy.unlink()
    network = onnx.load(path)
    # What the exporter noted of inner shapes, formulas of the picture's sides, is a sixth of the file and of no use.
    del network.graph.value_info[:]
    onnx.save(network, target)
    Path(path).unlink()


def load_namer(checkpoints: list[Path], network: Namer) -> Namer:
    """The averaged network of a checkpoint, ready to read; of several of one descent the mean of their weights."""
    states = []
    for checkpoint in checkpoints:
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
        average = state.get("average", state["network"])  # (what models.restore made has no average)
        states.append({k.removeprefix("module."): v for k, v in average.items() if k != "n_averaged"})
    mean = {
        key: torch.stack([state[key] for state in states]).mean(0) if value.is_floating_point() else value
        for key, value in states[-1].items()
    }
    network.load_state_dict(mean)
    network.eval()
    return network


class WithFeatures(torch.nn.Module):  # type: ignore[misc]
    """A namer that gives what its heads look at as a third output: an enrolled pack is told by it."""

    def __init__(self, namer: Any) -> None:
        super().__init__()
        self.namer = namer

    def forward(self, x: Any) -> tuple[Any, Any, Any]:
        """Give rank logits, suit logits and the features (N, 24 channels of the last map)."""
        features = self.namer.body(x)
        return self.namer.rank(features), self.namer.suit(features), features


def export_namer(network: Namer, target: Path) -> None:
    """Write the namer's ONNX file; any number of cut-outs at once."""
    window = network.window
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            WithFeatures(network).eval(),
            (torch.zeros(1, 3, window.height, window.width),),
            str(target),
            input_names=["cutouts"],
            output_names=["rank", "suit", "features"],
            dynamic_axes={name: {0: "n"} for name in ("cutouts", "rank", "suit", "features")},
            opset_version=17,
            dynamo=False,
        )


def fit_temperature(network: Namer, held: list[Path], config: dict[str, Any]) -> tuple[float, float]:
    """The temperature with the least negative log likelihood on held-out cut-outs, and that value."""
    source = CutoutSource(Pools(held), config, 4242, window=network.window)
    ranks, suits, names = [], [], []
    with torch.inference_mode():
        for _ in range(16):
            cutouts, labels = source.batch(256)
            rank, suit = network(torch.from_numpy(normalize_white(cutouts, network.window)))
            ranks.append(rank.numpy())
            suits.append(suit.numpy())
            names.append(labels)
    rank_logits, suit_logits, truth = np.concatenate(ranks), np.concatenate(suits), np.concatenate(names)
    best = (1.0, np.inf)
    for temperature in np.geomspace(0.3, 3.0, 47):
        chances = card_probabilities(rank_logits, suit_logits, float(temperature))
        loss = float(-np.log(np.maximum(chances[np.arange(len(truth)), truth], 1e-9)).mean())
        if loss < best[1]:
            best = (float(temperature), loss)
    return best


def main() -> None:
    """Export the networks that are given; what is not given stays as it is."""
    parser = argparse.ArgumentParser(prog="python -m models export", description=__doc__.split("\n")[0])
    parser.add_argument("--finder", type=Path)
    several = (
        "; given several times: the mean of their weights (of one that was trained on, say, before and after)"
    )
    parser.add_argument(
        "--namer", type=Path, action="append", help="last.pt of the namer of the first look" + several
    )
    parser.add_argument("--second", type=Path, action="append", help="the same of the second look")
    parser.add_argument(
        "--held", type=Path, action="append", default=[], help="held-out pool, for the temperature"
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    config = load_config()
    args.out.mkdir(parents=True, exist_ok=True)
    settings_path = args.out / "model.json"
    settings: dict[str, Any] = json.loads(settings_path.read_text()) if settings_path.exists() else {}
    settings.update(config["table"])
    if args.finder:
        export_finder(args.finder, args.out / "finder.onnx")
    for checkpoints, which, file, key in (
        (args.namer, "first", "namer.onnx", "temperature"),
        (args.second, "second", "second.onnx", "second_temperature"),
    ):
        settings.setdefault(key, 1.0)
        if not checkpoints:
            continue
        network = load_namer(checkpoints, NETWORKS[which]())
        export_namer(network, args.out / file)
        if args.held:
            temperature, loss = fit_temperature(network, args.held, config["namer"])
            settings[key] = round(temperature, 3)
            print(f"{file}: temperature {temperature:.3f}, negative log likelihood {loss:.4f}")
    settings_path.write_text(json.dumps(settings, indent=2) + "\n")
    for name in ("finder.onnx", "namer.onnx", "second.onnx"):
        path = args.out / name
        if path.exists():
            print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
