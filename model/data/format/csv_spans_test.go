package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"blossom/model/data/dataset"
)

// quotedText is a table whose cells may hold separators, quotes and ends of lines.
func quotedText(n int, eol string) string {
	r := rand.New(rand.NewPCG(4, uint64(n)))
	var b strings.Builder
	b.WriteString("# made by hand" + eol + "a,what,\"b, c\",d" + eol)
	for i := range n {
		what := []string{`B`, `"T, ""fine"""`, "\"two" + eol + "lines\"", `""`, ``}[r.IntN(5)]
		fmt.Fprintf(&b, "%d.5,%s,%g,%d%s", i%19, what, r.NormFloat64(), r.IntN(9), eol)
		if r.IntN(50) == 0 {
			b.WriteString(eol)
		}
	}
	return b.String()
}

// A range of a text has the rows of the whole, found by counting or where a plan says that they lie, whatever is in
// quotes and wherever chunks end; the ranges of a plan are, one after the other, all rows.
func TestRangesOfText(t *testing.T) {
	for name, text := range map[string]string{
		"quoted.csv":     quotedText(20_000, "\n"),
		"few.csv":        quotedText(300, "\n"),
		"windows.csv":    quotedText(900, "\r\n"),
		"marked.csv":     "\xef\xbb\xbf" + quotedText(300, "\n"),
		"tabs.tsv":       "a\tb\n" + strings.Repeat("1\t2\n3\t4.25\n", 300),
		"no header.csv":  strings.Repeat("1,2\n3,4.25\n", 300),
		"no end.csv":     "a,b\n" + strings.Repeat("1,2\n3,4.25\n", 300) + "7,8",
		"spaces.txt":     "a b\n" + strings.Repeat("1  2\n 3 4.25\n", 300),
		"empty ends.csv": "a,b\n" + strings.Repeat("1,2\n", 200) + "\n\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, name, []byte(text))
			whole, err := Open(ctx, path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			wantRanges(t, path, whole.Points)
			wantSpans(t, path, whole)
		})
	}
}

// wantSpans checks that ranges of a file which begin anywhere have its rows, read where they are said to lie.
func wantSpans(t *testing.T, path string, whole *dataset.Dataset) {
	t.Helper()
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	starts := []int64{0}
	for range 7 {
		starts = append(starts, int64(r.IntN(whole.Points)))
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	spans, parted, err := Parted(ctx, path, Options{}, starts)
	if err != nil || !parted || len(spans) != len(starts) {
		t.Fatalf("%d spans, %v", len(spans), err)
	}
	ends := append(starts[1:len(starts):len(starts)], int64(whole.Points))
	for i, from := range starts {
		o := Options{From: from, Count: ends[i] - from, Span: &spans[i]}
		got, err := Open(ctx, path, o)
		if err != nil {
			t.Fatal(err)
		}
		for j := range whole.Columns {
			w, g := &whole.Columns[j], &got.Columns[j]
			for k := range got.Points {
				if a, b := cellOf(w, int(from)+k), cellOf(g, k); a != b {
					t.Fatalf("%s: row %d is %s, not %s", w.Name, int(from)+k, b, a)
				}
			}
		}
		o.Count++
		_, err = Open(ctx, path, o)
		wantProblem(t, err, filepath.Base(path), "are said to be")
	}
}

// cellOf is a value as text.
func cellOf(c *dataset.Column, row int) string {
	if v := c.Values[row]; c.Categories != nil && v == v {
		return c.Categories[int(v)]
	}
	return fmt.Sprint(c.Values[row]) // each range decides for itself whether float32 holds its numbers
}

// A range whose numbers are no longer what the beginning of the file has is refused by name; a range of a large text is
// read by an outline of its own.
func TestRangesOfTextAreReadAsItsBeginningSays(t *testing.T) {
	const n = 40_000
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range n {
		if i < n-5 {
			fmt.Fprintf(&b, "%d.5,%d\n", i%19, i%7)
		} else {
			b.WriteString("oops,1\n")
		}
	}
	path := write(t, "late.csv", []byte(b.String()))
	spans, parted, err := Parted(ctx, path, Options{}, []int64{0, n / 2, n - 5})
	if err != nil || !parted {
		t.Fatal(err)
	}
	_, err = Open(ctx, path, Options{From: n - 5, Count: 5, Span: &spans[2]})
	wantProblem(t, err, "late.csv", `"a"`)
	o := Options{From: n / 2, Count: n/2 - 5, Span: &spans[1]}
	want, err := Open(ctx, path, o)
	if err != nil {
		t.Fatal(err)
	}
	wantSameOutline(t, path, o)
	if want.Points != n/2-5 {
		t.Errorf("%d rows", want.Points)
	}
}

// Text that is packed, in UTF-16, or one column with empty lines, is read as a whole.
func TestTextWithoutRanges(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("a,b\n1,2\n3,4\n")); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"packed.csv.gz": packed.String(), "one.csv": "a\n1\n\n2\n",
		"wide.csv": "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x003\x00,\x004\x00\n\x00"} {
		if _, parted, err := Parted(ctx, write(t, name, []byte(text)), Options{}, []int64{0, 1}); parted || err != nil {
			t.Errorf("%s: %v, %v", name, parted, err)
		}
	}
}
