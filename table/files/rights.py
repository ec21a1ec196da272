"""With whose rights files are written: in somebody else's folder root has no more than its owner.

On a table that starts by itself the set-up's folder belongs to the service's user, and people run ``init``,
``calibrate`` and ``enrol`` there as root. Whoever owns a folder may put links into it; with the owner's rights only
that is written which the owner could have written anyway.
"""

from __future__ import annotations

import os
import pwd
import stat
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


_MOST_LINKS = 40
"""The kernel follows no more of them."""
_LOCK = threading.RLock()
"""Rights are the whole process's."""


@contextmanager
def rights_at(path: Path) -> Iterator[None]:
    """Do what is done within with the rights of whoever owns the folders on the way to ``path``, where this is root.

    That is the first owner, from the root on, who is not root: what lies below can be moved or linked by them. It is
    done as briefly as can be: the whole process has no more rights meanwhile.
    """
    theirs = _theirs_on_the_way(path) if os.geteuid() == 0 else None
    if theirs is None or not _can_reach(*theirs):
        yield
        return
    with _rights_of(theirs[0]):
        yield


@contextmanager
def _rights_of(owner: _Owner) -> Iterator[None]:
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


def _theirs_on_the_way(path: Path) -> tuple[_Owner, Path] | None:
    """The owner of the first folder, or link to one, on the way to ``path`` that is not root's; None: all is root's."""
    at, links = Path("/"), 0
    rest = [*reversed(path.absolute().parent.parts)]
    try:
        while rest and links <= _MOST_LINKS:
            part = rest.pop()
            if part in ("/", ".."):
                at = at.parent if part == ".." else Path("/")
                continue
            here = at / part
            found = here.lstat()
            if found.st_uid != 0:
                return _user(found.st_uid, found.st_gid), here
            if stat.S_ISLNK(found.st_mode):  # root's own: what it leads to may be somebody else's
                links += 1
                rest += reversed(here.readlink().parts)
            else:
                at = here
    except OSError:
        return None
    return None


def _user(uid: int, gid: int) -> _Owner:
    try:
        user = pwd.getpwuid(uid)
    except KeyError:  # a number without a name
        return _Owner(uid, gid, (gid,))
    return _Owner(uid, user.pw_gid, tuple(os.getgrouplist(user.pw_name, user.pw_gid)))


def _can_reach(owner: _Owner, folder: Path) -> bool:
    """Whether the owner can reach a folder of theirs; else (one above is closed) only root can change it."""
    with _rights_of(owner):
        return os.access(folder.parent, os.X_OK, effective_ids=True)
