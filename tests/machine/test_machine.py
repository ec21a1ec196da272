"""The whole machine in its shortest form: it boots, a bid is made, its plug is pulled, and the game goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.bench.host import MissingError, kernel
from tests.machine.image import build_image, default_cache, require_tools
from tests.machine.plug import play_with_plugs
from tests.machine.qemu import choose_accelerator


@pytest.mark.thorough
def test_a_machine_whose_plug_is_pulled_goes_on_with_the_game(tmp_path: Path) -> None:
    try:
        require_tools()
        found_kernel, _ = kernel(Path("/"))
    except MissingError as missing:
        pytest.skip(str(missing))
    if choose_accelerator(found_kernel, tmp_path) != "kvm":
        pytest.skip("no KVM that starts a kernel: an emulated processor takes a quarter of an hour")
    image = build_image(default_cache(), print)
    game = play_with_plugs(image, tmp_path, "kvm", "whysteria", 0, print, most_plugs=1)
    [plug] = game.plugs
    assert plug.lines > 0, "something was on the disk"
    assert plug.lost == 0
    assert not game.differences
