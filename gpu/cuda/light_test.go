package cuda

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
	"blossom/model/work/engine"
)

// spy remembers what the engine holds.
type spy struct {
	linkage.Device
	h *holding
}

func (s *spy) Arrange(ctx context.Context, l *linkage.Blocked) (linkage.Holding, []int32, error) {
	held, ids, err := s.Device.Arrange(ctx, l)
	s.h, _ = held.(*holding)
	return held, ids, err
}

// emulated says whether the card is none, which takes launches of less work.
func emulated(t *testing.T) bool {
	if os.Getenv(driver.Environment) == "" {
		return false
	}
	was := stretch
	t.Cleanup(func() { stretch = was })
	stretch = 1 << 20
	return true
}

// roomForFew has launches find little.
func roomForFew(t *testing.T) {
	a, b, c, d := tileRoom, passedRoom, keptRoom, tasksMost
	t.Cleanup(func() { tileRoom, passedRoom, keptRoom, tasksMost = a, b, c, d })
	fewTasks()
}

// Which products a tile has is chosen by what rounding would let through, and with each the hierarchy is that of all
// pairs: also where memory for what a launch finds is short, and where what is far away leaves little of a float32.
func TestLightRungs(t *testing.T) {
	needsCard(t)
	emulated(t)
	roomForFew(t)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r := rand.New(rand.NewPCG(5, 6))
	normal := func(n, d int) matrix.Matrix32 {
		x := matrix.New(n, d)
		for i := range x.Data {
			x.Data[i] = float32(r.NormFloat64())
		}
		return x
	}
	whole, off, clumps, far := normal(300, 20), normal(300, 20), normal(500, 3), normal(260, 12)
	for i, v := range whole.Data {
		whole.Data[i] = float32(math.Round(30*min(4, max(-4, float64(v)))) + 5e4)
		off.Data[i] = whole.Data[i]
	}
	off.Data[77] += 0.5
	apart := normal(700, 21) // in clusters that are far from each other, and of different sizes
	for i := range apart.Data {
		k := i / 21 % 10
		apart.Data[i] = apart.Data[i]*float32(k%3+1) + float32(25*((k*k+i%21*k)%5))
	}
	for i := range clumps.Data {
		clumps.Data[i] = clumps.Data[i]*1e-3 + float32(i/3%7)*1e4
	}
	for i := range far.Data {
		far.Data[i] = far.Data[i]*float32(math.Pow(10, float64(i/12%9)-4)) - 1e6
	}
	for i := 30; i < 60; i++ {
		copy(far.Row(i), far.Row(i-30))
	}
	tensor := e.(*card).hasTensor()
	// long has many steps of products, wide more columns than lanes weigh alone.
	long, wide := normal(140, 131), normal(260, 80)
	for i := range long.Data {
		long.Data[i] = float32(math.Round(30 * min(4, max(-4, float64(long.Data[i])))))
	}
	for i := range wide.Data {
		wide.Data[i] += 40 * float32(i/80%4)
	}
	for name, c := range map[string]struct {
		x    matrix.Matrix32
		used func(n lightCounts) bool
	}{
		"bytes far from 0":    {whole, func(n lightCounts) bool { return n.tiles+n.locals == 0 && n.dense > 0 }},
		"halves":              {off, func(n lightCounts) bool { return n.dense > 0 }},
		"halves, near":        {apart, func(n lightCounts) bool { return n.nears > 0 }},
		"bytes, many columns": {long, func(n lightCounts) bool { return n.tiles+n.locals == 0 && n.dense > 0 }},
		"near, many columns":  {wide, func(n lightCounts) bool { return n.nears > 0 }},
		"few columns":         {normal(400, 4), func(n lightCounts) bool { return n.tiles > 0 && n.dense == 0 }},
		"local frames":        {clumps, func(n lightCounts) bool { return n.locals > 0 }},
		"of many sizes":       {far, func(n lightCounts) bool { return n.kept > 0 }},
	} {
		run := func(o linkage.Options) linkage.Z {
			run, err := linkage.New(t.Context(), c.x, o)
			if err == nil {
				err = run.Finish(t.Context(), nil)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			defer run.Close()
			l, err := run.Linkage(t.Context())
			if err != nil {
				t.Fatal(name, err)
			}
			return l.Z
		}
		res, err := e.Load(t.Context(), c.x)
		if err != nil {
			t.Fatal(err)
		}
		s := &spy{Device: res.Caps().Linkage}
		got, want := run(linkage.Options{Device: s}), run(linkage.Options{Algorithm: "prim"})
		if !slices.Equal(got, want) {
			t.Errorf("%s: another hierarchy", name)
		}
		if n := s.h.seen; !c.used(n) && (tensor || n.tiles+n.locals == 0) {
			t.Errorf("%s: %+v", name, n)
		}
		res.Free()
	}
}

// Several cards share the rows, and with a hierarchy that is that of one: also where what they keep is more than there
// is room for, and of equal points and mutual reachability.
func TestLightOnSeveralCards(t *testing.T) {
	needsCard(t)
	cards, err := driver.Devices()
	if err != nil || len(cards) < 2 {
		t.Skip("there is one card")
	}
	if emulated(t) {
		roomForFew(t)
	}
	e, err := New(engine.Options{Beside: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r := rand.New(rand.NewPCG(7, 8))
	x := matrix.New(1100, 5)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64()) + 9*float32(i/5%3)
	}
	copy(x.Row(5), x.Row(700))
	res, err := e.Load(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Free()
	for _, o := range []linkage.Options{{}, {MinSamples: 3}, {Metric: linkage.Cosine}} {
		var got [2]linkage.Z
		for i := range got {
			if o.Algorithm = "prim"; i > 0 {
				o.Algorithm, o.Device = "light", res.Caps().Linkage
			}
			run, err := linkage.New(t.Context(), x, o)
			if err == nil {
				err = run.Finish(t.Context(), nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			l, err := run.Linkage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got[i] = l.Z
			run.Close()
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%v, %d samples: two cards have another hierarchy", o.Metric, o.MinSamples)
		}
	}
}

// Without memory for the layout it says so before it takes any.
func TestLightWithoutMemory(t *testing.T) {
	needsCard(t)
	defer func(was int64) { keptRoom = was }(keptRoom)
	keptRoom = 1 << 21
	e, err := New(engine.Options{Memory: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	x := matrix.New(4_000, 6)
	for i := range x.Data {
		x.Data[i] = float32(i % 1009)
	}
	res, err := e.Load(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Free()
	if _, err := linkage.New(t.Context(), x, linkage.Options{Device: res.Caps().Linkage}); err == nil {
		t.Error("8 MB suffice for 4,000 points of 6 columns")
	}
}
