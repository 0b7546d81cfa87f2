"""A folder that nobody else can read, for what is handed to the program and what comes back."""

import os
import shutil
import tempfile
import time
import weakref

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

_PREFIX = "blossom-py-"
_LOCK = ".lock"
_MEMORY = "/dev/shm"  # a folder in memory, on Linux
_SPARE = 256 << 20  # bytes that are left free in memory, for results
_YOUNG = 60  # seconds that a folder without a lock is left alone, as it is just being made


class Folder:
    """A private folder, in memory where there is room for so many bytes, else where temporary files are.

    It is removed by remove(), and at the end of the interpreter. Those of interpreters that were killed are removed by
    the next one: each holds a lock, and so do the windows that it has opened.
    """

    def __init__(self, size=0):
        parent = _parent(size)
        _sweep(parent)
        self.path = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)  # for its user alone: 0700
        self.lock = _locked(os.path.join(self.path, _LOCK))
        self.remove = weakref.finalize(self, _remove, self.path, self.lock, os.getpid())

    def file(self, name):
        """The path of a file in it."""
        return os.path.join(self.path, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def _parent(size):
    try:
        room = os.statvfs(_MEMORY)
    except (AttributeError, OSError):
        return tempfile.gettempdir()
    free = room.f_bavail * room.f_frsize
    if free > 2 * size + _SPARE and os.access(_MEMORY, os.W_OK | os.X_OK):
        return _MEMORY
    return tempfile.gettempdir()


def _locked(path):
    """A descriptor that holds the lock of a folder, which programs that are started inherit; None where there are none."""
    if fcntl is None:
        return None
    fd = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


def _remove(path, lock, owner):
    if os.getpid() != owner:
        return  # a copy of the interpreter that ends
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        os.close(lock)


def _sweep(parent):
    """Removes folders of interpreters that are gone."""
    if fcntl is None:
        return
    try:
        names = [n for n in os.listdir(parent) if n.startswith(_PREFIX)]
    except OSError:
        return
    for name in names:
        path = os.path.join(parent, name)
        try:
            about = os.lstat(path)
            if about.st_uid != os.getuid() or time.time() - about.st_mtime < _YOUNG:
                continue
            fd = os.open(os.path.join(path, _LOCK), os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass  # somebody works in it
        finally:
            os.close(fd)
