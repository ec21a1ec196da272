"""On whose behalf files are written: root, at work on somebody's set-up, has no more rights than they.

On a table that starts by itself the set-up's folder belongs to the service's user, and people run ``init``,
``calibrate`` and ``enrol`` there as root. Whoever owns the folder may put links into it, and names in the set-up where
the pack is written. With the owner's rights only that is written which the owner could have written anyway.
"""

from __future__ import annotations

import os
import pwd
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class _Owner:
    """A user, as the system knows one."""

    uid: int
    gid: int
    groups: tuple[int, ...]


class _Behalf:
    owner: _Owner | None = None
    """None: the process's own user."""
    lock = threading.RLock()
    """The rights are the whole process's."""


@contextmanager
def on_behalf_of(folder: Path) -> Iterator[None]:
    """Write on behalf of the folder's owner meanwhile, where this is root and that somebody else."""
    before = _Behalf.owner
    owner = _owner_of(folder) if os.geteuid() == 0 else None
    _Behalf.owner = owner if owner is not None and _gets_there(owner, folder) else None
    try:
        yield
    finally:
        _Behalf.owner = before


def writer() -> int:
    """The user who writes: the number of this process's, or of whoever it writes for."""
    return _Behalf.owner.uid if _Behalf.owner is not None else os.geteuid()


@contextmanager
def their_rights() -> Iterator[None]:
    """Do what is done within with the rights of whoever it is done for; as briefly as can be."""
    owner = _Behalf.owner
    if owner is None:
        yield
        return
    with _rights_of(owner):
        yield


@contextmanager
def _rights_of(owner: _Owner) -> Iterator[None]:
    with _Behalf.lock:
        if os.geteuid() != 0:  # within another
            yield
            return
        gid, groups = os.getegid(), os.getgroups()
        try:
            os.setgroups(owner.groups)
            os.setegid(owner.gid)
            os.seteuid(owner.uid)
            yield
        finally:
            os.seteuid(0)
            os.setegid(gid)
            os.setgroups(groups)


def _owner_of(folder: Path) -> _Owner | None:
    """The folder's owner; None where that is root, or nobody because there is no such folder."""
    try:
        found = folder.stat()
    except OSError:
        return None
    if found.st_uid == 0:
        return None
    try:
        user = pwd.getpwuid(found.st_uid)
    except KeyError:  # a number without a name
        return _Owner(found.st_uid, found.st_gid, (found.st_gid,))
    return _Owner(user.pw_uid, user.pw_gid, tuple(os.getgrouplist(user.pw_name, user.pw_gid)))


def _gets_there(owner: _Owner, folder: Path) -> bool:
    """Whether the owner can write in the folder; else (its parents are closed) only root can put anything there."""
    with _rights_of(owner):
        return os.access(folder, os.W_OK | os.X_OK, effective_ids=True)
