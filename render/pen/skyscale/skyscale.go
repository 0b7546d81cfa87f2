// Package skyscale leads from the heights of a hierarchy to places of its picture, by logarithms.
package skyscale

import "math"

// Scale leads from heights to places: by logarithms, or by the heights themselves where they are all alike.
type Scale struct {
	Low, Top float64 // heights at the foot and at the head
	log      bool
}

// The least heights can be seen, and there is some room above the largest.
const (
	foot = 0.04
	room = 0.94
	over = 1.06
)

// Of is the scale of heights up to top; low is the least that matters.
func Of(low, top float64) Scale {
	s := Scale{Low: low, Top: top}
	if !(s.Low > 0) || s.Low > s.Top {
		s.Low = s.Top / 100
	}
	if s.log = s.Top > 1.2*s.Low; !s.log {
		s.Low = 0
	}
	return s
}

// Share is where a height stands: 0 at the foot, 1 at the head, and a little above that. A negative one is none.
func (s Scale) Share(h float64) float64 {
	f := 0.0
	switch {
	case !(s.Top > 0) || !(h > s.Low):
	case s.log:
		f = math.Log(h/s.Low) / math.Log(s.Top/s.Low)
	default:
		f = h / s.Top
	}
	if h >= 0 {
		f = foot + (1-foot)*f
	}
	return min(max(f, 0), over) * room
}

// Height is the height that stands at a share.
func (s Scale) Height(share float64) float64 {
	f := min(max((share/room-foot)/(1-foot), 0), over)
	if s.log {
		return s.Low * math.Pow(s.Top/s.Low, f)
	}
	return s.Top * f
}

// Ticks are round heights, rising: even steps, else those of one, two and five, or more where there is room.
func (s Scale) Ticks() (out []float64) {
	low, top := s.Low, s.Top
	if !(top > low) {
		return nil
	}
	if !s.log || top < 3*low {
		raw := (top - low) / 5
		step := math.Pow(10, math.Floor(math.Log10(raw)))
		for _, m := range []float64{1, 2, 2.5, 5, 10} {
			if m*step >= raw {
				step *= m
				break
			}
		}
		for k := math.Ceil(low / step); k*step <= top && len(out) < 32; k++ {
			out = append(out, k*step)
		}
		return out
	}
	steps := []float64{1, 2, 5}
	if top < 40*low {
		steps = []float64{1, 1.5, 2, 3, 4, 5, 6, 8}
	}
	for e := math.Floor(math.Log10(low)); len(out) < 64; e++ {
		for _, m := range steps {
			if h := m * math.Pow(10, e); h > top {
				return out
			} else if h >= low {
				out = append(out, h)
			}
		}
	}
	return out
}
