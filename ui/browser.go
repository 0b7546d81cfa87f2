package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/ui/widget"
)

// browser chooses files inside the window, where the system has no dialogs.
type browser struct {
	shown   bool
	fresh   bool
	q       fileQuestion
	folder  string
	name    string
	filter  string
	entries []browserEntry
	failed  string
}

type browserEntry struct {
	name   string
	folder bool
	size   int64
}

func (b *browser) open(q fileQuestion) {
	*b = browser{shown: true, fresh: true, q: q, name: q.name}
	folder := q.folder
	if folder == "" {
		folder, _ = os.UserHomeDir() // an empty one is handled by enter
	}
	b.enter(folder)
}

// enter lists a folder.
func (b *browser) enter(folder string) {
	abs, err := filepath.Abs(folder)
	if err == nil {
		folder = abs
	}
	list, err := os.ReadDir(folder)
	if err != nil {
		b.failed = err.Error()
		if b.folder != "" {
			return
		}
		list = nil
	} else {
		b.failed = ""
	}
	b.folder, b.filter, b.entries = folder, "", b.entries[:0]
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := os.Stat(filepath.Join(folder, e.Name())) // follows links
		if err != nil {
			continue
		}
		if !info.IsDir() && !b.wanted(e.Name()) {
			continue
		}
		b.entries = append(b.entries, browserEntry{e.Name(), info.IsDir(), info.Size()})
	}
	sort.SliceStable(b.entries, func(i, j int) bool {
		x, y := b.entries[i], b.entries[j]
		if x.folder != y.folder {
			return x.folder
		}
		return strings.ToLower(x.name) < strings.ToLower(y.name)
	})
}

func (b *browser) wanted(name string) bool {
	if len(b.q.kinds) == 0 {
		return true
	}
	lower := strings.ToLower(name)
	for _, k := range b.q.kinds {
		if strings.HasSuffix(lower, strings.ToLower(k)) {
			return true
		}
	}
	return false
}

func (a *App) browserDialog() {
	b := &a.browser
	verb := "Open"
	if b.q.save {
		verb = "Save"
	}
	var picked string
	accept := false
	title := b.q.title
	if title == "" {
		title = "Files"
	}
	chosen := a.ui.Modal(title+"##files", &b.shown, widget.ModalOpts{Width: 620, Buttons: []widget.ModalButton{
		{Label: "Cancel"}, {Label: verb, Kind: widget.Primary, Disabled: b.name == ""}}}, func() {
		a.browserPath(b)
		e := a.ui.TextField("##file", &b.name, widget.FieldOpts{Hint: "File name", Icon: assets.IconFile,
			Focus: b.fresh})
		b.fresh = false
		accept = e.Entered && b.name != ""
		if b.failed != "" {
			a.ui.Wrapped(widget.Small, a.ui.Theme().Danger, b.failed)
		}
		a.ui.Space(6)
		// The list scrolls by itself, so that the name and the buttons stay.
		h := min(a.ui.Pt(float32(40+27*max(1, len(b.entries)))), a.ctx.Size().Y*0.92-a.ui.Pt(250))
		imgui.BeginChildStrV("##list", imgui.Vec2{X: 0, Y: max(h, a.ui.Pt(60))}, 0, 0)
		row := a.ui.Table("list", []widget.Column{{Title: "Name", Width: 0.78},
			{Title: "Size", Width: 0.22, Right: true}}, len(b.entries), -1, func(row, col int) string {
			e := b.entries[row]
			switch {
			case col == 0 && e.folder:
				return e.name + "/"
			case col == 0:
				return e.name
			case e.folder:
				return ""
			}
			return bytesText(e.size)
		})
		imgui.EndChild()
		if row >= 0 && row < len(b.entries) {
			if e := b.entries[row]; e.folder {
				b.enter(filepath.Join(b.folder, e.name))
				a.ctx.Refresh()
			} else {
				again := b.name == e.name
				b.name = e.name
				if again && !b.q.save {
					picked = e.name
				}
			}
		}
	})
	if chosen == 1 || accept {
		picked = b.name
	}
	if picked == "" {
		return
	}
	path := picked
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.folder, picked)
	}
	b.shown = true
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		b.enter(path)
		b.name = ""
		b.fresh = true // the keyboard stays in the field
		a.ctx.Refresh()
	case !b.q.save && err != nil:
		b.failed = "there is no file " + path
	default:
		b.shown = false
		a.settings.Folder = b.folder
		a.chosen(b.q, path, false)
	}
}

// browserPath shows where the browser is, and goes up.
func (a *App) browserPath(b *browser) {
	if a.ui.IconButton("up", assets.IconArrowUp, "The folder above", filepath.Dir(b.folder) == b.folder) {
		b.enter(filepath.Dir(b.folder))
		a.ctx.Refresh()
	}
	a.ui.Same()
	a.ui.Muted(b.folder)
	a.ui.Space(4)
}

func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
