"""Maps of high-dimensional data by the program blossom: computed, or steered by hand in its window.

>>> import blossom
>>> blossom.embed(adata)                      # coordinates, also in adata.obsm["X_embedsom"]
>>> blossom.view(adata)                       # opens the window; what is named there is in adata.obs["blossom"]

Data are NumPy arrays, SciPy's sparse matrices, pandas' DataFrames, AnnData, or names of files. Nothing but NumPy is
needed. Everything that a command of the program takes as a flag is a keyword here: --min-dist 0.3 is min_dist=0.3.
"""

from importlib import metadata as _metadata

from ._compute import Landmarks, cluster, embed, train, tsne, umap
from ._errors import ArgumentError, Error, ProgramNotFound, UsageError
from ._program import program_version, set_program
from ._view import View, view

try:
    __version__ = _metadata.version("blossom-map")
except _metadata.PackageNotFoundError:  # the sources, not installed
    __version__ = "0"

__all__ = [
    "ArgumentError", "Error", "Landmarks", "ProgramNotFound", "UsageError", "View", "cluster", "embed", "program_version",
    "set_program", "train", "tsne", "umap", "view",
]
