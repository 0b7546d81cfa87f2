package selection

import (
	"context"

	"blossom/model/internal/par"
)

// statesBlock is the number of points that one core does at a time.
const statesBlock = 1 << 15

// FillStates sets bit of the state of every point whose row is in, and clears it of the others. order holds
// the row of each point; nil: points are in the order of rows. Other bits stay, as do states without a row.
func (s *Set) FillStates(order []int32, states []byte, bit byte) {
	n := len(states)
	if order != nil {
		n = min(n, len(order))
	}
	// The context cannot be cancelled, so there is no error.
	_ = par.Blocks(context.Background(), n, statesBlock, func(_, from, to int) {
		part := states[from:to]
		if order == nil {
			for i := range part {
				part[i] = s.state(part[i], bit, from+i)
			}
			return
		}
		for i, row := range order[from:to] {
			part[i] = s.state(part[i], bit, int(row))
		}
	})
}

func (s *Set) state(old, bit byte, row int) byte {
	if s.Contains(row) {
		return old | bit
	}
	return old &^ bit
}
