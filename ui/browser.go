package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/ui/widget"
)

// browser chooses files inside the window, where the system has no dialogs.
type browser struct {
	shown  bool
	fresh  bool // the field takes the keyboard
	q      fileQuestion
	name   string // in the field: a name, part of one, or a path
	failed string
	follow bool // the list scrolls to the cursor
	places []filePlace
	folder
}

func (a *App) browse(q fileQuestion) {
	b := &a.browser
	kept := b.folder // how it was sorted last
	*b = browser{shown: true, fresh: true, q: q, name: q.name, places: a.places(),
		folder: folder{kinds: q.kinds, several: q.several != nil, by: kept.by, down: kept.down, hidden: kept.hidden}}
	start := q.folder
	if start == "" {
		start, _ = os.UserHomeDir() // an empty one is where the program runs
	}
	for { // a folder that is gone: the nearest above it
		if b.enter(start); b.path != "" || filepath.Dir(start) == start {
			return
		}
		start = filepath.Dir(start)
	}
}

// enter lists a folder, and says why where that fails.
func (b *browser) enter(path string) {
	b.failed = ""
	if err := b.read(path); err != nil {
		b.failed = missing(path, err)
		return
	}
	if !b.q.save {
		b.name = ""
	}
	b.fresh = true
}

// browserWidth is that of the dialog, placesWidth of the folders at its left, in points.
const (
	browserWidth = 820
	placesWidth  = 150
	browserRest  = 246 // the height of what is not the list
	browserLow   = 360 // a lower window has room for less
)

func (a *App) browserDialog() {
	b, u := &a.browser, a.ui
	verb := "Open"
	if b.q.save {
		verb = "Save"
	}
	title := b.q.title
	if title == "" {
		title = "Files"
	}
	done := false
	n := len(b.picked)
	if n > 1 {
		verb = fmt.Sprintf("Open %d files", n)
	}
	chosen := u.Modal(title+"##files", &b.shown, widget.ModalOpts{Width: browserWidth, Buttons: []widget.ModalButton{
		{Label: "Cancel"}, {Label: verb + "##accept", Kind: widget.Primary,
			Disabled: b.name == "" && n == 0 && b.on() == nil}}}, func() {
		a.browserPath(b)
		done = a.browserField(b)
		if b.failed != "" {
			u.Wrapped(widget.Small, u.Theme().Danger, b.failed)
		}
		u.Space(6)
		// The buttons stay in sight: where there is no room for more, keys alone show hidden files.
		low := a.ctx.Size().Y < u.Pt(browserLow)
		rest := u.Pt(browserRest)
		if low {
			rest -= u.Pt(34)
		}
		h := max(min(u.Pt(360), a.ctx.Size().Y-u.Pt(24)-rest), u.Pt(54))
		if wide := imgui.ContentRegionAvail().X; wide > u.Pt(480) {
			imgui.BeginChildStrV("##places", imgui.Vec2{X: u.Pt(placesWidth), Y: h}, 0, 0)
			for i, p := range b.places {
				if u.Row(fmt.Sprintf("%s##place%d", p.name, i), widget.RowOpts{Icon: p.icon, Tip: p.path,
					Selected: p.path == b.path}).Clicked {
					b.enter(p.path)
					a.ctx.Refresh()
				}
			}
			imgui.EndChild()
			imgui.SameLineV(0, u.Pt(10))
		}
		imgui.BeginChildStrV("##list", imgui.Vec2{X: 0, Y: h}, 0, 0)
		done = a.browserList(b) || done
		imgui.EndChild()
		hidden := b.hidden
		if low {
			return
		}
		u.Space(4)
		if u.Switch("Hidden files", &hidden, "Also show files whose names begin with a dot\tCtrl+H") {
			b.hidden = hidden
			b.arrange()
		}
	})
	if done || chosen == 1 {
		b.shown = true
		a.browserAccept(b)
	}
}

// browserField is where a name is typed, or found, or a path with Tab to complete it. It returns whether Enter was
// pressed; and moves through the list with the arrows.
func (a *App) browserField(b *browser) (entered bool) {
	u := a.ui
	hint := "Find, or type a name or a path"
	if b.q.save {
		hint = "File name"
	}
	before := b.name
	e := u.TextField("##file", &b.name, widget.FieldOpts{Hint: hint, Icon: assets.IconFile, Focus: b.fresh,
		Complete: func(text string) string { return complete(text, b.path) }})
	b.fresh = false
	io := imgui.CurrentIO()
	if e.Changed && !b.q.save && !isPath(b.name) {
		b.search(b.name)
	} else if e.Changed && !b.typedPath(b.name) {
		b.search("")
	}
	switch step := u.ListKeys(); {
	case io.KeyAlt() && step < 0,
		before == "" && b.name == "" && e.Active && imgui.IsKeyPressedBool(imgui.KeyBackspace):
		b.enter(filepath.Dir(b.path))
		a.ctx.Refresh()
	case step != 0:
		b.move(step, io.KeyShift())
		b.follow = true
	}
	if io.KeyCtrl() && imgui.IsKeyPressedBool(imgui.KeyH) {
		b.hidden = !b.hidden
		b.arrange()
	}
	return e.Entered
}

// browserList draws the entries; it returns whether one was opened by a double click.
func (a *App) browserList(b *browser) (open bool) {
	u, io := a.ui, imgui.CurrentIO()
	hit := u.TableWith("list", []widget.Column{{Title: "Name", Width: 0.58},
		{Title: "Changed", Width: 0.25}, {Title: "Size", Width: 0.17, Right: true}}, len(b.listed),
		widget.TableOpts{Selected: func(i int) bool { return i == b.cursor || b.picked[b.listed[i].name] },
			Cursor: b.cursor, Follow: b.follow, Sort: int(b.by) + 1, Down: b.down,
			Icon: func(i int) string {
				if b.listed[i].folder {
					return assets.IconFolderOpen
				}
				return assets.IconFile
			}},
		func(row, col int) string {
			e := b.listed[row]
			switch {
			case col == 0:
				return e.name
			case col == 1:
				return e.changed.Format("2006-01-02 15:04")
			case e.folder:
				return ""
			}
			return bytesText(e.size)
		})
	b.follow = false
	if hit.Head >= 0 {
		b.sort(sorting(hit.Head))
		b.fresh = true
		a.ctx.Refresh()
	}
	if hit.Row >= 0 && hit.Row < len(b.listed) {
		b.choose(hit.Row, io.KeyCtrl(), io.KeyShift())
		b.fresh = true // what is typed next goes on finding
		if e := b.listed[hit.Row]; b.q.save && !e.folder {
			b.name = e.name
		}
		a.ctx.Refresh()
	}
	if len(b.listed) == 0 {
		u.Note("Nothing here can be opened.")
	}
	return hit.Double
}

// browserAccept takes what is chosen, or enters the folder that is.
func (a *App) browserAccept(b *browser) {
	paths := b.chosen()
	on := b.on()
	switch {
	case b.q.save && b.name != "" && (on == nil || !on.folder || b.name != b.q.name):
		paths = []string{expand(b.name, b.path)}
	case isPath(b.name) && !b.q.save, len(paths) == 0 && on == nil:
		if b.name == "" {
			return
		}
		paths = []string{expand(b.name, b.path)}
	case len(paths) == 0:
		paths = []string{filepath.Join(b.path, on.name)}
	}
	switch info, err := os.Stat(paths[0]); {
	case err == nil && info.IsDir():
		b.enter(paths[0])
		a.ctx.Refresh()
	case !b.q.save && err != nil:
		b.failed, b.fresh = missing(paths[0], err), true
	default:
		b.shown = false
		a.settings.Folder = b.path
		if len(paths) > 1 {
			b.q.several(paths)
			return
		}
		a.chosen(b.q, paths[0], false)
	}
}

// browserPath shows where the browser is, each folder above a click away.
func (a *App) browserPath(b *browser) {
	u := a.ui
	if u.IconButton("up", assets.IconArrowUp, "The folder above\tAlt+Up", filepath.Dir(b.path) == b.path) {
		b.enter(filepath.Dir(b.path))
		a.ctx.Refresh()
	}
	u.Same()
	var paths, names []string
	for p := b.path; ; p = filepath.Dir(p) {
		above := filepath.Dir(p)
		name := filepath.Base(p)
		if above == p {
			name = p
		}
		paths, names = append(paths, p), append(names, name)
		if above == p {
			break
		}
	}
	slices.Reverse(paths)
	slices.Reverse(names)
	if i := u.Crumbs("path", names); i >= 0 {
		b.enter(paths[i])
		a.ctx.Refresh()
	}
	u.Space(4)
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
