"""The window on what is in memory, and what comes back from it."""

import csv
import json
import os
import shutil
import subprocess
import time
import weakref

import numpy

from ._compute import Landmarks, flags
from ._data import Data
from ._errors import Error, UsageError
from ._folder import Folder
from ._program import failed, interrupt, run, start, stop

_INTERRUPTED = 130  # the exit code of a window that close() has closed
_PATIENCE = 30.0  # seconds that a window has to save before it is ended
_opened = set()  # Views of windows that are open, which stay so where nobody else has the View


def view(data, *, block=True, session=None, use_rep=None, layer=None, labels=None, names=None, key_added="blossom",
         verbose=False, **options):
    """Opens the window on data, and returns what was done there: a View.

    block: returns when the window is closed; else at once, and what is done is in the View soon after it is.
    labels: texts for each point by name, {"kind": [...]}, to colour by, where data is an array or a DataFrame.
    session: a new file in which the session is kept, of data in files.

    Of AnnData results are put beside the data when the window is closed: populations in obs[key_added], with their
    colours in uns, selected points in obs[key_added + "_selected"], coordinates in obsm["X_" + key_added]. Options are
    the flags of `blossom` without a command.
    """
    v = View(data, session, use_rep, layer, labels, names, key_added, verbose, options)
    if block:
        v.wait()
    return v


class View:
    """A window, and what is done in it.

    While it is open every attribute is what the window had about a second ago; afterwards, what it had at the end. The
    window stays open until the user or close() closes it, or the script ends, whether or not the View is kept.
    """

    def __init__(self, data, session, use_rep, layer, labels, names, key_added, verbose, options):
        if session is not None and not _in_files(data):
            raise UsageError("session goes with data in files: what is in memory is gone when it is opened again")
        self._adata, self._key, self._verbose = data, key_added, verbose
        self._known, self._got, self._wrong = None, None, None
        started = []
        self._data = Data(data, use_rep, layer, labels, names, whole=True)
        try:
            folder = self._data.folder
            self._session = folder.file("session.blossom") if session is None else os.path.abspath(session)
            self._said = folder.file("said.txt")
            args = [*self._data.paths, "--to", self._session, *self._data.flags, *flags(options, folder)]
            with open(self._said, "wb") as said:
                self._process = start(args, started, stdout=subprocess.DEVNULL, stderr=said, folder=folder)
            self._end = weakref.finalize(self, _ended, self._process, folder, os.getpid())
            _opened.difference_update([v for v in _opened if not v.open])
            _opened.add(self)
        except BaseException:
            stop(started)
            self._data.close()
            raise

    def __repr__(self):
        return "<blossom.View, %s>" % ("open" if self.open else "closed")

    @property
    def open(self):
        """Whether the window is open."""
        return self._process.poll() is None

    @property
    def labels(self):
        """What each point is called by the populations that were named: an array of texts, or None for none; of a
        DataFrame or AnnData categories in the order of the populations."""
        return self._results()["labels"]

    @property
    def populations(self):
        """Which points each population has, those of populations in it among them: truth values by its name."""
        return self._results()["populations"]

    @property
    def colours(self):
        """The colour of each population, "#rrggbb", by its name."""
        return self._results()["colours"]

    @property
    def selected(self):
        """Whether each point is selected."""
        return self._results()["selected"]

    @property
    def coordinates(self):
        """Where the landmarks have each point on the map, as embed() returns it."""
        return self._results()["coordinates"]

    @property
    def landmarks(self):
        """The Landmarks, where they were moved to."""
        return self._results()["landmarks"]

    def wait(self, timeout=None):
        """Waits until the window is closed, and returns this View. An interrupt closes the window first."""
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return self
        except KeyboardInterrupt:
            self.close()
            raise
        self._finish()
        return self

    def close(self):
        """Closes the window, as the user would, and returns this View."""
        if self.open:
            interrupt(self._process, _PATIENCE)
        self._finish()
        return self

    def update(self):
        """Puts what is done by now beside the data of AnnData, as the end of the window does."""
        got, adata, key = self._results(), self._adata, self._key
        if not self._data.anndata or key is None:
            return self
        if got["populations"]:
            adata.obs[key] = got["labels"]
            colours = got["colours"]
            adata.uns[key + "_colors"] = [colours[c] for c in got["labels"].cat.categories]
        else:
            _drop(adata.obs, key)
            adata.uns.pop(key + "_colors", None)
        if got["selected"].any():
            adata.obs[key + "_selected"] = numpy.asarray(got["selected"])
        else:
            _drop(adata.obs, key + "_selected")
        adata.obsm["X_" + key] = numpy.asarray(got["coordinates"])
        return self

    def _finish(self):
        """Takes everything that the window has left, once, and removes the rest. What is wrong then stays so."""
        if self._wrong is not None:
            raise self._wrong
        if self._got is not None:
            return
        try:
            self._failed()
            if not os.path.exists(self._session):
                raise Error("the window was closed before the data was open")
            self._got = self._read()
        except Exception as error:
            self._wrong = error
            self._let_go()
            raise
        self._let_go()
        self.update()

    def _let_go(self):
        self._end()
        _opened.discard(self)

    def _failed(self):
        with open(self._said, "rb") as said:
            text = said.read().decode(errors="replace")
        code = self._process.returncode
        failed(0 if code == _INTERRUPTED else code, text, self._data.folder, "view")

    def _results(self):
        """What the session has; it is read again only where the window has written it since."""
        if self._got is not None:
            return self._got
        while self.open and not os.path.exists(self._session):
            time.sleep(0.05)  # it reads the data
        if not self.open:
            self._finish()
            return self._got
        about = os.stat(self._session)
        known = (about.st_mtime_ns, about.st_size, about.st_ino)
        if self._known is None or self._known[0] != known:
            self._known = known, self._read()
        return self._known[1]

    def _read(self):
        with Folder() as folder:
            session = _copied(self._session, folder)
            named = numpy.load(self._command("label", session, folder, "--key", folder.file("key.csv"), "--all", "--selected",
                                             "--partial", "-o", folder.file("labels.npy")))
            with open(folder.file("key.csv"), newline="", encoding="utf-8") as f:
                key = list(csv.DictReader(f))
            xy = numpy.load(self._command("embed", session, folder, "-o", folder.file("xy.npy")))
            job = self._run("embed", session, folder, "--print-job", "-o", folder.file("job.npy"))
        out = {"landmarks": Landmarks(json.dumps(json.loads(job)["state"]["landmarks"]["value"]).encode())}
        out["coordinates"] = self._data.rows(xy, ["embedsom%d" % (i + 1) for i in range(xy.shape[1])])
        names = _unique([row["name"] for row in key])
        numbers = numpy.nan_to_num(named[:, 0]).astype(int)
        codes = numpy.full(int(max([float(row["number"]) for row in key], default=0)) + 1, -1)
        for at, row in enumerate(key):
            codes[int(float(row["number"]))] = at
        out["labels"] = self._labels(codes[numbers], names)
        out["populations"] = {n: self._data.series(named[:, 1 + i] != 0, n) for i, n in enumerate(names)}
        out["colours"] = {n: row.get("colour", "") for n, row in zip(names, key)}
        out["selected"] = self._data.series(named[:, -1] != 0, "selected")
        return out

    def _labels(self, codes, names):
        if self._data.index is None:
            return numpy.array([*names, None], dtype=object)[codes]
        import pandas

        return pandas.Series(pandas.Categorical.from_codes(codes, names), index=self._data.index, name=self._key)

    def _command(self, command, session, folder, *args):
        """Computes something of a session, and returns the last of args, a file."""
        self._run(command, session, folder, *args)
        return args[-1]

    def _run(self, command, session, folder, *args):
        return run([command, "--session", session, *args], folder, self._verbose)


def _ended(process, folder, owner):
    if os.getpid() != owner:
        return  # a copy of the interpreter that ends
    if process.poll() is None:
        interrupt(process, _PATIENCE)
    folder.remove()


def _copied(session, folder):
    """A copy of a session, and of the tree of its clusters that may be beside it: the window goes on writing, and what is
    computed of it one after the other is to be of one moment."""
    path = folder.file(os.path.basename(session))
    shutil.copyfile(session, path)
    tree = os.path.splitext(session)[0] + ".tree.npy"
    if os.path.exists(tree):
        shutil.copyfile(tree, folder.file(os.path.basename(tree)))
    return path


def _in_files(data):
    return isinstance(data, (str, os.PathLike)) or \
        isinstance(data, (list, tuple)) and all(isinstance(p, (str, os.PathLike)) for p in data)


def _unique(names):
    """Names of which none is there twice, as populations in different ones may be called alike."""
    out = []
    for name in names:
        at, free = 2, name
        while free in out:
            free, at = "%s %d" % (name, at), at + 1
        out.append(free)
    return out


def _drop(frame, column):
    if column in frame:
        del frame[column]
