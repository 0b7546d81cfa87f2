package ui

import (
	"testing"

	"blossom/model/embedding"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// fourViews shows the map, its principal components, two columns and three of them.
func fourViews(a *App, d *uitest.Driver, t *testing.T) {
	t.Helper()
	for _, r := range []embedding.Recipe{{Kind: "pca", Dims: 2}, embedding.Columns("BUV563-A", "BUV615-A"),
		{Kind: "pca", Dims: 3}} {
		uitest.Do(func() {
			a.stage.Split(a.active())
			a.stage.SetEmbedding(a.active(), r)
		})
		d.Frames(3)
	}
	rest(t, a, d)
}

func TestFourViews(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:cytometry:20000"}})
	opened(t, a, d)
	look(t, d, "one")
	fourViews(a, d, t)
	uitest.Do(func() {
		for _, v := range a.stage.Views() {
			a.stage.ColourBy(v, "population")
		}
	})
	rest(t, a, d)
	look(t, d, "four")
	uitest.Do(func() { a.setTool(view.Select) })
	d.Frames(5)
	look(t, d, "select")
}
