package panel

import (
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/ui/uitest"
)

// The choices for pictures are in the session, and make no entry of its history; the form shows what a session has.
// The button that saves a picture stays where it is, whatever rows a size has.
func TestTheFormOfPicturesIsKeptWithTheSession(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	at, moments := d.Rect("export/picture"), s.Desk.Doc.History().Len()
	d.ClickOn("export/File/PDF")
	d.Frames(2)
	d.ClickOn("export/Size")
	d.Frames(3)
	d.ClickOn("Size/On paper")
	d.Frames(3)
	d.ClickOn("export/Background/White")
	d.ClickOn("export/Title")
	d.Frames(3)
	if now := d.Rect("export/picture"); now != at {
		t.Errorf("the button went from %v to %v", at, now)
	}
	var kept, want parts.FigureChoice
	uitest.Do(func() {
		want = parts.Figure.Of(s.Desk.Doc.State())
		saved, err := session.Of(s.Desk.Doc, "a.blossom", "a test", time.Time{})
		if err == nil {
			var again state.State
			again, _, err = state.Decode(map[string]state.Encoded{"figure": saved.Parts["figure"]},
				state.Context{Data: s.Desk.Doc.Data, Partial: true})
			kept = parts.Figure.Of(again)
		}
		if err != nil {
			t.Error(err)
		}
	})
	if !kept.Equal(want) || kept.Ending != ".pdf" || kept.Size != parts.FigureOnPaper || !kept.Bare || !kept.Title ||
		kept.Ground != parts.WhiteGround || s.Desk.Doc.History().Len() != moments {
		t.Errorf("%+v is kept of %+v in %d moments", kept, want, s.Desk.Doc.History().Len())
	}
	if d.Has("export/Width") {
		t.Fatal("a picture on paper has a width in pixels")
	}
	uitest.Do(func() {
		s.Desk.Doc.Look(func(x *state.State) {
			parts.Figure.Put(x, parts.FigureChoice{Ending: ".svg", Size: parts.FigurePixels})
		})
	})
	d.Frames(3)
	d.ClickOn("export/picture")
	d.Frames(2)
	if !d.Has("export/Width") || s.Asked.Name != "tesseract.svg" {
		t.Errorf("%q is suggested", s.Asked.Name)
	}
}

// The form chosen for tables is kept with the session. It makes no moment of the history, and a document that has
// chosen something else shows that.
func TestTheFormOfTablesIsKeptWithTheSession(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	moments := s.Desk.Doc.History().Len()
	uitest.Do(func() {
		if !parts.Tables.Of(s.Desk.Doc.State()).Equal(parts.TableChoice{}) {
			t.Error("a form that nobody has changed is kept")
		}
	})
	d.ClickOn("export/With the columns of the data")
	d.Frames(3)
	d.ClickOn("export/Values/As map")
	d.ClickOn("export/Session beside it")
	d.Frames(3)
	var kept parts.TableChoice
	uitest.Do(func() {
		saved, err := session.Of(s.Desk.Doc, "a.blossom", "a test", time.Time{})
		if err == nil {
			var again state.State
			again, _, err = state.Decode(map[string]state.Encoded{"tables": saved.Parts["tables"]},
				state.Context{Data: s.Desk.Doc.Data, Partial: true})
			kept = parts.Tables.Of(again)
		}
		if err != nil {
			t.Error(err)
		}
	})
	want := parts.TableChoice{Coordinates: parts.CoordinateTable{Columns: true, Values: "map", Alone: true}}
	if !kept.Equal(want) || s.Desk.Doc.History().Len() != moments {
		t.Errorf("%+v is kept in %d moments", kept, s.Desk.Doc.History().Len())
	}
	uitest.Do(func() {
		s.Desk.Doc.Look(func(x *state.State) {
			parts.Tables.Put(x, parts.TableChoice{Ending: ".csv", Coordinates: parts.CoordinateTable{Append: true}})
		})
	})
	d.Frames(3)
	if d.Has("export/With the columns of the data") {
		t.Error("the form is not that of the document")
	}
	d.ClickOn("export/coordinates")
	d.Frames(2)
	if s.Asked.Name != "tesseract_embedsom.csv" {
		t.Errorf("%q is suggested", s.Asked.Name)
	}
}

// A page of views is named by these: it has no title of its own to choose, and one view does.
func TestAPageOfViewsHasNoTitle(t *testing.T) {
	s, d := begin(t, "export", "demo:tesseract:500")
	if !d.Has("export/Title") || d.Has("export/Page of views") {
		t.Fatal("a picture of one view has no title, or is a page")
	}
	uitest.Do(func() { s.Desk.Stage.Split(s.Desk.Stage.Active()) })
	d.Frames(3)
	d.ClickOn("export/Page of views")
	d.Frames(3)
	if d.Has("export/Title") || !d.Has("export/Letters") {
		t.Error("a page is asked for a title that it would not have")
	}
}

// A form is that of what is kept of it.
func TestAFormIsWhatIsKeptOfIt(t *testing.T) {
	f := formOf(parts.FigureChoice{})
	if again := formOf(f.choice()); again != f {
		t.Errorf("%+v became %+v", f, again)
	}
	f.format, f.moments, f.picture.Columns, f.picture.Letters, f.picture.All = 1, 9, 3, true, true
	f.picture.Leave(2, true)
	f.picture.Transparent, f.picture.Shapes = true, true
	f.picture.Print.Width, f.picture.Width = 174, 640
	if again := formOf(f.choice()); again != f {
		t.Errorf("%+v became %+v", f, again)
	}
}
