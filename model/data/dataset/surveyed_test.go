package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// heap are the rows of a table in memory, which an outline reads.
type heap struct{ of []Column }

func (h heap) Read(_ context.Context, from, to int, columns []int) (out []Column, err error) {
	for _, c := range columns {
		one := Column{Values: slices.Clone(h.of[c].Values[from:to])}
		if h.of[c].Exact != nil {
			one.Exact = slices.Clone(h.of[c].Exact[from:to])
		}
		out = append(out, one)
	}
	return out, nil
}

// measured is a table of so many rows: numbers with gaps, a constant, whole numbers that float32 does not hold, labels
// that are numbers, a counter that goes on from table to table and, where f is even, one more column.
func measured(t *testing.T, r *rand.Rand, f, first, rows int) *Dataset {
	t.Helper()
	columns := []Column{{Name: "a"}, {Name: "constant"}, {Name: "wide"}, {Name: "close"}, {Name: "gaps"},
		{Name: "batch"}, {Name: "event number"}}
	if f%2 == 0 {
		columns = append(columns, Column{Name: "some"})
	}
	wide, near := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		for j := range columns {
			x := r.NormFloat64() * math.Pow(9, float64(j))
			switch {
			case j == 1:
				x = 7
			case j == 4 && r.IntN(3) == 0, j == 0 && r.IntN(1000) == 0:
				x = math.NaN()
			case j == 0 && r.IntN(100_000) == 0:
				x = math.Inf(1)
			}
			switch j {
			case 5:
				x = float64(1<<24 + f*2 + r.IntN(5))
			case 6:
				x = float64(first + i)
			}
			columns[j].Values = append(columns[j].Values, float32(x))
		}
		wide[i], near[i] = float64(1<<24+r.IntN(1<<20)), 1e6+r.Float64()*1e-3
	}
	if rows > 0 && f != 1 { // in one table float32 is taken to be enough
		columns[2].SetExact(wide)
		columns[3].SetExact(near)
	}
	return table(t, fmt.Sprintf("%d.npy", f), columns...)
}

// known is an outline of a table as another process has told of it, from its file; read is asked for what that lacks.
func known(t *testing.T, ds *Dataset, first, all int, read func(context.Context, []bool) (*Dataset, error)) *Dataset {
	t.Helper()
	outline := *ds
	outline.Columns, outline.Rows = slices.Clone(ds.Columns), heap{ds.Columns}
	for i := range outline.Columns {
		outline.Columns[i].Values, outline.Columns[i].Exact = nil, nil
		_ = ds.Columns[i].sortedSample() // which it shares
		outline.Columns[i].sample.far = ds.Columns[i].FarAway()
	}
	told, err := SurveyPart(t.Context(), &outline, first, all, []int{first + ds.Points/2, all - 1})
	var b bytes.Buffer
	if err == nil {
		b.WriteString("before")
		err = told.Write(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadSurveyed(bytes.NewReader(b.Bytes()), 6, int64(b.Len()-6))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 { // a file that is cut is not taken for a whole one
		cut := 6 + rand.IntN(b.Len()-6)
		if _, err := ReadSurveyed(bytes.NewReader(b.Bytes()[:cut]), 6, int64(cut-6)); err == nil {
			t.Fatalf("%d of %d bytes are taken for all", cut, b.Len())
		}
	}
	return again.Table(ds.Path, read)
}

// alike compares columns by all that is known of them.
func alike(t *testing.T, what string, got, want *Dataset) {
	t.Helper()
	if len(got.Columns) != len(want.Columns) || got.Points != want.Points ||
		!slices.Equal(got.Warnings, want.Warnings) || !slices.Equal(got.Parts, want.Parts) {
		t.Fatalf("%s: %d columns of %d points, %q", what, len(got.Columns), got.Points, got.Warnings)
	}
	for i := range want.Columns {
		a, b := got.Columns[i], want.Columns[i]
		if !slices.Equal(a.sortedSample(), b.sortedSample()) || a.FarAway() != b.FarAway() {
			t.Errorf("%s: the sample of %s is another", what, b.Name)
		}
		for _, c := range []*Column{&a, &b} {
			c.Values, c.Exact, c.sample, c.Rev = nil, nil, nil, 0
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: column %s is\n%+v, not\n%+v", what, b.Name, a, b)
		}
	}
}

// joinedOf are the columns of all tables and, where at most half of the rows are of tables that do not have it, one
// more: of few values all rows are asked for.
func joinedOf(sizes []int) (joined []Joined) {
	for j, name := range []string{"a", "constant", "wide", "close", "gaps", "batch", "event number", "some"} {
		from, without, all := []int{}, 0, 0
		for f, n := range sizes {
			at := j
			if all += n; j == 7 && f%2 != 0 {
				at, without = -1, without+n
			}
			from = append(from, at)
		}
		if 2*without <= all {
			joined = append(joined, Joined{Name: name, From: from})
		}
	}
	return joined
}

// Tables of which other processes have told make the table that they make in memory, to the last bit, however rows lie
// in them, and without any of them being read.
func TestTablesThatAreToldOfMakeTheTableThatTheyAre(t *testing.T) {
	r := rand.New(rand.NewPCG(3, rand.Uint64()))
	for _, sizes := range [][]int{{30_000}, {4096, 8192, 4097}, {1, 20_000, 3, 5000, 1, 9000}, {10, 300_000, 7000},
		{270_000, 1, 0, 260_000, 30_001}, {SurveyPiece, SurveyPiece, 1}} {
		all, first := 0, 0
		for _, n := range sizes {
			all += n
		}
		nobody := func(context.Context, []bool) (*Dataset, error) { return nil, errors.New("is read") }
		var whole, told []*Dataset
		for f, n := range sizes {
			ds := measured(t, r, f, first, n)
			whole, told = append(whole, ds), append(told, known(t, ds, first, all, nobody))
			first += n
		}
		what := fmt.Sprint(sizes)
		if len(sizes) == 1 {
			alike(t, what, told[0], whole[0])
			continue
		}
		joined := joinedOf(sizes)
		want, err := Stack(t.Context(), whole, joined)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Stack(t.Context(), told, joined)
		if err != nil {
			t.Fatal(what, err)
		}
		alike(t, what, got, want)
		for f := range whole { // somebody else is asked for rows that nobody has told
			ds := whole[f]
			told[f].Rows.(*toldRows).open = func(_ context.Context, kept []bool) (*Dataset, error) { return ds, nil }
		}
		for range 5 {
			from := r.IntN(all)
			rows, err := got.Range(t.Context(), from, min(all, from+1+r.IntN(9000)))
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range rows.Columns {
				for k := range c.Values {
					if a, b := c.At(k), want.Columns[i].At(from+k); a != b && (a == a || b == b) {
						t.Fatalf("%s: row %d of %s is %v, not %v", what, from+k, c.Name, a, b)
					}
				}
			}
		}
	}
}

// Moments of a column that do not count each row once are refused, and not added up.
func TestMomentsOfOtherRowsAreRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	told, err := SurveyPart(t.Context(), measured(t, r, 0, 0, 20_000), 0, 30_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := told.Write(&b); err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) error {
		_, err := ReadSurveyed(bytes.NewReader(text), 0, int64(len(text)))
		return err
	}
	if err := read(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	at := len(surveyedMark)
	at += 8 + int(binary.LittleEndian.Uint64(b.Bytes()[at:])) // moments begin with a count, then rows without a value
	for _, k := range []int{at, at + 8, at + momentsSize} {
		for _, by := range []int64{1, -1, math.MinInt64} {
			text := bytes.Clone(b.Bytes())
			binary.LittleEndian.PutUint64(text[k:], binary.LittleEndian.Uint64(text[k:])+uint64(by))
			if err := read(text); err == nil {
				t.Errorf("%d more at %d are taken", by, k)
			}
		}
	}
}

// A file of texts is not told of, nor one with more rows than the table.
func TestWhatCannotBeToldOfATableIsRead(t *testing.T) {
	ds := table(t, "a", Column{Name: "x", Values: make([]float32, 20_000)},
		Column{Name: "t", Values: make([]float32, 20_000), Categories: []string{"B"}})
	if _, err := SurveyPart(t.Context(), ds, 0, 30_000, nil); !errors.Is(err, ErrWhole) {
		t.Errorf("texts: %v", err)
	}
	ds.Columns = ds.Columns[:1]
	if _, err := SurveyPart(t.Context(), ds, 20_000, 30_000, nil); !errors.Is(err, ErrWhole) {
		t.Errorf("more rows than there are: %v", err)
	}
	ds.Columns[0].Name = "\xff"
	told, err := SurveyPart(t.Context(), ds, 0, 30_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := told.Write(&bytes.Buffer{}); !errors.Is(err, ErrWhole) {
		t.Errorf("a name that is no text: %v", err)
	}
}
