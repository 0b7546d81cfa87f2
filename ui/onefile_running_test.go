package ui

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
)

// orbit is an embedding that runs, in one file: points go round a circle, whose radius is its basis, in some units.
type orbit struct {
	embedding.Plain
	radius, units float64
	n, dims       int
	at            step.Progress
}

var (
	orbitUnits  = step.Param{ID: "units", Title: "Orbits", Min: 1, Max: 1000, Default: 40, Integer: true}
	orbitRadius = step.Param{ID: "radius", Title: "Radius", Min: 1, Max: 100, Default: 5}
	orbitBases  int
)

func init() {
	if !oneFile {
		return
	}
	embedding.Register(embedding.Kind{ID: "orbit", Title: "Orbit", Way: embedding.Stepwise,
		Help: "Points go round and round",
		Run: embedding.Stages{Params: []step.Param{orbitUnits, orbitRadius}, Total: orbitUnits.ID, Letter: "J",
			Title: "Measuring the circle",
			Key: func(_ embedding.Inputs, _ embedding.Recipe, v step.Values) string {
				return orbitKey(v.Get(orbitRadius))
			},
			Basis: func(_ context.Context, _ embedding.Inputs, _ embedding.Recipe, v step.Values, _ any,
				_ func(done, total int64)) (any, error) {
				orbitBases++
				return v.Get(orbitRadius), nil
			},
			Start: func(_ context.Context, in embedding.Inputs, r embedding.Recipe, b embedding.Beginning) (
				embedding.Runner, error) {
				units := b.Values.Get(orbitUnits)
				return &orbit{radius: b.Basis.(float64), units: units, n: in.Table.X.Rows, dims: r.Dims,
					at: step.Progress{Total: int64(units)}}, nil
			}}})
}

func orbitKey(r float64) string { return string(rune('a' + int(r))) }

func (o *orbit) Step(_ context.Context, units int) (step.Progress, error) {
	o.at.Done = min(o.at.Total, o.at.Done+int64(units))
	o.at.Rest = o.at.Done == o.at.Total
	return o.at, nil
}

func (o *orbit) Rebase(basis any) error {
	o.radius = basis.(float64)
	o.at.Rest = false
	o.at.Total++
	return nil
}

func (o *orbit) Place(dst embedsom.Target) error {
	pos := dst.Host()
	for i := range o.n {
		sin, cos := math.Sincos(float64(i) + float64(o.at.Done)/10)
		pos[o.dims*i], pos[o.dims*i+1] = float32(o.radius*cos), float32(o.radius*sin)
	}
	dst.Upload(0, o.n)
	return nil
}

func (o *orbit) Hold([]int, []float32) error { return nil }
func (o *orbit) Release([]int) error         { return nil }

// An embedding that runs, with parameters and a basis, is added in one file: it has a view, a panel, commands, keys, a
// place in the palette, in the history and in sessions.
func TestARunningEmbeddingInOneFile(t *testing.T) {
	if !oneFile {
		c := exec.Command(os.Args[0], "-test.run=^TestARunningEmbeddingInOneFile$", "-test.v")
		c.Env = append(os.Environ(), oneFileVariable+"=1")
		if out, err := c.CombinedOutput(); err != nil ||
			!strings.Contains(string(out), "--- PASS: TestARunningEmbeddingInOneFile") {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	a, d := begin(t, 1280, 1400, 1, Options{Paths: []string{"demo:cytometry:300"}, Still: true})
	opened(t, a, d)
	orbits := embedding.Recipe{Kind: "orbit", Dims: 2}
	uitest.Do(func() {
		open(a)
		commandByID("orbit-view").Run(a)
	})
	rest(t, a, d)
	if !a.active().View.State().Recipe.Equal(orbits) || !d.Has("side bar/orbit/run") ||
		!d.Has("side bar/orbit/Radius") {
		t.Fatal("it has no view, or no panel")
	}
	d.Keys("J")
	d.Wait("it is at rest", time.Minute, func() bool { return a.active().Field().Stands().Rest })
	rest(t, a, d)
	place := func() (p [2]float32) {
		uitest.Do(func() { copy(p[:], a.active().Field().Target().Host()) })
		return p
	}
	if h := a.desk.Doc.History(); h.CanUndo() != "Run Orbit" || orbitBases != 1 {
		t.Fatalf("the last entry is %q, %d bases", h.CanUndo(), orbitBases)
	}
	end := place()
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if place() == end {
		t.Error("undo does not bring the points back")
	}
	d.Keys("Ctrl+Shift+Z")
	rest(t, a, d)
	uitest.Do(func() {
		a.desk.Doc.Do("Radius", func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(orbits, func(c *parts.RunChoice) { c.Values["radius"] = 9 }))
		})
	})
	d.Keys("Shift+J")
	d.Wait("a basis is made for a step", time.Minute, func() bool { return orbitBases == 2 })
	rest(t, a, d)
	var titles []string
	uitest.Do(func() {
		for _, x := range a.paletteItems("") {
			titles = append(titles, x.Title)
		}
	})
	for _, want := range []string{"Run or pause Orbit", "One unit of Orbit", "Start Orbit over", "Orbit beside",
		"Orbit map as landmarks", "Show Orbit panel"} {
		if !slices.Contains(titles, want) {
			t.Errorf("the palette has no %q", want)
		}
	}
	if !slices.ContainsFunc(keyRows(), func(r [2]string) bool { return r[1] == "Alt+J" }) {
		t.Error("the page of keys does not have it")
	}
	end = place()
	path := filepath.Join(t.TempDir(), "orbit.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(path) })
	rest(t, a, d)
	d.Wait("it is saved", time.Minute, func() bool { return a.desk.Session == path })
	d.End()
	b, e := begin(t, 1280, 1400, 1, Options{Paths: []string{path}, Still: true})
	opened(t, b, e)
	uitest.Do(func() {
		if got := b.desk.Map.Existing(orbits); got == nil || [2]float32(got.Target().Host()[:2]) != end ||
			parts.Runs.Of(b.desk.Doc.State()).Get(orbits).Values["radius"] != 9 {
			t.Error("the session does not have it")
		}
	})
}
