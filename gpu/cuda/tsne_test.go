package cuda

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/matrix"
	"blossom/model/base/oracle"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// ptg is a published method whose tree has layers.
const ptg tsne.Method = "ptg"

// isHosted says whether kernels run on the host, where they are slow.
func isHosted() bool { return os.Getenv("BLOSSOM_HOSTED_KERNELS") != "" }

// mapDevice is t-SNE on the card that is here, the real one or the emulated one that TestTSNEOnEmulatedCard offers.
func mapDevice(t testing.TB) mapper {
	t.Helper()
	if _, err := driver.Devices(); err != nil {
		t.Skip("no NVIDIA card here: ", err)
	}
	if isHosted() {
		fieldMost, layersMost = 128, 5
	}
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return mapper{e.(*card)}
}

// blobs are points in four groups, a tenth of them at one place.
func blobs(n, d int) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64() + 5*float64(i/d%4))
	}
	return x
}

func mapAffinities(t testing.TB, n int, perplexity float64) *tsne.Affinities {
	t.Helper()
	p, err := tsne.Affine(context.Background(), blobs(n, 4), perplexity)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// scattered are places of this deviation, a tenth of them the same.
func scattered(n, dims int, deviation float64) (y []float32, wide []float64) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dims)))
	y, wide = make([]float32, n*dims), make([]float64, n*dims)
	for c := range y {
		y[c] = float32(deviation * r.NormFloat64())
		if i := c / dims; i > 0 && i < n/10 {
			y[c] = y[c%dims]
		}
		wide[c] = float64(y[c])
	}
	return y, wide
}

// off is |a-b| / |b|.
func off(a []float32, b []float64) float64 {
	var diff, sum float64
	for i, v := range b {
		diff += (float64(a[i]) - v) * (float64(a[i]) - v)
		sum += v * v
	}
	return math.Sqrt(diff / max(sum, 1e-300))
}

// A mapCase is a method with what it may be off by: repulsion, Z. The published ones add 0.0025 to squared distances.
type mapCase struct {
	method    tsne.Method
	accuracy  tsne.Accuracy
	theta     float64
	repulsion float64
	z         float64
}

// mapCases are those in so many dimensions; fewer on the host.
func mapCases(dims int) []mapCase {
	all := []mapCase{
		{tsne.Exact, tsne.Normal, 0.5, 1e-6, 1e-6},
		{tsne.Tree, tsne.Normal, 0.5, 4e-2, 1e-2}, {tsne.Tree, tsne.Normal, 0, 1e-5, 1e-6},
		{"sww1", tsne.Normal, 0.5, 8e-2, 2e-2}, {"sww4", tsne.Normal, 0.5, 8e-2, 2e-2},
		{"sww2", tsne.Normal, 0, 6e-3, 3e-3},
	}
	if dims == 2 {
		all = append(all, mapCase{tsne.Field, tsne.Normal, 0.5, 4e-2, 3e-3},
			mapCase{tsne.Field, tsne.Fine, 0.5, 3e-3, 3e-4}, mapCase{ptg, tsne.Normal, 0.5, 8e-2, 2e-2})
	}
	if !isHosted() {
		all = append(all, mapCase{"sww", tsne.Normal, 0.5, 8e-2, 2e-2}, mapCase{"sww2", tsne.Normal, 0.5, 8e-2, 2e-2},
			mapCase{"sww3", tsne.Normal, 0.5, 8e-2, 2e-2})
	}
	return all
}

// evaluate checks forces, Z and KL of a method against float64.
func (c mapCase) evaluate(t *testing.T, d mapper, what string, p *tsne.Sparse, y []float32, dims int, want *tsne.Forces,
	least [2]float64) {
	t.Helper()
	ctx := context.Background()
	o := tsne.DefaultsIn(dims)
	o.Method, o.Accuracy, o.Theta = c.method, c.accuracy, c.theta
	l, err := tsne.Start(ctx, d, p, y, o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	out := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
	if err := l.Evaluate(ctx, &out); err != nil {
		t.Fatal(err)
	}
	a, r := off(out.Attraction, want.Attraction), off(out.Repulsion, want.Repulsion)
	z, kl := math.Abs(out.Z/want.Z-1), math.Abs(out.KL-want.KL)
	text := fmt.Sprintf("%s, %dD, %s %v at theta %g: attraction is off by %.2g, repulsion %.2g, Z %.2g, KL %.2g", what,
		dims, c.method, c.accuracy, c.theta, a, r, z, kl)
	if !(a < 1e-5) || !(r < max(c.repulsion, least[0])) || !(z < max(c.z, least[1])) || !(kl < 1e-5+1.01*z) {
		t.Error(text)
	} else {
		t.Log(text)
	}
}

// Forces, Z and KL are those of float64, within what a method allows, in maps of every size.
func TestMapForces(t *testing.T) {
	d := mapDevice(t)
	sizes := []int{70}
	if !isHosted() {
		sizes = []int{40, 150, 300, 5000}
	}
	for _, n := range sizes {
		p := mapAffinities(t, n, 10)
		s := p.Sparse()
		for dims := 2; dims <= 3; dims++ {
			for _, deviation := range []float64{1e-4, 4} {
				y, wide := scattered(n, dims, deviation)
				var want tsne.Forces
				want.Of(p, wide, dims)
				for _, c := range mapCases(dims) {
					least := [2]float64{}
					if c.method == tsne.Field && deviation > 1 && n < 1000 { // own terms are much of what there is
						least = [2]float64{0.3, 1e-2}
					}
					c.evaluate(t, d, fmt.Sprintf("%d points at %g", n, deviation), s, y, dims, &want, least)
				}
			}
		}
	}
}

// Forces in maps that lie far from the origin are those of the places as float32 has them.
func TestMapFarFromTheOrigin(t *testing.T) {
	d := mapDevice(t)
	const n = 70
	p := mapAffinities(t, n, 10)
	for dims := 2; dims <= 3; dims++ {
		for _, offset := range []float32{1e4, 1e6} {
			y, wide := scattered(n, dims, 3)
			for c := range y {
				y[c] += offset
				wide[c] = float64(y[c])
			}
			var want tsne.Forces
			want.Of(p, wide, dims)
			for _, c := range mapCases(dims) {
				switch c.method {
				case tsne.Exact, tsne.Tree, tsne.Field:
					c.evaluate(t, d, fmt.Sprintf("%g from the origin", offset), p.Sparse(), y, dims, &want,
						[2]float64{0.15, 1.5e-2})
				}
			}
		}
	}
}

// Repulsion among many points, whose tree has more levels than that of thousands, is that of float64 at some of them.
func TestMapOfMany(t *testing.T) {
	if isHosted() {
		t.Skip("too many for the host")
	}
	d := mapDevice(t)
	const n, sample = 1_200_000, 100
	p := &tsne.Sparse{N: n, Start: make([]int64, n+1), Perplexity: 2}
	for i := range n { // a ring
		p.Start[i+1] = int64(2*i + 2)
		near := []int32{int32((i + 1) % n), int32((i + n - 1) % n)}
		slices.Sort(near)
		p.Column, p.Value = append(p.Column, near...), append(p.Value, 0.5/n, 0.5/n)
	}
	p.Entropy = -math.Log(2 * n)
	for dims := 2; dims <= 3; dims++ {
		y, wide := scattered(n, dims, 60)
		for c := range n / 10 * dims { // apart: so many on a spot are no map of a field
			wide[c] = float64(y[c+n/2*dims])*1.01 + 0.5
			y[c] = float32(wide[c])
			wide[c] = float64(y[c])
		}
		want := make([]float64, sample*dims)
		for s := range sample {
			own := wide[s*(n/sample)*dims:][:dims]
			for j := range n {
				var r [3]float64
				q := 1.0
				for c := range dims {
					r[c] = own[c] - wide[j*dims+c]
					q += r[c] * r[c]
				}
				for c := range dims {
					want[s*dims+c] += r[c] / (q * q)
				}
			}
		}
		for _, c := range mapCases(dims) {
			if c.method == tsne.Exact || c.theta == 0 {
				continue
			}
			o := tsne.DefaultsIn(dims)
			o.Method, o.Accuracy, o.Theta, o.Total = c.method, c.accuracy, c.theta, 0
			l, err := tsne.Start(context.Background(), d, p, y, o)
			if err != nil {
				t.Fatal(err)
			}
			out := tsne.Evaluation{Repulsion: make([]float32, len(y))}
			err = l.Evaluate(context.Background(), &out)
			l.Close()
			if err != nil {
				t.Fatal(err)
			}
			var some []float32
			for s := range sample {
				some = append(some, out.Repulsion[s*(n/sample)*dims:][:dims]...)
			}
			r := off(some, want)
			t.Logf("%s %v in %dD: repulsion of %d points is off by %.2g", c.method, c.accuracy, dims, n, r)
			if !(r < 0.1) {
				t.Errorf("%s %v in %dD: repulsion of %d points is off by %.2g", c.method, c.accuracy, dims, n, r)
			}
		}
	}
}

// The cases of the exact answers, with the tolerances of their page.
func TestMapOracle(t *testing.T) {
	folders := oracle.Cases(t, oracle.TSNE)
	if isHosted() {
		folders = folders[:1]
	}
	d := mapDevice(t)
	for _, dir := range folders {
		p := &tsne.Affinities{Start: array[int64](t, dir, "P_indptr"), Column: array[int32](t, dir, "P_indices"),
			Value: array[float64](t, dir, "P_data")}
		p.N = len(p.Start) - 1
		for _, v := range p.Value {
			if v > 0 {
				p.Entropy += v * math.Log(v)
			}
		}
		for dims := 2; dims <= 3; dims++ {
			for _, when := range []string{"early", "late"} {
				name := fmt.Sprintf("%d_%s", dims, when)
				wide := array[float64](t, dir, "Y"+name)
				y := make([]float32, len(wide))
				for c, v := range wide {
					y[c] = float32(v)
					wide[c] = float64(y[c])
				}
				var want tsne.Forces
				want.Of(p, wide, dims)
				for _, c := range mapCases(dims) {
					least := [2]float64{}
					switch {
					case c.method == tsne.Tree && c.theta > 0 && when == "late":
						c.repulsion, c.z = 3e-3, 5e-3
					case c.method == tsne.Tree && c.theta > 0:
						c.repulsion, c.z = 3e-2, 5e-3
					case (c.method == tsne.Field || c.method == ptg) && (p.N < 40 || isHosted() && when == "late"):
						least = [2]float64{1, 0.2} // the lattice is too small, the tree has few layers
					}
					c.evaluate(t, d, filepath.Base(dir)+" "+when, p.Sparse(), y, dims, &want, least)
				}
			}
		}
	}
}

// array reads numbers of the exact answers.
func array[T int32 | int64 | float64](t *testing.T, dir, name string) []T {
	t.Helper()
	v, _ := oracle.Array[T](t, dir, name+".npy")
	return v
}

// mapState is a map after units in these steps.
func mapState(t *testing.T, d mapper, p *tsne.Sparse, s *tsne.State, o tsne.Options, steps ...int) *tsne.State {
	t.Helper()
	ctx := context.Background()
	l, err := tsne.Continue(ctx, d, p, s, o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, units := range steps {
		if _, err := l.Step(ctx, units); err != nil {
			t.Fatal(err)
		}
	}
	out := new(tsne.State)
	if err := l.Save(ctx, out); err != nil {
		t.Fatal(err)
	}
	return out
}

var updateBits = flag.Bool("bits", false, "write the bits that the kernels give here to testdata")

// Units may be split, a saved map goes on with the same bits, and these are the same on any card and on the host: those
// in testdata were made there.
func TestMapBits(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes on the host")
	}
	d := mapDevice(t)
	const n, file = 100, "testdata/tsne_bits.txt"
	p := mapAffinities(t, n, 10).Sparse()
	defer func(was int) { layersMost = was }(layersMost)
	layersMost = 2
	some := isHosted() && (testing.Short() || os.Getenv("BLOSSOM_LONG") == "") && !*updateBits
	var lines []string
	for dims := 2; dims <= 3; dims++ {
		methods := []tsne.Method{tsne.Exact, tsne.Tree, tsne.Field, "sww4", ptg}
		if dims == 3 {
			methods = []tsne.Method{tsne.Exact, tsne.Tree, "sww2"}
		}
		if some {
			methods = methods[1:]
			methods = methods[:min(2, len(methods))]
		}
		for _, m := range methods {
			o := tsne.DefaultsIn(dims)
			o.Method, o.Until, o.Total, o.Perplexity = m, 5, 0, 10
			y, _ := scattered(n, dims, 1)
			s := &tsne.State{Dims: dims, Y: y, V: make([]float32, len(y)), Gain: slices.Repeat([]float32{1}, len(y)),
				Stale: true}
			whole := mapState(t, d, p, s, o, 11)
			split := mapState(t, d, p, mapState(t, d, p, s, o, 3), o, 6, 2)
			if !slices.Equal(whole.Y, split.Y) || !slices.Equal(whole.V, split.V) || whole.Units != 11 {
				t.Errorf("%s in %dD: units depend on how they are split", m, dims)
			}
			for _, v := range whole.Y {
				if v-v != 0 {
					t.Fatalf("%s in %dD: a point lies at %g", m, dims, v)
				}
			}
			h := sha256.New()
			for _, v := range [][]float32{whole.Y, whole.V, whole.Gain} {
				if err := binary.Write(h, binary.LittleEndian, v); err != nil {
					t.Fatal(err)
				}
			}
			lines = append(lines, fmt.Sprintf("%s %d %x", m, dims, h.Sum(nil)[:8]))
		}
	}
	got := strings.Join(lines, "\n") + "\n"
	if *updateBits {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if some {
		kept := slices.DeleteFunc(strings.SplitAfter(string(want), "\n"), func(line string) bool {
			return !strings.HasPrefix(line, "tree") && !strings.HasPrefix(line, "field") &&
				!strings.HasPrefix(line, "sww2")
		})
		want = []byte(strings.Join(kept, ""))
	}
	if runtime.GOARCH == "amd64" && got != string(want) { // affinities are computed by the processor
		t.Errorf("the bits are\n%s and on the host\n%s", got, want)
	}
}

// Points that are kept in another order move as before, whatever is asked and told by rows; a saved map has the order.
func TestMapRenumbered(t *testing.T) {
	ctx := context.Background()
	d := mapDevice(t)
	const n = 90
	p, other := mapAffinities(t, n, 10).Sparse(), mapAffinities(t, n, 6).Sparse()
	for dims := 2; dims <= 3; dims++ {
		y, _ := scattered(n, dims, 3)
		begin := &tsne.State{Dims: dims, Y: y, V: make([]float32, len(y)), Gain: slices.Repeat([]float32{1}, len(y))}
		batch := tsne.Batch{Units: 2, E: 1, Mu: 0.8, Eta: n, Plan: tsne.Plan{Method: tsne.Tree, Theta: 0.3}}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		run := func(renumber bool) (tsne.Body, *tsne.State, tsne.Evaluation) {
			b, err := d.Open(ctx, p, dims)
			must(err)
			must(b.Load(ctx, begin))
			first := batch
			first.Renumber, first.Renew = renumber, true
			_, err = b.Advance(ctx, first)
			must(err)
			must(b.Hold(ctx, []int32{3, 40}, make([]float32, 2*dims)))
			must(b.Swap(ctx, other))
			_, err = b.Advance(ctx, batch)
			must(err)
			must(b.Release(ctx, []int32{40}))
			_, err = b.Advance(ctx, first) // once more
			must(err)
			s := new(tsne.State)
			must(b.Save(ctx, s))
			e := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
			must(b.Evaluate(ctx, batch.Plan, &e))
			return b, s, e
		}
		plain, at, forces := run(false)
		moved, now, found := run(true)
		if at.Slots != nil || !permutes(now.Slots, n) || slices.IsSorted(now.Slots) ||
			!slices.Equal(now.Held, at.Held) {
			t.Fatalf("slots %v, held %v", now.Slots, now.Held)
		}
		for _, c := range []struct {
			what      string
			got, want []float32
		}{{"y", now.Y, at.Y}, {"v", now.V, at.V}, {"attraction", found.Attraction, forces.Attraction},
			{"repulsion", found.Repulsion, forces.Repulsion}} {
			wide := make([]float64, len(c.want))
			for i, v := range c.want {
				wide[i] = float64(v)
			}
			if r := off(c.got, wide); !(r < 1e-4) {
				t.Errorf("%dD: %s is off by %.2g", dims, c.what, r)
			}
		}
		host := embedsom.NewHostTarget(n, dims)
		must(moved.Positions(ctx, host))
		if !slices.Equal(host.Host(), now.Y) {
			t.Errorf("%dD: positions are not those of the state", dims)
		}
		// Saved in one order and loaded by one that has the points in another.
		must(plain.Load(ctx, now))
		ends := [2]*tsne.State{{}, {}}
		for i, b := range []tsne.Body{plain, moved} {
			_, err := b.Advance(ctx, batch)
			must(err)
			must(b.Save(ctx, ends[i]))
			b.Close()
		}
		if !slices.Equal(ends[0].Y, ends[1].Y) || !slices.Equal(ends[0].V, ends[1].V) ||
			!slices.Equal(ends[0].Gain, ends[1].Gain) || !slices.Equal(ends[0].Slots, ends[1].Slots) {
			t.Errorf("%dD: a saved map does not go on with the same bits", dims)
		}
	}
}

// Held points stay, others move; steps are timed; a point that is let go moves again.
func TestMapHeld(t *testing.T) {
	ctx := context.Background()
	d := mapDevice(t)
	const n = 90
	p := mapAffinities(t, n, 8)
	for dims := 2; dims <= 3; dims++ {
		body, err := d.Open(ctx, p.Sparse(), dims)
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		y, _ := scattered(n, dims, 1)
		s := &tsne.State{Dims: dims, Y: y, V: make([]float32, len(y)), Gain: slices.Repeat([]float32{1}, len(y))}
		ids, places := []int32{70, 3, 70}, make([]float32, 3*dims)
		for c := range places {
			places[c] = float32(c)
		}
		timed := map[string]time.Duration{}
		b := tsne.Batch{Units: 4, E: 1, Mu: 0.8, Eta: n, Plan: tsne.Plan{Method: tsne.Tree, Theta: 0.5}, Renew: true,
			Timed: func(step string, took time.Duration) { timed[step] += took }}
		held, after := embedsom.NewHostTarget(n, dims), embedsom.NewHostTarget(n, dims)
		err = errors.Join(body.Load(ctx, s), body.Hold(ctx, ids, places))
		done, err2 := body.Advance(ctx, b)
		if err = errors.Join(err, err2, body.Positions(ctx, held)); err != nil || done != 4 {
			t.Fatal(done, err)
		}
		if len(timed) != 4 || timed[stepWalk] <= 0 {
			t.Errorf("steps: %v", timed)
		}
		for k, id := range []int{3, 70} {
			if !slices.Equal(held.Data[id*dims:(id+1)*dims], places[(k+1)*dims:(k+2)*dims]) {
				t.Errorf("%dD: point %d is held and lies at %v", dims, id, held.Data[id*dims:(id+1)*dims])
			}
		}
		if slices.Equal(held.Data[:dims], y[:dims]) {
			t.Errorf("%dD: others do not move", dims)
		}
		b.Timed, b.Centre = nil, true
		err = body.Release(ctx, ids)
		_, err2 = body.Advance(ctx, b)
		now, err3 := body.Measure(ctx)
		if err = errors.Join(err, err2, err3, body.Positions(ctx, after)); err != nil {
			t.Fatal(err)
		}
		for c := range dims {
			sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
			for i := c; i < n*dims; i += dims {
				v := float64(after.Data[i])
				sum, low, high = sum+v, min(low, v), max(high, v)
			}
			if math.Abs(sum) > 1e-3 || now.Lo[c] != low || now.Hi[c] != high || !(now.Z > 0) {
				t.Errorf("%dD: the mean is %g, the box %g to %g, measured %+v", dims, sum/n, low, high, now)
			}
		}
		if slices.Equal(held.Data[3*dims:4*dims], after.Data[3*dims:4*dims]) {
			t.Errorf("%dD: a point that was let go stays", dims)
		}
	}
}
