package live

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

func aRing(dims int) embedding.Recipe { return embedding.Recipe{Kind: "ring", Dims: dims} }

// ringed opens a demo with a ring in sight. Other tests have rings that fail.
func ringed(t testing.TB, points int) (*desk, *Embedding) {
	t.Helper()
	ringing.failAt, ringing.panics, ringing.starts, ringing.delay, ringing.begun = 0, false, nil, 0, 0
	d := open(t, fmt.Sprintf("demo:cytometry:%d", points))
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), aRing(2)})
	d.settle(t)
	return d, d.Embedding(aRing(2))
}

// slow makes a clock that goes on by a millisecond whenever it is looked at, and with each step of a ring: a frame is a
// few steps.
func (d *desk) slow() {
	now := time.Unix(0, 0)
	d.proj.sched.Clock = func() time.Time {
		now = now.Add(time.Millisecond)
		return now.Add(time.Duration(ringing.stepped.Load()) * time.Millisecond)
	}
}

// off returns how far the points are from the circle: the largest distance, but of those excepted.
func off(e *Embedding, but ...int) (most float64) {
	pos, d := e.Target().Host(), e.Dims()
	for i := 0; i < len(pos); i += d {
		if slices.Contains(but, i/d) {
			continue
		}
		sum := 0.0
		for _, x := range pos[i : i+d] {
			sum += float64(x) * float64(x)
		}
		most = max(most, math.Abs(math.Sqrt(sum)-1))
	}
	return most
}

func TestARunningEmbedding(t *testing.T) {
	d, e := ringed(t, 2000)
	if e.Shown() != 2000 || off(e) < 0.5 || e.Busy() || !e.Runs() {
		t.Fatalf("before its start: %d shown, off by %g", e.Shown(), off(e))
	}
	begin := slices.Clone(e.Target().Host())
	rev := e.Rev()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	running, p := e.Stands().Active, e.steps.Run().Progress()
	if off(e) > 1e-3 || running || !p.Rest || e.Rev() == rev {
		t.Fatalf("after its run: off by %g, running %v, %+v", off(e), running, p)
	}
	h := d.Doc.History()
	if h.Len() != 1 || h.Name(0) != "Run Ring" {
		t.Fatalf("%d entries, %q", h.Len(), h.Name(0))
	}
	end := slices.Clone(e.Target().Host())
	d.Doc.Undo()
	d.settle(t)
	if !slices.Equal(e.Target().Host(), begin) {
		t.Fatal("undo does not bring the positions back")
	}
	d.Doc.Redo()
	d.settle(t)
	if !slices.Equal(e.Target().Host(), end) {
		t.Fatal("redo does not bring them again")
	}
	// Out of sight it is freed, and in sight again as it was.
	d.Show([]embedding.Recipe{embedding.EmbedSOM()})
	if d.alive != 1 {
		t.Fatalf("%d buffers", d.alive)
	}
	begun := ringing.begun
	e = d.Embedding(aRing(2))
	d.settle(t)
	if !slices.Equal(e.Target().Host(), end) || ringing.begun != begun || e.Shown() != 2000 {
		t.Fatal("in sight again it is another one, or it was prepared for nothing")
	}
	if err := d.EmbedSOM().Start(); err == nil {
		t.Fatal("the map itself can be started")
	}
}

// Where a run was paused is saved as data, with its pins, and is there when the session is opened again.
func TestARunningEmbeddingInASession(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	for _, points := range []int{1, 700, 60_000} {
		d, e := ringed(t, points)
		if err := e.Pin([]int{0}, true); err != nil {
			t.Fatal(err)
		}
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			d.frame(t)
		}
		d.settleJobs(t)
		d.frame(t)
		e.Pause()
		d.Doc.Look(func(s *state.State) {
			parts.Views.Put(s, parts.ViewList{Views: []parts.View{parts.NewView("1", aRing(2))}, Active: "1"})
		})
		want, pinned := slices.Clone(e.Target().Host()), e.Pinned()
		path := filepath.Join(t.TempDir(), "s.blossom")
		var b bytes.Buffer
		made, err := session.Of(d.Doc, path, "test", time.Now())
		if err == nil {
			err = made.Write(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := opening.Load(context.Background(), []string{path}, format.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		again := desktop(t, o, "cpu")
		f := again.Embedding(parts.Views.Of(again.Doc.State()).Get("1").Recipe)
		again.settle(t)
		if !slices.Equal(f.Target().Host(), want) || f.Shown() != points || !slices.Equal(f.Pinned(), pinned) ||
			len(pinned) != 1 {
			t.Fatalf("%d points: the session has other positions, or pins %v", points, f.Pinned())
		}
		if err := f.Start(); err != nil {
			t.Fatal(err)
		}
		again.settle(t)
		if off(f, 0) > 1e-3 || !slices.Equal(f.Target().Host()[:2], want[:2]) {
			t.Fatal("it does not go on from there with its pins")
		}
	}
}

// settleJobs waits for jobs alone.
func (d *desk) settleJobs(t testing.TB) {
	t.Helper()
	for len(d.Values.Jobs.List()) > 0 {
		(<-d.posts)()
	}
}

func TestARestartFromAnotherEmbedding(t *testing.T) {
	d, e := ringed(t, 3000)
	names := d.Doc.Data.Columns
	for _, from := range []embedding.Recipe{embedding.EmbedSOM(), embedding.Columns(names[0].Name, names[1].Name),
		embedding.PCA(3)} {
		f := d.Embedding(from)
		if pos, ok := f.Positions(); !ok && pos != nil {
			t.Fatal("positions that are not there")
		} else if !ok {
			if err := e.Restart(f, true); err == nil {
				t.Fatal("started from positions that are not there")
			}
		}
		d.settle(t)
		pos, ok := f.Positions()
		if !ok {
			t.Fatal("at rest without positions")
		}
		entries := d.Doc.History().Len()
		if err := e.Restart(f, true); err != nil {
			t.Fatal(err)
		}
		if ringing.from == nil || !slices.Equal(ringing.from.Pos, pos) || ringing.from.Dims != f.Dims() {
			t.Fatalf("from %v it starts elsewhere", from)
		}
		for i := range 3000 {
			if a, b := e.Target().Host()[2*i], pos[f.Dims()*i]; a != b && b == b {
				t.Fatalf("point %d begins at %g, should at %g", i, a, b)
			}
		}
		d.settle(t)
		if d.Doc.History().Len() != entries+1 {
			t.Fatalf("%d entries for a restart", d.Doc.History().Len()-entries)
		}
	}
	if err := e.Restart(nil, false); err != nil || ringing.from != nil {
		t.Fatal("it does not start from its own beginning")
	}
	d.settle(t)
}

func TestPointsPinnedAndDragged(t *testing.T) {
	d, e := ringed(t, 500)
	at := func(p int) []float32 { return slices.Clone(e.Target().Host()[2*p : 2*p+2]) }
	e.Hold(true)
	for i := range 10 {
		if err := e.Move([]int{7, 9}, []float32{float32(i), 5, -float32(i), 5}); err != nil {
			t.Fatal(err)
		}
		if p := at(7); p[0] != float32(i) || p[1] != 5 {
			t.Fatalf("the point does not follow the hand: it is at %v", p)
		}
		d.frame(t)
	}
	e.Hold(false)
	h := d.Doc.History()
	if h.Len() != 1 || h.Name(0) != "Move points" {
		t.Fatalf("%d entries of one drag", h.Len())
	}
	if err := e.Pin([]int{7}, true); err != nil {
		t.Fatal(err)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if p := at(7); p[0] != 9 || p[1] != 5 || off(e, 7) > 1e-3 {
		t.Fatalf("the pinned point is at %v, the others are off by %g", p, off(e, 7))
	}
	for d.Doc.Undo() != "" {
	}
	d.settle(t)
	if p := at(7); p[0] == 9 || len(e.Pinned()) != 0 {
		t.Fatalf("undone, the point is at %v, pins %v", p, e.Pinned())
	}
	if e.Move([]int{500}, []float32{0, 0}) == nil || e.Move([]int{1}, []float32{0}) == nil {
		t.Fatal("a point that there is not was moved")
	}
	// A drag while it runs belongs to the run.
	d.slow()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.frame(t)
	e.Hold(true)
	if err := e.Move([]int{3}, []float32{50, 50}); err != nil {
		t.Fatal(err)
	}
	d.frame(t)
	e.Hold(false)
	d.settle(t)
	if h.Len() != 1 {
		t.Fatalf("%d entries", h.Len())
	}
}

// Undo while a run goes on takes the run back, and ends it; what the user is in the middle of stays whole.
func TestUndoWhileARunGoesOn(t *testing.T) {
	d, e := ringed(t, 4000)
	begin := slices.Clone(e.Target().Host())
	d.slow()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.Doc.Begin("Move") // in the middle of a drag
	for range 3 {
		d.frame(t)
	}
	moved, err := parts.Landmarks.Of(d.Doc.State()).Move([]int{0}, []float32{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	d.Doc.Change(func(s *state.State) { parts.Landmarks.Put(s, moved) })
	d.Doc.Commit()
	d.frame(t)
	if running := e.Stands().Active; !running {
		t.Fatal("the run was over before")
	}
	if name := d.Doc.Undo(); name != "Run Ring" {
		t.Fatalf("undid %q", name)
	}
	d.settle(t)
	running := e.Stands().Active
	if running || !slices.Equal(e.Target().Host(), begin) || e.Shown() != 4000 {
		t.Fatalf("running %v after it was undone, or at other positions", running)
	}
	if name := d.Doc.Undo(); name != "Move" {
		t.Fatalf("undid %q", name)
	}
	d.settle(t)
	d.check(t)
}

// A run that fails in the middle is paused and told, keeps what it had, and the others go on.
func TestARunThatFails(t *testing.T) {
	for _, panics := range []bool{false, true} {
		d, e := ringed(t, 1000)
		ringing.failAt, ringing.panics = 5, panics
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		var told []error
		for i := 0; d.Busy() && i < 100_000; i++ {
			if _, err := d.Frame(16*time.Millisecond, 10*time.Millisecond); err != nil {
				told = append(told, err)
			}
		}
		if len(told) != 1 || !strings.Contains(told[0].Error(), "the ring broke") || problem.As(told[0]).Remedy == "" {
			t.Fatalf("told %v", told)
		}
		if running := e.Stands().Active; running || e.Shown() != 1000 || e.Err() != nil {
			t.Fatalf("running %v, %d shown, %v", running, e.Shown(), e.Err())
		}
		if _, p, _ := d.Training().Progress(); !p.Rest {
			t.Fatal("training did not go on to its end")
		}
		d.check(t)
		ringing.failAt = 0
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		if off(e) > 1e-3 {
			t.Fatal("it cannot be started again")
		}
	}
	// One that cannot even begin says so in its view.
	d, e := ringed(t, 100)
	ringing.starts = problem.New("", "use more points", "too few points")
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if e.Err() == nil || e.Shown() != 0 {
		t.Fatalf("%v, %d shown", e.Err(), e.Shown())
	}
	ringing.starts = nil
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if e.Err() != nil || off(e) > 1e-3 {
		t.Fatalf("%v, off by %g", e.Err(), off(e))
	}
}

// A changed transform gives a run other points: it goes on with them from where it is.
func TestARunWithAnotherTransform(t *testing.T) {
	d, e := ringed(t, 2000)
	d.slow()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.frame(t)
	begun := ringing.begun
	d.recolumn(20)
	d.settle(t)
	if ringing.begun != begun+1 || off(e) > 1e-3 {
		t.Fatalf("%d runners, off by %g", ringing.begun-begun, off(e))
	}
}

// The engine is lost with several embeddings in sight and two runs under way: nothing else is.
func TestALostEngineWithSeveralEmbeddings(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	d, e := ringed(t, 20_000)
	recipes := []embedding.Recipe{embedding.EmbedSOM(), aRing(2), embedding.PCA(3),
		embedding.Columns(d.Doc.Data.Columns[0].Name, d.Doc.Data.Columns[1].Name)}
	d.Show(recipes)
	d.settle(t)
	left := 3
	d.dev.engines.Use(breaking{d.dev.engines.Engine(), &left})
	if err := d.dev.load(); err != nil {
		t.Fatal(err)
	}
	var said []string
	d.Notice = func(s string) { said = append(said, s) }
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		d.frame(t)
	}
	d.Training().Pause()
	d.settle(t)
	if d.Engine().Name() != "cpu" || !strings.Contains(strings.Join(said, "\n"), "breaking failed") {
		t.Fatalf("on %s, said %q", d.Engine().Name(), said)
	}
	d.check(t)
	computed(t, d, d.Embedding(recipes[2]))
	computed(t, d, d.Embedding(recipes[3]))
	if off(e) > 1e-3 {
		t.Fatalf("the ring is off by %g", off(e))
	}
}

// Closing while a runner is being made and a run goes on leaves nothing behind, and keeps where it was.
func TestClosingWhileRunsGoOn(t *testing.T) {
	d, e := ringed(t, 60_000)
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		d.frame(t)
	}
	ringing.delay = 20 * time.Millisecond
	d.Embedding(aRing(3))
	d.frame(t)
	at := e.Target().Host() // units that are under way beside the frame are still taken, and shown
	d.Close()
	d.settleJobs(t)
	if d.alive != 0 || len(d.errors) > 0 {
		t.Fatalf("%d buffers, %v", d.alive, d.errors)
	}
	if s := parts.Snapshots.Of(d.Doc.State()).Get(aRing(2)); s == nil || !slices.Equal(s.InOrder(d.Table().Order), at) {
		t.Fatal("where the run was is lost")
	}
}

func TestTheFrameOfARunDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates by itself")
	}
	d, e := ringed(t, 300)
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), aRing(2), embedding.PCA(2)})
	d.settle(t)
	d.slow()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.frame(t)
	recipes := []embedding.Recipe{embedding.EmbedSOM(), aRing(2), embedding.PCA(2)}
	if a := testing.AllocsPerRun(30, func() {
		d.Show(recipes)
		if _, err := d.Frame(16*time.Millisecond, 2*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if running := e.Stands().Active; !running {
			t.Fatal("it came to rest")
		}
	}); a != 0 {
		t.Fatalf("%g allocations a frame", a)
	}
}
