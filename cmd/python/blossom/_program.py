"""The program: where it is, and how it is run."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import weakref

from ._errors import ArgumentError, Error, ProgramNotFound, UsageError

_WINDOWS = os.name == "nt"
_NAME = "blossom.exe" if _WINDOWS else "blossom"
_VARIABLE = "BLOSSOM_PROGRAM"
_INSIDE = os.path.join(os.path.dirname(__file__), "bin", _NAME)
_TIE = "BLOSSOM_TIED"  # the folder of the interpreter that the program ends with
_chosen = None
_tied = weakref.WeakSet()  # what was started


def _untie():
    """A copy of the interpreter does not hold what was started."""
    for process in _tied:
        process.stdin.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_untie)


def set_program(path):
    """Says which program is run, in place of the one in this package or in PATH; None: as before."""
    global _chosen
    _chosen = None if path is None else os.fspath(path)


def program():
    """The path of the program, or ProgramNotFound."""
    for path, why in ((_chosen, "set_program"), (os.environ.get(_VARIABLE), _VARIABLE)):
        if not path:
            continue
        found = shutil.which(path)
        if found is None:
            raise ProgramNotFound("%s: there is no program, which %s names" % (path, why))
        return found
    if os.access(_INSIDE, os.X_OK):
        return _INSIDE
    found = shutil.which(_NAME)
    if found is None:
        raise ProgramNotFound(
            "the program blossom is neither in PATH nor in this package: install it (the README of its sources says "
            "how; `make build` there makes bin/blossom), put it into PATH, or name it by the variable %s" % _VARIABLE)
    return found


def program_version():
    """What the program says of its version."""
    return run(["--version"], quiet=False).decode().strip()


@contextlib.contextmanager
def _uninterrupted():
    """Keeps an interrupt until what is within is done: what was started must be known to who ends it."""
    came = []
    try:
        before = signal.signal(signal.SIGINT, lambda *about: came.append(about))
    except ValueError:  # another thread than the first, which no interrupt comes to
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])


def start(args, started, folder=None, **streams):
    """Starts the program apart from the terminal: an interrupt is for us, who hand it on once. It is put into started.

    Its standard input is a pipe that ends with this interpreter, however that ends, and then so does the program, which
    removes the folder.
    """
    how = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if _WINDOWS else {"start_new_session": True}
    if folder is not None and folder.lock is not None:
        how["pass_fds"] = (folder.lock,)
    how["env"] = {**os.environ, _TIE: folder.path if folder is not None else ""}
    words = [program(), *args]
    try:
        with _uninterrupted():
            process = subprocess.Popen(words, stdin=subprocess.PIPE, **streams, **how)
            started.append(process)
            _tied.add(process)
    except OSError as error:
        raise Error("the program cannot be started: %s" % error) from error
    return started[0]


def stop(started):
    """Ends what was started."""
    for process in started:
        interrupt(process)


def interrupt(process, patience=5.0):
    """Ends the program as Ctrl-C does, or at once where it takes longer than it may."""
    if process.poll() is None:
        process.send_signal(signal.CTRL_BREAK_EVENT if _WINDOWS else signal.SIGINT)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run(args, folder=None, verbose=False, quiet=True):
    """Runs the program to its end and returns what it prints. verbose: its progress and notes go to sys.stderr."""
    said, started = _Said(verbose), []
    args = list(args) if verbose or not quiet else [*args, "--quiet"]
    try:
        process = start(args, started, stdout=subprocess.PIPE, stderr=said.end, folder=folder)
        said.listen()
        out = process.stdout.read()
        process.wait()
    except BaseException:
        stop(started)
        raise
    finally:
        for process in started:
            process.stdout.close()
            process.stdin.close()
        said.close()
    failed(process.returncode, said.text(), folder, args[0])
    return out


class _Said:
    """What the program says on standard error. For its progress bar it has to be a terminal."""

    def __init__(self, verbose):
        self.verbose, self.parts, self.thread = verbose, [], None
        self.ours, self.end = os.openpty() if verbose and not _WINDOWS else os.pipe()

    def listen(self):
        os.close(self.end)
        self.end = None
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        while True:
            try:
                part = os.read(self.ours, 1 << 16)
            except OSError:  # the end of a terminal
                return
            if not part:
                return
            self.parts.append(part)
            if self.verbose:
                sys.stderr.write(part.decode(errors="replace").replace("\r\n", "\n"))
                sys.stderr.flush()

    def close(self):
        if self.thread is not None:
            self.thread.join()
        for fd in (self.ours, self.end):
            if fd is not None:
                os.close(fd)

    def text(self):
        return b"".join(self.parts).decode(errors="replace")


# How the program speaks of flags, and where it has them explained.
_FLAG, _HELP = re.compile(r"(?<![\w./-])--([a-z][a-z0-9-]*)"), re.compile(": see blossom( [a-z]+)* --help$")


def _keyword(flag):
    """The keyword of a flag."""
    return flag[1].replace("-", "_")


def failed(code, said, folder=None, function="blossom"):
    """Raises what the program has said, where its exit code is not that of success; function is what was called."""
    if code == 0:
        return
    message = ""
    for line in said.replace("\r", "\n").split("\n"):
        at = line.find("blossom: ")
        if at >= 0:
            message = line[at + len("blossom: "):].strip()
    if folder is not None:
        for name in sorted(os.listdir(folder.path)) if os.path.isdir(folder.path) else ():
            if name.startswith("data."):
                message = message.replace(folder.file(name), "the data").replace(name, "the data")
        message = message.replace(folder.path + os.sep, "")
    if not message and code < 0:
        message = "the program was ended by signal %d: something else has ended it, the system perhaps for want of " \
            "memory; run it again, with fewer points if it was that" % -code
    if "unknown flag: --to" in message:
        message = "this program is too old for view, or was built without its window"
    if code == 2:
        unknown = re.match("unknown flag: --([a-z0-9-]+)", message)
        if unknown:
            raise ArgumentError("%s() got an unexpected keyword argument '%s'" % (function, _keyword(unknown)), code)
        message = _FLAG.sub(_keyword, _HELP.sub("", message))
    raise (UsageError if code == 2 else Error)(message or "the program failed with code %d" % code, code)
