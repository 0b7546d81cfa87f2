"""AnnData as an h5ad file of what the program looks at: a matrix, obs, embeddings, colours of labels."""

import numpy

from ._data import missing
from ._errors import Error, UsageError


def size(adata):
    """About how many bytes the file has."""
    x = adata.X
    for name in ("data", "indices"):  # of a sparse matrix
        part = getattr(x, name, None)
        if hasattr(part, "nbytes") and hasattr(x, "indptr"):
            return part.nbytes * 2
    return int(numpy.prod(adata.shape)) * 8


def write(path, adata, use_rep=None, layer=None, whole=False):
    """Writes the matrix that is asked for. whole: X too, whose columns can be looked at beside it."""
    import h5py
    import pandas

    if use_rep not in (None, "X") and use_rep not in adata.obsm:
        raise UsageError("obsm has no %s: there are %s" % (use_rep, ", ".join(map(str, adata.obsm)) or "none"))
    if layer is not None and layer not in adata.layers:
        raise UsageError("layers has no %s: there are %s" % (layer, ", ".join(map(str, adata.layers)) or "none"))
    element = _writer()
    obsm = {k: _plain(v) for k, v in adata.obsm.items() if _is_map(v, whole) or k == use_rep}
    with h5py.File(path, "w") as f:
        f.attrs["encoding-type"], f.attrs["encoding-version"] = "anndata", "0.1.0"
        if adata.X is not None and (whole or layer is None and use_rep in (None, "X")):
            element(f, "X", _plain(adata.X))
        if layer is not None:
            element(f, "layers", {layer: _plain(adata.layers[layer])})
        element(f, "obs", _frame(adata.obs))
        element(f, "var", _frame(adata.var) if whole else pandas.DataFrame(index=adata.var_names.astype(str)))
        element(f, "obsm", obsm)
        element(f, "uns", {k: numpy.array([str(c) for c in v], dtype=object) for k, v in adata.uns.items()
                           if str(k).endswith("_colors") and str(k)[:-len("_colors")] in adata.obs
                           and not isinstance(v, str) and hasattr(v, "__len__")})


def _writer():
    """What writes an element of AnnData, in whichever place this version of it has that."""
    for module in ("anndata.io", "anndata._io.specs", "anndata.experimental"):
        try:
            found = __import__(module, fromlist=["write_elem"])
        except ImportError:
            continue
        if hasattr(found, "write_elem"):
            return found.write_elem
    raise Error("this version of anndata cannot write single elements: use 0.8 or a later one")


def _is_map(value, whole):
    return whole and getattr(value, "ndim", 0) == 2 and value.shape[1] in (2, 3)


def _plain(x):
    """An array or sparse matrix in memory."""
    if hasattr(x, "to_memory"):
        x = x.to_memory()
    elif type(x).__module__.startswith("h5py"):
        x = x[()]
    if hasattr(x, "iloc"):
        x = x.to_numpy()
    if type(x).__name__ == "ArrayView":  # of an AnnData that is a part of another
        x = numpy.asarray(x)
    if getattr(x, "dtype", None) == numpy.float16:
        x = x.astype(numpy.float32)
    return x


def _frame(frame):
    """Columns as the format has them: numbers, truth values, and categories of texts for everything else."""
    import pandas

    out = {}
    for at, name in enumerate(frame.columns):
        column = frame.iloc[:, at]
        kind = column.dtype
        if str(name) in out or str(name) == "_index":
            continue
        if isinstance(kind, pandas.CategoricalDtype):
            out[str(name)] = column.cat.rename_categories([str(c) for c in column.cat.categories])
        elif isinstance(kind, numpy.dtype) and kind.kind in "fiub":
            out[str(name)] = column
        elif pandas.api.types.is_numeric_dtype(kind) and not pandas.api.types.is_bool_dtype(kind):
            out[str(name)] = column.astype("float64")
        else:
            texts = [None if missing(v) else str(v) for v in column]
            out[str(name)] = pandas.Categorical(texts)
    made = pandas.DataFrame(out, index=frame.index.astype(str))
    made.index.name = None
    return made
