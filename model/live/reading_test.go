package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
)

// A session reads its text table as it was read when it was saved.
func TestSessionKeepsReading(t *testing.T) {
	dir := t.TempDir()
	data, saved := filepath.Join(dir, "t.csv"), filepath.Join(dir, "t.blossom")
	text := "x;y;k\n" + strings.Repeat("1,234;0,5;1\n2,345;1,5;2\noff;-9;1\n", 30)
	if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := dataset.Reading{Separator: ";", Decimal: ",", Missing: []string{"off", "-9"}, Number: []string{"x"},
		Label: []string{"k"}}
	opened, err := opening.Load(t.Context(), []string{data}, format.Options{Reading: r}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Of(opened.Doc, saved, "test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(saved)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	// Wishes about reading other files do not matter.
	again, err := opening.Load(t.Context(), []string{saved}, format.Options{Reading: dataset.Reading{Separator: "|"}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	was, is := opened.Doc.Data, again.Doc.Data
	if !is.Reading.Equal(r) || is.Columns[0].Stats != was.Columns[0].Stats || is.Columns[0].Stats.Max > 2.4 ||
		is.Columns[1].Stats.Min != 0.5 || len(is.Columns[2].Categories) != 2 {
		t.Errorf("%+v: %+v", is.Reading, is.Columns)
	}
}
