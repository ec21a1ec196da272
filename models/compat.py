"""Makes Ultralytics quiet, and importable and quick on a machine whose torchvision does not fit its torch.

The CPU build of torch comes with a torchvision whose extension wants CUDA's libtorch; importing it fails with
``operator torchvision::nms does not exist``. Nothing here needs torchvision's own operators: Ultralytics brings
its own non-maximum suppression. So, only where the import fails, the two missing operators are declared and the
import is tried again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

SETTINGS = Path(__file__).parents[1] / "runs" / "settings"
"""Where Ultralytics and Matplotlib keep their settings, instead of in the user's home; git leaves ``runs`` out."""


def keep_quiet(environ: MutableMapping[str, str]) -> None:
    """Have the training side's libraries send nothing, fetch nothing, install nothing and keep to ``runs``."""
    # Ultralytics counts what it is used for only where it takes itself for online; it reads these when imported.
    environ["YOLO_OFFLINE"] = "true"
    environ["YOLO_AUTOINSTALL"] = "false"
    environ["ORT_DISABLE_TELEMETRY"] = "1"  # its exporter may load onnxruntime before the table does
    environ.setdefault("YOLO_CONFIG_DIR", str(SETTINGS))
    environ.setdefault("MPLCONFIGDIR", str(SETTINGS / "matplotlib"))


def _torchvision_works() -> bool:
    try:
        import torchvision  # noqa: F401
    except RuntimeError as error:
        if "torchvision::" not in str(error):
            raise
        return False
    except ImportError:
        return False
    return True


_libraries: list[object] = []


def prepare(threads: int | None = None) -> None:
    """Declare torchvision's missing operators where needed; set the number of threads torch may use.

    Call it before importing Ultralytics. Ultralytics takes all cores but one on a CPU; `threads` overrides that.
    """
    keep_quiet(os.environ)
    import torch

    if not _libraries and not _torchvision_works():
        for name in [n for n in sys.modules if n == "torchvision" or n.startswith("torchvision.")]:
            del sys.modules[name]  # the half-imported remains of the failed try
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        _libraries.append(library)  # the declaration lives as long as this object
        import torchvision  # noqa: F401
    if threads is not None:
        import ultralytics.utils.torch_utils as torch_utils

        torch_utils.NUM_THREADS = threads
        torch.set_num_threads(threads)
