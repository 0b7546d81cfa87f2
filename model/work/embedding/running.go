package embedding

import (
	"context"
	"maps"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// Beginning is what a run begins from.
type Beginning struct {
	From *Result // positions that there are; nil: from its own beginning
	// Fresh: From is where points begin from, as if they had no size yet; else they go on from there.
	Fresh  bool
	Memory *Memory // the memory of the run that left From; nil: From comes from elsewhere
	Pinned []int   // points that are held where they are in From, whatever Memory says
	Values step.Values
	Basis  any // as Kind.Basis made it
	Seed   uint64
}

// Memory is what a run knows beside positions: with it one that was put away goes on with the same bits. It is
// immutable.
type Memory struct {
	Facts  []byte               // in an encoding of its own, for ever readable
	Points map[string][]float32 // dims numbers for each point, in the order of the table
	Orders map[string][]int32   // numbers of points, 0 or more, in any order and of any length
}

// Standing is how a run stands, in words and numbers for people.
type Standing struct {
	Phase   string  // beside that it forms: "exaggerated"; "" for nothing
	Figure  float64 // how well it fits, which Kind.Measure names; NaN while it is unknown
	Early   int64   // the first units are another phase: so many of them
	Points  int     // number of points that have a place; 0: all
	Warning string  // which parameters could not be followed, and why; "" for none
}

// Runner is a running embedding of n points. Its Stepper advances the positions. It is used from one goroutine at a
// time; points are numbered in the order of the table.
type Runner interface {
	step.Stepper
	// Place writes the present positions (n x dims) to dst, and tells it so.
	Place(dst embedsom.Target) error
	// Hold puts points at places, dims numbers for each, and keeps them there; Release lets them go.
	Hold(points []int, places []float32) error
	Release(points []int) error
	// Grip says whether the hand is at it: it then goes on even if it is done.
	Grip(on bool) error
	// Set changes parameters, all but those that a basis is made with.
	Set(v step.Values) error
	// Rebase gives it another basis of the same points. Positions stay.
	Rebase(basis any) error
	Memory() (*Memory, error)
	// Standing may take as long as a unit.
	Standing() (Standing, error)
	// Guess is what a unit may take, before one has been timed; 0: next to nothing.
	Guess() time.Duration
	// Engine names the engine that moves the points, where the run has one to itself; "" for that of the window.
	Engine() string
	// Beside says whether units may be done on another goroutine than the window's.
	Beside() bool
	Close()
}

// Plain is what a Runner is that has no parameters, basis and memory: to be embedded.
type Plain struct{}

func (Plain) Set(step.Values) error       { return nil }
func (Plain) Grip(bool) error             { return nil }
func (Plain) Rebase(any) error            { return nil }
func (Plain) Memory() (*Memory, error)    { return nil, nil }
func (Plain) Standing() (Standing, error) { return Standing{}, nil }
func (Plain) Guess() time.Duration        { return 0 }
func (Plain) Engine() string              { return "" }
func (Plain) Beside() bool                { return true }
func (Plain) Close()                      {}

// Stages are how a run of a kind is prepared.
type Stages struct {
	Params []step.Param
	// Suggest are values that suit the points, where they are not the defaults. It may be nil.
	Suggest func(in Inputs, r Recipe) step.Values
	// Needs is what an engine is to have on which it runs. A window without one falls back on another engine.
	Needs engine.Capability
	// Size are values that suit the machine, by how many points it lays out while somebody waits. They are asked for
	// when a map begins for the first time and kept with it, so that it is the same everywhere. It may be nil.
	Size func(in Inputs, r Recipe) step.Values
	// Total is the ID of the parameter that says after how many units it ends, 0 for when it rests; "" where only a
	// runner knows.
	Total string
	// Eager: it runs by itself where it is shown for the first time.
	Eager bool
	// Settles: one that has done its units goes on by itself until it rests again when moved points were let go.
	Settles bool
	// Measure is what Standing.Figure is: "KL divergence"; "" where there is none. MeasureHelp says how to read it.
	Measure, MeasureHelp string
	// Early is what the first units are, in a word ("exaggerated"), EarlyHelp what they do; "" where all are alike.
	Early, EarlyHelp string
	// Origin is where points begin by themselves: "principal components".
	Origin string
	// Letter is its key in the window: with Shift it is one unit, with Alt the panel. "" for none.
	Letter string
	// Basis makes what a run is made from and takes long, as a job called Title. Key names what it depends on: it is
	// made anew when that changes. former is one of the same points with another key, or nil. Basis nil: there is none.
	Title string
	Key   func(in Inputs, r Recipe, v step.Values) string
	Basis func(ctx context.Context, in Inputs, r Recipe, v step.Values, former any,
		progress func(done, total int64)) (any, error)
	// Check says what cannot be done, before work starts: too little memory. nil: nothing.
	Check func(in Inputs, r Recipe, v step.Values) error
	// Start makes a Runner for the points.
	Start func(ctx context.Context, in Inputs, r Recipe, b Beginning) (Runner, error)
	// Into places new points (m x d) in the map pos (n x dims) of the points, all of which are finite; the map stays as
	// it is. A new point without finite coordinates has no place: NaN. nil: the kind does not.
	Into func(ctx context.Context, in Inputs, r Recipe, v step.Values, pos []float32, fresh matrix.Matrix32,
		progress func(done, total int64)) ([]float32, error)
	// Tables are what there is to write of a basis, beside a map.
	Tables []BasisTable
}

// Values are those of a run where some were chosen: others suit the points, and those that are missing their defaults.
func (s *Stages) Values(in Inputs, r Recipe, chosen step.Values) step.Values {
	out := step.Values{}
	if s.Suggest != nil {
		maps.Copy(out, s.Suggest(in, r))
	}
	maps.Copy(out, chosen)
	return out
}

// Every returns the value of every parameter.
func (s *Stages) Every(v step.Values) step.Values {
	out := step.Values{}
	for _, p := range s.Params {
		out[p.ID] = v.Get(p)
	}
	return out
}

// Prepare makes what a run with these values is started from, nil where that is nothing. The error says what cannot be
// done, before work starts where that is known by then, or is ctx's.
func (s *Stages) Prepare(ctx context.Context, in Inputs, r Recipe, v step.Values, former any,
	progress func(done, total int64)) (basis any, err error) {
	if s.Check != nil {
		if err := s.Check(in, r, v); err != nil {
			return nil, err
		}
	}
	if s.Basis == nil {
		return nil, nil
	}
	return s.Basis(ctx, in, r, v, former, progress)
}

// CheckValues says which of the values of parameters is unknown or cannot be. It reads them in one order.
func (s *Stages) CheckValues(v step.Values) error {
	return step.CheckValues(s.Params, v)
}

// BasisTable is a table of what a basis has found.
type BasisTable struct {
	ID   string // "graph-out", a flag
	Help string // with its `placeholder`
	Make func(basis any) []dataset.Column
}

// Units is after how many units a run with these values ends by itself, 0: when it rests; ok: that is known.
func (s *Stages) Units(v step.Values) (total int64, ok bool) {
	for i := range s.Params {
		if p := &s.Params[i]; p.ID == s.Total {
			return int64(v.Get(*p)), true
		}
	}
	return 0, false
}

// Until changes values so that a run ends after so many units, or, where that is more than can be set, when it rests,
// or, where no value stands for that, after as many as can be set.
func (s *Stages) Until(v step.Values, total int64) {
	for i := range s.Params {
		if p := &s.Params[i]; p.ID == s.Total {
			if v[p.ID] = float64(total); v[p.ID] > p.Max && p.Zero != "" {
				v[p.ID] = 0
			}
			v[p.ID] = p.Clamp(v[p.ID])
		}
	}
}
