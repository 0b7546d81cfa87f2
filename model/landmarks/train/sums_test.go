package train

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// inParts trains by the sums of parts of the points, that begin at cuts, merged in a random order through their bytes.
func inParts(t *testing.T, id string, x, code, pos matrix.Matrix32, cuts []int, r *rand.Rand) (matrix.Matrix32, error) {
	t.Helper()
	a, _ := ByID(id)
	all := (&Census{}).Totalled(x.Cols)
	all.Add(x)
	p, err := a.Pass(Input{Codebook: code, Pos: pos, Seed: 3}, all, step.Values{"epochs": 6})
	for err == nil && !p.Progress().Rest {
		merged := &Sums{}
		for _, k := range r.Perm(len(cuts)) {
			from, to := cuts[k], x.Rows
			if k+1 < len(cuts) {
				to = cuts[k+1]
			}
			s, err := NewSumming(p.Codebook(), all.Largest)
			if salt, asked := p.Salt(); err == nil && asked {
				s.Straying(salt, nil)
			}
			for half := (from + to) / 2; err == nil && from < to; from, half = half, to {
				part := matrix.Matrix32{Data: x.Data[from*x.Cols : half*x.Cols], Rows: half - from, Cols: x.Cols}
				if err = s.Take(t.Context(), part, nil, nil); from == half {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := s.Sums().Write(&b); err != nil {
				t.Fatal(err)
			}
			read, err := ReadSums(&b, code.Rows, x.Cols)
			if err != nil || !merged.Merge(read) {
				t.Fatal("sums do not merge", err)
			}
		}
		if !all.Same(merged) {
			t.Fatal("the sums are of other points")
		}
		err = p.Epoch(t.Context(), merged)
	}
	if err != nil {
		return matrix.Matrix32{}, err
	}
	return p.Codebook().Clone(), nil
}

// Sums of any parts of the points, merged in any order, give the codebook of all points at once, to the last bit.
func TestSumsOfPartsGiveTheCodebookOfAllAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 6))
	for _, scale := range []float64{1, 1e30} { // the second is computed in float64
		n, d, g := 20_000+r.IntN(30_000), 1+r.IntN(6), 15
		x, code, pos := matrix.New(n, d), matrix.New(g, d), matrix.New(g, 2)
		for i := range x.Data {
			x.Data[i] = float32(r.NormFloat64() * scale * math.Pow(10, float64(r.IntN(7))))
		}
		x.Row(77)[0], x.Row(n - 1)[d-1] = float32(math.NaN()), float32(math.Inf(1))
		for i := range g {
			copy(code.Row(i), x.Row(100+i))
			pos.Row(i)[0], pos.Row(i)[1] = float32(i%5), float32(i/5)
		}
		for _, id := range []string{"som-batch", "lloyd", "lloyd"} {
			a, _ := ByID(id)
			whole, err := a.New(Input{X: x, Codebook: code, Pos: pos, Seed: 3}, step.Values{"epochs": 6})
			for p := (step.Progress{}); err == nil && !p.Rest; {
				p, err = whole.Step(t.Context(), n)
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				cuts := []int{0}
				for range r.IntN(9) {
					cuts = append(cuts, r.IntN(n+1))
				}
				slices.Sort(cuts)
				got, err := inParts(t, id, x, code, pos, cuts, r)
				if err != nil || !slices.Equal(got.Data, whole.Codebook().Data) {
					t.Errorf("%s of %d x %d, cut at %v: another codebook, %v", id, n, d, cuts, err)
				}
			}
			for i := range 4 { // the next time some landmarks are without points
				for j := range d {
					code.Row(3 * i)[j] = float32(9e7*scale) + float32(i)
				}
			}
		}
	}
}

// k-means that comes to rest before its last epoch does so by sums, too.
func TestSumsKnowWhenNothingChanges(t *testing.T) {
	x := rows([][]float32{{0}, {1}, {10}, {11}})
	code, pos := rows([][]float32{{0}, {10}}), matrix.New(2, 2)
	a, _ := ByID("lloyd")
	all := &Census{}
	all.Add(x)
	p, err := a.Pass(Input{Codebook: code, Pos: pos}, all, step.Values{"epochs": 1000})
	epochs := 0
	for ; err == nil && !p.Progress().Rest; epochs++ {
		s, _ := NewSumming(p.Codebook(), all.Largest)
		_ = s.Take(t.Context(), x, nil, nil)
		err = p.Epoch(t.Context(), s.Sums())
	}
	if err != nil || epochs > 3 || !slices.Equal(p.Codebook().Data, []float32{0.5, 10.5}) {
		t.Errorf("%d epochs to %v (%v)", epochs, p.Codebook().Data, err)
	}
	other, _ := NewSumming(p.Codebook(), all.Largest)
	if p.Epoch(t.Context(), other.Sums()) == nil {
		t.Error("the sums of no points end an epoch")
	}
}

// Bytes that are no sums are refused, whatever the first of them say.
func TestDamagedSumsAreRefused(t *testing.T) {
	x := rows([][]float32{{0, 1}, {1, 2}, {10, 3}})
	s, err := NewSumming(rows([][]float32{{0, 1}, {9, 9}, {100, 100}}), []float32{10, 3})
	if err == nil {
		err = s.Take(t.Context(), x, nil, nil)
	}
	var b bytes.Buffer
	if err == nil {
		err = s.Sums().Write(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	for n := range b.Len() {
		if _, err := ReadSums(bytes.NewReader(b.Bytes()[:n]), 3, 2); err == nil {
			t.Fatalf("%d of %d bytes are sums", n, b.Len())
		}
	}
	if _, err := ReadSums(bytes.NewReader(append(b.Bytes(), 0)), 3, 2); err == nil {
		t.Error("a byte more is taken")
	}
	for i := len(sumsMagic); i < len(sumsMagic)+16; i++ {
		big := slices.Clone(b.Bytes())
		big[i] = 0x7f
		if got, err := ReadSums(bytes.NewReader(big), 3, 2); err == nil && got.Rows == 3 {
			t.Errorf("byte %d changed nothing", i)
		}
	}
}

// rows is a matrix of these rows.
func rows(of [][]float32) matrix.Matrix32 {
	m := matrix.New(len(of), len(of[0]))
	for i, row := range of {
		copy(m.Row(i), row)
	}
	return m
}
