package rendertest

import (
	"math"
	"math/rand/v2"

	"blossom/render"
	"blossom/render/camera"
)

// Clusters fills b with a map of some populations of different size, density and shape, and v, if there is
// one, with a number that varies over the map or the label of the population. It returns the box around all.
func Clusters(b *render.PointBuffer, v *render.ValueBuffer, labels bool) camera.Bounds {
	r := rand.New(rand.NewPCG(7, 11))
	pos, dims := b.Host(), b.Dims()
	const k = 9
	for i := range b.Len() {
		c := int(k * math.Pow(r.Float64(), 1.6))
		a := float64(c) * 2.4
		rad := 0.16 + 0.1*float64(c)
		spread := 0.05 + 0.02*float64(c%4)
		u, w := r.NormFloat64()*spread, r.NormFloat64()*spread*0.5
		at := [3]float64{
			rad*math.Cos(a) + u*math.Cos(a) - w*math.Sin(a),
			rad*math.Sin(a) + u*math.Sin(a) + w*math.Cos(a),
			0.5*math.Sin(float64(c)*1.7) + 0.07*r.NormFloat64(),
		}
		for d := range dims {
			pos[i*dims+d] = float32(at[d])
		}
		value := float32(2 + 2*math.Sin(3*at[0])*math.Cos(2*at[1]) + 0.3*r.NormFloat64())
		if labels {
			value = float32(c)
		}
		if v != nil {
			v.Host()[i] = value
		}
	}
	b.Upload(0, b.Len())
	if v != nil {
		v.Upload(0, v.Len())
	}
	box, _ := camera.BoundsOf(pos, dims)
	return box
}
