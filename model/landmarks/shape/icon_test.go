package shape

import (
	"math"
	"testing"
)

// Every kind brings an icon that lies in its square.
func TestIconsLieInTheirSquare(t *testing.T) {
	for _, k := range Kinds() {
		if len(k.Icon) == 0 {
			t.Errorf("%s has no icon", k.ID)
		}
		for _, s := range k.Icon {
			if len(s.Path) < 2 || s.Width == 0 && !s.Closed {
				t.Errorf("%s: %+v is no stroke", k.ID, s)
			}
			for _, p := range s.Path {
				if math.Max(math.Abs(p[0]), math.Abs(p[1])) > 0.5 {
					t.Errorf("%s: %v lies outside", k.ID, p)
				}
			}
		}
	}
}
