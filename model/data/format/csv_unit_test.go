package format

import (
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// Shares, money and dates are numbers where every cell of a column says so, and labels otherwise.
func TestNumbersWithSignsAreNumbers(t *testing.T) {
	cases := map[string]struct {
		cells  []string
		want   []float64 // nil: labels
		said   string
		number bool // asked for
	}{
		"shares": {cells: []string{"12%", "3.5 %", "0"}, want: []float64{12, 3.5, 0}, said: "in %"},
		"shares with commas": {cells: []string{"12,5 %", "3,25 %", "-1 %"},
			want: []float64{12.5, 3.25, -1}, said: "in %"},
		"dollars": {cells: []string{"$1,234.50", "-$3", "$0.10"},
			want: []float64{1234.5, -3, 0.1}, said: "in $"},
		"euros":              {cells: []string{"5\u00a0€", "€7", "9 €"}, want: []float64{5, 7, 9}, said: "in €"},
		"missing among them": {cells: []string{"12%", "NA", "3%"}, want: []float64{12, math.NaN(), 3}, said: "in %"},
		"two signs":          {cells: []string{"12%", "$3", "4%"}},
		"a word among them":  {cells: []string{"12%", "high", "4%"}},
		"asked for": {cells: []string{"12%", "high", "4%"}, number: true,
			want: []float64{12, math.NaN(), 4}, said: "in %"},
		"words with signs": {cells: []string{"a%", "b%", "c%"}},
		"days": {cells: []string{"1970-01-02", "2026-11-23", "1969-12-31"}, want: []float64{1, 20780, -1},
			said: "days since"},
		"times": {cells: []string{"1970-01-01T12:00", "1970-01-02 06:00:00", "1970-01-01T00:00:00Z"},
			want: []float64{0.5, 1.25, 0}, said: "days since"},
		"parts of seconds": {cells: []string{"1970-01-01T00:00:00.5", "1970-01-01 00:00:01.25",
			"1970-01-01T00:00:00.123456Z"}, want: []float64{0.5 / 86400, 1.25 / 86400, 0.123456 / 86400},
			said: "days since"},
		"days with points": {cells: []string{"02.01.1970", "1.1.1970", "31.12.1969 12:00"}, want: []float64{1, 0, -0.5},
			said: "days since"},
		"the month first": {cells: []string{"01/02/1970", "01/13/1970", "1/1/1970"}, want: []float64{1, 12, 0},
			said: "the month before the day"},
		"the day first": {cells: []string{"02/01/1970", "13/01/1970", "1/1/1970"}, want: []float64{1, 12, 0},
			said: "the day before the month"},
		"days that can be two":         {cells: []string{"01/02/1970", "03/04/1970", "1/1/1970"}},
		"days and months out of order": {cells: []string{"13/01/1970", "01/13/1970", "1/1/1970"}},
		"in brackets": {cells: []string{"(0.07)", "12.5", "( 3 )"}, want: []float64{-0.07, 12.5, -3},
			said: "in brackets are below zero"},
		"money in brackets": {cells: []string{"($1,200.50)", "$12", "(3)"}, want: []float64{-1200.5, 12, -3},
			said: "in $"},
		"words in brackets": {cells: []string{"(a)", "(2)", "(b)"}},
		"no day":            {cells: []string{"2026-02-30", "2026-11-23", "2026-11-24"}},
		"numbers alone":     {cells: []string{"12", "3", "4"}, want: []float64{12, 3, 4}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var r Reading
			if c.number {
				r.Number = []string{"x"}
			}
			text := "x;other\n"
			for i, cell := range c.cells {
				text += cell + ";" + string(rune('1'+i)) + "\n"
			}
			ds := openText(t, text, Options{Reading: r})
			col := &ds.Columns[0]
			if (col.Categories == nil) != (c.want != nil) {
				t.Fatalf("labels %q, want numbers: %v", col.Categories, c.want != nil)
			}
			for i, want := range c.want {
				if got := col.At(i); math.Abs(got-want) > 1e-7*math.Abs(want) || (got == got) != (want == want) {
					t.Errorf("cell %q is %v, want %v", c.cells[i], got, want)
				}
			}
			if all := strings.Join(ds.Warnings, "|"); !strings.Contains(all, c.said) {
				t.Errorf("said %q, want something of %q", all, c.said)
			}
		})
	}
}

// Dates are there to colour by, and are no dimension of the map until somebody asks for them.
func TestDatesAreLeftOutOfTheMap(t *testing.T) {
	ds := openText(t, "day,a,b\n2026-01-01,1,2\n2026-01-05,3,4\n2026-02-01,2,9\n", Options{})
	cols, err := ds.MapColumns("", "")
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(cols, 0) || ds.Columns[0].Role != dataset.Time {
		t.Errorf("the map has columns %v, the dates are %v", cols, ds.Columns[0].Role)
	}
}

// A number among dates is no day: it counts as missing, which is told, but for a day of ISO 8601 without strokes. The
// column that has more numbers than dates has no dates.
func TestNumberAmongDatesIsMissing(t *testing.T) {
	nan := math.NaN()
	cases := map[string]struct {
		cells []string
		want  []float64
		said  string
	}{
		"a number": {cells: []string{"1970-01-02", "1970-01-03", "17", "1970-01-04", "12.5"},
			want: []float64{1, 2, nan, 3, nan},
			said: `2 cells that are no date counted as missing, the first is "17" on line 4`},
		"a day without strokes": {cells: []string{"1970-01-02", "19700103"}, want: []float64{1, 2}, said: "days since"},
		"no day":                {cells: []string{"1970-01-02", "19701303"}, want: []float64{1, nan}, said: "no date"},
		"with points": {cells: []string{"02.01.1970", "19700103", "1.1.1970"}, want: []float64{1, nan, 0},
			said: `1 cell that is no date counted as missing, the first is "19700103" on line 3`},
		"an infinity": {cells: []string{"1970-01-02", "inf"}, want: []float64{1, nan}, said: "no date"},
		"one date among numbers": {cells: []string{"7", "8", "9", "1970-01-02"}, want: []float64{7, 8, 9, nan},
			said: "no number counted as missing"},
		"in quotes": {cells: []string{`"1970-01-02"`, `"17"`}, want: []float64{1, nan},
			said: "no date"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			text := "other;x;more\n"
			for _, cell := range c.cells {
				text += "3;" + cell + ";4\n"
			}
			ds := openText(t, text, Options{})
			col := &ds.Columns[1]
			if col.Categories != nil {
				t.Fatalf("labels %q", col.Categories)
			}
			for i, want := range c.want {
				if got := col.At(i); got != want && (got == got || want == want) {
					t.Errorf("cell %q is %v, want %v", c.cells[i], got, want)
				}
				if ds.Columns[0].At(i) != 3 || ds.Columns[2].At(i) != 4 {
					t.Errorf("row %d has %v and %v beside it", i, ds.Columns[0].At(i), ds.Columns[2].At(i))
				}
			}
			if all := strings.Join(ds.Warnings, "|"); !strings.Contains(all, c.said) {
				t.Errorf("said %q, want something of %q", all, c.said)
			}
		})
	}
}
