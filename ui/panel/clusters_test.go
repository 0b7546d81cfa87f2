package panel

import (
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/ui/naming"
	"blossom/ui/uitest"
)

// With settings changed the points are clustered anew, and until there is a first tree the panel says what is shown and
// what is done.
func TestClusteringAnew(t *testing.T) {
	s, d := begin(t, "clusters", "demo:cytometry:20000")
	s.Do["cluster"] = func() { naming.Points(s.Desk) }
	clustered := func() {
		d.Wait("the points are clustered", 2*time.Minute, func() bool {
			on := s.Desk.Clusters().Stands().Active
			h := parts.Tree.Of(s.Desk.Doc.State())
			return !on && h != nil && h.Proven()
		})
		s.Rest(d)
	}
	d.ClickOn("side bar/clusters/run")
	clustered()
	d.Enter("side bar/clusters/samples", "5")
	d.Frames(3)
	was := parts.Tree.Of(s.Desk.Doc.State())
	uitest.Do(func() {
		s.Do["cluster"]()
		c := s.Desk.Clusters()
		if now := c.Stands(); !now.Active || now.Word != "" && c.Hierarchy() != was {
			t.Errorf("running %v, %q, of another hierarchy", now.Active, now.Word)
		}
	})
	clustered()
	if h := parts.Tree.Of(s.Desk.Doc.State()); h == was || h.MinSamples != 5 {
		t.Errorf("the hierarchy is of density %d", h.MinSamples)
	}
}
