package enginetest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/base/oracle"
)

var keep = flag.String("keep", "", "note below this folder what the engines' sources are, as make conform does")

// Engines are tested in full again as soon as a source or a contract of theirs changes, and not when another does.
func TestChangedSourcesAreTestedInFull(t *testing.T) {
	for _, s := range []Slowly{Emulated, Software} {
		if once, again := s.hash(t), s.hash(t); once != again {
			t.Error("a hash is not the same twice")
		}
		if *keep != "" {
			s.Keep(t, *keep)
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
	write("go.mod", "module it\n")
	write("gpu/it/a.go", "package it\n\nimport _ \"it/model/work/it\"\n")
	write("model/work/it/contract.go", "package it\n\nimport _ \"it/model/far\"\n")
	write("model/far/far.go", "package far\n")
	write("gpu/it/testdata/bits.txt", "1")
	t.Chdir(filepath.Join(root, "gpu", "it"))
	t.Setenv("BLOSSOM_LONG", "")
	if filepath.Base(oracle.Root(t)) != filepath.Base(root) {
		t.Fatal("the test does not run in its own module")
	}
	s := Slowly{"gpu/it/testdata/passed.txt", []string{"gpu/it"}, []string{"gpu/it/testdata/*.txt"}}
	if !s.Whole(t) {
		t.Error("sources that never passed are not tested in full")
	}
	s.Keep(t, root)
	write("model/work/it/contract_test.go", "package it\n")
	write("gpu/other/a.go", "package other // another engine\n")
	write("model/far/far.go", "// Package far has a comment now.\npackage far\n")
	if s.Whole(t) {
		t.Error("sources that passed are tested in full again")
	}
	for name, text := range map[string]string{"gpu/it/b.go": "package it\n", "gpu/it/b_test.go": "package it\n",
		"model/work/it/contract.go": "package it\n\nimport _ \"it/model/far\"\n\nvar A int\n",
		"model/far/far.go":          "package far\n\nvar B int\n", "gpu/it/testdata/bits.txt": "2"} {
		write(name, text)
		if !s.Whole(t) {
			t.Errorf("%s has changed, and is not tested in full", name)
		}
		s.Keep(t, root)
	}
	if t.Setenv("BLOSSOM_LONG", "1"); !s.Whole(t) {
		t.Error("BLOSSOM_LONG does not ask for all")
	}
}

// It is said where an engine is tested in full, which takes CI minutes.
func TestWhatHasPassedIsNoted(t *testing.T) {
	for _, s := range []Slowly{Emulated, Software} {
		t.Run(s.packages[0], func(t *testing.T) {
			if s.Whole(t) {
				t.Skip("something that it needs has changed, so it is tested in full: make conform, once it passes")
			}
		})
	}
}
