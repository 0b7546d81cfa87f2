package enginetest

import (
	"crypto/sha256"
	"encoding/hex"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/base/oracle"
)

// Slowly is an engine that takes minutes for all tests where no card is, and the sources on which their outcome
// depends: those of its packages, of all that they import, and other files. Its file keeps the hash of those that last
// passed in full.
type Slowly struct {
	kept     string
	packages []string // whose tests count, too
	files    []string
}

// Engines that are tested in full only when something that their tests depend on has changed.
var (
	Emulated = Slowly{"gpu/cuda/testdata/passed.sha256", []string{"gpu/cuda", "gpu/papers/*"},
		[]string{"gpu/cuda/testdata/*.txt", "gpu/cuda/hosted/*.h", "gpu/cuda/hosted/testdata/*",
			"gpu/cuda/kernels/*.cu*", programs}}
	Software = Slowly{"gpu/glcompute/testdata/passed.sha256", []string{"gpu/glcompute"},
		[]string{"shaders/*.*", programs}}
)

// programs have answered what suites compare with.
const programs = "model/base/oracle/testdata/*/*/*"

// Whole reports whether the engine is to be tested in full: where BLOSSOM_LONG asks for it, or where the sources are
// not those that passed. Otherwise one part of each is enough.
func (s Slowly) Whole(t testing.TB) bool {
	kept, err := os.ReadFile(filepath.Join(oracle.Root(t), filepath.FromSlash(s.kept)))
	return os.Getenv("BLOSSOM_LONG") != "" || err != nil || strings.TrimSpace(string(kept)) != s.hash(t)
}

// Keep writes that the sources, as they are now, have passed in full: into the tree below a folder, so that what is
// written before a run becomes true after it.
func (s Slowly) Keep(t testing.TB, folder string) {
	file := filepath.Join(folder, filepath.FromSlash(s.kept))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(s.hash(t)+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// hash is of the names of the sources, and of what is in them.
func (s Slowly) hash(t testing.TB) string {
	root := oracle.Root(t)
	all := sources(t, root, s.packages)
	for _, pattern := range s.files {
		for _, name := range found(t, root, pattern) {
			if name != s.kept {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	sum := sha256.New()
	for _, name := range slices.Compact(all) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue // a random test has left there how it failed
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write([]byte(name + "\x00"))
		if strings.HasSuffix(name, ".go") {
			tokens(sum, text)
		} else {
			sum.Write(text)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// sources are the Go files of packages, with their tests, and of all that they import from this module, without.
func sources(t testing.TB, root string, packages []string) (out []string) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, module, _ := strings.Cut(strings.TrimSpace(strings.SplitN(string(mod), "\n", 2)[0]), " ")
	var queue []string
	for _, pattern := range packages {
		queue = append(queue, found(t, root, pattern)...)
	}
	tested := len(queue)
	for i := 0; i < len(queue); i++ {
		for _, name := range found(t, root, queue[i]+"/*.go") {
			if i >= tested && strings.HasSuffix(name, "_test.go") {
				continue
			}
			out = append(out, name)
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				from, _ := strconv.Unquote(spec.Path.Value)
				if dir, ok := strings.CutPrefix(from, module+"/"); ok && !slices.Contains(queue, dir) {
					queue = append(queue, dir)
				}
			}
		}
	}
	return out
}

// found is what a pattern names below root, with slashes; something must be there.
func found(t testing.TB, root, pattern string) (out []string) {
	all, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
	if err != nil || len(all) == 0 {
		t.Fatalf("there is no %s: the sources of an engine have moved", pattern)
	}
	for _, f := range all {
		name, err := filepath.Rel(root, f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, path.Clean(filepath.ToSlash(name)))
	}
	return out
}

// tokens writes what a compiler sees of a Go file: other words of a comment change nothing.
func tokens(w io.Writer, text []byte) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMENT && !strings.HasPrefix(lit, "//go:"):
		case lit != "":
			io.WriteString(w, lit+"\x00")
		default:
			io.WriteString(w, tok.String()+"\x00")
		}
	}
}
