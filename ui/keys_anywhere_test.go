package ui

import (
	"testing"

	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// The keys of theme and size work over a dialog and where text is typed, and change neither these nor the document;
// other keys do not.
func TestKeysOfThemeAndSizeWorkOverDialogs(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:500"}, Theme: "light"})
	opened(t, a, d)
	now := a.desk.Doc.State().Stamp(false)
	check := func(where string) {
		t.Helper()
		theme := a.settings.Theme
		d.Keys("Ctrl+Shift+L")
		d.Frames(2)
		if a.settings.Theme == theme {
			t.Errorf("%s: the theme is still %s", where, theme)
		}
		d.Keys("Ctrl+=")
		d.Frames(2)
		if a.settings.Zoom <= 1 {
			t.Errorf("%s: larger, it is %g", where, a.settings.Zoom)
		}
		d.Keys("Ctrl+0")
		d.Keys("Ctrl+-")
		d.Frames(2)
		if a.settings.Zoom >= 1 {
			t.Errorf("%s: smaller, it is %g", where, a.settings.Zoom)
		}
		d.Keys("Ctrl+0")
		d.Frames(2)
		if a.settings.Zoom != 1 || a.desk.Doc.State().Stamp(false) != now {
			t.Errorf("%s: at %g, or another document", where, a.settings.Zoom)
		}
	}
	check("over the map")
	uitest.Do(func() { a.showAbout() })
	d.Frames(3)
	check("over a page")
	tool := a.tools.now.ID
	d.Keys("4")
	d.Frames(2)
	if !a.dialogs.Any() || a.tools.now.ID != tool {
		t.Error("a tool is chosen over a dialog, or that is gone")
	}
	d.Keys("Esc")
	d.Frames(3)
	d.Keys("Ctrl+P")
	d.Frames(3)
	d.Type("theme")
	d.Frames(2)
	check("where text is typed")
	if a.dialogs.Open("palette") == nil {
		t.Error("the palette is gone")
	}
	d.Keys("Esc")
	d.Frames(3)
	uitest.Do(func() {
		dialog.Ask.Show(a.dialogs, dialog.Question{Title: "Sure?", Answers: []dialog.Button{{Label: "Cancel"}}})
	})
	d.Frames(3)
	check("over a question")
}
