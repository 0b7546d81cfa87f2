package job_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	_ "blossom/gpu/cpu"
	"blossom/model/clusters/population"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/selection"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// labelled are the labels of a session as the command writes them.
func labelled(t *testing.T, path string, partial bool) (*job.Work, *job.Named, error) {
	t.Helper()
	o, err := opening.LoadSession(t.Context(), path, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := job.OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	n := &job.Named{Output: filepath.Join(t.TempDir(), "l.csv"), All: true, Partial: partial}
	j.Want(n)
	j.Engine.Kind = "cpu"
	w, err := job.Execute(t.Context(), j, job.Options{})
	return w, n, err
}

// watched is a map beside a window of its own, whose frames run until something is so.
type watched struct {
	*live.Map
	maps   []embedding.Recipe
	frames func(until func() bool)
}

// watch opens data with maps of every way in which positions come about, each at rest.
func watch(t *testing.T) watched {
	o, err := opening.Load(t.Context(), []string{"demo:cytometry:1500"}, format.Options{Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open("cpu", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	posts := make(chan func(), 100)
	w := watched{maps: []embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(2), embedding.TSNE(2)}}
	w.Map, err = live.NewMap(o, &e, live.Buffers{Make: func(n, dims int) embedsom.Target {
		return embedsom.NewHostTarget(n, dims)
	}}, &work.Jobs{Post: func(f func()) { posts <- f }, Failed: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	w.frames = func(until func() bool) {
		for end := time.Now().Add(time.Minute); !until() && time.Now().Before(end); {
			select {
			case f := <-posts:
				f()
			case <-time.After(time.Millisecond):
			}
			w.Show(w.maps)
			if _, err := w.Frame(time.Millisecond, 20*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Show(w.maps)
	w.frames(func() bool { return w.Embedding(embedding.TSNE(2)).Stands().Units > 20 })
	w.Embedding(embedding.TSNE(2)).Pause()
	w.frames(func() bool { return !w.Busy() })
	return w
}

// The regions of a session have the rows, bit for bit, that the window has, on maps of every way in which positions
// come about; the one that the session has not is an error, or with partial no rows.
func TestRegionsOfASessionAreThoseOfTheWindow(t *testing.T) {
	m := watch(t)
	var tree population.Tree
	for _, r := range m.maps {
		middle := m.Embedding(r).Target().Host()
		a, b := float64(middle[0]), float64(middle[1])
		tree, _, _ = tree.Add(population.Population{Name: r.Kind, Rule: &population.Region{Of: population.Map(r),
			Strokes: []population.Stroke{{Does: population.Adds, Shape: population.Polygon,
				Path: [][2]float64{{a, b}, {a + 2, b - 3}, {a + 7, b}, {a, b + 9}, {a - 8, b + 3}}}}}})
	}
	m.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	m.frames(func() bool { _, fresh := m.Populations().Now(); return fresh })
	now, _ := m.Populations().Now()

	path := filepath.Join(t.TempDir(), "s.blossom")
	save(t, m.Doc, path)
	w, n, err := labelled(t, path, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range tree.All() {
		if now.Sets[i].Empty() || !selection.Equal(n.Made.Sets[i], now.Sets[i]) {
			t.Errorf("%s: %d rows, in the window %d", p.Name, n.Made.Sets[i].Count(), now.Sets[i].Count())
		}
	}
	if !slices.EqualFunc(n.Made.Values, now.Values, func(a, b float32) bool { return a == b || a != a && b != b }) {
		t.Error("rows are called otherwise")
	}
	if len(w.Notes) > 0 {
		t.Errorf("notes %q", w.Notes)
	}

	refuseOther(t, path)
	m.Doc.Look(func(s *state.State) { parts.Snapshots.Put(s, parts.SnapshotTable{}) })
	save(t, m.Doc, path)
	if _, _, err := labelled(t, path, false); err == nil {
		t.Error("the map that is gone is not missed")
	}
	w, n, err = labelled(t, path, true)
	if err != nil || len(w.Notes) != 1 || !n.Made.Sets[2].Empty() || n.Made.Sets[0].Count() != now.Sets[0].Count() {
		t.Errorf("%v, notes %q", err, w.Notes)
	}
}

// refuseOther looks at a session for other data: its maps say nothing of these, but EmbedSOM does.
func refuseOther(t *testing.T, path string) {
	t.Helper()
	o2, err := opening.LoadSession(t.Context(), path, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := job.OfDocument(t.Context(), o2.Doc)
	if err != nil {
		t.Fatal(err)
	}
	j.OfOther()
	j.Engine.Kind = "cpu"
	other := &job.Named{Output: filepath.Join(t.TempDir(), "l.csv"), Partial: true}
	j.Want(other)
	w, err := job.Execute(t.Context(), j, job.Options{})
	if err != nil || len(w.Notes) != 2 || other.Made.Why[0] != nil || other.Made.Why[1] == nil ||
		other.Made.Why[2] == nil {
		t.Errorf("of other data: %v, %v", err, other.Made.Why)
	}
}

// save writes a document as a session.
func save(t *testing.T, doc *state.Document, path string) {
	t.Helper()
	s, err := session.Of(doc, path, "test", time.Now())
	var b bytes.Buffer
	if err == nil {
		err = s.Write(&b)
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Regions are no rules for other data, and are left out of them by name.
func TestRegionsAreNoRulesForOtherData(t *testing.T) {
	o, err := opening.Load(context.Background(), []string{"demo:cytometry:300"}, format.Options{Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var tree population.Tree
	tree, _, _ = tree.Add(population.Population{Name: "left out", Rule: &population.Region{
		Of: population.Map(embedding.PCA(2)), Strokes: []population.Stroke{{Does: population.Adds,
			Shape: population.Rectangle, Path: [][2]float64{{-1, -1}, {1, 1}}}}}})
	tree, _, _ = tree.Add(population.Population{Name: "kept", Rule: &population.Limits{
		Of: []population.Limit{{Column: o.Doc.Data.Columns[0].Name, Low: 0, High: 1}}}})
	o.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	j, err := job.OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(t.TempDir(), "rules.json")
	j.Want(&job.Named{Rules: rules})
	w, err := job.Execute(t.Context(), j, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(rules)
	if err != nil || bytes.Contains(text, []byte("left out")) || !bytes.Contains(text, []byte("kept")) ||
		len(w.Notes) != 1 {
		t.Errorf("%v %s %q", err, text, w.Notes)
	}
}
