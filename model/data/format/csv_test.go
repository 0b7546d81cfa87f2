package format

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"blossom/model/data/dataset"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"
)

func TestNumbersAreExact(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, s string) {
		n := scanNumber([]byte(s), '.')
		want, err := strconv.ParseFloat(s, 32)
		if int(n.length) != len(s) || math.Float32bits(n.value) != math.Float32bits(float32(want)) ||
			(n.is&overflow != 0) != (err != nil) {
			t.Fatalf("%s: %v (%#x) of %d bytes, strconv says %v (%#x)", s, n.value, math.Float32bits(n.value),
				n.length, want, math.Float32bits(float32(want)))
		}
		if c := scanNumber([]byte(strings.Replace(s, ".", ",", 1)), ','); int(c.length) != len(s) ||
			math.Float32bits(c.value) != math.Float32bits(n.value) {
			t.Fatalf("%s with a decimal comma: %v", s, c.value)
		}
	}
	for _, s := range []string{"0", "-0", "1", "+1", ".5", "5.", "1e5", "1E-5", "1e+05", "16777217", "16777219",
		"33554435", "3.4028235e38",
		"3.4028236e38", "3.40282357e38", "1e39", "-1e400", "1e-400", "1.4e-45", "0.7e-45", "1.1754944e-38",
		"1.1754943e-38",
		"0.1", "123456789012345678901234567890", "0.000000000000000000000000000000000000000000001401298464324817",
		"1.00000005960464477539062500000000000000000000000001", "1.000000059604644775390625",
		"1.000000178813934326171875",
		"9007199791611905", "-0.2331438362598419", "1e22", "1e23", "8388608.5", "00000000000000000000000000012.50"} {
		check(t, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringMatching(`[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "decimal"))
		f := rapid.Float32().Draw(t, "f")
		if f-f == 0 {
			check(t, strconv.FormatFloat(float64(f), 'g', -1, 32))
			check(t, strconv.FormatFloat(float64(f), 'e', 17, 64))
			// The middle between two float32 and its neighbours decide the rounding.
			next := math.Nextafter32(f, float32(math.Inf(1)))
			middle := (float64(f) + float64(next)) / 2
			if middle-middle == 0 {
				for _, m := range []float64{middle, math.Nextafter(middle, math.Inf(1)),
					math.Nextafter(middle, math.Inf(-1))} {
					check(t, strconv.FormatFloat(m, 'g', -1, 64))
					check(t, strconv.FormatFloat(m, 'f', -1, 64))
				}
			}
		}
		g := rapid.Float64().Draw(t, "g")
		if g-g == 0 {
			check(t, strconv.FormatFloat(g, 'g', -1, 64))
		}
	})
	for _, s := range []string{"", "-", "+", ".", "e5", "1e", "1e+", "-.e1", "x", "--1", "NaN", "Inf"} {
		if n := scanNumber([]byte(s), '.'); n.length != 0 {
			t.Errorf("%q is a number of %d bytes", s, n.length)
		}
	}
	for s, want := range map[string]int{"1.5,2": 3, "1e5x": 3, "0x10": 1, "1_000": 1, "1.2.3": 3} {
		if n := scanNumber([]byte(s), '.'); int(n.length) != want {
			t.Errorf("%q: %d bytes belong to the number, want %d", s, n.length, want)
		}
	}
	for s, want := range map[string]bool{"16777216": false, "16777217": true, "16777218": false, "16777217.0": false,
		"99999999999999999999": true, "1e20": false} {
		if n := scanNumber([]byte(s), '.'); (n.is&rounded != 0) != want {
			t.Errorf("%q rounded: %v", s, n.is&rounded != 0)
		}
	}
}

// table is what a text should be read as: columns of numbers, NaN written as nan32, or of labels.
type wanted struct {
	names  []string
	values [][]float32
	labels map[int][]string
	warn   string
}

func (w wanted) check(t *testing.T, ds *dataset.Dataset) {
	t.Helper()
	var names []string
	for i, c := range ds.Columns {
		names = append(names, c.Name)
		if i < len(w.values) && !same(c.Values, w.values[i]) {
			t.Errorf("column %q: %v, want %v", c.Name, c.Values, w.values[i])
		}
		if !slices.Equal(c.Categories, w.labels[i]) {
			t.Errorf("column %q: labels %q, want %q", c.Name, c.Categories, w.labels[i])
		}
	}
	if !slices.Equal(names, w.names) {
		t.Errorf("columns %q, want %q", names, w.names)
	}
	if w.warn == "" && len(ds.Warnings) > 0 || w.warn != "" && !warned(ds, w.warn) {
		t.Errorf("warnings %q, want %q", ds.Warnings, w.warn)
	}
}

func TestTextTables(t *testing.T) {
	nan, inf := nan32, float32(math.Inf(1))
	abc := []string{"a", "b", "c"}
	three := [][]float32{{1, 4}, {2, 5}, {3, 6}}
	cases := map[string]struct {
		text string
		want wanted
	}{
		"comma":               {"a,b,c\n1,2,3\n4,5,6\n", wanted{names: abc, values: three}},
		"semicolon":           {"a;b;c\n1;2;3\n4;5;6\n", wanted{names: abc, values: three}},
		"tab":                 {"a\tb\tc\n1\t2\t3\n4\t5\t6\n", wanted{names: abc, values: three}},
		"bar":                 {"a|b|c\n1|2|3\n4|5|6\n", wanted{names: abc, values: three}},
		"spaces":              {" a  b c\n1 2   3  \n  4 5 6", wanted{names: abc, values: three}},
		"CRLF":                {"a,b,c\r\n1,2,3\r\n4,5,6\r\n", wanted{names: abc, values: three}},
		"spaces with CRLF":    {"a b c\r\n1 2 3 \r\n4 5 6\r\n", wanted{names: abc, values: three}},
		"CR":                  {"a,b,c\r1,2,3\r4,5,6\r", wanted{names: abc, values: three}},
		"mark":                {"\xef\xbb\xbfa,b,c\n1,2,3\n4,5,6\n", wanted{names: abc, values: three}},
		"UTF-16":              {utf16Text("a,b,c\n1,2,3\n4,5,6\n", false), wanted{names: abc, values: three}},
		"UTF-16 big endian":   {utf16Text("a,b,c\n1,2,3\n4,5,6\n", true), wanted{names: abc, values: three}},
		"no last end of line": {"a,b,c\n1,2,3\n4,5,6", wanted{names: abc, values: three}},
		"no header":           {"1,2,3\n4,5,6\n", wanted{names: []string{"c1", "c2", "c3"}, values: three}},
		"comments": {"# from a machine\n#\na,b,c\n1,2,3\n4,5,6\n",
			wanted{names: abc, values: three, warn: "2 lines before the table that begin with # are no row"}},
		"header in a comment": {"# a b c\n1 2 3\n4 5 6\n", wanted{names: abc, values: three}},
		"empty lines": {"\n\na,b,c\n\n1,2,3\n  \n4,5,6\n\n\n", wanted{names: abc, values: three,
			warn: "2 empty lines within the table are no row"}},
		"quoted numbers": {"\"a\",\"b\",\"c\"\n\"1\",\"2\",\"3\"\n\"4\",\"5\",\"6\"\n",
			wanted{names: abc, values: three}},
		"spaces around": {"a , b, c\n 1 , 2,3 \n4,\t5, 6\n", wanted{names: abc, values: three}},
		"decimal comma": {"a;b\n1,5;2\n-3,25;4,0\n", wanted{names: []string{"a", "b"},
			values: [][]float32{{1.5, -3.25}, {2, 4}}}},
		"decimal comma, tab": {"a\tb\n1,5\t2\n-3,25\t4,0\n",
			wanted{names: []string{"a", "b"}, values: [][]float32{{1.5, -3.25}, {2, 4}}}},
		"comma and semicolon": {"1,5;2,5\n3,5;4,5\n", wanted{names: []string{"c1", "c2"},
			values: [][]float32{{1.5, 3.5}, {2.5, 4.5}}}},
		"missing": {"a,b\n1,NA\nNaN,2\n,3\nnull,-\nN/A,nan\n2,5\n", wanted{names: []string{"a", "b"},
			values: [][]float32{{1, nan, nan, nan, nan, 2}, {nan, 2, 3, nan, nan, 5}},
			warn:   `column "b": 1 cell counts as missing, the first is "-" on line 5`}},
		"infinite": {"a,b\n1,inf\n-Inf,2\n+Infinity,1.#INF\n", wanted{names: []string{"a", "b"},
			values: [][]float32{{1, -inf, inf}, {inf, 2, inf}}}},
		"beyond float32": {"a,b\n1,1e39\n2,-1e300\n", wanted{names: []string{"a", "b"},
			values: [][]float32{{1, 2}, {inf, -inf}}, warn: `column "b": 2 numbers are beyond`}},
		"rounded": {"a,b\n9007199254740993,1\n16777218,2\n", wanted{names: []string{"a", "b"},
			warn: `column "a": 1 whole numbers`}},
		"labels": {"x,population\n1,B cell\n2,T cell\n3,NA\n4,B cell\n", wanted{names: []string{"x", "population"},
			values: [][]float32{{1, 2, 3, 4}, {0, 1, nan, 0}}, labels: map[int][]string{1: {"B cell", "T cell"}}}},
		"quotes": {"x,p\n1,\"a,b\"\n2,\"say \"\"hi\"\"\"\n3,\"two\nlines\"\n4,5\" disk\n",
			wanted{names: []string{"x", "p"},
				values: [][]float32{{1, 2, 3, 4}, {0, 1, 2, 3}},
				labels: map[int][]string{1: {"a,b", `say "hi"`, "two\nlines", `5" disk`}}}},
		"Latin-1": {"x,gr\xf6\xdfe\n1,\xe9\n2,\xe9\n",
			wanted{names: []string{"x", "größe"}, labels: map[int][]string{1: {"é"}}}},
		"row names of R": {"a b\nr1 1 2\nr2 3 4\n", wanted{names: []string{"row", "a", "b"},
			labels: map[int][]string{0: {"r1", "r2"}}}},
		"index of pandas": {",a,b\n0,1,2\n1,3,4\n", wanted{names: []string{"row", "a", "b"},
			values: [][]float32{{0, 1}, {1, 3}, {2, 4}}}},
		"columns of pandas": {"0,1,2\n0.5,1.5,2.5\n1.5,2,3\n", wanted{names: []string{"0", "1", "2"},
			values: [][]float32{{0.5, 1.5}, {1.5, 2}, {2.5, 3}}}},
		"whole numbers, no header": {"0,1,2\n3,4,5\n6,7,8\n",
			wanted{names: []string{"c1", "c2", "c3"}, values: [][]float32{{0, 3, 6}, {1, 4, 7}, {2, 5, 8}}}},
		"separator at the end": {"a,b,\n1,2,\n3,4,\n",
			wanted{names: []string{"a", "b"}, values: [][]float32{{1, 3}, {2, 4}}}},
		"separator at the end of rows": {"a,b\n1,2,\n3,4,\n",
			wanted{names: []string{"a", "b"}, values: [][]float32{{1, 3}, {2, 4}}}},
		"same names": {"a,a,\n1,2,3\n", wanted{names: []string{"a", "a (2)", "c3"},
			warn: `named "a"`}},
		"one column": {"x\n1\n2\n", wanted{names: []string{"x"}, values: [][]float32{{1, 2}}}},
		"one cell":   {"7", wanted{names: []string{"c1"}, values: [][]float32{{7}}}},
		"one row":    {"1,2\n", wanted{names: []string{"c1", "c2"}, values: [][]float32{{1}, {2}}}},
		"header only": {"a,b\n", wanted{names: []string{"a", "b"}, values: [][]float32{{}, {}},
			warn: "no rows"}},
		"all missing": {"a,b\nNA,NaN\nNA,\n",
			wanted{names: []string{"a", "b"}, values: [][]float32{{nan, nan}, {nan, nan}}}},
		"first row missing": {"NA,0.5\n1,2\n", wanted{names: []string{"c1", "c2"},
			values: [][]float32{{nan, 1}, {0.5, 2}}}},
		"1e38": {"a,b\n1e38,3e38\n-1e38,1\n",
			wanted{names: []string{"a", "b"}, values: [][]float32{{1e38, -1e38}, {3e38, 1}}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { c.want.check(t, openText(t, c.text, Options{})) })
	}
}

// A text in UTF-16 without its last byte is cut, and said to be: its last number is not another one.
func TestUTF16ThatIsCutWithinALetterIsRefused(t *testing.T) {
	const text = "a,b\n1,2\n3,39.5"
	for _, big := range []bool{false, true} {
		whole := utf16Text(text, big)
		for _, s := range []string{whole, whole[2:]} { // with a mark of byte order, and without
			if _, err := ReadText(t.Context(), write(t, "t.csv", []byte(s)), 1<<20); err != nil {
				t.Error(err)
			}
			_, err := ReadText(t.Context(), write(t, "t.csv", []byte(s[:len(s)-1])), 1<<20)
			wantProblem(t, err, "t.csv", "ends too early")
		}
		_, err := Open(t.Context(), write(t, "t.csv", []byte(whole[:len(whole)-1])), Options{})
		wantProblem(t, err, "t.csv", "ends too early")
	}
}

func utf16Text(s string, big bool) string {
	var b []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func TestStrayText(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,c\n")
	for i := range 1000 {
		switch i {
		case 700:
			b.WriteString("1,saturated,x\n")
		case 900:
			b.WriteString("1,off,x\n")
		default:
			fmt.Fprintf(&b, "1,%d,y\n", i)
		}
	}
	ds := openText(t, b.String(), Options{})
	if s := ds.Columns[1].Stats; s.Invalid != 2 || s.Count != 998 || ds.Columns[1].Categories != nil {
		t.Errorf("%+v", s)
	}
	if !warned(ds, `column "b": 2 cells that are no number counted as missing, the first is "saturated" on line 702`) {
		t.Errorf("%q", ds.Warnings)
	}
}

// The beginning of a column does not tell what it is: it is read again as what it turns out to be.
func TestColumnsThatTurnOut(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,late,early\n")
	for i := range 5000 {
		switch {
		case i < 600:
			fmt.Fprintf(&b, "%d,NA,word\n", i)
		default:
			fmt.Fprintf(&b, "%d,pop%d,%d\n", i, i%3, i)
		}
	}
	ds := openText(t, strings.Replace(b.String(), "word", "x", 599), Options{})
	late := ds.Columns[1]
	if late.Role != dataset.Label || !slices.Equal(late.Categories, []string{"pop0", "pop1", "pop2"}) ||
		late.Stats.Invalid != 600 {
		t.Errorf("%v %q %+v", late.Role, late.Categories, late.Stats)
	}
	var c strings.Builder
	c.WriteString("v,w\n")
	for i := range 20_000 {
		if i < 300 {
			c.WriteString("warming up,1\n")
		} else {
			fmt.Fprintf(&c, "%d,1\n", i)
		}
	}
	v := openText(t, c.String(), Options{}).Columns[0]
	if v.Categories != nil || v.Stats.Invalid != 300 || v.Stats.Max != 19_999 {
		t.Errorf("%q %+v", v.Categories, v.Stats)
	}
}

func TestTextRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	cases := map[string]struct {
		text string
		say  []string
	}{
		"short row":    {"a,b,c\n1,2,3\n4,5\n6,7,8\n", []string{"line 3 has 2 cells", "3 columns"}},
		"long row":     {"a,b\n1,2\n3,4,5\n6,7\n", []string{"line 3 has 3 cells"}},
		"cut":          {"a,b,c\n1,2,3\n4,5", []string{"line 3", "cut"}},
		"open quote":   {"a,b\n1,x\n2,\"y\n3,z\n", []string{"line 3", "never closed"}},
		"after quoted": {"a,b\n1,\"x\ny\"\n2\n", []string{"line 4 has 1 cell,"}},
		"comment":      {"a,b,c\n1,2,3\n# note\n4,5,6\n", []string{"line 3 has 1 cell", "before the header only"}},
		"only commas":  {strings.Repeat(",", 2_400_000), []string{"2,400,001 columns"}},
		"empty lines":  {"\n\r\n\n", []string{"only empty lines"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Open(ctx, write(t, "t.csv", []byte(c.text)), Options{})
			wantProblem(t, err, "t.csv", c.say...)
		})
	}
	_, err := Open(ctx, write(t, "t.csv", []byte("a,b\n1,\x00\x01\x02\n")), Options{})
	wantProblem(t, err, "t.csv", "no format")
	// Also in the middle of a long table, where the workers meet it.
	var b strings.Builder
	for i := range 250_000 {
		if i == 190_000 || i == 240_000 {
			b.WriteString("1,2\n")
			continue
		}
		b.WriteString("1,2,3\n")
	}
	_, err = Open(ctx, write(t, "t.csv", []byte(b.String())), Options{})
	wantProblem(t, err, "t.csv", "line 190001 has 2 cells")
}

func TestWideTable(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	const d = 70_000
	var b strings.Builder
	for i := range 4 {
		for j := range d {
			if j > 0 {
				b.WriteByte(',')
			}
			if i == 0 {
				fmt.Fprintf(&b, "gene%d", j)
			} else {
				b.WriteString(strconv.Itoa(i * j))
			}
		}
		b.WriteByte('\n')
	}
	ds := openText(t, b.String(), Options{})
	if len(ds.Columns) != d || ds.Points != 3 || ds.Columns[d-1].Name != "gene69999" ||
		ds.Columns[d-1].Values[2] != 3*(d-1) {
		t.Errorf("%d x %d", ds.Points, len(ds.Columns))
	}
}

// longTable spans several chunks, with quotes, comments and empty lines in odd places.
func longTable(n int) string {
	var b strings.Builder
	b.WriteString("# \"comment, with an odd quote\n\nx,label,y\n")
	for i := range n {
		if i%1000 == 17 {
			b.WriteString("\n  \n")
		}
		if i%7 == 0 {
			fmt.Fprintf(&b, "%d,\"two\nlines, \"\"%d\"\"\",%d.5\r\n", i, i%5, -i)
		} else {
			fmt.Fprintf(&b, "%d,l%d,%d.25\n", i, i%3, i)
		}
	}
	return b.String()
}

func TestLongTable(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	const n = 200_000
	text := longTable(n)
	if len(text) < 3*chunkSize {
		t.Fatal("the table does not span several chunks")
	}
	ds := openText(t, text, Options{})
	if ds.Points != n || !slices.Equal(ds.Columns[1].Categories[:3], []string{"two\nlines, \"0\"", "l1", "l2"}) {
		t.Fatalf("%d points, %q", ds.Points, ds.Columns[1].Categories)
	}
	for i := range n {
		y, label := float32(i)+0.25, fmt.Sprintf("l%d", i%3)
		if i%7 == 0 {
			y, label = -float32(i)-0.5, fmt.Sprintf("two\nlines, \"%d\"", i%5)
			if i == 0 {
				y = -0.5 + 1 // "0.5" has no sign: -0 is printed as 0
			}
		}
		if got := ds.Columns[1].Categories[int(ds.Columns[1].Values[i])]; ds.Columns[0].Values[i] != float32(i) ||
			ds.Columns[2].Values[i] != y || got != label {
			t.Fatalf("row %d: %v %q %v, want %q %v", i, ds.Columns[0].Values[i], got, ds.Columns[2].Values[i], label, y)
		}
	}
	for _, want := range []int{1, 150_000, 2 * n} {
		for _, how := range []string{"first", "random"} {
			got := openText(t, text, Options{MaxPoints: want, Sample: how, Seed: 3})
			sample, _ := dataset.Sample(ctx, ds, want, how, 3)
			if !same(got.Columns[2].Values, sample.Columns[2].Values) || got.Total != n {
				t.Errorf("%d %s: a sample of the file is not the sample of the table", want, how)
			}
		}
	}
}

func TestCompressedText(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	text := longTable(60_000)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	plain := openText(t, text, Options{})
	for _, name := range []string{"t.csv.gz", "t.gz", "t.anything"} {
		ds, err := Open(ctx, write(t, name, b.Bytes()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ds.Points != 60_000 || !same(ds.Columns[2].Values, plain.Columns[2].Values) {
			t.Errorf("%s: %d points", name, ds.Points)
		}
	}
	for _, cut := range []int{11, 100, b.Len() / 2, b.Len() - 1} {
		_, err := Open(ctx, write(t, "t.csv.gz", b.Bytes()[:cut]), Options{})
		wantProblem(t, err, "t.csv.gz")
	}
	broken := bytes.Clone(b.Bytes())
	broken[len(broken)-6] ^= 0xff
	_, err := Open(ctx, write(t, "t.csv.gz", broken), Options{})
	wantProblem(t, err, "t.csv.gz")
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		d := rapid.IntRange(1, 4).Draw(t, "d")
		cols := make([]dataset.Column, d)
		for j := range cols {
			cols[j].Name = fmt.Sprintf("%s%d", rapid.StringMatching(`[a-z][a-z,;\t" #|]{0,5}[a-z]`).Draw(t, "name"), j)
			cols[j].Values = rapid.SliceOfN(rapid.Float32(), n, n).Draw(t, "v")
		}
		if d > 1 && rapid.Bool().Draw(t, "labels") {
			c := &cols[d-1]
			c.Categories = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z#"][a-z,;\t"\n |]{0,5}[b-y]`), 1, 4,
				rapid.ID).Draw(t, "categories")
			for i, name := range c.Categories {
				if kind, _ := (cellForm{mark: '.'}).read([]byte(name)); kind != cellText {
					c.Categories[i] = name + "x" // "nan" as a label is read back as missing
				}
			}
			for i := range c.Values {
				c.Values[i] = float32(rapid.IntRange(0, len(c.Categories)-1).Draw(t, "label"))
			}
		}
		ds, err := dataset.FromColumns(ctx, "x", cols)
		if err != nil {
			t.Fatal(err)
		}
		for _, ext := range []string{".csv", ".tsv"} {
			f, _ := ForPath("x" + ext)
			var b bytes.Buffer
			if err := f.Write(ctx, &b, ds, func(int64, int64) {}); err != nil {
				t.Fatal(err)
			}
			back, err := readText(ctx, memory("x"+ext, b.Bytes(), Options{}), ext)
			if err != nil {
				t.Fatalf("%v\n%s", err, b.Bytes())
			}
			for j := range cols {
				got := back.Columns[j]
				if got.Name != strings.Join(strings.Fields(cols[j].Name), " ") {
					t.Fatalf("%s: name %q, want %q\n%s", ext, got.Name, cols[j].Name, b.Bytes())
				}
				if cols[j].Categories == nil {
					for i, v := range got.Values {
						if v != cols[j].Values[i] && (v == v || cols[j].Values[i] == cols[j].Values[i]) {
							t.Fatalf("%s: %v, want %v", ext, v, cols[j].Values[i])
						}
					}
					continue
				}
				for i, v := range got.Values {
					if a, b := got.Categories[int(v)], cols[j].Categories[int(cols[j].Values[i])]; a != b {
						t.Fatalf("%s: label %q, want %q", ext, a, b)
					}
				}
			}
		}
	})
}

func TestShortestDecimals(t *testing.T) {
	for v, want := range map[float32]string{0: "0", 1: "1", -1.5: "-1.5", 0.1: "0.1", 1e6: "1000000",
		16777216: "16777216", -41403552: "-41403552", 1e-4: "0.0001",
		1e-7: "1e-07", 1e20: "1e+20", 262143.5: "262143.5", float32(math.Inf(-1)): "-Inf",
		float32(math.Copysign(0, -1)): "-0"} {
		if got := string(appendNumber(nil, float64(v), 32)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	if got := string(appendNumber(nil, math.NaN(), 32)); got != "NaN" {
		t.Errorf("%s", got)
	}
}

// A table that is cut anywhere is read up to there or refused; nothing worse.
func TestTextCutAnywhere(t *testing.T) {
	text := []byte("# c\nx,p,\"y z\"\r\n1.5,\"a, \"\"b\"\"\nc\",-2e3\r\n,NA,Inf\r\n4,d,16777217\r\n")
	for n := 1; n < len(text); n++ {
		ds, err := Open(ctx, write(t, "t.csv", text[:n]), Options{})
		if err != nil {
			wantProblem(t, err, "t.csv")
		} else if ds.Points > 3 {
			t.Errorf("cut to %d bytes: %d points", n, ds.Points)
		}
	}
}

func TestLeadingQuoteOfLongRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	long := strings.Repeat("word ", 600_000) // longer than two chunks
	ds := openText(t, "x,p\n1,\""+long+"\"\n2,b\n3,c\n", Options{})
	if ds.Points != 3 || ds.Columns[1].Categories[0] != strings.TrimSpace(long) {
		t.Errorf("%d points", ds.Points)
	}
}

// Whole numbers keep their digits on the way out, for they are read back with as many as they are written with.
func TestWholeNumbersWritten(t *testing.T) {
	for x, want := range map[float64]string{1 << 37: "137438953472", 1 << 53: "9007199254740992",
		-1 << 62: "-4611686018427388000", 1 << 24: "16777216", 1e30: "1e+30", 0.5: "0.5"} {
		if got := string(appendNumber(nil, x, 32)); got != want {
			t.Errorf("%g is written %s", x, got)
		}
	}
}
