package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
)

// fcsFixture is an FCS file to be made: sound unless the fields say otherwise.
type fcsFixture struct {
	version   string
	delimiter string
	keywords  map[string]string // over the standard ones; "-" leaves one out
	order     []string          // keywords that come first, in this order
	names     []string
	bits      int // width of each value
	data      []byte
	rows      int
	header    *[4]int64 // instead of the right offsets of TEXT and DATA
	textData  *[2]int64 // instead of the right ones in TEXT
	after     []byte
}

func (f fcsFixture) build() []byte {
	if f.version == "" {
		f.version = "FCS3.1"
	}
	if f.delimiter == "" {
		f.delimiter = "/"
	}
	if f.bits == 0 {
		f.bits = 32
	}
	k := map[string]string{"$BYTEORD": "1,2,3,4", "$DATATYPE": "F", "$MODE": "L", "$NEXTDATA": "0",
		"$PAR": fmt.Sprint(len(f.names)), "$TOT": fmt.Sprint(f.rows), "$BEGINDATA": "", "$ENDDATA": ""}
	for i, n := range f.names {
		p := fmt.Sprintf("$P%d", i+1)
		k[p+"N"], k[p+"B"], k[p+"E"], k[p+"R"] = n, fmt.Sprint(f.bits), "0,0", "262144"
	}
	maps.Copy(k, f.keywords)
	text := func(begin, end int64) string {
		if f.textData != nil {
			begin, end = f.textData[0], f.textData[1]
		}
		if k["$BEGINDATA"] != "-" {
			k["$BEGINDATA"], k["$ENDDATA"] = fmt.Sprintf("%012d", begin), fmt.Sprintf("%012d", end)
		}
		var b strings.Builder
		b.WriteString(f.delimiter)
		rest := slices.Sorted(maps.Keys(k))
		for _, key := range append(f.order, slices.DeleteFunc(rest,
			func(s string) bool { return slices.Contains(f.order, s) })...) {
			if v := k[key]; v != "-" {
				b.WriteString(key + f.delimiter + strings.ReplaceAll(v, f.delimiter, f.delimiter+f.delimiter) +
					f.delimiter)
			}
		}
		return b.String()
	}
	begin := int64(58 + len(text(0, 0)))
	end := begin + int64(len(f.data)) - 1
	t := text(begin, end)
	h := [4]int64{58, begin - 1, begin, end}
	if f.header != nil {
		for i, v := range f.header {
			if v >= 0 {
				h[i] = v
			}
		}
	}
	out := fmt.Sprintf("%s    %8d%8d%8d%8d%8d%8d", f.version, h[0], h[1], h[2], h[3], 0, 0) + t
	return append(append([]byte(out), f.data...), f.after...)
}

// floats are rows of two float32, little endian: 0, 1, 2, ...
func floats(values int) []byte {
	var b []byte
	for i := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i)))
	}
	return b
}

func twoColumns(rows int) fcsFixture {
	return fcsFixture{names: []string{"FSC-A", "FITC-A"}, rows: rows, data: floats(2 * rows)}
}

func readBytes(f []byte, o Options) (*dataset.Dataset, error) {
	return readFCS(ctx, memory("x.fcs", f, o))
}

func mustFCS(t testing.TB, f fcsFixture) *dataset.Dataset {
	t.Helper()
	ds, err := readBytes(f.build(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// checkTwo checks the content of twoColumns: every event, also the last.
func checkTwo(t testing.TB, ds *dataset.Dataset, rows int) {
	t.Helper()
	if ds.Points != rows || len(ds.Columns) != 2 {
		t.Fatalf("%d x %d, want %d x 2", ds.Points, len(ds.Columns), rows)
	}
	for i := range rows {
		if ds.Columns[0].Values[i] != float32(2*i) || ds.Columns[1].Values[i] != float32(2*i+1) {
			t.Fatalf("row %d: %v %v", i, ds.Columns[0].Values[i], ds.Columns[1].Values[i])
		}
	}
}

func TestFCSVersionsAndBigFiles(t *testing.T) {
	for _, v := range []string{"FCS2.0", "FCS3.0", "FCS3.1", "FCS3.2"} {
		f := twoColumns(300_000) // several blocks
		f.version = v
		ds := mustFCS(t, f)
		checkTwo(t, ds, 300_000)
		if len(ds.Warnings) > 0 {
			t.Errorf("%s: %q", v, ds.Warnings)
		}
		if ds.Columns[0].Role != dataset.Scatter || ds.Columns[1].Role != dataset.Marker {
			t.Errorf("%s: roles %v %v", v, ds.Columns[0].Role, ds.Columns[1].Role)
		}
	}
}

func TestFCSIntegers(t *testing.T) {
	// Widths 8 to 64 in one row, both byte orders, values with bits above the range.
	widths := []int{8, 16, 24, 32, 40, 48, 56, 64}
	ranges := []string{"256", "1024", "16777216", "262144", "1099511627776", "1000", "72057594037927936",
		"18446744073709551616"}
	masks := []uint64{0xff, 0x3ff, 0xffffff, 0x3ffff, 1<<40 - 1, 1023, 1<<56 - 1, math.MaxUint64}
	for _, big := range []bool{false, true} {
		f := fcsFixture{keywords: map[string]string{"$DATATYPE": "I", "$BYTEORD": "1,2,3,4"}, rows: 5}
		if big {
			f.keywords["$BYTEORD"] = "4,3,2,1"
		}
		var want [][]float32
		for i, w := range widths {
			f.names = append(f.names, fmt.Sprintf("w%d", w))
			f.keywords[fmt.Sprintf("$P%dB", i+1)] = fmt.Sprint(w)
			f.keywords[fmt.Sprintf("$P%dR", i+1)] = ranges[i]
			want = append(want, nil)
		}
		for row := range 5 {
			for i, w := range widths {
				v := uint64(0x9e3779b97f4a7c15) * uint64(row+1) >> (64 - w)
				var b [8]byte
				binary.LittleEndian.PutUint64(b[:], v)
				cell := slices.Clone(b[:w/8])
				if big {
					slices.Reverse(cell)
				}
				f.data = append(f.data, cell...)
				want[i] = append(want[i], float32(v&masks[i]))
			}
		}
		ds := mustFCS(t, f)
		for i := range widths {
			if !slices.Equal(ds.Columns[i].Values, want[i]) {
				t.Errorf("big endian %v, %d bits: %v, want %v", big, widths[i], ds.Columns[i].Values, want[i])
			}
		}
		if !warned(ds, `column "w64": 5 whole numbers`) || warned(ds, `"w24"`) {
			t.Errorf("%q", ds.Warnings)
		}
	}
}

func TestFCSByteOrders(t *testing.T) {
	cases := []struct {
		order string
		bytes []byte // the 32-bit number 0x01020304 in this order
	}{
		{"1,2,3,4", []byte{4, 3, 2, 1}}, {"4,3,2,1", []byte{1, 2, 3, 4}}, {"3,4,1,2", []byte{2, 1, 4, 3}},
		{"2,1,4,3", []byte{3, 4, 1, 2}}, {"1, 2", []byte{4, 3, 2, 1}}, {"2,1", []byte{1, 2, 3, 4}},
		{"8,7,6,5,4,3,2,1", []byte{1, 2, 3, 4}}, {"3,2,4,1", []byte{2, 3, 1, 4}},
	}
	for _, c := range cases {
		f := fcsFixture{names: []string{"x"}, rows: 1, data: c.bytes,
			keywords: map[string]string{"$DATATYPE": "I", "$BYTEORD": c.order, "$P1R": "4294967296"}}
		if got := mustFCS(t, f).Columns[0].Values[0]; got != 0x01020304 {
			t.Errorf("%q: %#x", c.order, uint32(got))
		}
	}
	for _, bad := range []string{"", "1,1,2,3", "4", "a,b", "0,1,2,3", "3,1,2"} {
		f := fcsFixture{names: []string{"x"}, rows: 1, data: floats(1), keywords: map[string]string{"$BYTEORD": bad}}
		_, err := readBytes(f.build(), Options{})
		wantProblem(t, err, "x.fcs", "$BYTEORD")
	}
}

func TestFCSDoublesAndMixedTypes(t *testing.T) {
	var data []byte
	for _, v := range []float64{1.5, math.NaN(), 1e300, -1e39} {
		data = binary.BigEndian.AppendUint64(data, math.Float64bits(v))
	}
	ds := mustFCS(t, fcsFixture{names: []string{"x"}, bits: 64, rows: 4, data: data,
		keywords: map[string]string{"$DATATYPE": "D", "$BYTEORD": "8,7,6,5,4,3,2,1"}})
	if s := ds.Columns[0].Stats; s.Count != 1 || s.Invalid != 3 || s.Mean != 1.5 ||
		!warned(ds, "2 numbers are beyond") {
		t.Errorf("%+v %q", s, ds.Warnings)
	}
	// FCS 3.2: a type per column.
	mixed := binary.LittleEndian.AppendUint16(nil, 700)
	mixed = binary.LittleEndian.AppendUint32(mixed, math.Float32bits(2.5))
	mixed = binary.LittleEndian.AppendUint64(mixed, math.Float64bits(3.25))
	ds = mustFCS(t, fcsFixture{version: "FCS3.2", names: []string{"i", "f", "d"}, rows: 1, data: mixed,
		keywords: map[string]string{
			"$DATATYPE": "F", "$P1DATATYPE": "I", "$P1B": "16", "$P1R": "1024", "$P3DATATYPE": "D", "$P3B": "64",
			"$P1E": "4,1"}})
	if ds.Columns[0].Values[0] != 700 || ds.Columns[1].Values[0] != 2.5 || ds.Columns[2].Values[0] != 3.25 ||
		ds.Columns[0].Log == nil {
		t.Errorf("%+v", ds.Columns)
	}
}

func TestFCSText(t *testing.T) {
	for _, delimiter := range []string{"/", "\\", "|", "\x0c", "!", "\x1e", "*", " "} {
		f := twoColumns(3)
		f.delimiter = delimiter
		f.keywords = map[string]string{"$P2S": "CD4" + delimiter + "CD8", "note": "a" + delimiter + delimiter + "b" +
			delimiter, "$Cyt": "Zürich", "$p1s": "lower"}
		ds := mustFCS(t, f)
		checkTwo(t, ds, 3)
		if ds.Columns[1].Label != "CD4"+delimiter+"CD8" || strings.TrimRight(ds.Metadata["note"],
			delimiter) != "a"+delimiter+delimiter+"b" ||
			ds.Metadata["$Cyt"] != "Zürich" || ds.Columns[0].Label != "lower" {
			t.Errorf("%q: %q %q", delimiter, ds.Columns[1].Label, ds.Metadata)
		}
		if got := ds.Columns[1].Title(); got != "CD4"+delimiter+"CD8 (FITC-A)" {
			t.Errorf("title %q", got)
		}
	}
	cases := map[string]map[string]string{ // text, what it means; the delimiter is its first byte
		"/A/1/B/2/":         {"A": "1", "B": "2"},
		"/A/1/B/2":          {"A": "1", "B": "2"},
		"/A/1/B/2/   \x00":  {"A": "1", "B": "2"},
		"/A//B/2/":          {"A": "", "B": "2"},
		"/A//B//C/3/":       {"A": "", "B": "", "C": "3"},
		"/A/1//2/B/x/":      {"A": "1/2", "B": "x"},
		"/A/1////2/B/x/":    {"A": "1//2", "B": "x"},
		"/A/1///B/x/":       {"A": "1/", "B": "x"},
		"/A/1/B/2//":        {"A": "1", "B": "2"},
		"/a/1/A/2/ B / 3 /": {"A": "1", "B": "3"},
		"/A/\xe9t\xe9/":     {"A": "été"},
		"/":                 {},
		"":                  {},
		"/A":                {},
	}
	for text, want := range cases {
		if got := parseFCSText([]byte(text)).values; !maps.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFCSNames(t *testing.T) {
	f := fcsFixture{names: []string{"CD4", "CD4", "", "CD4"}, rows: 2, data: floats(8),
		keywords: map[string]string{"$P3N": "-"}}
	ds := mustFCS(t, f)
	var got []string
	for _, c := range ds.Columns {
		got = append(got, c.Name)
	}
	if !slices.Equal(got, []string{"CD4", "CD4 (2)", "P3", "CD4 (3)"}) || !warned(ds, `named "CD4"`) &&
		!warned(ds, "CD4 (2)") || !warned(ds, "have no name") {
		t.Errorf("%q %q", got, ds.Warnings)
	}
}

func TestFCSScales(t *testing.T) {
	f := fcsFixture{names: []string{"a", "b", "c", "d"}, bits: 16, rows: 1, data: make([]byte, 8),
		keywords: map[string]string{
			"$DATATYPE": "I", "$P1E": "4,1", "$P1R": "1024", "$P2E": "4,0", "$P2R": "1024", "$P3E": "0,0",
			"$P3G": "2.5",
			"$P4E": "rubbish"}}
	ds := mustFCS(t, f)
	if !warned(ds, "values of c are as stored") {
		t.Errorf("of the gain nothing is said: %q", ds.Warnings)
	}
	c := ds.Columns
	want := dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}
	if c[0].Log == nil || *c[0].Log != want || c[1].Log == nil || *c[1].Log != want || c[2].Log != nil ||
		c[3].Log != nil || c[2].Gain != 2.5 || c[0].Range != 1024 {
		t.Errorf("%+v", c)
	}
	floating := twoColumns(1)
	floating.keywords = map[string]string{"$P1E": "4,1"}
	if mustFCS(t, floating).Columns[0].Log != nil {
		t.Error("floats have no log amplification")
	}
}

func TestFCSOffsets(t *testing.T) {
	sound := twoColumns(10)
	begin := int64(bytes.Index(sound.build(), sound.data[:8]))
	end := begin + 79
	at := func(a, b int64) *[4]int64 { return &[4]int64{-1, -1, a, b} }
	cases := []struct {
		name string
		edit func(f *fcsFixture)
		rows int
		warn string // "" none
	}{
		{"header 0, as beyond 99,999,999", func(f *fcsFixture) { f.header = at(0, 0) }, 10, ""},
		{"end means the byte after", func(f *fcsFixture) {
			f.header, f.textData, f.after = at(begin, end+1), &[2]int64{begin, end + 1}, []byte{0}
		}, 10, ""},
		{"end means the byte before", func(f *fcsFixture) {
			f.header, f.textData = at(begin, end-1),
				&[2]int64{begin, end - 1}
		}, 10, ""},
		{"ends differ by one", func(f *fcsFixture) { f.header, f.after = at(begin, end+1), []byte{0} }, 10, ""},
		{"header begins inside TEXT", func(f *fcsFixture) { f.header = at(100, end) }, 10, "HEADER and TEXT disagree"},
		{"header is far off", func(f *fcsFixture) { f.header = at(begin+40, end+40); f.after = make([]byte, 10) }, 10,
			"HEADER and TEXT disagree"},
		{"TEXT is wrong", func(f *fcsFixture) { f.textData = &[2]int64{70, 149} }, 10, "HEADER and TEXT disagree"},
		{"TEXT lies beyond the file", func(f *fcsFixture) { f.textData = &[2]int64{100_000, 100_079} }, 10,
			"HEADER and TEXT disagree"},
		{"only the header knows", func(f *fcsFixture) {
			f.keywords = map[string]string{"$BEGINDATA": "-",
				"$ENDDATA": "-"}
		}, 10, ""},
		{"$TOT missing", func(f *fcsFixture) { f.keywords = map[string]string{"$TOT": "-"} }, 10, "($TOT) is missing"},
		{"$TOT no number", func(f *fcsFixture) { f.keywords = map[string]string{"$TOT": "many"} }, 10, `"many"`},
		{"$TOT too small", func(f *fcsFixture) { f.keywords = map[string]string{"$TOT": "07"} }, 10,
			"all that are there"},
		{"$TOT too large", func(f *fcsFixture) { f.keywords = map[string]string{"$TOT": "99"} }, 10,
			"all that are there"},
		{"$TOT absurd", func(f *fcsFixture) { f.keywords = map[string]string{"$TOT": "9223372036854775807"} }, 10,
			"all that are there"},
		{"$TOT 0 with events", func(f *fcsFixture) { f.keywords = map[string]string{"$TOT": "00"} }, 10,
			"all that are there"},
		{"padding after the events", func(f *fcsFixture) { f.data = append(f.data, 0, 0, 0) }, 10, ""},
		{"checksum", func(f *fcsFixture) { f.after = []byte("12345678") }, 10, ""},
	}
	for _, c := range cases {
		f := twoColumns(10)
		c.edit(&f)
		if b := f.build(); c.name != "" && f.keywords == nil && bytes.Index(b, sound.data[:8]) != int(begin) {
			t.Fatalf("%s: the fixture moved its data", c.name)
		}
		if len(f.keywords) > 0 && f.header == nil { // TEXT has another length: offsets follow by themselves
			f.textData = nil
		}
		ds, err := readBytes(f.build(), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkTwo(t, ds, c.rows)
		if c.warn == "" && len(ds.Warnings) > 0 || c.warn != "" && !warned(ds, c.warn) {
			t.Errorf("%s: warnings %q, want %q", c.name, ds.Warnings, c.warn)
		}
	}
	// Both fit: that is said loudly.
	f := twoColumns(10)
	f.header, f.after = at(begin+8, end+8), make([]byte, 8)
	if ds := mustFCS(t, f); !warned(ds, "check the values") {
		t.Errorf("%q", ds.Warnings)
	}
}

func TestFCSSupplementalText(t *testing.T) {
	f := twoColumns(4)
	f.keywords = map[string]string{"$P2S": "-", "$BEGINSTEXT": "0000000", "$ENDSTEXT": "0000000"}
	extra := []byte("/$P2S/CD19/$P1N/not this one/")
	first := len(f.build())
	f.keywords["$BEGINSTEXT"], f.keywords["$ENDSTEXT"] = fmt.Sprintf("%07d", first),
		fmt.Sprintf("%07d", first+len(extra)-1)
	f.after = extra
	ds := mustFCS(t, f)
	checkTwo(t, ds, 4)
	if ds.Columns[1].Label != "CD19" || ds.Columns[0].Name != "FSC-A" {
		t.Errorf("%q %q", ds.Columns[1].Label, ds.Columns[0].Name)
	}
	f.keywords["$ENDSTEXT"] = "9999999"
	if ds := mustFCS(t, f); !warned(ds, "supplemental TEXT lies beyond") {
		t.Errorf("%q", ds.Warnings)
	}
}

func TestFCSSeveralDataSets(t *testing.T) {
	one := func(rows int, next string) fcsFixture {
		f := twoColumns(rows)
		f.keywords = map[string]string{"$NEXTDATA": next}
		return f
	}
	second := one(7, "0").build()
	first := one(5, "0000000").build()
	for _, from := range []string{"own", "file"} {
		at := len(first)
		middle := one(6, "0000000").build()
		next := len(middle)
		if from == "file" {
			next += at
		}
		file := append(one(5, fmt.Sprintf("%07d", at)).build(), one(6, fmt.Sprintf("%07d", next)).build()...)
		file = append(file, second...)
		for part, rows := range []int{5, 6, 7} {
			ds, err := readBytes(file, Options{Part: part})
			if err != nil {
				t.Fatalf("offsets from the beginning of the %s: %v", from, err)
			}
			checkTwo(t, ds, rows)
			if !warned(ds, fmt.Sprintf("holds 3 data sets, this is number %d", part+1)) {
				t.Errorf("%q", ds.Warnings)
			}
		}
		_, err := readBytes(file, Options{Part: 3})
		wantProblem(t, err, "x.fcs", "no data set number 4", "1 to 3")
	}
	// A chain that leads back or nowhere ends.
	for _, next := range []string{"1", "58", "99999999", "-5"} {
		ds := mustFCS(t, one(5, next))
		if ds.Points != 5 || warned(ds, "names another data set") != (next != "-5") {
			t.Errorf("next %s: %d points, %q", next, ds.Points, ds.Warnings)
		}
	}
}

func TestFCSSpillover(t *testing.T) {
	for _, key := range []string{"$SPILLOVER", "SPILL", "spillover"} {
		f := twoColumns(2)
		f.keywords = map[string]string{key: "2,FSC-A,FITC-A,1,0.1,0.02,1"}
		s := mustFCS(t, f).Spillover
		if s == nil || s.Keyword != key || !slices.Equal(s.Names, []string{"FSC-A", "FITC-A"}) || s.M[0][1] != 0.1 ||
			s.M[1][0] != 0.02 {
			t.Errorf("%s: %+v", key, s)
		}
	}
	f := twoColumns(2)
	f.keywords = map[string]string{"$SPILLOVER": "2,1,2, 1,0.1,0.02,1"} // numbers of columns
	if s := mustFCS(t, f).Spillover; s == nil || s.Names[1] != "FITC-A" {
		t.Errorf("%+v", s)
	}
	f.keywords = map[string]string{"$COMP": "2,1,0.1,0.02,1"}
	if s := mustFCS(t, f).Spillover; s == nil || s.Keyword != "$COMP" || s.Names[1] != "FITC-A" || s.M[0][1] != 0.1 {
		t.Errorf("%+v", s)
	}
	f.keywords = map[string]string{"$DFC1TO2": "12.5"}
	if s := mustFCS(t, f).Spillover; s == nil || s.M[0][1] != 0.125 || s.M[0][0] != 1 || s.M[1][0] != 0 {
		t.Errorf("%+v", s)
	}
	for _, bad := range []string{"x", "2,a,b,1,0,0", "0", "-1", "2,FSC-A,FITC-A,1,0,zero,1", "99999999999,a",
		"2,FSC-A,FITC-A,1,NaN,0,1", ","} {
		f.keywords = map[string]string{"$SPILLOVER": bad}
		ds := mustFCS(t, f)
		if ds.Spillover != nil || !warned(ds, "compensation matrix ($SPILLOVER) was left out") ||
			ds.Metadata["$SPILLOVER"] == "" {
			t.Errorf("%q: %+v %q", bad, ds.Spillover, ds.Warnings)
		}
	}
	commas := twoColumns(2)
	commas.names = []string{"CD3, FITC,A", "CD4"}
	commas.keywords = map[string]string{"$SPILLOVER": "2,CD4,CD3,FITC,A,1,0.1,0.02,1"}
	if s := mustFCS(t, commas).Spillover; s == nil || !slices.Equal(s.Names, []string{"CD4", "CD3, FITC,A"}) ||
		s.M[0][1] != 0.1 {
		t.Errorf("names with commas: %+v", s)
	}
	commas.keywords["$SPILLOVER"] = "2,CD4,CD3,PE,A,1,0.1,0.02,1"
	if ds := mustFCS(t, commas); ds.Spillover != nil || !warned(ds, "was left out") {
		t.Errorf("%+v", ds.Spillover)
	}
	f.keywords = map[string]string{"$SPILLOVER": "1,elsewhere,1"}
	if ds := mustFCS(t, f); ds.Spillover == nil || !warned(ds, `"elsewhere", which is no column`) {
		t.Errorf("%q", ds.Warnings)
	}
}

func TestFCSRefused(t *testing.T) {
	cases := map[string]struct {
		edit func(f *fcsFixture)
		say  string
	}{
		"$PAR 0":       {func(f *fcsFixture) { f.keywords = map[string]string{"$PAR": "0"} }, "no columns"},
		"$PAR missing": {func(f *fcsFixture) { f.keywords = map[string]string{"$PAR": "-"} }, "$PAR"},
		"$PAR absurd": {func(f *fcsFixture) { f.keywords = map[string]string{"$PAR": "2000000000"} },
			"describes fewer"},
		"$PAR negative": {func(f *fcsFixture) { f.keywords = map[string]string{"$PAR": "-2"} }, "no columns"},
		"$PnB 7": {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "I", "$P2B": "7"} },
			"7 bits ($P2B)"},
		"$PnB 10": {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "I", "$P1B": "10"} },
			"10 bits ($P1B)"},
		"$PnB 72": {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "I", "$P1B": "72"} },
			"72 bits"},
		"$PnB missing": {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "I", "$P1B": "-"} },
			"how many bits"},
		"F of 16 bits": {func(f *fcsFixture) { f.keywords = map[string]string{"$P1B": "16"} }, "16 bits"},
		"text values":  {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "A"} }, "$DATATYPE A"},
		"odd type":     {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "Q"} }, `"Q"`},
		"no type":      {func(f *fcsFixture) { f.keywords = map[string]string{"$DATATYPE": "-"} }, "$DATATYPE"},
		"histogram":    {func(f *fcsFixture) { f.keywords = map[string]string{"$MODE": "C"} }, "histograms"},
		"version 1":    {func(f *fcsFixture) { f.version = "FCS1.0" }, `version "1.0"`},
		"no offsets": {func(f *fcsFixture) {
			f.header = &[4]int64{-1, -1, 0, 0}
			f.textData = &[2]int64{0, 0}
		}, "where its events are"},
		"TEXT backwards": {func(f *fcsFixture) { f.header = &[4]int64{500, 100, -1, -1} }, "TEXT"},
		"TEXT beyond":    {func(f *fcsFixture) { f.header = &[4]int64{58, 99999, -1, -1} }, "cut within TEXT"},
	}
	for name, c := range cases {
		f := twoColumns(10)
		c.edit(&f)
		_, err := readBytes(f.build(), Options{})
		t.Run(name, func(t *testing.T) { wantProblem(t, err, "x.fcs", c.say) })
	}
}

// A $PAR that is not that of the events is refused: with any other width of a row all values are wrong.
func TestFCSWrongPAR(t *testing.T) {
	for name, edit := range map[string]func(f *fcsFixture){
		"far too many": func(f *fcsFixture) { f.keywords["$PAR"] = "6" },
		"too many, names only": func(f *fcsFixture) {
			f.keywords["$PAR"], f.keywords["$P3N"],
				f.keywords["$P4N"] = "4", "x", "y"
		},
		"too few":       func(f *fcsFixture) { f.keywords["$PAR"] = "1" },
		"too many, cut": func(f *fcsFixture) { f.keywords["$PAR"], f.data = "5", f.data[:30] },
	} {
		f := twoColumns(10)
		f.keywords = map[string]string{}
		edit(&f)
		_, err := readBytes(f.build(), Options{})
		t.Run(name, func(t *testing.T) {
			wantProblem(t, err, "x.fcs", "contradicts itself", "$PAR", f.keywords["$PAR"]+" columns")
		})
	}
	// Missing keywords alone are no contradiction, nor is a further column alone.
	for _, keywords := range []map[string]string{
		{"$P1N": "-", "$P2N": "-"}, {"$P1B": "-", "$P2B": "-"}, {"$P3N": "old", "$P3B": "32"},
		{"$P1N": "-", "$P2B": "-", "$TOT": "-"},
	} {
		f := twoColumns(10)
		f.keywords = keywords
		checkTwo(t, mustFCS(t, f), 10)
	}
}

func TestFCSNoEvents(t *testing.T) {
	f := twoColumns(0)
	f.header, f.textData = &[4]int64{-1, -1, 0, 0}, &[2]int64{0, 0}
	ds := mustFCS(t, f)
	if ds.Points != 0 || len(ds.Columns) != 2 || !warned(ds, "no events") {
		t.Errorf("%d %q", ds.Points, ds.Warnings)
	}
}

// A file that is cut anywhere is refused, unless only what follows the events is missing.
func TestFCSCutAnywhere(t *testing.T) {
	f := twoColumns(50)
	whole := f.build()
	for n := range whole {
		_, err := readBytes(whole[:n], Options{})
		if err == nil {
			t.Fatalf("cut to %d of %d bytes, and read", n, len(whole))
		}
		if n > 0 {
			wantProblem(t, err, "x.fcs")
		}
	}
	checkTwo(t, mustFCS(t, f), 50)
}

func TestFCSSample(t *testing.T) {
	f := twoColumns(100_000)
	file := f.build()
	all, err := readBytes(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 3, 1000, 60_000, 99_999, 100_000, 200_000} {
		for _, how := range []string{"first", "random"} {
			got, err := readBytes(file, Options{MaxPoints: n, Sample: how, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			want, _ := dataset.Sample(ctx, all, n, how, 5)
			if !slices.Equal(got.Columns[1].Values, want.Columns[1].Values) || got.Total != 100_000 ||
				got.Columns[1].Stats != want.Columns[1].Stats {
				t.Errorf("%d %s: a sample of the file is not the sample of the table", n, how)
			}
		}
	}
	_, err = readBytes(file, Options{MaxPoints: 5, Sample: "odd"})
	if err == nil {
		t.Error("an unknown way of sampling was taken")
	}
}
