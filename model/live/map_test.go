package live

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "blossom/gpu/cpu"
	_ "blossom/gpu/reference"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/model/work/virtual"
)

// target is a buffer in memory that notes what was uploaded.
type target struct {
	*embedsom.HostTarget
	uploaded int
}

func (t *target) Upload(from, to int) { t.uploaded += to - from }

// desk is a map with a main thread made of a channel.
type desk struct {
	*Map
	target *target
	alive  int // buffers
	posts  chan func()
	errors []error
	ticks  int // frames
	time   *virtual.Clock
}

func open(t testing.TB, path string) *desk {
	t.Helper()
	if at := strings.LastIndexByte(path, ':'); raceEnabled && testing.Short() && strings.HasPrefix(path, "demo:") {
		if n, err := strconv.Atoi(path[at+1:]); err == nil { // goroutines meet among few points, too
			path = fmt.Sprint(path[:at+1], min(n, 1000))
		}
	}
	o, err := opening.Load(context.Background(), []string{path}, format.Options{Seed: 7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return desktop(t, o, "cpu")
}

func desktop(t testing.TB, o *opening.Opened, name string) *desk {
	t.Helper()
	d := &desk{posts: make(chan func(), 100), time: &virtual.Clock{}}
	e, err := engine.Open(name, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	jobs := &work.Jobs{Clock: d.time, Post: func(f func()) { d.posts <- f },
		Failed: func(err error) { d.errors = append(d.errors, err) }}
	if d.Map, err = NewMap(o, &e, d.buffers(), jobs); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close(); e.Close() })
	return d
}

// buffers are plain memory; target is the first of them, and later those of EmbedSOM.
func (d *desk) buffers() Buffers {
	return Buffers{Make: func(n, dims int) embedsom.Target {
		t := &target{HostTarget: embedsom.NewHostTarget(n, dims)}
		d.alive++
		if d.target == nil || d.Map != nil && d.som.at.Target == nil {
			d.target = t
		}
		return t
	}, Drop: func(embedsom.Target) { d.alive-- }}
}

// settle runs frames until nothing is left to do.
func (d *desk) settle(t testing.TB) {
	t.Helper()
	d.until(t, "the map is at rest", func() bool {
		return !d.Busy() && len(d.Values.Jobs.List()) == 0 && !d.named.clusters.On()
	})
}

// until runs frames until ok, which is looked at before each.
func (d *desk) until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for range 200_000 {
		if ok() {
			return
		}
		d.frame(t)
	}
	t.Fatalf("still not: %s", what)
}

// frame runs a frame. It meets what goes on beside it under way and, every second time, when it is over.
func (d *desk) frame(t testing.TB) {
	t.Helper()
	d.ticks++
	patient := d.ticks%2 == 0
	if patient && !d.Values.Jobs.Idle() {
		(<-d.posts)()
	}
	select {
	case f := <-d.posts:
		f()
	default:
	}
	if patient {
		for _, r := range d.beside() {
			if r.Busy() {
				<-r.Over()
			}
		}
	}
	if _, err := d.Frame(16*time.Millisecond, 10*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if len(d.errors) > 0 {
		t.Fatal(d.errors[0])
	}
}

// beside are the runs whose units may be done beside a frame.
func (d *desk) beside() []*work.Run {
	out := []*work.Run{d.layout.Run(), d.named.clusters.Run()}
	for _, e := range d.list {
		if e.steps != nil {
			out = append(out, e.steps.Run())
		}
	}
	return out
}

// check compares what is on screen with the reference.
func (d *desk) check(t testing.TB) {
	t.Helper()
	s := d.Doc.State()
	want, err := embedsom.Embed(context.Background(), d.Table().X, parts.Landmarks.Of(s).Codebook,
		parts.Landmarks.Of(s).Pos, parts.Projection.Of(s))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range want.Data {
		got := d.target.Data[i]
		if math.Abs(float64(got-v)) > 1e-3*max(1, math.Abs(float64(v))) && v-v == 0 || (v-v == 0) != (got-got == 0) {
			t.Fatalf("coordinate %d of point %d is %g on screen, should be %g", i%2, i/2, got, v)
		}
	}
}

func TestTheMapTrainsAndSettles(t *testing.T) {
	d := open(t, "demo:tesseract:3000")
	before := parts.Landmarks.Of(d.Doc.State()).Codebook.Clone()
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if slices.Equal(before.Data, parts.Landmarks.Of(d.Doc.State()).Codebook.Data) {
		t.Fatal("training changed nothing")
	}
	if d.Schedule().Stale() != 0 || d.Shown() != 3000 {
		t.Fatalf("stale %g, shown %d", d.Schedule().Stale(), d.Shown())
	}
	d.check(t)
	if d.Doc.Undo() == "" {
		t.Fatal("the run is no entry")
	}
	if !slices.Equal(before.Data, parts.Landmarks.Of(d.Doc.State()).Codebook.Data) {
		t.Fatal("undo did not bring the codebook back")
	}
	d.settle(t)
	d.check(t)
}

func TestTheSameSeedGivesTheSameMap(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	run := func(elapsed time.Duration) []float32 {
		d := open(t, "demo:s-sheet:2000")
		d.Doc.Do("slow", func(s *state.State) {
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Speed = 50_000 })
			parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Values = step.Values{"epochs": 100} })
		})
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		// The clock does not move: only the speed says how many samples a frame takes.
		d.proj.sched.Clock = func() time.Time { return time.Unix(0, 0) }
		for range int(time.Second / elapsed) {
			if _, err := d.Frame(elapsed, time.Second); err != nil {
				t.Fatal(err)
			}
		}
		if _, p, _ := d.Training().Progress(); math.Abs(float64(p.Done)-50_000) > 2 {
			t.Fatalf("%d samples in a second at %v a frame", p.Done, elapsed)
		}
		return parts.Landmarks.Of(d.Doc.State()).Codebook.Data
	}
	fast, slow := run(10*time.Millisecond), run(100*time.Millisecond)
	if !slices.Equal(fast, slow) {
		t.Fatal("the frame rate changes the result of training")
	}
}

func TestAChangedTransformKeepsTheMap(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	before := d.Doc.State()
	old := d.Table()

	spec := parts.Transform.Of(before).Clone()
	cols := spec.MapColumns()
	for _, c := range cols {
		spec.Columns[c] = spec.Columns[c].With(transform.Asinh, transform.Params{50})
	}
	spec.Columns[cols[0]].Use = transform.ColourOnly
	d.Doc.Do("Cofactor", func(s *state.State) {
		parts.Transform.Put(s, spec)
	})
	d.settle(t)
	now := d.Doc.State()
	if parts.Landmarks.Of(now).Space != parts.Transform.Rev(now) || d.Table().X.Cols != old.X.Cols-1 ||
		parts.Landmarks.Of(now).Codebook.Cols != d.Table().X.Cols {
		t.Fatal("the codebook did not follow the transform")
	}
	d.check(t)
	// Monotone transforms keep each landmark among its points: most points stay with their landmark.
	same := 0
	for i := range 1000 {
		if parts.Landmarks.Of(before).Codebook.NearestRow(old.X.Row(i)) == parts.Landmarks.Of(now).Codebook.NearestRow(
			d.Table().X.Row(i)) {
			same++
		}
	}
	if same < 500 {
		t.Fatalf("%d of 1000 points kept their landmark", same)
	}

	d.Doc.Undo()
	d.settle(t)
	if s := d.Doc.State(); parts.Landmarks.Of(s).CodeRev != parts.Landmarks.Of(before).CodeRev ||
		!slices.Equal(d.Table().X.Data, old.X.Data) {
		t.Fatal("undo did not bring points and codebook back")
	}
	d.check(t)
	d.Doc.Redo()
	d.settle(t)
	if s := d.Doc.State(); parts.Landmarks.Of(s).CodeRev != parts.Landmarks.Of(now).CodeRev {
		t.Fatal("redo made another codebook")
	}
	d.check(t)
}

// A cancelled transform goes back; nothing is left half done.
func TestCancellingATransform(t *testing.T) {
	d := open(t, "demo:cytometry:5000")
	d.settle(t)
	before, table := d.Doc.State(), d.Table()
	spec := parts.Transform.Of(before).Clone()
	spec.Scale = true
	d.Doc.Do("Scale", func(s *state.State) { parts.Transform.Put(s, spec) })
	if !d.Busy() {
		t.Fatal("a transform under way counts as at rest: exports would mix two states")
	}
	if _, err := d.Frame(0, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for _, j := range d.Values.Jobs.List() {
		j.Cancel()
	}
	d.settle(t)
	if s := d.Doc.State(); parts.Transform.Of(s).Scale || d.Table() != table ||
		parts.Landmarks.Of(s).CodeRev != parts.Landmarks.Of(before).CodeRev {
		t.Fatal("cancel did not give the transform back")
	}
	d.check(t)
}

// While a changed transform is being applied neighbours stay as they are, also where their number has changed: the
// engine is not asked for positions from neighbours that it does not have.
func TestNeighboursChangeDuringATransform(t *testing.T) {
	d := open(t, "demo:cytometry:5000")
	d.settle(t)
	engine := d.Engine().Name()
	spec := parts.Transform.Of(d.Doc.State()).Clone()
	spec.Scale = true
	d.Doc.Do("Scale", func(s *state.State) { parts.Transform.Put(s, spec) })
	if _, err := d.Frame(0, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{30, 3, 17} {
		d.Doc.Do("k", func(s *state.State) {
			parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = k; p.Boost++ })
		})
		for range 3 { // nothing is taken from the queue of the main thread: the table is not there yet
			if _, err := d.Frame(time.Millisecond, time.Millisecond); err != nil || d.consistent() {
				t.Fatalf("k %d: %v", k, err)
			}
		}
	}
	d.settle(t)
	d.check(t)
	if now := d.Engine().Name(); now != engine {
		t.Fatalf("engine %s has taken over from %s, which did not fail", now, engine)
	}
}

// A column whose weight was 0 comes back with what its landmarks' points have there.
func TestAWeightThroughZero(t *testing.T) {
	d := open(t, "demo:s-sheet:2000")
	d.settle(t)
	col := d.Table().Cols[1]
	weigh := func(w float64) {
		spec := parts.Transform.Of(d.Doc.State()).Clone()
		spec.Columns[col].Weight = w
		d.Doc.Do("Weight", func(s *state.State) {
			parts.Transform.Put(s, spec)
		})
		d.settle(t)
		d.check(t)
	}
	weigh(0)
	weigh(1)
	code := parts.Landmarks.Of(d.Doc.State()).Codebook
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for i := range code.Rows {
		lo, hi = min(lo, code.Row(i)[1]), max(hi, code.Row(i)[1])
	}
	if hi-lo < 0.1 {
		t.Fatalf("the codebook stayed flat: %g to %g", lo, hi)
	}
}

func TestAColumnThatComesInTakesItsPointsMeans(t *testing.T) {
	d := open(t, "demo:s-sheet:2000")
	d.settle(t)
	spec := parts.Transform.Of(d.Doc.State()).Clone()
	last := spec.MapColumns()[2]
	spec.Columns[last].Use = transform.ColourOnly
	d.Doc.Do("out", func(s *state.State) { parts.Transform.Put(s, spec) })
	d.settle(t)
	spec = spec.Clone()
	spec.Columns[last].Use = transform.InMap
	d.Doc.Do("in", func(s *state.State) { parts.Transform.Put(s, spec) })
	d.settle(t)
	d.check(t)
	code := parts.Landmarks.Of(d.Doc.State()).Codebook
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for i := range code.Rows {
		lo, hi = min(lo, code.Row(i)[2]), max(hi, code.Row(i)[2])
	}
	if hi-lo < 0.1 {
		t.Fatalf("the new dimension of the codebook is flat: %g to %g", lo, hi)
	}
}

func TestSeveralFilesAreOneMap(t *testing.T) {
	paths := []string{"demo:tesseract:1000", "demo:tesseract:500"}
	o, err := opening.Load(context.Background(), paths, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := desktop(t, o, "cpu")
	d.settle(t)
	d.check(t)
	data := d.Doc.Data
	if data.Points != 1500 || data.Columns[len(data.Columns)-1].Name != "file" || !slices.Equal(data.Parts, paths) {
		t.Fatalf("%d points, parts %q", data.Points, data.Parts)
	}
	if n := d.Table().X.Cols; n != 4 {
		t.Fatalf("%d columns in the map", n)
	}
	if _, err := opening.Load(context.Background(), []string{"demo:tesseract:100", "demo:cytometry:100"},
		format.Options{}, nil); err == nil {
		t.Fatal("tables with nothing in common became one")
	}
}

// Training that is asked for while the transform is still being applied begins by itself afterwards,
// as an entry of its own.
func TestTrainingWaitsForTheTransform(t *testing.T) {
	d := open(t, "demo:s-sheet:2000")
	d.settle(t)
	spec := parts.Transform.Of(d.Doc.State()).Clone()
	spec.Scale = !spec.Scale
	d.Doc.Do("Scale", func(s *state.State) { parts.Transform.Put(s, spec) })
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	d.check(t)
	h := d.Doc.History()
	if h.Len() != 2 || h.Name(0) != "Scale" || h.Name(1) != "Train SOM, online then batch" {
		t.Fatalf("%d entries, the last is %q", h.Len(), h.Name(h.Len()-1))
	}
}

func TestEditsDuringTrainingAndDragging(t *testing.T) {
	d := open(t, "demo:torus-knot:3000")
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		d.frame(t)
		l := parts.Landmarks.Of(d.Doc.State())
		switch {
		case i == 10:
			d.Doc.Begin("Move")
			d.Hold(true)
		case i > 10 && i < 30:
			moved, err := l.Move([]int{3}, []float32{0.1, 0})
			if err != nil {
				t.Fatal(err)
			}
			d.Doc.Change(func(s *state.State) { parts.Landmarks.Put(s, moved) })
		case i == 30:
			d.Doc.Commit()
			d.Hold(false)
		case i == 35:
			n, _, err := l.AddFitted([]float32{0.5, 0.5}, nil)
			if err != nil {
				t.Fatal(err)
			}
			d.Doc.Do("Add", func(s *state.State) { parts.Landmarks.Put(s, n) })
		case i == 40:
			n, _, err := l.Remove([]int{0, 5})
			if err != nil {
				t.Fatal(err)
			}
			d.Doc.Do("Remove", func(s *state.State) { parts.Landmarks.Put(s, n) })
		case i == 45:
			d.Doc.Do("k", func(s *state.State) { parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = 20 }) })
		case i == 50:
			d.Doc.Do("kmeans", func(s *state.State) {
				parts.Training.Put(s, parts.TrainingChoice{
					Algorithm: "kmeans"})
			})
		}
	}
	d.Training().Pause()
	d.settle(t)
	d.check(t)
	for d.Doc.Undo() != "" {
		d.settle(t)
	}
	d.check(t)
}

func TestPinnedLandmarksStay(t *testing.T) {
	d := open(t, "demo:tesseract:2000")
	l, err := parts.Landmarks.Of(d.Doc.State()).Pin([]int{0, 9}, true)
	if err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("Pin", func(s *state.State) { parts.Landmarks.Put(s, l) })
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	for _, i := range []int{0, 9} {
		if !slices.Equal(l.Codebook.Row(i), parts.Landmarks.Of(d.Doc.State()).Codebook.Row(i)) {
			t.Fatalf("pinned landmark %d was trained", i)
		}
	}
}

// Batch training uses the engine's own search, and finds what plain Go finds.
func TestBatchTrainingOnTheEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	run := func(name string) []float32 {
		o, err := opening.Load(context.Background(), []string{"demo:tesseract:5000"}, format.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := desktop(t, o, name)
		d.Doc.Do("batch", func(s *state.State) {
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: "som-batch",
				Values: step.Values{"epochs": 5}})
		})
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		return parts.Landmarks.Of(d.Doc.State()).Codebook.Data
	}
	cpu, reference := run("cpu"), run("reference")
	for i := range cpu {
		if math.Abs(float64(cpu[i]-reference[i])) > 1e-3 {
			t.Fatalf("value %d of the codebook is %g on the engine and %g in plain Go", i, cpu[i], reference[i])
		}
	}
}

// breaking is an engine that fails after a while, as a card that is lost.
type breaking struct {
	engine.Engine
	left *int
}

type breakingPoints struct {
	engine.Resident
	left *int
}

func (b breaking) Name() string { return "breaking" }

func (b breaking) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	r, err := b.Engine.Load(ctx, x)
	return breakingPoints{r, b.left}, err
}

func (b breakingPoints) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, r engine.Range) error {
	if *b.left--; *b.left < 0 {
		return errors.New("the card fell off the bus")
	}
	return b.Resident.Neighbours(ctx, l, p, r)
}

func TestALostEngineIsReplacedAndNothingIsLost(t *testing.T) {
	o, err := opening.Load(context.Background(), []string{"demo:tesseract:20000"}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := desktop(t, o, "cpu")
	left := 2
	inner := d.dev.engines.Engine()
	d.dev.engines.Use(breaking{inner, &left})
	if err := d.dev.load(); err != nil {
		t.Fatal(err)
	}
	var said []string
	d.Notice = func(s string) { said = append(said, s) }
	d.settle(t)
	if len(said) != 1 || d.Engine().Name() != "cpu" {
		t.Fatalf("said %q, engine %s", said, d.Engine().Name())
	}
	d.check(t)
}

func TestTheFrameOfADragDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates by itself")
	}
	d := open(t, "demo:tesseract:300")
	d.settle(t)
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
	// The engine is measured by its own test: here it stands still.
	d.proj.work.Neighbours = func(int, int) error { return nil }
	d.proj.work.Project = func(int, int) error { return nil }
	if a := testing.AllocsPerRun(100, func() {
		i++
		d.Doc.Change(change)
		if _, err := d.Frame(16*time.Millisecond, time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}); a != 0 {
		t.Fatalf("%g allocations a frame", a)
	}
}
