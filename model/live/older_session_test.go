package live

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/work/embedding"
)

// A session that the program of revision b99537e has written opens with all that was in it: a t-SNE with pins that has
// done its units, the clusters and their cut, four views, a branch of the history, a selection, a layout, a training.
func TestASessionOfAnOlderVersion(t *testing.T) {
	d := open(t, "testdata/b99537e.blossom")
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.TSNE(2)})
	d.settle(t)
	t.Run("t-SNE", func(t *testing.T) { olderTSNE(t, d) })
	t.Run("clusters", func(t *testing.T) {
		f, cut, _ := d.Clusters().Flat()
		if f == nil || len(f.Clusters) != 7 || cut.By != parts.CutAtDistance || cut.Height != 7.283589000634084 ||
			f.Clusters[0].Size() != 362 || !d.Clusters().Made() {
			t.Fatalf("cut at %+v: %+v", cut, f)
		}
	})
	t.Run("views", func(t *testing.T) {
		var kinds []string
		list := parts.Views.Of(d.Doc.State())
		for _, v := range list.Views {
			kinds = append(kinds, v.Recipe.Key())
		}
		want := []string{"embedsom/2/", "tsne/2/", "pca/2/", "columns/2/FSC-A\x00FSC-H"}
		if !slices.Equal(kinds, want) {
			t.Fatalf("views of %q, active %q", kinds, list.Active)
		}
	})
	t.Run("selection", func(t *testing.T) {
		s := parts.Selection.Of(d.Doc.State())
		if s.Count() != 72 || !s.Contains(0) || !s.Contains(7) || s.Contains(8) {
			t.Fatalf("%d points are selected", s.Count())
		}
	})
	t.Run("choices", func(t *testing.T) {
		s := d.Doc.State()
		if parts.Training.Of(s).Values["epochs"] != 5 || parts.Layout.Of(s).Algorithm != "force" ||
			!parts.Blends.Of(s).Fits(parts.Landmarks.Of(s)) || parts.Landmarks.Of(s).Names[3] != "Kept" {
			t.Fatalf("%+v, %+v", parts.Training.Of(s), parts.Layout.Of(s))
		}
	})
	t.Run("history", func(t *testing.T) { olderHistory(t, d) })
}

// olderTSNE looks at the t-SNE of the session: where its points are, what it knows, and that it can go on.
func olderTSNE(t *testing.T, d *desk) {
	e := d.Existing(embedding.TSNE(2))
	want := []float32{-19.170097, -5.6114044, 12.180829, -15.285491, 15.10576, 5.090592}
	if r := e.Stands(); !slices.Equal(e.Target().Host()[:6], want) || r.Units != 120 || r.Total != 120 || r.Active ||
		len(r.Curve) != 13 || r.Figure != 0.6367211577494007 || !slices.Equal(e.Pinned(), []int{7, 11}) {
		t.Fatalf("points at %v, %+v, pins %v", e.Target().Host()[:6], r, e.Pinned())
	}
	if v := parts.Runs.Of(d.Doc.State()).Get(embedding.TSNE(2)).Values; v["perplexity"] != 12 || v["until"] != 40 {
		t.Fatalf("it is run with %v", v)
	}
	if s := parts.Snapshots.Of(d.Doc.State()).Get(embedding.TSNE(2)); s.Memory == nil || s.Memory.Facts == nil ||
		s.Memory.Print != d.Table().Print() {
		t.Fatal("what the run knew is lost")
	}
}

// olderHistory goes through the history of the session: its line, the branch beside it, and back.
func olderHistory(t *testing.T, d *desk) {
	h := d.Doc.History()
	var line []string
	for i := range h.Len() {
		line = append(line, h.Name(i))
	}
	if want := []string{"Name landmark", "Fewer units", "Run t-SNE", "Pin points", "Cluster the points",
		"Seven clusters", "Select points", "Force-directed layout", "Training epochs",
		"Train SOM, online then batch"}; !slices.Equal(line, want) || h.Done() != len(want) {
		t.Fatalf("the line of the history is %q, %d of it done", line, h.Done())
	}
	now := h.Now()
	for _, e := range h.Entries() {
		if e.Name == "Name landmark" && !e.Done {
			if !d.Doc.Go(e.ID) {
				t.Fatal("the branch cannot be gone to")
			}
			d.settle(t)
			if name := parts.Landmarks.Of(d.Doc.State()).Names[3]; name != "Branch that was left" {
				t.Fatalf("on the branch the landmark is called %q", name)
			}
			if s := parts.Snapshots.Of(d.Doc.State()).Get(embedding.TSNE(2)); s != nil {
				t.Fatal("the branch has a t-SNE that was run after it")
			}
			d.Doc.Go(now)
			d.settle(t)
			olderTSNE(t, d)
			return
		}
	}
	t.Fatalf("there is no branch among %d entries", len(h.Entries()))
}
