package panel

import "testing"

// Under the schedule stands where the run is, and of a run that the landmarks no longer come from that they changed.
func TestWhereARunStands(t *testing.T) {
	for _, c := range []struct {
		now     map[string]float64
		trained bool
		swept   bool
		want    string
	}{
		{nil, false, false, "no run in this window yet"},
		{nil, true, false, "changed since the last run"},
		{map[string]float64{"alpha": 0.05, "sigma": 2}, true, false, "drag the line to train with the values there"},
		{map[string]float64{"alpha": 0.05}, true, true, "held here while you hold it"},
	} {
		if got := stands(c.now, c.trained, c.swept); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.now, c.trained, got, c.want)
		}
	}
}
