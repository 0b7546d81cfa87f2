package dialog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Browse chooses files inside the window, where the system has no dialogs.
var Browse = Register(Kind[*Browser]{ID: "files", Title: "Files", Width: 820,
	New: func(w Window, b *Browser) Dialog {
		b.w = w
		b.begin()
		return b
	}})

// Browser is the dialog of files.
type Browser struct {
	Name   string // in the field: a name, part of one, or a path
	w      Window
	files  *Files
	q      desk.FileQuestion
	fresh  bool // the field takes the keyboard
	failed string
	follow bool // the list scrolls to the cursor
	places []place
	folder
}

func (f *Files) browse(q desk.FileQuestion) {
	data := ""
	if d := f.Stack.window.Desk(); d != nil {
		data = d.Doc.Data.Path
	}
	Browse.Show(f.Stack, &Browser{Name: q.Name, files: f, q: q, fresh: true, places: places(data, f.Recent()),
		folder: folder{order: f.order, kinds: q.Kinds, several: q.Several != nil}})
}

// begin shows the folder that is asked about, or the nearest above it where that is gone.
func (b *Browser) begin() {
	start := b.q.Folder
	if start == "" {
		start, _ = os.UserHomeDir() // an empty one is where the program runs
	}
	for b.enter(start); b.path == "" && filepath.Dir(start) != start; b.enter(start) {
		start = filepath.Dir(start)
	}
}

// enter lists a folder, and says why where that fails.
func (b *Browser) enter(path string) {
	b.failed = ""
	if err := b.read(path); err != nil {
		b.failed = missing(path, err)
		return
	}
	if !b.q.Save {
		b.Name = ""
	}
	b.fresh = true
}

// Sizes of the browser, in points.
const (
	placesWidth = 150 // width of the folders at its left
	browserRest = 222 // the height of what is not the list
	browserLow  = 360 // a lower window has room for less
)

func (b *Browser) Face() (Face, bool) {
	verb := "Open"
	n := len(b.picked)
	switch {
	case b.q.Save:
		verb = "Save"
	case n > 1:
		verb = fmt.Sprintf("Open %d files", n)
	}
	return Face{Title: b.q.Title, Buttons: []Button{{Label: "Cancel"}, {Label: verb + "##accept", Kind: widget.Primary,
		Disabled: b.Name == "" && n == 0 && b.on() == nil, Try: b.accept}}}, true
}

func (b *Browser) Draw() func() {
	u, size := b.w.UI(), imgui.CurrentIO().DisplaySize()
	b.drawPath()
	done := b.drawField()
	if b.failed != "" {
		u.Wrapped(widget.Small, u.Theme().Danger, b.failed)
	}
	u.Space(6)
	// The buttons stay in sight: where there is no room for more, keys alone show hidden files.
	low := size.Y < u.Pt(browserLow)
	rest := u.Pt(browserRest)
	if low {
		rest -= u.Pt(34)
	}
	h := max(min(u.Pt(360), size.Y*0.92-u.Pt(24)-rest), u.Pt(54))
	if wide := imgui.ContentRegionAvail().X; wide > u.Pt(480) {
		b.drawPlaces(h)
		imgui.SameLineV(0, u.Pt(10))
	}
	imgui.BeginChildStrV("##list", imgui.Vec2{X: 0, Y: h}, 0, 0)
	done = b.drawList() || done
	imgui.EndChild()
	if !low {
		u.Space(4)
		hidden := b.hidden
		if u.Switch("Hidden files", &hidden, "Also show files whose names begin with a dot\tCtrl+H") {
			b.hidden = hidden
			b.arrange()
		}
	}
	b.files.order = b.order
	if done {
		return b.accept()
	}
	return nil
}

func (b *Browser) drawPlaces(h float32) {
	u := b.w.UI()
	imgui.BeginChildStrV("##places", imgui.Vec2{X: u.Pt(placesWidth), Y: h}, 0, 0)
	for i, p := range b.places {
		if u.Row(fmt.Sprintf("%s##place%d", p.name, i), widget.RowOpts{Icon: p.icon, Tip: p.path,
			Selected: p.path == b.path}).Clicked {
			b.enter(p.path)
			u.Again()
		}
	}
	imgui.EndChild()
}

// drawField draws where a name is typed, or found, or a path with Tab to complete it, and moves through the list with
// the arrows. It returns whether Enter was pressed.
func (b *Browser) drawField() (entered bool) {
	u := b.w.UI()
	hint := "Find, or type a name or a path"
	if b.q.Save {
		hint = "File name"
	}
	before := b.Name
	e := u.TextField("##file", &b.Name, widget.FieldOpts{Hint: hint, Icon: assets.IconFile, Focus: b.fresh,
		Complete: func(text string) string { return complete(text, b.path) }})
	b.fresh = false
	io := imgui.CurrentIO()
	if e.Changed && !b.q.Save && !isPath(b.Name) {
		b.search(b.Name)
	} else if e.Changed && !b.typedPath(b.Name) {
		b.search("")
	}
	switch step := u.ListKeys(); {
	case io.KeyAlt() && step < 0,
		before == "" && b.Name == "" && e.Active && imgui.IsKeyPressedBool(imgui.KeyBackspace):
		b.enter(filepath.Dir(b.path))
		u.Again()
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

// drawList draws the entries; it returns whether one was opened by a double click.
func (b *Browser) drawList() (open bool) {
	u, io := b.w.UI(), imgui.CurrentIO()
	columns, times := listed(imgui.ContentRegionAvail().X / u.Pt(1))
	hit := u.TableWith("list", columns, len(b.listed),
		widget.TableOpts{Selected: func(i int) bool { return i == b.cursor || b.picked[b.listed[i].name] },
			Cursor: b.cursor, Follow: b.follow, Sort: int(b.by) + 1, Down: b.down,
			Empty: "Nothing here can be opened.",
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
				return e.changed.Format(times)
			case e.folder:
				return ""
			}
			return widget.Bytes(e.size)
		})
	b.follow = false
	if hit.Head >= 0 {
		b.sort(sorting(hit.Head))
		b.fresh = true
		u.Again()
	}
	if hit.Row >= 0 && hit.Row < len(b.listed) {
		b.choose(hit.Row, io.KeyCtrl(), io.KeyShift())
		b.fresh = true // the next key that is typed goes on finding
		if e := b.listed[hit.Row]; b.q.Save && !e.folder {
			b.Name = e.name
		}
		u.Again()
	}
	return hit.Double
}

// listed are the columns of a list of so many points, with room for a time and a size, and how times are written: by
// their day alone where names would have no room.
func listed(width float32) (columns []widget.Column, times string) {
	const day, time, size, name = 92, 142, 84, 180
	changed := float32(time)
	if times = "2006-01-02 15:04"; width-time-size < name {
		times, changed = "2006-01-02", day
	}
	shares := [2]float32{max(changed/width, 0.25), max(size/width, 0.17)}
	return []widget.Column{{Title: "Name", Width: 1 - shares[0] - shares[1]}, {Title: "Changed", Width: shares[0]},
		{Title: "Size", Width: shares[1], Right: true}}, times
}

// accept takes what is chosen, or enters the folder that is, and returns nil.
func (b *Browser) accept() (chosen func()) {
	paths := b.chosen()
	on := b.on()
	switch {
	case b.q.Save && b.Name != "" && (on == nil || !on.folder || b.Name != b.q.Name):
		paths = []string{expand(b.Name, b.path)}
	case isPath(b.Name) && !b.q.Save, len(paths) == 0 && on == nil:
		if b.Name == "" {
			return nil
		}
		paths = []string{expand(b.Name, b.path)}
	case len(paths) == 0:
		paths = []string{filepath.Join(b.path, on.name)}
	}
	switch info, err := os.Stat(paths[0]); {
	case err == nil && info.IsDir() && (b.q.Folders == nil || !b.q.Folders(paths[0])):
		b.enter(paths[0])
		b.w.UI().Again()
	case !b.q.Save && err != nil:
		b.failed, b.fresh = missing(paths[0], err), true
	default:
		return func() {
			*b.files.Folder = b.path
			if len(paths) > 1 {
				b.q.Several(paths)
				return
			}
			b.files.take(b.q, paths[0], false)
		}
	}
	return nil
}

// drawPath shows where the browser is, each folder above a click away.
func (b *Browser) drawPath() {
	u := b.w.UI()
	if u.IconButton("up", assets.IconArrowUp, "The folder above\tAlt+Up", filepath.Dir(b.path) == b.path) {
		b.enter(filepath.Dir(b.path))
		u.Again()
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
		u.Again()
	}
	u.Space(4)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
