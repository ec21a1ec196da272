"""The stick is found among all that is mounted."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.system.disks import find_stick
from tests.wrong import wrong


class Machine:
    """Disks as sysfs shows them, and a table of mounts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blocks = folder / "class" / "block"
        self.blocks.mkdir(parents=True)
        self.mounts = folder / "mounts"
        self.mounts.write_text("proc /proc proc rw 0 0\n")

    def disk(
        self, name: str, *, at: str = "platform", removable: bool = False, size: int = 62_333_952
    ) -> None:
        """A disk with one partition, mounted where ``mount`` says."""
        disk = self.folder / "devices" / at / name
        part = disk / f"{name}1"
        part.mkdir(parents=True)
        (part / "partition").write_text("1\n")
        (disk / "removable").write_text(f"{int(removable)}\n")
        (disk / "size").write_text(f"{size}\n")
        (self.blocks / name).symlink_to(disk)
        (self.blocks / f"{name}1").symlink_to(part)

    def mount(self, name: str, place: str, options: str = "rw") -> None:
        with self.mounts.open("a") as file:
            file.write(f"/dev/{name} {place} vfat {options} 0 0\n")

    def stick(self) -> Path:
        return find_stick(self.mounts, self.blocks)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.disk("mmcblk0")
    machine.mount("mmcblk01", "/")
    return machine


@pytest.mark.parametrize(("at", "removable"), [("usb1/1-1", False), ("pci", True)])
def test_a_stick_is_what_is_removable_or_hangs_at_usb(machine: Machine, at: str, removable: bool) -> None:
    place = machine.folder / "MY STICK"
    place.mkdir()
    machine.disk("zzq", at=at, removable=removable)
    machine.mount("zzq1", str(place).replace(" ", "\\040"))
    assert machine.stick() == place


def test_the_disk_that_the_machine_runs_from_is_no_stick(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.disk("zzr", at="usb1/1-1")
    machine.mount("zzr1", "/")
    machine.mount("zzr1", str(tmp_path))
    with wrong("stick.none"):
        machine.stick()


def test_a_fixed_disk_is_no_stick_and_one_that_is_read_only_is_said(machine: Machine) -> None:
    machine.disk("zzs")
    machine.mount("zzs1", str(machine.folder))
    with wrong("stick.none"):
        machine.stick()
    machine.disk("zzt", at="usb1/1-1")
    machine.mount("zzt1", str(machine.folder), "ro,nosuid")
    with wrong("stick.read_only"):
        machine.stick()


def test_a_stick_that_is_plugged_in_but_not_mounted_is_called_that(machine: Machine) -> None:
    machine.disk("zzu", at="usb1/1-1", size=0)
    with wrong("stick.none"):
        machine.stick()
    machine.disk("zzv", at="usb1/1-2")
    with wrong("stick.not_mounted", device="/dev/zzv1"):
        machine.stick()
