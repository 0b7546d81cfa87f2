package ui

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/ui/desk"
	"blossom/ui/panel"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// nonsense is what gets typed into whatever has the focus.
var nonsense = []string{"NaN", "1e400", "-1e400", "-0", "", "   ", "ß∑日本", "0", "-1", "1e-320", "4097", "1000000000",
	"inf", "1,5", "0x10", "1e", "--", "\t", "\"'\\", strings.Repeat("9", 40), "0.5", "3", "12"}

// leaving are the commands that it does not give: they end the document whose history it looks at.
var leaving = []string{"quit", "close", "close-view", "reopen", "open"}

// monkey does at random what hands and keyboard can do.
type monkey struct {
	t     *testing.T
	a     *App
	d     *uitest.Driver
	r     *rand.Rand
	did   []string
	worst time.Duration
	keys  []string
}

func (m *monkey) note(format string, args ...any) {
	m.did = append(m.did, fmt.Sprintf(format, args...))
}

// last is what it did last, for a report.
func (m *monkey) last(n int) string { return strings.Join(m.did[max(0, len(m.did)-n):], "\n  ") }

// spot is a place in a view, mostly, or anywhere in the window.
func (m *monkey) spot() (x, y float32) {
	var w, h float32
	uitest.Do(func() {
		size := m.a.ctx.Size()
		w, h = size.X, size.Y
		if m.a.desk != nil && m.r.IntN(5) > 0 {
			r := m.a.active().Rect()
			x, y = r.X0, r.Y0
			w, h = r.W(), r.H()
		}
	})
	return x + m.r.Float32()*w, y + m.r.Float32()*h
}

// landmark is where one is on the screen, or any spot.
func (m *monkey) landmark() (x, y float32) {
	n := 0
	uitest.Do(func() { n = parts.Landmarks.Of(m.a.desk.Doc.State()).Len() })
	if n == 0 || m.r.IntN(4) == 0 {
		return m.spot()
	}
	return stand.MarkAt(m.a.desk, m.r.IntN(n))
}

func (m *monkey) act() {
	d, r := m.d, m.r
	switch r.IntN(16) {
	case 0, 1, 2:
		k := m.keys[r.IntN(len(m.keys))]
		m.note("key %s", k)
		d.Keys(k)
	case 3, 4:
		var can []*entry
		uitest.Do(func() {
			for _, c := range everyCommand() {
				if c.Can(m.a) && !slices.Contains(leaving, c.ID) {
					can = append(can, c)
				}
			}
		})
		c := can[r.IntN(len(can))]
		m.note("command %s", c.ID)
		uitest.Do(func() { c.Run(m.a) })
		d.Frames(2)
	case 5, 6, 7:
		var names []string
		uitest.Do(func() { names = m.a.ui.Names() })
		if len(names) == 0 {
			return
		}
		slices.Sort(names)
		name := names[r.IntN(len(names))]
		var c shell.Button
		if r.IntN(6) == 0 {
			c = shell.Right
		}
		m.note("click %d on %s", c, name)
		p := d.Rect(name).Center()
		d.ClickWith(c, p.X, p.Y)
	case 8:
		s := nonsense[r.IntN(len(nonsense))]
		m.note("type %q", s)
		d.Keys("Ctrl+A")
		d.Type(s)
		d.Keys([]string{"Enter", "Esc", "Tab"}[r.IntN(3)])
	case 9, 10, 11:
		x0, y0 := m.landmark()
		x1, y1 := m.spot()
		mod := []string{"", "", "", "Shift", "Ctrl", "Alt"}[r.IntN(6)]
		m.note("drag %s %g,%g to %g,%g", mod, x0, y0, x1, y1)
		if mod == "" {
			d.Drag(x0, y0, x1, y1, 1+r.IntN(4))
		} else {
			d.Hold(mod, func() { d.Drag(x0, y0, x1, y1, 1+r.IntN(4)) })
		}
	case 12: // a drag in which something else happens
		x0, y0 := m.landmark()
		x1, y1 := m.spot()
		k := m.keys[r.IntN(len(m.keys))]
		m.note("drag %g,%g to %g,%g with key %s", x0, y0, x1, y1, k)
		d.Move(x0, y0)
		d.Frames(1)
		d.Press(shell.Left)
		d.Move((x0+x1)/2, (y0+y1)/2)
		d.Keys(k)
		d.Move(x1, y1)
		d.Release(shell.Left)
	case 13:
		x, y := m.landmark()
		mod := []string{"Shift", "Ctrl", "Alt"}[r.IntN(3)]
		b := []shell.Button{shell.Left, shell.Left, shell.Right, shell.Middle}[r.IntN(4)]
		m.note("%s click %d at %g,%g", mod, b, x, y)
		d.Hold(mod, func() { d.ClickWith(b, x, y) })
	case 14:
		x, y := m.spot()
		m.note("wheel at %g,%g", x, y)
		d.Wheel(x, y, r.Float32()*20-10)
	case 15:
		if r.IntN(4) == 0 {
			size := [][2]int{{500, 400}, {1100, 700}, {900, 600}}[r.IntN(3)]
			m.note("resize %v", size)
			d.Resize(size[0], size[1])
		} else {
			m.note("wait")
			d.Frames(1 + r.IntN(20))
		}
	}
}

// check fails the test where something is not as it must always be.
func (m *monkey) check() {
	m.t.Helper()
	var wrong string
	uitest.Do(func() {
		if p := m.a.troubled(); p != nil && strings.Contains(p.Remedy, "report") {
			wrong = p.Error() + "\n" + m.a.log.text()
		}
		if m.a.desk == nil {
			return
		}
		l := parts.Landmarks.Of(m.a.desk.Doc.State())
		if err := l.Validate(); err != nil {
			wrong = err.Error()
		}
		if l.Len() < 1 {
			wrong = "no landmarks"
		}
	})
	if wrong != "" {
		m.t.Fatalf("%s, after\n  %s", wrong, m.last(12))
	}
}

// TestMonkey: whatever is pressed, clicked, dragged and typed, at once and in any order, the program stays up, its
// landmarks are sound, and undoing all leads to the map that was there first.
func TestMonkey(t *testing.T) {
	steps, seed := 150, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("BLOSSOM_MONKEY")); err == nil {
		steps = n
	}
	if n, err := strconv.Atoi(os.Getenv("BLOSSOM_MONKEY_SEED")); err == nil {
		seed = uint64(n)
	}
	home := t.TempDir()
	t.Chdir(home)
	t.Setenv("HOME", home)
	a, d := beginTraining(t, 1100, 700, 1, Options{Paths: []string{"demo:cytometry:1500"}})
	opened(t, a, d)
	goroutines := runtime.NumGoroutine()
	m := &monkey{t: t, a: a, d: d, r: rand.New(rand.NewPCG(seed, 7))}
	var doc *state.Document
	var first, last *landmark.Set
	uitest.Do(func() {
		doc = a.desk.Doc
		for doc.Undo() != "" {
		}
		first = parts.Landmarks.Of(doc.State())
		for doc.Redo() != "" {
		}
		for _, p := range panel.Kinds() {
			a.ui.Open[p.ID] = true
		}
		for _, c := range everyCommand() {
			for _, k := range c.Keys {
				if !slices.Contains(leaving, c.ID) && k != "?" && k != "+" {
					m.keys = append(m.keys, k)
				}
			}
		}
	})
	m.keys = append(m.keys, "Esc", "Enter", "Esc", "Enter", "Home", "End", "PageDown", "O", "Space", "Ctrl+Z", "Ctrl+Y")
	t.Cleanup(func() {
		if t.Failed() {
			_ = os.WriteFile(filepath.Join(os.TempDir(), "monkey.txt"), []byte(strings.Join(m.did, "\n")), 0o600)
		}
	})
	defer func() {
		if v := recover(); v != nil {
			t.Fatalf("%v\nlog %s\nafter\n  %s", v, a.log.text(), m.last(12))
		}
	}()
	for i := range steps {
		start := time.Now()
		m.act()
		if took := time.Since(start); took > m.worst {
			m.worst = took
			t.Logf("step %d took %v: %s", i, took.Round(time.Millisecond), m.last(1))
		}
		m.check()
		if i%40 == 39 {
			m.kept()
		}
		if a.desk == nil {
			t.Fatalf("the document is closed after\n  %s", m.last(12))
		}
		if i%17 == 0 { // get out of dialogs
			for range 4 {
				d.Keys("Esc")
			}
		}
	}
	for range 6 {
		d.Keys("Esc")
	}
	uitest.Do(func() { a.dialogs.Close("question", "problem") })
	if a.desk.Doc != doc {
		t.Skip("another document was opened")
	}
	uitest.Do(func() {
		for _, k := range desk.RunKinds() {
			for _, r := range k.InSight(a.desk) {
				r.Pause()
			}
		}
		for doc.Redo() != "" { // the last thing done may have been to undo another, or to go to a former moment
		}
		h := doc.History()
		last = parts.Landmarks.Of(doc.State())
		t.Logf("%d entries, %d landmarks", h.Len(), parts.Landmarks.Of(doc.State()).Len())
		for doc.Undo() != "" {
		}
		if got := parts.Landmarks.Of(doc.State()); !slices.Equal(got.Codebook.Data, first.Codebook.Data) ||
			!slices.Equal(got.Pos.Data, first.Pos.Data) || !slices.Equal(got.Edges, first.Edges) {
			t.Error("undoing all does not lead to the first map")
		}
		for doc.Redo() != "" {
		}
		if got := parts.Landmarks.Of(doc.State()); !slices.Equal(got.Codebook.Data, last.Codebook.Data) ||
			!slices.Equal(got.Pos.Data, last.Pos.Data) || !slices.Equal(got.Edges, last.Edges) {
			t.Error("doing all again does not lead to the last map")
		}
	})
	d.Frames(20)
	m.check()
	if n := runtime.NumGoroutine(); n > goroutines+8 {
		buf := make([]byte, 1<<20)
		t.Errorf("%d goroutines, %d at first\n%s", n, goroutines, buf[:runtime.Stack(buf, true)])
	}
	t.Logf("the slowest step took %v", m.worst)
}

// kept fails the test if the document is another one when it has been saved and opened.
func (m *monkey) kept() {
	m.t.Helper()
	doc := m.a.desk.Doc
	var b bytes.Buffer
	var s *session.Session
	var err error
	uitest.Do(func() {
		if s, err = session.Full(doc, "m.blossom", "test", time.Now(), nil); err == nil {
			err = s.Write(&b)
		}
	})
	if err == nil {
		s, err = session.Read(&b, "m.blossom")
	}
	if err != nil {
		m.t.Fatalf("%v, after\n  %s", err, m.last(12))
	}
	got, notes, err := s.Document(doc.Data, "m.blossom")
	if err != nil || len(notes) > 0 {
		m.t.Fatalf("%v %q, after\n  %s", err, notes, m.last(12))
	}
	x, y := parts.Landmarks.Of(got.State()), parts.Landmarks.Of(doc.State())
	if !slices.Equal(x.Codebook.Data, y.Codebook.Data) || !slices.Equal(x.Pos.Data, y.Pos.Data) ||
		!slices.Equal(x.Edges, y.Edges) || got.History().Len() != doc.History().Len() {
		m.t.Fatalf("another document is opened than was saved, after\n  %s", m.last(12))
	}
}

// A bar may end with a text: moments of different transforms are compared, and the bar says why only now is shown.
func TestCompareAcrossTransforms(t *testing.T) {
	a, d := begin(t, 500, 400, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		a.settings.Sidebar = true
		open(a, "data")
	})
	d.Resize(1100, 700)
	d.ClickOn("side bar/data/0/box")
	rest(t, a, d)
	d.Keys("C")
	d.Resize(500, 400)
	d.Frames(10)
	if !a.desk.Compare.On() || a.desk.Compare.Why() == "" {
		t.Fatalf("not compared, or it is not said what differs: %v", a.desk.Compare.On())
	}
	if a.troubled() != nil {
		t.Fatal(a.troubled())
	}
}
