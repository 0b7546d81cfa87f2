package widget_test

import (
	"fmt"
	"testing"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// fields is a form of numbers and a text, and notes the keys that would reach shortcuts.
func fields(t *testing.T) (d *uitest.Driver, numbers []float64, text *string, leaked *string) {
	numbers, text, leaked = []float64{1, 2, 3}, new(string), new(string)
	p := &page{t: t, theme: widget.Light(), draw: func(u *widget.UI, c *shell.Context) {
		u.Area("form", widget.R(0, 0, 300, 200), widget.AreaOpts{}, func() {
			for i := range numbers {
				label := fmt.Sprint("Number ", i)
				u.Slider(label, &numbers[i], widget.Param{Min: 0, Max: 1000, Default: 5, Integer: true}, "")
				if i == 1 {
					u.TextField("Text", text, widget.FieldOpts{})
				}
			}
		})
		for _, e := range c.Events() {
			if e.Kind == shell.Char && !imgui.CurrentIO().WantTextInput() {
				*leaked += string(e.Rune)
			}
		}
	}}
	return uitest.Open(t, p, 300, 200, 1), numbers, text, leaked
}

// Tab takes over what was typed and types into the next field, Shift+Tab into the one before, numbers and texts alike,
// and no key that is typed on meanwhile is another's.
func TestTabTypesIntoTheNextField(t *testing.T) {
	d, numbers, text, leaked := fields(t)
	d.ClickOn("Number 0/value")
	d.Type("12")
	d.Keys("Tab")
	d.Type("34")
	d.Keys("Tab")
	d.Type("abc")
	d.Keys("Tab")
	d.Type("56")
	d.Keys("Shift+Tab")
	d.Type("xyz")
	d.Keys("Shift+Tab")
	d.Type("78")
	d.Keys("Enter")
	if fmt.Sprint(numbers) != "[12 78 56]" || *text != "xyz" || *leaked != "" {
		t.Errorf("numbers %v, text %q, and %q went to shortcuts", numbers, *text, *leaked)
	}
}

// After the last field Tab leaves it, with its number, and before the first.
func TestTabLeavesTheLastField(t *testing.T) {
	d, numbers, _, _ := fields(t)
	d.ClickOn("Number 2/value")
	d.Type("7")
	d.Keys("Tab")
	d.ClickOn("Number 0/value")
	d.Type("8")
	d.Keys("Shift+Tab")
	d.Frames(3)
	if fmt.Sprint(numbers) != "[8 2 7]" {
		t.Errorf("numbers %v", numbers)
	}
}
