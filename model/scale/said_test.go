package scale

import (
	"fmt"
	"slices"
	"testing"
)

// A manifest keeps the first of what parts told, the same once, and counts the rest.
func TestAManifestKeepsTheFirstOfWhatPartsTold(t *testing.T) {
	m := &Manifest{}
	for i := range 9 {
		m.add(Receipt{Part: i, Rows: 10, Invalid: i % 3, Said: []string{"the same", fmt.Sprintf("note %d", i)},
			SaidMore: 1}, "", fmt.Sprintf("f%d.csv", i%3), int64(10*i))
	}
	if len(m.Said) != mostSaid || m.Said[0] != (Said{"f0.csv", "the same"}) ||
		m.Said[4] != (Said{"f0.csv", "note 3"}) || m.SaidMore != 9+5 {
		t.Errorf("it keeps %v and %d more", m.Said, m.SaidMore)
	}
	files, rows := m.Without()
	if !slices.Equal(files, []string{"f2.csv", "f1.csv"}) || !slices.Equal(rows, []int64{6, 3}) {
		t.Errorf("rows without a place are %v of %v", rows, files)
	}
}
