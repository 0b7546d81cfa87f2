package documents

import (
	"testing"

	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// empty is a window without a document, in which stands what the test draws.
type empty struct {
	shell.Nop
	Window // nothing of it is asked but what is below
	u      *widget.UI
	docs   *Documents
	jobs   *work.Jobs
	kept   Remembered
	noted  []desk.Note
	failed error
	draw   func()
}

// begin opens the window.
func begin(t *testing.T) (*empty, *uitest.Driver) {
	t.Helper()
	e := &empty{draw: func() {}}
	e.docs = New(e, dialog.NewStack(e), &engine.Chooser{}, &e.kept, Options{StateDir: t.TempDir()})
	return e, uitest.Open(t, e, 800, 500, 1)
}

func (e *empty) Start(c *shell.Context) error {
	e.u = widget.New()
	e.jobs = &work.Jobs{Post: c.Post, Failed: e.Fail}
	e.docs.Start(c, e.jobs)
	return nil
}

func (e *empty) Frame(c *shell.Context) {
	e.u.Begin(c)
	size := c.Size()
	e.u.Area("window", widget.Rect{X1: size.X, Y1: size.Y}, widget.AreaOpts{}, e.draw)
	e.u.End()
}

func (e *empty) Widgets() *widget.UI { return e.u }
func (e *empty) UI() *widget.UI      { return e.u }
func (e *empty) Desk() *desk.Desk    { return nil }
func (e *empty) Remember()           {}
func (e *empty) Note(n desk.Note)    { e.noted = append(e.noted, n) }
func (e *empty) Fail(err error)      { e.failed = err }
