package widget_test

import (
	"fmt"
	"strings"
	"testing"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// A toast says all of its text beside or above its links, in wide views and in narrow ones, at every scale; none lies
// over what toasts are to spare.
func TestToastsKeepTheirTextClearOfTheirLinks(t *testing.T) {
	words := strings.Fields("The sample of the fourteenth of March 100715.fcs is kept under File, Reopen, with its " +
		"history and here a selection of landmarks incomprehensibilities")
	for _, scale := range []float32{1, 1.25, 2} {
		area, spare := widget.Rect{}, widget.Rect{}
		p := &page{t: t, theme: widget.Light(), draw: func(u *widget.UI, c *shell.Context) { u.ToastsIn(area, spare) }}
		d := uitest.Open(t, p, 1100, 700, scale)
		for width := float32(180); width < 1000; width += 37 {
			for n := 2; n <= len(words); n += 3 {
				area = widget.R(20, 30, width*scale, 600*scale)
				spare = widget.R(20, 30, width*scale, float32(n)*8)
				uitest.Do(func() {
					p.u.HushAll(t)
					p.u.Toast(widget.Toast{Text: strings.Join(words[:n], " "), For: -1, Of: t,
						Actions: []widget.ToastAction{{Label: "Change"}, {Label: "Undo"}}})
				})
				d.Frames(2)
				at := func(part string) (r widget.Rect) {
					uitest.Do(func() {
						for _, name := range p.u.Names() {
							if strings.HasPrefix(name, "toast ") && strings.HasSuffix(name, part) &&
								(part != "" || !strings.Contains(name, "/")) {
								r, _ = p.u.Rect(name)
							}
						}
					})
					return r
				}
				text, change, undo, all := at("/text"), at("/Change"), at("/Undo"), at("")
				what := fmt.Sprintf("%d words in %g at %g", n, width, scale)
				if text.Empty() || change.Empty() || undo.Empty() || text.Inset(-8*scale, 0).Overlaps(change) ||
					change.Overlaps(undo) {
					t.Fatalf("%s: the text at %v, links at %v and %v", what, text, change, undo)
				}
				if text.X1 > all.X1 || text.Y1 > all.Y1 || undo.X1 > all.X1 && width > 220 || undo.Y1 > all.Y1 {
					t.Fatalf("%s: the text at %v, a link at %v of %v", what, text, undo, all)
				}
				if all.Overlaps(spare) {
					t.Fatalf("%s: it lies at %v over %v", what, all, spare)
				}
			}
		}
		d.End()
	}
}

// The name of a number is shown whole, also in a narrow panel: it takes its room from the track.
func TestTheNameOfANumberIsShownWhole(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		width, v := float32(0), 0.1
		p := &page{t: t, theme: widget.Dark(), draw: func(u *widget.UI, c *shell.Context) {
			u.Area("side", widget.R(0, 0, width*scale, 300*scale), widget.AreaOpts{PadX: 12}, func() {
				u.Slider("Least distance", &v, widget.Param{Max: 5}, "")
			})
		}}
		d := uitest.Open(t, p, 600, 400, scale)
		for width = 200; width < 420; width += 12 {
			d.Frames(2)
			var need float32
			uitest.Do(func() { need = p.u.Width(widget.Body, "Least distance") })
			if r := d.Rect("side/Least distance/label"); r.W() < need {
				t.Errorf("in %g points at %g it has %g of %g", width, scale, r.W(), need)
			}
		}
		d.End()
	}
}

// A toast that goes lets the others stay where they are while the mouse is over them: a second click hits none of them.
func TestToastsStayUnderTheMouse(t *testing.T) {
	d, _, p := openBench(t)
	uitest.Do(func() {
		for _, text := range []string{"one", "two", "three"} {
			p.u.Toast(widget.Toast{Key: text, Text: text, For: -1})
		}
	})
	d.Frames(3)
	first, second, third := d.Rect("toast 1"), d.Rect("toast 2"), d.Rect("toast 3")
	at := d.Rect("toast 1/close").Center()
	for range 2 {
		d.Click(at.X, at.Y)
		d.Frames(3)
	}
	if d.Has("toast 1") || d.Rect("toast 2") != second || d.Rect("toast 3") != third {
		t.Fatalf("they have moved: %v, %v", d.Rect("toast 2"), d.Rect("toast 3"))
	}
	uitest.Do(func() { p.u.Hush("two") })
	d.Frames(3)
	if d.Rect("toast 3") != third {
		t.Errorf("it has moved when another was hidden: %v", d.Rect("toast 3"))
	}
	d.Move(10, 690)
	d.Frames(3)
	if got := d.Rect("toast 3"); got.Y0 != first.Y0 {
		t.Errorf("without the mouse it does not move up: %v", got)
	}
}
