package view_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/render"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// finished is a folder with the parts of several files, of which 500 rows are shown.
func finished(t *testing.T) (folder string) {
	t.Helper()
	dir := t.TempDir()
	for i, n := range []int{3000, 2000} {
		ds, err := demo.Generate(t.Context(), "cytometry", n, uint64(i+1))
		if err == nil {
			err = format.Save(t.Context(), filepath.Join(dir, fmt.Sprintf("%d.npy", i)), ds, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := run.Defaults()
	s.Origin.Landmarks = filepath.Join(dir, "map.json")
	trained(t, filepath.Join(dir, "0.npy"), s.Origin.Landmarks)
	p, err := scale.Prepare(t.Context(), scale.Wish{Flags: &s, Want: &job.Embedding{}, Paths: []string{
		filepath.Join(dir, "0.npy"), filepath.Join(dir, "1.npy")}, Folder: filepath.Join(dir, "out"), Output: ".npy",
		Shown: 500, Program: "a test"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for part := range p.Shards {
		if _, err := p.Make(t.Context(), part, job.Options{Program: "a test"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Finish(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	return p.Folder()
}

// trained writes landmarks that are trained on a file.
func trained(t *testing.T, data, landmarks string) {
	t.Helper()
	s := run.Defaults()
	s.Origin.SOM = "6x6"
	j, err := job.Open(t.Context(), &s, []string{data}, false, nil)
	if err == nil {
		err = j.ForMap(t.Context(), &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	j.Want(&job.Landmarks{Output: landmarks})
	if _, err := job.Execute(t.Context(), j, job.Options{Program: "a test"}); err != nil {
		t.Fatal(err)
	}
}

// A window on a finished folder shows how densely all rows lie, in the place of points of one colour, beneath those
// that say more or have moved on, and not where it is not wanted; files have it, too.
func TestAFinishedFolderShowsAllRows(t *testing.T) {
	folder := finished(t)
	s, d := begin(t, stand.Options{Data: scale.Shown(folder), W: 900, H: 700})
	drawn := func() (n int) {
		uitest.Do(func() { n = s.Desk.Stage.Scatter().PointsDrawn() })
		return n
	}
	inked := func(o render.PictureOptions) (n int, most uint8) {
		if o.Backdrop == nil {
			return 0, 0
		}
		uitest.Do(func() {
			img := o.Backdrop(o.View.Framed(300, 300).Projection())
			for i := 3; i < len(img.Pix); i += 4 {
				if most = max(most, img.Pix[i]); img.Pix[i] > 0 {
					n++
				}
			}
		})
		return n, most
	}
	is := func(when string, points int, bare bool, note string) {
		t.Helper()
		s.Rest(d)
		d.Shoot("all-rows-" + when)
		o := pictured(t, s)
		n, most := inked(o)
		if drawn() != points || o.Bare != bare || !strings.HasSuffix(o.Note, note) || note == "" && n > 0 {
			t.Errorf("%s: %d points are drawn, %d pixels of all rows, %q, bare: %v", when, drawn(), n, o.Note, o.Bare)
		}
		if note != "" && (n < 300 || len(o.Keys) != 1) {
			t.Errorf("%s: %d pixels of all rows, %d keys", when, n, len(o.Keys))
		}
		if faded := strings.Contains(note, "saved"); faded && most > 90 || note != "" && !faded && most < 110 {
			t.Errorf("%s: the opacity is %d", when, most)
		}
	}
	const all = "500 of 5,000 points; density is of all"
	const saved = "500 of 5,000 points; density is of the saved landmarks"
	is("at first", 0, true, all)
	uitest.Do(func() { s.Desk.ColourBy(s.Desk.Doc.Data.Columns[2].Name) })
	is("coloured", 500, false, all)
	uitest.Do(func() { s.Desk.ColourBy("") })
	uitest.Do(func() {
		s.Desk.Doc.Do("Move", func(at *state.State) {
			set, err := parts.Landmarks.Of(*at).Move([]int{0, 1, 2}, []float32{0.5, 0.5})
			if err != nil {
				t.Error(err)
			}
			parts.Landmarks.Put(at, set)
		})
	})
	is("moved", 500, false, saved)
	uitest.Do(func() { s.Desk.Doc.Undo() })
	is("undone", 0, true, all)
	show := func(a parts.AllRows) { uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.AllRows = a }) }) }
	show(parts.AllRowsBeneath)
	is("beneath", 500, false, all)
	show(parts.NoAllRows)
	is("none", 500, false, "")
	show(parts.AllRowsSuit)
	uitest.Do(func() {
		if live.AllRowsOf(s.Desk.Map).Footing() != live.Saved {
			t.Error("the landmarks are not the saved ones")
		}
	})
}

// A folder whose density is damaged opens with its sample, and says what is wrong.
func TestAFinishedFolderWithoutItsDensity(t *testing.T) {
	folder := finished(t)
	head := filepath.Join(folder, scale.PyramidFolder, "pyramid.json")
	if err := os.WriteFile(head, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, d := begin(t, stand.Options{Data: scale.Shown(folder), W: 400, H: 300})
	s.Rest(d)
	uitest.Do(func() {
		if live.AllRowsOf(s.Desk.Map) != nil || s.Desk.Stage.Scatter().PointsDrawn() != 500 {
			t.Error("all rows are shown")
		}
	})
}
