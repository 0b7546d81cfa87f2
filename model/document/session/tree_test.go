package session

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

func set(g int) *landmark.Set {
	l, _ := landmark.New(matrix.New(g, 2), matrix.New(g, 2)) // their sizes agree
	return l
}

func moved(s *landmark.Set, i int, x float32) *landmark.Set {
	c := *s
	c.Pos = s.Pos.Clone()
	c.Pos.Row(i)[0] += x
	c.PosRev = revision.Next()
	return &c
}

func trained(s *landmark.Set, by float32) *landmark.Set {
	c := *s
	c.Codebook = s.Codebook.Clone()
	c.Codebook.Data[0] += by
	c.CodeRev = revision.Next()
	return &c
}

// walker edits a document at random, as hands and runs do.
type walker struct {
	*state.Document
	t   *rapid.T
	run state.EntryID // training that goes on, as long as it is not undone
}

func newWalker(t *rapid.T) *walker {
	data, err := dataset.FromColumns(context.Background(), "d.csv", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3, 9}}, {Name: "b", Values: []float32{5, 3, 8, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	var s state.State
	parts.Transform.Put(&s, transform.Default(data))
	l := set(4)
	l.Space = parts.Transform.Rev(s)
	parts.Landmarks.Put(&s, l)
	return &walker{Document: state.New(data, "d.csv", 1, s), t: t}
}

// code is another codebook, in the space of the present transform.
func (w *walker) code() *landmark.Set {
	c := trained(parts.Landmarks.Of(w.State()), rapid.Float32Range(-9, 9).Draw(w.t, "by"))
	c.Space = parts.Transform.Rev(w.State())
	return c
}

// train goes on with the training, if there is one.
func (w *walker) train() {
	if e, ok := w.History().Entry(w.run); ok && e.Done {
		parts.Trained(w.Document, w.code())
	} else {
		w.run = 0
	}
}

// edit does something, which may be no change at all.
func (w *walker) edit() {
	t, d := w.t, w.Document
	i := rapid.IntRange(0, parts.Landmarks.Of(d.State()).Len()-1).Draw(t, "which")
	put := func(l *landmark.Set) func(*state.State) {
		return func(s *state.State) { parts.Landmarks.Put(s, l) }
	}
	now := parts.Landmarks.Of(d.State())
	switch rapid.IntRange(0, 14).Draw(t, "edit") {
	case 0, 1:
		d.Begin("Move landmark")
		for range rapid.IntRange(1, 3).Draw(t, "frames") {
			d.Change(func(s *state.State) { parts.Landmarks.Put(s, moved(parts.Landmarks.Of(*s), i, 1).Arranged()) })
			if rapid.Bool().Draw(t, "training") {
				w.train()
			}
		}
		if rapid.IntRange(0, 4).Draw(t, "cancel") == 0 {
			d.Cancel()
		}
		d.Commit()
	case 2:
		if l, err := now.Pin([]int{i}, !now.Pinned[i]); err == nil {
			d.Do("Pin", put(l))
		}
	case 3, 4:
		parts.StartTraining(d, "Train")
		w.run = d.History().Now()
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			w.train()
		}
	case 5:
		w.train()
	case 6: // carried along by a job, while other things may go on
		d.Do("Transform", func(s *state.State) {
			spec := parts.Transform.Of(*s).Clone()
			spec.Columns[0].Weight = 1 + float64(rapid.IntRange(0, 3).Draw(t, "weight"))
			parts.Transform.Put(s, spec)
		})
		if !parts.Settled(d.State()) {
			if rapid.Bool().Draw(t, "meanwhile") {
				d.Do("Pin", func(s *state.State) {
					l, _ := parts.Landmarks.Of(*s).Pin([]int{i}, true)
					parts.Landmarks.Put(s, l)
				})
			}
			parts.Retransformed(d, w.code())
		}
	case 7:
		if now.Len() < 12 {
			d.Do("Add", func(s *state.State) { parts.Replace(s, set(now.Len()+1)) })
		}
	case 8:
		if now.Len() > 2 {
			d.Do("Delete", func(s *state.State) { parts.Replace(s, set(now.Len()-1)) })
		}
	case 9:
		d.Do("Select", func(s *state.State) { parts.Selection.Put(s, selection.FromBits(4, []uint64{1 << (i % 4)})) })
	case 10:
		d.Extend("Nudge", func(s *state.State) { parts.Landmarks.Put(s, moved(parts.Landmarks.Of(*s), i, 1)) })
	case 11:
		d.Do("k", func(s *state.State) { parts.Projection.Edit(s, func(p *embedsom.Params) { p.K++ }) })
	case 12:
		if l, err := now.Rename(i, fmt.Sprint("name ", d.History().Rev())); err == nil {
			d.Do("Name", put(l))
		}
	case 13:
		l := *now
		l.Edges = [][2]int32{{0, int32(1 + i%(now.Len()-1))}}
		l.EdgeRev = revision.Next()
		d.Do("Edges", put(&l))
	default: // a branch
		list := d.History().Entries()
		d.Go(list[rapid.IntRange(0, len(list)-1).Draw(t, "to")].ID)
	}
}

// reopen saves the document and opens it.
func (w *walker) reopen() {
	w.t.Helper()
	before := w.History().Entries()
	s, err := Full(w.Document, "s.blossom", "test", time.Unix(1e9, 0), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		w.t.Fatal(err)
	}
	if s, err = Read(&b, "s.blossom"); err != nil {
		w.t.Fatal(err)
	}
	d, notes, err := s.Document(w.Data, "s.blossom")
	if err != nil || len(notes) > 0 {
		w.t.Fatal(err, notes)
	}
	same := slices.EqualFunc(before, d.History().Entries(), func(a, b state.Entry) bool {
		at := a.When.Equal(b.When)
		a.When = b.When
		return at && a == b
	})
	if !same || d.History().Now() != w.History().Now() {
		w.t.Fatalf("the history was\n%v\nand is\n%v", before, d.History().Entries())
	}
	w.Document = d
}

// text is all of a state that a session would hold, bit for bit.
func (w *walker) text(s state.State) string {
	w.t.Helper()
	encoded, err := w.At(s).Encode(state.Context{Held: !parts.Settled(s)})
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := json.Marshal(encoded)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// A thousand edits, with runs, jobs and branches: undone they lead to the first state, done again to the last, and any
// moment is the same from wherever one comes.
func TestAnyMomentIsTheSameFromAnywhere(t *testing.T) {
	edits := 1000
	if testing.Short() {
		edits = 100
	}
	defer checks(2)()
	rapid.Check(t, func(t *rapid.T) {
		w := newWalker(t)
		first := w.text(w.State())
		for range edits / 20 {
			for range 20 {
				w.edit()
			}
			if rapid.IntRange(0, 9).Draw(t, "save") == 0 {
				w.reopen()
			}
		}
		last, at := w.text(w.State()), w.History().Now() // which need not be the end of its branch
		for w.Undo() != "" {
		}
		if w.text(w.State()) != first {
			t.Fatal("all undone is not the first state")
		}
		for w.History().Now() != at && w.Redo() != "" {
		}
		if w.text(w.State()) != last {
			t.Fatal("all done again is not the last state")
		}
		list := slices.Clone(w.History().Entries())
		want := map[state.EntryID]string{}
		for _, e := range list {
			s, ok := w.StateAt(e.ID)
			if !ok {
				t.Fatal("no state at an entry")
			}
			want[e.ID] = w.text(s)
		}
		for n := range 60 {
			e := list[rapid.IntRange(0, len(list)-1).Draw(t, "to")]
			if !w.Go(e.ID) || w.History().Now() != e.ID || w.text(w.State()) != want[e.ID] {
				t.Fatalf("entry %d, %s, is another one from elsewhere", e.ID, e.Name)
			}
			if n%20 == 0 { // saved and opened in between
				w.reopen()
			}
			e = list[rapid.IntRange(0, len(list)-1).Draw(t, "seen")]
			if s, _ := w.StateAt(e.ID); w.text(s) != want[e.ID] {
				t.Fatalf("entry %d, %s, is seen otherwise from elsewhere", e.ID, e.Name)
			}
		}
	})
}

// checks has rapid try so many times, and returns what sets that back.
func checks(n int) (back func()) {
	f := flag.Lookup("rapid.checks")
	was := f.Value.String()
	_ = f.Value.Set(strconv.Itoa(n)) // it is a number
	return func() { _ = f.Value.Set(was) }
}
