package selection

import (
	"context"

	"blossom/model/base/par"
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
				part[i] = part[i]&^bit | s.state(from+i, bit)
			}
			return
		}
		for i, row := range order[from:to] {
			part[i] = part[i]&^bit | s.state(int(row), bit)
		}
	})
}

// state returns bit if a row is in, else 0. Where the bits are there is no branch that depends on them.
func (s *Set) state(row int, bit byte) byte {
	if s == nil || s.bits == nil || uint(row) >= uint(s.n) {
		if s.Contains(row) {
			return bit
		}
		return 0
	}
	return -byte(s.bits[row/64]>>(row%64)&1) & bit
}
