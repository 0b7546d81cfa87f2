package live

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/engine"
)

// bench is a map on a late engine, with a card.
type bench struct {
	*desk
	card *card
	said []string
}

func onCard(t testing.TB, path string) *bench {
	t.Helper()
	o, err := opening.Load(context.Background(), []string{path}, format.Options{Seed: 7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		lateness.loads, lateness.failure, lateness.plan, lateness.quiet = nil, nil, "", false
	})
	lateness.perPart = 50 * time.Nanosecond
	e, err := engine.Open("late", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{desk: &desk{posts: make(chan func(), 100)}, card: newCard(o.Table.X.Rows)}
	jobs := &work.Jobs{Post: func(f func()) { b.posts <- f },
		Failed: func(err error) { b.errors = append(b.errors, err) }}
	if b.Map, err = NewMap(o, &e, Buffers{Make: func(int, int) embedsom.Target { return b.card }}, jobs); err != nil {
		t.Fatal(err)
	}
	b.Notice = func(s string) { b.said = append(b.said, s) }
	t.Cleanup(func() { b.Close(); e.Close() })
	return b
}

type fatal interface {
	Helper()
	Fatalf(string, ...any)
	Fatal(...any)
}

// shows compares what the card holds with the reference, for every few points.
func (b *bench) shows(t fatal) {
	t.Helper()
	const each = 37
	s, all := b.Doc.State(), b.Table().X
	x := matrix.New((all.Rows+each-1)/each, all.Cols)
	for i := range x.Rows {
		copy(x.Row(i), all.Row(each*i))
	}
	want, err := embedsom.Embed(context.Background(), x, parts.Landmarks.Of(s).Codebook, parts.Landmarks.Of(s).Pos,
		parts.Projection.Of(s))
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Rows {
		for c, v := range want.Row(i) {
			if got := b.card.memory[2*each*i+c]; math.Abs(float64(got-v)) > 1e-3*max(1, math.Abs(float64(v))) &&
				v-v == 0 || (v-v == 0) != (got-got == 0) {
				t.Fatalf("coordinate %d of point %d is %g on the card, should be %g", c, each*i, got, v)
			}
		}
	}
}

func (b *bench) run(t fatal) {
	t.Helper()
	for i := 0; b.Busy() || len(b.Values.Jobs.List()) > 0; i++ {
		if i > 20_000 {
			t.Fatal("the map never came to rest")
		}
		b.once(t)
	}
}

func (b *bench) once(t fatal) {
	t.Helper()
	select {
	case f := <-b.posts:
		f()
	default:
	}
	if _, err := b.Frame(16*time.Millisecond, 10*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if len(b.errors) > 0 {
		t.Fatal(b.errors[0])
	}
}

func TestALateEngineWritesTheCardItself(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	b := onCard(t, "demo:tesseract:50000")
	b.run(t)
	b.shows(t)
	if b.card.uploaded != 0 || b.card.wrote < 50_000 {
		t.Fatalf("%d points uploaded, %d written", b.card.uploaded, b.card.wrote)
	}
	if path, plan := b.Path(); path != "shared buffer" || plan != "" {
		t.Fatalf("path %q, plan %q", path, plan)
	}
	if len(b.said) > 0 {
		t.Fatalf("said %q", b.said)
	}
	// The host draws from now on.
	b.card.onHost = true
	b.Doc.Do("k", func(s *state.State) { parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = 12 }) })
	b.run(t)
	b.shows(t)
	if b.card.uploaded < 50_000 {
		t.Fatalf("%d points uploaded for the host to draw", b.card.uploaded)
	}
}

func TestPlansAreTold(t *testing.T) {
	b := onCard(t, "demo:tesseract:500")
	lateness.plan = "neighbours are found again in each frame"
	b.run(t)
	if len(b.said) != 1 || !strings.Contains(b.said[0], "found again") {
		t.Fatalf("said %q", b.said)
	}
	if _, plan := b.Path(); plan != lateness.plan {
		t.Fatalf("plan %q", plan)
	}
}

// A card is lost: at once, in the next call, when all is at rest, in training, or with an error that
// already has words for the user.
func TestALostCardCostsNothing(t *testing.T) {
	words := problem.New("", "use a larger card", "the card is out of memory")
	for _, c := range []struct {
		name  string
		err   error
		left  int
		quiet bool
		algo  string
	}{
		{"first work", errLost, 0, false, ""},
		{"later call", errLost, 3, false, ""},
		{"seen at rest only", errLost, 3, true, ""},
		{"words for the user", words, 2, false, ""},
		{"in training", errLost, 4, false, "som-batch"},
		{"in training, first", errLost, 1, true, "som-batch"},
		{"in training, with words", words, 4, false, "som-batch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := onCard(t, "demo:tesseract:30000")
			if c.algo != "" {
				b.Doc.Do("batch", func(s *state.State) {
					parts.Training.Put(s, parts.TrainingChoice{Algorithm: c.algo,
						Values: step.Values{"epochs": 3}})
				})
				if err := b.Training().Again(); err != nil {
					t.Fatal(err)
				}
			}
			lateness.failure, lateness.left, lateness.quiet = c.err, c.left, c.quiet
			history := b.Doc.History().Len()
			b.run(t)
			if b.Engine().Name() != "cpu" || len(b.said) == 0 || !strings.Contains(b.said[0], "late failed") {
				t.Fatalf("on %s, said %q", b.Engine().Name(), b.said)
			}
			if _, p, _ := b.Training().Progress(); c.algo != "" && !p.Rest {
				t.Fatalf("training stopped at %d of %d", p.Done, p.Total)
			}
			if b.Doc.History().Len() != history {
				t.Fatal("the history has changed")
			}
			b.shows(t)
			// It is not gone back to by itself, but when asked for.
			lateness.failure = nil
			if err := b.SetEngine("late"); err != nil {
				t.Fatal(err)
			}
			b.run(t)
			b.shows(t)
			if b.Engine().Name() != "late" {
				t.Fatalf("on %s", b.Engine().Name())
			}
		})
	}
}

func TestACardWithoutMemory(t *testing.T) {
	b := onCard(t, "demo:tesseract:5000")
	b.run(t)
	if err := b.SetEngine("cpu"); err != nil {
		t.Fatal(err)
	}
	if b.Shown() != 5000 {
		t.Fatalf("%d points on screen after the change", b.Shown())
	}
	b.run(t)
	lateness.loads = errors.New("64 GB are needed, 8 GB are free")
	if err := b.SetEngine("late"); err != nil {
		t.Fatal(err)
	}
	b.run(t)
	b.shows(t)
	if b.Engine().Name() != "cpu" || len(b.said) != 1 || !strings.Contains(b.said[0], "64 GB") {
		t.Fatalf("on %s, said %q", b.Engine().Name(), b.said)
	}
	if err := b.SetEngine("nonsense"); err == nil {
		t.Fatal("there is no such engine")
	}
	b.run(t)
	b.shows(t)
	for _, c := range b.dev.engines.Choices() {
		if c.Current != (c.Name == "cpu") || c.Why != "" {
			t.Fatalf("choice %+v", c)
		}
	}
}

// Whatever is done while work is under way, the picture at rest is right.
func TestAnythingWhileWorkIsUnderWay(t *testing.T) {
	b := onCard(t, "demo:torus-knot:6000")
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 12).Draw(t, "frames") {
			s := b.Doc.State()
			l := parts.Landmarks.Of(s)
			switch rapid.SampledFrom([]string{"move", "move", "add", "remove", "k", "boost", "engine", "resize",
				"host", "train", "undo", "wait"}).Draw(t, "edit") {
			case "move":
				i := rapid.IntRange(0, l.Len()-1).Draw(t, "landmark")
				if n, err := l.Move([]int{i}, []float32{0.1, 0.05}); err == nil {
					b.Hold(rapid.Bool().Draw(t, "held"))
					b.Doc.Do("Move", func(s *state.State) { parts.Landmarks.Put(s, n) })
				}
			case "add":
				if n, _, err := l.AddFitted([]float32{0.5, 0.5}, nil); err == nil {
					b.Doc.Do("Add", func(s *state.State) { parts.Landmarks.Put(s, n) })
				}
			case "remove":
				if n, _, err := l.Remove([]int{0}); err == nil && n.Len() > 20 {
					b.Doc.Do("Remove", func(s *state.State) { parts.Landmarks.Put(s, n) })
				}
			case "k":
				k := rapid.IntRange(3, 16).Draw(t, "k")
				b.Doc.Do("k", func(s *state.State) { parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = k }) })
			case "boost":
				b.Doc.Do("boost", func(s *state.State) {
					parts.Projection.Edit(s,
						func(p *embedsom.Params) { p.Boost *= 1.01 })
				})
			case "engine":
				if err := b.SetEngine(rapid.SampledFrom([]string{"cpu", "late"}).Draw(t, "engine")); err != nil {
					t.Fatal(err)
				}
			case "resize":
				b.card.resize()
				if err := b.EmbedSOM().Refill(); err != nil {
					t.Fatal(err)
				}
			case "host":
				b.card.onHost = !b.card.onHost
			case "train":
				if err := b.Training().Step(); err != nil {
					t.Fatal(err)
				}
			case "undo":
				b.Doc.Undo()
			case "wait":
				if err := b.Wait(); err != nil {
					t.Fatal(err)
				}
			}
			b.once(t)
		}
		b.Hold(false)
		b.run(t)
		b.shows(t)
	})
}

// busy is an engine that has always something to report.
type busy struct{ engine.Resident }

func (busy) Timings(yield func(engine.Timing)) {
	yield(engine.Timing{Stage: engine.StageProject, Points: 300, Time: time.Microsecond})
}
func (busy) Wait() error { return nil }

func TestTheFrameOfALateEngineDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates by itself")
	}
	d := open(t, "demo:tesseract:300")
	d.settle(t)
	d.dev.keep(busy{d.dev.resident})
	sets := make([]*landmark.Set, 64)
	for i := range sets {
		l, err := parts.Landmarks.Of(d.Doc.State()).Move([]int{0}, []float32{float32(i) / 100, 0})
		if err != nil {
			t.Fatal(err)
		}
		sets[i] = l
	}
	i := 0
	d.Doc.Begin("Move")
	d.Hold(true)
	change := func(s *state.State) { parts.Landmarks.Put(s, sets[i%len(sets)]) }
	d.proj.work.Neighbours = func(int, int) error { return nil }
	d.proj.work.Project = func(int, int) error { return nil }
	if a := testing.AllocsPerRun(100, func() {
		i++
		d.Doc.Change(change)
		if _, err := d.Frame(16*time.Millisecond, time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if !d.proj.sched.Few {
			t.Fatal("a move of one landmark is not that of a few")
		}
	}); a != 0 {
		t.Fatalf("%g allocations a frame", a)
	}
}

func TestFew(t *testing.T) {
	d := open(t, "demo:tesseract:3000")
	l := parts.Landmarks.Of(d.Doc.State())
	move := func(n int) *landmark.Set {
		ids := make([]int, n)
		for i := range ids {
			ids[i] = i
		}
		m, err := l.Move(ids, []float32{0.5, 0})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	limit := l.Len() / manyLandmarks
	if !few(l, l) || !few(l, move(1)) || !few(l, move(limit)) || few(l, move(limit+1)) || few(l, move(l.Len())) ||
		few(nil, l) {
		t.Fatal("few is not few, or many are")
	}
	fewer, _, err := l.Remove([]int{3})
	if err != nil || few(l, fewer) {
		t.Fatalf("another number of landmarks counts as a move (%v)", err)
	}
}
