package member

import (
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// Steered is a run in the user's hands: training, a layout, a clustering, an embedding that forms.
type Steered interface {
	Stands() Running
	Start() error // goes on from where it is
	Pause()       // stops it there
}

// Stepped is one that also goes on by single steps, and can be started over.
type Stepped interface {
	Steered
	Step() error
	Again() error
}

// Tuned is one with parameters.
type Tuned interface {
	// Params are the parameters, with the defaults that suit what there is; Values are those that were chosen.
	Params() []step.Param
	Values() step.Values
	// Choose sets a parameter, within an interaction.
	Choose(s *state.State, id string, value float64)
}

var (
	_ = []Stepped{(*Training)(nil), (*Layout)(nil)}
	_ = []Tuned{(*Training)(nil), (*Layout)(nil)}
)

// Running is how a run stands. What a kind of run has nothing to say of is zero.
type Running struct {
	Title   string    // title of the kind, for people
	Active  bool      // it has been started, and has not come to an end
	Forming bool      // units are being done
	Job     *work.Job // the preparing job, or nil
	Rest    bool      // it has come to rest by itself
	Rested  time.Time // when it last did; zero: it did not in this window
	Just    bool      // a moment ago, so that whoever wanted to pause it would start it again
	Known   bool      // it can go on as it was left, without preparing anything
	Foreign bool      // its positions are of other points than there are now
	Units   int64     // units done
	Total   int64     // units in all; 0: until it rests
	Rate    float64   // units a second, 0 while it is unknown
	Share   float64   // how far it is, 0 to 1; NaN: nobody knows
	Changed bool      // other settings are chosen than it ran with: they count when it is run
	More    int64     // units that it can be given, where it has done all; 0: it goes on by itself, or rests
	Word    string    // work under way that is not in units, in words
	embedding.Standing
	// Curve is how well it fitted over its units. It is not to be changed, and not to be kept.
	Curve []parts.CurvePoint
}

// grace protects what came to rest while the user reached for "pause".
const grace = 1500 * time.Millisecond

// just says whether a run came to rest by itself a moment ago.
func just(r *work.Run, now time.Time) bool {
	return !r.Active() && !r.Rested().IsZero() && now.Sub(r.Rested()) < grace
}
