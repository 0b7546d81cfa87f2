package dialog

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ncruces/zenity"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/session"
	"blossom/model/job/export"
	"blossom/ui/desk"
)

// Files asks for files: by the system's own dialog, or in the window where there is none.
type Files struct {
	Stack *Stack
	Own   bool            // never ask the system
	Post  func(do func()) // runs do on the main thread
	// Folder is where a question begins that names none. It follows the user.
	Folder *string
	// Recent are files whose folders are offered.
	Recent func() []string

	order order // how the window's browser listed files last
}

// elsewhere are endings that users type and that mean a file of another kind than most that the program writes.
var elsewhere = append(export.Carriers(), ".eps", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp", ".mov",
	".xls", ".xlsx", ".ods", ".mat", ".rds", ".h5")

// wrongEnding says if a name to save under has the ending of a file that is not written where it is asked for: it is no
// name without an ending.
func wrongEnding(q *desk.FileQuestion, path string) error {
	ext := strings.ToLower(filepath.Ext(path))
	own := slices.ContainsFunc(q.Kinds, func(kind string) bool { return strings.EqualFold(kind, ext) })
	if !q.Save || len(q.Kinds) == 0 || own || !slices.Contains(elsewhere, ext) {
		return nil
	}
	return problem.New(path, "use a name that ends in "+problem.OneOf(q.Kinds...), "no %s is written here", ext)
}

// whole gives a name to save under its ending, if the user left it out.
func whole(q *desk.FileQuestion, path string) string {
	if !q.Save || len(q.Kinds) == 0 {
		return path
	}
	// The text behind a dot is an ending only if it is a known one: "donor1.5 day2.1" has none.
	ext := strings.ToLower(filepath.Ext(path))
	for _, k := range append(OpenKinds(), q.Kinds...) {
		if ext == strings.ToLower(k) || ext == filepath.Ext(strings.ToLower(k)) {
			return path
		}
	}
	return path + q.Kinds[0]
}

// take takes the user's choice. Before a file is replaced that the user was not asked about under its
// whole name, it asks.
func (f *Files) take(q desk.FileQuestion, path string, asked bool) {
	if err := wrongEnding(&q, path); err != nil {
		f.Stack.window.Fail(err)
		return
	}
	full := whole(&q, path)
	if q.Save && exists(full) && !(asked && full == path) {
		Replace.Show(f.Stack, Existing{Path: full, Do: func() { q.Answer(full) }})
		return
	}
	q.Answer(full)
}

// NativeDialogs says whether the system's own file dialogs can be shown here, and why not.
func NativeDialogs() (ok bool, why string) {
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

// Ask shows the system's dialog off the main thread, or the window's own browser where there is none.
func (f *Files) Ask(q desk.FileQuestion) {
	if q.Folder == "" {
		q.Folder = *f.Folder
	}
	if ok, _ := NativeDialogs(); !ok || f.Own {
		f.browse(q)
		return
	}
	go func() {
		options := []zenity.Option{zenity.Title(q.Title), zenity.Filename(filepath.Join(q.Folder, q.Name) + suffix(q))}
		if len(q.Kinds) > 0 {
			var patterns []string
			for _, k := range q.Kinds {
				patterns = append(patterns, "*"+k)
			}
			options = append(options, zenity.FileFilters{{Name: q.Kind, Patterns: patterns, CaseFold: true},
				{Name: "All files", Patterns: []string{"*"}}})
		}
		var path string
		var paths []string
		var err error
		switch {
		case q.Several != nil:
			paths, err = zenity.SelectFileMultiple(options...)
			if len(paths) > 0 {
				path = paths[0]
			}
		case q.Save:
			path, err = zenity.SelectFileSave(append(options, zenity.ConfirmOverwrite())...)
		default:
			path, err = zenity.SelectFile(options...)
		}
		f.Post(func() {
			switch {
			case err == nil && len(paths) > 1:
				q.Several(paths)
			case err == nil:
				f.take(q, path, true) // the system has asked for this very name
			case errors.Is(err, zenity.ErrCanceled):
			default:
				f.Stack.window.Say(fmt.Sprintf("the system's file dialog failed (%v); using the window's own", err))
				f.browse(q)
			}
		})
	}()
}

// suffix makes a folder without a file name end in a separator, as the dialogs want it.
func suffix(q desk.FileQuestion) string {
	if q.Name == "" && q.Folder != "" {
		return string(filepath.Separator)
	}
	return ""
}

// OpenKinds are the endings of everything that can be opened.
func OpenKinds() []string {
	return slices.Concat([]string{session.Extension}, session.Extensions(), DataKinds())
}

// DataKinds are those of data.
func DataKinds() (kinds []string) {
	for _, f := range format.All() {
		if f.Read != nil {
			kinds = append(kinds, f.Extensions...)
		}
	}
	return kinds
}
