package live

import (
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/engine"
)

// Clusters that persist the most are found beside the window: until they are there the former ones are shown.
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
		t.Fatal("it was over before it could be paused")
	}
	d.Doc.Do("Weight", func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		spec.Columns[spec.MapColumns()[0]].Weight = 3
		parts.Transform.Put(s, spec)
	})
	d.settle(t)
	if c.Held() || c.Paused() {
		t.Error("it is held though it cannot go on")
	}
	if h := d.clusterAll(t); !h.Proven() {
		t.Error("the points cannot be clustered anew")
	}
}

// counted is an engine that counts how many of its kind are open.
type counted struct {
	engine.Engine
	open *atomic.Int64
}

func (c counted) Close() error {
	c.open.Add(-1)
	return c.Engine.Close()
}

// A pass that is paused and started again while it is prepared goes on, and prepares anew what was called back; one
// that is to be of another metric by then begins that. Engines are given back.
func TestAPassThatIsStartedAgainAtOnceGoesOn(t *testing.T) {
	for _, metric := range []linkage.Metric{linkage.Euclidean, linkage.Cosine} {
		d := open(t, "demo:cytometry:1500")
		c := d.Clusters()
		var open atomic.Int64
		began, wait, another := make(chan bool, 9), make(chan bool), c.Another
		c.Another = func() (engine.Engine, error) {
			open.Add(1)
			began <- true
			<-wait
			e, err := another()
			return counted{e, &open}, err
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for !c.Run().Busy() {
			d.frame(t)
		}
		<-began
		c.Pause()
		d.Doc.Do("Metric", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Metric = metric })
		})
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		close(wait)
		d.settle(t)
		if h := c.Hierarchy(); h == nil || !h.Proven() || h.Metric != metric {
			t.Errorf("%v: it does not go on: %+v", metric, h)
		}
		for end := time.Now().Add(time.Minute); open.Load() > 0; { // jobs close their engines when they end
			if d.frame(t); time.Now().After(end) {
				t.Fatalf("%v: %d engines are open", metric, open.Load())
			}
		}
	}
}

// A hierarchy that is not finished when its run ends is told of.
func TestAnUnfinishedHierarchyIsToldOf(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	d.firstTree(t)
	if h := parts.Tree.Of(d.Doc.State()); h.Linkage != nil {
		t.Fatal("it was over before the session could be saved")
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
