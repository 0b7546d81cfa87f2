package ui

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"blossom/model/data/format"
	"blossom/ui/dock"
	"blossom/ui/documents"
	"blossom/ui/panel"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// Settings are what the program remembers between runs. They hold nothing of the user's work.
type Settings struct {
	Theme    string          `json:"theme"` // "light", "dark"
	Zoom     float32         `json:"zoom"`  // size of the interface, on top of the system's scale
	Geometry shell.Geometry  `json:"window"`
	Panels   map[string]bool `json:"panels"` // open ones, by ID
	panel.Place
	Docks  map[string]dock.Place `json:"docks,omitempty"` // by ID
	Engine string                `json:"engine"`
	documents.Remembered

	path string
	was  any          // as they were read, or written last: see merged
	held *arrangement // is written in place of how a guest has them
	// First: there were none, as on the first start.
	First bool `json:"-"`
}

// arrangement is what settings say of panels, docks and files, which a guest must leave as they were.
type arrangement struct {
	panels map[string]bool
	place  panel.Place
	docks  map[string]dock.Place
	files  documents.Remembered
}

// hold keeps what they say of panels, docks and files: whatever becomes of it is not written until release puts it
// back.
func (s *Settings) hold() {
	s.held = &arrangement{maps.Clone(s.Panels), s.Place, maps.Clone(s.Docks), s.Remembered.Copy()}
}

// release puts back what was held, where the parts of the window have it from.
func (s *Settings) release() {
	if s.held == nil {
		return
	}
	clear(s.Panels)
	maps.Copy(s.Panels, s.held.panels)
	clear(s.Docks)
	maps.Copy(s.Docks, s.held.docks)
	s.Place, s.Remembered = s.held.place, s.held.files
	s.held = nil
}

// written is the settings as the file has them.
func (s *Settings) written() *Settings {
	out := *s
	if h := s.held; h != nil {
		out.Panels, out.Place, out.Docks, out.Remembered = h.panels, h.place, h.docks, h.files
	}
	return &out
}

func defaultSettings() *Settings {
	return &Settings{Theme: "light", Zoom: 1, Engine: "auto", Panels: map[string]bool{},
		Place: panel.Place{Sidebar: true, Width: widget.SideUsual}, Docks: map[string]dock.Place{}}
}

// loadSettings reads the settings; what is missing or broken there is as on the first start, since
// losing a window's place is better than not starting. An empty dir means the user's own.
func loadSettings(dir string) *Settings {
	s := readSettings(dir)
	s.was = s.asJSON()
	return s
}

func readSettings(dir string) *Settings {
	s := defaultSettings()
	if dir == "" {
		dir = filepath.Join(xdg.ConfigHome, "blossom")
	}
	s.path = filepath.Join(dir, "settings.json")
	text, err := os.ReadFile(s.path)
	if err != nil {
		s.First = os.IsNotExist(err)
		return s
	}
	read := defaultSettings()
	if json.Unmarshal(text, read) != nil {
		return s
	}
	read.path = s.path
	if read.Theme != "dark" {
		read.Theme = "light"
	}
	read.Zoom = clampZoom(read.Zoom)
	read.Width = min(max(read.Width, widget.SideLeast), widget.SideMost)
	if read.Docks == nil {
		read.Docks = s.Docks
	}
	open := s.Panels
	for id, is := range read.Panels {
		open[strings.ToLower(id)] = is // version 0.1 kept titles
	}
	read.Panels = open
	return read
}

func (s *Settings) save() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	ours := s.asJSON()
	text, err := json.MarshalIndent(s.merged(ours), "", "  ")
	if err != nil {
		return err
	}
	err = format.AtomicWrite(s.path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	if err == nil {
		s.was = ours
	}
	return err
}

func clampZoom(z float32) float32 {
	if !(z >= 0.75) {
		return max(0.75, min(1, z))
	}
	return min(z, 2)
}
