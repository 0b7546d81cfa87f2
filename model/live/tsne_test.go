package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/maps/quality"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// mapped opens a demo with a t-SNE in sight.
func mapped(t testing.TB, points, dims int) (*desk, *Embedding) {
	t.Helper()
	d := open(t, fmt.Sprintf("demo:cytometry:%d", points))
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.TSNE(dims)})
	return d, d.Embedding(embedding.TSNE(dims))
}

func TestTSNEFormsByItself(t *testing.T) {
	d, e := mapped(t, 200, 2)
	set(d, 2, step.Values{"until": 50, "total": 150})
	d.settle(t)
	r := e.Stands()
	if e.Err() != nil || e.Shown() != 200 || !r.Rest || r.Units != 150 || len(r.Curve) < 15 {
		t.Fatalf("%v, %d shown, %+v", e.Err(), e.Shown(), r)
	}
	if first, last := r.Curve[0].Value, r.Curve[len(r.Curve)-1].Value; !(last < first/2) {
		t.Fatalf("KL from %g to %g", first, last)
	}
	if h := d.Doc.History(); h.Len() != 2 || h.Name(1) != "Run t-SNE" {
		t.Fatalf("%d entries", h.Len())
	}
}

// reopened saves the document and opens it again, with t-SNE in sight.
func (d *desk) reopened(t testing.TB, dims int) (*desk, *Embedding) {
	t.Helper()
	d.Doc.Look(func(s *state.State) {
		parts.Views.Put(s, parts.ViewList{Views: []parts.View{parts.NewView("1", embedding.TSNE(dims))}, Active: "1"})
	})
	path := filepath.Join(t.TempDir(), "s.blossom")
	var b bytes.Buffer
	made, err := session.Of(d.Doc, path, "test", time.Now())
	if err == nil {
		err = made.Write(&b)
	}
	if err = errors.Join(err, os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	o, err := opening.Load(context.Background(), []string{path}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	again := desktop(t, o, "cpu")
	again.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.TSNE(dims)})
	return again, again.Embedding(embedding.TSNE(dims))
}

// toUnit lets a run go on to a unit and no further.
func (d *desk) toUnit(t testing.TB, e *Embedding, unit int64) {
	t.Helper()
	for i := 0; e.Stands().Units < unit; i++ {
		if e.Err() != nil || i > 100_000 {
			t.Fatalf("at unit %d: %v", e.Stands().Units, e.Err())
		}
		if !e.Stands().Active {
			if err := e.Step(); err != nil {
				t.Fatal(err)
			}
		}
		d.frame(t)
	}
	for e.Stands().Active {
		d.frame(t)
	}
}

// paused is a run at unit 13.
func paused(t testing.TB, dims int, v step.Values) (*desk, *Embedding) {
	d, e := mapped(t, 300, dims)
	set(d, dims, v)
	for e.Stands().Units == 0 {
		d.frame(t)
	}
	e.Pause()
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	e.steps.Run().Start(work.OneUnit)
	d.toUnit(t, e, 13)
	return d, e
}

// A run that is paused, saved, opened again and continued has the bits of one that was not interrupted, and is there at
// once, with nothing to prepare.
func TestTSNEInASessionGoesOnWithTheSameBits(t *testing.T) {
	const exact, tree, field = 1, 2, 3
	for _, c := range []struct {
		dims   int
		method float64
		pinned bool
	}{{2, exact, false}, {2, exact, true}, {3, exact, false}, {2, field, true}, {2, tree, false}, {3, tree, true}} {
		through := map[bool][]float32{}
		for _, broken := range []bool{false, true} {
			d, e := paused(t, c.dims, step.Values{"until": 20, "total": 50, "perplexity": 12, "method": c.method})
			if c.pinned {
				if err := e.Pin([]int{5, 77}, true); err != nil {
					t.Fatal(err)
				}
			}
			d.settle(t)
			if broken {
				want, curve := slices.Clone(e.Target().Host()), len(e.Stands().Curve)
				d, e = d.reopened(t, c.dims)
				d.frame(t)
				if r := e.Stands(); !slices.Equal(e.Target().Host(), want) || r.Units != 13 || r.Active || r.Foreign ||
					len(r.Curve) != curve || len(d.Values.Jobs.List()) > 0 || (len(e.Pinned()) == 2) != c.pinned {
					t.Fatalf("opened again it is not what it was: %+v", r)
				}
			}
			if err := e.Start(); err != nil {
				t.Fatal(err)
			}
			d.settle(t)
			if r := e.Stands(); r.Units != 50 || !r.Rest {
				t.Fatalf("%+v", r)
			}
			through[broken] = slices.Clone(e.Target().Host())
		}
		if !slices.Equal(through[false], through[true]) {
			t.Errorf("%+v: it goes on otherwise", c)
		}
	}
}

// set changes how it is run.
func set(d *desk, dims int, v step.Values) {
	d.Doc.Do("Change", func(s *state.State) {
		parts.Runs.Put(s, parts.Runs.Of(*s).Edit(embedding.TSNE(dims), func(c *parts.RunChoice) {
			maps.Copy(c.Values, v)
		}))
	})
}

// table writes rows as a file with columns, and opens it with t-SNE in sight.
func tabled(t *testing.T, rows [][]string) (*desk, *Embedding) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	text := "a,b,c\n"
	for _, r := range rows {
		text += strings.Join(r, ",") + "\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := open(t, path)
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.TSNE(2), embedding.TSNE(3)})
	return d, d.Embedding(embedding.TSNE(2))
}

// Few points, equal ones, holes: always places, never a hang.
func TestTSNEOfOddPoints(t *testing.T) {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	rows := func(n int, at func(i, c int) string) (out [][]string) {
		for i := range n {
			out = append(out, []string{at(i, 0), at(i, 1), at(i, 2)})
		}
		return out
	}
	plain := func(i, c int) string { return number(math.Sin(float64(7*i + 3*c))) }
	for name, in := range map[string][][]string{
		"one": rows(1, plain), "two": rows(2, plain), "four": rows(4, plain), "five": rows(5, plain),
		"equal": rows(30, func(i, c int) string { return number(float64(c + i/29)) }), // but one: else it is no map
		"halves": rows(60, func(i, c int) string {
			if i%2 == 0 {
				return "1"
			}
			return plain(i, c)
		}),
		"holes": rows(40, func(i, c int) string {
			if i%5 == 1 && c == 1 {
				return "NaN"
			}
			return plain(i, c)
		}),
		"hole": rows(3, func(i, c int) string {
			if i > 0 && c == 0 {
				return "NaN"
			}
			return plain(i, c)
		}),
	} {
		d, e := tabled(t, in)
		set(d, 2, step.Values{"total": 60, "until": 20})
		d.settle(t)
		if e.Err() != nil || !e.Stands().Rest || e.Shown() != len(in) {
			t.Errorf("%s: %v, %+v", name, e.Err(), e.Stands())
			continue
		}
		places := map[[2]float32]int{}
		for i, p := range e.Target().Host() {
			hole := slices.Contains(in[d.Table().Order[i/2]], "NaN")
			if (p-p != 0) != hole {
				t.Errorf("%s: point %d is at %g", name, i/2, p)
			}
			if i%2 == 0 && !hole {
				places[[2]float32(e.Target().Host()[i:])]++
			}
		}
		if name == "equal" && len(places) != 30 {
			t.Errorf("equal points are at %d places", len(places))
		}
	}
}

// A restart, another file and a cancelled job while neighbours are looked for.
func TestTSNEIsLetGoWhileItIsPrepared(t *testing.T) {
	d, e := mapped(t, 200, 2)
	set(d, 2, step.Values{"total": 0, "until": 20})
	if _, err := d.Frame(16*time.Millisecond, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if e.Stands().Job == nil || e.Stands().Job.Title != "Finding neighbours" {
		t.Fatalf("no job looks for neighbours: %+v", e.Stands())
	}
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	d.toUnit(t, e, 1)
	set(d, 2, step.Values{"perplexity": 50})
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	for e.Stands().Job == nil {
		d.frame(t)
	}
	at := e.Stands().Units
	// The run goes on with the former ones meanwhile.
	for e.Stands().Job != nil || e.steps.Outdated() {
		d.frame(t)
	}
	if r := e.Stands(); r.Units < at || !r.Active {
		t.Fatalf("another perplexity ended it: %+v", r)
	}
	// Cancelled: the view keeps what it has.
	e.Pause()
	for d.Busy() {
		d.frame(t)
	}
	set(d, 2, step.Values{"perplexity": 90})
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	for e.Stands().Job == nil {
		d.frame(t)
	}
	e.Stands().Job.Cancel()
	for range 20 {
		d.frame(t)
	}
	d.settleJobs(t)
	if e.Err() != nil || e.Shown() != 200 {
		t.Fatalf("%v, %d shown", e.Err(), e.Shown())
	}
	e.Pause()
	d.Embedding(embedding.TSNE(3))
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.TSNE(2), embedding.TSNE(3)})
	if _, err := d.Frame(16*time.Millisecond, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	d.Close()
	d.settleJobs(t)
	if d.alive != 0 || len(d.errors) > 0 {
		t.Fatalf("%d buffers, %v", d.alive, d.errors)
	}
}

// A run that has done its units says so when it is started, and nothing else happens; with more of them it goes on.
func TestTSNEThatHasDoneItsUnits(t *testing.T) {
	d, e := mapped(t, 200, 2)
	var said string
	d.Notice = func(text string) { said = text }
	set(d, 2, step.Values{"until": 990}) // so that it does not rest before; how many units is left as it is
	d.settle(t)
	entries, was := d.Doc.History().Len(), slices.Clone(e.Target().Host())
	if r := e.Stands(); r.Units != 1000 || !r.Rest {
		t.Fatalf("%+v", r)
	}
	for range 3 {
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		d.frame(t)
	}
	if e.Stands().Active || d.Doc.History().Len() != entries || !slices.Equal(was, e.Target().Host()) ||
		!strings.Contains(said, "1000 units") || !strings.Contains(said, "start over") {
		t.Fatalf("%d entries, not %d; it says %q", d.Doc.History().Len(), entries, said)
	}
	set(d, 2, step.Values{"total": 1040})
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if r := e.Stands(); r.Units != 1040 || slices.Equal(was, e.Target().Host()) {
		t.Fatalf("it does not go on: %+v", r)
	}
}

// With other columns it says that it is of other data, and runs anew from where it is.
func TestTSNEOfOtherData(t *testing.T) {
	d, e := mapped(t, 400, 2)
	set(d, 2, step.Values{"total": 60, "until": 30})
	d.settle(t)
	if e.Stands().Foreign {
		t.Fatal("it is of the data that there is")
	}
	d.recolumn(20)
	d.settle(t)
	was := slices.Clone(e.Target().Host())
	if r := e.Stands(); !r.Foreign || r.Active {
		t.Fatalf("it does not say that it is of other data: %+v", r)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if r := e.Stands(); r.Foreign || slices.Equal(was, e.Target().Host()) || r.Early != 0 {
		t.Fatalf("it does not run anew from where it is: %+v", r)
	}
}

// Landmarks where the points of a t-SNE lie make EmbedSOM place all points in its picture, also those it is not of.
func TestLandmarksFromTSNE(t *testing.T) {
	d, e := mapped(t, 1200, 2)
	set(d, 2, step.Values{"points": 600, "until": 40, "total": 120})
	d.settle(t)
	if bad := holes(e); bad != 600 {
		t.Fatalf("%d points have no place", bad)
	}
	kept := func(e *Embedding) float64 {
		pos, ok := e.Positions()
		if !ok {
			t.Fatal("no positions")
		}
		// Quality is measured over the points that the t-SNE is of, and over all.
		s, err := quality.NewSpace(t.Context(), d.Table().X, 600, quality.Work{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Measure(t.Context(), s.Gather(pos, 2, nil), 2, quality.Work{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Value()
	}
	grid := kept(d.EmbedSOM())
	entries := d.Doc.History().Len()
	called := false
	if err := d.LandmarksFrom(e, 100, func() { called = true }); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	l := parts.Landmarks.Of(d.Doc.State())
	if h := d.Doc.History(); !called || h.Len() != entries+1 || h.CanUndo() != "Landmarks from t-SNE" || l.Len() < 75 {
		t.Fatalf("%d landmarks, last %q", l.Len(), h.CanUndo())
	}
	carried := kept(d.EmbedSOM())
	set(d, 2, step.Values{"points": 0, "until": 40, "total": 120})
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	whole := kept(e)
	t.Logf("R_NX: the SOM's grid %.3f, landmarks from t-SNE of half %.3f, t-SNE of all %.3f", grid, carried, whole)
	if !(carried > 0.6*whole) || !(carried > grid) {
		t.Errorf("R_NX %.3f with landmarks from t-SNE, %.3f with a grid, %.3f by t-SNE of all", carried, grid, whole)
	}
}

// holes is how many points have no place.
func holes(e *Embedding) (n int) {
	host := e.Target().Host()
	for i := 0; i < len(host); i += e.Dims() {
		if v := host[i]; v != v {
			n++
		}
	}
	return n
}

// Points pinned in a session that was opened again, before there is a runner, are held by it, also where the session is
// saved before that is made and opened once more.
func TestTSNEPinnedBeforeItGoesOn(t *testing.T) {
	d, _ := paused(t, 2, step.Values{"until": 20, "total": 50, "perplexity": 12})
	d.settle(t)
	d, e := d.reopened(t, 2)
	d.frame(t)
	if err := e.Pin([]int{5, 77}, true); err != nil {
		t.Fatal(err)
	}
	d, e = d.reopened(t, 2)
	d.frame(t)
	places := func() []float32 {
		host := e.Target().Host()
		return slices.Concat(host[2*5:2*6], host[2*77:2*78])
	}
	at := places()
	if !slices.Equal(e.Pinned(), []int{5, 77}) || e.Stands().Units != 13 {
		t.Fatalf("pinned are %v, %+v", e.Pinned(), e.Stands())
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if now := places(); e.Stands().Units != 50 || !slices.Equal(at, now) {
		t.Errorf("points that are pinned went from %v to %v in %d units", at, now, e.Stands().Units)
	}
}
