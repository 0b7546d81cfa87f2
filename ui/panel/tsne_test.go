package panel

import (
	"testing"

	"blossom/model/live/member"
	"blossom/model/work/embedding"
)

// How a run stands is said as it is: what has done its units is not paused, and exaggeration says how much.
func TestStands(t *testing.T) {
	early := embedding.Standing{Phase: "exaggerated ×12", Early: 250}
	for want, r := range map[string]member.Running{
		"not run yet":                {},
		"unit 300 of 1,000":          {Active: true, Units: 300, Total: 1000},
		"exaggerated ×12, 57 of 250": {Active: true, Units: 57, Total: 1000, Standing: early},
		"paused, unit 57 of 1,000":   {Units: 57, Total: 1000, Standing: early},
		"at rest, unit 640":          {Units: 640, Total: 1000, Rest: true},
		"done, unit 1,000":           {Units: 1000, Total: 1000},
		"paused, unit 1,200":         {Units: 1200},
		"of other data":              {Units: 1200, Foreign: true},
	} {
		if got := Stands(r); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
