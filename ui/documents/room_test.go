package documents

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "blossom/gpu/cpu"
	"blossom/model/base/problem"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// room is a window with documents, their views, dialogs and notes, and the keys of their commands.
type room struct {
	noted  []string // texts of notes
	logged []string // lines of the log, the last of which the status bar has
	*stand.Window
	docs    *Documents
	dialogs *dialog.Stack
	chooser dialog.Files
	kept    Remembered
	options Options
	paths   []string // opened at the start
}

// enter opens a window of w x h pixels with folders of its own, and files in it. Nothing trains by itself.
func enter(t *testing.T, w, h int, o Options, paths ...string) (*room, *uitest.Driver) {
	t.Helper()
	if o.StateDir == "" {
		o.StateDir = t.TempDir()
	}
	o.Version, o.Still = "test", true
	r := &room{options: o, paths: paths}
	r.kept.Folder = t.TempDir()
	r.Window = stand.New(t, stand.Options{Views: stand.Whole, Draw: r.draw,
		Modal: func() bool { return r.dialogs.Any() }})
	r.dialogs = dialog.NewStack(r)
	r.docs = New(r, r.dialogs, &r.Engines, &r.kept, o)
	return r, uitest.Open(t, r, w, h, 1)
}

func (r *room) Start(c *shell.Context) error {
	if err := r.Window.Start(c); err != nil {
		return err
	}
	r.Jobs.Failed = r.Fail
	r.chooser = dialog.Files{Stack: r.dialogs, Own: true, Post: c.Post, Folder: &r.kept.Folder,
		Recent: func() []string { return r.kept.Recent }}
	r.docs.Start(c, r.Jobs)
	if len(r.paths) > 0 {
		r.docs.Open(r.paths...)
	}
	r.docs.Recovery.Left.Find()
	return nil
}

func (r *room) Frame(c *shell.Context) {
	for _, e := range c.Events() {
		if e.Kind == shell.KeyDown && !r.dialogs.Any() {
			r.key(e)
		}
	}
	r.Window.Frame(c)
	r.docs.Tick(c.Now())
}

func (r *room) key(e shell.Event) {
	if c := command.Make(Commands).For(e, r.docs); c != nil && c.Can(r.docs) {
		c.Run(r.docs)
	}
}

// draw draws notes and dialogs, and the rows of the welcome page while nothing is open.
func (r *room) draw(w *stand.Window) {
	if w.Desk == nil {
		r.docs.Welcome.Draw(w.UI.Window(), w.UI.Window())
	}
	notes := w.UI.Window()
	if w.Desk != nil { // below the headers, which are to be clicked
		notes.Y0 += w.UI.Pt(widget.HeaderHeight)
	}
	w.UI.ToastsIn(notes)
	r.dialogs.Draw()
}

func (r *room) Drop(paths []string)  { r.docs.Drop(paths) }
func (r *room) CloseRequested() bool { return r.docs.Quit() }

func (r *room) Stop() {
	r.docs.Finish()
	r.Jobs.CancelAll()
	r.docs.End()
	r.Window.Stop()
}

func (r *room) Wake() shell.Wake {
	if w := r.Window.Wake(); w == shell.Now || len(r.Jobs.List()) == 0 {
		return w
	}
	return shell.Wake(16 * time.Millisecond)
}

func (r *room) Desk() *desk.Desk                               { return r.Window.Desk }
func (r *room) UI() *widget.UI                                 { return r.Window.UI }
func (r *room) Remember()                                      {}
func (r *room) RemoveFile(file int)                            { r.docs.RemoveFile(file) }
func (r *room) Write(path string, write func(io.Writer) error) { r.docs.Write(path, write) }
func (r *room) ReadColumn(name string)                         { r.docs.Unread.Read(name) }
func (r *room) Ask(q desk.FileQuestion)                        { r.chooser.Ask(q) }
func (r *room) Fail(err error)                                 { dialog.Problem.Show(r.dialogs, problem.As(err)) }

// Log remembers the line.
func (r *room) Log(format string, args ...any) {
	r.logged = append(r.logged, fmt.Sprintf(format, args...))
}

// Note shows a note as the program does.
func (r *room) Note(n desk.Note) {
	r.noted = append(r.noted, n.Text)
	t := widget.Toast{Key: n.Text, Text: n.Text}
	if r.Desk() != nil {
		t.Of = r.Desk().Doc
	}
	if n.Sticky {
		t.For = -1
	}
	for _, x := range n.Actions {
		t.Actions = append(t.Actions, widget.ToastAction{Label: x.Label, Do: x.Do})
	}
	r.UI().Toast(t)
}

// troubled is the problem that is shown, or nil.
func (r *room) troubled() *problem.Problem {
	if t, ok := r.dialogs.Open("problem").(*dialog.Trouble); ok {
		return t.Problem
	}
	return nil
}

// asked is the question that is shown. There must be one.
func (r *room) asked() dialog.Question { return r.dialogs.Open("question").(*dialog.Asked).Question }

// opened waits until a document is there and has come to rest.
func opened(t *testing.T, r *room, d *uitest.Driver) {
	t.Helper()
	d.Wait("a document is open", time.Minute, func() bool { return r.Desk() != nil && r.docs.Opening() == nil })
	rest(t, r, d)
}

func rest(t testing.TB, r *room, d *uitest.Driver) {
	t.Helper()
	d.Frames(1)
	d.Wait("the map is at rest", 2*time.Minute, func() bool {
		return r.Desk() != nil && r.Window.Wake() != shell.Now && r.Jobs.Idle()
	})
	d.Frames(3)
}

// answer answers the dialog of files.
func answer(d *uitest.Driver, path string) {
	d.Frames(4)
	d.Keys("Ctrl+A")
	d.Type(path)
	d.Keys("Enter")
	d.Frames(3)
}

// looks compares a dialog of an open window with its pictures: light at 100 %, and dark at 200 %.
func looks(r *room, d *uitest.Driver, golden, name string) {
	size := r.docs.context.Size()
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}, {"", false, 1}} {
		uitest.Do(func() { r.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(c.scale*int(size.X), c.scale*int(size.Y))
		d.Move(1, 1) // where nothing answers to the mouse
		d.Frames(4)
		if c.suffix != "" {
			d.Picture(golden+c.suffix, name)
		}
	}
}

// inSight says whether a button of a dialog is within it, and the dialog within the window, in one of 500 x 400.
func inSight(t *testing.T, d *uitest.Driver, dialog, button string) {
	t.Helper()
	d.Resize(500, 400)
	d.Frames(6)
	in, r := d.Rect(dialog), d.Rect(button)
	if r.X0 < in.X0 || r.X1 > in.X1 || r.Y1 > in.Y1 || in.X0 < 0 || in.X1 > 500 || in.Y0 < 0 || in.Y1 > 400 {
		t.Errorf("%s at %v, its button at %v of a window of 500 x 400", dialog, in, r)
	}
}

// csvFile writes a small table and returns its path and text.
func csvFile(t *testing.T, dir string) (path, text string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("a,b,kind\n")
	for i := range 400 {
		v := fmt.Sprint(i % 17)
		if i%20 == 0 {
			v = "NA"
		}
		fmt.Fprintf(&b, "%s,%d,%s\n", v, (i*7)%31, []string{"x", "y"}[i%2])
	}
	path = filepath.Join(dir, "mine.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, b.String()
}
