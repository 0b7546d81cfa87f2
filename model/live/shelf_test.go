package live

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

	"blossom/model/base/revision"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// tableFile writes a small table.
func tableFile(t *testing.T, path string, rows int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("a,b,c\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%d.5\n", i%17, i*7%31, i*i%13)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// putAside closes a map and puts its document aside.
func putAside(d *desk, name string, saved state.Stamp) *opening.Kept {
	d.Close()
	return opening.Keep(d.Leave(), name, saved, time.Unix(1e9, 0))
}

func take(t *testing.T, k *opening.Kept) *desk {
	t.Helper()
	o, err := k.Open(context.Background(), "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return desktop(t, o, "cpu")
}

// nameIt gives landmark i a name, as an entry of the history.
func nameIt(d *state.Document, i int, name string) {
	d.Do("Name landmark", func(s *state.State) {
		parts.Landmarks.Edit(s, func(l **landmark.Set) {
			set := **l
			set.Names = slices.Clone(set.Names)
			if set.Names == nil {
				set.Names = make([]string, set.Len())
			}
			set.Names[i], set.NameRev = name, revision.Next()
			*l = &set
		})
	})
}

// A document that another takes the place of is put aside with its history, and comes back as it was: with its data
// where there is memory, else with the data read again.
func TestPutAsideAndReopened(t *testing.T) {
	for _, memory := range []int64{1 << 40, 0} {
		path := tableFile(t, filepath.Join(t.TempDir(), "t.csv"), 500)
		d := open(t, path)
		d.settle(t)
		nameIt(d.Doc, 3, "B cells")
		nameIt(d.Doc, 4, "T cells")
		d.Doc.Undo()
		want := parts.Landmarks.Of(d.Doc.State())
		k := putAside(d, "", state.Stamp{})
		shelf := &opening.Shelf{Free: func() int64 { return memory }}
		shelf.Put(k)
		if (k.Bytes() == 0) != (memory == 0) || !k.Unsaved() || k.Changes() != 1 || k.Title != "t.csv" {
			t.Fatalf("%+v", k)
		}
		e := take(t, k)
		e.settle(t)
		e.check(t)
		got := parts.Landmarks.Of(e.Doc.State())
		if got != want || e.Doc.Data.Points != 500 {
			t.Fatal("it is not what it was")
		}
		if name := e.Doc.Redo(); name != "Name landmark" || parts.Landmarks.Of(e.Doc.State()).Names[4] != "T cells" {
			t.Fatalf("redo did %q", name)
		}
		for e.Doc.Undo() != "" {
		}
		if parts.Landmarks.Of(e.Doc.State()).Names != nil {
			t.Fatal("undo did not go back to the beginning")
		}
	}
}

// Data that was let go, and has gone or changed since, is asked about.
func TestDataGoneWhileAside(t *testing.T) {
	path := tableFile(t, filepath.Join(t.TempDir(), "t.csv"), 300)
	d := open(t, path)
	d.settle(t)
	nameIt(d.Doc, 3, "B cells")
	k := putAside(d, "", state.Stamp{})
	(&opening.Shelf{Free: func() int64 { return 0 }}).Put(k)
	moved := path + ".moved.csv"
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	var missing *session.Missing
	if _, err := k.Open(context.Background(), "", "", format.Options{}, nil); !errors.As(err, &missing) ||
		missing.Files[0] != path {
		t.Fatal(err)
	}
	o, err := k.Open(context.Background(), path, moved, format.Options{}, nil)
	if err != nil || o.Doc.Data.Path != moved || o.Doc.History().Done() != 1 {
		t.Fatal(err)
	}
	tableFile(t, path, 200)
	var changed *opening.Changed
	if _, err := k.Open(context.Background(), "", "", format.Options{}, nil); !errors.As(err, &changed) {
		t.Fatal(err)
	}
	if o, err = changed.Open(context.Background(), nil); err != nil || o.Doc.Data.Points != 200 ||
		parts.Landmarks.Of(o.Doc.State()).Names[3] != "B cells" || o.Session != "" {
		t.Fatalf("%v, saves to %q", err, o.Session)
	}
}

// A document that is left in the middle of a change of its transform comes back whole.
func TestLeftInTheMiddleOfOpening(t *testing.T) {
	scale := func(d *desk) {
		d.Doc.Do("Scale", func(s *state.State) {
			parts.Transform.Edit(s, func(x *transform.Spec) { *x = x.Clone(); x.Scale = !x.Scale })
		})
	}
	for name, middle := range map[string]func(*desk){
		"not applied yet": scale,
		"undone, and another one": func(d *desk) {
			scale(d)
			d.settle(t)
			d.Doc.Undo()
			d.Doc.Do("Weigh", func(s *state.State) {
				parts.Transform.Edit(s, func(x *transform.Spec) { *x = x.Clone(); x.Columns[0].Weight = 3 })
			})
		},
		"undone": func(d *desk) { scale(d); d.settle(t); d.Doc.Undo() },
	} {
		d := open(t, "demo:tesseract:400")
		d.settle(t)
		middle(d)
		e := take(t, putAside(d, "", state.Stamp{}))
		if !parts.Settled(e.Doc.State()) {
			t.Fatalf("%s: the landmarks are in another space", name)
		}
		e.settle(t)
		e.check(t)
		for range 3 {
			e.Doc.Redo()
			e.settle(t)
			e.check(t)
		}
	}
}

// The shelf is five deep, the latest first; what falls off is handed back, and memory is let go from the oldest on.
func TestShelfIsFiveDeep(t *testing.T) {
	d := open(t, "demo:tesseract:400")
	d.settle(t)
	o := d.Leave()
	one := opening.Keep(o, "", state.Stamp{}, time.Time{}).Bytes()
	s := &opening.Shelf{Free: func() int64 { return one * 6 }}
	var all []*opening.Kept
	for i := range 7 {
		doc := *o.Doc
		k := opening.Keep(&opening.Opened{Doc: &doc, Table: o.Table}, "", state.Stamp{}, time.Time{})
		all = append(all, k)
		fallen := s.Put(k)
		if i < opening.Deep != (fallen == nil) || fallen != nil && fallen != all[i-opening.Deep] {
			t.Fatalf("put %d: another one fell", i)
		}
	}
	if got := s.List(); len(got) != opening.Deep || got[0] != all[6] || got[4] != all[2] {
		t.Fatal("another order")
	}
	lean := 0
	for i, k := range s.List() {
		if k.Bytes() == 0 {
			lean++
		} else if lean > 0 {
			t.Fatalf("%d keeps its data, and a later one does not", i)
		}
	}
	if lean == 0 || lean == opening.Deep {
		t.Fatalf("%d of them let their data go", lean)
	}
	s.Take(all[4])
	if got := s.List(); len(got) != 4 || slices.Contains(got, all[4]) {
		t.Fatal("it is still there")
	}
}

// A session with an unknown training opens, says so, and trains.
func TestUnknownTrainingRuns(t *testing.T) {
	d := open(t, "demo:tesseract:400")
	d.settle(t)
	path := filepath.Join(t.TempDir(), "s.blossom")
	s, err := session.Of(d.Doc, path, "test", time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	s.Parts["training"] = state.Encoded{Version: 1, Value: []byte(`{"algorithm":"of another day"}`)}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	o, err := opening.Load(context.Background(), []string{path}, format.Options{}, nil)
	if err != nil || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "of another day") {
		t.Fatalf("%v, %+v", err, o)
	}
	if v := parts.Training.Of(o.Doc.State()).Values; len(v) == 0 {
		t.Fatal("its parameters are not those that the data suggests")
	}
	e := desktop(t, o, "cpu")
	if err := e.Training().Again(); err != nil {
		t.Fatal(err)
	}
	e.settle(t)
}
