package widget

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
)

// names are the places of controls by their full names.
type names struct {
	path      []string // the areas and groups round what is drawn now
	last, now map[string]Rect
}

func newNames() names { return names{last: map[string]Rect{}, now: map[string]Rect{}} }

// Rect returns where a control was in the last whole frame, by its name (see the package), and whether
// it was drawn. A name of fewer parts finds a control by the end of its full name.
func (u *UI) Rect(name string) (Rect, bool) {
	if r, ok := u.names.last[name]; ok {
		return r, true
	}
	for k, r := range u.names.last {
		if strings.HasSuffix(k, "/"+name) {
			return r, true
		}
	}
	return Rect{}, false
}

// Names returns the names of all controls of the last whole frame, in no order.
func (u *UI) Names() []string {
	out := make([]string, 0, len(u.names.last))
	for k := range u.names.last {
		out = append(out, k)
	}
	return out
}

// Mark names a place, for things that are drawn by hand.
func (u *UI) Mark(name string, r Rect) { u.mark(name, r) }

func (u *UI) mark(label string, r Rect) {
	_, name := split(label)
	if len(u.names.path) > 0 {
		name = strings.Join(u.names.path, "/") + "/" + name
	}
	u.names.now[name] = r
}

// Group gives what body draws a name of its own: ids and names in it do not clash with those outside.
func (u *UI) Group(name string, body func()) {
	imgui.PushIDStr(name)
	_, n := split(name)
	u.names.path = append(u.names.path, n)
	body()
	u.names.path = u.names.path[:len(u.names.path)-1]
	imgui.PopID()
}

// split returns what a label shows and what it is called.
func split(label string) (shown, name string) {
	if i := strings.Index(label, "##"); i >= 0 {
		return label[:i], label[i+2:]
	}
	return label, label
}
