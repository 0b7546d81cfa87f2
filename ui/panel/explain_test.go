package panel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The panel says how the selected points are apart; limits become a population by a click, with the points within
// them, and a click on a column colours by it.
func TestLimitsThatExplainPointsBecomeAPopulation(t *testing.T) {
	s, d := beginWith(t, stand.Options{Data: "demo:cytometry:3000", W: 900, H: 900, Views: besidePanels}, "explain")
	if d.Has("side bar/explain/limits0.0") {
		t.Error("nothing is selected, and it is explained")
	}
	data := s.Desk.Doc.Data
	kind := &data.Columns[data.Places()["population"]]
	words := make([]uint64, 3000/64+1)
	for i, v := range kind.Values {
		if v == v && strings.HasPrefix(kind.Categories[int(v)], "neutrophil") {
			words[i/64] |= 1 << (i % 64)
		}
	}
	set := selection.FromBits(3000, words)
	uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", set) })
	d.Wait("it is explained", time.Minute, func() bool { return s.Jobs.Idle() && len(rowsOf(s, "limits")) >= 3 })
	d.Frames(3)
	d.ClickOn(rowsOf(s, "limits")[0])
	uitest.Do(func() {
		if s.Named.Answer == nil {
			t.Fatal("no name is asked for")
		}
		if err := s.Named.Answer("neutrophils"); err != nil {
			t.Error(err)
		}
	})
	tree := parts.Populations.Of(s.Desk.Doc.State())
	if tree.Len() != 1 || tree.All()[0].Rule.Kind() != "limits" {
		t.Fatalf("%d populations", tree.Len())
	}
	d.Until("its points are known", 600, func() bool {
		now, fresh := s.Desk.Populations().Now()
		return now != nil && fresh
	})
	uitest.Do(func() {
		now, _ := s.Desk.Populations().Now()
		both := selection.Intersect(now.Sets[0], set).Count()
		if f1 := 2 * float64(both) / float64(now.Sets[0].Count()+set.Count()); f1 < 0.9 {
			t.Errorf("%d points within, %d of %d of them: F1 %g", now.Sets[0].Count(), both, set.Count(), f1)
		}
		for _, l := range tree.All()[0].Rule.(*population.Limits).Of {
			if _, there := data.Places()[l.Column]; !there {
				t.Errorf("a limit on %q", l.Column)
			}
		}
	})
	d.ClickOn(rowsOf(s, "apart")[0])
	if look := s.Desk.Look().Column; data.Columns[data.Places()[look]].Short() != "CD66b" {
		t.Errorf("coloured by %q", look)
	}
	uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", selection.All(3000)) })
	d.Wait("all are explained", time.Minute, func() bool { return s.Jobs.Idle() && len(rowsOf(s, "limits")) == 0 })
}

// rowsOf are the rows of the panel whose names begin so, in their order.
func rowsOf(s *stand.Window, begin string) (names []string) {
	at := map[string]float32{}
	for _, n := range s.UI.Names() {
		if strings.HasPrefix(n, "side bar/explain/"+begin) {
			r, _ := s.UI.Rect(n)
			at[n] = r.Y0
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return int(at[a] - at[b]) })
	return names
}
