package scale

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// A file whose part is missing is named as it can be used in the working folder, wherever the plan lies.
func TestStatusNamesFilesAsTheyCanBeUsed(t *testing.T) {
	w := wished(t, 1)
	dir := filepath.Dir(w.Paths[0])
	t.Chdir(dir)
	w.Paths, w.Folder = []string{"s0.npy"}, filepath.Join("deep", "out")
	p := prepared(t, w)
	if p.Shards[0].Path != filepath.Join("..", "..", "s0.npy") {
		t.Errorf("the plan names %s", p.Shards[0].Path)
	}
	elsewhere := t.TempDir()
	for here, want := range map[string]string{dir: "s0.npy", elsewhere: filepath.Join(dir, "s0.npy")} {
		t.Chdir(here)
		p, err := Open(filepath.Join(dir, "deep", "out"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Status(t.Context())
		if err != nil || len(s.Missing) != 1 {
			t.Fatalf("%v: %v", s, err)
		}
		if got := s.Missing[0].Of; got != want {
			t.Errorf("in %s it is %s, not %s", here, got, want)
		} else if _, err := os.Stat(got); err != nil {
			t.Error(err)
		}
	}
}

// Beside what makes the parts already, which has begun at the first, they are made from the last on.
func TestPartsBesideOthersAreMadeFromTheLastOn(t *testing.T) {
	for beside, want := range map[bool][]int{false: {1, 2}, true: {0, 1}} {
		p := prepared(t, wished(t, 3))
		ctx, end := context.WithCancel(t.Context())
		o := &Options{Options: job.Options{Program: program}, Beside: beside}
		o.Progress = func(done, _ int64) {
			if done == 1 {
				end()
			}
		}
		todo := []int{0, 1, 2}
		if err := runHere(ctx, p, "", todo, o); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if got := missing(t, p); !slices.Equal(got, want) || !slices.Equal(todo, []int{0, 1, 2}) {
			t.Errorf("beside others %v: %v are missing, not %v", beside, got, want)
		}
	}
}

// A file with more rows than can be counted is several parts; that it should be one is refused before there is a plan.
func TestAPartHasNoMoreRowsThanCanBeCounted(t *testing.T) {
	w := wished(t, 1)
	head, err := os.ReadFile(w.Paths[0])
	if err != nil {
		t.Fatal(err)
	}
	const rows = 3_000_000_000
	text := strings.Replace(string(head[:128]), "(100, 35)", "(3000000000, 35)", 1)
	text = strings.Replace(text, "       \n", "\n", 1) // the head stays as long as it says
	if len(text) != 128 || !strings.Contains(text, "3000000000") {
		t.Fatalf("the head of a file is %q", head[:128])
	}
	w.Paths[0] = filepath.Join(filepath.Dir(w.Paths[0]), "huge.npy")
	if err := os.WriteFile(w.Paths[0], []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(w.Paths[0], 128+rows*35*4); err != nil {
		t.Skip("a file with holes cannot be made here: ", err)
	}
	for _, most := range []int{0, rows} {
		w.Most = most
		_, err := Prepare(t.Context(), w, nil)
		if err == nil || !strings.Contains(err.Error(), "3,000,000,000 rows, more than the 2,147,483,647 of a part") {
			t.Errorf("of parts with at most %d rows: %v", most, err)
		}
		if _, err := os.Stat(w.Folder); err == nil {
			t.Error("there is a folder")
		}
	}
	w.Most = 10_000_000
	if p, err := Prepare(t.Context(), w, nil); err != nil || len(p.Shards) != 300 || p.Rows() != rows {
		t.Errorf("%v", err)
	}
}

// A file that changes while a part of it is made is named, and nothing of the part stays.
func TestAFileThatChangesWhileItIsReadMakesNoPart(t *testing.T) {
	p := prepared(t, wished(t, 1))
	path, changed := p.at(p.Shards[0]), false
	o := job.Options{Program: program, Report: func(string, int64, int64) {
		if !changed {
			later := time.Now().Add(time.Hour)
			changed = os.Chtimes(path, later, later) == nil
		}
	}}
	_, err := p.Make(t.Context(), 0, o)
	if !changed || err == nil || !strings.Contains(err.Error(), "s0.npy: changed while it was read") {
		t.Errorf("changed meanwhile %v: %v", changed, err)
	}
	if got := missing(t, p); !slices.Equal(got, []int{0}) {
		t.Errorf("%v are missing", got)
	}
	if _, err := os.Stat(p.File(0)); err == nil {
		t.Error("a file of the part is there")
	}
	if _, err := p.Finish(t.Context(), false, nil); err == nil || !strings.Contains(err.Error(), "changed while") {
		t.Errorf("it is finished: %v", err)
	}
}
