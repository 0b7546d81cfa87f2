package dataset

// Stats describes the finite values of a column. All accumulation is in float64, by Welford's update,
// so that a mean of 1e5 with a deviation of 1e2 over 1e6 rows comes out right.
type Stats struct {
	Count   int // finite values
	Invalid int // NaN and Inf
	Min     float64
	Max     float64
	Mean    float64
	SD      float64 // sample deviation (n-1); 0 for fewer than two values
}
