package palette

import "testing"

func TestOnDarkCanBeSeenAndKeepsItsOrder(t *testing.T) {
	for _, p := range All() {
		q := OnDark(p)
		if q != OnDark(p) {
			t.Errorf("%s: not the same palette twice", p.Name)
		}
		if p.Kind != Sequential {
			if q != p {
				t.Errorf("%s was changed", p.Name)
			}
			continue
		}
		rises := true // in the original
		for i, c := range q.Colours {
			l := fromColour(c).l
			if l < darkest-0.02 {
				t.Errorf("%s: colour %d has lightness %.2f", p.Name, i, l)
				break
			}
			if i == 0 {
				continue
			}
			if fromColour(p.Colours[i]).l < fromColour(p.Colours[i-1]).l-0.004 {
				rises = false
			}
			if rises && l < fromColour(q.Colours[i-1]).l-0.01 {
				t.Errorf("%s: lightness falls at %d", p.Name, i)
				break
			}
		}
	}
}
