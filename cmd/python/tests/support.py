"""What the tests share."""

import contextlib
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import numpy

import blossom
from blossom import _folder, _program

try:
    import anndata
    import pandas
except ImportError:
    anndata = pandas = None

needs_anndata = unittest.skipUnless(anndata, "AnnData or pandas is not installed")


def points(n=600, d=5, seed=1):
    """Three groups of points, float32."""
    x = numpy.random.default_rng(seed).normal(size=(n, d)).astype("float32")
    x[:n // 3] += 6
    x[n // 3:2 * n // 3, :2] -= 6
    return x


def command(*args, **how):
    """Runs the program itself."""
    return subprocess.run([_program.program(), *map(str, args)], check=True, capture_output=True, **how)


class Case(unittest.TestCase):
    """A test with a folder of its own, which leaves no private folders."""

    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)
        made, mkdtemp = [], tempfile.mkdtemp

        def noted(*args, **how):
            made.append(mkdtemp(*args, **how))
            return made[-1]

        _folder.tempfile.mkdtemp = noted
        self.made = made

        def restored():
            _folder.tempfile.mkdtemp = mkdtemp
            self.assertEqual([d for d in made if os.path.exists(d) and _folder._PREFIX in d], [])

        self.addCleanup(restored)

    def file(self, name):
        return os.path.join(self.dir, name)

    def same(self, got, want):
        self.assertEqual(numpy.asarray(got).dtype, numpy.asarray(want).dtype)
        numpy.testing.assert_array_equal(got, want)


def ended(condition, seconds=60):
    """Waits for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not come about")
        time.sleep(0.05)


def windowed():
    """Whether windows can be opened and driven here."""
    if not os.environ.get("DISPLAY"):
        return False
    return b"--to" in command("--help").stdout


def xdotool(*args):
    subprocess.run(["xdotool", *map(str, args)], check=True, stdout=subprocess.DEVNULL)


__all__ = ["Case", "anndata", "blossom", "command", "contextlib", "ended", "glob", "needs_anndata", "numpy", "os",
           "pandas", "points", "subprocess", "sys", "unittest", "windowed", "xdotool"]
