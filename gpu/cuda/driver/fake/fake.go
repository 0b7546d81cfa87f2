// Package fake makes a CUDA driver for tests, on machines without a card: a library that keeps its
// "card's" memory in the computer's own and fails where it is told to. Its source, testdata/libcuda.c,
// says how it is configured.
package fake

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Environment names the variable that configures the library when it is opened, in words like
// "cards=2 version=12040 fail=cuMemAlloc_v2:2".
const Environment = "BLOSSOM_FAKE_CUDA"

// WithoutGL, given to Library, leaves out what shares buffers with OpenGL.
const WithoutGL = "-DFAKE_WITHOUT_GL"

//go:embed testdata/libcuda.c
var source []byte

// Library compiles the library into a folder of the test and returns its path, for the environment
// variable driver.Environment. The test is skipped where there is no C compiler, unless
// BLOSSOM_REQUIRE_GL is set, as it is where all tests must run.
func Library(t testing.TB, flags ...string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the fake CUDA driver is made for Linux")
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	cc, err := exec.LookPath(cc)
	if err != nil {
		if os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal("no C compiler to make the fake CUDA driver with: ", err)
		}
		t.Skip("no C compiler to make the fake CUDA driver with: ", err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "libcuda-fake.so")
	from := filepath.Join(dir, "libcuda.c")
	if err := os.WriteFile(from, source, 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-fvisibility=hidden", "-pthread", "-o",
		path, from}, flags...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("the fake CUDA driver does not compile: %v\n%s", err, out)
	}
	return path
}
