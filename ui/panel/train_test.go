package panel

import "testing"

// Under the schedule stands where the run is, and of a run that the landmarks no longer come from that they changed.
func TestTrialFrictionWhereARunStands(t *testing.T) {
	for _, c := range []struct {
		now     map[string]float64
		trained bool
		want    string
	}{
		{nil, false, "no run in this window yet"},
		{nil, true, "changed since the last run"},
		{map[string]float64{"alpha": 0.05, "sigma": 2}, true, "sigma 2   alpha 0.05"},
		{map[string]float64{"alpha": 0.05}, true, "alpha 0.05"},
	} {
		if got := stands(c.now, c.trained); got != c.want {
			t.Errorf("%v, %v: %q, want %q", c.now, c.trained, got, c.want)
		}
	}
}
