package documents

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
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Remembered is what the window remembers of files between runs of the program.
type Remembered struct {
	Recent []string `json:"recent"` // files, latest first
	// Others are the other files of a table of several, by the first, which is in Recent.
	Others map[string][]string `json:"recent_others,omitempty"`
	Folder string              `json:"folder"`         // folder of the last file dialog
	Grid   bool                `json:"grid,omitempty"` // maps of new tables stay grids
}

// MaxRecent is how many files are remembered.
const MaxRecent = 10

// opened puts a file, or several that are one table, at the head of the recent ones.
func (r *Remembered) opened(paths ...string) {
	paths = slices.Clone(paths)
	for i, path := range paths {
		if abs, err := filepath.Abs(path); err == nil {
			paths[i] = abs
		}
	}
	first := paths[0]
	r.forget(first)
	r.Recent = slices.Insert(r.Recent, 0, first)
	for _, fallen := range r.Recent[min(len(r.Recent), MaxRecent):] {
		r.forget(fallen)
	}
	if len(paths) > 1 {
		if r.Others == nil {
			r.Others = map[string][]string{}
		}
		r.Others[first] = paths[1:]
	}
	r.Folder = filepath.Dir(first)
}

// forget takes a file off the list.
func (r *Remembered) forget(path string) {
	r.Recent = slices.DeleteFunc(slices.Clone(r.Recent), func(p string) bool { return p == path })
	delete(r.Others, path)
}

// all are the files that are opened with a recent one, itself first.
func (r *Remembered) all(path string) []string { return append([]string{path}, r.Others[path]...) }

// name is what a recent file is called, or several.
func (r *Remembered) name(path string) string {
	if n := len(r.Others[path]); n > 0 {
		return fmt.Sprintf("%s and %d more", filepath.Base(path), n)
	}
	return filepath.Base(path)
}

// missing is the first of the files of a recent one that is not there, or "".
func missing(paths []string) string {
	for _, path := range paths {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
	return ""
}

// Recent is the recent files, and knows which of them are not there any more. Looking may take long on folders of
// other machines, so nothing waits for it.
type Recent struct {
	part
	*Remembered
	gone    map[string]bool
	looked  time.Time
	looking bool
}

// lookEvery is how often the recent files are looked after while they are shown.
const lookEvery = 3 * time.Second

// files returns the first n recent files, and whether each is gone.
func (r *Recent) files(n int) (paths []string, gone func(path string) bool) {
	now := r.docs.context.Now
	if !r.looking && (r.looked.IsZero() || now().Sub(r.looked) > lookEvery) {
		r.looking = true
		var list [][]string
		for _, path := range r.Recent {
			list = append(list, r.all(path))
		}
		r.docs.jobs.Quiet(func(context.Context) (func(), error) {
			found := map[string]bool{}
			for _, paths := range list {
				found[paths[0]] = missing(paths) != ""
			}
			return func() { r.gone, r.looked, r.looking = found, now(), false }, nil
		})
	}
	return r.Recent[:min(n, len(r.Recent))], func(path string) bool { return r.gone[path] }
}

// open opens a recent file, or takes one that is gone off the list.
func (r *Recent) open(path string) {
	all := r.all(path)
	if gone := missing(all); gone != "" {
		r.forget(path)
		r.w.Remember()
		r.docs.note(gone + " is not there any more, and was taken off the list")
		return
	}
	r.docs.Open(all...)
}

// goneTip says what a click on a file that is gone does.
const goneTip = "It is not there any more; a click takes it off the list"

// drawMenu draws the files in a menu.
func (r *Recent) drawMenu() {
	u := r.w.UI()
	paths, gone := r.files(6)
	if len(paths) == 0 {
		return
	}
	u.MenuSeparator()
	u.MenuTitle("Recent")
	for i, p := range paths {
		o := widget.MenuOpts{Icon: assets.IconClock, Tip: strings.Join(r.all(p), "\n"), Shortcut: shortFolder(p)}
		if gone(p) {
			o.Icon, o.Shortcut, o.Tip = assets.IconX, "not there any more", p+"\n"+goneTip
		}
		if u.MenuItem(fmt.Sprintf("%s##recent%d", r.name(p), i), o) {
			r.open(p)
		}
	}
}

// drawRows draws them on the welcome page.
func (r *Recent) drawRows() {
	u := r.w.UI()
	paths, gone := r.files(4)
	if len(paths) == 0 {
		return
	}
	u.Space(12)
	u.Heading("Recent")
	for i, p := range paths {
		o := widget.RowOpts{Icon: assets.IconFile, Secondary: filepath.Dir(p), Tip: strings.Join(r.all(p), "\n")}
		if gone(p) {
			o.Icon, o.Dim, o.Note, o.Tip = assets.IconX, true, "not there any more", p+"\n"+goneTip
		}
		if u.Row(fmt.Sprintf("%s##recent%d", r.name(p), i), o).Clicked {
			r.open(p)
		}
	}
}

// items are they in the palette.
func (r *Recent) items() (out []dialog.Item) {
	paths, gone := r.files(MaxRecent)
	for _, p := range paths {
		if !gone(p) {
			out = append(out, dialog.Item{Title: "Open recent: " + filepath.Join(filepath.Dir(p), r.name(p)),
				Icon: assets.IconClock, Can: true, Run: func() { r.open(p) }})
		}
	}
	return out
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
