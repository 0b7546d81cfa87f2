// Package step is the contract of everything that runs in small steps while the user watches:
// trainers of the codebook and layouts of the positions.
package step

import "context"

// Progress is how far a Stepper has come, in its own units (samples for online training, points
// visited for batch training, iterations for a layout).
type Progress struct {
	Done  int64
	Total int64 // 0: goes on until stopped
	Rest  bool  // nothing more will change
}

// Fraction returns Done/Total clamped to [0,1], or 0 where there is no total.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, max(0, float64(p.Done)/float64(p.Total)))
}

// Stepper advances by units, never by time: the caller turns a time budget into units from the
// measured cost, so that neither frame rate nor machine changes the result. Step(a) then Step(b)
// gives the same state as Step(a+b). It returns early only with ctx's error or at rest.
type Stepper interface {
	Step(ctx context.Context, units int) (Progress, error)
}

// Param describes one parameter of a stepper, from which its form in the window and its help on
// the command line are made.
type Param struct {
	ID      string // stable key, lower case
	Title   string // as shown
	Help    string // the effect of raising it
	Min     float64
	Max     float64
	Default float64
	Log     bool // a slider over decades
	Integer bool
	Choices []string // a choice: the value is an index into these
	Rare    bool     // seldom changed: a form need not show it at once
	// Zero is what the value 0 means, in a word ("schedule"), where Min is above it; "" where it means nothing else.
	Zero string
}

// Clamp returns v forced into the range of the parameter; NaN gives the default.
func (p Param) Clamp(v float64) float64 {
	if v != v {
		return p.Default
	}
	if v == 0 && p.Zero != "" {
		return 0
	}
	return min(p.Max, max(p.Min, v))
}

// Values holds parameter values by Param.ID. A missing one means the default.
type Values map[string]float64

// With returns the values with another one of a parameter; v stays as it is.
func (v Values) With(id string, value float64) Values {
	out := Values{id: value}
	for k, x := range v {
		if k != id {
			out[k] = x
		}
	}
	return out
}

// Get returns the value of p, clamped, or its default.
func (v Values) Get(p Param) float64 {
	if x, ok := v[p.ID]; ok {
		return p.Clamp(x)
	}
	return p.Default
}
