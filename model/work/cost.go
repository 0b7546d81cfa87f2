package work

// Cost learns what a call for some units takes, from the last calls: so much for the call itself (an engine that is far
// away waits for each), and so much for each unit.
type Cost struct {
	n, u, uu, t, ut float64 // decayed sums: calls, units, their squares, ns, units x ns
	guess           float64 // ns of a unit, until there has been a call
}

const (
	// decay is how much a call counts less with each that follows.
	decay = 0.8
	// growth bounds how many times the units of the last calls the next one may have. Where the time of calls says
	// little of that of units, one call late by a scheduler or a page among short ones, units seem to cost nothing.
	growth = 4
)

// Guess says what a unit may take, in ns, before a call has been timed.
func (c *Cost) Guess(ns float64) { *c = Cost{guess: ns} }

// Took adds a call.
func (c *Cost) Took(units, ns float64) {
	c.n, c.u, c.uu = decay*c.n+1, decay*c.u+units, decay*c.uu+units*units
	c.t, c.ut = decay*c.t+ns, decay*c.ut+units*ns
}

// Known says whether a call has been timed.
func (c *Cost) Known() bool { return c.n > 0 }

// Unit returns what a call of one unit takes, in ns: as it was measured, or guessed; 0 where nothing is known.
func (c *Cost) Unit() float64 {
	if !c.Known() {
		return c.guess
	}
	call, unit := c.Parts()
	return call + unit
}

// Parts returns what a call takes whatever its units, and what each unit takes, in ns. Calls of the same number of
// units tell nothing of the former: then it is none.
func (c *Cost) Parts() (call, unit float64) {
	mean := c.t / c.u
	spread := c.n*c.uu - c.u*c.u
	if spread <= 1e-6*c.n*c.uu {
		return 0, mean
	}
	unit = min(max((c.n*c.ut-c.u*c.t)/spread, mean/1000), mean)
	return (c.t - unit*c.u) / c.n, unit
}

// Units returns how many fit into a budget. Where the call itself takes most of that, as many as take as long again:
// with fewer a frame would be hardly shorter, and nothing would ever be done.
func (c *Cost) Units(budget float64) int {
	if !c.Known() {
		return 1
	}
	call, unit := c.Parts()
	return max(1, int(min(max(budget-call, call)/unit, growth*c.uu/c.u, 1e7)))
}
