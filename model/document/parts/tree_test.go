package parts

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/state"
)

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

// A question asked at a moment still holds after what follows it, and not once somebody has gone back.
func TestWhatFollowsAMoment(t *testing.T) {
	d := documentOf(set(4))
	move := func() {
		d.Do("move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
	}
	h := d.History()
	move()
	asked := h.Now()
	holds := func(want bool, when string) {
		t.Helper()
		if h.Since(asked) != want {
			t.Errorf("%s: %v", when, !want)
		}
	}
	holds(true, "at once")
	move()
	holds(true, "after another change")
	d.Undo()
	holds(true, "when that is undone")
	d.Undo()
	holds(false, "before it")
	move()
	holds(false, "on another branch")
	d.Go(asked)
	holds(true, "there again")
}

// A run's moments can be looked at, at any part of it.
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
	if list[1].Moments != 0 || list[12].Moments == 0 || with < 30 || with > 70 {
		t.Fatalf("%d moments of runs are kept, %d of the first, %d of the last", with, list[1].Moments,
			list[12].Moments)
	}
}
