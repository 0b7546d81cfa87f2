package ui

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ncruces/zenity"

	"blossom/model/data/format"
	"blossom/model/document/session"
	"blossom/ui/dialog"
)

// fileQuestion asks for a file: to open, or to save under a name.
type fileQuestion struct {
	title  string
	save   bool
	folder string
	name   string   // suggested, when saving
	kinds  []string // endings, ".fcs"
	kind   string   // what the endings are, "Data and sessions"
	answer func(path string)
	// several, where more than one file may be chosen, gets them if there are more.
	several func(paths []string)
}

// complete gives a name to save under its ending, if the user left it out.
func (q *fileQuestion) complete(path string) string {
	if !q.save || len(q.kinds) == 0 {
		return path
	}
	// What follows a dot is an ending only if it is a known one: "donor1.5 day2.1" has none.
	ext := strings.ToLower(filepath.Ext(path))
	for _, k := range append(openKinds(), q.kinds...) {
		if ext == strings.ToLower(k) || ext == filepath.Ext(strings.ToLower(k)) {
			return path
		}
	}
	return path + q.kinds[0]
}

// chosen takes the user's choice. Before a file is replaced that the user was not asked about under its
// whole name, it asks.
func (a *App) chosen(q fileQuestion, path string, asked bool) {
	full := q.complete(path)
	if q.save && exists(full) && !(asked && full == path) {
		dialog.Replace.Show(a.dialogs, dialog.Existing{Path: full, Do: func() { q.answer(full) }})
		return
	}
	q.answer(full)
}

// nativeDialogs says whether the system's own file dialogs can be shown here, and why not.
func nativeDialogs() (ok bool, why string) {
	if runtime.GOOS != "linux" && runtime.GOOS != "freebsd" {
		return true, ""
	}
	for _, tool := range []string{"zenity", "matedialog", "qarma"} {
		if _, err := exec.LookPath(tool); err == nil {
			return true, ""
		}
	}
	return false, "zenity is not installed; files are chosen inside the window instead"
}

// ask shows the system's dialog off the main thread, or the window's own browser where there is none.
func (a *App) ask(q fileQuestion) {
	if q.folder == "" {
		q.folder = a.settings.Folder
	}
	if ok, _ := nativeDialogs(); !ok || a.options.OwnDialogs {
		a.browse(q)
		return
	}
	post := a.ctx.Post
	go func() {
		options := []zenity.Option{zenity.Title(q.title), zenity.Filename(filepath.Join(q.folder, q.name) + suffix(q))}
		if len(q.kinds) > 0 {
			var patterns []string
			for _, k := range q.kinds {
				patterns = append(patterns, "*"+k)
			}
			options = append(options, zenity.FileFilters{{Name: q.kind, Patterns: patterns, CaseFold: true},
				{Name: "All files", Patterns: []string{"*"}}})
		}
		var path string
		var paths []string
		var err error
		switch {
		case q.several != nil:
			paths, err = zenity.SelectFileMultiple(options...)
			if len(paths) > 0 {
				path = paths[0]
			}
		case q.save:
			path, err = zenity.SelectFileSave(append(options, zenity.ConfirmOverwrite())...)
		default:
			path, err = zenity.SelectFile(options...)
		}
		post(func() {
			switch {
			case err == nil && len(paths) > 1:
				q.several(paths)
			case err == nil:
				a.chosen(q, path, true) // the system has asked for this very name
			case errors.Is(err, zenity.ErrCanceled):
			default:
				a.log.add("the system's file dialog failed (%v); using the window's own", err)
				a.browse(q)
			}
		})
	}()
}

// suffix makes a folder without a file name end in a separator, as the dialogs want it.
func suffix(q fileQuestion) string {
	if q.name == "" && q.folder != "" {
		return string(filepath.Separator)
	}
	return ""
}

// openKinds are the endings of everything that can be opened.
func openKinds() []string {
	return append([]string{session.Extension}, dataKinds()...)
}

// dataKinds are those of data.
func dataKinds() (kinds []string) {
	for _, f := range format.All() {
		if f.Read != nil {
			kinds = append(kinds, f.Extensions...)
		}
	}
	return kinds
}
