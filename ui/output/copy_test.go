package output_test

import (
	"bytes"
	"encoding/csv"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// The picture in the clipboard is the file that is written of the same view, byte for byte: pixels, and how it was
// made.
func TestACopiedPictureIsTheOneThatIsWritten(t *testing.T) {
	a, d := enter(t, 700, 520, "demo:cytometry:2000")
	path := filepath.Join(t.TempDir(), "picture.png")
	uitest.Do(func() { a.out.CopyPicture() })
	d.Wait("the picture is copied", 20*time.Second, func() bool { return d.Shell().Copied() != nil && a.Jobs.Idle() })
	uitest.Do(func() { a.out.Picture(path, desk.Picture{}) })
	d.Wait("the picture is written", 20*time.Second, func() bool { return there(path) && a.Jobs.Idle() })
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := d.Shell().Copied()
	if img, err := png.Decode(bytes.NewReader(got)); err != nil || img.Bounds().Dx() < 100 {
		t.Fatalf("it is no picture: %v", err)
	}
	if !bytes.Contains(got, []byte("Recipe")) {
		t.Error("it does not say how it was made")
	}
	if !bytes.Equal(got, file) {
		t.Errorf("%d bytes were copied, and %d written", len(got), len(file))
	}
}

// The view that was clicked last is copied, of any kind, and the message names it.
func TestTheCopiedPictureIsOfTheViewThatWasClicked(t *testing.T) {
	a, d := enter(t, 900, 520, "demo:cytometry:500")
	uitest.Do(func() {
		s := a.Desk().Stage
		s.Split(s.Active())
		s.ShowKind(s.Active(), "heat")
	})
	a.Rest(d)
	for i, word := range []string{"EmbedSOM", "Landmarks"} {
		var at widget.Rect
		var w, h int
		uitest.Do(func() {
			v := a.Desk().Stage.Views()[i]
			at = v.Room()
			w, h = v.Content().PictureSize()
		})
		d.Click((at.X0+at.X1)/2, (at.Y0+at.Y1)/2)
		a.Rest(d)
		uitest.Do(func() { a.Said = nil; a.out.CopyPicture() })
		d.Wait("the picture is copied", 20*time.Second, func() bool { return len(a.Said) > 0 && a.Jobs.Idle() })
		said := strings.Join(a.Said, " ")
		img, err := png.Decode(bytes.NewReader(d.Shell().Copied()))
		if err != nil || img.Bounds().Dx() != w || img.Bounds().Dy() != h || !strings.Contains(said, word) {
			t.Errorf("%q: %v, and %s, which was clicked, has %d x %d pixels (%v)", said, img.Bounds(), word, w, h, err)
		}
	}
}

// Copied rows are those of the file of all points, and of the selected ones alone.
func TestCopiedRowsAreThoseOfTheFile(t *testing.T) {
	a, d := enter(t, 700, 520, "demo:cytometry:900")
	rows := []int{3, 4, 77, 401, 899}
	path := filepath.Join(t.TempDir(), "all.csv")
	uitest.Do(func() {
		words := make([]uint64, 15)
		for _, row := range rows {
			words[row/64] |= 1 << (row % 64)
		}
		set := selection.FromBits(900, words)
		a.Desk().Doc.Do("Select", func(s *state.State) { parts.Selection.Put(s, set) })
		a.Desk().Rows.Derived = []string{"nearest landmark"}
		a.out.CopyRows()
	})
	d.Wait("rows are copied", 20*time.Second, func() bool { return a.Copied != "" && a.Jobs.Idle() })
	uitest.Do(func() {
		a.out.Coordinates(path, desk.Table{Columns: true, Derived: []string{"nearest landmark"}})
	})
	d.Wait("the table is written", 20*time.Second, func() bool { return there(path) && a.Jobs.Idle() })
	tabs := csv.NewReader(strings.NewReader(a.Copied))
	tabs.Comma = '\t'
	got, err := tabs.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{all[0]}
	for _, row := range rows {
		want = append(want, all[row+1])
	}
	if !slices.EqualFunc(got, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
		t.Errorf("copied\n%v\nwritten\n%v", got, want)
	}
	if last := all[0][len(all[0])-1]; !strings.Contains(last, "nearest") {
		t.Errorf("the last column is %q", last)
	}
}

// Without a selection, and with one that is too large, nothing is copied, and why is said.
func TestRowsThatAreNotCopied(t *testing.T) {
	a, _ := enter(t, 500, 400, "demo:tesseract:120000")
	for _, of := range []struct {
		set  *selection.Set
		want string
	}{{nil, "no points are selected"}, {selection.All(120_000), "120,000 rows are too many"}} {
		uitest.Do(func() {
			a.Desk().Doc.Do("Select", func(s *state.State) { parts.Selection.Put(s, of.set) })
			a.out.CopyRows()
			said := ""
			if a.failed != nil {
				said = problem.As(a.failed).What
			}
			if !strings.Contains(said, of.want) || a.Copied != "" {
				t.Errorf("%q, not %q", said, of.want)
			}
		})
	}
}
