// Package folder makes finished folders of parts for tests of windows that open them.
package folder

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// Files are 5,000 points in two files.
func Files(t *testing.T) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	for i, n := range []int{3000, 2000} {
		ds, err := demo.Generate(t.Context(), "cytometry", n, uint64(i+1))
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.npy", i)))
		if err == nil {
			err = format.Save(t.Context(), paths[i], ds, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir, paths
}

// Trained writes a map of so many landmarks, as --som has it, that are trained on a file.
func Trained(t *testing.T, data, som, landmarks string) {
	t.Helper()
	s := run.Defaults()
	s.Origin.SOM = som
	j, err := job.Open(t.Context(), &s, []string{data}, false, nil)
	if err == nil {
		err = j.ForMap(t.Context(), &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(&job.Landmarks{Output: landmarks})
	if _, err := job.Execute(t.Context(), j, job.Options{Program: "a test"}); err != nil {
		t.Fatal(err)
	}
}

// Finished is a folder with the parts of Files on a map of so many landmarks, of which so many rows are shown.
func Finished(t *testing.T, som string, shown int) string {
	t.Helper()
	dir, paths := Files(t)
	s := run.Defaults()
	s.Origin.Landmarks = filepath.Join(dir, "map.json")
	Trained(t, paths[0], som, s.Origin.Landmarks)
	p, err := scale.Prepare(t.Context(), scale.Wish{Flags: &s, Want: &job.Embedding{}, Paths: paths,
		Folder: filepath.Join(dir, "out"), Output: ".npy", Shown: shown, Program: "a test"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	Make(t, p)
	return p.Folder()
}

// Make does what the program would: it makes the parts of a plan, and finishes its folder.
func Make(t *testing.T, p *scale.Plan) {
	t.Helper()
	program := "a test"
	if _, of, ok := strings.Cut(p.Fingerprint, " blossom"); ok {
		program = "blossom" + of
	}
	for part := range p.Shards {
		if _, err := p.Make(t.Context(), part, job.Options{Program: program}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
}
