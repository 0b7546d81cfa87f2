package train

import (
	"context"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
)

// halfway is a training like those of other files: landmarks go half of the way to the mean of their points. The
// suites of this package take it as one of theirs.
func init() {
	epochs := step.Param{ID: "epochs", Title: "Epochs", Max: 1000, Default: 5, Integer: true, Help: "How many."}
	Register(Algorithm{
		ID: "halfway", Title: "Halfway", Help: "Half of the way to the mean of the points.", Order: 90,
		Params: []step.Param{epochs}, Centres: true, Length: "as many as landmarks",
		Suggest: func(n int, pos matrix.Matrix32) step.Values {
			return step.Values{"epochs": epochs.Clamp(float64(pos.Rows))}
		},
		New: func(in Input, v step.Values) (Trainer, error) {
			return newBatch(in, v, &batch{limit: epochs, rule: rule{finish: goHalfway,
				live: func(*batch) map[string]float64 { return nil }}})
		},
	})
}

func goHalfway(_ context.Context, b *batch) error {
	next := b.code.Clone()
	for c, n := range b.sums.counts {
		if n == 0 || b.pin(c) {
			continue
		}
		for j := range next.Cols {
			mean := b.sums.total[c*next.Cols+j] / float64(n)
			next.Row(c)[j] = float32((float64(next.Row(c)[j]) + mean) / 2)
		}
	}
	b.code = next
	return nil
}

// A training of another file is found by all that iterates them: lists, help, errors, values to start with.
func TestARegisteredTrainingIsEverywhere(t *testing.T) {
	if all := All(); all[len(all)-1].ID != "halfway" {
		t.Error("it is not in the list")
	}
	if got := IDs(true); !slices.Equal(got, []string{"lloyd", "kmeans", "halfway"}) || DefaultID(true) != "lloyd" {
		t.Errorf("centres: %v", got)
	}
	got := IDs(false)
	if !slices.Equal(got, []string{"som-both", "som", "som-batch"}) || DefaultID(false) != "som-both" {
		t.Errorf("maps: %v", got)
	}
	if got := problem.OneOf(IDs(true)...); got != "lloyd, kmeans or halfway" {
		t.Error(got)
	}
	if got := Lengths(); got != "som-both as many as give each landmark 250 samples, and 8 batch steps; "+
		"som and kmeans as many as give each landmark 250 samples; som-batch 20; lloyd at "+
		"most 100, as it ends by itself; halfway as many as landmarks" {
		t.Error(got)
	}
	pos := grid(3, 4)
	if v := Suggest("halfway", 1000, pos); v["epochs"] != 12 || len(v) != 1 {
		t.Error(v)
	}
	if v := Values("HALFWAY", 1000, pos); v["epochs"] != 12 {
		t.Error(v)
	}
	if strings.Contains(strings.Join(IDs(false), " "), "halfway") {
		t.Error("centres among maps")
	}
}

// The algorithms of this package start with these, by the numbers of points and landmarks.
func TestSuggestions(t *testing.T) {
	for id, want := range map[string]step.Values{
		"som-both":  {"sigma_from": 9.5, "sigma_to": 0.8, "sigma": 0, "epochs": 2},
		"som":       {"sigma_from": 9.5, "sigma_to": 0.8, "sigma": 0, "epochs": 2},
		"som-batch": {"sigma_from": 9.5, "sigma_to": 0.8, "sigma": 0, "epochs": 20},
		"kmeans":    {"epochs": 2}, "lloyd": {}, "no such": {},
	} {
		got := Suggest(id, 50_000, grid(20, 20))
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
		for k, x := range want {
			if got[k] != x {
				t.Errorf("%s: %v, want %v", id, got, want)
			}
		}
	}
}
