package scale

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/problem"
)

// Files of a finished folder that are torn, changed or gone are named, parts that keep their size where all bytes are
// looked at, and to finish once more mends those that are not parts.
func TestDamagedFilesOfAFinishedFolderAreNamed(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	finish := func() {
		t.Helper()
		if _, err := p.Finish(t.Context(), false, nil); err != nil {
			t.Fatal(err)
		}
	}
	damaged := func(all bool, want ...string) {
		t.Helper()
		got, err := Damaged(t.Context(), p, all, nil)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v (%v), not %q", got, err, want)
		}
		for i, f := range got {
			if !strings.Contains(f.File+" "+f.What, want[i]) {
				t.Errorf("%v, not %q", f, want[i])
			}
		}
	}
	flip := func(path string) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	damaged(true) // nothing is finished
	finish()
	damaged(true)
	sample, shown := p.Sample(), filepath.Join(p.Folder(), ShownFile)
	flip(shown)
	if err := os.Truncate(sample, 50); err != nil {
		t.Fatal(err)
	}
	damaged(false, SampleFile+" has 50 of ", ShownFile+" has other bytes")
	if err := os.Remove(shown); err != nil {
		t.Fatal(err)
	}
	damaged(false, SampleFile, ShownFile+" is missing")
	finish()
	flip(p.File(1))
	damaged(false)
	damaged(true, "000001")
}

// A folder that is finished and whole is not written again; a tile of the density that is damaged is named, and made
// again from the parts.
func TestAFinishedFolderStaysAsItIs(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	finished := func() (files map[string]os.FileInfo, tile string) {
		t.Helper()
		m, err := p.Finish(t.Context(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		files = map[string]os.FileInfo{}
		for _, k := range m.Kept {
			if files[k.File], err = os.Stat(filepath.Join(p.Folder(), k.File)); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(k.File, ".npy.gz") {
				tile = k.File
			}
		}
		return files, tile
	}
	first, tile := finished()
	if first[SampleFile] == nil || tile == "" || first[PyramidFolder+"/pyramid.json"] == nil {
		t.Fatalf("%v are kept", first)
	}
	again, _ := finished()
	for name, st := range first {
		if !os.SameFile(st, again[name]) {
			t.Errorf("%s was written again", name)
		}
	}
	path := filepath.Join(p.Folder(), tile)
	was, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, was[:len(was)-1], 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if flaws, err := Damaged(t.Context(), p, false, nil); err != nil || len(flaws) != 1 || flaws[0].File != tile {
		t.Errorf("%v (%v) are damaged, not %s", flaws, err, tile)
	}
	finished()
	if now, err := os.ReadFile(path); err != nil || string(now) != string(was) {
		t.Errorf("%s is not as it was (%v)", tile, err)
	}
}

// Files beside that of a part are named as damaged, or missing, where all bytes are looked at; the part is made
// again, and then all is whole.
func TestDamagedFilesBesideAPartAreNamed(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	for path, harm := range map[string]func(string) error{
		p.countsOf(1): func(path string) error { return os.Truncate(path, 20) },
		p.countsOf(0): os.Remove,
		p.sample(1): func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				text[len(text)/2] ^= 1
				err = os.WriteFile(path, text, 0o666)
			}
			return err
		},
	} {
		if err := harm(path); err != nil {
			t.Fatal(err)
		}
		flaws, err := Damaged(t.Context(), p, true, nil)
		if err != nil || len(flaws) != 1 || filepath.Join(p.Folder(), flaws[0].File) != path {
			t.Errorf("%v (%v) are damaged, not %s", flaws, err, path)
		} else if _, err := os.Stat(path); flaws[0].Gone() != (err != nil) {
			t.Errorf("%s %s", path, flaws[0].What)
		}
		make1(t, p, missing(t, p)...)
		if flaws, err := Damaged(t.Context(), p, true, nil); err != nil || len(flaws) > 0 {
			t.Errorf("%v (%v) are damaged after %s was made again", flaws, err, path)
		}
	}
}

// To finish a folder that is finished and whole writes nothing, not even the manifest once more.
func TestFinishingAWholeFolderWritesNothing(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	seen := func() (all map[string]os.FileInfo) {
		if _, err := p.Finish(t.Context(), false, nil); err != nil {
			t.Fatal(err)
		}
		all = map[string]os.FileInfo{}
		err := filepath.Walk(p.Folder(), func(path string, st os.FileInfo, err error) error {
			all[path] = st
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := seen()
	if before[filepath.Join(p.Folder(), ManifestFile)] == nil {
		t.Fatal("there is no manifest")
	}
	for path, st := range seen() {
		if was := before[path]; was == nil || !os.SameFile(was, st) || !was.ModTime().Equal(st.ModTime()) {
			t.Errorf("%s was written again", path)
		}
	}
}

// A folder whose pyramid was there and is gone is said to be so, with how to make it again: it is not taken for one
// whose rows were not counted.
func TestALostPyramidIsTold(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	if w, err := WholeOf(p.Sample()); err != nil || w.Density == nil {
		t.Fatal(w, err)
	}
	if err := os.RemoveAll(filepath.Join(p.Folder(), PyramidFolder)); err != nil {
		t.Fatal(err)
	}
	var told *problem.Problem
	if _, err := WholeOf(p.Sample()); !errors.As(err, &told) || !strings.Contains(told.Remedy, "blossom resume") {
		t.Errorf("without its pyramid: %v", err)
	}
}
