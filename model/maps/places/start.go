package places

import (
	"math"

	"blossom/model/base/matrix"
	"blossom/model/space/pca"
)

// startSample is how many points components are found of where there are more points and columns than they can be
// found of exactly: a start need not be exact.
const startSample = 1024

// Sample returns x, or points that lie evenly in it: as many as principal components are found of.
func Sample(x matrix.Matrix32) matrix.Matrix32 {
	if min(x.Rows, x.Cols) <= pca.MaxSide {
		return x
	}
	out := matrix.New(startSample, x.Cols)
	for i := range startSample {
		copy(out.Row(i), x.Row(i*x.Rows/startSample))
	}
	return out
}

// Normal returns a standard normal number that depends on its arguments alone, after Box and Muller (1958).
func Normal(seed, time, index uint64) float64 {
	h := Mix(Mix(Mix(seed)^time) ^ index)
	u, v := float64(h>>11+1)/(1<<53), float64(Mix(h)>>11)/(1<<53)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}

// Mix is the finisher of splitmix64 (Steele, Lea, Flood 2014).
func Mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
