package work

import (
	"math/rand/v2"
	"testing"
)

// The cost of a call and of a unit are learnt apart; where the call itself takes longer than the budget, calls do not
// shrink to a unit each.
func TestCostOfCalls(t *testing.T) {
	for _, c := range []struct{ call, unit, budget float64 }{
		{0, 100, 1e6}, {1000, 10, 1e6}, {5e6, 100, 1e6}, {5e6, 2e6, 1e6}, {0, 5e6, 1e6},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		var k Cost
		units, took := 64, 0.0
		for range 200 {
			took = (c.call + c.unit*float64(units)) * (0.95 + 0.1*rng.Float64())
			k.Took(float64(units), took)
			units = k.Units(c.budget)
		}
		share := c.unit * float64(units) / (c.call + c.unit*float64(units))
		if share < 0.25 {
			t.Errorf("%v: calls of %d units do work in %.3f of their time", c, units, share)
		}
		if most := 2 * max(c.budget, 2*c.call, c.unit); took > most {
			t.Errorf("%v: calls of %d units take %g ns, more than %g", c, units, took, most)
		}
	}
}

// One call that took long for reasons of the machine, before units follow that are short, does not make it seem that
// units cost nothing: no call takes many times its budget.
func TestALateCallDoesNotMakeUnitsFree(t *testing.T) {
	const unit, budget = 1e5, 4e6
	for _, late := range []float64{0, 1e6, 3e6, 5e6, 2e7, 1e8} {
		for at := range 12 {
			var k Cost
			for call := range 40 {
				units := k.Units(budget)
				took := float64(units) * unit
				if took > 4*budget {
					t.Fatalf("%g ns late at call %d: call %d has %d units", late, at, call, units)
				}
				if call == at {
					took += late
				}
				k.Took(float64(units), took)
			}
			if n := k.Units(budget); n < 30 || n > 50 {
				t.Errorf("%g ns late at call %d: %d units in the end, where 40 fit", late, at, n)
			}
		}
	}
}
