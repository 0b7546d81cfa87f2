"""AnnData and DataFrames in and out."""

import warnings

from support import *


@needs_anndata
class Annotated(Case):
    def adata(self, x=None):
        from scipy import sparse

        x = points() if x is None else x
        a = anndata.AnnData(x, dtype=x.dtype)
        a.obs_names = ["cell%d" % i for i in range(len(x))] if hasattr(x, "nbytes") else a.obs_names
        a.obs["kind"] = pandas.Categorical(["b", "a", None] * (x.shape[0] // 3), ["b", "a"])
        a.obs["when"], a.obs["odd"] = pandas.Timestamp("2020-01-01"), [None, "x", 3] * (x.shape[0] // 3)
        a.obs["whole"] = pandas.array([1, None, 3] * (x.shape[0] // 3), dtype="Int64")
        a.uns["kind_colors"], a.uns["kind"] = ["#ff0000", "#00ff00"], {"other": 1}
        a.obsm["X_pca"] = points(x.shape[0], 4, seed=2).astype("f8")
        a.layers["counts"] = sparse.csr_matrix(numpy.abs(points(x.shape[0], x.shape[1], seed=3)))
        return a

    def test_maps_are_those_of_the_matrix(self):
        a = self.adata()
        self.same(blossom.embed(a, som="8x8"), blossom.embed(points(), som="8x8"))
        self.same(a.obsm["X_embedsom"], blossom.embed(points(), som="8x8"))
        pca = numpy.asarray(a.obsm["X_pca"])
        self.same(blossom.umap(a, use_rep="X_pca", key_added="X_mine"), blossom.umap(pca))
        self.same(a.obsm["X_mine"], blossom.umap(pca))
        counts = a.layers["counts"].toarray()
        self.same(blossom.embed(a, layer="counts", som="8x8", key_added=None), blossom.embed(counts, som="8x8"))
        clusters = blossom.cluster(a, n_clusters=3)
        self.same(a.obs["blossom_cluster"].cat.codes.to_numpy().astype("i4"), clusters)
        with self.assertRaisesRegex(blossom.UsageError, "obsm has no X_none: there are X_pca"):
            blossom.embed(a, use_rep="X_none")
        with self.assertRaisesRegex(blossom.UsageError, "layers has no none: there are counts"):
            blossom.embed(a, layer="none")

    def test_a_part_and_a_sparse_one(self):
        from scipy import sparse

        a = self.adata()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # AnnData says that the part is a copy now
            self.same(blossom.embed(a[:300], som="6x6"), blossom.embed(points()[:300], som="6x6"))
        s = self.adata(sparse.csr_matrix(numpy.maximum(points(), 0).astype("f8")))
        self.same(blossom.embed(s, som="6x6"), blossom.embed(numpy.maximum(points(), 0).astype("f8"), som="6x6"))

    def test_the_file_is_what_anndata_reads(self):
        from blossom import _h5ad

        a = self.adata()
        a.obsm["X_umap"] = points(600, 2)
        _h5ad.write(self.file("x.h5ad"), a, whole=True)
        b = anndata.read_h5ad(self.file("x.h5ad"))
        self.same(b.X, a.X)
        self.assertEqual(list(b.obs_names), list(a.obs_names))
        self.assertEqual(list(b.obs["kind"].cat.categories), ["b", "a"])
        self.same(b.obs["kind"].cat.codes.to_numpy(), a.obs["kind"].cat.codes.to_numpy())
        self.assertEqual(list(b.obs["odd"][:3].astype(object).fillna("")), ["", "x", "3"])
        self.assertEqual((list(b.uns), list(b.obsm)), (["kind_colors"], ["X_umap"]))
        said = command("info", self.file("x.h5ad"), "--json").stdout
        self.assertIn(b'"kind"', said)

    def test_a_table_keeps_its_names(self):
        t = pandas.DataFrame(points(), columns=list("abcde"), index=["cell%d" % i for i in range(600)])
        t["donor"], t["gaps"] = ["P1", "P2"] * 300, pandas.array([1.5, None, 2.5] * 200, dtype="Float64")
        t["flag"] = [True, False] * 300
        got = blossom.embed(t.drop(columns="gaps"), som="8x8")
        self.assertEqual((list(got.columns), list(got.index)), (["embedsom1", "embedsom2"], list(t.index)))
        self.same(got.to_numpy(), blossom.embed(points(), som="8x8"))
        self.assertEqual(int(blossom.embed(t, som="8x8").isna().any(axis=1).sum()), 200)
        self.assertEqual(blossom.train(t, som="4x4").columns, [*"abcde", "gaps"])
        clusters = blossom.cluster(t[list("abcde")], n_clusters=3)
        self.assertEqual((clusters.name, list(clusters.index)), ("cluster", list(t.index)))
        with self.assertRaisesRegex(blossom.UsageError, "no columns of numbers"):
            blossom.embed(t[["donor"]])


if __name__ == "__main__":
    unittest.main()
