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
	Folder string   `json:"folder"` // folder of the last file dialog
}

// MaxRecent is how many files are remembered.
const MaxRecent = 10

// opened puts a file at the head of the recent ones.
func (r *Remembered) opened(path string) {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	r.Recent = slices.DeleteFunc(r.Recent, func(p string) bool { return p == path })
	r.Recent = slices.Insert(r.Recent, 0, path)
	r.Recent = r.Recent[:min(len(r.Recent), MaxRecent)]
	r.Folder = filepath.Dir(path)
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
		list := slices.Clone(r.Recent)
		r.docs.jobs.Quiet(func(context.Context) (func(), error) {
			found := map[string]bool{}
			for _, path := range list {
				_, err := os.Stat(path)
				found[path] = errors.Is(err, fs.ErrNotExist)
			}
			return func() { r.gone, r.looked, r.looking = found, now(), false }, nil
		})
	}
	return r.Recent[:min(n, len(r.Recent))], func(path string) bool { return r.gone[path] }
}

// open opens a recent file, or takes one that is gone off the list.
func (r *Recent) open(path string) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		r.Recent = slices.DeleteFunc(slices.Clone(r.Recent), func(p string) bool { return p == path })
		r.w.Remember()
		r.docs.note(path + " is not there any more, and was taken off the list")
		return
	}
	r.docs.Open(path)
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
		o := widget.MenuOpts{Icon: assets.IconClock, Tip: p, Shortcut: shortFolder(p)}
		if gone(p) {
			o.Icon, o.Shortcut, o.Tip = assets.IconX, "not there any more", p+"\n"+goneTip
		}
		if u.MenuItem(fmt.Sprintf("%s##recent%d", filepath.Base(p), i), o) {
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
		o := widget.RowOpts{Icon: assets.IconFile, Secondary: filepath.Dir(p), Tip: p}
		if gone(p) {
			o.Icon, o.Dim, o.Note, o.Tip = assets.IconX, true, "not there any more", p+"\n"+goneTip
		}
		if u.Row(fmt.Sprintf("%s##recent%d", filepath.Base(p), i), o).Clicked {
			r.open(p)
		}
	}
}

// items are they in the palette.
func (r *Recent) items() (out []dialog.Item) {
	paths, gone := r.files(MaxRecent)
	for _, p := range paths {
		if !gone(p) {
			out = append(out, dialog.Item{Title: "Open recent: " + p, Icon: assets.IconClock, Can: true,
				Run: func() { r.open(p) }})
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
