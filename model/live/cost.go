package live

// cost learns what a call for some units takes, from the last calls: so much for the call itself (an engine that is far
// away waits for each), and so much for each unit.
type cost struct {
	n, u, uu, t, ut float64 // decayed sums: calls, units, their squares, ns, units x ns
}

// decay is how much a call counts less with each that follows.
const decay = 0.8

// took adds a call.
func (c *cost) took(units, ns float64) {
	c.n, c.u, c.uu = decay*c.n+1, decay*c.u+units, decay*c.uu+units*units
	c.t, c.ut = decay*c.t+ns, decay*c.ut+units*ns
}

// known says whether there has been a call.
func (c *cost) known() bool { return c.n > 0 }

// parts returns what a call takes whatever its units, and what each unit takes, in ns. Calls of the same number of
// units tell nothing of the former: then it is none.
func (c *cost) parts() (call, unit float64) {
	mean := c.t / c.u
	spread := c.n*c.uu - c.u*c.u
	if spread <= 1e-6*c.n*c.uu {
		return 0, mean
	}
	unit = min(max((c.n*c.ut-c.u*c.t)/spread, mean/1000), mean)
	return (c.t - unit*c.u) / c.n, unit
}

// units returns how many fit into a budget. Where the call itself takes most of that, as many as take as long again:
// with fewer a frame would be hardly shorter, and nothing would ever be done.
func (c *cost) units(budget float64) int {
	call, unit := c.parts()
	return max(1, int(min(max(budget-call, call)/unit, 1e7)))
}
