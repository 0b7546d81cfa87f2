package enginetest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
)

// Slowly is an engine that takes minutes for all tests where no card is, and the sources on which their outcome
// depends: its own, those of the suite, and the contracts. Its file keeps the hash of those that last passed in full.
type Slowly struct {
	kept    string
	sources []string
}

// Engines that are tested in full only when their sources or contracts have changed.
var (
	Emulated = Slowly{"gpu/cuda/testdata/passed.sha256", append([]string{"gpu/cuda/*.go", "gpu/cuda/driver/*.go",
		"gpu/cuda/hosted/*.*", "gpu/cuda/hosted/testdata/*", "gpu/cuda/kernels/*.cu*", "gpu/papers/*/*.go"},
		contracts...)}
	Software = Slowly{"gpu/glcompute/testdata/passed.sha256", append([]string{"gpu/glcompute/*.go", "shaders/*.*"},
		contracts...)}
)

var contracts = []string{"gpu/enginetest/*.go", "model/work/engine/*.go", "model/maps/*/device.go",
	"model/clusters/linkage/device.go", "model/landmarks/train/device.go"}

// Whole reports whether the engine is to be tested in full: where BLOSSOM_LONG asks for it, or where the sources are
// not those that passed. Otherwise one part of each is enough.
func (s Slowly) Whole(t testing.TB) bool {
	kept, err := os.ReadFile(s.file(t))
	return os.Getenv("BLOSSOM_LONG") != "" || err != nil || strings.TrimSpace(string(kept)) != s.hash(t)
}

// Keep notes that the sources have passed in full.
func (s Slowly) Keep(t testing.TB) {
	if err := os.MkdirAll(filepath.Dir(s.file(t)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.file(t), []byte(s.hash(t)+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (s Slowly) file(t testing.TB) string {
	return filepath.Join(oracle.Root(t), filepath.FromSlash(s.kept))
}

// hash is of the names and the contents of the sources. Tests of the packages with contracts do not count.
func (s Slowly) hash(t testing.TB) string {
	root, all := oracle.Root(t), []string(nil)
	for _, pattern := range s.sources {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("there is no %s: the sources of an engine have moved", pattern)
		}
		for _, f := range files {
			name, _ := filepath.Rel(root, f)
			name = filepath.ToSlash(name)
			if !strings.HasPrefix(name, "model/") || !strings.HasSuffix(name, "_test.go") {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	sum := sha256.New()
	for _, name := range slices.Compact(all) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		sum.Write([]byte(name + "\x00"))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
