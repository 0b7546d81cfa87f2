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
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
)

// cut writes rows of random values into so many files of random sizes, and returns their names.
func cut(t *testing.T, dir string, r *rand.Rand, rows, files int, ext string) (paths []string) {
	t.Helper()
	cuts := map[int]bool{0: true}
	for len(cuts) < files {
		cuts[r.IntN(rows)] = true
	}
	columns := make([][]float32, 4)
	save := func() {
		var of []dataset.Column
		for j := range columns {
			of = append(of, dataset.Column{Name: fmt.Sprint("m", j), Values: columns[j]})
			columns[j] = nil
		}
		path := filepath.Join(dir, fmt.Sprintf("%03d%s", len(paths), ext))
		ds, err := dataset.FromColumns(t.Context(), "m", of)
		if err == nil {
			err = format.Save(t.Context(), path, ds, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for i := range rows {
		if i > 0 && cuts[i] {
			save()
		}
		for j := range columns {
			x := float32(r.NormFloat64() * math.Pow(3, float64(j)) * float64(1+i%7))
			if i%499 == 3 && j == 1 {
				x = float32(math.NaN())
			}
			columns[j] = append(columns[j], x)
		}
	}
	save()
	return paths
}

// settled are flags of a training of the reference engine.
func settled(set func(*run.Flags)) *run.Flags {
	s := run.Defaults()
	s.Machine.Engine = "reference"
	set(&s)
	return &s
}

// landmarks is the file of a training of all files; in makes the epochs; nil: they are made here.
func landmarks(t *testing.T, ctx context.Context, s run.Flags, paths []string, out string, in *Training) error {
	t.Helper()
	l := &job.Landmarks{Output: out}
	if in != nil {
		l.Epochs, l.Deviations, l.Counted = in.Epochs, in.Deviations, in.Counted
	}
	j, err := job.Open(ctx, &s, paths, false, nil)
	if err == nil {
		err = j.ForMap(ctx, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(l)
	_, err = job.Execute(ctx, j, job.Options{Program: program})
	return err
}

// trainedBoth trains on one machine, and in parts of which make makes the epochs, and compares the bytes.
func trainedBoth(t *testing.T, paths []string, s *run.Flags, make func(context.Context, *Plan, int) error) {
	t.Helper()
	dir := t.TempDir()
	one, parts := filepath.Join(dir, "one.json"), filepath.Join(dir, "parts.json")
	if err := landmarks(t, t.Context(), *s, paths, one, nil); err != nil {
		t.Fatal(err)
	}
	tr := &Training{Wish: Wish{Flags: s, Paths: paths, Folder: parts + ".parts", Program: program},
		Make: func(ctx context.Context, p *Plan, epoch, _ int, _ string) error { return make(ctx, p, epoch) }}
	if err := tr.Check(); err != nil {
		t.Fatal(err)
	}
	if err := landmarks(t, t.Context(), *s, paths, parts, tr); err != nil {
		t.Fatal(err)
	}
	want, err1 := os.ReadFile(one)
	got, err2 := os.ReadFile(parts)
	if err1 != nil || err2 != nil || !bytes.Equal(want, got) {
		t.Errorf("other landmarks in parts (%v, %v):\n%.300s\n%.300s", err1, err2, got, want)
	}
	tr.Remove()
	if _, err := os.Stat(tr.Folder); err == nil {
		t.Error("something is left of the parts")
	}
}

// Training in parts gives the landmarks of one machine, to the last bit, however rows lie in files, and whatever order
// parts are made in, also where some are made twice.
func TestTrainingInPartsGivesTheLandmarksOfOneMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 7))
	for name, set := range map[string]func(*run.Flags){
		"a grid": func(s *run.Flags) { s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs = "5x4", "som-batch", 4 },
		"a grid, scaled": func(s *run.Flags) {
			s.Origin.SOM, s.Origin.Topology, s.Origin.Algorithm, s.Origin.Epochs = "4x4", "hex", "som-batch", 3
			s.Space.Scale, s.Space.Transforms = true, []string{"asinh:5"}
		},
		"k-means": func(s *run.Flags) { s.Origin.KMeans, s.Origin.Epochs = 6, 9 },
	} {
		files := 1 + r.IntN(9)
		paths := cut(t, t.TempDir(), r, 2000+r.IntN(2000), files, []string{".npy", ".csv", ".parquet"}[r.IntN(3)])
		t.Logf("%s, %d files", name, files)
		scaled := false
		trainedBoth(t, paths, settled(set), func(ctx context.Context, p *Plan, _ int) error {
			order := append(r.Perm(len(p.Shards)), r.IntN(len(p.Shards)))
			for _, part := range order {
				again, err := Open(p.Folder()) // as another process would
				if err == nil {
					sums, is := again.Jobs[0].Wanted[0].(*job.Sums)
					if is && (sums.Salt != nil) != (name == "k-means") {
						t.Errorf("%s draws strays by %v", name, sums.Salt)
					}
					scaled = scaled || !is
					_, err = again.make(ctx, part, job.Options{Program: program})
				}
				if err != nil {
					return err
				}
			}
			_, err := p.Finish(ctx, false, nil)
			return err
		})
		if scaled != (name == "a grid, scaled") {
			t.Errorf("%s: deviations were made of parts: %v", name, scaled)
		}
	}
}

// The points of a table that is not in memory are counted in parts before the first epoch, with the rows that landmarks
// begin at: what begins the training is what it is on one machine, and files that are other points are told.
func TestTheRowsThatATrainingBeginsAtAreFoundInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 11))
	dir, paths := t.TempDir(), []string{}
	for i := range 2 {
		sub := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(sub, 0o777); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, cut(t, sub, r, 201_000+r.IntN(2000), 1, ".npy")...)
	}
	how := map[string]func(*run.Flags){"k-means": func(s *run.Flags) { s.Origin.KMeans = 5 }}
	if os.Getenv("BLOSSOM_LONG") != "" {
		how["a grid, scaled"] = func(s *run.Flags) {
			s.Origin.SOM, s.Origin.Algorithm, s.Space.Scale = "5x4", "som-batch", true
		}
	}
	for name, set := range how {
		s := settled(set)
		begun := func(count run.Elsewhere) (*run.Start, error) {
			ds, err := source.Outlines(t.Context(), paths, s.Input.Match, format.Options{})
			if err != nil || !ds.Outlined() {
				t.Fatal(err)
			}
			c, err := s.Space.Choose(t.Context(), ds, run.Given{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := run.PointsByRange(t.Context(), ds, c.Cols, c.Spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, how, err := s.Origin.Training(ds)
			if err != nil {
				t.Fatal(err)
			}
			set := parts.Landmarks.Of(state.State{})
			if count == nil {
				return run.StartByRanges(t.Context(), p, b, set, how, 5, nil)
			}
			return run.StartCounted(t.Context(), p, count, b, set, how, 5)
		}
		counts := 0
		in := func(folder string, paths ...string) *Training {
			return &Training{Wish: Wish{Flags: s, Paths: paths, Folder: filepath.Join(t.TempDir(), folder),
				Most: 150_000, Program: program}, Make: func(ctx context.Context, p *Plan, _, _ int, _ string) error {
				counts++
				for _, part := range r.Perm(len(p.Shards)) {
					if _, err := p.Make(ctx, part, job.Options{Program: program}); err != nil {
						return err
					}
				}
				_, err := p.Finish(ctx, false, nil)
				return err
			}}
		}
		want, err := begun(nil)
		if err != nil {
			t.Fatal(err)
		}
		tr := in("p", paths...)
		again := map[string]int{"k-means": 2}[name]
		for range max(1, again) { // the second time it is there
			got, err := begun(tr.Counted)
			if err != nil {
				t.Fatal(name, err)
			}
			var one, other bytes.Buffer
			if err := errors.Join(want.File.Write(&one), got.File.Write(&other)); err != nil {
				t.Fatal(err)
			}
			a, b := want.Census, got.Census
			same := a.Rows == b.Rows && a.Valid == b.Valid && slices.Equal(a.Largest, b.Largest)
			for j := range a.Largest {
				same = same && a.Sum(j) == b.Sum(j)
			}
			if !same || !bytes.Equal(one.Bytes(), other.Bytes()) {
				t.Errorf("%s begins otherwise where points are counted in parts", name)
			}
		}
		if tr.Remove(); counts != 1 || IsFolder(filepath.Join(tr.Folder, censusFolder)) {
			t.Errorf("%s: points were counted %d times", name, counts)
		}
		if again == 0 {
			continue
		}
		_, err = begun(in("q", paths[1], paths[0]).Counted)
		if err == nil || !strings.Contains(err.Error(), "are not those of all together") {
			t.Errorf("%s: files in another order: %v", name, err)
		}
	}
}

// Parts that are torn, damaged or away are made again, and a training that was killed between any two parts goes on
// where it was, with the same landmarks.
func TestTrainingInPartsSurvivesKills(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 8))
	paths := cut(t, t.TempDir(), r, 1500, 4, ".npy")
	s := settled(func(s *run.Flags) { s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs = "4x3", "som-batch", 4 })
	dir := t.TempDir()
	one, parts := filepath.Join(dir, "one.json"), filepath.Join(dir, "parts.json")
	if err := landmarks(t, t.Context(), *s, paths, one, nil); err != nil {
		t.Fatal(err)
	}
	killed, kills, made := errors.New("killed"), 0, 0
	tr := &Training{Wish: Wish{Flags: s, Paths: paths, Folder: parts + ".parts", Program: program}}
	tr.Make = func(ctx context.Context, p *Plan, epoch, _ int, _ string) error {
		todo, err := p.Missing(ctx, true, nil)
		if err != nil {
			return err
		}
		for _, part := range todo {
			if _, err := p.Make(ctx, part, job.Options{Program: program}); err != nil {
				return err
			}
			if made++; kills < 12 && r.IntN(3) == 0 {
				kills++
				switch path := p.File(r.IntN(len(p.Shards))); r.IntN(3) {
				case 0:
					_ = os.Truncate(path, 20)
				case 1:
					if text, err := os.ReadFile(path); err == nil {
						text[r.IntN(len(text))] ^= 4
						_ = os.WriteFile(path, text, 0o666)
					}
				}
				return killed
			}
		}
		_, err = p.Finish(ctx, false, nil)
		return err
	}
	for range 30 {
		err := landmarks(t, t.Context(), *s, paths, parts, tr)
		if err == nil {
			break
		}
		if !errors.Is(err, killed) && !strings.Contains(err.Error(), "parts are missing") { // one that was made is torn
			t.Fatal(err)
		}
	}
	want, err1 := os.ReadFile(one)
	got, err2 := os.ReadFile(parts)
	if err1 != nil || err2 != nil || !bytes.Equal(want, got) {
		t.Errorf("other landmarks after %d kills (%v, %v)", kills, err1, err2)
	}
	t.Logf("%d kills, %d parts made of 16", kills, made)
}

// A training in parts says what it cannot do before anything is made of it, and does not train on files whose rows are
// not those of the table that they make together.
func TestTrainingInPartsSaysWhatItCannotDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	paths := cut(t, t.TempDir(), r, 600, 2, ".npy")
	for want, set := range map[string]func(*run.Flags){
		"--algorithm som-batch": func(s *run.Flags) { s.Origin.SOM = "3x3" },
		"--max-points":          func(s *run.Flags) { s.Origin.KMeans, s.Input.MaxPoints = 3, 10 },
		"--equal-samples":       func(s *run.Flags) { s.Origin.KMeans, s.Origin.EqualSamples = 3, true },
		"--fill":                func(s *run.Flags) { s.Origin.KMeans, s.Space.Fill = 3, "median" },
	} {
		tr := &Training{Wish: Wish{Flags: settled(set), Paths: paths, Folder: t.TempDir(), Program: program}}
		if err := tr.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	s := settled(func(s *run.Flags) { s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs = "3x3", "som-batch", 2 })
	tr := &Training{Wish: Wish{Flags: s, Paths: paths[:1], Folder: filepath.Join(t.TempDir(), "p"), Program: program},
		Make: func(ctx context.Context, p *Plan, _, _ int, _ string) error {
			if err := runHere(ctx, p, "", []int{0}, &Options{Options: job.Options{Program: program}}); err != nil {
				return err
			}
			_, err := p.Finish(ctx, false, nil)
			return err
		}}
	err := landmarks(t, t.Context(), *s, paths, filepath.Join(t.TempDir(), "l.json"), tr)
	if err == nil || !strings.Contains(err.Error(), "are not those of all together") {
		t.Errorf("sums of one file of two: %v", err)
	}
	tr.Paths, s.Input.Seed = paths, 77 // it begins elsewhere
	err = landmarks(t, t.Context(), *s, paths, filepath.Join(t.TempDir(), "l.json"), tr)
	if err == nil || !strings.Contains(err.Error(), "of another training, in epoch-000") {
		t.Errorf("another training in the same folder: %v", err)
	}
}
