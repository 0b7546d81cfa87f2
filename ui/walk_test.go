package ui

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"blossom/render"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// asides are packages that a walk may pass through without being a part of the way, with the reason.
var asides = map[string]string{
	"blossom/ui/shell":                 "hands over the events of a frame and calls for it: the walk begins above it",
	"blossom/ui/uitest":                "is the hand, in tests",
	"blossom/model/document/parts":     "values and their kinds: decides nothing",
	"blossom/model/landmarks/landmark": "values: moved landmarks are computed there and returned",
	"blossom/model/work/schedule":      "decides which range is next; it calls what live gives it and knows no engine",
}

// way are the packages on the stack, from the frame down to what it has come to, each as often as it is entered.
func way(pcs []uintptr) (out []string) {
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		pkg := f.Function
		if slash := strings.LastIndex(pkg, "/"); slash >= 0 {
			if dot := strings.Index(pkg[slash:], "."); dot >= 0 {
				pkg = pkg[:slash+dot]
			}
		}
		if strings.HasPrefix(pkg, "blossom/") && asides[pkg] == "" && !strings.HasSuffix(f.File, "_test.go") &&
			(len(out) == 0 || out[len(out)-1] != pkg) {
			out = append(out, pkg)
		}
		if !more {
			slices.Reverse(out)
			return out
		}
	}
}

// A landmark that is dragged goes from the event of the mouse to the vertex buffer, and on to the picture, through
// six packages, and comes back into none: a view turns input into what happens on the map, the document changes a
// part, live asks for ranges, the engine writes to the embedding's buffer and says so itself, the view draws. What is
// measured are the stacks when the document begins to change, when OpenGL is given new positions, and when it draws.
func TestWalkOfADraggedLandmark(t *testing.T) {
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{"demo:tesseract:3000"}, Still: true, Draw: render.OpenGL})
	opened(t, a, d)
	buffer := a.mapPoints()
	// next notes the stack when OpenGL next touches the vertex buffer.
	next := func() *[]string {
		var stack []string
		uitest.Do(func() {
			buffer.Borrow(func() {
				if stack == nil {
					pcs := make([]uintptr, 64)
					stack = way(pcs[:runtime.Callers(1, pcs)])
				}
			})
		})
		return &stack
	}
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 100)
	d.Move(x, y)
	d.Press(shell.Left)
	rest(t, a, d)

	before := buffer.Changes()
	change := stackOfAllocation(t, "blossom/model/document/state.(*Document).Begin", func() { d.Move(x+6, y+4) })
	if buffer.Changes() == before {
		t.Fatal("the drag moved no point in its frame")
	}
	write := next()
	d.Move(x+30, y+20)
	if *write == nil {
		t.Fatal("OpenGL got no positions in the frame of the drag")
	}
	rest(t, a, d)
	draw := next()
	uitest.Do(a.active().Redraw)
	d.Frames(2)
	d.Release(shell.Left)

	var walk []string
	for _, step := range []struct {
		what  string
		stack []string
		want  []string
	}{
		{"the document changes", change, []string{"blossom/ui", "blossom/ui/view", "blossom/model/document/state"}},
		{"the engine writes", *write,
			[]string{"blossom/ui", "blossom/model/live", "blossom/gpu/cpu", "blossom/render"}},
		{"the view draws", *draw, []string{"blossom/ui", "blossom/ui/view", "blossom/render"}},
	} {
		t.Logf("%s: %s", step.what, strings.Join(step.stack, " > "))
		if !slices.Equal(step.stack, step.want) {
			t.Errorf("%s: the way is %v, it should be %v", step.what, step.stack, step.want)
		}
		for i, p := range step.stack {
			if slices.Contains(step.stack[:i], p) {
				t.Errorf("%s: %s is entered again", step.what, p)
			}
			if !slices.Contains(walk, p) {
				walk = append(walk, p)
			}
		}
	}
	if len(walk) > 6 {
		t.Errorf("the walk goes through %d packages: %v", len(walk), walk)
	}
}

// stackOfAllocation runs f and returns the stack on which a function allocated meanwhile.
func stackOfAllocation(t *testing.T, function string, f func()) []string {
	t.Helper()
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 1
	f()
	runtime.MemProfileRate = rate
	runtime.GC() // the profile is as of the collection before the last
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 100_000)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		t.Fatalf("%d records of memory", n)
	}
	for i := range records[:n] {
		pcs := records[i].Stack()
		if len(pcs) == 0 {
			continue
		}
		frames := runtime.CallersFrames(pcs)
		for {
			f, more := frames.Next()
			if f.Function == function {
				return way(pcs)
			}
			if !more {
				break
			}
		}
	}
	t.Fatalf("%s did not allocate", function)
	return nil
}
