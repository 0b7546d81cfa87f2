package ui

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/ui/dialog"
	"blossom/ui/panel"
	"blossom/ui/uitest"
)

// The palette of commands leads to panels, and knows the usual words.
func TestThePaletteLeadsToPanels(t *testing.T) {
	a, d := begin(t, 1100, 700, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	for _, p := range panel.Kinds() {
		uitest.Do(func() { a.ui.Open[p.ID] = false })
		d.Keys("Ctrl+P")
		d.Type("show " + p.Title + " panel")
		d.Keys("Enter")
		d.Frames(3)
		if !a.ui.Open[p.ID] || !a.settings.Sidebar {
			t.Errorf("the palette does not open %s", p.Title)
		}
	}
	knowsTheUsualWords(t, a)
}

// Looks over the points are no entry of the history.
func TestWhatIsShownOverPointsIsNoHistory(t *testing.T) {
	a, d := begin(t, 1100, 900, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	was := a.desk.Doc.History().Len()
	for _, id := range []string{"show-landmarks", "show-names", "show-legend", "fit"} {
		uitest.Do(func() { commandByID(id).Run(a) })
		d.Frames(2)
	}
	uitest.Do(func() {
		a.active().View.Edit(func(p *parts.View) { p.Axes = !p.Axes })
		a.desk.Stage.Split(a.active().View)
	})
	d.Frames(2)
	if n := a.desk.Doc.History().Len(); n != was {
		t.Errorf("looking around makes %d entries", n-was)
	}
}

// knowsTheUsualWords checks that users of other programs find what they look for by the words that they know: it
// stands first.
func knowsTheUsualWords(t *testing.T, a *App) {
	t.Helper()
	var items []dialog.Item
	uitest.Do(func() { items = a.paletteItems("") })
	for word, want := range map[string]string{"gate": "Select tool", "population": "New population",
		"statistics": "Show Data panel", "histogram": "Show Data panel", "subset": "Map of these points alone",
		"filter": "Select tool", "connect": "Landmarks tool", "save": "Save session", "join": "Add file…",
		"save coordinates": "Export…", "save landmarks": "Export landmarks…", "biaxial": "Columns as axes…",
		"logicle": "Show Transform panel", "contour": "Show contours", "dendrogram": "Cluster the points",
		"image": "Screenshot", "strategy": "View: Strategy of gates", "gating": "View: Strategy of gates",
		"spillover": "Compensation", "matrix": "Compensation", "compensation": "Compensation",
		"hide": "Hide the points of the population", "median": "View: Heat map of populations",
		"quadrant": "Select tool", "frequencies": "Frequencies", "percent of parent": "Show Populations panel",
		"perplexity": "Show t-SNE panel", "least distance": "Show UMAP panel", "sigma": "Show Train panel"} {
		found := dialog.Matching(items, word)
		if len(found) == 0 {
			t.Errorf("%q finds nothing", word)
			continue
		}
		first := min(len(found), 4)
		if !slices.ContainsFunc(found[:first], func(x dialog.Item) bool { return x.Title == want }) {
			var got []string
			for _, x := range found[:first] {
				got = append(got, x.Title)
			}
			t.Errorf("%q finds %q before %s", word, got, want)
		}
	}
}
