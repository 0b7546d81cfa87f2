package scale

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "blossom/gpu/reference"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/run"
)

const program = "blossom of a test"

// wished is the wish of parts of so many files of 100 rows and more, and of a sample of 50 rows, in a new folder.
func wished(t *testing.T, files int) Wish {
	t.Helper()
	dir := t.TempDir()
	save := func(path, name string) {
		ds, err := source.Read(t.Context(), name, format.Options{})
		if err == nil {
			err = format.Save(t.Context(), path, ds, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	flags := run.Defaults()
	flags.Machine.Engine = "reference"
	flags.Origin.LandmarksHD, flags.Origin.LandmarksLD = filepath.Join(dir, "hd.npy"), filepath.Join(dir, "ld.csv")
	save(flags.Origin.LandmarksHD, "demo:cytometry:60")
	places := "x,y\n"
	for i := range 60 {
		places += fmt.Sprintf("%d,%d\n", i%8, i/8)
	}
	if err := os.WriteFile(flags.Origin.LandmarksLD, []byte(places), 0o666); err != nil {
		t.Fatal(err)
	}
	w := Wish{Flags: &flags, Want: &job.Embedding{}, Folder: filepath.Join(dir, "out"), Output: ".npy", Shown: 50,
		Program: program}
	for i := range files {
		path := filepath.Join(dir, fmt.Sprintf("s%d.npy", i))
		save(path, fmt.Sprintf("demo:cytometry:%d", 100+i))
		w.Paths = append(w.Paths, path)
	}
	return w
}

// prepared is the plan of a wish.
func prepared(t *testing.T, w Wish) *Plan {
	t.Helper()
	p, err := Prepare(t.Context(), w, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// make1 makes parts of a plan.
func make1(t *testing.T, p *Plan, parts ...int) {
	t.Helper()
	for _, i := range parts {
		if _, err := p.Make(t.Context(), i, job.Options{Program: program}); err != nil {
			t.Fatal(err)
		}
	}
}

// missing are the parts that another process would find missing.
func missing(t *testing.T, p *Plan) []int {
	t.Helper()
	p, err := Open(p.Folder())
	if err != nil {
		t.Fatal(err)
	}
	parts, err := p.Missing(t.Context(), true, nil)
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

// A sample of a part that is away, torn or damaged makes the part missing, and it is made again with the same bytes.
func TestDamagedSamplesAreMadeAgain(t *testing.T) {
	p := prepared(t, wished(t, 3))
	make1(t, p, 0, 1, 2)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(p.Folder(), SampleFile)
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.sample(2))
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(p.sample(2), text, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(p.sample(1), 100); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(p.sample(0)); err != nil {
		t.Fatal(err)
	}
	if got := missing(t, p); !slices.Equal(got, []int{0, 1, 2}) {
		t.Fatalf("missing are %v", got)
	}
	if _, err := p.Finish(t.Context(), false, nil); err == nil {
		t.Error("they were taken for whole by who has known them otherwise")
	}
	make1(t, p, 0, 1, 2)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(whole); err != nil || !slices.Equal(got, want) {
		t.Errorf("the sample is another one than before (%v)", err)
	}
}

// Rows of the sample have the name of the file that they are of.
func TestRowsOfTheSampleAreOfTheirFiles(t *testing.T) {
	p := prepared(t, wished(t, 3))
	make1(t, p, 0, 1, 2)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	ds, err := source.Read(t.Context(), filepath.Join(p.Folder(), SampleFile), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == dataset.FileColumn })
	if at < 0 {
		t.Fatal("it does not say of which files its rows are")
	}
	got := slices.Sorted(slices.Values(ds.Columns[at].Categories))
	if !slices.Equal(got, []string{"s0.npy", "s1.npy", "s2.npy"}) {
		t.Errorf("they are of %q", got)
	}
}

// Parts of a finished folder that are gone, with their folder, are told as such, and are made again.
func TestPartsThatAreGone(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	want, err := p.Finish(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(p.Folder(), partsFolder)); err != nil {
		t.Fatal(err)
	}
	if s, err := p.Status(t.Context()); err != nil || s.Gone != 2 || len(s.Missing) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	make1(t, p, 0, 1)
	got, err := p.Finish(t.Context(), false, nil)
	if err != nil || !slices.Equal(got.Parts, want.Parts) {
		t.Errorf("%+v (%v), before %+v", got, err, want)
	}
	if s, err := p.Status(t.Context()); err != nil || s.Gone != 0 || !s.Finished {
		t.Errorf("%+v, %v", s, err)
	}
}

// Data of a part that are others than in the plan are told with what can be done: plan anew.
func TestDataWithOtherRowsThanItsPlan(t *testing.T) {
	p := prepared(t, wished(t, 2))
	p.Shards[1].Rows-- // the file has its size and its time, as if its head had been misread
	_, err := p.Make(t.Context(), 1, job.Options{Program: program})
	if err == nil || !strings.Contains(err.Error(), "plan anew") || strings.Contains(err.Error(), "--changed") {
		t.Error(err)
	}
	if _, err := os.Stat(p.File(1)); err == nil {
		t.Error("a part was left behind")
	}
}
