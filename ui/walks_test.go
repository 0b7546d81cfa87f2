package ui

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/render"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/entered"
	"blossom/ui/uitest/stand"
)

// A leg of a walk begins with a function that the frame calls.
var legs = map[string]string{
	"blossom/ui.(*App).input":                 "input",
	"blossom/ui.(*App).chrome":                "input", // input of panels
	"blossom/ui.(*App).advance":               "work",
	"blossom/ui/output.(*Output).DrawPicture": "drawing",
	"blossom/ui/view.(*Stage).Draw":           "drawing",
	"blossom/ui/view.(*Stage).Present":        "drawing",
	"blossom/ui.(*App).Frame.func1":           "drawing", // the call that presents the stage
}

// walks are how many packages are entered, values and siblings among them, and how many ways lead back into one from
// one further on. Wanted are 8 packages for a landmark, 9 for the line, and no way back: what is measured only falls.
var walks = map[string]struct{ packages, back int }{
	"a landmark is dragged":         {19, 1},
	"the line of clusters is moved": {27, 15},
}

// walk is which packages are entered by legs, and how often one is come back to from one further on.
type walk struct {
	packages map[string]map[string]bool
	back     map[string]string // packages that are entered again, by leg and way, with an example
}

// all are the packages of all legs.
func (w walk) all() []string {
	out := map[string]bool{}
	for _, of := range w.packages {
		maps.Copy(out, of)
	}
	return slices.Sorted(maps.Keys(out))
}

// packageOf is the package of a function.
func packageOf(function string) string {
	slash := strings.LastIndex(function, "/") + 1
	if dot := strings.Index(function[slash:], "."); dot >= 0 {
		return function[:slash+dot]
	}
	return function
}

// walked reads a walk from stacks, but for those that a frame has in which nothing happens.
func walked(stacks, still [][]runtime.Frame) walk {
	w := walk{packages: map[string]map[string]bool{}, back: map[string]string{}}
	idle := map[string]bool{}
	for _, s := range still {
		_, _, way := legOf(s)
		idle[strings.Join(way, " > ")] = true
	}
	for _, s := range stacks {
		leg, packages, way := legOf(s)
		if leg == "" || idle[strings.Join(way, " > ")] {
			continue
		}
		if w.packages[leg] == nil {
			w.packages[leg] = map[string]bool{}
		}
		for i, p := range packages {
			if w.packages[leg][p] = true; slices.Contains(packages[:i], p) {
				w.back[leg+": "+strings.Join(packages[:i+1], " > ")] = way[len(way)-1]
			}
		}
	}
	return w
}

// legOf is the leg that a stack belongs to, its packages from the frame down, each as often as it is entered, and its
// functions.
func legOf(stack []runtime.Frame) (leg string, packages, way []string) {
	for _, f := range slices.Backward(stack) {
		name := f.Function
		if leg == "" {
			if leg = legs[name]; leg == "" {
				continue
			}
			if packageOf(name) != "blossom/ui" {
				packages = append(packages, "blossom/ui")
			}
		}
		p := packageOf(name)
		if !strings.HasPrefix(p, "blossom/") || p == "blossom/model/work/virtual" ||
			strings.HasSuffix(f.File, "_test.go") {
			continue
		}
		if way = append(way, name); len(packages) == 0 || packages[len(packages)-1] != p {
			packages = append(packages, p)
		}
	}
	return leg, packages, way
}

// TestWalksInside is what TestWalksThroughAllPackages runs in the program that records what is entered.
func TestWalksInside(t *testing.T) {
	if os.Getenv("BLOSSOM_WALKS") == "" {
		t.Skip("TestWalksThroughAllPackages runs it")
	}
	a, d := begin(t, 1400, 1000, 1, Options{Paths: []string{"demo:cytometry:5000"}, Draw: render.OpenGL})
	opened(t, a, d)
	out := map[string]walk{}
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 100)
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x+6, y+4)
	rest(t, a, d)
	still := entered.During(func() { d.Frames(1) })
	out["a landmark is dragged"] = walked(entered.During(func() { d.Move(x+30, y+20) }), still)
	d.Release(shell.Left)
	rest(t, a, d)

	uitest.Do(func() { commandByID("dock-clusters").Run(a) })
	d.Frames(3)
	d.ClickOn("dock-clusters/begin")
	clustered(t, a, d)
	rest(t, a, d)
	uitest.Do(func() {
		a.desk.Doc.Do("Cut by a line", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Persist(false) })
		})
	})
	rest(t, a, d)
	line, place := d.Rect("dock-clusters/skyline/line"), d.Rect("dock-clusters/skyline/columns")
	x, y = place.X0+place.W()*0.3, line.Center().Y
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x, y+12)
	d.Frames(3)
	before, _, _ := cutOf(a)
	still = entered.During(func() { d.Frames(1) })
	out["the line of clusters is moved"] = walked(entered.During(func() {
		d.Move(x, y+40)
		d.Frames(1) // which draws it
	}), still)
	if after, _, _ := cutOf(a); after == before {
		t.Fatalf("the line was moved, and there are %d clusters as before", before)
	}
	d.Release(shell.Left)

	for name, w := range out {
		text := ""
		for _, leg := range slices.Sorted(maps.Keys(w.packages)) {
			text += fmt.Sprintf("  %s: %s\n", leg, strings.Join(slices.Sorted(maps.Keys(w.packages[leg])), " "))
		}
		for _, way := range slices.Sorted(maps.Keys(w.back)) {
			text += fmt.Sprintf("  again in %s (%s)\n", way, w.back[way])
		}
		t.Logf("%s: %d packages, %d ways back\n%s", name, len(w.all()), len(w.back), text)
		if most := walks[name]; len(w.all()) > most.packages || len(w.back) > most.back {
			t.Errorf("%s: through %d packages and %d ways back into one, where it was %d and %d: it only falls", name,
				len(w.all()), len(w.back), most.packages, most.back)
		}
	}
}

// The program is built anew, with a record of each call.
func TestWalksThroughAllPackages(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("all is compiled again for it")
	}
	overlay := recorded(t, oracle.Root(t), t.TempDir())
	c := exec.Command("go", "test", "-vet=off", "-overlay", overlay, "-run", "^TestWalksInside$", "-v", "blossom/ui")
	c.Dir = oracle.Root(t)
	c.Env = append(os.Environ(), "BLOSSOM_WALKS=1")
	out, err := c.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// recorded writes the sources of all packages with a call of entered.Enter at the beginning of each function, and
// returns the overlay for go test that has them.
func recorded(t *testing.T, root, to string) (overlay string) {
	t.Helper()
	replaced := map[string]string{}
	for _, wing := range []string{"model", "gpu", "render", "ui"} {
		err := filepath.WalkDir(filepath.Join(root, wing), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "uitest") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if text = withRecord(t, path, text); text != nil {
				replaced[path] = filepath.Join(to, fmt.Sprintf("%d.go", len(replaced)))
				return os.WriteFile(replaced[path], text, 0o666)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(to, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return overlay
}

// withRecord is a source with a call at the beginning of each function; nil: it has none.
func withRecord(t *testing.T, path string, text []byte) []byte {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	ast.Inspect(file, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch f := n.(type) {
		case *ast.FuncDecl:
			body = f.Body
		case *ast.FuncLit:
			body = f.Body
		}
		if body != nil {
			at = append(at, files.Position(body.Lbrace).Offset+1)
		}
		return true
	})
	if len(at) == 0 {
		return nil
	}
	slices.Sort(at)
	name := files.Position(file.Name.End()).Offset
	out := append(slices.Clone(text[:name]), "; import entered_ \"blossom/ui/uitest/entered\""...)
	for _, n := range at {
		out = append(append(out, text[name:n]...), " entered_.Enter();"...)
		name = n
	}
	return append(out, text[name:]...)
}
