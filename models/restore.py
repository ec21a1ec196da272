"""Makes checkpoints of the table's weights, for training to go on where no run has been kept.

    python -m models restore --pool runs/pool/a --out runs/restored
    python -m models namer --start runs/restored/first.pt --run runs/namer ...

An exported network has its batch normalisations folded into the convolutions. Here each gets one again: what its
convolution gives on pictures of the pool tells mean and spread, and scale and offset are set so that nothing changes.
The optimiser's memory is not in the weights and begins anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.compat import prepare
from models.config import load as load_config
from models.pool import Pools
from table.detection.detector import WEIGHTS
from table.detection.indices.onnx_inference import Network
from table.errors import TableError

prepare()

import onnx  # noqa: E402
import torch  # noqa: E402
from onnx import numpy_helper  # noqa: E402
from torch import nn  # noqa: E402

from models.cutouts import CutoutSource, augment  # noqa: E402
from models.finder import MODEL_FILE, IndexModel, SceneData  # noqa: E402
from models.namer import NETWORKS  # noqa: E402
from table.detection.indices.index_crop import normalize_white  # noqa: E402

_BATCHES = 24


def weights_of(path: Path) -> tuple[list[tuple[Any, Any]], dict[str, Any]]:
    """An ONNX file's convolutions (weight, bias) in the order they run, and all its named tensors."""
    graph = onnx.load(path).graph
    named = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    convolutions = [(named[n.input[1]], named[n.input[2]]) for n in graph.node if n.op_type == "Conv"]
    return convolutions, named


def normalised(network: Any) -> list[tuple[Any, Any]]:
    """The network's convolutions with the batch normalisations that follow them, as they are declared."""
    pairs: list[tuple[Any, Any]] = []
    last: Any = None
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            last = module
        elif isinstance(module, nn.BatchNorm2d):
            pairs.append((last, module))
    return pairs


def unfold(network: Any, pairs: list[tuple[Any, Any]], biases: list[Any], batches: Iterator[Any]) -> None:
    """Give every batch normalisation the mean and spread it sees, and the scale and offset that undo them.

    Args:
        network: its convolutions have the folded weights.
        pairs: convolution and batch normalisation.
        biases: the folded biases, one for each pair.
        batches: pictures as the network sees them in training.
    """
    network.eval()
    sums: dict[Any, list[Any]] = {}
    for (_, norm), bias in zip(pairs, biases, strict=True):
        norm.weight.data.fill_(float(np.sqrt(1 + norm.eps)))
        norm.bias.data.copy_(bias)
        norm.running_mean.zero_()
        norm.running_var.fill_(1.0)

    def look(norm: Any, inputs: Any) -> None:
        values = inputs[0].double()
        one = [values.mean((0, 2, 3)), values.pow(2).mean((0, 2, 3)), torch.ones(1)]
        sums[norm] = [a + b for a, b in zip(sums[norm], one, strict=True)] if norm in sums else one

    hooks = [norm.register_forward_pre_hook(look) for _, norm in pairs]
    with torch.inference_mode():
        for batch in batches:
            network(batch)
    for hook in hooks:
        hook.remove()
    for (_, norm), bias in zip(pairs, biases, strict=True):
        mean, square = (value / sums[norm][2] for value in sums[norm][:2])
        spread = (square - mean.pow(2)).clamp_min(0.0).float()
        norm.running_mean.copy_(mean.float())
        norm.running_var.copy_(spread)
        norm.weight.data.copy_((spread + norm.eps).sqrt())
        norm.bias.data.copy_(bias + mean.float())


def restore_namer(path: Path, which: str, pools: Pools) -> Any:
    """A namer with the weights of an exported file.

    Raises:
        TableError: the file holds another network.
    """
    network = NETWORKS[which]()
    convolutions, named = weights_of(path)
    pairs = normalised(network)
    _same_shapes(path, [conv for conv, _ in pairs], [weight for weight, _ in convolutions])
    for (conv, _), (weight, _) in zip(pairs, convolutions, strict=True):
        conv.weight.data.copy_(weight)
    for head in ("rank", "suit"):
        getattr(network, head).weight.data.copy_(named[f"namer.{head}.weight"])
        getattr(network, head).bias.data.copy_(named[f"namer.{head}.bias"])
    config = load_config()["namer"]
    source = CutoutSource(pools, config, 77, window=network.window)
    rng = np.random.default_rng(78)
    batches = (
        torch.from_numpy(normalize_white(augment(source.batch(128)[0], rng), network.window))
        for _ in range(_BATCHES)
    )
    unfold(network, pairs, [bias for _, bias in convolutions], batches)
    _check(path, network, normalize_white(source.batch(8)[0], network.window))
    return network


def restore_finder(path: Path, pools: list[Path]) -> Any:
    """The finder with the weights of an exported file.

    Raises:
        TableError: the file holds another network.
    """
    network = IndexModel(str(MODEL_FILE), nc=1, ch=3, data_kpt_shape=(2, 2), verbose=False)
    network.names = {0: "index"}
    _, named = weights_of(path)
    names = {module: name for name, module in network.named_modules()}
    pairs = normalised(network)
    folded = {conv for conv, _ in pairs}
    plain = [
        m for m in names if isinstance(m, nn.Conv2d) and m not in folded and f"{names[m]}.weight" in named
    ]
    convolutions = [conv for conv, _ in pairs] + plain
    missing = [names[conv] for conv in convolutions if f"{names[conv]}.weight" not in named]
    if missing:
        raise TableError(f"{path}: not the finder of {MODEL_FILE.name} ({missing[0]} is missing)")
    _same_shapes(path, convolutions, [named[f"{names[conv]}.weight"] for conv in convolutions])
    for conv in convolutions:
        conv.weight.data.copy_(named[f"{names[conv]}.weight"])
        if conv in plain:
            conv.bias.data.copy_(named[f"{names[conv]}.bias"])
    size = load_config()["finder"]["size"]
    data = SceneData(pools, size, 16 * _BATCHES, 79)
    batches = (
        torch.stack([data[16 * k + n]["img"] for n in range(16)]).float() / 255 for k in range(_BATCHES)
    )
    unfold(network, pairs, [named[f"{names[conv]}.bias"] for conv, _ in pairs], batches)
    _check(path, network, data[0]["img"][None].numpy().astype(np.float32) / 255)
    return network


def _check(path: Path, network: Any, picture: NDArray[np.float32]) -> None:
    """``TableError`` unless the network says of a picture what the file says of it."""
    network.eval()
    with torch.inference_mode():
        ours = network(torch.from_numpy(picture))[0].numpy()
    theirs = Network(path)(picture)[0]
    if ours.shape != theirs.shape or not np.allclose(ours, theirs, rtol=1e-3, atol=1e-2):
        raise TableError(f"{path}: the network made of it gives something else than the file")


def _same_shapes(path: Path, modules: list[Any], weights: list[Any]) -> None:
    ours, theirs = [tuple(m.weight.shape) for m in modules], [tuple(w.shape) for w in weights]
    if ours != theirs:
        raise TableError(f"{path}: another network than models/ trains (its convolutions have other shapes)")


def main() -> None:
    """Write finder.pt, first.pt and second.pt."""
    parser = argparse.ArgumentParser(prog="python -m models restore", description=__doc__.split("\n")[0])
    parser.add_argument("--pool", type=Path, action="append", required=True)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--out", type=Path, default=Path("runs/restored"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    pools = Pools(args.pool)
    for which, file in (("first", "namer.onnx"), ("second", "second.onnx")):
        network = restore_namer(args.weights / file, which, pools)
        torch.save({"network": network.state_dict()}, args.out / f"{which}.pt")
        print(args.out / f"{which}.pt", flush=True)
    # Imported by its package name, so that the checkpoint can be loaded anywhere.
    finder = restore_finder(args.weights / "finder.onnx", args.pool)
    torch.save({"model": finder, "train_args": {}}, args.out / "finder.pt")
    print(args.out / "finder.pt", flush=True)
