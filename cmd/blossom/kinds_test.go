//go:build cgo && !nowindow && !static

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/view"
)

// Every kind of view that the window has draws itself without one: alone and on a page, as pixels and as lines; its job
// draws it again, and a report has all views. What they
// show is not said by flags.
func TestEveryKindOfViewIsDrawnWithoutAWindow(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	d, _ := viewed(t, dir)
	tree, id, err := population.Tree{}.Add(population.Population{Name: "most", Rule: &population.Gate{
		X: population.Axis{Column: "a"}, Y: population.Axis{Column: "b"}, Shape: population.Polygon,
		Path: [][2]float64{{-1, -1}, {25, -1}, {20, 70}, {-1, 60}}}})
	if err == nil {
		tree, _, err = tree.Add(population.Population{Name: "high", Parent: id, Rule: &population.Limits{
			Of: []population.Limit{{Column: "a", Low: 10, High: 1e6}}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Do("Gates", func(s *state.State) {
		parts.Populations.Put(s, tree)
		clusters := parts.Clusters.Of(*s)
		clusters.Landmarks = true
		parts.Clusters.Put(s, clusters)
	})
	for _, k := range view.Kinds() {
		d.Do("Kind", func(s *state.State) {
			now := parts.Views.Of(*s)
			now.Views = append([]parts.View(nil), now.Views...)
			now.Views[2].Kind = k.ID
			parts.Views.Put(s, now)
		})
		saveWhole(t, d, filepath.Join(dir, "s.blossom"))
		args := []string{"render", "--session", "s.blossom", "--view", "3", "--size", "500x400", "-o", "one.svg"}
		if k.ID == "wall-samples" { // these data have no labels
			blossom(t, dir, args...).refused(t, 1, "there are no small maps")
			continue
		}
		ok(t, dir, args...)
		if svg := string(mustRead(t, filepath.Join(dir, "one.svg"))); strings.Count(svg, "</text>") < 2 {
			t.Errorf("%s: the figure has no words: %d bytes", k.ID, len(svg))
		}
	}
	ok(t, dir, "render", "--session", "s.blossom", "--views", "all", "--across", "2", "--letters", "--background",
		"dark", "--size", "600x500", "-o", "page.png")
	blossom(t, dir, "job", write(t, filepath.Join(dir, "kept.json"), ok(t, dir, "job", "--from", "page.png").stdout)).
		refused(t, 1, "t-SNE is in the session alone")
	ok(t, dir, "render", "--session", "s.blossom", "--views", "1,2,3", "--size", "600x500", "-o", "page.png")
	ok(t, dir, "report", "s.blossom", "-o", "report.html", "--quiet")
	report := string(mustRead(t, filepath.Join(dir, "report.html")))
	if !strings.Contains(report, "<h2>Views</h2>") || strings.Contains(report, "without the views") {
		t.Error("the report has no views")
	}
	text := ok(t, dir, "job", "--from", "page.png").stdout
	ok(t, dir, "job", write(t, filepath.Join(dir, "job.json"), text))
	if !bytes.Equal(mustRead(t, filepath.Join(dir, "page.png")), mustRead(t, filepath.Join(dir, "picture.png"))) {
		t.Error("the job of a page makes another one")
	}
	blossom(t, dir, "render", "--session", "s.blossom", "--view", "3", "--colour", "a", "-o", "x.png").refused(t,
		exitUsage, "--colour", "leave it out")
}

// A page of views on paper is that of the window: a legend that several views have is said once. With flags of looks
// the views follow these, and say it once, too.
func TestAPageOfViewsOnPaperSaysALegendOnce(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	d, _ := viewed(t, dir)
	d.Do("Looks", func(s *state.State) {
		looks := parts.LookTable{}
		for _, id := range []string{"1", "2", "4"} {
			looks[id] = parts.Look{Column: "b", Low: 5, High: 95}
		}
		parts.Looks.Put(s, looks)
		now := parts.Views.Of(*s)
		now.Views = append([]parts.View(nil), now.Views...)
		now.Views[3].Legend = true
		parts.Views.Put(s, now)
	})
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	for _, how := range [][]string{{"--width", "85mm"}, {"--width", "174mm"}, {"--width", "85mm", "--palette", "magma"},
		{"--size", "1200x900"}} {
		ok(t, dir, append([]string{"render", "--session", "s.blossom", "--views", "1,2,4", "--letters", "-o",
			"page.svg"}, how...)...)
		svg := string(mustRead(t, filepath.Join(dir, "page.svg")))
		if n := strings.Count(svg, `<g id="legend`); n != 1 {
			t.Errorf("%v: %d legends", how, n)
		}
		if !strings.Contains(svg, ">c<") {
			t.Errorf("%v: the third view has no letter", how)
		}
	}
}
