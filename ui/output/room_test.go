package output_test

import (
	"os"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/base/problem"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/documents"
	"blossom/ui/output"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	_ "blossom/ui/view/heat"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// room is a window of a document and its views whose output is the program's.
type room struct {
	*stand.Window
	out     *output.Output
	dialogs *dialog.Stack
	kept    documents.Remembered
	failed  error // the last one that was shown
}

// enter opens demo data, or files as one table, in a window of w x h pixels and waits until its map is at rest.
func enter(t *testing.T, w, h int, data string, more ...string) (*room, *uitest.Driver) {
	t.Helper()
	r := &room{}
	r.Window = stand.New(t, stand.Options{Data: data, More: more, Views: stand.Whole})
	r.dialogs = dialog.NewStack(r)
	r.out = output.New(r, r.dialogs)
	r.out.Version, r.out.Engines, r.out.Views = "test", &r.Engines, r.Place
	r.out.Documents = documents.New(r, r.dialogs, &r.Engines, &r.kept, documents.Options{StateDir: t.TempDir(),
		Version: "test"})
	d := uitest.Open(t, r, w, h, 1)
	r.Rest(d)
	return r, d
}

func (r *room) Start(c *shell.Context) error {
	if err := r.Window.Start(c); err != nil {
		return err
	}
	r.out.Documents.Start(c, r.Jobs)
	r.out.Start(c, r.Jobs, r.Window.Desk.Stage.Scene.Renderer)
	return nil
}

func (r *room) Frame(c *shell.Context) {
	r.out.MakeColumns()
	r.out.RunWaiting()
	r.out.DrawPicture()
	r.Window.Frame(c)
}

func (r *room) Desk() *desk.Desk               { return r.Window.Desk }
func (r *room) UI() *widget.UI                 { return r.Window.UI }
func (r *room) Log(format string, args ...any) {}
func (r *room) Remember()                      {}
func (r *room) WhenFresh(do func())            { r.out.WhenFresh(do) }
func (r *room) Waiting() bool                  { return r.out.Waiting() }
func (r *room) Making(path string) bool        { return r.out.AllRows.Making(path) }
func (r *room) GiveUp()                        { r.out.GiveUp() }
func (r *room) Fail(err error) {
	r.failed = err
	dialog.Problem.Show(r.dialogs, problem.As(err))
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
