package job

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
)

// painted has pictures drawn as what they say of themselves, and calls back before.
func painted(t *testing.T, before func(p *Picture)) {
	was := Painter
	t.Cleanup(func() { Painter = was })
	Painter = func(_ context.Context, p *Picture, d *Drawn, _ int, _ func(done, total int64)) (func(io.Writer) error,
		error) {
		before(p)
		return func(w io.Writer) error {
			for _, x := range d.Text {
				if _, err := io.WriteString(w, x[0]+" "+x[1]+"\n"); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}
}

// ofPlaces is a job of data in a folder with a picture of two of its columns for each of some files.
func ofPlaces(dir string, f File, outputs ...string) *Job {
	f.Path = filepath.Join(dir, f.Path)
	j := &Job{Data: []File{f}}
	for _, out := range outputs {
		p := NewPicture()
		p.At, p.Colour, p.Output = "x,y", "x", filepath.Join(dir, out)
		j.Want(p)
	}
	return j
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A job that has taken changed data makes a picture that knows these, not those that the job was made of.
func TestAPictureOfChangedDataKnowsThese(t *testing.T) {
	painted(t, func(*Picture) {})
	dir := t.TempDir()
	put(t, dir, "a.csv", "x,y\n1,2\n3,4\n5,7\n")
	old := File{Path: "a.csv", Size: 999, Rows: 77, SHA256: strings.Repeat("ab", 32)}
	if _, err := Execute(t.Context(), ofPlaces(dir, old, "p.png"), Options{}); err == nil {
		t.Fatal("data of another size were taken")
	}
	if _, err := Execute(t.Context(), ofPlaces(dir, old, "p.png"), Options{Changed: true}); err != nil {
		t.Fatal(err)
	}
	j, _, err := Carrier(t.Context(), filepath.Join(dir, "p.png"))
	if err != nil {
		t.Fatal(err)
	}
	print, err := fingerprint.Whole(t.Context(), filepath.Join(dir, "a.csv"), nil)
	if f := j.Data[0]; err != nil || f.Size != print.Size || f.Rows != 3 || f.SHA256 != print.Whole {
		t.Errorf("it carries %+v, want %+v, %v", f, print, err)
	}
	j.In(dir)
	if _, err := Execute(t.Context(), j, Options{}); err != nil {
		t.Errorf("the job of the picture: %v", err)
	}
}

// Several pictures of one job have names of their own in the job that each carries.
func TestEachOfTwoPicturesOfAJobCarriesIt(t *testing.T) {
	painted(t, func(*Picture) {})
	dir := t.TempDir()
	put(t, dir, "a.csv", "x,y\n1,2\n3,4\n")
	if _, err := Execute(t.Context(), ofPlaces(dir, File{Path: "a.csv"}, "p.png", "q.png", "r.svg"),
		Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"p.png", "q.png", "r.svg"} {
		j, _, err := Carrier(t.Context(), filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := j.Outputs(); !slices.Equal(got, []string{"picture.png", "picture-2.png", "picture.svg"}) {
			t.Errorf("%s carries a job that writes %q", name, got)
		}
	}
}

// A picture is not lost with its data: where those are gone it does not say how it was made, and where they were
// written since, it says so of what was read.
func TestAPictureIsWrittenThoughItsDataAreGoneOrOther(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(path string) error
		carries bool
		notes   string
	}{
		"gone": {os.Remove, false, "a.csv does not exist"},
		"written": {func(path string) error { return os.WriteFile(path, []byte("x,y\n1,2\n3,4\n5,6\n"), 0o644) }, true,
			"a.csv was written since"},
	} {
		dir := t.TempDir()
		put(t, dir, "a.csv", "x,y\n1,2\n3,4\n")
		path, times := filepath.Join(dir, "a.csv"), 0
		painted(t, func(*Picture) {
			if times++; times == 1 {
				if err := c.happens(path); err != nil {
					t.Error(err)
				}
			}
		})
		j := ofPlaces(dir, File{Path: "a.csv", Size: 12}, "p.png", "q.png")
		j.Wanted[0].(*Picture).NoRecipe = true
		w, err := Execute(t.Context(), j, Options{})
		if err != nil || !strings.Contains(strings.Join(w.Notes, "\n"), c.notes) {
			t.Fatalf("%s: %v, it notes %q", name, err, w.Notes)
		}
		got, _, err := Carrier(t.Context(), filepath.Join(dir, "q.png"))
		if (err == nil) != c.carries {
			t.Errorf("%s: %v", name, err)
		} else if err == nil && (got.Data[0].SHA256 != "" || got.Data[0].Size != 12) {
			t.Errorf("%s: it carries %+v", name, got.Data[0])
		}
	}
}

// A file is known as a picture by how it begins: tables may have any words in them.
func TestPicturesAreKnownByHowTheyBegin(t *testing.T) {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg">`
	for head, want := range map[string]bool{
		svg: true, "\xef\xbb\xbf\r\n<?xml version=\"1.0\"?>\n<!-- a > b --><!DOCTYPE svg PUBLIC \"x\">\n" + svg: true,
		"<svg>": true, "name,icon\na," + svg: false, "<svgs>": false, "<!-- " + svg: false,
		"<a>" + svg: false, "": false,
		"<!DOCTYPE html><html><table>":                               false,
		"<!DOCTYPE html>\n<head>\n<meta name=\"recipe\" content=\"b": true,
		"%PDF-1.4": true, "\x89PNG\r\n\x1a\n": true, "\x89PN": false,
	} {
		if got := isPicture([]byte(head)); got != want {
			t.Errorf("%q is one: %v", head, got)
		}
	}
}

// The second picture of a report looks as the first does, but for the colours.
func TestTheSecondPictureOfAReportLooksAsTheFirst(t *testing.T) {
	centre, usual := 3.0, NewPicture()
	first := NewPicture()
	first.Colour, first.And, first.Centre, first.Ends, first.Scale = "x", "y", &centre, [2]float64{1, 2}, "log"
	first.Percentiles, first.Palette, first.Wall.Columns = [2]float64{5, 6}, "magma", []string{"x"}
	first.PointSize, first.Opacity, first.Turn, first.Landmarks = 4, 0.5, 30, true
	first.Box = [][2]float64{{0, 1}, {2, 3}}
	second := *first
	second.colourByPopulations()
	if second.PointSize != 4 || second.Opacity != 0.5 || second.Turn != 30 || len(second.Box) != 2 ||
		!second.Landmarks {
		t.Errorf("it looks otherwise: %+v", second)
	}
	if second.Colour != byPopulations || second.And != "" || second.Centre != nil || second.Ends != usual.Ends ||
		second.Scale != usual.Scale || second.Percentiles != usual.Percentiles || second.Palette != usual.Palette ||
		len(second.Wall.Columns) > 0 || second.Check() != nil {
		t.Errorf("it has colours of the first: %+v, %v", second, second.Check())
	}
	if first.Colour != "x" || first.Centre == nil {
		t.Error("the first was changed")
	}
}

// A picture that is opened in a window looks as it is: its points are counted in cells where it has them so.
func TestAPictureIsOpenedAsItIsDrawn(t *testing.T) {
	p := NewPicture()
	p.Colour, p.Draw, p.Cell, p.Counts, p.Smooth, p.Show = "x", "density", 3, "equal", 2, "median"
	if got := p.look(); got.Drawing != p.Drawing {
		t.Errorf("its points are drawn as %+v, want %+v", got.Drawing, p.Drawing)
	}
	if got := NewPicture().look(); got.Drawing != parts.DefaultLook().Drawing {
		t.Errorf("points of which nothing is said are drawn as %+v", got.Drawing)
	}
}
