package format

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A header is known by what stands below it, not by how one of its cells looks.
func TestAHeaderIsKnownByTheRowsBelow(t *testing.T) {
	const doubt = "the first line is taken for"
	cases := map[string]struct {
		text  string
		names string // names of the columns, with bars between; columns without names are c1, c2, ...
		rows  int
		doubt bool
	}{
		"years":                     {"gene,2023,2024\na,1,2\nb,3,4.5\nc,2,2\n", "gene|2023|2024", 3, true},
		"one year":                  {"gene,2023\na,1\nb,3\n", "gene|2023", 2, true},
		"years above whole numbers": {"gene,2023,2024\nBRCA1,512,3001\nTP53,2100,7\n", "gene|2023|2024", 2, true},
		"years alone":               {"2021,2022,2023\n1,2,3.5\n4,5,6\n", "2021|2022|2023", 2, true},
		"infinity": {"x,inf,Infinity,1\n0.5,0.25,3.5,2.5\n1.5,1.25,2.5,0.5\n", "x|inf|Infinity|1", 2,
			false},
		"a number among words":       {"a,b,c,1\n1,2,3,4\n5,6,7,8\n", "a|b|c|1", 2, false},
		"a word above numbers":       {"x,1,2\n3,4,5\n6,7,8\n", "x|1|2", 2, true},
		"number above labels":        {"x,1\n3.5,left\n4.5,right\n", "x|1", 2, false},
		"labels and numbers":         {"a,1,2\nb,3,4.5\nc,2,2\n", "c1|c2|c3", 3, false},
		"a label that is there once": {"a,1000\nb,1\nc,2\n", "c1|c2", 3, true},
		"a word in the first row":    {"3.1,off,2.2\n3.5,1.5,2.1\n3.2,1.25,2.5\n", "c1|c2|c3", 3, true},
		"a word in whole numbers":    {"off,3,4\n1,2,5\n2,3,4\n1,4,5\n", "c1|c2|c3", 4, true},
		"a decay":                    {"1000,500\n10,5\n1,0.5\n", "c1|c2", 3, false},
		"numbers":                    {"1,2,3\n4,5,6\n", "c1|c2|c3", 2, false},
		"one row of both":            {"x,1\n", "c1|c2", 1, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ds := openText(t, c.text, Options{})
			var names []string
			for _, col := range ds.Columns {
				names = append(names, col.Name)
			}
			if got := strings.Join(names, "|"); got != c.names || ds.Points != c.rows {
				t.Errorf("read as %s with %d rows, want %s with %d", got, ds.Points, c.names, c.rows)
			}
			if said := strings.Contains(strings.Join(ds.Warnings, "\n"), doubt); said != c.doubt {
				t.Errorf("a doubt is said: %v, want %v: %q", said, c.doubt, ds.Warnings)
			}
		})
	}
}

// Who asks for a header, or for none, gets that without a doubt.
func TestAHeaderIsReadAsAskedFor(t *testing.T) {
	for header, want := range map[string]string{"yes": "1|2", "no": "c1|c2"} {
		ds := openText(t, "1,2\n3,4\n", Options{Reading: Reading{Header: header}})
		if got := ds.Columns[0].Name + "|" + ds.Columns[1].Name; got != want || len(ds.Warnings) > 0 {
			t.Errorf("header %s: columns %s, warnings %q, want %s and none", header, got, ds.Warnings, want)
		}
	}
	ds := openText(t, "a,b\n3,4\n", Options{Reading: Reading{Header: "no"}})
	if ds.Points != 2 {
		t.Errorf("%d rows, want the words as a row of their own", ds.Points)
	}
	if err := CheckReading(Reading{Header: "maybe"}); err == nil {
		t.Error("maybe is a header")
	}
}

// Rows that are drawn alike are rows, the first of them too.
func TestNoRowOfATableWithoutAHeaderIsLost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows, columns := rapid.IntRange(2, 12).Draw(r, "rows"), rapid.IntRange(1, 6).Draw(r, "columns")
		labels := rapid.Bool().Draw(r, "labels")
		most := rapid.SampledFrom([]int{9, 100, 3000}).Draw(r, "most")
		var b strings.Builder
		for range rows {
			for j := range columns {
				if j > 0 {
					b.WriteByte(',')
				}
				if labels && j == 0 {
					b.WriteString(rapid.SampledFrom([]string{"left", "right", "both"}).Draw(r, "label"))
				} else {
					whole, rest := rapid.IntRange(-most, most).Draw(r, "whole"), rapid.IntRange(1, 9).Draw(r, "rest")
					fmt.Fprintf(&b, "%d.%d", whole, rest)
				}
			}
			b.WriteByte('\n')
		}
		if labels && columns == 1 {
			return // words alone, and the first of them may be a name
		}
		d, _, err := sniffDialect([]byte(b.String()), true, ".csv", Reading{Separator: ","})
		if err != nil || d.header {
			r.Fatalf("header %v, error %v of\n%s", d.header, err, b.String())
		}
	})
}
