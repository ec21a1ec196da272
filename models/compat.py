"""Makes Ultralytics importable and quick on a machine whose torchvision does not fit its torch.

The CPU build of torch comes with a torchvision whose extension wants CUDA's libtorch; importing it fails with
``operator torchvision::nms does not exist``. Nothing here needs torchvision's own operators: Ultralytics brings
its own non-maximum suppression. So, only where the import fails, the two missing operators are declared and the
import is tried again.
"""

from __future__ import annotations

import os
import sys


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
    os.environ.setdefault("YOLO_OFFLINE", "true")  # look nothing up on the network
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
