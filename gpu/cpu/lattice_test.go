package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
)

const sketched = 64 // so many blocks and columns have a sketch

// manyColumns are tables of so many points and columns that they have a sketch: with points of many clusters, whole
// and not, one far from all others, and points nearer to each other than a unit of the lattice.
func manyColumns(r *rand.Rand) map[string]matrix.Matrix32 {
	const n, d, clusters = 64*sketched + 40, 66, 12
	at := matrix.New(clusters, d)
	for i := range at.Data {
		at.Data[i] = float32(200 * r.Float64())
	}
	all := map[string]matrix.Matrix32{}
	for _, name := range []string{"whole", "spread", "one far away", "clumps", "tiny", "a tiny clump"} {
		x := matrix.New(n, d)
		for i := range n {
			k := r.IntN(clusters)
			for c := range d {
				v, wide := float64(at.Row(k)[c]), 12.0
				if name == "clumps" {
					wide = 1e-3 * math.Pow(1e4, float64(k)/clusters)
				}
				v += wide * r.NormFloat64()
				if name == "whole" {
					v = math.Round(max(0, min(255, v)))
				}
				x.Row(i)[c] = float32(v)
			}
		}
		switch name {
		case "one far away":
			x.Row(n / 2)[3] = 1e8
		case "tiny": // squares are beyond float32
			for i := range x.Data {
				x.Data[i] *= 0x1p-80
			}
		case "a tiny clump":
			for i := range 100 * d {
				x.Data[i] = float32(1e-25 * r.NormFloat64())
			}
		}
		all[name] = x
	}
	return all
}

// Points of many columns, in lattices and sketches of them, have the hierarchy that plain Go finds, bit by bit.
func TestSketchesRuleNothingLightOut(t *testing.T) {
	if !slices.ContainsFunc(variants, func(v variant) bool { return v.light != nil && v.has() }) {
		t.Skip("there are no kernels in C to compare with")
	}
	r := rand.New(rand.NewPCG(3, 9))
	for name, x := range manyColumns(r) {
		for _, metric := range []linkage.Metric{linkage.Euclidean, linkage.Cosine} {
			if metric == linkage.Cosine && name != "spread" {
				continue
			}
			o := linkage.Options{Metric: metric, Device: linkage.Plain(0)}
			want := hierarchy(t, x, o)
			for _, v := range variants {
				if v.light == nil || !v.has() {
					continue
				}
				o.Device = linkage.OnCores(2, v.light)
				if !slices.Equal(hierarchy(t, x, o), want) {
					t.Errorf("%s, %v: %s has another hierarchy", name, metric, v.name)
				}
			}
		}
	}
}

func hierarchy(t *testing.T, x matrix.Matrix32, o linkage.Options) linkage.Z {
	t.Helper()
	run, err := linkage.New(context.Background(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	if err := run.Finish(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	l, err := run.Linkage(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return l.Z
}
