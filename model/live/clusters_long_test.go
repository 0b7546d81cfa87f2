package live

import (
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// What persists the most is found beside the window: until it is there the clusters are those before.
func TestPersistentClustersComeLater(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	d.Values.Most = 100 * persistent
	h := d.clusterAll(t)
	c := d.Clusters()
	before, _, rev := c.Flat()
	d.Doc.Do("Persist", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Persist(true) })
	})
	if f, cut, now := c.Flat(); f != before || now != rev || cut.By != parts.CutByItself {
		t.Error("the frame waits for what persists")
	}
	d.settle(t)
	for _, least := range []int{3, 7, 8} { // as the hand goes, only the last of them counts
		d.Doc.Do("Least", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Least = least })
		})
		c.Flat()
	}
	for range 2 { // a window asks in each frame
		d.settle(t)
		c.Flat()
	}
	d.settle(t)
	want := h.Sky.Persistent(8)
	f, cut, now := c.Flat()
	if !slices.Equal(f.Clusters, want.Clusters) || f.Left != want.Left || cut.Least != 8 || now == rev || c.late {
		t.Errorf("%d clusters and %d left, not %d and %d: %+v", len(f.Clusters), f.Left, len(want.Clusters), want.Left,
			cut)
	}
	d.Doc.Do("Line", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Persist(false) })
	})
	if _, cut, _ := c.Flat(); cut.By != parts.CutByItself || c.lasting.Rev() != 0 {
		t.Errorf("back at the line it is %+v", cut)
	}
}

// A pass that is paused lets go of its memory when its points are gone.
func TestAPausedPassIsForgotten(t *testing.T) {
	d := open(t, "demo:cytometry:6000")
	c := d.firstTree(t)
	c.Pause()
	d.settle(t)
	if !c.Paused() {
		t.Skip("it was over before it could be paused")
	}
	d.Doc.Do("Weight", func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		spec.Columns[spec.MapColumns()[0]].Weight = 3
		parts.Transform.Put(s, spec)
	})
	d.settle(t)
	if c.kept != nil || c.Paused() {
		t.Error("it is held though it cannot go on")
	}
	if h := d.clusterAll(t); !h.Proven() {
		t.Error("the points cannot be clustered anew")
	}
}

// What ends while points are clustered says that their hierarchy was not finished.
func TestAnUnfinishedHierarchyIsToldOf(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	d.firstTree(t)
	if h := parts.Tree.Of(d.Doc.State()); h.Linkage != nil {
		t.Skip("it was over before the session could be saved")
	}
	if d.Clusters().Why() != "" || d.Clusters().Hierarchy() == nil {
		t.Error("what is known cannot be used")
	}
	path := filepath.Join(t.TempDir(), "early.blossom")
	d.saveTo(t, path)
	o := loaded(t, path)
	if why := o.Clusters().Why(); why != "it was not finished" || o.Clusters().Hierarchy() != nil {
		t.Errorf("the session says %q", why)
	}
	if h := o.clusterAll(t); !h.Proven() || o.Clusters().Why() != "" {
		t.Error("it cannot be computed anew")
	}
	if h := d.clusterAll(t); !h.Proven() || d.Doc.History().Len() != 1 {
		t.Errorf("%d entries", d.Doc.History().Len())
	}
}
