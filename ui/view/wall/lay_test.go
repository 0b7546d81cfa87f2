package wall

import (
	"testing"

	"pgregory.net/rapid"
)

// Maps of a wall lie beside each other within it, are as large as each other, and none is narrower than it need be.
func TestMapsOfAWallLieBesideEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, Most).Draw(t, "n")
		w, h := rapid.Float64Range(400, 3000).Draw(t, "w"), rapid.Float64Range(400, 3000).Draw(t, "h")
		areas := lay(n, w, h, 20, 6)
		if len(areas) != n {
			t.Fatalf("%d areas", len(areas))
		}
		for i, a := range areas {
			if a.x0 < 0 || a.y0-a.line < 0 || a.x1 > w+1 || a.y1 > h+1 {
				t.Fatalf("%+v is outside of %g x %g", a, w, h)
			}
			if d := a.w() - areas[0].w(); d < -1 || d > 1 {
				t.Fatalf("%+v is wider or narrower than %+v", a, areas[0])
			}
			for _, b := range areas[:i] {
				if a.x0 < b.x1 && b.x0 < a.x1 && a.y0-a.line < b.y1 && b.y0-b.line < a.y1 {
					t.Fatalf("%+v and %+v overlap", a, b)
				}
			}
		}
		if lay(n, 5, 5, 20, 6) != nil {
			t.Fatal("there is room where there is none")
		}
	})
}
