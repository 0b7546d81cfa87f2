package scale

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/run"
)

// uneven writes files of so many rows each: of numbers with gaps, a constant column, and one of whole numbers that
// float32 does not hold.
func uneven(t *testing.T, r *rand.Rand, ext string, sizes ...int) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for f, n := range sizes {
		columns := []dataset.Column{{Name: "m0"}, {Name: "m1"}, {Name: "m2"}, {Name: "k"}, {Name: "wide"}}
		wide := make([]float64, n)
		for i := range n {
			for j := range 4 {
				x := r.NormFloat64()*float64(j+1) + 10*float64(r.IntN(3))
				if j == 3 {
					x = 5
				} else if r.IntN(700) == 0 {
					x = math.NaN()
				}
				columns[j].Values = append(columns[j].Values, float32(x))
			}
			wide[i] = float64(1<<24 + 1 + r.IntN(1000))
		}
		columns[4].SetExact(wide)
		ds, err := dataset.FromColumns(t.Context(), "f", columns)
		path := filepath.Join(dir, fmt.Sprintf("%02d%s", f, ext))
		if err == nil {
			err = format.Save(t.Context(), path, ds, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// byRanges has small files be read by ranges as large ones are.
func byRanges(t *testing.T) {
	was := job.ByRangesFrom
	job.ByRangesFrom = 1
	t.Cleanup(func() { job.ByRangesFrom = was })
}

// outlines are tables of files as a training has them.
func outlines(t *testing.T, s *run.Flags, paths []string) *dataset.Dataset {
	t.Helper()
	ds, err := source.Outlines(t.Context(), paths, s.Input.Match, s.Input.Options())
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// said is all that is known of a table but its values.
func said(ds *dataset.Dataset) string {
	text := fmt.Sprint(ds.Name, ds.Path, ds.Parts, ds.Format, ds.Points, ds.Total, ds.Metadata, ds.Keywords,
		ds.Warnings, ds.Reading, ds.Found, ds.Unsure, ds.Cells, ds.Headed, ds.Matrices, ds.Unread)
	for i := range ds.Columns {
		c := ds.Columns[i]
		text += fmt.Sprintf("\n%s %s %v %s %+v %v %v %v %v %v", c.Name, c.Label, c.Role, c.Why, c.Stats, c.Log, c.Gain,
			c.Range, c.Sample(), c.FarAway())
	}
	for _, from := range ds.Sources {
		for _, c := range from.Columns {
			text += fmt.Sprintf("\n%s %s %v %s %+v", from.Name, c.Name, c.Role, c.Why, c.Stats)
		}
	}
	return text
}

// surveying is a training whose parts are made one after the other in any order, each by what another process reads;
// made counts them by the folders of their plans.
func surveying(s *run.Flags, paths []string, folder string, r *rand.Rand, made map[string]int) *Training {
	return &Training{Wish: Wish{Flags: s, Paths: paths, Folder: folder, Program: program},
		Make: func(ctx context.Context, p *Plan, _, _ int, _ string) error {
			todo, err := p.Missing(ctx, true, nil)
			if err != nil {
				return err
			}
			r.Shuffle(len(todo), func(i, k int) { todo[i], todo[k] = todo[k], todo[i] })
			for _, part := range todo {
				again, err := Open(p.Folder())
				if err == nil {
					_, err = again.Make(ctx, part, job.Options{Program: program})
				}
				if err != nil {
					return err
				}
				made[filepath.Base(p.Folder())]++
			}
			_, err = p.Finish(ctx, false, nil)
			return err
		}}
}

// Columns that parts tell of make the table that one machine finds, and the landmarks, to the last bit, of files of all
// formats, however rows lie in them, and by any number of workers.
func TestColumnsThatPartsTellOfAreThoseOfOneMachine(t *testing.T) {
	byRanges(t)
	r := rand.New(rand.NewPCG(rand.Uint64(), 12))
	for _, ext := range []string{".npy", ".csv", ".fcs", ".parquet"} {
		for _, sizes := range [][]int{{20_000}, {17_000, 300, 4096}, {5, 2000, 9000, 1, 4000, 4091, 3000}} {
			was := runtime.GOMAXPROCS(1 + len(sizes)%2)
			paths, made := uneven(t, r, ext, sizes...), map[string]int{}
			s := settled(func(s *run.Flags) {
				s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs = "4x3", "som-batch", 1
				s.Input.ByRanges, s.Space.Exclude = true, "5"
			})
			what, dir := fmt.Sprint(ext, " ", len(sizes)), t.TempDir()
			want := said(outlines(t, s, paths))
			one, parts := filepath.Join(dir, "one.json"), filepath.Join(dir, "parts.json")
			if err := landmarks(t, t.Context(), *s, paths, one, nil); err != nil {
				t.Fatal(what, err)
			}
			tr := surveying(s, paths, parts+".parts", r, made)
			if err := tr.Survey(t.Context()); err != nil {
				t.Fatal(what, err)
			}
			if got := said(outlines(t, s, paths)); got != want {
				t.Errorf("%s: the table is\n%.3000s\nand not\n%.3000s", what, got, want)
			}
			if err := landmarks(t, t.Context(), *s, paths, parts, tr); err != nil {
				t.Fatal(what, err)
			}
			a, err1 := os.ReadFile(one)
			b, err2 := os.ReadFile(parts)
			if err1 != nil || err2 != nil || !bytes.Equal(a, b) || made[columnsFolder] != len(sizes) {
				t.Errorf("%s: other landmarks, of %v (%v, %v)", what, made, err1, err2)
			}
			if tr.Remove(); IsFolder(filepath.Join(tr.Folder, columnsFolder)) {
				t.Errorf("%s: something is left of the columns", what)
			}
			runtime.GOMAXPROCS(was)
		}
	}
}

// Parts that tell of columns are made again where they are torn, and no others; who goes on does not make them twice. A
// file that has changed since is named, and so is one that changes before the next stage.
func TestTellingOfColumnsGoesOn(t *testing.T) {
	byRanges(t)
	r := rand.New(rand.NewPCG(5, 13))
	paths, made := uneven(t, r, ".npy", 9000, 300, 8000), map[string]int{}
	s := settled(func(s *run.Flags) {
		s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs, s.Input.ByRanges = "4x3", "som-batch", 1, true
	})
	folder, killed := filepath.Join(t.TempDir(), "l.json.parts"), errors.New("killed")
	tr := surveying(s, paths, folder, r, made)
	make := tr.Make
	tr.Make = func(ctx context.Context, p *Plan, _, _ int, _ string) error {
		for part := range 2 {
			if _, err := p.Make(ctx, part, job.Options{Program: program}); err != nil {
				return err
			}
		}
		if err := os.Truncate(p.File(1), 30); err != nil {
			return err
		}
		return killed
	}
	if err := tr.Survey(t.Context()); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	p, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := p.Status(t.Context()); err != nil || s.Parts != 3 || s.Done != 1 || s.Finished {
		t.Errorf("%+v, %v", s, err)
	}
	tr.Make = make
	for range 2 {
		if err := tr.Survey(t.Context()); err != nil || made[columnsFolder] != 2 {
			t.Fatalf("%v were made: %v", made, err)
		}
	}
	if s, err := p.Status(t.Context()); err != nil || s.Done != 3 || !s.Finished || s.Step != "columns" {
		t.Errorf("%+v, %v", s, err)
	}
	if flaws, err := Damaged(t.Context(), p, true, nil); err != nil || len(flaws) > 0 { // its parts have gone
		t.Error(flaws, err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(paths[1], later, later); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "l.json")
	for what, err := range map[string]error{
		"of another training, in columns":         tr.Survey(t.Context()),
		filepath.Base(paths[1]) + ": has changed": landmarks(t, t.Context(), *s, paths, out, tr)} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%q is not said: %v", what, err)
		}
	}
}

// The same training in another process may merge the parts of a stage and take them away, or all of the folder: the
// first is as good as its own, the second is said.
func TestASecondTrainingInTheSameFolderGoesOn(t *testing.T) {
	byRanges(t)
	r := rand.New(rand.NewPCG(5, 15))
	paths, made := uneven(t, r, ".npy", 9000, 300), map[string]int{}
	s := settled(func(s *run.Flags) {
		s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs, s.Input.ByRanges = "4x3", "som-batch", 1, true
	})
	folder := filepath.Join(t.TempDir(), "l.json.parts")
	here, there := *s, *s
	faster := surveying(&there, paths, folder, r, made)
	tr := surveying(&here, paths, folder, r, made)
	then := func() {}
	tr.Make = func(ctx context.Context, p *Plan, _, _ int, _ string) error {
		if err := faster.Survey(ctx); err != nil {
			return err
		}
		then()
		_, err := os.Open(p.File(1)) // as who merges them
		return err
	}
	if err := tr.Survey(t.Context()); err != nil || here.Input.Known == nil || made[columnsFolder] != 2 {
		t.Errorf("%v were made: %v", made, err)
	}
	faster.Remove()
	then = faster.Remove
	err := tr.Survey(t.Context())
	if err == nil || !strings.Contains(err.Error(), "l.json.parts: has gone while it was in use: the same training") {
		t.Error(err)
	}
	failed := errors.New("a disk fails")
	tr.Make = func(context.Context, *Plan, int, int, string) error { return failed }
	if err := tr.Survey(t.Context()); !errors.Is(err, failed) || err.Error() != failed.Error() {
		t.Error(err)
	}
}

// Files of texts, and small ones, are looked at by who trains.
func TestColumnsOfTextsAreLookedAtWhereTheTrainingIs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 14))
	paths, made := uneven(t, r, ".csv", 17_000), map[string]int{}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\n"), []byte(",B\n"))
	if err := os.WriteFile(paths[0], bytes.Replace(text, []byte(",B\n"), []byte(",kind\n"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	s := settled(func(s *run.Flags) { s.Input.ByRanges = true })
	tr := surveying(s, paths, filepath.Join(t.TempDir(), "l.json.parts"), r, made)
	if err := tr.Survey(t.Context()); err != nil || len(made) > 0 || s.Input.Known != nil {
		t.Errorf("of a small file %v: %v", made, err)
	}
	byRanges(t)
	want := said(outlines(t, s, paths))
	if err := tr.Survey(t.Context()); err != nil || made[columnsFolder] != 1 {
		t.Fatal(made, err)
	}
	if ds, err := s.Input.Known(paths[0]); ds != nil || err != nil {
		t.Errorf("a file of texts is told of: %v", err)
	}
	if got := said(outlines(t, s, paths)); !reflect.DeepEqual(got, want) {
		t.Errorf("%.300s\nis not\n%.300s", got, want)
	}
}
