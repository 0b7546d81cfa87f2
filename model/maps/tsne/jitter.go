package tsne

import "math"

// Jitter adds normal noise of this deviation to all coordinates. It depends on seed, time and index alone.
func Jitter(y []float64, seed, time uint64, deviation float64) {
	for c := range y {
		y[c] += deviation * normal(seed, time, uint64(c))
	}
}

// normal is a standard normal number that depends on its arguments alone, after Box and Muller (1958).
func normal(seed, time, index uint64) float64 {
	h := mix(mix(mix(seed)^time) ^ index)
	u, v := float64(h>>11+1)/(1<<53), float64(mix(h)>>11)/(1<<53)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}

// mix is the finisher of splitmix64 (Steele, Lea, Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
