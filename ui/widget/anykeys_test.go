package widget_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// typed is a form of numbers of every kind, and a model of who is typing.
type typed struct {
	params []widget.Param
	values []float64
	at     int    // the field that is typed into, -1: none
	leaked string // keys that reached shortcuts although one was
}

func newTyped() *typed {
	f := &typed{at: -1, params: []widget.Param{
		{Min: 0, Max: 1000, Default: 5, Integer: true},
		{Min: 0.01, Max: 10, Default: 1, Log: true},
		{Min: -5, Max: 5, Default: 0, Format: "%.2f", Unit: " %"},
		{Min: 1, Max: 100, Default: 10, Zero: "auto", Now: 7, Integer: true},
		{Min: -1e300, Max: 1e300},
		{Min: 3, Max: 3, Default: 3},
	}}
	for _, p := range f.params {
		f.values = append(f.values, p.Default)
	}
	return f
}

func (f *typed) draw(u *widget.UI, c *shell.Context) {
	for _, e := range c.Events() {
		taken := modifier(e.Key) || u.Takes(e.Key, e.Mods&shell.Shift != 0, e.Command())
		if (e.Kind == shell.KeyDown || e.Kind == shell.Char) && f.at >= 0 && !taken {
			f.leaked += fmt.Sprintf("%v%q ", e.Key, e.Rune)
		}
	}
	u.Area("form", widget.R(0, 0, 300, 200), widget.AreaOpts{}, func() {
		for i := range f.values {
			if i == 4 {
				u.NumberField(fmt.Sprint(i), &f.values[i], f.params[i], "")
			} else {
				u.Slider(fmt.Sprint(i), &f.values[i], f.params[i], "")
			}
		}
	})
}

func modifier(k imgui.Key) bool { return k >= imgui.KeyLeftCtrl && k <= imgui.KeyRightSuper }

// wrong says which value is none of its range.
func (f *typed) wrong() string {
	for i, p := range f.params {
		if v := f.values[i]; p.Clamp(v) != v {
			return fmt.Sprintf("field %d has the value %g", i, v)
		}
	}
	return ""
}

// stroke does one thing at random, and returns it in words.
func (f *typed) stroke(d *uitest.Driver, r *rand.Rand) string {
	keys := strings.Fields("Tab Shift+Tab Enter Escape Backspace Delete Left Right Up Down Home End PageUp PageDown " +
		"Ctrl+A Ctrl+X Ctrl+C Ctrl+V Ctrl+Z Ctrl+Y Shift+Left Ctrl+Left NumEnter NumMinus Alt+D Alt RightAlt F5")
	letters := []rune("00123456789..,-+eE xXpP_%aunifto−∞٣\u0000\u00a0é")
	switch n := r.IntN(10); {
	case f.at < 0 && n < 6, n == 0:
		f.at = r.IntN(len(f.values))
		d.ClickOn(fmt.Sprintf("%d/value", f.at))
		return fmt.Sprintf("click %d", f.at)
	case n < 6:
		text := ""
		for range 1 + r.IntN(5) {
			text += string(letters[r.IntN(len(letters))])
		}
		for _, c := range text {
			uitest.Do(func() { d.Shell().Rune(c) })
			d.Frames(r.IntN(2))
		}
		return strconv.Quote(text)
	}
	key := keys[r.IntN(len(keys))]
	if f.at < 0 && (key == "Tab" || key == "Shift+Tab") { // the focus goes on from wherever it is
		key = "Left"
	}
	d.Frames(1)
	d.Keys(key)
	switch key {
	case "Enter", "NumEnter", "Escape":
		f.at = -1
	case "Tab", "Shift+Tab":
		if f.at += 1 - 2*strings.Count(key, "Shift"); f.at == len(f.values) {
			f.at = -1
		}
	}
	return key
}

// Whatever is typed into numbers, in whatever order and however fast: they keep to their ranges, and none of it is a
// shortcut's.
func TestAnyKeysLeaveNumbersInTheirRanges(t *testing.T) {
	number := 200
	if n, err := strconv.Atoi(os.Getenv("BLOSSOM_MANY")); err == nil && n > 0 {
		number = n
	}
	f := newTyped()
	p := &page{t: t, theme: widget.Light(), draw: f.draw}
	d := uitest.Open(t, p, 300, 200, 1)
	for i := range number {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		var done []string
		for range 2 + r.IntN(9) {
			done = append(done, f.stroke(d, r))
			if flaw := f.wrong(); flaw != "" || f.leaked != "" {
				t.Fatalf("sequence %d: %s: %s, to shortcuts %q", i, strings.Join(done, " "), flaw, f.leaked)
			}
		}
		d.Keys("Escape")
		if f.leaked != "" {
			t.Fatalf("sequence %d: %s Escape: to shortcuts %q", i, strings.Join(done, " "), f.leaked)
		}
		f.at = -1
		d.Keys("Escape")
	}
}
