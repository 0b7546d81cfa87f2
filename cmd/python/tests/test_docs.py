"""Every example of the manual's page runs, in the order of the page."""

import re

from support import *

PAGE = os.environ.get("BLOSSOM_PAGE", os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "python.md"))


def blocks(kind):
    with open(PAGE, encoding="utf-8") as f:
        fenced = re.findall(r"^```(\w*)\n(.*?)^```$", f.read(), re.M | re.S)
    return [text for name, text in fenced if name == kind]


class Page(Case):
    @needs_anndata
    def test_python(self):
        os.chdir(self.dir)
        self.addCleanup(os.chdir, "/")
        view = blossom.view
        self.addCleanup(setattr, blossom, "view", view)

        def closed(*args, block=True, **how):  # by the user, once it is there
            v = view(*args, block=False, **how)
            if block:
                v.selected
                v.close()
            return v

        blossom.view, names, ran = closed, {}, 0
        for code in blocks("python"):
            if "blossom.view" in code and not windowed():
                continue
            with contextlib.redirect_stdout(None):
                exec(compile(code, PAGE, "exec"), names)
            ran += 1
        self.assertGreaterEqual(ran, 4)
        self.assertTrue(os.path.exists("landmarks.json"))
        if windowed():
            self.assertIn("X_blossom", names["adata"].obsm)
            self.assertEqual(names["view"].landmarks.columns[:2], ["CD3", "CD4"])

    def test_commands(self):
        if not windowed():
            self.skipTest("no window can be opened here")
        command("demo", "cytometry:500", "-o", "cells.csv", cwd=self.dir)
        words = next(b for b in blocks("sh") if "--to" in b).split()
        window = subprocess.Popen([blossom._program.program(), *words[1:]], cwd=self.dir)
        self.addCleanup(window.kill)
        ended(lambda: os.path.exists(self.file("cells.blossom")))
        window.terminate()
        self.assertIn(window.wait(60), (0, 130))
        for line in "".join(b for b in blocks("sh") if "--to" not in b).splitlines():
            command(*line.split()[1:], cwd=self.dir)
        with open(self.file("labels.csv"), encoding="utf-8") as f:
            self.assertEqual(f.readline(), "population,selected\n")
        self.assertEqual(len(open(self.file("map.csv")).readlines()), 501)
        os.remove(self.file("map.csv"))
        # What R runs by system2.
        for call in re.findall(r'system2\("blossom", c\((.*?)\)\)', "".join(blocks("r"))):
            command(*re.findall(r'"(.*?)"', call), cwd=self.dir)
        self.assertEqual(len(open(self.file("map.csv")).readlines()), 501)


if __name__ == "__main__":
    unittest.main()
