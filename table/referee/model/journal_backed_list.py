"""Sequences whose first items are read back from the journal only when they are needed.

A long evening's journal takes a while to be read line by line after a restart, and its first hands are hardly ever
needed: to undo something of them, or to show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class LazyPrefix(Generic[Item]):
    """A fixed number of items that are read on first access."""

    def __init__(self, count: int, read: Callable[[], Sequence[Item]]) -> None:
        """``read`` is asked once at most, for ``count`` items (one or more), the earliest first."""
        self.count = count
        self._read: Callable[[], Sequence[Item]] | None = read
        self._items: Sequence[Item] = ()

    @property
    def items(self) -> Sequence[Item]:
        """All items; reads them on first access."""
        if self._read is not None:
            self._items, self._read = self._read(), None
            if len(self._items) != self.count:
                raise AssertionError(f"{self.count} expected, {len(self._items)} read")
        return self._items

    @property
    def last(self) -> Item:
        """The last item; reads all on first access."""
        return self.items[-1]


class LazyList(Sequence[Item]):
    """A list of which the first items may be a lazy prefix."""

    def __init__(self, past: LazyPrefix[Item] | None = None) -> None:
        self._past = past
        self._present: list[Item] = []

    @property
    def first_loaded(self) -> int:
        """The index of the first item that is in memory."""
        return self._past.count if self._past is not None else 0

    def append(self, item: Item) -> None:
        """Append an item."""
        self._present.append(item)

    def replace_at(self, place: int, item: Item) -> None:
        """Replace the item at index ``place``, which must be in memory."""
        self._present[place - self.first_loaded] = item

    def pop_from(self, place: int) -> list[Item]:
        """Remove and return all items from index ``place`` on."""
        if self._past is not None and place < self._past.count:
            self._present, self._past = [*self._past.items, *self._present], None
        at = place - self.first_loaded
        gone = self._present[at:]
        del self._present[at:]
        return gone

    def __len__(self) -> int:
        return self.first_loaded + len(self._present)

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | Sequence[Item]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        at = place + len(self) if place < 0 else place
        if self._past is None or at >= self._past.count:
            return self._present[at - self.first_loaded] if at >= 0 else self._present[-len(self) - 1]
        return self._past.items[at]

    def __iter__(self) -> Iterator[Item]:
        if self._past is not None:
            yield from self._past.items
        yield from self._present

    def __reversed__(self) -> Iterator[Item]:
        yield from reversed(self._present)
        if self._past is not None:
            yield from reversed(self._past.items)
