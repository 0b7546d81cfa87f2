package live

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/step"
	"blossom/model/clusters/linkage"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
)

// clusterAll clusters the points to the end.
func (d *desk) clusterAll(t testing.TB) *parts.Hierarchy {
	t.Helper()
	if err := d.Clusters().Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	h := parts.Tree.Of(d.Doc.State())
	if h == nil || h.Linkage == nil || len(d.errors) > 0 {
		t.Fatalf("there is no hierarchy: %v", d.errors)
	}
	return h
}

// firstTree begins to cluster the points and comes back with the first tree that is there.
func (d *desk) firstTree(t testing.TB) *Clusters {
	t.Helper()
	c := d.Clusters()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	d.until(t, "there is a first tree", func() bool { return c.Hierarchy() != nil })
	return c
}

// rowsOf is the points of a map in the order of the data, as the command takes them.
func rowsOf(t testing.TB, d *desk) *transform.Table {
	t.Helper()
	table, err := transform.Build(t.Context(), d.Doc.Data, parts.Transform.Of(d.Doc.State()), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The hierarchy beside the window is that of the command, byte for byte, and so are the clusters at each cut.
func TestClustersAreThoseOfTheCommand(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	h := d.clusterAll(t)
	run, err := linkage.New(t.Context(), rowsOf(t, d).X, linkage.Options{})
	if err == nil {
		err = run.Finish(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	want, err := run.Linkage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(h.Z, want.Z) || !h.Proven() || h.Rows != 1500 {
		t.Fatal("it is another hierarchy")
	}
	for _, k := range []int{1, 2, 7, 40, 1500} {
		d.Doc.Do("Cut", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Least = 1 })
			d.Clusters().SetNumber(s, k)
		})
		cut, err := want.Z.CutNumber(1500, k)
		c, _, failed := d.Column("cluster")
		if err != nil || failed != nil || c == nil {
			t.Fatal(err, failed)
		}
		for row, label := range cut.Labels {
			if c.Values[row] != float32(label) {
				t.Fatalf("%d clusters: row %d is in %g, not in %d", k, row, c.Values[row], label)
			}
		}
		if s := c.Stats; s.Count != 1500 || s.Max != float64(cut.Clusters-1) || len(c.Categories) != cut.Clusters {
			t.Fatalf("%+v", s)
		}
	}
	if d.Doc.Undo(); parts.Tree.Of(d.Doc.State()) != h {
		t.Error("undoing a cut takes the hierarchy away")
	}
	for d.Doc.History().CanUndo() != "" {
		d.Doc.Undo()
	}
	if _, _, err := d.Column("cluster"); err == nil || parts.Tree.Of(d.Doc.State()) != nil {
		t.Error("clusters are there though nothing was done")
	}
	for range 3 {
		d.Doc.Redo()
	}
	if c, _, err := d.Column("cluster"); err != nil || c == nil {
		t.Error(err)
	}
}

// While the line moves down, a cluster that stays whole keeps its number, and so does the largest part of one that
// parts; the numbers are those of the column, and those of the command with a session.
func TestNumbersStayWithTheirClusters(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	h := d.clusterAll(t)
	cut := func(k int) (flat *linkage.Flat, numbers []int) {
		d.Doc.Do("Cut", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Least = 5 })
			d.Clusters().SetNumber(s, k)
		})
		flat, _, _ = d.Clusters().Flat()
		return flat, d.Clusters().Numbers()
	}
	moved := 0 // numbers that are no ranks
	above, had := cut(1)
	for k := 2; k < 60; k++ {
		below, have := cut(k)
		if len(below.Clusters) < len(above.Clusters) {
			break // there are not that many at any height
		}
		for i, c := range below.Clusters {
			if have[i] != i+1 {
				moved++
			}
			for j, was := range above.Clusters {
				if was == c && had[j] != have[i] {
					t.Fatalf("%d clusters: %v was %d and is %d", k, c, had[j], have[i])
				}
			}
		}
		column, _, err := d.Column("cluster")
		if err != nil || column == nil {
			t.Fatal(err)
		}
		for i, c := range below.Clusters {
			row := h.Row(h.Sky.Order[c.From])
			if name := column.Categories[int(column.Values[row])]; name != fmt.Sprint(have[i]) {
				t.Fatalf("cluster %d is called %s", have[i], name)
			}
		}
		above, had = below, have
	}
	if moved == 0 {
		t.Error("all numbers are ranks: nothing could have moved")
	}
}

// A pass that is paused keeps what it has found, which can be used, and goes on to the same hierarchy.
func TestClusteringIsPaused(t *testing.T) {
	d := open(t, "demo:cytometry:6000")
	c := d.firstTree(t)
	if share := c.Stands().Share; share > 0.6 {
		t.Fatalf("%g of it is done before it could be paused", share)
	}
	early := c.Hierarchy()
	c.Pause()
	for c.Stands().Active {
		d.frame(t)
	}
	d.settle(t)
	h := parts.Tree.Of(d.Doc.State())
	if h == nil || h.Proven() || !c.Paused() || h.Sky.Top() > early.Sky.Top() {
		t.Fatalf("paused with %+v", h)
	}
	if f, _, _ := c.Flat(); f == nil {
		t.Error("what was found cannot be used")
	}
	if e := d.Doc.History(); e.Len() != 1 || e.CanUndo() != "Cluster the points" {
		t.Errorf("%d entries, the last %q", e.Len(), e.CanUndo())
	}
	paused := d.clusterAll(t)
	if e := d.Doc.History(); !paused.Proven() || c.Paused() || e.Len() != 1 {
		t.Errorf("going on leaves %d entries", e.Len())
	}
	other := open(t, "demo:cytometry:6000")
	if !slices.Equal(other.clusterAll(t).Z, paused.Z) {
		t.Error("going on led to another hierarchy")
	}
}

// A hierarchy taken back while it is made comes as an entry of its own when it is there.
func TestClusteringIsTakenBackMeanwhile(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	if err := d.Clusters().StartWith(func(s *state.State) {
		parts.Looks.Put(s, parts.Looks.Of(*s).With("1", parts.Look{Column: "cluster", High: 99}))
	}); err != nil {
		t.Fatal(err)
	}
	for d.Doc.History().Len() == 0 {
		d.frame(t)
	}
	was := parts.Looks.Of(d.Doc.State()).Get("1").Column
	d.Doc.Undo()
	if now := parts.Looks.Of(d.Doc.State()).Get("1").Column; was != "cluster" || now == was {
		t.Errorf("coloured by %q, and %q after undo", was, now)
	}
	d.settle(t)
	if h := parts.Tree.Of(d.Doc.State()); h == nil || !h.Proven() || d.Doc.History().CanUndo() != "Cluster the points" {
		t.Error("it is lost")
	}
}

// A hierarchy of other points is shown as long as it was made here, and said to be of them.
func TestClustersOfOtherPoints(t *testing.T) {
	d := open(t, "demo:cytometry:600")
	h := d.clusterAll(t)
	c := d.Clusters()
	if !c.Fits(h) {
		t.Fatal("it does not fit its own points")
	}
	d.Doc.Do("Weight", func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		spec.Columns[spec.MapColumns()[0]].Weight = 3
		parts.Transform.Put(s, spec)
	})
	d.settle(t)
	if c.Fits(h) || c.Hierarchy() != h {
		t.Error("of other points it is gone, or not told")
	}
	d.Doc.Undo()
	d.settle(t)
	if !c.Fits(h) {
		t.Error("undo does not make it fit again")
	}
	d.Doc.Do("Cosine", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Metric, v.MinSamples = linkage.Cosine, 4 })
	})
	again := d.clusterAll(t)
	if again == h || again.Metric != linkage.Cosine || again.MinSamples != 4 || again.Sky.Top() > 2 {
		t.Errorf("%v of %d", again.Metric, again.MinSamples)
	}
}

// Landmarks are clustered as they train, and points are in the clusters of their landmarks when they rest.
func TestClustersOfLandmarks(t *testing.T) {
	d := open(t, "demo:cytometry:2000")
	d.Doc.Do("Cluster landmarks", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Landmarks = true })
	})
	c := d.Clusters()
	d.frame(t)
	first := c.Hierarchy()
	if first == nil || first.Len() != d.Landmarks().Len() {
		t.Fatalf("after a frame: %+v", first)
	}
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	seen := map[*parts.Hierarchy]bool{}
	for d.Training().Active() && len(seen) < 3 {
		d.frame(t)
		seen[c.Hierarchy()] = true
	}
	if len(seen) < 3 {
		t.Fatalf("%d hierarchies while landmarks train", len(seen))
	}
	d.Training().Pause()
	d.until(t, "there is a column of the landmarks as they are", func() bool {
		column, _, err := d.Column("cluster")
		if err != nil {
			t.Fatal(err)
		}
		return column != nil && d.Clusters().landmarks.tree.Of().code == d.Landmarks().CodeRev
	})
	d.settle(t)
	column, _, _ := d.Column("cluster")
	f, _, _ := c.Flat()
	near := make([]int, d.table.X.Rows)
	for i := range near {
		near[i] = -1
		for g := range d.Landmarks().Len() {
			code := d.Landmarks().Codebook
			if x := d.table.X.Row(i); knn.Finite(x) &&
				(near[i] < 0 || apart(x, code.Row(g)) < apart(x, code.Row(near[i]))) {
				near[i] = g
			}
		}
	}
	of := c.labels(f)
	for i, landmark := range near {
		got, want := column.Values[rowOf(d.table.Order, i)], of[landmark]
		if got != want && (got == got || want == want) {
			t.Fatalf("point %d near landmark %d is in %g, not %g", i, landmark, got, want)
		}
	}
	lines, all, marks, _ := c.Tree()
	if !marks || all != d.Landmarks().Len()-1 || len(lines) != all {
		t.Errorf("%d lines of %d", len(lines), all)
	}
	rows, ok := c.Members(int(f.Clusters[0].From), int(f.Clusters[0].To))
	if n := slices.IndexFunc(rows, func(row int32) bool { return column.Values[row] != 0 }); !ok || n >= 0 {
		t.Errorf("row %d of the first cluster is in another", n)
	}
}

// While landmarks train, points follow them from one cluster to another: the column is made anew some times a second.
func TestPointsFollowLandmarksThatTrain(t *testing.T) {
	d := open(t, "demo:cytometry:2000")
	d.Doc.Do("Cluster landmarks", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Landmarks, v.Least = true, 1 })
		parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Values = step.Values{"epochs": 1000} })
	})
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	seen, near := map[*dataset.Column]bool{}, map[nearKey]bool{}
	for len(seen) < 3 || len(near) < 3 {
		d.frame(t)
		c, _, err := d.Column("cluster")
		if err != nil || !d.Training().Active() {
			t.Fatalf("%d columns from %d moments while landmarks train: %v", len(seen), len(near), err)
		}
		if c != nil {
			seen[c], near[d.named.near.Of()] = true, true
		}
	}
	d.Training().Pause()
	d.until(t, "points are in the clusters of the landmarks at rest", func() bool {
		if _, _, err := d.Column("cluster"); err != nil {
			t.Fatal(err)
		}
		return !d.Busy() && d.named.near.Of().code == d.Landmarks().CodeRev &&
			d.Clusters().named.Of().near == d.named.near.Of()
	})
}

// The tree says which of its edges are bridges, and of many only the longest are drawn.
func TestTreeLines(t *testing.T) {
	d := open(t, "demo:cytometry:900")
	h := d.clusterAll(t)
	c := d.Clusters()
	lines, all, marks, rev := c.Tree()
	f, _, _ := c.Flat()
	if all != 899 || len(lines) != all || marks || rev == 0 {
		t.Fatalf("%d lines of %d", len(lines), all)
	}
	bridges := 0
	of := c.labels(f)
	for i, l := range lines {
		x, y := of[rowOf(d.table.Order, int(l.A))], of[rowOf(d.table.Order, int(l.B))]
		if bridge := x == x && y == y && x != y; bridge != (l.Kind == TreeBridge) {
			t.Fatalf("line %d from %g to %g is %d", i, x, y, l.Kind)
		} else if bridge {
			bridges++
		}
		if i > 0 && l.Kind < lines[i-1].Kind {
			t.Fatal("bridges are not on top")
		}
	}
	if bridges > len(f.Clusters)-1 || bridges == 0 && len(f.Clusters) > 1 {
		t.Errorf("%d bridges of %d clusters", bridges, len(f.Clusters))
	}
	if _, _, _, again := c.Tree(); again != rev {
		t.Error("it is made anew though nothing has changed")
	}
	v := parts.Clusters.Of(d.Doc.State())
	v.CutAt(h.Sky.Top())
	if d.Doc.Do("Cut", parts.Clusters.With(v)); len(d.treeOf(TreeBridge)) != 0 {
		t.Error("one cluster has bridges")
	}
}

func (d *desk) treeOf(k TreeKind) (out []TreeLine) {
	lines, _, _, _ := d.Clusters().Tree()
	for _, l := range lines {
		if l.Kind == k {
			out = append(out, l)
		}
	}
	return out
}

// Rows that are not valid are in no cluster.
func TestClustersLeaveInvalidRowsOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "points.csv")
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range 60 {
		if i%20 == 7 {
			b.WriteString("nan,1\n")
			continue
		}
		fmt.Fprintf(&b, "%d,%d\n", 100*(i%2)+i%5, i%7)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	d := open(t, path)
	h := d.clusterAll(t)
	d.Doc.Do("Cut", func(s *state.State) { d.Clusters().SetNumber(s, 2) })
	c, _, err := d.Column("cluster")
	if err != nil || h.Len() != 57 || h.Rows != 60 {
		t.Fatal(err, h.Len())
	}
	for i, v := range c.Values {
		if invalid := i%20 == 7; invalid != math.IsNaN(float64(v)) {
			t.Errorf("row %d is in %g", i, v)
		}
	}
	session := filepath.Join(t.TempDir(), "s.blossom")
	d.saveTo(t, session)
	o := loaded(t, session)
	if g := o.Clusters().Hierarchy(); g == nil || !slices.Equal(g.Leaves, h.Leaves) || !slices.Equal(g.Z, h.Z) {
		t.Error("the session has another")
	}
}

// A map that cannot be clustered says why in a line; few points can be.
func TestClustersOfFewPoints(t *testing.T) {
	for _, c := range []struct {
		text    string
		samples int
		want    string // words in the error
		leaves  int
	}{
		{"a,b\n1,2\nnan,3\n2,3\n", 0, "", 2},
		{"a,b\n1,2\n1,2\n1,2\n2,3\n", 0, "", 4},
		{"a,b\n1,2\n3,4\n5,9\n", 3, "a density of 3 neighbours needs more than 3 points", 0},
		{"a,b\n1,2\n3,4\n5,9\n", 2, "", 3},
	} {
		path := filepath.Join(t.TempDir(), "few.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		d := open(t, path)
		d.Doc.Do("Density", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.MinSamples = c.samples })
		})
		err := d.Clusters().Start()
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		d.settle(t)
		h := d.Clusters().Hierarchy()
		if err != nil || h == nil || h.Len() != c.leaves || !h.Proven() {
			t.Errorf("%q: %v, %+v", c.text, err, h)
			continue
		}
		if f, _, _ := d.Clusters().Flat(); len(f.Clusters) == 0 {
			t.Errorf("%q: %d clusters", c.text, len(f.Clusters))
		}
		if _, _, err := d.Column("cluster"); err != nil {
			t.Error(err)
		}
	}
}

// Points and landmarks keep the cut that each had, a line stays where it was while clusters are cut by persistence, and
// one gesture is one entry.
func TestCutsAreKept(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	c := d.Clusters()
	edit := func(name string, change func(*parts.ClusterChoice)) {
		d.Doc.Do(name, func(s *state.State) { parts.Clusters.Edit(s, change) })
		d.settle(t)
	}
	cut := func() (n int, at parts.Cut) {
		f, at, _ := c.Flat()
		return len(f.Clusters), at
	}
	// From landmarks to points that nobody has clustered yet: the choice and what is found are one entry.
	edit("Cluster landmarks", func(v *parts.ClusterChoice) { v.SetTarget(true); v.Least = 4 })
	entries := d.Doc.History().Len()
	coloured := false
	if err := c.StartWith(func(*state.State) { coloured = true }); err != nil {
		t.Fatal(err)
	}
	if parts.Clusters.Of(d.Doc.State()).Landmarks {
		t.Error("landmarks are clustered until there is a first tree")
	}
	d.settle(t)
	if h := d.Doc.History(); h.Len() != entries+1 || h.CanUndo() != "Cluster the points" || !coloured || !c.Made() {
		t.Fatalf("%d entries, not %d; the last is %q", h.Len(), entries+1, h.CanUndo())
	}
	d.Doc.Undo()
	if v := parts.Clusters.Of(d.Doc.State()); !v.Landmarks || v.Least != 4 || parts.Tree.Of(d.Doc.State()) != nil {
		t.Fatalf("undone: %+v", v)
	}
	d.Doc.Redo()
	d.settle(t)
	d.Doc.Do("Cut", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Least = 5 })
		c.SetNumber(s, 6)
	})
	n, at := cut()
	if n != 6 || at.Least != 5 || !(at.Height > 0) {
		t.Fatalf("%d clusters, %+v", n, at)
	}
	same := func(what string) {
		t.Helper()
		if again, now := cut(); again != n || now != at {
			t.Errorf("%s: %d clusters at %+v, not %d at %+v", what, again, now, n, at)
		}
	}
	edit("By persistence", func(v *parts.ClusterChoice) { v.Persist(true) })
	edit("By persistence", func(v *parts.ClusterChoice) { v.Persist(true) })
	if _, now := cut(); now.By != parts.CutPersistent || now.Height == now.Height {
		t.Fatalf("%+v", now)
	}
	edit("Landmarks", func(v *parts.ClusterChoice) { v.SetTarget(true) })
	if v := parts.Clusters.Of(d.Doc.State()); v.By != parts.CutByItself || v.Least != 4 {
		t.Errorf("landmarks are cut as %+v", v)
	}
	o, _ := d.reopened(t, 2)
	if v, was := parts.Clusters.Of(o.Doc.State()), parts.Clusters.Of(d.Doc.State()); v != was {
		t.Errorf("opened again: %+v, not %+v", v, was)
	}
	edit("Points", func(v *parts.ClusterChoice) { v.SetTarget(false) })
	edit("By a line", func(v *parts.ClusterChoice) { v.Persist(false) })
	same("by persistence, of landmarks, and back")
	// A line of another metric says nothing of this one.
	edit("Landmarks", func(v *parts.ClusterChoice) { v.SetTarget(true); v.Metric = linkage.Cosine })
	if c.Made() {
		t.Error("points are clustered by another distance")
	}
	d.clusterAll(t)
	if _, now := cut(); now.By != parts.CutByItself || now.Least != 5 {
		t.Errorf("of another metric: %+v", now)
	}
}
