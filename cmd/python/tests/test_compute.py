"""What is in memory gives what the command makes of a file, and what goes wrong is said."""

import io
import re
import signal

from support import *
from blossom import _data, _folder


class Computing(Case):
    def test_an_array_is_as_a_file(self):
        x = points()
        numpy.save(self.file("x.npy"), x)
        command("embed", self.file("x.npy"), "-o", self.file("xy.npy"), "--som", "8x8")
        want = numpy.load(self.file("xy.npy"))
        for name, same in {"rows": x, "columns": numpy.asfortranarray(x), "other bytes": x.astype(">f4"),
                           "steps": numpy.repeat(x, 2, axis=0)[::2], "backwards": x[::-1].copy()[::-1],
                           "masked": numpy.ma.masked_invalid(x), "float64": x.astype("f8")}.items():
            with self.subTest(name):
                self.same(blossom.embed(same, som=(8, 8)), want)

    def test_float64_is_not_rounded(self):
        x = points().astype("f8") * 1e-9 + 1  # in float32 nothing is left of it
        numpy.save(self.file("x.npy"), x)
        command("embed", self.file("x.npy"), "-o", self.file("xy.npy"), "--som", "8x8")
        got = blossom.embed(x, som="8x8")
        self.same(got, numpy.load(self.file("xy.npy")))
        self.assertGreater(numpy.ptp(got), 1)

    def test_whole_numbers_and_truth_values(self):
        x = numpy.round(points() * 100).astype("i8")
        self.same(blossom.embed(x, som="8x8"), blossom.embed(x.astype("f8"), som="8x8"))
        self.same(blossom.embed(x.astype("i2"), som="8x8"), blossom.embed(x.astype("f4"), som="8x8"))
        self.same(blossom.embed(x > 0, som="4x4", scale="none"),
                  blossom.embed((x > 0).astype("f4"), som="4x4", scale="none"))

    def test_what_is_masked_is_missing(self):
        x = numpy.round(points() * 100).astype("i4")
        mask = numpy.zeros(x.shape, bool)
        mask[5, 2] = mask[9, 0] = True
        x[mask] = 999999
        want = blossom.embed(numpy.where(mask, numpy.nan, x), som="8x8")
        self.assertEqual(numpy.isnan(want).any(axis=1).nonzero()[0].tolist(), [5, 9])
        self.same(blossom.embed(numpy.ma.array(x, mask=mask), som="8x8"), want)
        self.same(blossom.embed(numpy.ma.array(x), som="8x8"), blossom.embed(x, som="8x8"))
        self.same(_data.numbers(numpy.ma.array(x > 0, mask=mask)), numpy.where(mask, numpy.nan, x > 0))
        self.assertEqual(_data._texts(numpy.ma.array([1, 2], mask=[False, True]), 2, "", "").tolist(), ["1", ""])

    def handed(self, source, **how):
        """The arrays of one file, by their names."""
        with _data.Data(source, **how) as data, numpy.load(data.paths[0]) as arrays:
            return {name: arrays[name].tolist() for name in arrays if name != "data"}

    def test_labels_of_one_name_are_all_there(self):
        x = points(2, 3)
        self.assertEqual(self.handed(x, labels={"columns": ["a", "b"], "file": ["c", "d"], "allow_pickle": ["e", "f"],
                                                "data": ["g", "h"], "a/b": ["i", "j"], "a\\b": ["k", "l"]}),
                         {"columns_": ["a", "b"], "file_": ["c", "d"], "allow_pickle_": ["e", "f"],
                          "data_": ["g", "h"], "a_b": ["i", "j"], "a_b_": ["k", "l"]})
        if pandas is None:
            return
        table = pandas.DataFrame(x, columns=["x", "y", "z"], index=["one", "two"])
        for values, name in ((["a", "b"], "kind"), (["c", "d"], "kind"), (["e", "f"], "name"), (["g", "h"], "columns")):
            table.insert(0, name, values, allow_duplicates=True)
        self.assertEqual(self.handed(table, labels={"kind": ["i", "j"]}),
                         {"columns": ["x", "y", "z"], "name": ["one", "two"], "columns_": ["g", "h"],
                          "name_": ["e", "f"], "kind": ["c", "d"], "kind_": ["a", "b"], "kind__": ["i", "j"]})

    def test_every_command(self):
        x = points(300)
        numpy.save(self.file("x.npy"), x)
        for name, call, args in (
                ("tsne", lambda: blossom.tsne(x, perplexity=20.0, dims=3), ["--perplexity=20", "--dims=3"]),
                ("umap", lambda: blossom.umap(x, min_dist=numpy.float32(0.25), seed=4), ["--min-dist=.25", "--seed=4"]),
                ("cluster", lambda: blossom.cluster(x, n_clusters=3), ["--n-clusters=3"])):
            with self.subTest(name):
                command(name, self.file("x.npy"), "-o", self.file("out.npy"), *args)
                self.same(call(), numpy.load(self.file("out.npy")).squeeze())

    def test_landmarks_go_from_call_to_call(self):
        x = points()
        landmarks = blossom.train(x, som=(7, 6), layout="none", transform="none")
        self.assertEqual((len(landmarks), landmarks.codebook.shape, landmarks.positions.shape), (42, (42, 5), (42, 2)))
        landmarks.save(self.file("l.json"))
        numpy.save(self.file("x.npy"), x[:50])
        command("embed", self.file("x.npy"), "--landmarks", self.file("l.json"), "-o", self.file("xy.npy"))
        want = numpy.load(self.file("xy.npy"))
        self.same(blossom.embed(x[:50], landmarks=landmarks), want)
        self.same(blossom.embed(x[:50], landmarks=self.file("l.json")), want)
        self.same(blossom.Landmarks.load(self.file("l.json")).positions, landmarks.positions)
        self.same(blossom.embed(x[:50], landmarks_hd=landmarks.codebook, landmarks_ld=landmarks.positions), want)

    def test_names_and_labels_of_an_array(self):
        x, names = points(), ["CD3", "CD4", "Größe", "a,b", "x"]
        got = blossom.train(x, names=names, labels={"kind": ["a", None, "b"] * 200}, som="4x4", transform={"a,b": "asinh:5"})
        self.assertEqual(got.columns, names)
        self.assertIn(b'"name":"a,b","transform":"asinh:5"', got.content)
        with self.assertRaisesRegex(blossom.UsageError, "there are 2, and 5 columns"):
            blossom.train(x, names=["a", "b"])
        with self.assertRaisesRegex(blossom.UsageError, "there are 1, and 600 points"):
            blossom.train(x, labels={"kind": ["a"]})

    def test_points_without_a_value_have_no_place(self):
        x = points()
        x[3, 1], x[5, 0] = numpy.nan, numpy.inf
        xy = blossom.embed(x, som="8x8")
        self.assertEqual(list(numpy.flatnonzero(numpy.isnan(xy).any(axis=1))), [3, 5])

    def test_a_file(self):
        numpy.save(self.file("x.npy"), points())
        self.same(blossom.embed(self.file("x.npy"), som="8x8"), blossom.embed(points(), som="8x8"))


class Sparse(Case):
    def test_a_sparse_matrix_is_what_it_stands_for(self):
        try:
            from scipy import sparse
        except ImportError:
            self.skipTest("SciPy is not installed")
        m = sparse.random(300, 12, 0.3, format="coo", random_state=1, dtype="f4")
        want = blossom.embed(m.toarray(), som="6x6")
        for form in ("coo", "csr", "csc"):
            self.same(blossom.embed(m.asformat(form), som="6x6"), want)


class Failing(Case):
    def test_errors_are_the_programs(self):
        x = points(30)
        for call, kind, words in (
                (lambda: blossom.embed(x, som="nonsense"), blossom.UsageError, "is not the size of a grid"),
                (lambda: blossom.embed(x, soms=3), TypeError,
                 r"^embed\(\) got an unexpected keyword argument 'soms'$"),
                (lambda: blossom.train(x, no_such=3), blossom.ArgumentError, "^train.* argument 'no_such'$"),
                (lambda: blossom.embed(x, k="many"), blossom.UsageError, '^k: "many" is not a whole number$'),
                (lambda: blossom.embed(x, landmarks="l.json", landmarks_hd="h.npy"), blossom.UsageError,
                 "landmarks_hd"),
                (lambda: blossom.embed(self.file("none.csv")), blossom.Error, "none.csv: does not exist"),
                (lambda: blossom.embed(x * numpy.nan), blossom.Error, "^the data: no column has a number"),
                (lambda: blossom.embed(x, output="x"), blossom.UsageError, "output is no option here"),
                (lambda: blossom.embed(x[:, 0]), blossom.UsageError, "of 1 dimensions"),
                (lambda: blossom.embed(x[:0]), blossom.UsageError, "0 points of 5 columns"),
                (lambda: blossom.embed(x.astype(str)), blossom.UsageError, "give numbers"),
                (lambda: blossom.embed(x, use_rep="X_pca"), blossom.UsageError, "use_rep does not go with")):
            with self.assertRaisesRegex(kind, words) as said:
                call()
            self.assertNotIn("blossom-py-", str(said.exception))
            self.assertIsInstance(said.exception, blossom.Error)

    def test_it_is_quiet_unless_asked(self):
        code = "import blossom, numpy; blossom.embed(numpy.random.default_rng(1).normal(size=(60, 3)), verbose=%s)"
        for verbose in (False, True):
            said = subprocess.run([sys.executable, "-c", code % verbose], capture_output=True, check=True)
            self.assertEqual((said.stdout, b"projecting" in said.stderr), (b"", verbose))
            self.assertTrue(verbose or said.stderr == b"")

    def test_an_interrupt_ends_the_program_and_leaves_nothing(self):
        code = """
import blossom, numpy, tempfile
mkdtemp, start = tempfile.mkdtemp, blossom._program.start
def noted(*a, **k):
    path = mkdtemp(*a, **k)
    print(path, flush=True)
    return path
def started(*a, **k):
    p = start(*a, **k)
    print(p.pid, flush=True)
    return p
tempfile.mkdtemp, blossom._program.start = noted, started
blossom.cluster(numpy.random.default_rng(1).normal(size=(60000, 30)), algorithm="prim", n_clusters=4)
"""
        p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with p:
            folder, pid = p.stdout.readline().strip(), int(p.stdout.readline())
            self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
            p.send_signal(signal.SIGINT)
            _, said = p.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", said)
        self.assertFalse(os.path.exists(folder))
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    def test_a_folder_without_room(self):
        save = numpy.save

        def full(*_):
            raise OSError(28, "No space left on device")

        numpy.save = full
        self.addCleanup(setattr, numpy, "save", save)
        with self.assertRaisesRegex(blossom.Error, "cannot be handed to the program: .*No space left"):
            blossom.embed(points())

    def test_a_copy_of_the_interpreter_removes_nothing(self):
        code = """
import os, sys
from blossom._folder import Folder
f = Folder()
if os.fork() == 0:
    sys.exit()
os.wait()
print(os.path.exists(f.path))
"""
        if not hasattr(os, "fork"):
            self.skipTest("there are no copies here")
        self.assertEqual(subprocess.check_output([sys.executable, "-c", code]), b"True\n")

    def test_what_was_killed_is_cleared_away_by_the_next(self):
        code = "from blossom._folder import Folder; import time; f = Folder(); print(f.path, flush=True); time.sleep(600)"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as p:
            folder = p.stdout.readline().strip()
            young, _folder._YOUNG = _folder._YOUNG, 0
            try:
                _folder._sweep(os.path.dirname(folder))
                self.assertTrue(os.path.exists(folder), "it was taken from somebody who works in it")
                p.kill()
                p.wait()
                _folder._sweep(os.path.dirname(folder))
                self.assertFalse(os.path.exists(folder))
            finally:
                _folder._YOUNG = young


if __name__ == "__main__":
    unittest.main()
