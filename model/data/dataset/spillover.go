package dataset

import "slices"

// Spillover is a square matrix of fluorescence spillover as a file gives it: M[i][j] is the share of
// the signal of Names[i] that is seen in Names[j].
type Spillover struct {
	Keyword string // where it came from: "$SPILLOVER", "SPILL", "$COMP", "$DFCiTOj"
	Names   []string
	M       [][]float64
}

// Identity says whether nothing spills over: compensation would change no value.
func (s *Spillover) Identity() bool {
	for i, row := range s.M {
		for j, x := range row {
			if i == j && x != 1 || i != j && x != 0 {
				return false
			}
		}
	}
	return true
}

// Equal says whether both are the same matrix of the same detectors; nil equals nil.
func (s *Spillover) Equal(o *Spillover) bool {
	if s == nil || o == nil {
		return s == o
	}
	return slices.Equal(s.Names, o.Names) && slices.EqualFunc(s.M, o.M, slices.Equal)
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
		for _, j := range joined {
			if at := j.From[f]; at >= 0 && t.Columns[at].Name == name {
				out.Names[i] = j.Name
			}
		}
	}
	return &out
}
