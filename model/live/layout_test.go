package live

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/layout"
)

// roundabout is a layout for tests: each landmark goes a part of the way to a place of its own on a ring.
type roundabout struct {
	in     layout.Input
	pull   float64
	pos    matrix.Matrix32
	done   int64
	moving float64
	told   *[]layout.Input // every input it was given
}

var ringTold []layout.Input

var pull = step.Param{ID: "pull", Title: "Pull", Min: 0.001, Max: 1, Default: 0.1}

func init() {
	make := func(in layout.Input, v step.Values) (layout.Layouter, error) {
		r := &roundabout{pull: v.Get(pull), told: &ringTold}
		r.SetLandmarks(in)
		return r, nil
	}
	layout.Register(layout.Algorithm{ID: "test-ring", Title: "Ring", Params: []step.Param{pull}, Order: 900, New: make})
	layout.Register(layout.Algorithm{ID: "test-once", Title: "At once", Once: true, Order: 901,
		New: func(in layout.Input, _ step.Values) (layout.Layouter, error) { return make(in, step.Values{"pull": 1}) }})
	layout.Register(layout.Algorithm{ID: "test-panic", Title: "Broken", Order: 902,
		New: func(layout.Input, step.Values) (layout.Layouter, error) { panic("broken") }})
	layout.Register(layout.Algorithm{ID: "test-slow", Title: "Slow", Order: 903,
		New: func(in layout.Input, v step.Values) (layout.Layouter, error) {
			l, err := make(in, v)
			return slow{l}, err
		}})
}

// slow is a layout of which a step is longer than a frame, where the clock of the map is told so.
type slow struct{ layout.Layouter }

func (s slow) Step(ctx context.Context, units int) (step.Progress, error) {
	return s.Layouter.Step(ctx, units)
}

func (r *roundabout) place(i int) (x, y float64) {
	a := 2 * math.Pi * float64(i) / float64(r.pos.Rows)
	return 200 * math.Cos(a), 200 * math.Sin(a)
}

func (r *roundabout) Step(_ context.Context, units int) (step.Progress, error) {
	for range units {
		sum := 0.0
		for i := range r.pos.Rows {
			if r.in.Pinned != nil && r.in.Pinned[i] || r.in.Active != nil && !r.in.Active[i] {
				continue
			}
			p := r.pos.Row(i)
			x, y := r.place(i)
			dx, dy := r.pull*(x-float64(p[0])), r.pull*(y-float64(p[1]))
			p[0], p[1] = p[0]+float32(dx), p[1]+float32(dy)
			sum += dx*dx + dy*dy
		}
		r.done++
		r.moving = math.Sqrt(sum/float64(r.pos.Rows)) / 20
		if r.moving < layout.Rest {
			break
		}
	}
	return step.Progress{Done: r.done, Rest: r.moving < layout.Rest}, nil
}

func (r *roundabout) Pos() matrix.Matrix32 { return r.pos }
func (r *roundabout) Stage() layout.Stage  { return layout.Stage{} }
func (r *roundabout) Moving() float64      { return r.moving }
func (r *roundabout) SetValues(v step.Values) {
	r.pull = v.Get(pull)
}
func (r *roundabout) SetLandmarks(in layout.Input) {
	r.in, r.pos, r.moving = in, in.Pos.Clone(), 1
	*r.told = append(*r.told, in)
}

// laid opens a map whose layout is chosen.
func laid(t testing.TB, id string) *desk {
	data := "demo:tesseract:1500"
	if raceEnabled {
		data = "demo:tesseract:500"
	}
	d := open(t, data)
	d.settle(t)
	d.Doc.Do("Layout by "+id, func(s *state.State) {
		parts.Layout.Edit(s, func(l *parts.LayoutChoice) { l.Algorithm, l.Values = id, step.Values{"pull": 0.005} })
	})
	ringTold = nil
	if id == "test-slow" {
		d.time.Unit = 12 * time.Millisecond
	}
	return d
}

func (d *desk) set() *landmark.Set { return parts.Landmarks.Of(d.Doc.State()) }

func (d *desk) blend() *parts.Blend { return parts.Blends.Of(d.Doc.State()) }

func (d *desk) frames(t testing.TB, n int) {
	t.Helper()
	for range n {
		d.frame(t)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A layout that moves little is not near its end while most of its steps are to come.
func TestALayoutOfManyStepsIsNotNearRestBefore(t *testing.T) {
	d := laid(t, "tsne")
	d.Doc.Do("Layout by t-SNE", func(s *state.State) {
		parts.Layout.Edit(s, func(l *parts.LayoutChoice) { l.Values = step.Values{"steps": 1000} })
	})
	l := d.Layout()
	must(t, l.Start())
	for range 40 {
		d.frame(t)
		p := l.Progress()
		if p.Steps > 0 && l.Active() && (!p.Timed || p.Near > float64(p.Steps)/1000+0.01) {
			t.Fatalf("after %d of 1000 steps: %+v", p.Steps, p)
		}
	}
	if l.Progress().Steps == 0 {
		t.Fatal("it has not run")
	}
}

func TestALayoutRunsRestsAndIsOneEntry(t *testing.T) {
	d := laid(t, "test-ring")
	var said string
	d.Notice = func(s string) { said = s }
	before, entries := d.set().Pos.Clone(), d.Doc.History().Len()
	l := d.Layout()
	must(t, l.Start())
	d.frames(t, 3)
	if slices.Equal(before.Data, d.set().Pos.Data) || d.set().ByHand {
		t.Fatalf("nothing has moved, or it counts as arranged by hand")
	}
	l.Pause()
	d.settle(t)
	must(t, l.Start()) // the same run goes on
	d.settle(t)
	if l.Active() || l.Run().Rested().IsZero() || l.Progress().Near != 1 || said == "" {
		t.Fatalf("it did not rest and say so: %+v, %q", l.Progress(), said)
	}
	h := d.Doc.History()
	if h.Len() != entries+1 || h.CanUndo() != "Ring layout" {
		t.Fatalf("%d entries more, the last is %q", h.Len()-entries, h.CanUndo())
	}
	after := d.set().Pos
	d.Doc.Undo()
	if !slices.Equal(before.Data, d.set().Pos.Data) || d.set().ByHand || d.blend() != nil {
		t.Fatal("undo does not bring back what was")
	}
	d.settle(t)
	d.check(t)
	d.Doc.Redo()
	if !slices.Equal(after.Data, d.set().Pos.Data) || !d.blend().Fits(d.set()) {
		t.Fatal("redo does not bring back what came of it")
	}
	must(t, l.Step())
	d.settle(t)
	must(t, l.Step())
	d.settle(t)
	if h.Len() != entries+1 {
		t.Fatalf("steps that follow a run are %d entries of their own", h.Len()-entries-1)
	}
}

// Steps are those of the layouter, whatever the frames: two ways of spending time end in the same bits.
func TestALayoutDoesNotDependOnFrames(t *testing.T) {
	run := func(budget time.Duration) matrix.Matrix32 {
		d := laid(t, "test-ring")
		must(t, d.Layout().Start())
		for d.Layout().Active() {
			_, err := d.Frame(time.Millisecond, budget)
			must(t, err)
		}
		return d.set().Pos
	}
	if !slices.Equal(run(time.Microsecond).Data, run(20*time.Millisecond).Data) {
		t.Fatal("other frames, another layout")
	}
}

func TestBlendBetweenBeforeAndAfter(t *testing.T) {
	d := laid(t, "test-ring")
	before := d.set().Pos
	must(t, d.Layout().Start())
	d.settle(t)
	after := d.set().Pos
	entries := d.Doc.History().Len()
	d.Doc.Begin("Blend the layout")
	for _, x := range []float64{0.9, 0, 0.25} {
		d.Doc.Change(func(s *state.State) { parts.SetBlend(s, x) })
		d.frame(t)
		for i, v := range d.set().Pos.Data {
			a, b := float64(before.Data[i]), float64(after.Data[i])
			if math.Abs(float64(v)-(a+x*(b-a))) > 1e-4 {
				t.Fatalf("at %g coordinate %d is %g, between %g and %g", x, i, v, a, b)
			}
		}
	}
	d.Doc.Commit()
	if d.Doc.History().Len() != entries+1 {
		t.Fatalf("%d entries", d.Doc.History().Len()-entries)
	}
	quarter := d.set().Pos
	d.Doc.Undo()
	if !slices.Equal(d.set().Pos.Data, after.Data) || d.blend().Share != 1 || !d.blend().Fits(d.set()) {
		t.Fatal("undone, it is not as after the layout")
	}
	d.Doc.Redo()
	if !slices.Equal(d.set().Pos.Data, quarter.Data) || d.blend().Share != 0.25 {
		t.Fatal("done again, it is not a quarter")
	}
	moved, err := d.set().Move([]int{3}, []float32{1, 1})
	must(t, err)
	d.Doc.Do("Move landmark", func(s *state.State) { parts.Landmarks.Put(s, moved) })
	if d.blend().Fits(d.set()) {
		t.Fatal("it holds though a landmark was moved")
	}
	d.Doc.Do("Nothing", func(s *state.State) { parts.SetBlend(s, 0.5) })
	if d.Doc.History().CanUndo() != "Move landmark" {
		t.Fatal("a blend that does not hold was shown")
	}
	d.Doc.Undo()
	if !d.blend().Fits(d.set()) {
		t.Fatal("it does not hold again after undo")
	}
}

// The blend can be moved while the layout runs, which goes on behind it.
func TestBlendWhileItRuns(t *testing.T) {
	d := laid(t, "test-ring")
	before := d.set().Pos
	must(t, d.Layout().Start())
	d.frames(t, 3)
	d.Doc.Begin("Blend the layout")
	d.Doc.Change(func(s *state.State) { parts.SetBlend(s, 0.5) })
	d.Hold(true)
	d.frames(t, 3)
	d.Hold(false)
	d.Doc.Commit()
	d.settle(t)
	b := d.blend()
	if b.Share != 0.5 || !b.Fits(d.set()) || !slices.Equal(b.Before.Data, before.Data) {
		t.Fatalf("it shows %g", b.Share)
	}
	r := roundabout{pos: b.After}
	for i := range b.After.Rows {
		x, y := r.place(i)
		if p := b.After.Row(i); math.Hypot(float64(p[0])-x, float64(p[1])-y) > 60 {
			t.Fatalf("landmark %d has not come to the ring: %v", i, p)
		}
	}
	d.Doc.Undo()
	if d.blend().Share != 1 || !d.blend().Fits(d.set()) {
		t.Fatalf("undone it shows %g", d.blend().Share)
	}
	d.Doc.Undo()
	if !slices.Equal(d.set().Pos.Data, before.Data) {
		t.Fatal("the layout is not undone")
	}
}

// A landmark in the hand stays there, the rest goes on; let go, it goes on as well. The drag is an entry of its own.
func TestDraggingWhileALayoutRuns(t *testing.T) {
	for _, id := range []string{"test-ring", "test-slow"} {
		d := laid(t, id)
		before := d.set().Pos
		must(t, d.Layout().Start())
		d.frames(t, 3)
		d.Doc.Begin("Move landmark")
		for i := range 8 {
			p := matrix.New(1, 2)
			p.Data[0], p.Data[1] = 400, float32(i)
			moved, err := d.set().SetPos([]int{5}, p)
			must(t, err)
			d.Doc.Change(func(s *state.State) { parts.Landmarks.Put(s, moved.Arranged()) })
			d.Hold(true)
			other := d.set().Pos.Row(9)[0]
			d.frames(t, 12)
			if q := d.set().Pos.Row(5); q[0] != 400 || q[1] != float32(i) {
				t.Fatalf("%s: the landmark in the hand is at %v", id, q)
			}
			if d.set().Pos.Row(9)[0] == other {
				t.Fatalf("%s: the rest does not answer", id)
			}
		}
		d.Doc.Commit()
		d.Hold(false)
		if !d.set().ByHand {
			t.Fatalf("%s: a landmark was moved, and the map counts as arranged by nobody", id)
		}
		if h := d.Doc.History(); h.CanUndo() != "Move landmark" {
			t.Fatalf("the last entry is %q", h.CanUndo())
		}
		d.frames(t, 12)
		if q := d.set().Pos.Row(5); q[0] >= 400 {
			t.Fatalf("%s: let go, it stays at %v", id, q)
		}
		d.Layout().Pause()
		d.settle(t)
		d.Doc.Undo()
		if q := d.set().Pos.Row(5); q[0] > 300 || !d.blend().Fits(d.set()) {
			t.Fatalf("%s: undone, it is at %v", id, q)
		}
		d.Doc.Undo()
		if !slices.Equal(d.set().Pos.Data, before.Data) {
			t.Fatalf("%s: undone, the map is another", id)
		}
	}
}

func TestPinnedAndUnselectedLandmarksStay(t *testing.T) {
	d := laid(t, "test-ring")
	l, err := d.set().Pin([]int{2}, true)
	must(t, err)
	d.Doc.Do("Pin", func(s *state.State) { parts.Landmarks.Put(s, l) })
	stays := func(ids ...int) {
		t.Helper()
		before := d.set().Pos
		if !d.Layout().Active() {
			d.Chosen = func() []int { return []int{2, 3, 4} }
			must(t, d.Layout().Start())
		}
		d.frames(t, 4)
		wrong := func() int {
			for i := range d.set().Len() {
				if slices.Equal(before.Row(i), d.set().Pos.Row(i)) != slices.Contains(ids, i) {
					return i
				}
			}
			return -1
		}
		if i := wrong(); i >= 0 {
			t.Fatalf("landmark %d: stayed %v", i, !slices.Contains(ids, i))
		}
	}
	stays(2)
	d.Doc.Do("Only the selected landmarks", func(s *state.State) {
		parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.OnlySelected = true })
	})
	d.Layout().Pause()
	d.Chosen = nil
	if err := d.Layout().Start(); err == nil {
		t.Fatal("it runs though no landmark is selected")
	}
	var rest []int
	for i := range d.set().Len() {
		if i != 3 && i != 4 {
			rest = append(rest, i)
		}
	}
	stays(rest...)
	d.Doc.Do("Pinned landmarks move", func(s *state.State) {
		parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.KeepPinned = false })
	})
	stays(slices.DeleteFunc(rest, func(i int) bool { return i == 2 })...)
}

func TestALayoutWithOtherLandmarks(t *testing.T) {
	d := laid(t, "test-ring")
	must(t, d.Layout().Start())
	d.frames(t, 3)
	g := d.set().Len()
	more, _, err := d.set().Duplicate(4, []float32{1, 0})
	must(t, err)
	d.Doc.Do("Duplicate landmark", func(s *state.State) { parts.Landmarks.Put(s, more) })
	d.frames(t, 4)
	if got := ringTold[len(ringTold)-1]; got.Pos.Rows != g+1 || !d.Layout().Active() {
		t.Fatalf("the layouter has %d landmarks", got.Pos.Rows)
	}
	before := d.set().Pos
	fewer, _, err := d.set().Remove([]int{0, 7})
	must(t, err)
	d.Doc.Do("Remove landmarks", func(s *state.State) { parts.Landmarks.Put(s, fewer) })
	d.frames(t, 2)
	d.settle(t)
	if d.set().Len() != g-1 || !d.blend().Fits(d.set()) {
		t.Fatalf("%d landmarks", d.set().Len())
	}
	d.Doc.Undo()
	if !slices.Equal(d.set().Pos.Data, before.Data) {
		t.Fatal("undo does not bring back the landmarks that were removed where they were")
	}
	d.settle(t)
}

// Whatever way the document goes back in time, a layout does not go on from what was taken back.
func TestUndoWhileALayoutRuns(t *testing.T) {
	d := laid(t, "test-ring")
	before := d.set().Pos
	must(t, d.Layout().Start())
	d.frames(t, 5)
	d.Doc.Undo()
	d.frames(t, 3)
	if d.Layout().Active() || !slices.Equal(before.Data, d.set().Pos.Data) {
		t.Fatal("it goes on")
	}
	d.settle(t)
	d.Doc.Redo()
	d.frames(t, 3)
	if d.Layout().Active() || slices.Equal(before.Data, d.set().Pos.Data) {
		t.Fatal("done again, it is not where it had come to")
	}
	must(t, d.Layout().Again())
	if !slices.Equal(before.Data, d.set().Pos.Data) {
		t.Fatal("it does not start over from before")
	}
	d.settle(t)
	if d.Doc.History().CanUndo() != "Ring layout" || !slices.Equal(d.blend().Before.Data, before.Data) {
		t.Fatal("starting over is no run")
	}
	d.Doc.Undo()
	if !slices.Equal(before.Data, d.set().Pos.Data) {
		t.Fatal("what was started over cannot be undone at once")
	}
}

// Training moves the codebook while a layout moves the places: both go on, and undoing one leaves the other.
func TestTrainingBesideALayout(t *testing.T) {
	d := laid(t, "test-ring")
	code, pos := d.set().Codebook, d.set().Pos
	must(t, d.Training().Again())
	must(t, d.Layout().Start())
	for d.Layout().Active() || d.training.Run().Active() {
		d.frame(t)
	}
	d.settle(t)
	last := ringTold[len(ringTold)-1]
	if slices.Equal(last.Codebook.Data, code.Data) {
		t.Fatal("the layout was not told of the codebook")
	}
	trained := d.set().Codebook
	d.Doc.Undo()
	if !slices.Equal(d.set().Pos.Data, pos.Data) || !slices.Equal(d.set().Codebook.Data, trained.Data) {
		t.Fatal("undoing the layout undoes training, or not the layout")
	}
	d.settle(t)
	d.check(t)
}

// A layout that is done at once brings landmarks to their places in a while, as one entry.
func TestALayoutAtOnceGlides(t *testing.T) {
	d := laid(t, "test-once")
	before := d.set().Pos
	must(t, d.Layout().Start())
	d.frames(t, 6)
	if !d.Layout().Active() {
		t.Fatal("it jumped")
	}
	d.settle(t)
	r := roundabout{pos: d.set().Pos}
	for i := range r.pos.Rows {
		if x, y := r.place(i); math.Hypot(float64(r.pos.Row(i)[0])-x, float64(r.pos.Row(i)[1])-y) > 1e-4 {
			t.Fatalf("landmark %d is at %v", i, r.pos.Row(i))
		}
	}
	if b := d.blend(); b.Share != 1 || !slices.Equal(b.Before.Data, before.Data) {
		t.Fatal("it cannot be blended")
	}
	must(t, d.Layout().Start())
	d.settle(t)
	d.Doc.Undo()
	d.Doc.Undo()
	if d.Doc.History().CanUndo() != "" && !slices.Equal(d.set().Pos.Data, before.Data) {
		t.Fatal("it cannot be undone")
	}
}

func TestABrokenLayoutIsAnError(t *testing.T) {
	d := laid(t, "test-panic")
	must(t, d.Layout().Start())
	var err error
	for i := 0; i < 10 && err == nil; i++ {
		_, err = d.Frame(time.Millisecond, 10*time.Millisecond)
	}
	if err == nil || d.Layout().Active() {
		t.Fatalf("err %v, running %v", err, d.Layout().Active())
	}
	d.settle(t)
}

// Another algorithm chosen while one runs goes on from there, as a run of its own.
func TestAnotherLayoutChosenMeanwhile(t *testing.T) {
	d := laid(t, "test-ring")
	must(t, d.Layout().Start())
	d.frames(t, 4)
	d.Doc.Do("Layout by slow", func(s *state.State) {
		parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.Algorithm = "test-slow" })
	})
	at := d.set().Pos
	d.frames(t, 40)
	if h := d.Doc.History(); h.CanUndo() != "Slow layout" || slices.Equal(at.Data, d.set().Pos.Data) {
		t.Fatalf("the last entry is %q", h.CanUndo())
	}
	d.Layout().Pause()
	d.settle(t)
	d.Doc.Undo()
	if !slices.Equal(at.Data, d.set().Pos.Data) {
		t.Fatal("undo goes back to another place")
	}
}

// A frame in which nothing runs allocates nothing for the layout, and one in which it steps no more than what the
// document is given: a set of landmarks, their places, a blend and what keeps them.
func TestALayoutAllocatesWhatItGives(t *testing.T) {
	d := laid(t, "test-ring")
	must(t, d.Layout().Start())
	d.frames(t, 3)
	d.Doc.Do("Slowly", func(s *state.State) {
		parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.Values = step.Values{"pull": 0.0005} })
	})
	d.frames(t, 3)
	if n := testing.AllocsPerRun(50, func() {
		_, err := d.Layout().Run().Advance(time.Millisecond, time.Nanosecond)
		must(t, err)
	}); n > 16 {
		t.Errorf("%g allocations a step", n)
	}
	d.Layout().Pause()
	d.settle(t)
	if n := testing.AllocsPerRun(50, func() { _, _ = d.runs.Share(time.Millisecond, time.Millisecond) }); n != 0 {
		t.Errorf("%g allocations a frame at rest", n)
	}
}
