package run

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/landmarks/train"
)

// A map begins with as many landmarks, trained by the same algorithm with the same parameters, whether it is opened in
// a window or trained by a command, whatever the size of the table.
func TestAMapBeginsAlikeWithAndWithoutAWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, rows := range []int{2, 3, 9, 33, 90, 200, 500, 600, 1000, 2500, 4000, 4100} {
		for _, columns := range []int{1, 2, 30} {
			t.Run(fmt.Sprintf("%dx%d", rows, columns), func(t *testing.T) {
				cols := make([]dataset.Column, columns)
				for j := range cols {
					cols[j] = dataset.Column{Name: fmt.Sprintf("x%d", j+1), Values: make([]float32, rows)}
					for i := range rows {
						cols[j].Values[i] = float32(rng.NormFloat64())
					}
				}
				ds, err := dataset.FromColumns(t.Context(), "t", cols)
				if err != nil {
					t.Fatal(err)
				}
				window, err := opening.Begin(t.Context(), ds, 1, nil)
				if err != nil {
					t.Fatal(err)
				}
				s := Defaults()
				begin, choice, err := s.Training(ds)
				if err != nil {
					t.Fatal(err)
				}
				set, err := begin.set(t.Context(), window.Table.X, 1)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(set.Codebook.Data, window.Landmarks.Codebook.Data) ||
					!slices.Equal(set.Pos.Data, window.Landmarks.Pos.Data) {
					t.Errorf("%d landmarks without a window, %d with one, or at other places", set.Len(),
						window.Landmarks.Len())
				}
				values := train.Values(choice.Algorithm, rows, set.Pos)
				maps.Copy(values, choice.Values)
				if choice.Algorithm != window.Algorithm || !maps.Equal(values, window.Values) {
					t.Errorf("%s %v without a window, %s %v with one", choice.Algorithm, values, window.Algorithm,
						window.Values)
				}
			})
		}
	}
}
