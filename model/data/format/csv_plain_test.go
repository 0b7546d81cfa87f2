package format

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// cellsAlike parses a record of cells before the end of a chunk, where plain does not look as there is too little, and
// with other records behind it. It checks that both are the same, and what float32 and float64 they are. It says
// whether plain read the whole record.
func cellsAlike(t testing.TB, record []byte, sep, mark, eol byte) (plain bool) {
	const cols = 2
	d := &dialect{sep: sep, eol: eol, names: make([]string, cols), marks: []byte{mark, mark},
		text: make([]bool, cols), exact: []bool{false, true}}
	p := &parser{d: d, in: memory("x.csv", record, Options{Memory: 1 << 30})}
	parse := func(text []byte) *block {
		return p.parse(chunk{data: text, line: 1, quotes: bytes.IndexByte(text, '"') >= 0}, []int64{0})
	}
	alone := parse(record)
	behind := bytes.Repeat([]byte{'0', sep, '0', eol}, plainWindow)
	if len(record) == 0 || record[len(record)-1] != eol {
		t.Fatalf("%q is no record", record)
	}
	among := parse(append(bytes.Clone(record), behind...))
	if len(record) >= plainWindow {
		t.Fatalf("%q is longer than a record that plain does not look at", record)
	}
	if alone.rows == 0 { // an empty line
		return false
	}
	if fmt.Sprint(alone.err) != fmt.Sprint(among.err) || alone.rows != among.rows {
		t.Fatalf("%q: %d rows and %v, before others %d and %v", record, alone.rows, alone.err, among.rows, among.err)
	}
	if alone.err != nil {
		return false
	}
	for j := range cols {
		if a, b := alone.column(j)[0], among.column(j)[0]; math.Float32bits(a) != math.Float32bits(b) && (a == a ||
			b == b) {
			t.Fatalf("%q: %v in column %d, before others %v", record, a, j, b)
		}
	}
	if a, b := alone.exact[1][0], among.exact[1][0]; math.Float64bits(a) != math.Float64bits(b) && (a == a || b == b) {
		t.Fatalf("%q: %v as float64, before others %v", record, a, b)
	}
	if !reflect.DeepEqual(alone.inexact, among.inexact) || !reflect.DeepEqual(alone.notes, among.notes) {
		t.Fatalf("%q: inexact are %v and odd %v, before others %v and %v", record, alone.inexact, alone.notes,
			among.inexact, among.notes)
	}
	_, column := p.plain(append(bytes.Clone(record), behind...), 0, 0, &block{room: 1, values: make([]float32, cols),
		exact: make([][]float64, cols), inexact: make([]bool, cols)})
	return column == cols
}

// numberText is a number of any sort, or hardly one.
func numberText(r *rand.Rand) string {
	digits := func(most int) string {
		b := make([]byte, r.IntN(most+1))
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
		}
		return string(b)
	}
	sign := []string{"", "", "-", "-", "+", "--"}[r.IntN(6)]
	switch r.IntN(12) {
	case 0:
		return sign + strconv.Itoa(1<<24+r.IntN(9)-4)
	case 1:
		return sign + digits(14)
	case 2, 8: // all digits that a plain number may have of a float32, or of the middle between two
		f := math.Float32frombits(uint32(127-4+r.IntN(10))<<23 | r.Uint32()>>9)
		x := float64(f)
		if r.IntN(4) > 0 {
			x = (x + float64(math.Nextafter32(f, math.MaxFloat32))) / 2
		}
		s := strings.TrimPrefix(strconv.FormatFloat(x, 'f', 14, 64), "0")
		return s[:min(len(s), 15)]
	case 3:
		return strconv.FormatFloat(math.Ldexp(r.Float64(), r.IntN(30)-15), 'f', -1, 32)
	case 4:
		return strconv.FormatFloat(float64(math.Float32frombits(r.Uint32())), 'g', -1, 32)
	case 5: // a float32 with all its digits
		return sign + strconv.FormatFloat(float64(r.IntN(1<<12))/float64(int(1)<<r.IntN(11)), 'f', -1, 64)
	case 6:
		odd := []string{"", "e", "E5", "e-3", ".", "..1", "x", "\x00", "\xb2", "\u00b2", " ", "\r", "/", ":", ","}
		return sign + digits(4) + odd[r.IntN(len(odd))] + digits(2)
	case 7:
		return []string{"", "NA", "nan", "-inf", "-", ".", "-.", "+", " 1", "1 ", "\"1\"", "1e9", "1,000"}[r.IntN(13)]
	}
	return sign + digits(r.IntN(10)) + "." + digits(r.IntN(12))
}

// A cell is read alike whether plain reads it, eight digits at a time, or record does, one after the other.
func TestPlainNumbersAreReadAsOthersAre(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	seps, ends := []byte{',', ';', '\t', ' ', '|'}, []string{"\n", "\r\n", "\r", " \n"}
	plain, all := 0, 0
	for range 60_000 {
		sep, end := seps[r.IntN(len(seps))], ends[r.IntN(len(ends))]
		mark := decimalMarks[r.IntN(2)]
		record := bytes.ReplaceAll([]byte(numberText(r)), []byte{'.'}, []byte{mark})
		for range 1 + r.IntN(20)/19 {
			record = append(append(record, sep), bytes.ReplaceAll([]byte(numberText(r)), []byte{'.'}, []byte{mark})...)
		}
		if record = append(record, end...); len(record) >= plainWindow {
			continue
		}
		all++
		if cellsAlike(t, record, sep, mark, end[len(end)-1]) {
			plain++
		}
	}
	if plain < all/10 || plain > all*3/4 {
		t.Errorf("%d of %d records are plain", plain, all)
	}
}

// Each plain number is the nearest float32 and the nearest float64, and is said to be inexact if and only if they
// differ.
func TestPlainNumbersAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 71))
	d := &dialect{sep: ',', eol: '\n', names: []string{""}, marks: []byte{'.'}, text: []bool{false},
		exact: []bool{true}}
	p, plain := &parser{d: d}, 0
	b := &block{room: 1, values: make([]float32, 1), exact: [][]float64{make([]float64, 1)}, inexact: []bool{false}}
	behind := bytes.Repeat([]byte("0\n"), plainWindow)
	for range 100_000 {
		s := numberText(r)
		b.inexact[0] = false
		if _, column := p.plain(append([]byte(s+"\n"), behind...), 0, 0, b); column == 0 || s[len(s)-1] == '\r' {
			continue
		}
		plain++
		x, err := strconv.ParseFloat(s, 64)
		v, err32 := strconv.ParseFloat(s, 32)
		if err != nil || err32 != nil || math.Float32bits(float32(v)) != math.Float32bits(b.values[0]) ||
			math.Float64bits(x) != math.Float64bits(b.exact[0][0]) || b.inexact[0] != (v != x) {
			t.Fatalf("%q: %v and %v, inexact %v, strconv says %v and %v", s, b.values[0], b.exact[0][0], b.inexact[0],
				v, x)
		}
	}
	if plain < 30_000 {
		t.Errorf("%d numbers are plain", plain)
	}
}

// Each place of a word and each byte are told to be a digit or none, and eight digits are their number.
func TestEightDigitsAtATime(t *testing.T) {
	for c := range 256 {
		for place := range 8 {
			for _, other := range []string{"00000000", "99999999", "////////", "::::::::",
				"\xff\xff\xff\xff\xff\xff\xff\xff", "\xb0\xb0\xb0\xb0\xb0\xb0\xb0\xb0",
				"\x00\x00\x00\x00\x00\x00\x00\x00"} {
				s, want := []byte(other), uint32(0)
				s[place] = byte(c)
				for i, c := range s {
					if c < '0' || c > '9' {
						want |= 1 << i
					}
				}
				if got := noDigits(eightOf(s)); got != want {
					t.Fatalf("%q: %08b, want %08b", s, got, want)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		n := r.IntN(17)
		s := fmt.Sprintf("%016d", r.Uint64N(1e16))
		want := 0
		if n > 0 {
			want, _ = strconv.Atoi(s[:n])
		}
		if got := upToSixteen(append([]byte(s), "/:x."...), n); got != uint64(want) {
			t.Fatalf("the first %d digits of %s are %d", n, s, got)
		}
	}
}
