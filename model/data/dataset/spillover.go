package dataset

import (
	"math"
	"slices"
	"strings"
)

// Spillover is a square matrix of fluorescence spillover as a file gives it: M[i][j] is the share of
// the signal of Names[i] that is seen in Names[j].
type Spillover struct {
	Keyword string // where it came from: "$SPILLOVER", "SPILL", "$COMP", "$DFCiTOj"
	Names   []string
	M       [][]float64
}

// same is how little a number of a matrix may differ from 0 or 1 and still be taken for it.
const same = 1e-12

// Identity says whether nothing spills over, to 1e-12: compensation would change no value.
func (s *Spillover) Identity() bool {
	for i, row := range s.M {
		for j, x := range row {
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(x-want) <= same) {
				return false
			}
		}
	}
	return true
}

// Shares divides a matrix in percent, whose diagonal is about 100, by 100, and says whether it was one.
func (s *Spillover) Shares() bool {
	for i := range s.M {
		if i >= len(s.M[i]) || !(s.M[i][i] >= 90 && s.M[i][i] <= 110) {
			return false
		}
	}
	for _, row := range s.M {
		for j := range row {
			row[j] /= 100
		}
	}
	return len(s.M) > 0
}

// Equal says whether both are the same matrix of the same detectors; nil equals nil.
func (s *Spillover) Equal(o *Spillover) bool {
	if s == nil || o == nil {
		return s == o
	}
	return slices.Equal(s.Names, o.Names) && slices.EqualFunc(s.M, o.M, slices.Equal)
}

// Brought are the matrices that the files of a table bring, those of Spillovers or the one of all of them.
func (d *Dataset) Brought() (all []*Spillover) {
	for _, m := range append(slices.Clone(d.Spillovers), d.Spillover) {
		if m != nil {
			all = append(all, m)
		}
	}
	return all
}

// Detector returns the place of the column that a matrix means by a name: the column of that name, else of the same
// letters without blanks and case, else of what stands before "::", behind which some programs write the antigen. It is
// -1 where there is none, or where several are alike, whose names it returns then.
func Detector(columns []Column, name string) (at int, alike []string) {
	short, _, _ := strings.Cut(name, "::")
	names := []string{name, strings.TrimSpace(short)}
	for _, n := range names {
		if i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == n }); i >= 0 {
			return i, nil
		}
	}
	for _, n := range names {
		alike, n = nil, letters(n)
		for i := range columns {
			if n != "" && letters(columns[i].Name) == n {
				at, alike = i, append(alike, columns[i].Name)
			}
		}
		if len(alike) == 1 {
			return at, nil
		}
		if len(alike) > 1 {
			return -1, alike
		}
	}
	return -1, nil
}

// letters is a name without blanks and case. FlowJo has _ for /.
func letters(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.Join(strings.Fields(name), "")), "/", "_")
}

// among returns the matrix with its detectors under the names that they have in a table put together from several, of
// which t is number f: a matrix belongs to the detectors of its own file, wherever these went. A name that is no column
// stays.
func (s *Spillover) among(t *Dataset, joined []Joined, f int) *Spillover {
	if s == nil {
		return nil
	}
	out := *s
	out.Names = slices.Clone(s.Names)
	for i, name := range s.Names {
		of, _ := Detector(t.Columns, name)
		for _, j := range joined {
			if at := j.From[f]; at >= 0 && at == of {
				out.Names[i] = j.Name
			}
		}
	}
	return &out
}
