"""The commands of the program that compute: maps, clusters, landmarks."""

import csv
import io
import json
import os

import numpy

from ._data import Data
from ._errors import Error, UsageError
from ._program import run

# Flags that say what is written: this package does.
_OURS = {"output", "o", "json", "print_job", "hash", "session", "append", "split", "with_data", "quiet", "to", "help",
         "max_points", "derived"}


def embed(data, *, landmarks=None, use_rep=None, layer=None, labels=None, names=None, key_added="X_embedsom",
          verbose=False, **options):
    """Coordinates of every point by EmbedSOM, an array of n x 2 or, with dims=3, n x 3.

    landmarks are those of train(), or a file of them; without them they are trained on the data. Points with a missing
    or infinite value in a column of the map have no coordinates (NaN). Options are the flags of `blossom embed`.

    Of a DataFrame a DataFrame is returned. Of AnnData coordinates are in obsm[key_added] too, unless that is None.
    """
    if landmarks is not None:
        options["landmarks"] = landmarks
    return _map("embed", data, use_rep, layer, labels, names, key_added, verbose, options)


def tsne(data, *, use_rep=None, layer=None, labels=None, names=None, key_added="X_tsne", verbose=False, **options):
    """A map of all points by t-SNE, as embed() returns it. Options are the flags of `blossom tsne`."""
    return _map("tsne", data, use_rep, layer, labels, names, key_added, verbose, options)


def umap(data, *, use_rep=None, layer=None, labels=None, names=None, key_added="X_umap", verbose=False, **options):
    """A map of all points by UMAP, as embed() returns it. Options are the flags of `blossom umap`."""
    return _map("umap", data, use_rep, layer, labels, names, key_added, verbose, options)


def _map(command, data, use_rep, layer, labels, names, key_added, verbose, options):
    with Data(data, use_rep, layer, labels, names) as d:
        made = _compute(command, d, "out.npy", verbose, options)
        xy = numpy.load(made)
    name = "embedsom" if command == "embed" else command
    if d.anndata and key_added is not None:
        data.obsm[key_added] = xy
    return d.rows(xy, ["%s%d" % (name, i + 1) for i in range(xy.shape[1])])


def cluster(data, *, use_rep=None, layer=None, labels=None, names=None, key_added="blossom_cluster", verbose=False,
            **options):
    """Clusters by single linkage, exactly: a number for each point, from 0 by falling size, -1 for none.

    One of n_clusters, distance and min_size says where the hierarchy is cut. Options are the flags of `blossom cluster`.

    Of a DataFrame a Series is returned. Of AnnData the numbers are in obs[key_added] too, as categories with none
    missing, unless that is None.
    """
    with Data(data, use_rep, layer, labels, names) as d:
        found = numpy.load(_compute("cluster", d, "out.npy", verbose, options)).ravel()
    if d.anndata and key_added is not None:
        import pandas

        data.obs[key_added] = pandas.Categorical.from_codes(found, [str(i) for i in range(found.max() + 1)])
    return d.series(found, "cluster")


class Landmarks:
    """Landmarks that were trained, or moved in the window, with what is needed to bring other data into their map.

    codebook (g x d) is where they are in the space of the map, as transformed and scaled; positions (g x 2 or 3) is
    where they are on the map; columns are the names of the d columns.
    """

    def __init__(self, content):
        self.content = bytes(content)
        try:
            about = json.loads(self.content)
            self.columns = [c["name"] for c in about["columns"]]
            self.codebook = numpy.array(about["codebook"], dtype="float32").reshape(-1, len(self.columns))
            self.positions = numpy.array(about["positions"], dtype="float32")
        except (ValueError, KeyError, TypeError) as error:
            raise Error("this is no file of landmarks: %s" % error) from error

    @classmethod
    def load(cls, path):
        """Reads what save(), `blossom train` or the window has written."""
        with open(path, "rb") as f:
            return cls(f.read())

    def save(self, path):
        """Writes them as the program reads them."""
        with open(path, "wb") as f:
            f.write(self.content)

    def __len__(self):
        return len(self.positions)

    def __repr__(self):
        return "<%d landmarks of %d columns>" % (len(self), len(self.columns))


def train(data, *, use_rep=None, layer=None, labels=None, names=None, verbose=False, **options):
    """Landmarks, trained on the data: a self-organizing map, or k-means with kmeans=G.

    Options are the flags of `blossom train`.
    """
    with Data(data, use_rep, layer, labels, names) as d:
        return Landmarks.load(_compute("train", d, "out.json", verbose, options))


def _compute(command, d, out, verbose, options):
    out = d.folder.file(out)
    run([command, *d.paths, *d.flags, *flags(options, d.folder), "-o", out], d.folder, verbose)
    return out


def flags(options, folder):
    """Keywords as flags: min_dist=0.3 is --min-dist=0.3, transform={"CD3": "asinh:5"} is --transform=CD3=asinh:5."""
    out = []
    for name, value in options.items():
        if name in _OURS:
            raise UsageError("%s is no option here: results of all points are returned" % name)
        flag = "--" + name.replace("_", "-")
        if value is None:
            continue
        if isinstance(value, dict):
            out += ["%s=%s" % (flag, _quoted("%s=%s" % item)) for item in value.items()]
        elif isinstance(value, bool):
            out.append("%s=%s" % (flag, str(value).lower()))
        else:
            out.append("%s=%s" % (flag, _text(name, value, folder)))
    return out


def _text(name, value, folder):
    if isinstance(value, Landmarks):
        path = folder.file("%s.json" % name)
        value.save(path)
        return path
    if isinstance(value, numpy.ndarray) and value.ndim == 2:
        path = folder.file("%s.npy" % name)
        numpy.save(path, value)
        return path
    if isinstance(value, (list, tuple, numpy.ndarray)):
        by = {"som": "x", "sigma": ":", "alpha": ":"}.get(name, ",")
        return by.join(_text(name, v, folder) for v in value)
    if isinstance(value, numpy.generic):
        value = value.item()
    return repr(value) if isinstance(value, float) else os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _quoted(text):
    """A text as one cell of a CSV."""
    to = io.StringIO()
    csv.writer(to, lineterminator="").writerow([text])
    return to.getvalue()
