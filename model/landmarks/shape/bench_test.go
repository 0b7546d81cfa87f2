package shape

import (
	"math"
	"testing"
)

// A ghost of many landmarks is made anew in each frame of a drag.
func BenchmarkOutline(b *testing.B) {
	var path [][2]float64
	for i := range 400 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 400)
		r := 10 + 2*math.Sin(5*2*math.Pi*float64(i)/400)
		path = append(path, [2]float64{r * c, r * s})
	}
	s, err := Shape{Kind: "outline", Spacing: 0.31, Frame: Frame{Axes: Upright()}}.Trace(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		net, err := s.Net()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(net.At)), "landmarks")
	}
}
