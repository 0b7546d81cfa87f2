package dock

import (
	"fmt"
	"image"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/naming"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The dock clusters the points and cuts them into as many as are typed, whatever the theme and the size of the window;
// the tree is seen over the map.
func TestClusterDock(t *testing.T) {
	s, d := begin(t, "clusters", stand.Options{Data: "demo:cytometry:5000", W: 900, H: 830})
	s.Do["cluster"] = func() { naming.Points(s.Desk) }
	s.Do["cluster-snap"] = func() { naming.Snap(s.Desk) }
	d.ClickOn("dock-clusters/begin")
	d.Wait("the points are clustered", 2*time.Minute, func() bool {
		on := s.Desk.Clusters().Stands().Active
		h := parts.Tree.Of(s.Desk.Doc.State())
		return !on && h != nil && h.Proven()
	})
	s.Rest(d)
	number := func() (n int) {
		uitest.Do(func() {
			f, _, _ := s.Desk.Clusters().Flat()
			n = len(f.Clusters)
		})
		return n
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("Cut by a line", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Persist(false) })
		})
	})
	d.Frames(3)
	for _, k := range []string{"4", "9", "24"} {
		d.Enter("dock-clusters/number", k)
		d.Frames(3)
		if n := number(); fmt.Sprint(n) != k {
			t.Errorf("%d clusters, not %s", n, k)
		}
	}
	rows := d.Rect("dock-clusters/clusters/cluster2")
	d.DoubleClick(rows.Center().X, rows.Center().Y)
	d.Frames(2)
	var want int
	uitest.Do(func() {
		f, _, _ := s.Desk.Clusters().Flat()
		want = f.Clusters[1].Size()
		if s.Named.Answer == nil {
			t.Error("a double click on a cluster asks for no name")
		} else if err := s.Named.Answer("B cells"); err != nil {
			t.Error(err)
		}
	})
	d.Until("the cluster is a population", 200, func() bool {
		now, fresh := s.Desk.Populations().Now()
		return fresh && len(now.Sets) == 1 && now.Sets[0].Count() == want && now.Tree.All()[0].Name == "B cells"
	})
	d.ClickOn("dock-clusters/cluster-snap")
	d.Frames(2)
	if s.Last() != "Cut the clusters" {
		t.Errorf("snapped: %q", s.Last())
	}
	box := s.Desk.Stage.Scatter().Eye.Box
	picture := func() *image.RGBA {
		return d.Screenshot().SubImage(image.Rect(int(box.X0), int(box.Y0), int(box.X1), int(box.Y1))).(*image.RGBA)
	}
	plain := picture()
	uitest.Do(func() { s.Desk.Show(func(v *parts.View) { v.Tree = true }) })
	d.Frames(3)
	edges := 0
	uitest.Do(func() {
		lines, _, _, _ := s.Desk.Clusters().Tree()
		edges = len(lines)
	})
	if edges != 4999 || uitest.Differing(plain, picture()) < 2000 {
		t.Errorf("%d edges of the tree are shown, in %d pixels", edges, uitest.Differing(plain, picture()))
	}
	for _, c := range []struct {
		w, h  int
		scale float32
		dark  bool
	}{{500, 400, 1, true}, {1200, 860, 1, true}, {2560, 1800, 2, true}, {2560, 1800, 2, false}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(c.scale)
		d.Resize(c.w, c.h)
		d.Frames(4)
		if dock := d.Rect("dock-clusters"); dock.X1 > float32(c.w) || dock.Y1 > float32(c.h) || !d.Has("skyline") {
			t.Errorf("%v: the dock is at %v", c, dock)
		}
		d.Shoot(fmt.Sprintf("clusters-%dx%d-%v", c.w, c.h, c.dark))
	}
}
