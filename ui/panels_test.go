package ui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/ui/desk"
	"blossom/ui/panel"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// jotter is a panel as a file of its own would register it.
type jotter struct {
	*desk.Desk
	clicks int
}

func (p *jotter) Note() string { return p.Doc.Title }

func (p *jotter) Draw() {
	if p.UI.Button("Jot", widget.ButtonOpts{}) {
		p.clicks++
		p.Window.Say("jotted")
	}
}

// A panel that is registered is in the side bar, the palette, the overlay of keys and the settings, and is made anew
// for each document.
func TestAPanelIsAFile(t *testing.T) {
	var made []*jotter
	remove := panel.Register(panel.Kind{ID: "jotter", Title: "Jotter", Help: "Jot things down", Key: "Alt+J", Order: 5,
		Closed: true, New: func(d *desk.Desk) panel.Panel {
			made = append(made, &jotter{Desk: d})
			return made[len(made)-1]
		}})
	t.Cleanup(remove)
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	if !d.Has("jotter") || d.Has("jotter/Jot") {
		t.Fatal("it is not in the side bar, or not closed")
	}
	d.Keys("Alt+J")
	d.Frames(3)
	d.ClickOn("jotter/Jot")
	if len(made) != 1 || made[0].clicks != 1 || a.log.last != "jotted" {
		t.Fatalf("its key does not open it: %d made", len(made))
	}
	d.ClickOn("jotter")
	d.Frames(2)
	d.Keys("Ctrl+P")
	d.Frames(2)
	d.Type("show jotter")
	d.Frames(2)
	d.Keys("Enter")
	d.Frames(3)
	if !d.Has("jotter/Jot") {
		t.Fatal("the palette does not show it")
	}
	if !slices.Contains(keyRows(), [2]string{"Show Jotter panel", "Alt+J"}) ||
		!strings.Contains(keysPage(), "| Show Jotter panel | `Alt+J` |") {
		t.Fatal("its key is not told")
	}
	uitest.Do(func() { a.docs.Open("demo:s-sheet:1000") })
	d.Wait("another document is open", 60*time.Second, func() bool { return a.desk.Doc.Title == "s-sheet" })
	d.Frames(3)
	if len(made) != 2 || made[1].Note() != "s-sheet" || !d.Has("jotter/Jot") {
		t.Fatal("it was not made anew for the other document, or was closed")
	}
	d.End()
	text, err := os.ReadFile(a.settings.path)
	var kept struct {
		Panels map[string]bool `json:"panels"`
	}
	if err != nil || json.Unmarshal(text, &kept) != nil || !kept.Panels["jotter"] {
		t.Fatalf("settings do not remember it: %v, %s", err, text)
	}
}

func TestPanelsOfAFirstSession(t *testing.T) {
	var order []string
	for _, k := range panel.Kinds() {
		order = append(order, k.Title)
		if k.Help == "" || k.Key == "" {
			t.Errorf("%s has no help or no key", k.Title)
		}
	}
	if got := strings.Join(order, ", "); got != "Data, Colour, Transform, Histograms, Train, Layout, Projection, "+
		"Populations, Explain, Clusters, t-SNE, UMAP, History, Export" {
		t.Error(got)
	}
}

// Version 0.1 remembered panels by their titles, and no width.
func TestSettingsOfPanels(t *testing.T) {
	dir := t.TempDir()
	old := `{"theme": "dark", "zoom": 1, "panels": {"Data": false, "Export": true}}`
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	s := loadSettings(dir)
	if open, known := s.Panels["data"]; open || !known || !s.Panels["export"] || s.Width != widget.SideUsual {
		t.Fatalf("%+v", s)
	}
}

func TestSideBarIsResized(t *testing.T) {
	config := t.TempDir()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}, ConfigDir: config,
		StateDir: t.TempDir(), Still: true})
	opened(t, a, d)
	edge := func() float32 { return d.Rect("side bar").X0 }
	x := edge()
	d.Drag(x, 400, x-100, 400, 5)
	d.Frames(2)
	if got := edge(); got != x-100 || a.rooms.regions.canvas.X1 != got || a.settings.Width != widget.SideUsual+100 {
		t.Fatalf("the edge is at %g after a drag from %g by -100", got, x)
	}
	if s := loadSettings(config); s.Width != widget.SideUsual+100 {
		t.Fatalf("%g was remembered", s.Width)
	}
	d.Drag(edge(), 400, 1279, 400, 5)
	d.Frames(2)
	if a.settings.Width != widget.SideLeast {
		t.Fatalf("it became %g wide", a.settings.Width)
	}
	d.DoubleClick(edge(), 400)
	d.Frames(2)
	if a.settings.Width != widget.SideUsual {
		t.Fatalf("a double click makes it %g wide", a.settings.Width)
	}
	d.Drag(edge(), 400, 100, 400, 5)
	d.Resize(700, 500)
	d.Frames(3)
	if w := a.rooms.regions.canvas.W(); w < panel.LeastViews || a.settings.Width != widget.SideMost {
		t.Fatalf("%g is left of the map, %g is wanted", w, a.settings.Width)
	}
}

// A side bar that is scrolled down shows its panels again when those above are closed and it becomes short.
func TestAShorterSideBarScrollsBack(t *testing.T) {
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:2000"}, Still: true})
	opened(t, a, d)
	d.Keys("Alt+E")
	d.Frames(3)
	uitest.Do(func() { open(a, "layout") })
	d.Frames(3)
	bar, title := d.Rect("side bar"), d.Rect("side bar/layout/run")
	if title.Y0 < bar.Y0 || title.Y1 > bar.Y1 {
		t.Errorf("the side bar is at %v, its only open panel has a button at %v", bar, title)
	}
}
