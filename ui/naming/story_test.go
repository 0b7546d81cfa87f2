package naming_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/job"
	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// truth is the rows of the demo whose true population begins with one of some words.
func truth(d *desk.Desk, begins ...string) *selection.Set {
	data := d.Doc.Data
	kind := &data.Columns[data.Places()["population"]]
	words := make([]uint64, (data.Points+63)/64)
	for i, v := range kind.Values {
		if v == v && slices.ContainsFunc(begins, func(b string) bool {
			return strings.HasPrefix(kind.Categories[int(v)], b)
		}) {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return selection.FromBits(data.Points, words)
}

// f1 is how well a set is another.
func f1(a, b *selection.Set) float64 {
	return 2 * float64(selection.Intersect(a, b).Count()) / float64(a.Count()+b.Count())
}

// spots are the screen places of the rows of a set in the first view.
func spots(s *stand.Window, of *selection.Set) (out [][2]float64) {
	v := s.Desk.Stage.Scatters()[0]
	for p, row := range s.Desk.Table().Order {
		if x, y, ok := stand.Spot(v, p); ok && of.Contains(int(row)) {
			out = append(out, [2]float64{x, y})
		}
	}
	return out
}

// around draws a lasso around most of some places: as far from their middle in each direction as nearly all are there.
func around(d *uitest.Driver, places [][2]float64, within widget.Rect) {
	middle := [2]float64{}
	for c := range middle {
		var x []float64
		for _, p := range places {
			x = append(x, p[c])
		}
		slices.Sort(x)
		middle[c] = x[len(x)/2]
	}
	const sides = 16
	var far [sides][]float64
	for _, p := range places {
		dx, dy := p[0]-middle[0], p[1]-middle[1]
		at := int(math.Atan2(dy, dx)/(2*math.Pi)*sides+1.5*sides) % sides
		far[at] = append(far[at], math.Hypot(dx, dy))
	}
	for i := range sides {
		slices.Sort(far[i])
		r := 4.0
		if n := len(far[i]); n > 0 {
			r += far[i][n-1-n/50]
		}
		angle := (float64(i) - sides/2) * 2 * math.Pi / sides
		x := min(max(float32(middle[0]+r*math.Cos(angle)), within.X0+1), within.X1-1)
		y := min(max(float32(middle[1]+r*math.Sin(angle)), within.Y0+1), within.Y1-1)
		if d.Move(x, y); i == 0 {
			d.Press(shell.Left)
		}
	}
	d.Release(shell.Left)
	d.Frames(2)
}

// A newcomer lassos an island and names it, gates two populations in a view of two columns, brushes a third over its
// landmarks, has the rest suggested, and saves: those made by hand are the true ones, and the session gives the labels
// that the window gives, to the byte.
func TestANewcomerNamesPopulations(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:8000", W: 1000, H: 800, Views: stand.Whole,
		Trained: true})
	uitest.Do(func() { s.Tool("select") })
	d.Frames(3)
	place := s.Desk.Stage.Scatters()[0].Rect()
	around(d, spots(s, truth(s.Desk, "neutrophil")), place)
	name(t, s, "neutrophils", naming.New)

	uitest.Do(func() {
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.Columns(column(s, "CD3"), column(s, "CD19")))
	})
	s.Rest(d)
	place = s.Desk.Stage.Scatters()[0].Rect()
	tcells, bcells := truth(s.Desk, "CD4", "CD8", "gamma", "MAIT", "NKT", "double-negative"), truth(s.Desk, "B ")
	for _, x := range []struct {
		name string
		of   *selection.Set
	}{{"T cells", tcells}, {"B cells", bcells}} {
		around(d, spots(s, x.of), place)
		name(t, s, x.name, naming.New)
	}

	var ids []int            // landmarks most of whose points are classical monocytes
	near := map[int][2]int{} // points of each landmark, and how many are classical monocytes
	mono := truth(s.Desk, "monocyte classical")
	uitest.Do(func() {
		for p, row := range s.Desk.Table().Order {
			points, id, err := s.Desk.Company(p)
			if err != nil || len(points) == 0 {
				t.Fatal(err)
			}
			n := near[id]
			if n[0]++; mono.Contains(int(row)) {
				n[1]++
			}
			near[id] = n
		}
		for id, n := range near {
			if 2*n[1] > n[0] {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		s.Desk.Stage.SelectNone()
		s.Desk.Stage.SetEmbedding(s.Desk.Stage.Active(), embedding.EmbedSOM())
		s.Desk.Stage.Scene.Gating.Chosen = 0 // a new one
		s.Desk.Stage.Hand().Brush = 3
		s.Tool("paint")
	})
	s.Rest(d)
	for _, id := range ids { // a dab on each of them
		if set := s.Marks(); set.Groups != nil && set.Groups[id] != 0 {
			continue // its neighbour's dab has reached it
		}
		at := s.Marks().Pos.Row(id)
		x, y, ok := s.Desk.Stage.Scatters()[0].Eye.Screen(camera.Vec{X: float64(at[0]), Y: float64(at[1])})
		if !ok {
			t.Fatalf("landmark %d is out of sight", id)
		}
		d.Click(float32(x), float32(y))
		d.Frames(1)
	}
	painted := s.Desk.Stage.Scene.Gating.Chosen
	name(t, s, "monocytes", func(k *desk.Desk) { naming.Rename(k, painted) })
	now := populated(s, d)
	for i, of := range []*selection.Set{truth(s.Desk, "neutrophil"), tcells, bcells, mono} {
		p := now.Tree.All()[i]
		if got := f1(now.Sets[i], of); got < 0.95 {
			t.Errorf("%s: F1 %.3f, %d points for %d", p.Name, got, now.Sets[i].Count(), of.Count())
		}
		if want := []string{"cells", "gate", "gate", "landmarks"}[i]; p.Rule.Kind() != want {
			t.Errorf("%s is made of %s", p.Name, p.Rule.Kind())
		}
	}
	var suggested *naming.Suggestions
	uitest.Do(func() { suggested = naming.NewSuggestions(s.Desk) })
	d.Until("the likeness of landmarks is known", 600, func() bool { return suggested.Ready() })
	uitest.Do(func() { suggested.Change(widget.Edit{Changed: true, Committed: true}, 10) })
	if now = populated(s, d); now.Tree.Len() < 8 {
		t.Errorf("%d populations", now.Tree.Len())
	}
	s.Rest(d)
	sameLabels(t, s, now.Values)
}

// sameLabels checks that the document and a session of it give the same labels, which are the ones that are shown.
func sameLabels(t *testing.T, s *stand.Window, shown []float32) {
	t.Helper()
	dir := t.TempDir()
	label := func(j *job.Job, err error, out string) []byte {
		if err != nil {
			t.Fatal(err)
		}
		j.Engine.Kind = "cpu"
		j.Want(&job.Named{Output: out, All: true, Coordinates: true})
		if _, err := job.Execute(t.Context(), j, job.Options{}); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	j, err := job.OfDocument(t.Context(), s.Desk.Doc)
	window := label(j, err, filepath.Join(dir, "window.fcs"))
	path := filepath.Join(dir, "s.blossom")
	kept, err := session.Of(s.Desk.Doc, path, "test", time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err == nil {
		err = kept.Write(f)
	}
	if f.Close() != nil || err != nil {
		t.Fatal(err)
	}
	opened, err := opening.LoadSession(t.Context(), path, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err = job.OfDocument(t.Context(), opened.Doc)
	if again := label(j, err, filepath.Join(dir, "session.fcs")); string(again) != string(window) {
		t.Error("the session gives other labels than the window")
	}
	back, err := format.Open(t.Context(), filepath.Join(dir, "session.fcs"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &back.Columns[back.Places()["population"]]
	for row, v := range shown {
		if got := c.Values[row]; got != v && (got == got || v == v) {
			t.Fatalf("row %d is %g in the file and %g in the window", row, got, v)
		}
	}
}
