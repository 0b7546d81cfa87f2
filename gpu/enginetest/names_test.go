package enginetest

import "testing"

// Every part has a name of its own: of two of one name, go test -run finds the first alone.
func TestPartsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	look := func(parts []part) {
		for _, p := range parts {
			if seen[p.name] {
				t.Errorf("two parts are named %s", p.name)
			}
			seen[p.name] = true
		}
	}
	look(projection)
	for _, parts := range suites {
		look(parts)
	}
}
