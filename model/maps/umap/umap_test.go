package umap

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
	"blossom/model/space/knn"
)

// groups are n points of d columns about so many centres, this far apart.
func groups(n, d, many int, apart float64, seed uint64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 2))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64())
		if i%d == 0 {
			x.Data[i] += float32(apart * float64(i/d%many))
		}
	}
	return x
}

// lay makes a map by so many epochs in these steps, from principal components.
func lay(t *testing.T, x matrix.Matrix32, o Options, steps ...int) []float32 {
	t.Helper()
	g, err := Joined(t.Context(), x, o.Neighbours)
	if err != nil {
		t.Fatal(err)
	}
	y, err := PCAStart(t.Context(), x, o.Dims, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Start(t.Context(), Plain{}, g, y, o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, units := range steps {
		if _, err := l.Step(t.Context(), units); err != nil {
			t.Fatal(err)
		}
	}
	return placesOf(t, l)
}

func placesOf(t *testing.T, l *Forming) []float32 {
	t.Helper()
	out := embedsom.NewHostTarget(l.Len(), l.Options().Dims)
	if err := l.Positions(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	return out.Data
}

// radius is the root of the mean square distance of points from their centre.
func radius(y []float32, dims int, of func(i int) bool) float64 {
	var sum, square [3]float64
	n := 0.0
	for i := range len(y) / dims {
		if !of(i) {
			continue
		}
		n++
		for c := range dims {
			v := float64(y[i*dims+c])
			sum[c] += v
			square[c] += v * v
		}
	}
	r := 0.0
	for c := range sum {
		r += square[c]/n - sum[c]/n*sum[c]/n
	}
	return math.Sqrt(max(0, r))
}

func every(int) bool { return true }

func TestEpochsMayBeSplitAndThreadsDoNotMatter(t *testing.T) {
	x := groups(150, 5, 3, 8, 1)
	for dims := 2; dims <= 3; dims++ {
		o := DefaultsIn(dims)
		o.Epochs = 70
		was := runtime.GOMAXPROCS(1)
		one := lay(t, x, o, 70)
		runtime.GOMAXPROCS(7)
		many := lay(t, x, o, 1, 2, 66, 1, 5)
		runtime.GOMAXPROCS(was)
		if !slices.Equal(one, many) {
			t.Errorf("%dD: threads or steps change a map", dims)
		}
		o.Seed = 1
		if slices.Equal(one, lay(t, x, o, 70)) {
			t.Errorf("%dD: another seed changes nothing", dims)
		}
	}
}

// A map that was saved goes on as if it had not been.
func TestSavedMapsGoOn(t *testing.T) {
	x := groups(90, 4, 2, 6, 3)
	o := Defaults()
	o.Epochs = 40
	whole := lay(t, x, o, 40)
	g, err := Joined(t.Context(), x, o.Neighbours)
	if err != nil {
		t.Fatal(err)
	}
	y, err := PCAStart(t.Context(), x, 2, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Start(t.Context(), Plain{}, g, y, o)
	if err != nil {
		t.Fatal(err)
	}
	s := &State{}
	if _, err = l.Step(t.Context(), 17); err == nil {
		err = l.Save(t.Context(), s)
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := Continue(t.Context(), Plain{}, g, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := again.Step(t.Context(), 1000); err != nil || p.Done != 40 || !p.Rest {
		t.Fatalf("%+v, %v", p, err)
	}
	if !slices.Equal(placesOf(t, again), whole) {
		t.Error("a map that was saved goes on otherwise")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := l.Step(stopped, 5); !errors.Is(err, context.Canceled) || p.Done != 17 {
		t.Errorf("cancelled: %+v, %v", p, err)
	}
}

// Few points, points on a spot, on a line, with more neighbours than there are: finite, and the end comes.
func TestOddPointsHaveFiniteMaps(t *testing.T) {
	for n := 1; n <= 16; n++ {
		for _, kind := range []string{"cloud", "equal", "line", "two places"} {
			for dims := 2; dims <= 3; dims++ {
				x := groups(n, 3, 1, 0, uint64(n))
				for i := range x.Data {
					switch kind {
					case "equal":
						x.Data[i] = 7
					case "line":
						x.Data[i] = float32(i / 3)
					case "two places":
						x.Data[i] = float32(i / 3 % 2)
					}
				}
				o := DefaultsIn(dims)
				o.Epochs = 60
				y := lay(t, x, o, 1000)
				if slices.ContainsFunc(y, func(v float32) bool { return v-v != 0 || v > 1e4 || v < -1e4 }) {
					t.Fatalf("%d points, %s, in %dD: %v", n, kind, dims, y)
				}
				if n == 1 && radius(y, dims, every)+math.Abs(float64(y[0])) != 0 {
					t.Errorf("one point is at %v", y)
				}
				if n == 2 && slices.Equal(y[:dims], y[dims:]) {
					t.Errorf("two points, %s, are at %v", kind, y)
				}
			}
		}
	}
	for n := range 2 {
		if y := lay(t, matrix.New(n, 2), Defaults(), 3); len(y) != 2*n {
			t.Errorf("%d points have %v", n, y)
		}
	}
}

// Whatever the points are: finite, within bounds, and the same again.
func TestRandomPointsHaveFiniteMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	for try := range 40 {
		n, d := 2+r.IntN(120), 1+r.IntN(6)
		x := matrix.New(n, d)
		scale := math.Pow(10, float64(r.IntN(13)-6))
		for i := range x.Data {
			x.Data[i] = float32(scale * r.NormFloat64())
		}
		for range r.IntN(n) { // duplicates
			copy(x.Row(r.IntN(n)), x.Row(r.IntN(n)))
		}
		if r.IntN(3) == 0 { // an outlier
			x.Row(r.IntN(n))[0] += float32(1e6 * scale)
		}
		o := DefaultsIn(2 + r.IntN(2))
		o.Neighbours, o.Least, o.Negatives = 2+r.IntN(40), r.Float64(), r.IntN(8)
		o.Epochs, o.Seed = 1+r.IntN(80), r.Uint64()
		y := lay(t, x, o, 1000)
		if slices.ContainsFunc(y, func(v float32) bool { return v-v != 0 || v > 1e4 || v < -1e4 }) {
			t.Fatalf("try %d, %d x %d, %+v: %v", try, n, d, o, y)
		}
		if !slices.Equal(y, lay(t, x, o, 1000)) {
			t.Fatalf("try %d: it is not the same again", try)
		}
	}
}

// Duplicates are near each other, and their neighbours about them.
func TestDuplicatesStayTogether(t *testing.T) {
	x := groups(240, 4, 2, 12, 5)
	for i := 0; i < 80; i += 2 {
		copy(x.Row(i), x.Row(0))
	}
	y := lay(t, x, Defaults(), 1000)
	twins := radius(y, 2, func(i int) bool { return i < 80 && i%2 == 0 })
	if all := radius(y, 2, every); !(twins < all/4) {
		t.Errorf("40 duplicates have a radius of %g in a map of %g", twins, all)
	}
}

// Groups that nothing joins are compact, apart, and not as far as in the data.
func TestDisconnectedGroups(t *testing.T) {
	x := groups(200, 3, 2, 1000, 7)
	y := lay(t, x, Defaults(), 1000)
	one := radius(y, 2, func(i int) bool { return i%2 == 0 })
	two := radius(y, 2, func(i int) bool { return i%2 == 1 })
	all := radius(y, 2, every)
	if !(all > 1.2*max(one, two)) || !(all < 20*min(one, two)) {
		t.Errorf("groups of radius %g and %g lie in a map of %g", one, two, all)
	}
}

// An outlier does not squeeze the rest.
func TestOutlierLeavesTheRestItsRoom(t *testing.T) {
	x := groups(300, 4, 3, 8, 9)
	without := radius(lay(t, x, Defaults(), 1000), 2, func(i int) bool { return i > 0 })
	x.Row(0)[1] = 1e6
	y := lay(t, x, Defaults(), 1000)
	if with := radius(y, 2, func(i int) bool { return i > 0 }); !(with > without/2) {
		t.Errorf("beside an outlier the map has a radius of %g, else of %g", with, without)
	}
	if at := radius(y, 2, every); !(at < 4*without) {
		t.Errorf("with its outlier the map has a radius of %g", at)
	}
}

// Held points stay where they are, others go to them; beyond the last epoch too, while somebody drags.
func TestHeldPointsStay(t *testing.T) {
	x := groups(120, 4, 2, 10, 13)
	o := Defaults()
	o.Epochs = 100
	g, err := Joined(t.Context(), x, o.Neighbours)
	if err != nil {
		t.Fatal(err)
	}
	y, err := PCAStart(t.Context(), x, 2, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Start(t.Context(), Plain{}, g, y, o)
	if err != nil {
		t.Fatal(err)
	}
	step := func(units int) {
		t.Helper()
		if _, err := l.Step(t.Context(), units); err != nil {
			t.Fatal(err)
		}
	}
	step(200)
	before := placesOf(t, l)
	var group []int32 // the most of one of two groups
	var to []float32
	for i := int32(0); i < 120; i += 2 {
		if i%8 != 0 {
			group, to = append(group, i), append(to, before[2*i]+40, before[2*i+1])
		}
	}
	if p, _ := l.Step(t.Context(), 10); !p.Rest {
		t.Errorf("it goes on by itself: %+v", p)
	}
	o.Beyond = true
	if err := l.Change(o); err != nil {
		t.Fatal(err)
	}
	if err := l.Hold(t.Context(), group, to); err != nil {
		t.Fatal(err)
	}
	step(600)
	after := placesOf(t, l)
	for k, id := range group {
		if !slices.Equal(after[2*id:2*id+2], to[2*k:2*k+2]) {
			t.Fatalf("point %d is held at %v and lies at %v", id, to[2*k:2*k+2], after[2*id:2*id+2])
		}
	}
	if d := after[0] - before[0]; !(d > 5) {
		t.Errorf("a point whose neighbours were dragged by 40 has gone by %g", d)
	}
	if err := l.Release(t.Context(), group); err != nil || len(l.Held()) != 0 {
		t.Fatal(err, l.Held())
	}
	step(3)
	if slices.Equal(placesOf(t, l)[2*group[0]:2*group[0]+2], to[:2]) {
		t.Error("a point that was let go stays")
	}
}

// A map that is done, whose points are dragged, does not swell: the neighbours follow, other groups stay, and when the
// points are let go it cools and rests, however it is saved on the way.
func TestADragLeavesTheRestOfAMapCool(t *testing.T) {
	const n, many = 400, 4
	x := groups(n, 6, many, 8, 13)
	o := Defaults()
	g, err := Joined(t.Context(), x, o.Neighbours)
	if err != nil {
		t.Fatal(err)
	}
	y, err := PCAStart(t.Context(), x, 2, o.Seed)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Start(t.Context(), Plain{}, g, y, o)
	if err != nil {
		t.Fatal(err)
	}
	step := func(l *Forming, units int) (rest bool) {
		t.Helper()
		p, err := l.Step(t.Context(), units)
		if err != nil {
			t.Fatal(err)
		}
		return p.Rest
	}
	step(l, 1000)
	before := placesOf(t, l)
	var ids []int32 // half of a group
	var to []float32
	for i := int32(0); i < n; i += 2 * many {
		ids, to = append(ids, i), append(to, before[2*i]+4, before[2*i+1])
	}
	gripped := o
	gripped.Beyond = true
	if err := errors.Join(l.Change(gripped), l.Hold(t.Context(), ids, to)); err != nil || step(l, 300) {
		t.Fatal("it rests in the hand", err)
	}
	of := func(group int) func(int) bool { return func(i int) bool { return i%many == group } }
	look := func(when string) {
		t.Helper()
		now := placesOf(t, l)
		for i := range n {
			if i%many > 0 && !slices.Equal(now[2*i:2*i+2], before[2*i:2*i+2]) {
				t.Fatalf("%s: point %d of another group has moved", when, i)
			}
		}
		if r := radius(now, 2, of(0)) / radius(before, 2, of(0)); !(r > 0.8 && r < 1.25) {
			t.Errorf("%s: the group is %.2f times as large", when, r)
		}
		follow := 0.0
		for i := many; i < n; i += 2 * many {
			follow += float64(now[2*i]-before[2*i]) / (n / (2 * many))
		}
		if !(follow > 3) {
			t.Errorf("%s: points whose neighbours were dragged by 4 have gone by %.2f", when, follow)
		}
	}
	look("in the hand")
	if err := l.Change(o); err != nil || l.Release(t.Context(), ids) != nil || step(l, 20) {
		t.Fatal("it rests at once", err)
	}
	s := &State{}
	if err := l.Save(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	again, err := Continue(t.Context(), Plain{}, g, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if !step(l, 1000) || !step(again, 1000) || l.Epoch() != 800+warmEpochs {
		t.Errorf("it does not come to rest by epoch %d", l.Epoch())
	}
	if !slices.Equal(placesOf(t, l), placesOf(t, again)) {
		t.Error("a map that was saved while it cools goes on otherwise")
	}
	look("at rest")
}

// A ring's spectrum is a ring: neighbours are near, and the middle is empty.
func TestSpectrumOfARing(t *testing.T) {
	const n = 300
	x := matrix.New(2*n, 3)
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		copy(x.Row(i), []float32{float32(c), float32(s), 0})
		copy(x.Row(n+i), []float32{float32(s), 50, float32(c)})
	}
	g, err := Joined(t.Context(), x, 7)
	if err != nil {
		t.Fatal(err)
	}
	if parts := connected(g); len(parts) != 2 || len(parts[0]) != n {
		t.Fatalf("%d components", len(parts))
	}
	y, err := SpectralStart(t.Context(), g, x, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for part := range 2 {
		of := y[part*2*n : (part+1)*2*n]
		var centre [2]float64
		for i, v := range of {
			centre[i%2] += float64(v) / n
		}
		least, most, longest := math.Inf(1), 0.0, 0.0
		for i := range n {
			j := (i + 1) % n
			r := math.Hypot(float64(of[2*i])-centre[0], float64(of[2*i+1])-centre[1])
			least, most = min(least, r), max(most, r)
			longest = max(longest, math.Hypot(float64(of[2*i]-of[2*j]), float64(of[2*i+1]-of[2*j+1])))
		}
		if !(least > most/8) || !(longest < most/8) {
			t.Errorf("part %d: from %g to %g of its centre, neighbours up to %g apart", part, least, most, longest)
		}
	}
}

// New points come to the group that they are of, each to the same place whoever else is placed.
func TestNewPointsGoToTheirGroups(t *testing.T) {
	x := groups(300, 4, 3, 10, 15)
	o := Defaults()
	y := lay(t, x, o, 1000)
	f, err := Freeze(y, o)
	if err != nil {
		t.Fatal(err)
	}
	fresh := groups(33, 4, 3, 10, 17)
	fresh.Row(4)[2] = float32(math.NaN())
	place := func(m matrix.Matrix32) []float32 {
		t.Helper()
		q := knn.Query{K: f.Near(), New: m}
		near := knn.NewLists(x, q)
		if err := knn.Search(t.Context(), x, q, near); err != nil {
			t.Fatal(err)
		}
		out, err := f.Place(t.Context(), near, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	all := place(fresh)
	for i := range fresh.Rows {
		at := all[2*i : 2*i+2]
		if i == 4 {
			if at[0] == at[0] {
				t.Errorf("a point without coordinates is at %v", at)
			}
			continue
		}
		if alone := place(matrix.Matrix32{Rows: 1, Cols: 4, Data: fresh.Row(i)}); !slices.Equal(alone, at) {
			t.Fatalf("point %d is at %v, alone at %v", i, at, alone)
		}
		best, of := math.Inf(1), -1
		for j := range x.Rows {
			if d := math.Hypot(float64(y[2*j]-at[0]), float64(y[2*j+1]-at[1])); d < best {
				best, of = d, j%3
			}
		}
		if of != i%3 {
			t.Errorf("point %d of group %d is at %v, in group %d", i, i%3, at, of)
		}
	}
}

// An edge acts as often as its weight says.
func TestEdgesActByTheirWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		w := r.Float32()
		rate := Rate(w, 1)
		for e := 1; e <= 500; e++ {
			want := math.Floor(float64(e)*float64(w)) != math.Floor(float64(e-1)*float64(w))
			if Acts(rate, e) != want {
				t.Fatalf("an edge of weight %g acts %v in epoch %d", w, !want, e)
			}
		}
	}
	if !Acts(Rate(0.7, 0.7), 1) || Acts(Rate(0, 1), 1) {
		t.Error("the heaviest edge rests, or one without weight acts")
	}
}

func TestOptionsThatCannotBeRun(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Dims = 4 }, func(o *Options) { o.Neighbours = 1 }, func(o *Options) { o.Neighbours = 201 },
		func(o *Options) { o.Least = -1 }, func(o *Options) { o.Least = 1.1 }, func(o *Options) { o.Spread = 0 },
		func(o *Options) { o.Spread = math.NaN() }, func(o *Options) { o.Least = math.NaN() },
		func(o *Options) { o.Negatives = -1 }, func(o *Options) { o.Epochs = -1 },
	} {
		o := Defaults()
		change(&o)
		if o.Validate() == nil {
			t.Errorf("%+v is run", o)
		}
	}
	g, err := Joined(t.Context(), groups(9, 2, 1, 0, 1), 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range [][]float32{make([]float32, 17), slices.Repeat([]float32{float32(math.Inf(1))}, 18)} {
		if _, err := Start(t.Context(), Plain{}, g, y, Defaults()); err == nil {
			t.Errorf("a map starts from %v", y)
		}
	}
}

// A map that does not fit into memory is said, with one that would.
func TestMapsThatDoNotFit(t *testing.T) {
	fewer := func(n int) string { return "take fewer" }
	if err := Fits(10_000, 30, 15, false, 1<<30, fewer); err != nil {
		t.Error(err)
	}
	if err := Fits(10_000_000, 30, 15, false, 1<<30, fewer); err == nil {
		t.Error("ten million points fit into a gigabyte")
	}
}
