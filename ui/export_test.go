package ui

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/space/transform"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// The columns of the data are written with the values that are chosen, under names that say which; those of the
// map are the coordinates that its points have.
func TestColumnsAreExportedWithTheValuesThatAreChosen(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:300"}, Still: true})
	opened(t, a, d)
	for v, want := range map[transform.Values]string{"": "BUV496-A", transform.Raw: "BUV496-A",
		transform.Mapped: "BUV496-A [asinh:150]"} {
		path := filepath.Join(t.TempDir(), "out.csv")
		uitest.Do(func() { a.output.Coordinates(path, desk.Table{Columns: true, Values: v}) })
		d.Wait("the table is written", 20*time.Second, func() bool {
			return exists(path) &&
				len(a.compute.jobs.List()) == 0
		})
		ds, err := format.Open(t.Context(), path, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == want })
		if at < 0 {
			t.Fatalf("%q: there is no column %q", v, want)
		}
		table := a.desk.Table()
		dim := slices.Index(table.Cols, at)
		for i := range table.X.Rows {
			x := table.X.Row(i)[dim]
			row := int(table.Order[i])
			if v != transform.Mapped {
				x = a.desk.Doc.Data.Columns[at].Values[row]
			}
			if got := ds.Columns[at].Values[row]; got != x {
				t.Fatalf("%q: row %d is %g, not %g", v, row, got, x)
			}
		}
	}
}

// What is exported is what the active view shows, and says so.
func TestExportOfTheActiveView(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, Still: true})
	opened(t, a, d)
	d.Keys("Ctrl+D") // the second view is of the principal components
	rest(t, a, d)
	dir := t.TempDir()
	table := filepath.Join(dir, "out.csv")
	uitest.Do(func() { a.output.Coordinates(table, desk.Table{}) })
	d.Wait("the table is written", 20*time.Second, func() bool {
		return exists(table) &&
			len(a.compute.jobs.List()) == 0
	})
	text, err := os.ReadFile(table)
	if err != nil || !strings.HasPrefix(string(text), "pca1,pca2\n") {
		t.Fatalf("%.40q, %v", text, err)
	}
	order, pos := a.desk.Table().Order, a.active().Points().Host()
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	for i := range 1000 {
		for c, field := range strings.Split(lines[order[i]], ",") {
			if v, err := strconv.ParseFloat(field, 32); err != nil || float32(v) != pos[2*i+c] {
				t.Fatalf("point %d: %s in the file, %g on screen", i, field, pos[2*i+c])
			}
		}
	}
	for all, want := range map[bool]string{false: "PCA of 1000 points", true: "; PCA of 1000 points"} {
		name := filepath.Join(dir, "out.png")
		uitest.Do(func() { a.output.Picture(name, desk.Picture{All: all}) })
		d.Wait("the picture is written", 20*time.Second, func() bool {
			return exists(name) &&
				len(a.compute.jobs.List()) == 0
		})
		raw, err := os.ReadFile(name)
		key := []byte("tEXtDescription\x00")
		at := bytes.Index(raw, key)
		if err != nil || at < 4 {
			t.Fatalf("no description: %v", err)
		}
		size := int(binary.BigEndian.Uint32(raw[at-4:])) + len("tEXt")
		said := string(raw[at+len(key) : at+size])
		if !strings.HasSuffix(said, want) || all != strings.HasPrefix(said, "EmbedSOM of 1000 points, ") {
			t.Errorf("all %v: %q", all, said)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// Derived columns that are ticked in the panel are computed, and written beside the coordinates of the active view.
func TestExportOfDerivedColumns(t *testing.T) {
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "export") })
	d.Frames(3)
	if d.Has("export/derived density") {
		t.Error("derived columns are listed before they are asked for")
	}
	d.ClickOn("export/derived")
	d.Frames(2)
	if d.Has("export/derived x") {
		t.Error("the coordinates of the view are offered beside themselves")
	}
	for _, name := range []string{"fit residual", "neighbourhood loss", "nearest landmark"} {
		d.ClickOn("export/derived " + name)
		d.Frames(2)
	}
	d.Shoot("export-derived")
	uitest.Do(a.toggleTheme)
	d.Frames(2)
	d.Shoot("export-derived-dark")
	d.ClickOn("export/derived")
	d.Frames(2)
	for name, want := range map[string]string{
		"out.csv": "embedsom1,embedsom2,nearest landmark,fit residual,neighbourhood loss", "out.fcs": "",
	} {
		path := filepath.Join(t.TempDir(), name)
		uitest.Do(func() {
			a.output.Coordinates(path, desk.Table{Derived: []string{"nearest landmark", "fit residual",
				"neighbourhood loss"}})
		})
		d.Wait("the table is written", 60*time.Second, func() bool {
			return exists(path) &&
				len(a.compute.jobs.List()) == 0
		})
		ds, err := format.Open(t.Context(), path, format.Options{})
		if err != nil || len(ds.Columns) != 5 || ds.Points != 1500 {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for i := range ds.Columns {
			got = append(got, ds.Columns[i].Name)
		}
		if want != "" && strings.Join(got, ",") != want {
			t.Errorf("%q", got)
		}
		if want == "" && !strings.Contains(ds.Metadata[export.DerivedKey], "neighbourhood loss: ") {
			t.Errorf("%q", ds.Metadata)
		}
		for _, name := range got[3:] {
			made, _, err := a.desk.Column(name)
			if err != nil || made == nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range ds.Columns {
				if ds.Columns[i].Name != name {
					continue
				}
				for row, v := range ds.Columns[i].Values {
					if w := made.Values[row]; v != w && (v == v || w == w) {
						t.Fatalf("%s, row %d: %g, want %g", name, row, v, w)
					}
				}
			}
		}
	}
}
