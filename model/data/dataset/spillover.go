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
	return s.called(func(name string) string {
		of, _ := Detector(t.Columns, name)
		for _, j := range joined {
			if at := j.From[f]; at >= 0 && at == of {
				return j.Name
			}
		}
		return name
	})
}

// called returns the matrix with other names of its detectors.
func (s *Spillover) called(as func(name string) string) *Spillover {
	out := *s
	out.Names = make([]string, len(s.Names))
	for i, name := range s.Names {
		out.Names[i] = as(name)
	}
	return &out
}

// In returns a matrix that is given for file f of a table with its detectors under the names of the table, nil for nil.
// A name that is no column stays.
func (s *Spillover) In(d *Dataset, f int) *Spillover {
	if s == nil || f >= len(d.Sources) {
		return s
	}
	return s.called(func(name string) string {
		if at, ok := d.Meant(f, name); ok && at >= 0 {
			return d.Columns[at].Name
		} else if ok {
			return name + " of " + d.Sources[f].Name
		}
		return name
	})
}

// Meant is the column of the table that a program means which knows its file f by itself: that which the file calls so
// (see Detector), wherever it went when files were put together, -1 where it is left out; else that of the table, as
// that is what this program writes. ok is false where neither has one, or several are alike.
func (d *Dataset) Meant(f int, name string) (at int, ok bool) {
	if f < len(d.Sources) {
		own, alike := Detector(d.Sources[f].Columns, name)
		switch {
		case own >= 0:
			return d.Sources[f].At[own], true
		case len(alike) > 0:
			return -1, false
		}
	}
	at, _ = Detector(d.Columns, name)
	return at, at >= 0
}
