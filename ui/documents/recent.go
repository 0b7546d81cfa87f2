package documents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"blossom/assets"
	"blossom/model/document/session"
	"blossom/model/scale"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Remembered is what the window remembers of files between runs of the program.
type Remembered struct {
	Recent []string `json:"recent"` // files, latest first
	// Others are the other files of a table of several, by the first, which is in Recent.
	Others map[string][]string `json:"recent_others,omitempty"`
	// Opened is when each was opened or saved last; one that an older version has remembered has no time.
	Opened map[string]time.Time `json:"recent_opened,omitempty"`
	Folder string               `json:"folder"`         // folder of the last file dialog
	Grid   bool                 `json:"grid,omitempty"` // maps of new tables stay grids
}

// Copy is the same, which stays as it is whatever is opened.
func (r Remembered) Copy() Remembered {
	r.Recent, r.Others, r.Opened = slices.Clone(r.Recent), maps.Clone(r.Others), maps.Clone(r.Opened)
	return r
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
	if len(paths) == 1 {
		paths[0] = folderOf(paths[0])
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
	r.Folder = beside(first)
}

// folderOf is the finished folder of parts of whose map a path is the file; of another path that itself.
func folderOf(path string) string {
	if dir := filepath.Dir(path); scale.Shown(dir) == path {
		return dir
	}
	return path
}

// beside is the folder that a file lies in, for other files; of one in a folder of parts, that which has the folder.
func beside(path string) string {
	dir := filepath.Dir(path)
	if scale.IsFolder(dir) {
		return filepath.Dir(dir)
	}
	return dir
}

// forget takes a file off the list.
func (r *Remembered) forget(path string) {
	r.Recent = slices.DeleteFunc(slices.Clone(r.Recent), func(p string) bool { return p == path })
	delete(r.Others, path)
	delete(r.Opened, path)
}

// all are the files that are opened with a recent one, itself first.
func (r *Remembered) all(path string) []string { return append([]string{path}, r.Others[path]...) }

// name is what a recent file is called, or several.
func (r *Remembered) name(path string) string {
	if n := len(r.Others[path]); n > 0 {
		return fmt.Sprintf("%s and %d more", filepath.Base(path), n)
	}
	if name := filepath.Base(path); name != scale.ShownFile && name != scale.SampleFile {
		return name
	}
	return filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)) // as all folders of parts have it
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
	changed map[string]time.Time // when they were written last
	looked  time.Time
	looking bool
}

// opened puts a file, or several that are one table, at the head of the list, as opened now.
func (r *Recent) opened(paths ...string) {
	r.Remembered.opened(paths...)
	if r.Opened == nil {
		r.Opened = map[string]time.Time{}
	}
	r.Opened[r.Recent[0]] = r.docs.context.Now().UTC()
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
			found, changed := map[string]bool{}, map[string]time.Time{}
			for _, paths := range list {
				found[paths[0]] = missing(paths) != ""
				if info, err := os.Stat(paths[0]); err == nil {
					changed[paths[0]] = info.ModTime()
				}
			}
			return func() { r.gone, r.changed, r.looked, r.looking = found, changed, now(), false }, nil
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

// recentRows is how many of them the welcome page shows.
const recentRows = 8

// drawRows draws them on the welcome page.
func (r *Recent) drawRows() {
	u := r.w.UI()
	paths, gone := r.files(recentRows)
	if len(paths) == 0 {
		return
	}
	u.Heading("Recent")
	u.Space(2)
	for i, p := range paths {
		o := widget.RowOpts{Icon: assets.IconFile, Secondary: shortFolder(p), Tip: strings.Join(r.all(p), "\n"),
			Drop: "Take it off the list; the file stays"}
		if filepath.Ext(p) == session.Extension {
			o.Icon = assets.IconHistory
		}
		if at, known := r.Opened[p]; known {
			o.Note = "opened " + dialog.When(at, r.docs.context.Now())
		} else if at, known := r.changed[p]; known {
			o.Note = "changed " + dialog.When(at, r.docs.context.Now())
		}
		if gone(p) {
			o.Dim, o.Note, o.Tip = true, "not there any more", p+"\n"+goneTip
		}
		switch hit := u.Row(fmt.Sprintf("%s##recent%d", r.name(p), i), o); {
		case hit.Dropped:
			r.forget(p)
			r.w.Remember()
			u.Refresh()
		case hit.Clicked:
			r.open(p)
		}
	}
	u.Space(14)
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
