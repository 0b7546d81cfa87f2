package panel

import (
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/model/work/virtual"
	"blossom/render"
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// stand is a window in which nothing but one panel stands, at a desk of its own.
type stand struct {
	shell.Nop
	desk.Window // nothing of it is asked but what is below
	desk.Output
	t      *testing.T
	id     string
	opened *opening.Opened
	u      *widget.UI
	desk   *desk.Desk
	kind   Kind
	panel  Panel
	asked  desk.FileQuestion
}

// begin opens demo data in a window of 360 x 900 points with the panel of an ID, and waits until the map is at rest.
func begin(t *testing.T, id, demo string) (*stand, *uitest.Driver) {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{demo}, format.Options{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &stand{t: t, id: id, opened: o}
	d := uitest.Open(t, s, 360, 900, 1)
	s.rest(d)
	return s, d
}

func (s *stand) Start(c *shell.Context) error {
	s.u = widget.New()
	s.u.SetTheme(widget.Light())
	e, err := engine.Open("cpu", engine.Options{})
	if err != nil {
		return err
	}
	r, err := render.New(render.Options{Path: render.CPU, ProcAddress: c.ProcAddress})
	if err != nil {
		return err
	}
	m, err := live.NewMap(s.opened, &e, live.Buffers{
		Make: func(n, dims int) embedsom.Target { return embedsom.NewHostTarget(n, dims) },
		Drop: func(embedsom.Target) {},
	}, &work.Jobs{Post: c.Post, Failed: s.Fail, Clock: &virtual.Clock{}})
	if err != nil {
		return err
	}
	s.t.Cleanup(func() { uitest.Do(m.Close); e.Close() })
	m.Measured = 100
	s.desk = &desk.Desk{Map: m, UI: s.u, Window: s, Output: s, Paint: func() desk.Paint { return s },
		Stage: view.NewStage(m, s.u, r, s.Say, s.Fail), Start: desk.StartFor(m.Doc.Data)}
	for _, k := range Kinds() {
		if k.ID == s.id {
			s.kind, s.panel = k, k.New(s.desk)
		}
	}
	return nil
}

func (s *stand) Frame(c *shell.Context) {
	s.u.Begin(c)
	if _, err := s.desk.Frame(c.Delta(), live.Budget(false)); err != nil {
		s.Fail(err)
	}
	s.u.Open[s.id] = true
	s.u.Area("side bar", widget.Rect{X1: 360, Y1: 900}, widget.AreaOpts{PadX: 12, Scroll: true}, func() {
		s.u.Panel(s.kind.Title+"##"+s.id, widget.PanelOpts{Note: s.panel.Note()}, s.panel.Draw)
	})
	s.u.End()
}

// rest waits until nothing is computed.
func (s *stand) rest(d *uitest.Driver) {
	s.t.Helper()
	d.Frames(1)
	d.Wait("the map is at rest", 0, func() bool { return !s.desk.Busy() && s.desk.Values.Jobs.Idle() })
	d.Frames(1)
}

// last is the last entry of the history.
func (s *stand) last() string { return s.desk.Doc.History().CanUndo() }

func (s *stand) Widgets() *widget.UI            { return s.u }
func (s *stand) Say(string)                     {}
func (s *stand) Fail(err error)                 { s.t.Error(err) }
func (s *stand) Dark() bool                     { return false }
func (s *stand) Ask(q desk.FileQuestion)        { s.asked = q }
func (s *stand) Command(id string) desk.Command { return desk.Command{Can: true, Run: func() {}} }

func (s *stand) Values() *colour.Values                        { return nil }
func (s *stand) Colouring() palette.Colouring                  { return palette.Colouring{} }
func (s *stand) Histogram() (counts []float32, lo, hi float32) { return nil, 0, 1 }
func (s *stand) Drawn() (size, opacity float64)                { return 2, 1 }
func (s *stand) PictureSize(desk.Picture) (w, h int)           { return 100, 100 }
func (s *stand) Drawing() bool                                 { return false }
