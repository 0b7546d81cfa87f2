package ui

import (
	"testing"

	"blossom/model/maps/selection"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// Limits on columns select the same points whichever view is the active one, and go on to be a selection like others.
func TestLimitsOfColumnsSelectTheSameInAnyView(t *testing.T) {
	a, d := begin(t, 1000, 700, 1, Options{Paths: []string{"demo:cytometry:800"}, Still: true})
	opened(t, a, d)
	in := selection.Within{Rows: 800}
	want := 0
	for _, c := range a.desk.Table().Cols[:2] {
		column := &a.desk.Doc.Data.Columns[c]
		_, low, _ := column.Quartiles()
		in.Limits = append(in.Limits, selection.Limit{At: column.At, Low: low, High: 1e30})
	}
	for row := range 800 {
		if in.Limits[0].At(row) >= in.Limits[0].Low && in.Limits[1].At(row) >= in.Limits[1].Low {
			want++
		}
	}
	for _, r := range []embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(2), embedding.PCA(3)} {
		uitest.Do(func() { a.desk.Stage.SetEmbedding(a.desk.Stage.Active(), r) })
		rest(t, a, d)
		uitest.Do(func() {
			a.desk.Stage.SelectNone()
			a.desk.Stage.Pick(in, view.Replace)
		})
		if got := a.desk.Stage.Selected().Count(); got != want || want == 0 {
			t.Errorf("%v: %d points, not %d", r, got, want)
		}
	}
}
