package format

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"blossom/model/data/dataset"

	"github.com/klauspost/compress/gzip"
)

// specialText is the special columns as text, with n rows and what line adds to each.
func specialText(n int, sep string, line func(i int) string) string {
	r := rand.New(rand.NewPCG(3, 5))
	var b strings.Builder
	for j := range special {
		fmt.Fprintf(&b, "c%d%s", j, sep)
	}
	b.WriteString("last\n")
	for i := range n {
		for _, f := range special {
			b.WriteString(strconv.FormatFloat(f(r, i, n), 'g', -1, 64) + sep)
		}
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// An outline of text says what reading all of it says, whatever its columns turn out to be.
func TestAnOutlineOfText(t *testing.T) {
	const n = 17_001
	few := func(text string, late int) string { // a table of a few columns
		var b strings.Builder
		b.WriteString("a,b\n")
		for i := range n {
			if i < late {
				fmt.Fprintf(&b, "%d.5,%d\n", i%19, i%7)
				continue
			}
			b.WriteString(text)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"numbers.csv":        specialText(n, ",", func(i int) string { return strconv.Itoa(i % 3) }),
		"labels.tsv":         specialText(n, "\t", func(i int) string { return []string{"B", "T", "", "NK"}[i%4] }),
		"separators.csv":     strings.Replace(specialText(n, ",", func(int) string { return "" }), "last", "", 1),
		"words.csv":          few("oops,1\n", n-5),
		"late labels.csv":    few("word,2\n", 9000),
		"comments.csv":       "# made by hand\n#again\n" + few("1,2\n", 0),
		"decimal commas.csv": strings.ReplaceAll(specialText(n, ";", func(i int) string { return "1" }), ".", ","),
		"late commas.csv":    strings.ReplaceAll(few("1;2\n", 0), ",", ";") + strings.Repeat("3,25;4\n", 2000),
		"blank lines.csv":    few("1,2\n\n", 100) + "\n\n",
		"one column.csv":     "a\n" + strings.Repeat("1\n\n2\n", n) + "\n\n\n",
		"whole numbers.csv":  few("123456789,-987654321\n", 5),
		"far.csv":            few("1000000.001,1000000.002\n1000000.0015,1000000.01\n", 0),
		"far later.csv":      few("1000000.001,word\n1000000.0015,1000000.01\n", 0),
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, name, []byte(text))
			wantSameOutline(t, path, Options{})
			want, _ := Open(ctx, path, Options{})
			got, err := Outline(ctx, path, Options{})
			if err != nil || !want.Found.Equal(got.Found) || want.Unsure != got.Unsure {
				t.Errorf("found %+v, %+v: %v", want.Found, got.Found, err)
			}
			for i := range want.Columns {
				if fmt.Sprint(want.Columns[i].Categories) != fmt.Sprint(got.Columns[i].Categories) {
					t.Errorf("column %d has other labels", i)
				}
			}
		})
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(specialText(n, ",", func(int) string { return "x" })))
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	wantSameOutline(t, write(t, "packed.csv.gz", b.Bytes()), Options{})
}

// A table of text that is wrong is refused as it is when all of it is read, and one that is packed as no table is
// packed is left to what counts its rows first.
func TestTextWithoutAnOutline(t *testing.T) {
	ragged := "a,b\n" + strings.Repeat("1,2\n", 300_000) + "1\n" + strings.Repeat("1,2\n", 300_000)
	_, want := Open(ctx, write(t, "ragged.csv", []byte(ragged)), Options{})
	_, got := Outline(ctx, write(t, "ragged.csv", []byte(ragged)), Options{})
	wantProblem(t, got, "ragged.csv", "300002")
	if problemText(want) != problemText(got) {
		t.Errorf("%v, not %v", got, want)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 20 {
		if _, err := z.Write([]byte(strings.Repeat("1,2\n", 250_000))); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Outline(ctx, write(t, "bomb.csv.gz", b.Bytes()), Options{}); !errors.Is(err, dataset.ErrWhole) {
		t.Errorf("a bomb: %v", err)
	}
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	text := []byte("a,b\n" + strings.Repeat("1,2\n", 20_000))
	if _, err := Outline(ctx, write(t, "a.csv", text), Options{}); !errors.Is(err, dataset.ErrWhole) {
		t.Errorf("without a folder for temporary files: %v", err)
	}
}

// problemText is an error without the folder of the test.
func problemText(err error) string {
	text := fmt.Sprint(err)
	return text[max(0, strings.Index(text, "ragged.csv")):]
}
