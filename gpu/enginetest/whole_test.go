package enginetest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/base/oracle"
)

var keep = flag.Bool("keep", false, "note that the engines have passed in full: make conform does when they have")

// Engines are tested in full again as soon as a source or a contract of theirs changes, and not when another does.
func TestChangedSourcesAreTestedInFull(t *testing.T) {
	for _, s := range []Slowly{Emulated, Software} {
		if once, again := s.hash(t), s.hash(t); once != again {
			t.Error("a hash is not the same twice")
		}
		if *keep {
			s.Keep(t)
		}
	}
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "gpu/it/a.go", "model/work/it/contract.go"} {
		write(name, name)
	}
	t.Chdir(filepath.Join(root, "gpu", "it"))
	t.Setenv("BLOSSOM_LONG", "")
	if filepath.Base(oracle.Root(t)) != filepath.Base(root) {
		t.Fatal("the test does not run in its own module")
	}
	s := Slowly{"gpu/it/testdata/passed", []string{"gpu/it/*.go", "model/work/it/*.go"}}
	if !s.Whole(t) {
		t.Error("sources that never passed are not tested in full")
	}
	s.Keep(t)
	write("model/work/it/contract_test.go", "a test")
	write("gpu/other/a.go", "another engine")
	if s.Whole(t) {
		t.Error("sources that passed are tested in full again")
	}
	for _, name := range []string{"gpu/it/a.go", "gpu/it/b.go", "gpu/it/b_test.go", "model/work/it/contract.go"} {
		write(name, "changed "+name)
		if !s.Whole(t) {
			t.Errorf("%s has changed, and is not tested in full", name)
		}
		s.Keep(t)
	}
	if t.Setenv("BLOSSOM_LONG", "1"); !s.Whole(t) {
		t.Error("BLOSSOM_LONG does not ask for all")
	}
}
