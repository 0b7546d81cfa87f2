package state

// lanes gives each moment of nodes, which are in the order of their IDs, the lane that it is drawn in. The branch with
// the latest change is lane 0, from the first moment on; what leaves it has the first lane that is free as long as it
// goes on. Going to another moment changes no lane.
func (h *History) lanes() []int {
	index := make(map[*node]int, len(h.nodes))
	for i, n := range h.nodes {
		index[n] = i
	}
	latest := make([]int, len(h.nodes)) // the latest entry that comes of each moment
	for i := len(h.nodes) - 1; i >= 0; i-- {
		latest[i] = max(latest[i], i)
		if p := h.nodes[i].parent; p != nil {
			at := index[p]
			latest[at] = max(latest[at], latest[i])
		}
	}
	lanes := make([]int, len(h.nodes))
	var until []int // the last moment in each lane so far
	for i, n := range h.nodes {
		if p := n.parent; p == nil || latest[i] == latest[index[p]] {
			if p != nil {
				lanes[i] = lanes[index[p]]
			} else {
				until = append(until, latest[i])
			}
			continue
		}
		lane := 1
		for lane < len(until) && until[lane] >= index[n.parent] {
			lane++
		}
		if lane == len(until) {
			until = append(until, 0)
		}
		lanes[i], until[lane] = lane, latest[i]
	}
	return lanes
}
