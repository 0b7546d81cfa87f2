package job

import (
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/page"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
)

// The parameters on a page have the words of their forms, not the numbers that stand for these, and the layout is among
// them, whether it follows the training or was chosen since.
func TestParametersOfAReportAreInWords(t *testing.T) {
	w := &Work{Job: &Job{}, Landmarks: &landmark.File{Set: &landmark.Set{Codebook: matrix.New(4, 3),
		Pos: matrix.New(4, 2)}}}
	a := layout.All()[1]
	for _, c := range []struct {
		name         string
		then, chosen string
		want         []page.Fact
		not          string
	}{
		{"after training", a.ID, a.ID, []page.Fact{{Of: "layout", Name: "after training", Value: a.Title}},
			"chosen since"},
		{"none", "", "", []page.Fact{{Of: "layout", Name: "after training", Value: "none"}}, "chosen since"},
		{"by the panel", "", a.ID, []page.Fact{{Of: "layout", Name: "chosen since", Value: a.Title}}, ""},
	} {
		var s state.State
		parts.Training.Put(&s, parts.TrainingChoice{Algorithm: train.DefaultID(false), Then: c.then,
			Values: map[string]float64{"fall": 1, "along": 0, "sigma": 0}})
		if c.chosen != "" {
			parts.Layout.Put(&s, parts.LayoutChoice{Algorithm: c.chosen})
		}
		w.Parts = s
		var said facts
		said.ofMap(w)
		for _, want := range append(c.want, page.Fact{Of: "training", Name: "fall", Value: "linear"},
			page.Fact{Of: "training", Name: "distance", Value: "distance on map"},
			page.Fact{Of: "training", Name: "sigma now", Value: "schedule"}) {
			if !slices.Contains(said, want) {
				t.Errorf("%s: %+v is not among %+v", c.name, want, said)
			}
		}
		if slices.ContainsFunc(said, func(f page.Fact) bool { return f.Of == "layout" && f.Name == c.not }) {
			t.Errorf("%s: there is %q in %+v", c.name, c.not, said)
		}
	}
}

// Medians are numbers as people write them, of as many digits as tell them apart, and columns have their labels.
func TestNumbersOfAReportAreReadAsOthersAre(t *testing.T) {
	for x, want := range map[float64]string{13.27: "13.3", -7.834: "−7.83", 2340.4: "2,340", 13512: "13,512", 0: "0",
		218.4: "218", 0.0123: "0.0123", -30.66: "−30.7", 4.2e12: "4.2e+12", 1e-7: "1e-07", 8045678: "8,045,678"} {
		if got := reading(x); got != want {
			t.Errorf("%g is %q, not %q", x, got, want)
		}
	}
	if got := grouped(19225, "point") + grouped(1, "point"); got != "19,225 points1 point" {
		t.Error(got)
	}
	ds := &dataset.Dataset{Columns: []dataset.Column{{Name: "PE-Texas Red-A", Label: "CD4"}, {Name: "Time"}}}
	for name, want := range map[string]string{"PE-Texas Red-A": "CD4 (PE-Texas Red-A)", "Time": "Time",
		"density": "density", "": ""} {
		if got := called(ds, name); got != want {
			t.Errorf("%q is called %q, not %q", name, got, want)
		}
	}
}
