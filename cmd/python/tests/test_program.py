"""Where the program is found, and what is said where there is none."""

from support import *

CALL = "import blossom, numpy; print(blossom.embed(numpy.random.default_rng(1).normal(size=(60, 3))).shape)"


class Program(Case):
    def run_without(self, code=CALL, **env):
        env = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "PATH": self.dir, "HOME": self.dir, **env}
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)

    def test_a_machine_without_the_program(self):
        if os.environ.get("BLOSSOM_INSIDE"):
            self.skipTest("it is in this wheel")
        said = self.run_without()
        self.assertEqual(said.returncode, 1)
        last = said.stderr.strip().splitlines()[-1]
        self.assertRegex(last, "ProgramNotFound: the program blossom is neither in PATH nor in this package: install it")
        caught = self.run_without("import blossom\ntry: blossom.view('x.csv')\nexcept blossom.Error as e: print(e)")
        self.assertIn("install it", caught.stdout)

    def test_a_variable_that_names_nothing(self):
        said = self.run_without(BLOSSOM_PROGRAM=self.file("nothing"))
        self.assertIn("nothing: there is no program, which BLOSSOM_PROGRAM names", said.stderr)

    def test_a_program_that_cannot_be_started(self):
        with open(self.file("blossom"), "w") as f:
            f.write("no program")
        os.chmod(self.file("blossom"), 0o755)
        self.assertIn("blossom._errors.Error: the program cannot be started",
                      self.run_without(BLOSSOM_PROGRAM=self.file("blossom")).stderr)

    def test_one_in_path(self):
        os.symlink(blossom._program.program(), self.file("blossom"))
        self.assertEqual(self.run_without().stdout, "(60, 2)\n")

    def test_the_version_is_the_programs(self):
        self.assertEqual(blossom.program_version().split()[2], blossom.__version__)


if __name__ == "__main__":
    unittest.main()
