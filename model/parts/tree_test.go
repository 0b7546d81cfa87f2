package parts

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/revision"
	"blossom/model/selection"
	"blossom/model/state"
	"blossom/model/transform"
)

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
	Transform.Put(&s, transform.Default(data))
	l := set(4)
	l.Space = Transform.Rev(s)
	Landmarks.Put(&s, l)
	return &walker{Document: state.New(data, "d.csv", 1, s), t: t}
}

// code is another codebook, in the space of the present transform.
func (w *walker) code() *landmark.Set {
	c := trained(Landmarks.Of(w.State()), rapid.Float32Range(-9, 9).Draw(w.t, "by"))
	c.Space = Transform.Rev(w.State())
	return c
}

// train goes on with the training, if there is one.
func (w *walker) train() {
	if e, ok := w.History().Entry(w.run); ok && e.Done {
		Trained(w.Document, w.code())
	} else {
		w.run = 0
	}
}

// edit does something, which may be no change at all.
func (w *walker) edit() {
	t, d := w.t, w.Document
	i := rapid.IntRange(0, Landmarks.Of(d.State()).Len()-1).Draw(t, "which")
	put := func(l *landmark.Set) func(*state.State) {
		return func(s *state.State) { Landmarks.Put(s, l) }
	}
	now := Landmarks.Of(d.State())
	switch rapid.IntRange(0, 14).Draw(t, "edit") {
	case 0, 1:
		d.Begin("Move landmark")
		for range rapid.IntRange(1, 3).Draw(t, "frames") {
			d.Change(func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), i, 1).Arranged()) })
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
		StartTraining(d, "Train")
		w.run = d.History().Now()
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			w.train()
		}
	case 5:
		w.train()
	case 6: // carried along by a job, while other things may go on
		d.Do("Transform", func(s *state.State) {
			spec := Transform.Of(*s).Clone()
			spec.Columns[0].Weight = 1 + float64(rapid.IntRange(0, 3).Draw(t, "weight"))
			Transform.Put(s, spec)
		})
		if !Settled(d.State()) {
			if rapid.Bool().Draw(t, "meanwhile") {
				d.Do("Pin", func(s *state.State) {
					l, _ := Landmarks.Of(*s).Pin([]int{i}, true)
					Landmarks.Put(s, l)
				})
			}
			Retransformed(d, w.code())
		}
	case 7:
		if now.Len() < 12 {
			d.Do("Add", func(s *state.State) { Replace(s, set(now.Len()+1)) })
		}
	case 8:
		if now.Len() > 2 {
			d.Do("Delete", func(s *state.State) { Replace(s, set(now.Len()-1)) })
		}
	case 9:
		d.Do("Select", func(s *state.State) { Selection.Put(s, selection.FromBits(4, []uint64{1 << (i % 4)})) })
	case 10:
		d.Extend("Nudge", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), i, 1)) })
	case 11:
		d.Do("k", func(s *state.State) { Projection.Edit(s, func(p *embedsom.Params) { p.K++ }) })
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

// text is all of a state that a session would hold, bit for bit.
func (w *walker) text(s state.State) string {
	w.t.Helper()
	parts, err := w.At(s).Encode(state.Context{})
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := json.Marshal(parts)
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
	defer checks(4)()
	rapid.Check(t, func(t *rapid.T) {
		w := newWalker(t)
		first := w.text(w.State())
		for range edits / 20 {
			for range 20 {
				w.edit()
			}
		}
		last := w.text(w.State())
		for w.Undo() != "" {
		}
		if w.text(w.State()) != first {
			t.Fatal("all undone is not the first state")
		}
		for w.Redo() != "" {
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
		for range 100 {
			e := list[rapid.IntRange(0, len(list)-1).Draw(t, "to")]
			if !w.Go(e.ID) || w.History().Now() != e.ID || w.text(w.State()) != want[e.ID] {
				t.Fatalf("entry %d, %s, is another one from elsewhere", e.ID, e.Name)
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

func TestABranchKeepsTheOther(t *testing.T) {
	d := documentOf(set(3))
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	d.SetClock(func() time.Time { at = at.Add(time.Minute); return at })
	move := func(x float32) state.EntryID {
		d.Do(fmt.Sprint("Move ", x), func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, x)) })
		return d.History().Now()
	}
	h := d.History()
	root := h.Now()
	a := move(1)
	b := move(10)
	d.Undo()
	c := move(100)
	e := move(1000)
	d.Go(root)
	f := move(5)
	x := func(id state.EntryID) float32 {
		s, ok := d.StateAt(id)
		if !ok {
			t.Fatalf("no moment %d", id)
		}
		d.Go(id)
		if got := Landmarks.Of(d.State()).Pos.Data[0]; got != Landmarks.Of(s).Pos.Data[0] {
			t.Fatalf("going to %d leads to %g", id, got)
		}
		return Landmarks.Of(s).Pos.Data[0]
	}
	if got := []float32{x(root), x(b), x(e), x(a), x(f), x(c)}; !slices.Equal(got, []float32{0, 11, 1101, 1, 5, 101}) {
		t.Fatalf("the moments are %v", got)
	}
	d.Bookmark(b, "the first try")
	var got string
	for _, e := range h.Entries() {
		got += fmt.Sprintf("%d<%d lane %d %s %v %v %s|", e.ID, e.Parent, e.Lane, e.Name, e.Done, e.Line, e.Bookmark)
	}
	want := "1<0 lane 0 Open  true true |2<1 lane 1 Move 1 true true |3<2 lane 2 Move 10 false false the first try|" +
		"4<2 lane 1 Move 100 true true |5<4 lane 1 Move 1000 false true |6<1 lane 0 Move 5 false false |"
	if got != want {
		t.Fatalf("the entries are\n%s, want\n%s", got, want)
	}
	list, rev := h.Entries(), h.Rev()
	if n := testing.AllocsPerRun(10, func() { list = h.Entries() }); n > 0 || h.Rev() != rev {
		t.Fatalf("%g allocations for the same list", n)
	}
	if list[5].When.Sub(list[1].When) != 4*time.Minute {
		t.Fatal("the times are not those of the clock")
	}
	if d.Redo() != "Move 1000" || d.Redo() != "" || d.Undo() == "" || h.Done() != 2 || h.Len() != 3 ||
		h.Name(2) != "Move 1000" {
		t.Fatal("redo does not follow the branch that was there last")
	}
	if d.Go(99) || d.Bookmark(99, "x") {
		t.Fatal("there is no such moment")
	}
	if _, ok := d.StateAt(99); ok {
		t.Fatal("there is no such moment")
	}
}

// What a run passed through can be looked at, at any part of it.
func TestARunCanBePlayed(t *testing.T) {
	d := documentOf(set(3))
	StartTraining(d, "Train")
	run := d.History().Now()
	for range 500 {
		Trained(d, trained(Landmarks.Of(d.State()), 1))
	}
	d.Do("Move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 5)) })
	e, _ := d.History().Entry(run)
	if !e.Run || e.Moments < 12 {
		t.Fatalf("%d moments of a run", e.Moments)
	}
	before := float32(-1)
	for i := range 11 {
		s, ok := d.StateAlong(run, float64(i)/10)
		x := Landmarks.Of(s).Codebook.Data[0]
		if !ok || x <= before || x < float32(50*i)-50 || x > float32(50*i)+50 || Landmarks.Of(s).Pos.Data[0] != 0 {
			t.Fatalf("at %d %% of the run the code is %g, after %g", 10*i, x, before)
		}
		before = x
	}
	if before != 500 {
		t.Fatalf("at its end the code is %g", before)
	}
}

// An open drag is no part of other moments.
func TestStateAtLeavesOutAnOpenDrag(t *testing.T) {
	d := documentOf(set(3))
	d.Do("Move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 5)) })
	d.Begin("Move")
	d.Change(func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 7)) })
	s, _ := d.StateAt(d.History().Now())
	if x := Landmarks.Of(s).Pos.Data[0]; x != 5 || !d.Open() {
		t.Fatalf("the present moment is seen with %g", x)
	}
}

// Entries that share arrays are counted once, and the moments of old runs go before any entry does.
func TestMemoryOfTheHistory(t *testing.T) {
	d := documentOf(set(1 << 16)) // half a MiB for the codebook, as much for places
	for range 12 {
		StartTraining(d, "Train")
		for range 100 {
			c := *Landmarks.Of(d.State())
			c.Codebook, c.CodeRev = matrix.New(1<<16, 2), revision.Next()
			Trained(d, &c)
		}
	}
	for range 400 {
		d.Do("Pin", func(s *state.State) {
			l, _ := Landmarks.Of(*s).Pin([]int{3}, !Landmarks.Of(*s).Pinned[3])
			Landmarks.Put(s, l)
		})
	}
	list := d.History().Entries()
	if len(list) != 413 {
		t.Fatalf("%d entries are left of 413", len(list))
	}
	with := 0
	for _, e := range list {
		with += e.Moments
	}
	if list[1].Moments != 0 || list[12].Moments == 0 || with < 60 || with > 140 {
		t.Fatalf("%d moments of runs are kept, %d of the first, %d of the last", with, list[1].Moments,
			list[12].Moments)
	}
}
