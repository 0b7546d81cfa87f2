package ui

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"time"

	_ "blossom/gpu/cpu"
	_ "blossom/gpu/reference"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/virtual"
	"blossom/render"
	"blossom/ui/command"
	"blossom/ui/panel"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

func TestMain(m *testing.M) {
	if os.Getenv(resumes) != "" && len(os.Args) > 2 && (os.Args[1] == "resume" || os.Args[1] == "part") {
		os.Exit(asResume(os.Args[1:]))
	}
	uitest.Main(m)
}

// begin opens the program with folders of its own, as on a new machine.
func begin(t *testing.T, w, h int, scale float32, o Options) (*App, *uitest.Driver) {
	t.Helper()
	o.Still = true
	return beginTraining(t, w, h, scale, o)
}

// beginTraining is begin as people have it: what is opened is trained at once, unless the options say Still. In
// software the frames of that take a core for two seconds, so it is for tests of what training leaves.
func beginTraining(t *testing.T, w, h int, scale float32, o Options) (*App, *uitest.Driver) {
	t.Helper()
	if o.ConfigDir == "" {
		o.ConfigDir, o.StateDir = t.TempDir(), t.TempDir()
	}
	o.OwnDialogs, o.Version = true, "test"
	o.Measured = cmp.Or(o.Measured, 100) // the number is in every header, and its cost grows with the square
	if o.Clock == nil {                  // how many units of a run fit into a frame is a count
		o.Clock = &virtual.Clock{Unit: 500 * time.Microsecond}
	}
	a := newApp(o)
	a.settings.Folder = t.TempDir()
	return a, uitest.Open(t, a, w, h, scale)
}

// opened waits until a map is there and has come to rest.
func opened(t *testing.T, a *App, d *uitest.Driver) {
	t.Helper()
	d.Wait("a map is open", 60*time.Second, func() bool { return a.desk != nil && a.docs.Opening() == nil })
	rest(t, a, d)
}

func rest(t testing.TB, a *App, d *uitest.Driver) {
	t.Helper()
	d.Frames(1) // outputs that wait for a map begin in a frame
	d.Wait("the map is at rest", 120*time.Second, func() bool {
		return a.desk != nil && !a.moving() && !a.desk.Stage.Unfinished() && !a.desk.Stage.Flying() &&
			a.compute.jobs.Idle()
	})
	d.Frames(3)
}

// calm takes away what tells the time, before a golden picture is drawn.
func calm(a *App, d *uitest.Driver) {
	uitest.Do(func() {
		a.docs.Autosave.Off = true
		a.log.last = ""
	})
	d.Sleep(7 * time.Second) // toasts go
	d.Frames(3)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// open opens these panels, and no others.
func open(a *App, ids ...string) {
	for _, p := range panel.Kinds() {
		a.ui.Open[p.ID] = slices.Contains(ids, p.ID)
	}
}

func TestWelcome(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{})
	d.Wait("thumbnails are drawn", 30*time.Second, func() bool { return a.compute.jobs.Idle() })
	calm(a, d)
	d.Window("welcome-light")
	d.ClickOn("welcome/demo-tesseract")
	opened(t, a, d)
	if a.desk.Doc.Title != "tesseract" {
		t.Fatalf("opened %q", a.desk.Doc.Title)
	}
}

func TestTheFirstMinute(t *testing.T) {
	a, d := beginTraining(t, 1280, 800, 1, Options{Paths: []string{"demo:mammoth:20000"}, Theme: "dark"})
	opened(t, a, d)
	s := a.desk.Doc.State()
	if parts.Landmarks.Of(s).Len() != 400 || parts.Landmarks.Of(s).ByHand || a.desk.Schedule().Stale() != 0 {
		t.Fatalf("%d landmarks, stale %g", parts.Landmarks.Of(s).Len(), a.desk.Schedule().Stale())
	}
	wholeWindow(t, a, d, "mammoth-dark")
}

// In a small window the map has the room; at twice the scale everything is twice as large.
func TestTwoHundredPercentAndSmallWindows(t *testing.T) {
	a, d := begin(t, 500, 400, 1, Options{Paths: []string{"demo:cytometry:2000"}, Theme: "dark"})
	opened(t, a, d)
	wholeWindow(t, a, d, "small")
	if a.rooms.side.Shown() {
		t.Fatal("the side bar hides the map in a small window")
	}
	d.Resize(1000, 700)
	once := d.Rect("side bar")
	d.SetScale(2)
	d.Resize(2000, 1400)
	if twice := d.Rect("side bar"); twice.W() != 2*once.W() {
		t.Errorf("the side bar is %g wide, and %g at 200 %%", once.W(), twice.W())
	}
}

func TestADragMovesThePictureInTheSameFrame(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:20000"}})
	opened(t, a, d)
	before := slices.Clone(a.mapPoints().Host())
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 210)
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x+40, y+30)
	moved := 0
	now := a.mapPoints().Host()
	for i := range now {
		if now[i] != before[i] {
			moved++
		}
	}
	if moved == 0 || a.active().Waiting() {
		t.Fatalf("%d coordinates moved in the frame of the drag; drawn: %v", moved, !a.active().Waiting())
	}
	for i := range 10 {
		d.Move(x+40+float32(i), y+30)
	}
	d.Release(shell.Left)
	rest(t, a, d)
	nx, ny := stand.MarkAt(a.desk, 210)
	if math.Abs(float64(nx-x-49)) > 0.5 || math.Abs(float64(ny-y-30)) > 0.5 {
		t.Fatalf("the landmark is off by %g, %g", nx-x-49, ny-y-30)
	}
	names := a.desk.Doc.History()
	if names.Name(names.Done()-1) != "Move landmark" || !parts.Landmarks.Of(a.desk.Doc.State()).ByHand {
		t.Fatal("the drag is not one entry")
	}
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if ux, _ := stand.MarkAt(a.desk, 210); math.Abs(float64(ux-x)) > 0.01 {
		t.Fatal("undo did not bring it back")
	}
	if !slices.Equal(before, a.mapPoints().Host()) {
		t.Fatal("the picture after undo is not the one before the drag")
	}
}

func TestKeysPaletteAndTraining(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}})
	opened(t, a, d)
	calm(a, d)
	d.Keys("Ctrl+P")
	d.Frames(2)
	d.Type("dark theme")
	d.Frames(2)
	d.Keys("Enter")
	d.Frames(2)
	if a.settings.Theme != "dark" || a.dialogs.Open("palette") != nil {
		t.Fatal("the palette did not run the command")
	}
	d.Type("?")
	d.Frames(3)
	if a.dialogs.Open("keys") == nil {
		t.Fatal("? does not show the keys")
	}
	looks(a, d, "shortcuts", "keys")
	d.Keys("Esc")
	d.Frames(2)
	if a.dialogs.Open("keys") != nil {
		t.Fatal("Esc does not close the keys")
	}
	running := func() bool { r, _, _ := a.desk.Training().Progress(); return r }
	uitest.Do(func() { // so long that it cannot end between two looks
		a.desk.Doc.Do("Train longer", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Values = step.Values{"epochs": 1000} })
		})
	})
	d.Keys("Ctrl+R")
	d.Wait("Ctrl+R trains", 20*time.Second, running)
	d.Keys("Space")
	if running() {
		t.Fatal("Space does not pause")
	}
}

// Landmarks chosen with the rectangle, and the menu of what can be done with them.
func TestTheLandmarksTool(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:2000"}})
	opened(t, a, d)
	calm(a, d)
	d.Keys("2")
	x0, y0 := stand.MarkAt(a.desk, 42)
	x1, y1 := stand.MarkAt(a.desk, 170)
	d.Drag(min(x0, x1)-8, min(y0, y1)-8, max(x0, x1)+8, max(y0, y1)+8, 4)
	if n := len(a.desk.Stage.Hand().Landmarks.Selected); n < 10 {
		t.Fatalf("the rectangle chose %d landmarks", n)
	}
	d.Keys("P")
	x, y := stand.MarkAt(a.desk, a.desk.Stage.Hand().Landmarks.Selected[0])
	d.ClickWith(shell.Right, x, y)
	d.Frames(3)
	d.Picture("landmarks-menu", "popup")
	d.Keys("Esc")
	d.Frames(2)
	d.Keys("Delete")
	if len(a.desk.Stage.Hand().Landmarks.Selected) != 0 {
		t.Fatal("removed landmarks are still selected")
	}
	rest(t, a, d)
}

// The exported coordinates are those on screen, in the order of the file.
func TestExportOfCoordinates(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:s-sheet:1500"}})
	opened(t, a, d)
	d.Keys("Ctrl+E")
	d.Frames(4)
	d.ClickOn("export/coordinates")
	d.Frames(3)
	name := filepath.Join(t.TempDir(), "out.csv")
	d.Keys("Ctrl+A")
	d.Type(name)
	d.Keys("Enter")
	d.Wait("the file is written", 20*time.Second, func() bool {
		return exists(name) &&
			len(a.compute.jobs.List()) == 0
	})
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 1501 || rows[0][0] != "embedsom1" || len(rows[0]) != 2 {
		t.Fatalf("%v, %d rows, header %q", err, len(rows), rows[0])
	}
	order, pos := a.desk.Table().Order, a.mapPoints().Host()
	for i := range 1500 {
		for c := range 2 {
			v, err := strconv.ParseFloat(rows[1+order[i]][c], 32)
			if err != nil || float32(v) != pos[2*i+c] {
				t.Fatalf("point %d: %q in the file, %g on screen", i, rows[1+order[i]][c], pos[2*i+c])
			}
		}
	}
	if !exists(strings.TrimSuffix(name, ".csv") + ".blossom") {
		t.Fatal("no session beside it")
	}
}

func TestASessionComesBackAsItWas(t *testing.T) {
	config, state := t.TempDir(), t.TempDir()
	a, d := beginTraining(t, 1280, 800, 1, Options{Paths: []string{"demo:torus-knot:3000"}, ConfigDir: config,
		StateDir: state})
	opened(t, a, d)
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 30)
	d.Drag(x, y, x+60, y-20, 5)
	d.Keys("Ctrl+S")
	d.Frames(3)
	name := filepath.Join(t.TempDir(), "mine.blossom")
	d.Keys("Ctrl+A")
	d.Type(name)
	d.Keys("Enter")
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(name) })
	rest(t, a, d)
	want := slices.Clone(a.mapPoints().Host())
	l := parts.Landmarks.Of(a.desk.Doc.State())
	d.End()

	b, e := beginTraining(t, 1280, 800, 1, Options{Paths: []string{name}, ConfigDir: config, StateDir: state})
	opened(t, b, e)
	s := b.desk.Doc.State()
	if !slices.Equal(parts.Landmarks.Of(s).Codebook.Data, l.Codebook.Data) ||
		!slices.Equal(parts.Landmarks.Of(s).Pos.Data, l.Pos.Data) ||
		!parts.Landmarks.Of(s).ByHand {
		t.Fatal("other landmarks came back")
	}
	if !slices.Equal(want, b.mapPoints().Host()) {
		t.Fatal("another picture came back")
	}
}

func TestEveryCommandHasANameAKeyOfItsOwnAndHelp(t *testing.T) {
	seen := map[string]string{}
	for _, c := range everyCommand() {
		if c.Title == "" || c.Help == "" || c.Run == nil {
			t.Errorf("command %q lacks something", c.ID)
		}
		for _, k := range c.Keys {
			if other, ok := seen[k]; ok {
				t.Errorf("%s is the key of %s and of %s", k, other, c.ID)
			}
			seen[k] = c.ID
			if !command.Known(k) {
				t.Errorf("key %q of %s is unknown", k, c.ID)
			}
		}
	}
}

// mapPoints is the positions of the map itself, whatever the views show.
func (a *App) mapPoints() *render.PointBuffer {
	return a.desk.EmbedSOM().Target().(*render.PointBuffer)
}
