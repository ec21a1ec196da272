"""Rights for writing files: in a folder of somebody else root writes with the owner's rights only.

On a table that starts by itself the set-up's folder belongs to the service's user, and people run ``init``,
``calibrate`` and ``enrol`` there as root. Whoever owns a folder may put links into it; with the owner's rights root
writes only what the owner could have written anyway.
"""

from __future__ import annotations

import os
import pwd
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class _Owner(NamedTuple):
    uid: int
    gid: int
    groups: tuple[int, ...]


_MAX_LINKS = 40
"""The kernel follows no more links than this."""
_LOCK = threading.RLock()
"""Held while rights are changed: they are the whole process's."""


@contextmanager
def owner_rights(path: Path) -> Iterator[None]:
    """Run a ``with`` block with the rights of the owner of the folders on the way to ``path``, if this is root.

    That is the first owner, from the root on, who is not root, because this user can move or link what lies below. Keep
    the block short: the whole process has no more rights meanwhile.
    """
    foreign = _first_foreign_owner(path) if os.geteuid() == 0 else None
    if foreign is None or not _can_reach(*foreign):
        yield
        return
    with _user_rights(foreign[0]):
        yield


@contextmanager
def _user_rights(owner: _Owner) -> Iterator[None]:
    with _LOCK:
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


def _first_foreign_owner(path: Path) -> tuple[_Owner, Path] | None:
    """Return the owner and path of the first folder or link on the way to ``path`` that is not root's, else None."""
    folder, links = Path("/"), 0
    remaining = [*reversed(path.absolute().parent.parts)]
    try:
        while remaining and links <= _MAX_LINKS:
            name = remaining.pop()
            if name in ("/", ".."):
                folder = folder.parent if name == ".." else Path("/")
                continue
            current = folder / name
            status = current.lstat()
            if status.st_uid != 0:
                return _look_up_user(status.st_uid, status.st_gid), current
            if stat.S_ISLNK(status.st_mode):  # root's own link: its target may be somebody else's
                links += 1
                remaining += reversed(current.readlink().parts)
            else:
                folder = current
    except OSError:
        pass
    return None


def _look_up_user(uid: int, gid: int) -> _Owner:
    """Return a user with all groups; only the given one for a number without a name."""
    try:
        user = pwd.getpwuid(uid)
    except KeyError:
        return _Owner(uid, gid, (gid,))
    return _Owner(uid, user.pw_gid, tuple(os.getgrouplist(user.pw_name, user.pw_gid)))


def _can_reach(owner: _Owner, folder: Path) -> bool:
    """Return whether the owner can reach their folder; if one above is closed, only root can change it."""
    with _user_rights(owner):
        return os.access(folder.parent, os.X_OK, effective_ids=True)
