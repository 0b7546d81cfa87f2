package gating

import (
	"slices"

	"blossom/model/base/problem"
	"blossom/model/space/transform"
)

// check says what is wrong with a dimension.
func (s *Side) check() error {
	bad := func(format string, args ...any) error { return problem.New("", "leave it out", format, args...) }
	if s.Scale != "" {
		if _, err := transform.ParseFile(s.Scale); err != nil {
			return err
		}
	}
	if s.Files == nil {
		return s.checkTaken()
	}
	if s.Column != "" || s.Ratio != nil || s.Own || s.Matrix != nil {
		return bad("a dimension of a gate is one of all files, or of each")
	}
	for i := range s.Files {
		of := &s.Files[i]
		if of.Side.Scale != "" || of.Side.Low != nil || of.Side.High != nil || of.Side.Files != nil {
			return bad("a dimension of a gate has one scale in all files")
		}
		if slices.ContainsFunc(s.Files[:i], func(o OfFile) bool { return o.File == of.File }) {
			return bad("a dimension of a gate has %.60q twice", of.File)
		}
		if err := of.Side.checkTaken(); err != nil {
			return err
		}
	}
	return nil
}

// checkTaken says what is wrong with what a dimension takes from the data.
func (s *Side) checkTaken() error {
	bad := func(format string, args ...any) error { return problem.New("", "leave it out", format, args...) }
	if (s.Column == "") == (s.Ratio == nil) || s.Own && s.Matrix != nil {
		return bad("a dimension of a gate is a column, or a ratio of two")
	}
	if r := s.Ratio; r != nil && (r.X == "" || r.Y == "" || !finite(r.A) || !finite(r.B) || !finite(r.C)) {
		return bad("the ratio of %.40q and %.40q is none", r.X, r.Y)
	}
	if s.Matrix == nil {
		return nil
	}
	_, err := s.Matrix.unmix()
	return err
}

// same says whether two dimensions are one.
func same(a, b Side) bool {
	end := func(a, b *float64) bool { return a == b || a != nil && b != nil && *a == *b }
	return a.Column == b.Column && a.Own == b.Own && a.Scale == b.Scale && a.Matrix == b.Matrix &&
		end(a.Low, b.Low) && end(a.High, b.High) &&
		(a.Ratio == b.Ratio || a.Ratio != nil && b.Ratio != nil && *a.Ratio == *b.Ratio) &&
		slices.EqualFunc(a.Files, b.Files, func(x, y OfFile) bool { return x.File == y.File && same(x.Side, y.Side) })
}
