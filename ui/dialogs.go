package ui

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/ncruces/zenity"

	"blossom/model/format"
	"blossom/model/session"
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
		a.browser.open(q)
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
			options = append(options, zenity.FileFilters{{Name: q.kind, Patterns: patterns, CaseFold: true}, {Name: "All files", Patterns: []string{"*"}}})
		}
		var path string
		var err error
		if q.save {
			path, err = zenity.SelectFileSave(append(options, zenity.ConfirmOverwrite())...)
		} else {
			path, err = zenity.SelectFile(options...)
		}
		post(func() {
			switch {
			case err == nil:
				q.answer(path)
			case errors.Is(err, zenity.ErrCanceled):
			default:
				a.log.add("the system's file dialog failed (%v); using the window's own", err)
				a.browser.open(q)
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
	kinds := []string{session.Extension}
	for _, f := range format.All() {
		if f.Read != nil {
			kinds = append(kinds, f.Extensions...)
		}
	}
	return kinds
}
