"""What is in memory, as a file that the program reads: numbers as they stand in memory, and never as text."""

import os

import numpy

from ._errors import Error, UsageError
from ._folder import Folder


class Data:
    """Data of the caller: files that the program reads, and what results are given back as.

    paths are the files, flags what is said of them, folder where they and results lie, until close().
    """

    def __init__(self, source, use_rep=None, layer=None, labels=None, names=None, whole=False):
        self.source, self.index = source, None
        self.anndata, self.flags = False, []
        if isinstance(source, (str, os.PathLike)):
            source = [source]
        if isinstance(source, (list, tuple)) and source and all(isinstance(p, (str, os.PathLike)) for p in source):
            _only(labels=labels, names=names)
            self.folder, self.paths = Folder(), [_named(os.fspath(p)) for p in source]
            self.flags = _matrix(use_rep, layer)
        elif _is_anndata(source):
            _only(labels=labels, names=names)
            self._anndata(source, use_rep, layer, whole)
        else:
            _only(use_rep=use_rep, layer=layer)
            self._table(source, list((labels or {}).items()), names)

    def close(self):
        """Removes what was handed to the program."""
        self.folder.remove()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _written(self, name, size, write):
        self.folder = Folder(size)
        path = self.folder.file(name)
        try:
            write(path)
        except OSError as error:
            self.folder.remove()
            raise Error("the data cannot be handed to the program: %s" % error) from error
        except BaseException:
            self.folder.remove()
            raise
        self.paths = [path]

    def _anndata(self, adata, use_rep, layer, whole):
        from . import _h5ad

        self.anndata, self.index = True, adata.obs_names
        self.flags = _matrix(use_rep, layer)
        self._written("data.h5ad", _h5ad.size(adata),
                      lambda path: _h5ad.write(path, adata, use_rep, layer, whole))

    def _table(self, source, labels, names):
        if _is_frame(source):
            source, names, labels = self._frame(source, labels, names)
        if hasattr(source, "tocsr"):  # one of SciPy's
            source = source.toarray() if min(source.shape) == 0 else _sparse(source)
        x = source if isinstance(source, _Sparse) else numbers(source)
        rows, columns = x.shape
        arrays = {"data": x}
        if names is not None:
            arrays["columns"] = _texts(names, columns, "names", "columns")
        for name, values in labels:
            arrays[_free(str(name), arrays)] = _texts(values, rows, "labels of %s" % name, "points")
        if isinstance(x, _Sparse):
            if len(arrays) > 1:
                raise UsageError("names and labels do not go with a sparse matrix: give AnnData, or x.toarray()")
            self._written("data.npz", x.bytes(), x.save)
        elif len(arrays) == 1:
            self._written("data.npy", x.nbytes, lambda path: numpy.save(path, x))
        else:
            self._written("data.npz", x.nbytes, lambda path: numpy.savez(path, **arrays))

    def _frame(self, frame, labels, names):
        """Columns of numbers are data, others are labels, beside those that were given: names and values, which may
        be called alike."""
        import pandas

        self.index = frame.index
        numeric = [pandas.api.types.is_numeric_dtype(t) and not pandas.api.types.is_bool_dtype(t)
                   for t in frame.dtypes]
        if not any(numeric):
            raise UsageError("the table has no columns of numbers")
        given = []
        if pandas.api.types.is_object_dtype(frame.index.dtype) or isinstance(frame.index, pandas.CategoricalIndex):
            given.append(("name", frame.index.to_numpy()))
        for at in (i for i, n in enumerate(numeric) if not n):
            given.append((frame.columns[at], frame.iloc[:, at].astype(object).to_numpy()))
        x = frame.loc[:, numeric]
        if any(pandas.api.types.is_extension_array_dtype(t) for t in x.dtypes):
            x = x.astype("float64")  # they have missing values of their own
        return x.to_numpy(), [str(c) for c in x.columns] if names is None else names, given + labels

    def rows(self, values, columns):
        """A result with a row of values for each point: as a DataFrame where a DataFrame came in."""
        if self.index is None or self.anndata:
            return values
        import pandas

        return pandas.DataFrame(values, index=self.index, columns=columns)

    def series(self, values, name):
        """A result with a value for each point: as a Series where a DataFrame came in."""
        if self.index is None or self.anndata:
            return values
        import pandas

        return pandas.Series(values, index=self.index, name=name)


def _only(**given):
    for name, value in given.items():
        if value is not None:
            raise UsageError("%s does not go with data of this kind" % name)


def _named(path):
    """A file as the command line takes it: not as a flag."""
    return os.path.join(os.curdir, path) if path.startswith("-") else path


def _matrix(use_rep, layer):
    if use_rep is not None and layer is not None:
        raise UsageError("give use_rep or layer, not both")
    if use_rep in (None, "X") and layer is None:
        return []
    return ["--matrix=" + ("layer:" + layer if layer is not None else "obsm:" + use_rep)]


def _is_anndata(x):
    return all(hasattr(x, name) for name in ("obs", "var", "obsm", "uns", "obs_names"))


def _is_frame(x):
    return hasattr(x, "iloc") and hasattr(x, "dtypes") and hasattr(x, "columns")


def numbers(x):
    """An array of numbers of two dimensions, as the program reads it: float32 or float64 in the order of this machine."""
    x = _unmasked(x) if isinstance(x, numpy.ma.MaskedArray) else numpy.asarray(x)
    if x.ndim != 2:
        raise UsageError("the data is an array of %d dimensions: give points x columns" % x.ndim)
    if x.shape[0] == 0 or x.shape[1] == 0:
        raise UsageError("the data has %d points of %d columns" % x.shape)
    if x.dtype.kind not in "fiub":
        raise UsageError("the data is of type %s: give numbers" % x.dtype)
    if x.dtype.kind == "f" and x.dtype.itemsize in (4, 8):
        return x.astype(x.dtype.newbyteorder("="), copy=False)
    small = x.dtype.kind == "b" or x.dtype.itemsize <= 2  # float32 holds them exactly
    return x.astype("float32" if small else "float64")


def _unmasked(x):
    """A masked array with NaN in the place of what is masked, which integers and truth values have none of."""
    if x.dtype.kind in "iub" and numpy.ma.is_masked(x):
        x = x.astype("float64")
    return x.filled(numpy.nan) if x.dtype.kind == "f" else numpy.asarray(x)


def _texts(values, n, what, of):
    """Labels as an array of texts, "" for none."""
    if isinstance(values, numpy.ma.MaskedArray):
        mask, values = numpy.ma.getmaskarray(values), values.data.astype(object)
        values[mask] = None
    values = numpy.asarray(values, dtype=object).ravel()
    if len(values) != n:
        raise UsageError("%s: there are %d, and %d %s" % (what, len(values), n, of))
    return numpy.array(["" if missing(v) else str(v) for v in values], dtype=str)


def missing(v):
    """Says whether a label is none."""
    return v is None or v != v or type(v).__name__ in ("NAType", "NaTType")


def _free(name, taken):
    """A name of an array that is not taken, nor one that savez or the program understands otherwise."""
    name = name.replace("/", "_").replace("\\", "_") or "label"
    while name in taken or name in ("file", "allow_pickle", "columns"):
        name += "_"
    return name


class _Sparse:
    """A sparse matrix as scipy.sparse.save_npz writes it, without packing it."""

    def __init__(self, matrix):
        self.matrix, self.shape = matrix, matrix.shape

    def bytes(self):
        """How much memory it takes."""
        m = self.matrix
        return m.data.nbytes + m.indices.nbytes + m.indptr.nbytes

    def save(self, path):
        """Writes it."""
        m = self.matrix
        numpy.savez(path, format=b"csr", shape=m.shape, data=m.data, indices=m.indices, indptr=m.indptr)


def _sparse(x):
    m = x.tocsr()
    if m.dtype.kind not in "fiub":
        raise UsageError("the data is of type %s: give numbers" % m.dtype)
    if m.dtype.kind != "f" or m.dtype.itemsize not in (4, 8):
        m = m.astype("float64")
    return _Sparse(m)
