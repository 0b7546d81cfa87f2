package scale

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"blossom/model/job"
)

// Programs that make the same plan at once all have it, and all make its parts; those of another one are refused.
func TestPlansAreMadeAtOnce(t *testing.T) {
	w := wished(t, 3)
	first := prepared(t, w)
	for round := range 4 {
		folder := filepath.Join(t.TempDir(), "out")
		var wait sync.WaitGroup
		had := make([]error, 6)
		for i := range had {
			wait.Go(func() {
				p := &Plan{Format: first.Format, Version: first.Version, Program: fmt.Sprint(i / 3 * round)}
				p.Fingerprint, p.Output, p.Shards, p.Jobs = first.Fingerprint, first.Output, first.Shards, first.Jobs
				had[i] = p.Write(folder)
			})
		}
		wait.Wait()
		refused := 0
		for _, err := range had {
			if errors.Is(err, ErrOther) && strings.Contains(err.Error(), "has the plan of other work") {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		if round == 0 && refused != 0 || round > 0 && refused != 3 {
			t.Errorf("%d of 6 are refused: %q", refused, had)
		}
	}
}

// A folder in which a program was killed while it planned takes a plan.
func TestAFolderOfAKilledPlanTakesOne(t *testing.T) {
	w := wished(t, 1)
	if err := os.MkdirAll(filepath.Join(w.Folder, partsFolder), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Folder, ".plan.json.blossom-01234567.part"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	p := prepared(t, w)
	err := os.WriteFile(filepath.Join(w.Folder, "mine"), nil, 0o666)
	if err == nil {
		err = os.Remove(filepath.Join(w.Folder, PlanFile))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(w.Folder); err == nil || !strings.Contains(err.Error(), "other files") {
		t.Error(err)
	}
}

// Parts that are made while others make or finish them are the same as those of one.
func TestPartsAreMadeAtOnce(t *testing.T) {
	w := wished(t, 3)
	prepared(t, w)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			p, err := Open(w.Folder)
			for i := range 3 {
				if err == nil {
					err = os.Remove(p.receipt(i)) // so that it is made once more
					if os.IsNotExist(err) {
						err = nil
					}
				}
				if err == nil {
					_, err = p.make(t.Context(), i, job.Options{Program: program})
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	p, err := Open(w.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wait.Go(func() {
			again, err := Open(w.Folder)
			if err == nil {
				_, err = again.make(t.Context(), 1, job.Options{Program: program})
			}
			if err != nil {
				t.Error(err)
			}
		})
		wait.Go(func() {
			again, err := Open(w.Folder)
			if err == nil {
				_, err = again.Finish(t.Context(), false, nil)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if m, err := p.Finish(t.Context(), false, nil); err != nil || m.Rows != 303 || m.Shown != 50 {
		t.Errorf("%+v, %v", m, err)
	}
}

// A plan that is larger than any is refused for its size, and one with impossible numbers for these.
func TestPlansOfNoPossibleSize(t *testing.T) {
	p := prepared(t, wished(t, 1))
	path := filepath.Join(p.Folder(), PlanFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{`"rows": 100`: "fewer rows or bytes", `"size": `: "fewer rows or bytes"} {
		at := strings.Index(string(text), from)
		if at < 0 {
			t.Fatal(from)
		}
		digits := at + strings.Index(from, " ") + 1
		odd := string(text[:digits]) + "-" + string(text[digits:])
		if err := os.WriteFile(path, []byte(odd), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", from, err)
		}
	}
	if err := os.Truncate(path, mostPlan+1); err != nil {
		t.Skip(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Error(err)
	}
}

// A plan behind a link finds its data, wherever the link leads.
func TestPlansBehindLinks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.MkdirAll(filepath.Join("far", "away", "disk"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("far", "away", "disk"), "lnk"); err != nil {
		t.Skip(err)
	}
	if os.Mkdir("data", 0o777) != nil || os.Symlink("data", "alias") != nil {
		t.Fatal("no folder")
	}
	if err := os.WriteFile(filepath.Join("data", "a.npy"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"lnk/o", "lnk", "o", "far/o", "alias/o/p"} {
		for _, path := range []string{"data/a.npy", "alias/a.npy", "./data/../data/a.npy"} {
			s, err := shardOf(path, folder)
			if err != nil || filepath.IsAbs(s.Path) {
				t.Fatal(s.Path, err)
			}
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := (&Plan{folder: folder}).unchanged(s); err != nil {
				t.Errorf("%s in %s: %v", path, folder, err)
			}
		}
	}
}

// A name that no plan can hold is refused before there is one.
func TestNamesThatAreNotUTF8(t *testing.T) {
	w := wished(t, 1)
	odd := filepath.Join(filepath.Dir(w.Folder), "s\xff.npy")
	if err := os.Rename(w.Paths[0], odd); err != nil {
		t.Skip(err)
	}
	w.Paths = []string{odd}
	_, err := Prepare(t.Context(), w, nil)
	if err == nil || !strings.Contains(err.Error(), "not UTF-8") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	if _, err := os.Stat(w.Folder); err == nil {
		t.Error("a folder was made")
	}
}
