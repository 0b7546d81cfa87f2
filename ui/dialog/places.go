package dialog

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"blossom/assets"
)

// place is a folder that the file browser goes to with one click.
type place struct{ name, path, icon string }

// recentPlaces is how many folders of recent files are offered.
const recentPlaces = 6

// places are the folders people keep data in: their own, that of the open data, those of recent files.
func places(data string, recent []string) (out []place) {
	add := func(name, path, icon string) {
		if path == "" || slices.ContainsFunc(out, func(p place) bool { return p.path == path }) {
			return
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			out = append(out, place{name, path, icon})
		}
	}
	home, _ := os.UserHomeDir() // "" is left out
	add("Home", home, assets.IconHouse)
	add("Desktop", xdg.UserDirs.Desktop, assets.IconMonitor)
	add("Documents", xdg.UserDirs.Documents, assets.IconFileText)
	add("Downloads", xdg.UserDirs.Download, assets.IconDownload)
	if exists(data) { // demos are no files
		if abs, err := filepath.Abs(filepath.Dir(data)); err == nil {
			add("This data", abs, assets.IconDatabase)
		}
	}
	add("Computer", filepath.VolumeName(home)+string(filepath.Separator), assets.IconCpu)
	n := len(out)
	for _, p := range recent {
		if len(out) < n+recentPlaces {
			dir := filepath.Dir(p)
			add(filepath.Base(dir), dir, assets.IconClock)
		}
	}
	tellApart(out[n:])
	return out
}

// tellApart names folders whose names are equal by as much of their paths as tells them apart: data/fcs and notes/fcs.
func tellApart(list []place) {
	for parts := 2; ; parts++ {
		count := map[string]int{}
		for _, p := range list {
			count[p.name]++
		}
		longer := false
		for i, p := range list {
			if count[p.name] > 1 {
				list[i].name = endOf(p.path, parts)
				longer = longer || list[i].name != p.name
			}
		}
		if !longer {
			return
		}
	}
}

// endOf is so many of the last parts of a path, or all of it.
func endOf(path string, parts int) string {
	above := path
	for range parts {
		above = filepath.Dir(above)
	}
	if rel, err := filepath.Rel(above, path); err == nil && above != filepath.Dir(above) {
		return rel
	}
	return path
}
