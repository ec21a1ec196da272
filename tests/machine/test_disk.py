"""The disk whose power is cut: what was flushed is there, of the rest some is lost, in no order."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.machine.disk import CACHED_PAGES, PAGE, Disk

PAGES = 200
READ, WRITE, FLUSH = 0, 1, 3
FUA = 1


class Client:
    """The least that an operating system does with an NBD disk."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        magic, options, _ = struct.unpack(">8s8sH", self._receive(18))
        assert (magic, options) == (b"NBDMAGIC", b"IHAVEOPT")
        connection.sendall(struct.pack(">I8sII", 3, b"IHAVEOPT", 1, 0))
        self.size, self.flags = struct.unpack(">QH", self._receive(10))

    def ask(self, kind: int, offset: int = 0, length: int = 0, data: bytes = b"", flags: int = 0) -> bytes:
        request = struct.pack(">IHHQQI", 0x25609513, flags, kind, 7, offset, length or len(data))
        self._connection.sendall(request + data)
        magic, error, cookie = struct.unpack(">IIQ", self._receive(16))
        assert (magic, cookie) == (0x67446698, 7)
        if error:
            raise OSError(error, "refused")
        return self._receive(length) if kind == READ else b""

    def _receive(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            part = self._connection.recv(length - len(data))
            if not part:
                raise EOFError
            data += part
        return data


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "image"
    path.write_bytes(bytes(PAGES * PAGE))
    return path


@contextmanager
def machine(image: Path, seed: int = 0) -> Iterator[tuple[Disk, Client]]:
    with (
        Disk(image, image.with_name("socket"), Random(seed)) as disk,
        socket.socket(socket.AF_UNIX) as connection,
    ):
        connection.connect(str(disk.address))
        yield disk, Client(connection)


def page_of(number: int) -> bytes:
    return bytes([number % 255 + 1]) * PAGE


def pages_on(image: Path) -> list[int]:
    """The pages that were written, whole and with what was meant for them."""
    data = image.read_bytes()
    pages = [data[at * PAGE : (at + 1) * PAGE] for at in range(PAGES)]
    assert all(page in (bytes(PAGE), page_of(at)) for at, page in enumerate(pages))
    return [at for at, page in enumerate(pages) if page == page_of(at)]


def test_a_program_that_does_not_flush_loses_data_in_no_order(image: Path) -> None:
    with machine(image) as (disk, client):
        for number in range(PAGES):
            client.ask(WRITE, number * PAGE, data=page_of(number))
        assert client.ask(READ, 5 * PAGE, PAGE) == page_of(5), "the guest reads what it wrote"
        lost_pages = disk.cut()
    kept = pages_on(image)
    assert lost_pages == PAGES - len(kept)
    assert 0 < len(kept) < PAGES
    first_lost = min(set(range(PAGES)) - set(kept))
    assert first_lost < max(kept), "a later write can be on the disk where an earlier one is not"


def test_a_program_that_flushes_loses_nothing(image: Path) -> None:
    with machine(image) as (disk, client):
        for number in range(PAGES // 2):
            client.ask(WRITE, number * PAGE, data=page_of(number))
        client.ask(FLUSH)
        for number in range(PAGES // 2, PAGES):
            client.ask(WRITE, number * PAGE, data=page_of(number))
        disk.cut()
        assert disk.counts.flushes == 1
    assert pages_on(image)[: PAGES // 2] == list(range(PAGES // 2))
    assert len(pages_on(image)) < PAGES


def test_a_forced_write_is_on_the_disk_and_brings_no_other_with_it(image: Path) -> None:
    lost = 0
    for seed in range(8):
        with machine(image, seed) as (disk, client):
            client.ask(WRITE, 0, data=page_of(0))
            client.ask(WRITE, PAGE, data=page_of(1), flags=FUA)
            lost += disk.cut()
        assert 1 in pages_on(image)
        image.write_bytes(bytes(PAGES * PAGE))
    assert 0 < lost < 8


def test_a_write_beside_the_pages_keeps_what_stands_around_it(image: Path) -> None:
    with machine(image) as (_, client):
        client.ask(WRITE, 0, data=page_of(0) + page_of(1))
        client.ask(WRITE, PAGE - 512, data=b"x" * 1024)
        expected = page_of(0)[512:] + b"x" * 1024 + page_of(1)[512:]
        assert client.ask(READ, 0, 2 * PAGE) == expected
    assert image.read_bytes()[: 2 * PAGE] == expected, "a machine that is shut down leaves all on its disk"


def test_nothing_is_written_or_answered_after_the_cut(image: Path) -> None:
    with machine(image) as (disk, client):
        disk.cut()
        with pytest.raises((EOFError, OSError)):
            client.ask(WRITE, 0, data=page_of(0), flags=FUA)
    assert pages_on(image) == []


def test_a_full_cache_goes_to_the_disk_by_itself(tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.write_bytes(bytes(2 * CACHED_PAGES * PAGE))
    with machine(image) as (_, client):
        for at in range(0, 2 * CACHED_PAGES, 256):
            client.ask(WRITE, at * PAGE, data=b"x" * 256 * PAGE)
        assert b"x" in image.read_bytes()
        assert client.ask(READ, 0, 256 * PAGE) == b"x" * 256 * PAGE


@pytest.mark.parametrize(("kind", "offset"), [(READ, PAGES * PAGE), (9, 0)])
def test_what_the_disk_does_not_have_is_refused(image: Path, kind: int, offset: int) -> None:
    with machine(image) as (_, client), pytest.raises(OSError, match="refused"):
        client.ask(kind, offset, PAGE)
