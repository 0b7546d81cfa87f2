package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

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

// Whoever takes a format in the Export panel and the name that is proposed has a file of that format.
func TestEveryFormatOfAPictureIsSavedFromThePanel(t *testing.T) {
	folder := t.TempDir()
	a, d := begin(t, 1280, 1500, 1, Options{Paths: []string{"demo:tesseract:300"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "export"); a.settings.Folder = folder })
	d.Frames(3)
	begins := map[string]string{".png": "\x89PNG", ".svg": "<?xml", ".pdf": "%PDF"}
	for _, f := range figure.Formats() {
		d.ClickOn("export/File/" + f.Title)
		d.Frames(3)
		d.ClickOn("export/picture")
		d.Frames(5)
		d.Keys("Enter")
		var path string
		d.Wait("the picture is written", 60*time.Second, func() bool {
			found, _ := filepath.Glob(filepath.Join(folder, "*"+f.Ending))
			path = strings.Join(found, "")
			return path != "" && a.compute.jobs.Idle()
		})
		if file, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(file), begins[f.Ending]) {
			t.Errorf("%s: %.20q, %v", f.Title, file, err)
		}
	}
}

// The button that saves stays where it is while the picture that it is of changes its shape.
func TestTheButtonOfThePictureStaysWhereItIs(t *testing.T) {
	a, d := begin(t, 1280, 1500, 1, Options{Paths: []string{"demo:tesseract:300"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "export") })
	d.Frames(3)
	d.ClickOn("export/Size")
	d.Frames(3)
	d.ClickOn("export/Size/Own size")
	d.Frames(5)
	before := d.Rect("export/picture")
	d.Enter("export/Width", "4800")
	d.Frames(5)
	if now := d.Rect("export/picture"); now != before {
		t.Errorf("it was at %v and is at %v", before, now)
	}
	d.Shoot("export-wide")
}
