package cuda

// eachOnce are points, each once, with the last of the places (len(ids) x dims) that it is given; places may be nil.
func eachOnce(ids []int32, places []float32, dims int) (once []int32, at []float32) {
	last := make(map[int32]int, len(ids))
	for k, id := range ids {
		last[id] = k
	}
	once, at = make([]int32, 0, len(last)), make([]float32, 0, len(last)*dims)
	for k, id := range ids {
		if last[id] != k {
			continue
		}
		if once = append(once, id); places != nil {
			at = append(at, places[k*dims:(k+1)*dims]...)
		}
	}
	return once, at
}
