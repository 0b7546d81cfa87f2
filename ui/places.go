package ui

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"blossom/assets"
)

// filePlace is a folder that a file dialog goes to with one click.
type filePlace struct{ name, path, icon string }

// recentPlaces is how many folders of recent files are offered.
const recentPlaces = 6

// places are the folders people keep data in: their own, that of the open data, those of recent files.
func (a *App) places() (out []filePlace) {
	add := func(name, path, icon string) {
		if path == "" || slices.ContainsFunc(out, func(p filePlace) bool { return p.path == path }) {
			return
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			out = append(out, filePlace{name, path, icon})
		}
	}
	home, _ := os.UserHomeDir() // "" is left out
	add("Home", home, assets.IconHouse)
	add("Desktop", xdg.UserDirs.Desktop, assets.IconMonitor)
	add("Documents", xdg.UserDirs.Documents, assets.IconFileText)
	add("Downloads", xdg.UserDirs.Download, assets.IconDownload)
	if a.desk != nil && exists(a.desk.Doc.Data.Path) { // none for demos
		if abs, err := filepath.Abs(filepath.Dir(a.desk.Doc.Data.Path)); err == nil {
			add("This data", abs, assets.IconDatabase)
		}
	}
	add("Computer", filepath.VolumeName(home)+string(filepath.Separator), assets.IconCpu)
	n := len(out)
	for _, p := range a.settings.Recent {
		if len(out) < n+recentPlaces {
			dir := filepath.Dir(p)
			add(filepath.Base(dir), dir, assets.IconClock)
		}
	}
	return out
}
