package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/scale"
)

// laidTable writes the rows of cytometry as one file of text, and as two.
func laidTable(t *testing.T, dir string, rows int) {
	t.Helper()
	ok(t, dir, "demo", fmt.Sprintf("cytometry:%d", rows), "-o", "all.csv")
	lines := strings.SplitAfter(text(t, filepath.Join(dir, "all.csv")), "\n")
	write(t, filepath.Join(dir, "a.csv"), strings.Join(lines[:rows/3], ""))
	write(t, filepath.Join(dir, "b.csv"), lines[0]+strings.Join(lines[rows/3:], ""))
}

// fewUnits are the flags of a quick map.
var fewUnits = map[string]string{"tsne": "--units=30", "umap": "--epochs=10"}

// One command lays a sample of all rows out and places all rows in its map: the sample has the same rows however these
// lie in files, its map is that of a command on the sample alone, and the folder has the counts of all rows.
func TestASampleIsLaidOutAndAllRowsArePlacedInItsMap(t *testing.T) {
	dir := t.TempDir()
	laidTable(t, dir, 240)
	for _, kind := range []string{"tsne", "umap"} {
		how := []string{"--shown", "90", "--scale", fewUnits[kind], "--engine", "cpu"}
		ok(t, dir, append([]string{kind, "a.csv", "b.csv", "-o", kind + "/", "--part-rows", "50"}, how...)...)
		ok(t, dir, append([]string{kind, "all.csv", "-o", kind + "-2/"}, how...)...)
		one, two := filepath.Join(dir, kind), filepath.Join(dir, kind+"-2")
		if !slices.Equal(joined(t, one), joined(t, two)) {
			t.Errorf("%s: other places where rows lie otherwise in files", kind)
		}
		for _, name := range []string{scale.LaidMap, "pyramid/pyramid.json"} {
			if text(t, filepath.Join(one, name)) != text(t, filepath.Join(two, name)) {
				t.Errorf("%s: %s is another one where rows lie otherwise in files", kind, name)
			}
		}
		ok(t, dir, kind, kind+"/sample.parquet", "--scale", fewUnits[kind], "--engine", "cpu", "-o", "again.npy")
		if text(t, filepath.Join(dir, "again.npy")) != text(t, filepath.Join(one, scale.LaidMap)) {
			t.Errorf("%s: the sample alone has another map", kind)
		}
		if m := manifest(t, one); m.Rows != 240 || m.Shown != 90 || len(m.Parts) != 6 {
			t.Errorf("%s: %d rows, %d of the sample, in %d parts", kind, m.Rows, m.Shown, len(m.Parts))
		}
		said := ok(t, dir, "status", kind, "--quality").stdout
		if !strings.Contains(said, "quality of the sample: R_NX") {
			t.Errorf("it says %q", said)
		}
	}
}

// A layout that was killed between any two files goes on by resume, and by the same command, to the same bytes; a map
// that is damaged is made again, and parts of it with it, and a part alone says that it has nothing to be placed in.
func TestALayoutInPartsGoesOnWhereItWas(t *testing.T) {
	dir := t.TempDir()
	laidTable(t, dir, 150)
	how := []string{"tsne", "a.csv", "b.csv", "--shown", "60", "--units=30", "--engine", "cpu", "--quiet"}
	ok(t, dir, append(how, "-o", "want/")...)
	want := joined(t, filepath.Join(dir, "want"))
	out := filepath.Join(dir, "out")

	later := append(how, "-o", "out/", "--runner", "print:sge")
	said := ok(t, dir, later...).stdout
	if !strings.Contains(said, "#$ -t 1-2") || !strings.Contains(said, "sample/plan.json") {
		t.Fatalf("the job of the sample: %s", said)
	}
	if said := ok(t, dir, "status", "out").stdout; !strings.HasPrefix(said, "the sample: 0 of 2 parts") {
		t.Error(said)
	}
	blossom(t, dir, "part", "out", "--shard", "0/2").refused(t, 1, "is not there")
	ok(t, dir, "part", "out/sample/plan.json", "--shard", "0/2") // as the scheduler would, which is killed then
	if said := ok(t, dir, "status", "out").stdout; !strings.HasPrefix(said, "the sample: 1 of 2 parts") {
		t.Error(said)
	}
	ok(t, dir, "resume", "out", "--quiet")
	if !slices.Equal(joined(t, out), want) {
		t.Error("what was gone on with has other places")
	}
	for _, gone := range [][]string{{scale.LayoutFile, scale.LaidMap}, {scale.LayoutFile, scale.SampleFile},
		{scale.LaidMap}, {scale.ManifestFile, "parts/000001.json", scale.ShownFile}} {
		for _, name := range gone {
			if err := os.Remove(filepath.Join(out, name)); err != nil {
				t.Fatal(err)
			}
		}
		ok(t, dir, append(how, "-o", "out/")...)
		for _, name := range append(gone, scale.ManifestFile) {
			got, err1 := os.ReadFile(filepath.Join(out, name))
			made, err2 := os.ReadFile(filepath.Join(dir, "want", name))
			if err1 != nil || err2 != nil || !bytes.Equal(got, made) && !strings.HasSuffix(name, "json") {
				t.Errorf("without %v: %s is another one (%v, %v)", gone, name, err1, err2)
			}
		}
		if !slices.Equal(joined(t, out), want) {
			t.Errorf("without %v: other places", gone)
		}
	}
	write(t, filepath.Join(out, scale.LaidMap), "torn")
	ok(t, dir, "resume", "out", "--quiet")
	if !slices.Equal(joined(t, out), want) {
		t.Error("a map that was torn is not made again")
	}
}

// Flags that a layout in parts cannot have are told before anything is written.
func TestWhatALayoutInPartsCannotHave(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "cytometry:60", "-o", "a.npy")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--keep", []string{"tsne", "a.npy", "--keep"}},
		{"--graph-out", []string{"umap", "a.npy", "--graph-out", "g.npy"}},
		{"no positions yet", []string{"tsne", "a.npy", "--start", "a.npy"}},
		{"--shown", []string{"tsne", "a.npy", "--shown", "0"}},
		{"--max-points", []string{"umap", "a.npy", "--max-points", "20"}},
		{"coordinates alone", []string{"umap", "a.npy", "--append"}},
		{"--fill", []string{"umap", "a.npy", "--fill", "median"}},
		{"--shown", []string{"tsne", "a.npy", "--into", "a.npy", "--map", "a.npy", "--shown", "5"}},
	} {
		blossom(t, dir, append(c.args, "-o", "out/")...).refused(t, 2, c.want)
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a folder was made")
	}
	blossom(t, dir, "tsne", "a.npy", "-o", "b.npy", "--shown", "5").refused(t, 2, "--shown")
}

// A folder of parts is no folder of data: what reads tables refuses it, and names the table of its sample, or how to
// finish it. A folder in which another program has a file of the name of a plan is one of data.
func TestAFolderOfPartsIsNoFolderOfData(t *testing.T) {
	dir := t.TempDir()
	laidTable(t, dir, 150)
	ok(t, dir, "tsne", "a.csv", "b.csv", "-o", "laid/", "--shown", "60", "--units=30", "--engine", "cpu")
	for _, args := range [][]string{{"info"}, {"tsne", "-o", "t.npy"}, {"tsne", "-o", "t/"}, {"umap", "-o", "u.npy"},
		{"train", "-o", "m.json"}, {"train", "-o", "m.json", "--runner", "local"}, {"convert", "c.npy"}} {
		args = slices.Insert(slices.Clone(args), 1, "laid/")
		blossom(t, dir, args...).refused(t, 1, "laid/: is a folder of parts, no folder of data", "laid/sample.parquet")
	}
	for _, name := range []string{scale.ManifestFile, scale.LayoutFile} {
		if err := os.Remove(filepath.Join(dir, "laid", name)); err != nil {
			t.Fatal(err)
		}
	}
	blossom(t, dir, "info", "laid/").refused(t, 1, "is not finished", "blossom resume laid/")
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "data", scale.PlanFile), `{"plan": "of somebody"}`)
	write(t, filepath.Join(dir, "data", "a.csv"), "x,y\n1,2\n3,4\n")
	ok(t, dir, "info", "data")
}

// While something is at work on a folder status says so, of its map, too, and another resume beside it does.
func TestStatusSaysThatSomethingIsAtWork(t *testing.T) {
	dir := t.TempDir()
	laidTable(t, dir, 150)
	ok(t, dir, "tsne", "a.csv", "b.csv", "-o", "laid/", "--shown", "60", "--units=30", "--engine", "cpu")
	if err := os.RemoveAll(filepath.Join(dir, "laid", "parts")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{scale.ManifestFile, scale.LayoutFile} {
		if err := os.Remove(filepath.Join(dir, "laid", name)); err != nil {
			t.Fatal(err)
		}
	}
	const going, idle = "something is at work on it", "go on with: blossom resume laid"
	if said := ok(t, dir, "status", "laid").stdout; !strings.Contains(said, idle) || strings.Contains(said, going) {
		t.Errorf("nothing is at work, and it says %q", said)
	}
	plan, err := scale.Open(filepath.Join(dir, "laid"))
	if err != nil {
		t.Fatal(err)
	}
	_, release := plan.Hold(t.Context())
	defer release()
	if said := ok(t, dir, "status", "laid").stdout; !strings.Contains(said, going) || strings.Contains(said, idle) {
		t.Errorf("something is at work, and it says %q", said)
	}
	if said := ok(t, dir, "status", "laid", "--json").stdout; !strings.Contains(said, `"going": true`) {
		t.Errorf("for programs it says %q", said)
	}
	if said := ok(t, dir, "resume", "laid").stderr; !strings.Contains(said, going+" already") {
		t.Errorf("a second resume says %q", said)
	}
}
