package documents

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
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

// A guess about reading is offered to be set right; the map stays as far as its columns do.
func TestHowTextIsReadIsSetRight(t *testing.T) {
	a, d := enter(t, 1280, 800, Options{}, plate(t))
	opened(t, a, d)
	data := a.Desk().Doc.Data
	if !data.Unsure {
		t.Fatalf("%q", data.Warnings)
	}
	n := parts.Landmarks.Of(a.Desk().Doc.State()).Len()
	d.ClickOn("Reading…")
	d.Frames(3)
	d.ClickOn("reading/Missing words")
	d.Type("-9, saturated")
	d.ClickOn("reading/kind 5/Labels")
	d.Frames(2)
	d.ClickOn("reading/Read it so")
	rest(t, a, d)
	data = a.Desk().Doc.Data
	if data.Columns[3].Stats.Min < 0 || data.Columns[2].Stats.Invalid != data.Points/9+1 || data.Points != 400 ||
		len(data.Columns[5].Categories) != 4 || !slices.Equal(data.Reading.Label, []string{"cluster"}) {
		t.Errorf("%+v %+v", data.Reading, data.Columns)
	}
	if parts.Landmarks.Of(a.Desk().Doc.State()).Len() != n {
		t.Error("the map was lost")
	}
}

// A table that cannot be read is offered to be read otherwise.
func TestTableThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	text := "a:b:c\n" + strings.Repeat("1:2,5:3\n4:5:6\n", 30)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 1280, 800, Options{})
	uitest.Do(func() { a.docs.Open(path) })
	d.Wait("it is said", time.Minute, func() bool { return a.dialogs.Count("question") > 0 })
	d.Frames(2)
	d.ClickOn("question/How text is read…")
	d.Frames(3)
	if a.dialogs.Open("reading") == nil {
		t.Fatal("it is not asked how it is to be read")
	}
	uitest.Do(func() {
		a.docs.AskHow(dialog.TextTables{Files: []string{path}, As: dataset.Reading{Separator: ":"}, Fail: true})
	})
	d.Frames(3)
	d.ClickOn("reading/Read it so")
	opened(t, a, d)
	if data := a.Desk().Doc.Data; len(data.Columns) != 3 || data.Points != 60 {
		t.Errorf("%d x %d", data.Points, len(data.Columns))
	}
}

// How another file than the open one was to be read is asked no more: its answer would be taken for the open one's.
func TestTheDialogOfReadingGoesWithItsFile(t *testing.T) {
	a, d := enter(t, 1280, 800, Options{}, plate(t))
	opened(t, a, d)
	uitest.Do(a.docs.AskReading)
	d.Frames(3)
	uitest.Do(func() { a.docs.Open("demo:s-sheet:500") })
	d.Wait("the other one is open", time.Minute, func() bool { return a.Desk().Doc.Data.Points == 500 })
	d.Frames(3)
	if a.dialogs.Any() {
		t.Error("the dialog is still open")
	}
}
