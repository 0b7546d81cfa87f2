"""The window on what is in memory, driven by hand, and what comes back."""

import csv
import gc
import shutil
import signal
import time

from support import *

DRIVEN = windowed() and shutil.which("xdotool")

needs_window = unittest.skipUnless(windowed(), "no window can be opened here")
needs_hand = unittest.skipUnless(DRIVEN, "no window can be driven here (xdotool)")


def trained(view):
    """Waits until the map is at rest: the session does not change any more."""
    before, since = None, time.monotonic()
    end = since + 120
    while time.monotonic() < min(since + 3, end):
        about = os.stat(view._session) if os.path.exists(view._session) else None
        now = about and (about.st_mtime_ns, about.st_size)
        if now is None or now != before:
            before, since = now, time.monotonic()
        time.sleep(0.1)


def lasso(*corners):
    """Draws around points with the Select tool."""
    xdotool("mousemove", *corners[0])
    time.sleep(0.3)
    xdotool("key", "4")
    time.sleep(0.5)
    xdotool("mousedown", 1)
    for x, y in [*corners[1:], corners[0]]:
        xdotool("mousemove", x, y)
        time.sleep(0.1)
    xdotool("mouseup", 1)


def name(text):
    """Names what is selected."""
    xdotool("key", "ctrl+g")
    time.sleep(1)
    xdotool("type", "--delay", 30, text)
    time.sleep(0.5)
    xdotool("key", "Return")


class Viewing(Case):
    def until(self, condition):
        try:
            ended(condition)
        except AssertionError:
            if os.environ.get("BLOSSOM_PICTURES") and shutil.which("import"):
                subprocess.run(["import", "-window", "root", os.path.join(os.environ["BLOSSOM_PICTURES"], "view.png")])
            raise

    @needs_hand
    @needs_anndata
    def test_what_is_drawn_and_named_comes_back(self):
        adata = anndata.AnnData(points(), dtype="float32")
        adata.obs_names = ["cell%d" % i for i in range(600)]
        adata.obs["kind"] = pandas.Categorical(["a", "b", "c"] * 200)
        view = blossom.view(adata, block=False)
        self.addCleanup(view.close)
        self.assertEqual((list(view.populations), view.selected.sum(), view.open), ([], 0, True))
        trained(view)
        lasso((330, 180), (860, 180), (860, 380), (330, 380))
        self.until(lambda: view.selected.any())
        drawn = view.selected.copy()
        name("T cells")
        self.until(lambda: "T cells" in view.populations)
        self.assertNotIn("blossom", adata.obs)
        # The same session, asked by the command line.
        command("label", "--session", view._session, "--all", "--selected", "-o", self.file("labels.csv"))
        with open(self.file("labels.csv"), newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        view.close()
        self.assertFalse(view.open)
        self.assertEqual([r["index"] for r in rows], list(adata.obs_names))
        self.assertEqual([r["population"] for r in rows], list(adata.obs["blossom"].astype(object).fillna("")))
        self.assertEqual([r["selected"] == "1" for r in rows], list(adata.obs["blossom_selected"]))
        self.assertEqual([r["T cells"] == "1" for r in rows], list(view.populations["T cells"]))
        self.same(view.populations["T cells"], drawn)
        self.assertEqual(list(view.labels == "T cells"), list(drawn))
        self.assertTrue(0 < drawn.sum() < 600)
        self.assertEqual(list(adata.uns["blossom_colors"]), [view.colours["T cells"]])
        self.assertRegex(view.colours["T cells"], "^#[0-9a-f]{6}$")
        # Coordinates are those that the landmarks make of the data, and the lasso has what lies within it.
        self.same(adata.obsm["X_blossom"], view.coordinates)
        self.same(blossom.embed(adata, landmarks=view.landmarks, key_added=None), view.coordinates)

    @needs_hand
    def test_landmarks_that_are_dragged(self):
        view = blossom.view(points(), labels={"kind": ["a", "b"] * 300}, block=False)
        self.addCleanup(view.close)
        trained(view)
        # In this order, so that on a busy machine, where training may end between the two, it tells the same.
        at, before = view.coordinates, view.landmarks.positions
        self.assertEqual(view.labels.tolist(), [None] * 600)
        xdotool("mousemove", 450, 400)
        time.sleep(0.3)
        xdotool("key", "ctrl+a")
        time.sleep(0.3)
        xdotool("key", "Right")  # the selected landmarks
        self.until(lambda: not numpy.array_equal(view.landmarks.positions, before))
        self.assertFalse(numpy.array_equal(view.coordinates, at))

    @needs_window
    def test_a_window_that_is_closed_before_it_has_data(self):
        view = blossom.view(points(200), block=False)
        view._process.kill()
        view._process.wait()
        for again in (view.wait, view.close, lambda: view.selected):
            with self.assertRaisesRegex(blossom.Error, "ended by signal 9: .*run it again"):
                again()

    @needs_window
    def test_a_window_stays_open_without_a_name(self):
        blossom.view(points(200), block=False)
        gc.collect()
        view, = blossom._view._opened
        self.addCleanup(view.close)
        self.assertEqual(view.selected.shape, (200,))
        self.assertTrue(view.open)
        view.close()
        self.assertFalse(blossom._view._opened)

    @needs_window
    def test_attributes_are_of_one_moment(self):
        view = blossom.view(points(300), block=False)
        self.addCleanup(view.close)
        view.selected
        trained(view)
        view._known, run, asked = None, blossom._view.run, []

        def writes(args, *how):
            """The window writes again after each command: here, something that is no session."""
            asked.append(args[0])
            try:
                return run(args, *how)
            finally:
                with open(view._session, "wb") as f:
                    f.write(b"another moment")

        with open(view._session, "rb") as f:
            whole = f.read()
        blossom._view.run = writes
        try:
            self.assertEqual(view.selected.shape, (300,))
        finally:
            blossom._view.run = run
            with open(view._session, "wb") as f:
                f.write(whole)
        self.assertEqual(asked, ["label", "embed", "embed"])

    @needs_window
    def test_an_interrupt_closes_the_window(self):
        code = """
import blossom, numpy
start = blossom._view.start
def started(*a, **k):
    p = start(*a, **k)
    print(p.pid, flush=True)
    return p
blossom._view.start = started
v = blossom.view(numpy.random.default_rng(1).normal(size=(300, 4)), block=False)
print(v._data.folder.path, flush=True)
v.selected
wait = v._process.wait
def waiting(timeout=None):
    print("there", flush=True)
    return wait(timeout)
v._process.wait = waiting
try:
    v.wait()
except KeyboardInterrupt:
    print(v.coordinates.shape, v.open)
    raise
"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as p:
            pid, folder, there = int(p.stdout.readline()), p.stdout.readline().strip(), p.stdout.readline()
            self.assertEqual((os.stat(folder).st_mode & 0o777, there), (0o700, "there\n"))
            p.send_signal(signal.SIGINT)
            out, said = p.communicate(timeout=90)
        self.assertIn("(300, 2) False", out + said)
        self.assertIn("KeyboardInterrupt", said)
        self.assertFalse(os.path.exists(folder))
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)

    @needs_window
    def test_a_script_that_ends_closes_its_window(self):
        code = """
import blossom, numpy
v = blossom.view(numpy.random.default_rng(1).normal(size=(300, 4)), block=False)
print(v._process.pid, v._data.folder.path, flush=True)
v.selected
"""
        out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
        self.assertFalse(os.path.exists(out[1]))
        with self.assertRaises(ProcessLookupError):
            os.kill(int(out[0]), 0)

    @needs_window
    def test_files_have_a_session_of_their_own(self):
        numpy.save(self.file("x.npy"), points(300))
        view = blossom.view(self.file("x.npy"), session=self.file("s.blossom"), block=False)
        self.addCleanup(view.close)
        self.assertEqual(view.selected.shape, (300,))
        view.close()
        command("embed", "--session", self.file("s.blossom"), "-o", self.file("xy.npy"))
        self.same(view.coordinates, numpy.load(self.file("xy.npy")))
        again = blossom.view(self.file("x.npy"), session=self.file("s.blossom"), block=False)
        with self.assertRaisesRegex(blossom.Error, "s.blossom: is there already"):
            again.wait()

    def test_what_cannot_be_viewed(self):
        with self.assertRaisesRegex(blossom.UsageError, "session goes with data in files"):
            blossom.view(points(), session=self.file("s.blossom"))
        with self.assertRaisesRegex(blossom.Error, "none.npy: does not exist|built without its window|too old"):
            blossom.view(self.file("none.npy"))


if __name__ == "__main__":
    unittest.main()
