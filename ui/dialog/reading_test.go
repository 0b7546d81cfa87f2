package dialog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// plate is a table whose reading has to be guessed: decimal commas, thousands, words for nothing, clusters by number.
func plate(t *testing.T) string {
	var b strings.Builder
	b.WriteString("well;donor;CD3;CD4;cells;cluster\n")
	for i := range 400 {
		cd3 := fmt.Sprintf("%d,%d", i%7, i%10)
		if i%9 == 3 {
			cd3 = "saturated"
		}
		cd4 := fmt.Sprintf("%d,%02d", i%5, i*7%100)
		if i%11 == 5 {
			cd4 = "-9"
		}
		fmt.Fprintf(&b, "A%d;%s;%s;%s;%d.%03d;%d\n", i%12, [2]string{"anna", "bert"}[i%2], cd3, cd4, 1+i%9,
			i*31%1000, i%4)
	}
	path := filepath.Join(t.TempDir(), "plate.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// reading shows the dialog of a table, and returns what is asked of it.
func (s *stand) reading(path string) (f *reading, read *dataset.Reading) {
	read = &dataset.Reading{}
	uitest.Do(func() {
		Reading.Show(s.dialogs, TextTables{Files: []string{path}, Read: func(as dataset.Reading) { *read = as }})
		f = s.dialogs.Open("reading").(*reading)
	})
	return f, read
}

// The dialog shows how a table was read, and hands on the answers that the user gives instead.
func TestTheReadingOfATextIsAnswered(t *testing.T) {
	s, d := beginSized(t, widget.Light(), 1000, 760, 1)
	f, read := s.reading(plate(t))
	d.Frames(3)
	if f.preview.Separator != ";" || f.preview.Decimal != "," {
		t.Fatalf("%+v", f.preview)
	}
	d.ClickOn("reading/Missing words")
	d.Type("-9, saturated")
	d.ClickOn("reading/kind 5/Labels")
	d.Frames(2)
	for _, c := range f.preview.Columns {
		if c.Odd > 0 || c.Name == "cluster" && !c.Label {
			t.Errorf("%+v", c)
		}
	}
	d.ClickOn("reading/Read it so")
	d.Frames(2)
	if want := []string{"-9", "saturated"}; s.dialogs.Any() || !slices.Equal(read.Missing, want) ||
		!slices.Equal(read.Label, []string{"cluster"}) {
		t.Errorf("asked to read it as %+v", read)
	}
	uitest.Do(func() { f.force(&f.preview.Columns[5], false) }) // it would be so by itself
	if len(f.r.Label)+len(f.r.Number) != 0 {
		t.Errorf("%+v", f.r)
	}
}

func TestTheReadingOfATextLooks(t *testing.T) {
	path := plate(t)
	for _, c := range []struct {
		suffix string
		theme  widget.Theme
		scale  float32
	}{{"-light", widget.Light(), 1}, {"-dark-200", widget.Dark(), 2}} {
		s, d := beginSized(t, c.theme, int(860*c.scale), int(620*c.scale), c.scale)
		s.reading(path)
		d.Move(1, 1)
		d.Frames(5)
		d.Picture("reading"+c.suffix, "reading")
		d.End()
	}
}

// Tab goes from setting to setting, and on to what each column is read as.
func TestTabGoesThroughTheReadingOfAText(t *testing.T) {
	s, d := beginSized(t, widget.Light(), 1000, 760, 1)
	f, _ := s.reading(plate(t))
	d.Frames(3)
	tab := func(n int) {
		for range n {
			d.Keys("Tab")
			d.Frames(2)
		}
	}
	tab(5) // the cross, then the settings
	d.Type("-9")
	tab(12)
	d.Keys("Space")
	d.Frames(2)
	if !slices.Equal(f.r.Missing, []string{"-9"}) || !slices.Equal(f.r.Label, []string{"cluster"}) {
		t.Errorf("typed and chosen by keys: %+v", f.r)
	}
}
