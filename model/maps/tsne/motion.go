package tsne

import "math"

// Motion is what points of a map carry from one unit to the next: velocities, and gains of each coordinate, which rise
// while the gradient goes on pointing one way (R. A. Jacobs, "Increased rates of convergence", 1988).
type Motion struct {
	V, Gain []float64 // n x dims
}

// NewMotion is rest: no velocity, gains of 1.
func NewMotion(size int) Motion {
	m := Motion{V: make([]float64, size), Gain: make([]float64, size)}
	for i := range m.Gain {
		m.Gain[i] = 1
	}
	return m
}

// Cut bounds the velocity of a point.
const Cut = 5

// Push changes the velocities by the gradient g at a rate eta: v = mu v - eta gain g, |v| cut to Cut.
func (m *Motion) Push(g []float64, dims int, mu, eta float64) {
	for i := 0; i < len(g); i += dims {
		length := 0.0
		for c := i; c < i+dims; c++ {
			if sign(g[c]) != sign(m.V[c]) {
				m.Gain[c] += 0.2
			} else {
				m.Gain[c] = max(0.01, 0.8*m.Gain[c])
			}
			m.V[c] = mu*m.V[c] - eta*m.Gain[c]*g[c]
			length += m.V[c] * m.V[c]
		}
		if length > Cut*Cut {
			f := Cut / math.Sqrt(length)
			for c := i; c < i+dims; c++ {
				m.V[c] *= f
			}
		}
	}
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
