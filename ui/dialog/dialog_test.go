package dialog

import (
	"slices"
	"testing"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// stand is a window in which nothing but dialogs stand.
type stand struct {
	shell.Nop
	desk.Window // nothing of it is asked but what is below
	theme       widget.Theme
	u           *widget.UI
	dialogs     *Stack
	copied      string
	ran, said   []string
	files       Files
	folder      string
	recent      []string
}

func (s *stand) Start(c *shell.Context) error {
	s.u = widget.New()
	s.u.SetTheme(s.theme)
	s.dialogs = NewStack(s)
	s.files = Files{Stack: s.dialogs, Own: true, Post: c.Post, Folder: &s.folder,
		Recent: func() []string { return s.recent }}
	return nil
}

func (s *stand) Frame(c *shell.Context) {
	s.u.Begin(c)
	s.dialogs.Draw()
	s.u.End()
}

func (s *stand) Widgets() *widget.UI    { return s.u }
func (s *stand) UI() *widget.UI         { return s.u }
func (s *stand) Desk() *desk.Desk       { return nil }
func (s *stand) WhenFresh(do func())    { do() }
func (s *stand) Say(text string)        { s.said = append(s.said, text) }
func (s *stand) Copy(text string)       { s.copied = text }
func (s *stand) did(what string) func() { return func() { s.ran = append(s.ran, what) } }

func (s *stand) Command(id string) desk.Command { return desk.Command{Can: true, Run: s.did(id)} }

// begin opens the window, of 800 x 500 points.
func begin(t *testing.T, theme widget.Theme, scale float32) (*stand, *uitest.Driver) {
	t.Helper()
	return beginSized(t, theme, int(800*scale), int(500*scale), scale)
}

// beginSized does so in a window of another size, in pixels.
func beginSized(t *testing.T, theme widget.Theme, w, h int, scale float32) (*stand, *uitest.Driver) {
	t.Helper()
	s := &stand{theme: theme}
	return s, uitest.Open(t, s, w, h, scale)
}

// browser is the dialog of files, or nil.
func (s *stand) browser() *Browser {
	b, _ := s.dialogs.Open("files").(*Browser)
	return b
}

// looks compares the dialog that show opens with its pictures: light at 100 %, and dark at 200 %.
func looks(t *testing.T, id string, show func(*stand)) {
	t.Helper()
	for _, c := range []struct {
		suffix string
		theme  widget.Theme
		scale  float32
	}{{"-light", widget.Light(), 1}, {"-dark-200", widget.Dark(), 2}} {
		s, d := begin(t, c.theme, c.scale)
		uitest.Do(func() { show(s) })
		d.Move(1, 1)
		d.Frames(5)
		d.Picture(id+c.suffix, id)
		d.End()
	}
}

func TestDialogsLook(t *testing.T) {
	looks(t, "problem", func(s *stand) {
		Problem.Show(s.dialogs, problem.As(problem.New("donor 3.fcs",
			"copy it again from where it came from", "is cut within its header")))
	})
	looks(t, "question", func(s *stand) {
		Ask.Show(s.dialogs, Question{Title: "Open another file?", About: "mammoth.csv",
			Says: []string{"the map of donor 3.fcs has changes that no file has"}, List: []string{"12 landmarks moved",
				"3 landmarks named"}, Hint: "It can be opened again from the File menu.",
			Answers: []Button{{Label: "Cancel"}, {Label: "Open instead", Kind: widget.Primary}}})
	})
	looks(t, "palette", func(s *stand) { Palette.Show(s.dialogs, s.commands) })
	looks(t, "page", func(s *stand) {
		Page.Show(s.dialogs, Text{Title: "What works here", Text: "OpenGL 4.1\n\nEngines: CPU",
			Long: "one\ntwo\nthree"})
	})
}

func (s *stand) commands(string) []Item {
	return []Item{{Title: "Show names", Key: "N", Icon: assets.IconTag, Can: true, Run: s.did("names")},
		{Title: "Unsnewed", Can: true, Run: s.did("unsnewed")},
		{Title: "t-SNE beside", Key: "Ctrl+Shift+Y", Can: true, Run: s.did("tsne")},
		{Title: "Close view", Can: false, Run: s.did("close")}, {Title: "Open…", Can: true, Run: s.did("open")}}
}

// Questions are asked in turn; an answer does what it stands for, once, and Esc nothing.
func TestQuestionsAreAskedInTurn(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	uitest.Do(func() {
		for _, name := range []string{"first", "second", "third"} {
			Ask.Show(s.dialogs, Question{Title: name, Answers: []Button{{Label: "No"},
				{Label: "Yes " + name, Kind: widget.Primary, Do: s.did(name)}}})
		}
	})
	d.Frames(4)
	if n := s.dialogs.Count("question"); n != 3 || !d.Has("question/Yes first") {
		t.Fatalf("%d questions", n)
	}
	d.ClickOn("question/Yes first")
	d.Frames(3)
	d.Keys("Esc")
	d.Frames(3)
	if !d.Has("question/Yes third") || s.dialogs.Count("question") != 1 {
		t.Fatal("the third is not asked after Esc of the second")
	}
	d.Keys("Enter")
	d.Frames(3)
	if s.dialogs.Any() || !slices.Equal(s.ran, []string{"first", "third"}) {
		t.Errorf("done: %q", s.ran)
	}
}

// A problem takes the place of the one before it, and lies over a question, which waits.
func TestAProblemLiesOverAQuestion(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	uitest.Do(func() {
		Ask.Show(s.dialogs, Question{Title: "Well?", Answers: []Button{{Label: "OK"}}})
		for _, what := range []string{"it broke", "it broke again"} {
			Problem.Show(s.dialogs, problem.As(problem.New("", "try again", "%s", what)))
		}
	})
	d.Frames(4)
	if s.dialogs.Count("problem") != 1 || s.dialogs.Open("problem").(*Trouble).What != "it broke again" {
		t.Fatal("the last problem is not the one that is shown")
	}
	d.ClickOn("problem/Copy log")
	d.Frames(3)
	if !slices.Equal(s.ran, []string{"log"}) || s.dialogs.Open("problem") != nil || !d.Has("question") {
		t.Errorf("after the problem: %q, a question %v", s.ran, d.Has("question"))
	}
}

// The palette finds a command by what is typed and runs it by Enter; one that cannot be run now stays where it is.
func TestThePaletteRunsWhatIsTyped(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	show := func(text string) {
		uitest.Do(func() { Palette.Show(s.dialogs, s.commands) })
		d.Frames(4)
		d.Type(text)
		d.Keys("Enter")
		d.Frames(3)
	}
	show("sne")
	if s.dialogs.Any() || !slices.Equal(s.ran, []string{"tsne"}) {
		t.Fatalf("ran %q", s.ran)
	}
	show("close view")
	if !s.dialogs.Any() || len(s.ran) != 1 {
		t.Errorf("what cannot be run was: %q", s.ran)
	}
}

// Titles with the text as it is come before those with its letters scattered, beginnings of words first.
func TestPaletteRanks(t *testing.T) {
	var got []string
	for _, x := range Matching((&stand{}).commands(""), "sne") {
		got = append(got, x.Title)
	}
	if want := []string{"t-SNE beside", "Unsnewed", "Show names"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// A page is copied as a whole, with what is scrolled.
func TestPagesAreCopied(t *testing.T) {
	s, d := begin(t, widget.Light(), 1)
	uitest.Do(func() { Page.Show(s.dialogs, Text{Title: "About", Text: "blossom", Long: "terms"}) })
	d.Frames(4)
	d.ClickOn("page/Copy")
	d.Frames(2)
	if s.copied != "blossom\n\nterms" || s.dialogs.Any() {
		t.Errorf("copied %q", s.copied)
	}
}

// Three dots find what is written with the sign of them.
func TestPaletteTakesThreeDots(t *testing.T) {
	items := []Item{{Title: "Save session"}, {Title: "Panel…"}}
	if found := Matching(items, "panel..."); len(found) != 1 || found[0].Title != "Panel…" {
		t.Errorf("it finds %v", found)
	}
}
