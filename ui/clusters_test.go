package ui

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/naming"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// clustered waits until the points are clustered.
func clustered(t testing.TB, a *App, d *uitest.Driver) {
	t.Helper()
	d.Wait("the points are clustered", 2*time.Minute, func() bool {
		c := a.desk.Clusters()
		on := c.Stands().Active
		h := parts.Tree.Of(a.desk.Doc.State())
		return !on && h != nil && h.Proven()
	})
}

// cutOf is the cut as it is now.
func cutOf(a *App) (n int, cut parts.Cut, f linkage.Flat) {
	uitest.Do(func() {
		flat, c, _ := a.desk.Clusters().Flat()
		cut = c
		if flat != nil {
			f, n = *flat, len(flat.Clusters)
		}
	})
	return n, cut, f
}

// The panel as a hand uses it: the points are clustered, the line is dragged and the map follows in the same frame, a
// branch is clicked, numbers are typed, and each is one entry of the history. A session has all of it again.
func TestClustersByTheirPanel(t *testing.T) {
	a, d := begin(t, 1400, 1000, 1, Options{Paths: []string{"demo:cytometry:5000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		open(a)
		commandByID("dock-clusters").Run(a)
	})
	d.Frames(3)
	d.Shoot("clusters-empty")
	d.ClickOn("dock-clusters/begin")
	clustered(t, a, d)
	rest(t, a, d)
	d.Frames(3)
	d.Shoot("clusters-panel")
	last := func() string { return a.desk.Doc.History().CanUndo() }
	if last() != "Cluster the points" || a.active().Colours.Column != "cluster" || len(a.active().Colours.Labels) < 2 {
		t.Fatalf("%q, coloured by %q with %d labels", last(), a.active().Colours.Column, len(a.active().Colours.Labels))
	}
	uitest.Do(func() {
		if !naming.CutByItself(a.desk) {
			t.Error("the first clusters are not those that persist")
		}
		a.desk.Doc.Do("Cut by a line", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Persist(false) })
		})
	})
	d.Frames(3)
	before, first, _ := cutOf(a)

	// The line in the hand: whatever it says, the points on the map are coloured so in the same frame.
	entries := a.desk.Doc.History().Len()
	line, place := d.Rect("dock-clusters/skyline/line"), d.Rect("dock-clusters/skyline/columns")
	x, y := place.X0+place.W()*0.3, line.Center().Y
	d.Move(x, y)
	d.Press(shell.Left)
	seen := map[int]bool{}
	for i := range 10 {
		d.Move(x, y+float32(6*(i+1)))
		d.Frames(1)
		n, cut, f := cutOf(a)
		seen[n] = true
		if got := len(a.active().Colours.Labels); got != max(n, 1) || !(cut.Height < first.Height) {
			t.Fatalf("at %g there are %d clusters and %d colours", cut.Height, n, got)
		}
		points, list := a.desk.Stage.Scatter().Colouring(), naming.Inks(a.desk, n)
		if points.Palette != list.Palette || points.Inks != list.Inks || len(list.Inks) != n {
			t.Fatalf("the points of %d clusters have %s %v, the list has %s %v", n, points.Palette.Name,
				[]byte(points.Inks), list.Palette.Name, []byte(list.Inks))
		}
		if len(list.Palette.Colours) != parts.Inks {
			t.Fatalf("%s has %d colours", list.Palette.Name, len(list.Palette.Colours))
		}
		count := 0
		for _, c := range a.active().Colours.Counts {
			count += c
		}
		if count != 5000-f.Left {
			t.Fatalf("%d points have a colour, %d are in no cluster", count, f.Left)
		}
	}
	d.Shoot("clusters-drag")
	d.Release(shell.Left)
	d.Frames(2)
	if h := a.desk.Doc.History(); h.Len() != entries+1 || last() != "Cut the clusters" || len(seen) < 3 {
		t.Fatalf("%d entries of a drag, the last %q; %d numbers seen", h.Len()-entries, last(), len(seen))
	}
	d.Keys("Ctrl+Z")
	d.Frames(2)
	if n, cut, _ := cutOf(a); n != before || cut != first || len(a.active().Colours.Labels) != before {
		t.Fatalf("undo leaves %d clusters at %+v, not %d at %+v", n, cut, before, first)
	}

	// Esc takes a drag back.
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x, y-20)
	d.Frames(2)
	d.Keys("Escape")
	d.Release(shell.Left)
	d.Frames(2)
	if _, cut, _ := cutOf(a); cut.Height != first.Height || a.desk.Doc.History().Len() > entries+1 {
		t.Fatalf("Esc leaves the line at %g, not %g", cut.Height, first.Height)
	}

	// Numbers are typed: the number of clusters, the height, the size.
	d.Enter("dock-clusters/number", "9")
	d.Frames(2)
	if n, _, _ := cutOf(a); n != 9 || last() != "Cut the clusters" {
		t.Fatalf("9 are asked for, %d come; %q", n, last())
	}
	uitest.Do(func() { open(a, "clusters") })
	d.Frames(2)
	d.Enter("side bar/clusters/distance", "3.25")
	d.Frames(2)
	if _, cut, _ := cutOf(a); cut.Height != 3.25 {
		t.Fatalf("the line is at %g", cut.Height)
	}
	d.Enter("side bar/clusters/least", "40")
	d.Shoot("clusters-typed")
	d.Frames(2)
	n, _, f := cutOf(a)
	if n == 0 || f.Clusters[n-1].Size() < 40 || len(a.active().Colours.Labels) != n {
		t.Fatalf("%d clusters, the smallest of %d", n, f.Clusters[n-1].Size())
	}

	// A branch is clicked below its heights: the points of the cluster there are selected, in every view.
	c := f.Clusters[1]
	at := place.X0 + place.W()*(float32(c.From+c.To)/2)/5000
	d.Click(at, d.Rect("dock-clusters/skyline/line").Center().Y+12)
	d.Frames(2)
	d.Shoot("clusters-branch")
	rows := func() (n int) {
		uitest.Do(func() { n = a.desk.Stage.Selected().Count() })
		return n
	}
	if got := rows(); got < c.Size()/2 || got > c.Size() || last() != "Select a branch" {
		t.Fatalf("%d points of a branch within %d are selected; %q", got, c.Size(), last())
	}
	whole := f.Clusters[0] // within its colour it is the cluster
	d.Click(place.X0+place.W()*(float32(whole.From+whole.To)/2)/5000, place.Y1-3)
	d.Frames(2)
	if got := rows(); got != whole.Size() || last() != "Select a branch" {
		t.Fatalf("%d points of %d are selected; %q", got, whole.Size(), last())
	}
	small := f.Clusters[1] // and on the strip below the columns
	d.Click(place.X0+place.W()*(float32(small.From+small.To)/2)/5000, place.Y1+6)
	d.Frames(2)
	if got := rows(); got != small.Size() || last() != "Select a branch" {
		t.Fatalf("%d points of %d are selected on the strip; %q", got, small.Size(), last())
	}
	d.ClickOn(fmt.Sprintf("legend%d/label-1", a.active().View.ID)) // the grey label
	d.Frames(2)
	if got := rows(); got != f.Left || f.Left == 0 {
		t.Fatalf("%d points of %d in no cluster are selected", got, f.Left)
	}
	d.ClickOn("side bar/clusters/Cut/By persistence")
	d.Frames(2)
	d.Shoot("clusters-persistence")
	uitest.Do(a.toggleTheme)
	d.Frames(3)
	d.Shoot("clusters-persistence-dark")
	uitest.Do(a.toggleTheme)
	d.ClickOn("dock-clusters/number/value")
	if d.Keys("Ctrl+A"); commandByID("cluster-snap").Can(a) || len(a.desk.Stage.Hand().Landmarks.Selected) == 0 {
		t.Fatal("by persistence a number can be typed, or a line be moved")
	}
	d.Keys("Ctrl+Shift+A")
	d.Keys("Ctrl+Z")
	d.Keys("Ctrl+Z")
	d.ClickOn("dock-clusters/clusters/cluster3")
	d.Frames(2)
	name := fmt.Sprintf("Select cluster %d", a.desk.Clusters().Numbers()[2])
	if got := rows(); got != f.Clusters[2].Size() || last() != name {
		t.Fatalf("%d points are selected of %d; %q, not %q", got, f.Clusters[2].Size(), last(), name)
	}
	want := labelsNow(a)

	// The session has the hierarchy, the cut and the colours.
	session := filepath.Join(t.TempDir(), "clusters.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(session) })
	rest(t, a, d)
	d.Wait("it is saved", time.Minute, func() bool { return a.desk.Session == session })
	d.End()
	b, e := begin(t, 900, 700, 1, Options{Paths: []string{session}, Still: true})
	opened(t, b, e)
	rest(t, b, e)
	same := func(x, y float32) bool { return x == y || x != x && y != y }
	if got := labelsNow(b); !slices.EqualFunc(got, want, same) {
		t.Fatalf("labels of %d rows differ after the session was opened", len(got))
	}
	for range 6 {
		e.Keys("Ctrl+Z")
	}
	e.Frames(2)
	if again, cut, _ := cutOf(b); cut.Height != 3.25 || cut.Least != first.Least || again == n {
		t.Fatalf("undo of the least size: %+v", cut)
	}
}

// K shows the panel from its heading on, also where those above it grow by what it has found.
func TestClustersAreShownFromTheirHeading(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:3000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "colour", "train", "quality") })
	d.Frames(2)
	d.Keys("K")
	clustered(t, a, d)
	rest(t, a, d)
	d.Frames(10)
	d.Shoot("clusters-heading")
	side, of := d.Rect("side bar"), d.Rect("side bar/clusters/run")
	if of.Y0 < side.Y0+30 || of.Y0 > side.Y0+110 {
		t.Errorf("the panel's button is at %v, the side bar at %v", of, side)
	}
	d.Wheel(side.Center().X, side.Center().Y, 5)
	d.Frames(10)
	if at := d.Rect("side bar/clusters/run"); at.Y0 <= of.Y0 {
		t.Error("the side bar cannot be scrolled away from it")
	}
}

// skylined opens a window with clusters and their skyline, at rest and without toasts.
func skylined(t *testing.T, w, h int, zoom float32) (*App, *uitest.Driver) {
	t.Helper()
	a, d := begin(t, w, h, zoom, Options{Paths: []string{"demo:cytometry:5000"}})
	opened(t, a, d)
	uitest.Do(func() {
		open(a, "clusters")
		commandByID("dock-clusters").Run(a)
	})
	d.Keys("K")
	clustered(t, a, d)
	rest(t, a, d)
	d.Sleep(20 * time.Second) // toasts go
	return a, d
}

// TestClusterCutPictures draws the pictures of docs/clusters.md: the skyline, the tree over the map, and a sheet of
// three cuts, in both themes, at 100 % and at 200 %.
func TestClusterCutPictures(t *testing.T) {
	if os.Getenv("BLOSSOM_PICTURES") == "" {
		t.Skip("BLOSSOM_PICTURES names no folder for the pictures")
	}
	var all []*image.RGBA
	for _, zoom := range []float32{1, 2} {
		t.Run(fmt.Sprintf("%g %%", 100*zoom), func(t *testing.T) {
			w, h := int(1200*zoom), int(860*zoom)
			a, d := skylined(t, w, h, zoom)
			if zoom == 1 {
				d.Enter("dock-clusters/number", "24")
				d.ClickOn("dock-clusters/cluster-snap")
				d.Frames(2)
				d.Shoot("clusters")
				d.Keys("Shift+K")
				d.Frames(3)
				d.Shoot("clusters-tree")
				d.Keys("Shift+K")
				d.Frames(2)
			}
			for range 2 {
				for _, k := range []string{"4", "9", "24"} {
					d.Enter("dock-clusters/number", k)
					d.MoveTo("dock-clusters/number")
					d.Frames(4)
					all = append(all, miniature(d.Screenshot(), widget.Rect{X1: float32(w), Y1: float32(h)},
						0.5/float64(zoom)))
				}
				uitest.Do(a.toggleTheme)
			}
		})
	}
	sheet(t, "clusters-cuts", 3, all)
}

// labelsNow is the column of clusters.
func labelsNow(a *App) (out []float32) {
	uitest.Do(func() {
		if c, _, err := a.desk.Map.Column(a.desk.Naming.Column(a.desk.Doc.Data, "cluster")); err == nil && c != nil {
			out = c.Values
		}
	})
	return out
}
