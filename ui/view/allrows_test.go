package view_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/model/work/embedding"
	"blossom/render"
	"blossom/ui/uitest"
	"blossom/ui/uitest/folder"
	"blossom/ui/uitest/stand"
)

// laidOut is a folder with the parts of several files, placed in a map by t-SNE of 500 rows.
func laidOut(t *testing.T) (out string) {
	t.Helper()
	dir, paths := folder.Files(t)
	s := run.Defaults()
	j, err := job.Open(t.Context(), &s, paths[:1], false, nil)
	if err == nil {
		err = j.ForPoints(t.Context(), &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	lays := job.DefaultTSNE()
	lays.Output, lays.Units = scale.LaidMap, 60
	want := &job.Placed{Of: embedding.Recipe{Kind: "tsne", Dims: 2}, Points: []job.File{{Path: paths[0]}}}
	out = filepath.Join(dir, "out")
	j.Data = []job.File{{}}
	j.Data[0].Path, want.Map = scale.LaidIn(out)
	p, err := scale.Prepare(t.Context(), scale.Wish{Flags: &s, Want: want, Paths: paths, Folder: out, Output: ".npy",
		Shown: 500, Program: "a test", Into: j, Layout: lays,
		State: func(*job.Job, context.Context, *run.Flags) error { return nil }}, nil)
	if err == nil {
		l := scale.Layout{Of: p, Options: job.Options{Program: "a test"},
			Make: func(sample *scale.Plan) error { folder.Make(t, sample); return nil }}
		err = l.Lay(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	folder.Make(t, p)
	return out
}

// allRowsAre says how the only view shows all rows, and what a picture of it has.
func allRowsAre(t *testing.T, s *stand.Window, d *uitest.Driver, when string, points int, bare bool, note string) {
	t.Helper()
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

// A window on a finished folder shows how densely all rows lie, in the place of points of one colour, beneath those
// that say more or have moved on, and not where it is not wanted; files have it, too.
func TestAFinishedFolderShowsAllRows(t *testing.T) {
	s, d := begin(t, stand.Options{Data: scale.Shown(folder.Finished(t, "6x6", 500)), W: 900, H: 700})
	is := func(when string, points int, bare bool, note string) {
		t.Helper()
		allRowsAre(t, s, d, when, points, bare, note)
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

// A folder whose rows are placed in the map of a sample shows how densely they lie on that map alone, and that they are
// where they were placed while the points are where they were.
func TestAFolderOfALayoutShowsAllRowsOnItsMap(t *testing.T) {
	s, d := begin(t, stand.Options{Data: scale.Shown(laidOut(t)), W: 900, H: 700})
	is := func(when string, points int, bare bool, note string) {
		t.Helper()
		allRowsAre(t, s, d, "laid-"+when, points, bare, note)
	}
	const all = "500 of 5,000 points; density is of all"
	const saved = "500 of 5,000 points; density is of the saved map"
	is("at first", 0, true, all)
	tsne := embedding.Recipe{Kind: "tsne", Dims: 2}
	uitest.Do(func() {
		if r := s.Desk.Map.Existing(tsne).Stands(); r.Foreign || r.Units != 60 {
			t.Errorf("the map of these points is called one of others: %+v", r)
		}
	})
	move := func(to float32) {
		uitest.Do(func() {
			s.Desk.Doc.Do("Move", func(at *state.State) {
				kept := *parts.Snapshots.Of(*at).Get(tsne)
				kept.Pos = slices.Clone(kept.Pos)
				kept.Pos[0] = to
				parts.Snapshots.Put(at, parts.Snapshots.Of(*at).With(&kept))
			})
		})
	}
	move(1)
	is("moved", 500, false, saved)
	uitest.Do(func() { s.Desk.Doc.Undo() })
	is("undone", 0, true, all)
	uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.Recipe = embedding.EmbedSOM() }) })
	is("on another map", 500, false, "")
}

// A folder whose density is damaged opens with its sample, and says what is wrong.
func TestAFinishedFolderWithoutItsDensity(t *testing.T) {
	folder := folder.Finished(t, "6x6", 500)
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
