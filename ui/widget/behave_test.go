package widget_test

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// bench is a small app with one control of each kind, in a side bar over a canvas.
type bench struct {
	v, n, lo, hi float64
	p            widget.Param
	on           bool
	seg, pick    int
	text         string
	edits        []widget.Edit
	check        widget.CheckHit
	clicks       map[string]int
	modal        bool
	chosen       int
	items        []widget.ComboItem
	canvas       widget.CanvasHit
	onCanvas     []shell.Event
}

func newBench() *bench {
	b := &bench{v: 5, n: 3, lo: 10, hi: 90, p: widget.Param{Min: 0, Max: 10, Default: 2, Format: "%.2f"},
		clicks: map[string]int{}, pick: -1, chosen: -1}
	for i := range 40 {
		b.items = append(b.items, widget.ComboItem{Name: "Column " + string(rune('A'+i%26)) + string(rune('a'+i/26)),
			Secondary: "dye"})
	}
	return b
}

func (b *bench) draw(u *widget.UI, c *shell.Context) {
	win := c.Size()
	side := win.X - u.Pt(300)
	b.canvas = u.Canvas("map", widget.Rect{X0: 0, Y0: 0, X1: win.X, Y1: win.Y}, nil)
	for _, e := range c.Events() {
		if e.Kind == shell.MouseDown && u.OnCanvas(b.canvas.Rect, e.Pos) {
			b.onCanvas = append(b.onCanvas, e)
		}
	}
	click := func(name string, yes bool) {
		if yes {
			b.clicks[name]++
		}
	}
	u.Area("side", widget.Rect{X0: side, Y0: 0, X1: win.X, Y1: win.Y}, widget.AreaOpts{PadX: 12, Scroll: true}, func() {
		u.Panel("Main", widget.PanelOpts{}, func() {
			if e := u.Slider("Value", &b.v, b.p, "tip"); e.Changed || e.Active || e.Committed {
				b.edits = append(b.edits, e)
			}
			if e := u.RangeSlider("Range", &b.lo, &b.hi, widget.Param{Min: 0, Max: 100, Integer: true}, nil,
				""); e.Changed || e.Committed {
				b.edits = append(b.edits, e)
			}
			u.NumberField("Number", &b.n, widget.Param{Min: 1, Max: 9, Default: 3, Integer: true}, "")
			b.check = u.Check("Box", &b.on, widget.CheckOpts{Note: "role", NoteMenu: true})
			click("note", b.check.Note)
			click("right", b.check.Right)
			click("go", u.Button("Go", widget.ButtonOpts{Kind: widget.Primary, Tip: "Go on\tCtrl+G"}))
			click("off", u.Button("Off", widget.ButtonOpts{Disabled: true, Tip: "not now"}))
			click("segment", u.Segmented("seg", []string{"one", "two"}, &b.seg, ""))
			click("combo", u.Combo("pick", b.items, &b.pick, widget.ComboOpts{}))
			if e := u.TextField("text", &b.text, widget.FieldOpts{}); e.Committed {
				b.clicks["text"]++
			}
			_, rm := u.Chip("chip", widget.ChipOpts{Remove: true})
			click("remove", rm)
		})
	})
	ok := u.Modal("Really", &b.modal, widget.ModalOpts{Buttons: []widget.ModalButton{{Label: "No"},
		{Label: "Yes", Kind: widget.Primary}}}, func() { u.Label("Really?") })
	if ok >= 0 {
		b.chosen = ok
	}
}

func openBench(t *testing.T) (*uitest.Driver, *bench, *page) {
	b := newBench()
	p := &page{t: t, theme: widget.Light(), draw: b.draw}
	return uitest.Open(t, p, 800, 700, 1), b, p
}

func TestSliderDragIsOneEdit(t *testing.T) {
	d, b, _ := openBench(t)
	r := d.Rect("Value/track")
	y := r.Center().Y
	d.Drag(r.Center().X, y, r.X1-1, y, 8)
	if b.v != 10 {
		t.Errorf("dragged to the end: %v, want 10", b.v)
	}
	changed, committed := 0, 0
	for i, e := range b.edits {
		if e.Changed {
			changed++
		}
		if e.Committed {
			committed++
			if i != len(b.edits)-1 || e.Active {
				t.Errorf("committed at edit %d of %d, active %v: want the last one, released", i, len(b.edits),
					e.Active)
			}
		}
	}
	if changed < 4 || committed != 1 {
		t.Errorf("%d changes and %d commits, want several and 1", changed, committed)
	}
	b.edits = nil
	d.Click(r.X1-7, y) // on the knob: nothing moves
	for _, e := range b.edits {
		if e.Changed || e.Committed {
			t.Errorf("a click on the knob changed the value: %+v", e)
		}
	}
	d.Sleep(time.Second) // no double click
	d.Drag(r.X1-7, y, r.X0-200, y+300, 5)
	if b.v != 0 {
		t.Errorf("dragged far to the left: %v, want 0", b.v)
	}
}

func TestSliderSetsWhatItShows(t *testing.T) {
	d, b, _ := openBench(t)
	r := d.Rect("Value/track")
	for x := r.X0 + 10; x < r.X1-10; x += 7.3 {
		d.Click(x, r.Center().Y)
		if math.Abs(b.v*100-math.Round(b.v*100)) > 1e-9 {
			t.Fatalf("value %v is not one of two decimals", b.v)
		}
		d.Shell().Advance(time.Second) // no double clicks
	}
}

func TestSliderDoubleClickResets(t *testing.T) {
	d, b, _ := openBench(t)
	c := d.Rect("Value/track").Center()
	d.DoubleClick(c.X+20, c.Y)
	if b.v != 2 {
		t.Errorf("after a double click %v, want the default 2", b.v)
	}
	d.Sleep(time.Second)
	d.Enter("Value", "7")
	l := d.Rect("Value/label").Center()
	d.DoubleClick(l.X, l.Y)
	if b.v != 2 {
		t.Errorf("after a double click on the label %v, want the default 2", b.v)
	}
}

func TestShiftDragsFiner(t *testing.T) {
	d, b, _ := openBench(t)
	r := d.Rect("Value/track")
	c := r.Center()
	d.Hold("Shift", func() { d.Drag(c.X, c.Y, c.X+40, c.Y, 5) })
	full := 10 * 40 / float64(r.W()-12)
	if got := b.v - 5; math.Abs(got-full/10) > 0.03 {
		t.Errorf("moved by %v, want a tenth of %v", got, full)
	}
}

// Everything of a drag can happen between two frames, and Esc takes it back.
func TestFastDragAndEsc(t *testing.T) {
	d, b, _ := openBench(t)
	r := d.Rect("Value/track")
	c := r.Center()
	d.Move(c.X, c.Y)
	d.Frames(1)
	d.Press(shell.Left)
	uitest.Do(func() {
		d.Shell().Move(r.X1+50, c.Y)
		d.Shell().Button(shell.Left, false)
	})
	d.Frames(4)
	if b.v != 10 || !b.edits[len(b.edits)-1].Committed {
		t.Errorf("moved to the end and released in one frame: %v", b.v)
	}
	d.Sleep(time.Second)
	b.edits = nil
	d.Move(r.X1-7, c.Y)
	d.Press(shell.Left)
	d.Move(c.X, c.Y)
	if b.v == 10 {
		t.Error("the drag did not begin")
	}
	d.Keys("Esc")
	d.Move(r.X0, c.Y)
	d.Release(shell.Left)
	d.Frames(2)
	if b.v != 10 {
		t.Errorf("after Esc %v, want 10", b.v)
	}
	for _, e := range b.edits {
		if e.Committed {
			t.Error("a drag that was taken back was committed")
		}
	}
}

// Type nonsense into every number: the old value stays; what is out of range is clamped.
func TestTypedNumbers(t *testing.T) {
	d, b, _ := openBench(t)
	for _, c := range []struct {
		text string
		want float64
	}{
		{"7.5", 7.5}, {"1,25", 1.25}, {"99", 10}, {"-3", 0}, {"1e1", 10}, {" 4 ", 4}, {"", 4}, {"nonsense", 4},
		{"NaN", 4},
		{"Inf", 4}, {"0x10", 4}, {"1_0", 4}, {"3.3.3", 4}, {"1e999", 4}, {"−2", 0}, {"🙂", 0},
		{strings.Repeat("9", 60), 10},
	} {
		d.Enter("Value", c.text)
		if b.v != c.want {
			t.Errorf("typed %.20q: %v, want %v", c.text, b.v, c.want)
		}
	}
	d.ClickOn("Value/value")
	d.Frames(2)
	d.Keys("Ctrl+A")
	d.Type("5")
	d.Keys("Esc")
	if b.v != 10 {
		t.Errorf("Esc took the typed value over: %v", b.v)
	}
	d.ClickOn("Value/value")
	d.Frames(2)
	d.Keys("Ctrl+A")
	d.Type("6")
	d.Click(100, 300) // elsewhere
	if b.v != 6 {
		t.Errorf("leaving the field: %v, want 6", b.v)
	}
	d.Enter("Number", "4.6")
	if b.n != 5 {
		t.Errorf("a whole number typed as 4.6: %v, want 5", b.n)
	}
}

func TestOutOfRangeIsPutRight(t *testing.T) {
	d, b, _ := openBench(t)
	for _, v := range []float64{math.NaN(), math.Inf(1), 1e38, -7} {
		b.v = v
		d.Frames(1)
		if !(b.v >= 0 && b.v <= 10) {
			t.Errorf("%v became %v", v, b.v)
		}
	}
}

func TestRangeNeverCrosses(t *testing.T) {
	d, b, _ := openBench(t)
	r := d.Rect("Range/track")
	y := r.Center().Y
	at := func(v float64) float32 { return r.X0 + 6 + float32(v/100)*(r.W()-12) }
	d.Drag(at(10), y, at(95), y, 6)
	if b.lo != 89 || b.hi != 90 {
		t.Errorf("low knob over the high one: %v to %v, want 89 to 90: a hundredth stays between them", b.lo, b.hi)
	}
	d.Sleep(time.Second)
	d.Drag(at(90), y, at(40), y, 6) // both knobs are near: the nearest one moves
	if b.lo > b.hi {
		t.Errorf("crossed: %v to %v", b.lo, b.hi)
	}
}

func TestClicks(t *testing.T) {
	d, b, _ := openBench(t)
	d.ClickOn("Main/Go")
	d.ClickOn("Main/Off")
	d.ClickOn("Main/Box")
	d.ClickOn("Main/Box/note")
	c := d.Rect("Main/Box").Center()
	d.ClickWith(shell.Right, c.X, c.Y)
	d.ClickOn("Main/seg/two")
	d.ClickOn("Main/chip/remove")
	if b.clicks["go"] != 1 || b.clicks["off"] != 0 || !b.on || b.clicks["note"] != 1 || b.clicks["right"] != 1 ||
		b.seg != 1 || b.clicks["remove"] != 1 {
		t.Errorf("clicks %v, on %v, segment %d", b.clicks, b.on, b.seg)
	}
}

func TestComboSearch(t *testing.T) {
	d, b, _ := openBench(t)
	d.ClickOn("Main/pick")
	d.Frames(3)
	d.Type("dye cb")
	d.Keys("Enter")
	if b.pick < 0 || b.items[b.pick].Name != "Column Cb" {
		t.Errorf("chose %d, want Column Cb", b.pick)
	}
	d.Frames(3)
	d.ClickOn("Main/pick")
	d.Frames(3)
	d.Keys("Down")
	d.Keys("Enter")
	if b.items[b.pick].Name != "Column Db" {
		t.Errorf("after Down and Enter %q, want Column Db", b.items[b.pick].Name)
	}
	d.ClickOn("Main/pick")
	d.Frames(3)
	before := b.pick
	d.Type("zzz")
	d.Keys("Enter")
	d.Keys("Esc")
	d.Keys("Esc")
	d.Frames(2)
	if b.pick != before {
		t.Error("a search without results chose something")
	}
	var open bool
	uitest.Do(func() { open = imgui.IsPopupOpenStrV("", imgui.PopupFlags(imgui.PopupFlagsAnyPopup)) })
	if open {
		t.Error("Esc did not close the list")
	}
}

// Enter takes the entry whose very name was typed, before those whose names begin so and the one chosen now.
func TestComboSearchTakesTheVeryName(t *testing.T) {
	d, b, _ := openBench(t)
	uitest.Do(func() {
		b.items = append([]widget.ComboItem{{Name: "CD45", Secondary: "BUV395-A"}, {Name: "CD4", Secondary: "BUV563-A"},
			{Name: "CD4", Secondary: "BV421-A"}}, b.items...)
		b.pick = 0
	})
	for _, c := range []struct {
		typed string
		want  int
	}{{"cd4", 1}, {"bv421-a", 2}, {"CD45", 0}, {"cd", 0}} {
		d.ClickOn("Main/pick")
		d.Frames(3)
		d.Type(c.typed)
		d.Keys("Enter")
		d.Frames(3)
		if b.pick != c.want {
			t.Errorf("%q chose entry %d, want %d", c.typed, b.pick, c.want)
		}
	}
}

func TestTextFieldEsc(t *testing.T) {
	d, b, _ := openBench(t)
	d.ClickOn("Main/text")
	d.Type("αβ x")
	d.Keys("Enter")
	if b.text != "αβ x" || b.clicks["text"] != 1 {
		t.Errorf("typed %q, commits %d", b.text, b.clicks["text"])
	}
	d.ClickOn("Main/text")
	d.Type("other")
	d.Keys("Esc")
	if b.text != "αβ x" || b.clicks["text"] != 1 {
		t.Errorf("after Esc %q, commits %d", b.text, b.clicks["text"])
	}
}

func TestModal(t *testing.T) {
	d, b, _ := openBench(t)
	b.modal = true
	d.Frames(3)
	go0 := b.clicks["go"]
	d.ClickOn("Main/Go")
	d.Click(50, 50)
	if b.clicks["go"] != go0 || len(b.onCanvas) != 0 {
		t.Error("a click went through a dialog")
	}
	d.Keys("Esc")
	if b.modal || b.chosen != -1 {
		t.Errorf("after Esc: open %v, chosen %d", b.modal, b.chosen)
	}
	b.modal = true
	d.Frames(3)
	d.Keys("Enter")
	if b.modal || b.chosen != 1 {
		t.Errorf("after Enter: open %v, chosen %d", b.modal, b.chosen)
	}
	b.modal = true
	d.Frames(3)
	d.ClickOn("Really/No")
	if b.modal || b.chosen != 0 {
		t.Errorf("after No: open %v, chosen %d", b.modal, b.chosen)
	}
	b.modal = true
	d.Frames(3)
	b.modal = false
	d.Frames(3)
	d.ClickOn("Main/Go")
	if b.clicks["go"] != go0+1 {
		t.Error("a dialog that the program closed still takes clicks")
	}
}

func TestClicksOnTheSideBarDoNotReachTheMap(t *testing.T) {
	d, b, _ := openBench(t)
	d.ClickOn("Main/Go")
	if len(b.onCanvas) != 0 {
		t.Error("a click on the side bar reached the map")
	}
	d.Click(200, 300)
	if len(b.onCanvas) != 1 {
		t.Errorf("%d clicks on the map, want 1", len(b.onCanvas))
	}
}

func TestPanelRemembersAndTipAppears(t *testing.T) {
	d, _, p := openBench(t)
	d.MoveTo("Main/Go")
	d.Sleep(300 * time.Millisecond)
	if d.Has("tooltip") {
		t.Error("the tooltip came too soon")
	}
	d.Sleep(300 * time.Millisecond)
	if !d.Has("tooltip") {
		t.Error("no tooltip")
	}
	d.MoveTo("Main/Off")
	d.Sleep(600 * time.Millisecond)
	if !d.Has("tooltip") {
		t.Error("no tooltip on a disabled button")
	}
	d.ClickOn("side/Main")
	if d.Has("Main/Go") || p.u.Open["Main"] {
		t.Error("a click on the title did not close the panel")
	}
	d.ClickOn("side/Main")
	if !d.Has("Main/Go") || !p.u.Open["Main"] {
		t.Error("a second click did not open it")
	}
}

// Keys move the focus only after Tab; before, a Space belongs to the app.
func TestKeyboard(t *testing.T) {
	d, b, p := openBench(t)
	number := func() (v bool) {
		uitest.Do(func() { v = p.u.Takes(imgui.Key2, false, false) })
		return v
	}
	taken := func() (v bool) {
		uitest.Do(func() { v = imgui.CurrentContext().NavCursorVisible() })
		return v
	}
	d.ClickOn("Main/Go")
	n := b.clicks["go"]
	d.Keys("Space")
	if b.clicks["go"] != n || taken() {
		t.Errorf("Space pressed the button that was clicked last: %d clicks, taken %v", b.clicks["go"]-n, taken())
	}
	d.Keys("Tab")
	if !taken() {
		t.Fatal("Tab did not give the keyboard to the controls")
	}
	for range 30 { // to the value
		var focused bool
		before := b.v
		d.Keys("Right")
		focused = b.v != before
		if focused {
			break
		}
		d.Keys("Tab")
	}
	d.Picture("focus", "Main/panel")
	if !number() {
		t.Error("what is typed with a slider in the focus is for shortcuts")
	}
	if b.v == 5 {
		t.Error("the arrow keys never moved the slider")
	}
	d.Keys("Esc")
	if taken() || number() {
		t.Error("Esc did not give the keyboard back")
	}
}

func TestToastsGo(t *testing.T) {
	d, _, p := openBench(t)
	undone := 0
	uitest.Do(func() {
		p.u.Toast(widget.Toast{Text: "done", Actions: []widget.ToastAction{{Label: "Undo", Do: func() { undone++ }}}})
	})
	d.Frames(3)
	d.ClickOn("toast 1/Undo")
	if undone != 1 || d.Has("toast 1") {
		t.Errorf("undone %d times, still there: %v", undone, d.Has("toast 1"))
	}
	uitest.Do(func() { p.u.Toast(widget.Toast{Text: "done"}) })
	d.Move(10, 690)
	d.Sleep(5 * time.Second)
	if !d.Has("toast 2") {
		t.Error("a toast went too soon")
	}
	d.Sleep(2 * time.Second)
	if d.Has("toast 2") {
		t.Error("a toast stays")
	}
	uitest.Do(func() {
		for range 10 {
			p.u.Toast(widget.Toast{Key: "same", Text: "again"})
		}
	})
	d.Frames(3)
	n := 0
	for _, s := range p.u.Names() {
		if strings.HasPrefix(s, "toast ") && !strings.Contains(s, "/") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d toasts of one key", n)
	}
}

// An interface at rest asks for no frames.
func TestRest(t *testing.T) {
	d, _, _ := openBench(t)
	d.Settle()
	var w shell.Wake
	uitest.Do(func() { w = d.Shell().Wake() })
	if w != shell.Idle {
		t.Errorf("at rest the next frame is wanted in %v, want never", time.Duration(w))
	}
}

// Whatever the size and scale of the window, nothing panics, and ImGui is used rightly.
func TestAwkwardWindows(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		scale float32
	}{{500, 400, 1}, {500, 400, 2}, {120, 90, 1}, {2, 2, 1}, {1000, 60, 1.25}, {60, 1000, 1.75}} {
		for _, draw := range []func(*widget.UI, *shell.Context){newSketch().draw, newControls().draw, newBench().draw} {
			p := &page{t: t, theme: widget.Dark(), draw: draw}
			t.Run("", func(t *testing.T) {
				p.t = t
				d := uitest.Open(t, p, c.w, c.h, c.scale)
				d.Click(float32(c.w)/2, float32(c.h)/2)
				d.Keys("Tab")
				d.Keys("Space")
				d.Keys("Esc")
				d.Wheel(float32(c.w)-4, float32(c.h)/2, -3)
				d.Frames(3)
			})
		}
	}
}

// Text that does not fit is cut between characters and is never wider than its place.
func TestFit(t *testing.T) {
	texts := []string{"", "a", "Alexa Fluor 700-A", "γδ→≤𝛼🙂éé", strings.Repeat("W", 300), "a b c d e",
		"\xff\xfe broken"}
	p := &page{t: t, theme: widget.Light()}
	p.draw = func(u *widget.UI, _ *shell.Context) {
		for _, s := range texts {
			for _, f := range []widget.Face{widget.Body, widget.Small, widget.Display} {
				for w := float32(0); w < 120; w += 3.7 {
					cut := u.Fit(f, s, w)
					if got := u.Width(f, cut); got > w+0.5 {
						t.Errorf("%.20q cut to %q is %v wide, not %v", s, cut, got, w)
					}
					if cut != s && cut != "" && !strings.HasSuffix(cut, "…") {
						t.Errorf("%.20q cut to %q without an ellipsis", s, cut)
					}
					if utf8.ValidString(s) && !utf8.ValidString(cut) {
						t.Errorf("%.20q cut within a character: %q", s, cut)
					}
				}
				if u.Fit(f, s, 1e6) != s {
					t.Errorf("%.20q was cut though there is room", s)
				}
			}
		}
	}
	uitest.Open(t, p, 200, 200, 1)
}
