package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"blossom/assets"
	"blossom/ui/widget"
)

// recent knows which of the recent files are not there any more. Looking may take long on folders of other
// machines, so nothing waits for it.
type recent struct {
	gone    map[string]bool
	looked  time.Time
	looking bool
}

// lookEvery is how often the recent files are looked after while they are shown.
const lookEvery = 3 * time.Second

// recentFiles returns the first n recent files, and whether each is gone.
func (a *App) recentFiles(n int) (paths []string, gone func(path string) bool) {
	r := &a.docs.recent
	if !r.looking && (r.looked.IsZero() || a.ctx.Now().Sub(r.looked) > lookEvery) {
		r.looking = true
		list := slices.Clone(a.settings.Recent)
		a.compute.jobs.Quiet(func(context.Context) (func(), error) {
			found := map[string]bool{}
			for _, path := range list {
				_, err := os.Stat(path)
				found[path] = errors.Is(err, fs.ErrNotExist)
			}
			return func() { r.gone, r.looked, r.looking = found, a.ctx.Now(), false }, nil
		})
	}
	return a.settings.Recent[:min(n, len(a.settings.Recent))], func(path string) bool { return r.gone[path] }
}

// openRecent opens a recent file, or takes one that is gone off the list.
func (a *App) openRecent(path string) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		a.settings.Recent = slices.DeleteFunc(slices.Clone(a.settings.Recent), func(p string) bool { return p == path })
		a.keepSettings()
		a.note(note{text: path + " is not there any more, and was taken off the list"})
		return
	}
	a.open(path)
}

// goneTip says what a click on a file that is gone does.
const goneTip = "It is not there any more; a click takes it off the list"

// recentItems draws the recent files in a menu.
func (a *App) recentItems() {
	paths, gone := a.recentFiles(6)
	if len(paths) == 0 {
		return
	}
	a.ui.MenuSeparator()
	a.ui.MenuTitle("Recent")
	for i, p := range paths {
		o := widget.MenuOpts{Icon: assets.IconClock, Tip: p, Shortcut: shortFolder(p)}
		if gone(p) {
			o.Icon, o.Shortcut, o.Tip = assets.IconX, "not there any more", p+"\n"+goneTip
		}
		if a.ui.MenuItem(fmt.Sprintf("%s##recent%d", filepath.Base(p), i), o) {
			a.openRecent(p)
		}
	}
}

// recentRows draws them on the welcome page.
func (a *App) recentRows() {
	paths, gone := a.recentFiles(4)
	if len(paths) == 0 {
		return
	}
	a.ui.Space(12)
	a.ui.Heading("Recent")
	for i, p := range paths {
		o := widget.RowOpts{Icon: assets.IconFile, Secondary: filepath.Dir(p), Tip: p}
		if gone(p) {
			o.Icon, o.Dim, o.Note, o.Tip = assets.IconX, true, "not there any more", p+"\n"+goneTip
		}
		if a.ui.Row(fmt.Sprintf("%s##recent%d", filepath.Base(p), i), o).Clicked {
			a.openRecent(p)
		}
	}
}

// shortFolder is the folder of a file in as much room as a menu has: from the home folder, and its end where it is
// long.
func shortFolder(path string) string {
	const most = 34
	dir := filepath.Dir(path)
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		if rest, ok := strings.CutPrefix(dir, home); ok && (rest == "" || rest[0] == filepath.Separator) {
			dir = "~" + rest
		}
	}
	r := []rune(dir)
	if len(r) <= most {
		return dir
	}
	end := string(r[len(r)-most+1:])
	if i := strings.IndexRune(end, filepath.Separator); i >= 0 && i < len(end)-1 {
		end = end[i:]
	}
	return "…" + end
}
