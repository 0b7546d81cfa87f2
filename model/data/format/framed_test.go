package format

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// runsOfTexts is a table of one column of texts, which comes in runs.
type runsOfTexts struct {
	rows int
	runs []frame.Run
	fail string // it panics behind them, with this
}

func (r *runsOfTexts) Columns() []frame.Column {
	return []frame.Column{{Name: "kind", Kind: frame.Text}}
}
func (r *runsOfTexts) Pieces() []int64      { return []int64{int64(r.rows)} }
func (r *runsOfTexts) Bytes(int, int) int64 { return 1 }

func (r *runsOfTexts) Read(_ context.Context, _, _ int, _ func(int64, int) bool, take func(*frame.Run) error) error {
	for i := range r.runs {
		if err := take(&r.runs[i]); err != nil {
			return err
		}
	}
	if r.fail != "" {
		panic(r.fail)
	}
	return nil
}

// Texts may change between a dictionary, plain ones and none at all within a column, as writers do whose dictionary
// grows too long.
func TestTextsWithAndWithoutADictionaryAreOneColumn(t *testing.T) {
	names := &frame.Names{Texts: [][]byte{[]byte("a"), []byte("b")}}
	coded := func(row int) frame.Run {
		return frame.Run{Row: int64(row), Rows: 2, Codes: []uint32{1, 0}, Names: names}
	}
	plain := func(row int) frame.Run {
		return frame.Run{Row: int64(row), Rows: 2, Texts: [][]byte{[]byte("c"), []byte("a")}}
	}
	none := func(row int) frame.Run { return frame.Run{Row: int64(row), Rows: 2, Missing: []bool{true, true}} }
	for _, c := range []struct {
		runs []frame.Run
		want string
	}{
		{[]frame.Run{coded(0), plain(2), coded(4)}, "[b a c a b a]"},
		{[]frame.Run{coded(0), none(2), coded(4)}, "[b a ? ? b a]"},
		{[]frame.Run{none(0), plain(2), none(4)}, "[? ? c a ? ?]"},
	} {
		in := &input{path: "x.parquet", o: Options{Memory: 1 << 30}}
		ds, err := in.frameTable(ctx, &runsOfTexts{rows: 6, runs: c.runs})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(texts(&ds.Columns[0])); got != c.want {
			t.Errorf("texts are %s, want %s", got, c.want)
		}
	}
}

// A reader that breaks down costs the file, not the program.
func TestAReaderThatBreaksDownIsAProblemOfTheFile(t *testing.T) {
	in := &input{path: "x.parquet", o: Options{Memory: 1 << 30}}
	_, err := in.frameTable(ctx, &runsOfTexts{rows: 2, fail: "no such page"})
	wantProblem(t, err, "x.parquet", `"kind"`, "no such page")
}

// A column of many labels whose last rows have none is read as it was written: whole batches hold nothing.
func TestParquetOfLabelsThatEndIsReadAgain(t *testing.T) {
	ds := &dataset.Dataset{Points: 60_000, Columns: []dataset.Column{{Name: "kind", Role: dataset.Label}}}
	c := &ds.Columns[0]
	for i := range ds.Points {
		if i < 20_000 {
			c.Values = append(c.Values, float32(i))
			c.Categories = append(c.Categories, fmt.Sprint("kind ", i))
		} else {
			c.Values = append(c.Values, nan32)
		}
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := Save(ctx, path, ds, nil); err != nil {
		t.Fatal(err)
	}
	again, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := &again.Columns[0]; len(got.Categories) != 20_000 || got.Values[19_999] != 19_999 ||
		got.Values[20_000] == got.Values[20_000] {
		t.Errorf("%d labels are read", len(got.Categories))
	}
}
