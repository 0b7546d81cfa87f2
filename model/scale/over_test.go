package scale

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/clusters/linkage"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
)

// finished is the folder of a map of files, with so many parts.
func finished(t *testing.T, w Wish) *Plan {
	t.Helper()
	p := prepared(t, w)
	for i := range p.Shards {
		make1(t, p, i)
	}
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// values are those of the only column of a table.
func values(t *testing.T, path string) []float32 {
	t.Helper()
	ds, err := source.Read(t.Context(), path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ds.Columns[0].Values
}

// Rows of a finished folder get the clusters that they get when all files are clustered as one table, and as many rows
// as each cluster has are said.
func TestClustersOverPartsAreThoseOfOneTable(t *testing.T) {
	w := wished(t, 3)
	p := finished(t, w)
	n := 7
	var now state.State
	parts.Clusters.Put(&now, parts.ClusterChoice{Metric: linkage.Cosine, MinSamples: 1})
	clusters := &job.Job{}
	if err := clusters.PutState(now, "clusters"); err != nil {
		t.Fatal(err)
	}
	want := &job.Labels{NClusters: &n, OfLandmarks: true}
	next, err := p.Over(want, clusters.State, ".npy", filepath.Join(filepath.Dir(w.Folder), "labels"), program)
	if err == nil {
		err = next.Write(filepath.Join(filepath.Dir(w.Folder), "labels"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if next, err = Open(next.Folder()); err != nil { // as another process
		t.Fatal(err)
	}
	var got []float32
	for i := range next.Shards {
		make1(t, next, i)
		got = append(got, values(t, next.File(i))...)
	}
	m, err := next.Finish(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := *want
	one.Output = filepath.Join(t.TempDir(), "one.npy")
	j, err := job.Open(t.Context(), w.Flags, w.Paths, false, nil)
	if err == nil {
		err = j.ForMap(t.Context(), w.Flags)
	}
	if err == nil {
		err = j.PutState(now, "clusters")
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(&one)
	if _, err := job.Execute(t.Context(), j, job.Options{Program: program}); err != nil {
		t.Fatal(err)
	}
	all := values(t, one.Output)
	if !slices.Equal(got, all) {
		t.Errorf("other clusters in parts: %v, %v", got, all)
	}
	counted := make([]int64, one.Made.Cut.Clusters)
	for _, c := range all {
		if c >= 0 {
			counted[int(c)]++
		}
	}
	if !slices.Equal(m.Clusters, counted) || len(counted) < 2 {
		t.Errorf("clusters of %v rows, there are %v", m.Clusters, counted)
	}
	if _, err := p.Over(&job.Labels{OfLandmarks: true}, nil, ".npy", t.TempDir(), program); err == nil {
		t.Error("labels without a cut are planned")
	}
}

// The quality of a folder is the same however its rows lie in files.
func TestQualityDoesNotDependOnFiles(t *testing.T) {
	dir := t.TempDir()
	few := cut(t, t.TempDir(), rand.New(rand.NewPCG(rand.Uint64(), 4)), 900, 2, ".npy")
	s := settled(func(s *run.Flags) { s.Origin.SOM, s.Origin.Algorithm, s.Origin.Epochs = "4x4", "som-batch", 3 })
	path := filepath.Join(dir, "l.json")
	if err := landmarks(t, t.Context(), *s, few, path, nil); err != nil {
		t.Fatal(err)
	}
	s.Origin = run.Defaults().Origin
	s.Origin.Landmarks = path
	var qualities []float64
	for i, paths := range [][]string{few, split(t, few)} {
		p := finished(t, Wish{Flags: s, Want: &job.Embedding{}, Paths: paths, Output: ".npy", Shown: 700,
			Program: program, Folder: filepath.Join(dir, "out"+string(rune('a'+i)))})
		q, err := p.Quality(t.Context(), job.Options{Program: program})
		if err != nil || !(q.Trustworthiness > 0.5) || q.Points > 700 {
			t.Fatal(q, err)
		}
		qualities = append(qualities, q.RNX, q.Trustworthiness, q.Continuity)
	}
	for i := 3; i < len(qualities); i++ {
		if math.Float64bits(qualities[i]) != math.Float64bits(qualities[i%3]) {
			t.Fatalf("another quality: %v", qualities)
		}
	}
}

// split writes each of some files as two.
func split(t *testing.T, paths []string) (out []string) {
	t.Helper()
	for _, path := range paths {
		ds, err := source.Read(t.Context(), path, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for half := range 2 {
			to := path + "." + string(rune('a'+half)) + ".npy"
			rows := numbers(ds.Points)[:ds.Points/3]
			if half == 1 {
				rows = numbers(ds.Points)[ds.Points/3:]
			}
			some, err := taken(t.Context(), ds, rows)
			if err == nil {
				err = format.Save(t.Context(), to, some, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, to)
		}
	}
	return out
}
