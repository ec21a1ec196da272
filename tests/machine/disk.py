"""A disk with a volatile write cache: an NBD server that loses what was not flushed when its power is cut.

QEMU keeps a guest's writes in the host's memory, which survives the guest; a disk that loses its power forgets
its cache. This server is that disk. A write goes to the cache; a flush, or a write with "forced unit access",
goes to the image file. :meth:`Disk.cut` takes the power away: of the pages in the cache some are on the disk
by then and others are not, in no order. Pages are written whole, as flash does.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Final, Self

PAGE: Final = 4096
CACHED_PAGES: Final = 16384
"""The pages that the cache holds (64 MiB, as a solid-state disk's); a full one writes half of them to the disk."""
KEPT_SHARE: Final = 0.5
"""The share of the cached pages that are on the disk when the power is cut."""

_MAGIC, _OPTION_MAGIC, _OPTION_REPLY = 0x4E42444D41474943, 0x49484156454F5054, 0x3E889045565A9
_REQUEST_MAGIC, _REPLY_MAGIC = 0x25609513, 0x67446698
_FIXED_NEWSTYLE, _NO_ZEROES = 1, 2
_EXPORT_NAME, _ABORT, _INFO, _GO = 1, 2, 6, 7
_ACK, _INFORMATION, _UNSUPPORTED = 1, 3, 0x80000001
_HAS_FLAGS_FLUSH_FUA = 1 | 4 | 8
_READ, _WRITE, _DISCONNECT, _FLUSH = 0, 1, 2, 3
_FUA = 1
_INVALID = 22


@dataclass
class Counts:
    """What the guest asked of the disk."""

    writes: int = 0
    written_bytes: int = 0
    flushes: int = 0

    @property
    def changes(self) -> int:
        """Writes and flushes."""
        return self.writes + self.flushes


class Disk:
    """Serves an image file on a Unix socket until its power is cut; a context manager.

    ``image``'s size is a multiple of :data:`PAGE`. Leaving the context without a cut flushes the cache, as a
    disk does whose machine was shut down.
    """

    def __init__(self, image: Path, address: Path, random: Random) -> None:
        self.address = address
        self.counts = Counts()
        self.lost_pages = 0
        self._cut_at: int | None = None
        self._file = image.open("r+b", buffering=0)
        self._size = image.stat().st_size
        self._random = random
        self._cache: dict[int, bytes] = {}
        self._has_power = True
        self._lock = threading.Lock()
        """Guards cache, file and power."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(address))
        self._listener.listen()
        self._client: socket.socket | None = None
        self._server = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        with self._lock:
            if self._has_power:
                self._write_back()
                self._has_power = False
        self._disconnect()
        self._file.close()
        self.address.unlink(missing_ok=True)

    def cut(self) -> int:
        """Take the power away; return how many pages were lost. Nothing is written to the image after this."""
        with self._lock:
            if not self._has_power:
                return 0
            self._has_power = False
            cached_pages = len(self._cache)
            self._cache = {
                page: data for page, data in self._cache.items() if self._random.random() < KEPT_SHARE
            }
            self.lost_pages = cached_pages - len(self._cache)
            self._write_back()
        self._disconnect()
        return self.lost_pages

    def cut_after(self, changes: int) -> None:
        """Have the power go by itself at the write or flush after so many more."""
        with self._lock:
            self._cut_at = self.counts.changes + changes

    @property
    def has_power(self) -> bool:
        """Whether the disk still does what it is asked for."""
        return self._has_power

    def _write_back(self) -> None:
        for page, data in self._cache.items():
            self._write_page(page, data)
        self._cache.clear()

    def _write_page(self, page: int, data: bytes) -> None:
        self._file.seek(page * PAGE)
        self._file.write(data)

    def _read_page(self, page: int) -> bytes:
        cached = self._cache.get(page)
        if cached is not None:
            return cached
        self._file.seek(page * PAGE)
        return self._file.read(PAGE)

    def _read(self, offset: int, length: int) -> bytes:
        first, last = offset // PAGE, (offset + length - 1) // PAGE
        data = b"".join(self._read_page(page) for page in range(first, last + 1))
        start = offset - first * PAGE
        return data[start : start + length]

    def _write(self, offset: int, data: bytes, *, forced: bool) -> None:
        self.counts.writes += 1
        self.counts.written_bytes += len(data)
        end = offset + len(data)
        for page in range(offset // PAGE, (end - 1) // PAGE + 1):
            start, stop = max(offset, page * PAGE), min(end, (page + 1) * PAGE)
            new = data[start - offset : stop - offset]
            if len(new) < PAGE:
                old = self._read_page(page)
                new = old[: start - page * PAGE] + new + old[stop - page * PAGE :]
            self._cache[page] = new
            if forced:
                self._write_page(page, self._cache.pop(page))
        if len(self._cache) > CACHED_PAGES:
            for page in self._random.sample(list(self._cache), CACHED_PAGES // 2):
                self._write_page(page, self._cache.pop(page))

    # --- the protocol: https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md ---

    def _serve(self) -> None:
        """Serve one client after the other (QEMU opens and closes a disk to look at it first)."""
        with suppress(OSError):
            while self._has_power:
                client, _ = self._listener.accept()
                self._client = client
                with suppress(OSError, EOFError), client:
                    if self._negotiate(client):
                        for magic, flags, kind, cookie, offset, length in _requests(client):
                            if magic != _REQUEST_MAGIC or kind == _DISCONNECT:
                                break
                            self._answer(client, flags, kind, cookie, offset, length)

    def _disconnect(self) -> None:
        for end in (self._listener, self._client):
            if end is not None:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
        if self._server is not threading.current_thread() and self._server.is_alive():
            self._server.join()

    def _negotiate(self, client: socket.socket) -> bool:
        """Agree on the export; return whether requests follow."""
        client.sendall(struct.pack(">QQH", _MAGIC, _OPTION_MAGIC, _FIXED_NEWSTYLE | _NO_ZEROES))
        [client_flags] = struct.unpack(">I", _receive(client, 4))
        export = struct.pack(">QH", self._size, _HAS_FLAGS_FLUSH_FUA)
        while True:
            _, option, length = struct.unpack(">QII", _receive(client, 16))
            _receive(client, length)
            if option == _EXPORT_NAME:
                client.sendall(export + (b"" if client_flags & _NO_ZEROES else bytes(124)))
                return True
            if option in (_INFO, _GO):
                _reply_to_option(client, option, _INFORMATION, struct.pack(">H", 0) + export)
                _reply_to_option(client, option, _ACK)
                if option == _GO:
                    return True
            elif option == _ABORT:
                _reply_to_option(client, option, _ACK)
                return False
            else:
                _reply_to_option(client, option, _UNSUPPORTED)

    def _answer(
        self, client: socket.socket, flags: int, kind: int, cookie: int, offset: int, length: int
    ) -> None:
        data, error = _receive(client, length) if kind == _WRITE else b"", 0
        if kind in (_WRITE, _FLUSH) and self.counts.changes == self._cut_at:
            self.cut()
        with self._lock:
            if not self._has_power:
                raise EOFError
            if kind == _FLUSH:
                self.counts.flushes += 1
                self._write_back()
            elif kind not in (_READ, _WRITE) or length == 0 or offset + length > self._size:
                error = _INVALID
            elif kind == _READ:
                data = self._read(offset, length)
            else:
                self._write(offset, data, forced=bool(flags & _FUA))
        answer = struct.pack(">IIQ", _REPLY_MAGIC, error, cookie)
        client.sendall(answer + data if kind == _READ and not error else answer)


def _reply_to_option(client: socket.socket, option: int, reply: int, data: bytes = b"") -> None:
    client.sendall(struct.pack(">QIII", _OPTION_REPLY, option, reply, len(data)) + data)


def _requests(client: socket.socket) -> Iterator[tuple[int, int, int, int, int, int]]:
    while True:
        yield struct.unpack(">IHHQQI", _receive(client, 28))


def _receive(client: socket.socket, length: int) -> bytes:
    """Receive exactly so many bytes; ``EOFError`` if the other side is gone."""
    data = bytearray()
    while len(data) < length:
        part = client.recv(min(length - len(data), 1 << 20))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
