package format

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// anyNumber is a number that strconv reads: of numberText, or a float64 of any size with its digits, or one more.
func anyNumber(r *rand.Rand) (text string, v float32, x float64) {
	for {
		switch f := math.Float64frombits(r.Uint64()); r.IntN(8) {
		case 0:
			text = strconv.FormatFloat(f, "eg"[r.IntN(2)], -1, 64)
		case 1:
			text = strconv.FormatFloat(r.NormFloat64(), 'f', 14+r.IntN(6), 64)
		case 2: // subnormal as float32
			text = strconv.FormatFloat(math.Ldexp(r.Float64(), -126-r.IntN(24)), 'g', -1, 32)
		default:
			text = numberText(r)
		}
		wide, err := strconv.ParseFloat(text, 64)
		narrow, err32 := strconv.ParseFloat(text, 32)
		if err == nil && err32 == nil && wide-wide == 0 && trimCell([]byte(text))[0] != '"' {
			return text, float32(narrow), wide
		}
	}
}

// Rows of few and of many numbers, however they are written, hold the bits that strconv makes of each, and none where
// the number stands for no value.
func TestRowsOfNumbersAreToTheLastBit(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 18))
	missing := newMissing([]string{"-7", "3.50", "0", "1e3"})
	for _, cols := range []int{1, 2, 7, 63, 64, 65, 128, 150} {
		for _, absent := range []*missingWords{nil, missing} {
			for _, end := range []string{"\n", "\r\n"} {
				const rows = 40
				d := &dialect{sep: ',', eol: '\n', names: make([]string, cols), marks: bytes.Repeat([]byte{'.'}, cols),
					text: make([]bool, cols), exact: slices.Repeat([]bool{true}, cols), missing: absent}
				var text []byte
				narrow, wide, inexact := make([]float32, rows*cols), make([]float64, rows*cols), make([]bool, cols)
				for k := range narrow {
					s, v, x := anyNumber(r)
					if r.IntN(20) == 0 {
						s, v, x = "-7", -7, -7
					}
					if absent.number(v, []byte(s)) {
						v, x = nan32, float64(nan32)
					} else if float64(v) != x {
						inexact[k%cols] = true
					}
					narrow[k], wide[k] = v, x
					if text = append(text, s...); k%cols < cols-1 {
						text = append(text, ',')
					} else {
						text = append(text, end...)
					}
				}
				p := &parser{d: d, in: memory("x.csv", text, Options{Memory: 1 << 30})}
				b := p.parse(chunk{data: text, line: 1, ends: rows}, nil)
				if b.err != nil || b.rows != rows {
					t.Fatalf("%d columns: %d rows, %v", cols, b.rows, b.err)
				}
				for k := range narrow {
					i, j := k/cols, k%cols
					if v := b.column(j)[i]; math.Float32bits(v) != math.Float32bits(narrow[k]) {
						t.Fatalf("row %d, column %d of %d: %v, want %v of\n%s", i, j, cols, v, narrow[k], text)
					}
					if x := b.exact[j][i]; math.Float64bits(x) != math.Float64bits(wide[k]) {
						t.Fatalf("row %d, column %d of %d: %v as float64, want %v", i, j, cols, x, wide[k])
					}
				}
				for j := range inexact {
					if inexact[j] && !b.inexact[j] {
						t.Fatalf("column %d of %d is said to be exact", j, cols)
					}
				}
			}
		}
	}
}

// A number that stands for no value is none that float32 could not hold.
func TestMissingNumbersAreNotInexact(t *testing.T) {
	text := append([]byte("-999.9,1\n0.5,-999.9\n"), bytes.Repeat([]byte("0.25,2\n"), plainWindow)...)
	d := &dialect{sep: ',', eol: '\n', names: make([]string, 2), marks: []byte("..")}
	d.text, d.missing = make([]bool, 2), newMissing([]string{"-999.9"})
	p := &parser{d: d, in: memory("x.csv", text, Options{Memory: 1 << 30})}
	b := p.parse(chunk{data: text, line: 1, ends: bytes.Count(text, []byte("\n"))}, nil)
	if b.inexact[0] || b.inexact[1] || b.column(0)[0] == b.column(0)[0] || b.column(1)[1] == b.column(1)[1] {
		t.Errorf("%v and %v, inexact %v", b.column(0)[:2], b.column(1)[:2], b.inexact)
	}
}
