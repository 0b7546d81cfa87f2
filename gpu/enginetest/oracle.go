package enginetest

import (
	"path/filepath"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/oracle"
	"blossom/model/maps/embedsom"
)

// exactly compares with stored exact answers, made by another program.
func exactly(s *suite) {
	for _, o := range OracleCases(s.T) {
		n := few(o.X.Rows)
		o.X, o.Want = rows(o.X, 0, n), rows(o.Want, 0, n)
		s.judge(o.Case, s.embed(o.Case), o.Want)
	}
}

// Oracle is a case with its exact answer.
type Oracle struct {
	Case
	Want matrix.Matrix32
}

// OracleCases reads the exact answers of projections.
func OracleCases(t testing.TB) []Oracle {
	var list []Oracle
	for _, dir := range oracle.Cases(t, oracle.Embedding) {
		var c struct {
			K             int
			Boost, Adjust float32
		}
		oracle.Case(t, dir, &c)
		load := func(name string) matrix.Matrix32 { return oracle.Matrix(t, dir, name) }
		params := embedsom.Params{K: c.K, Boost: c.Boost, Adjust: c.Adjust}
		list = append(list, Oracle{Case{filepath.Base(dir), load("points.npy"), load("landmarks_hd.npy"),
			load("landmarks_ld.npy"), params}, load("embedding.npy")})
	}
	return list
}
