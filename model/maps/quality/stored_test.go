package quality

import (
	"testing"

	"blossom/model/base/oracle"
)

// answers are those of a case.json.
type answers struct {
	K       int `json:"rnx_K"`
	Layouts map[string]struct {
		R float64  `json:"R_NX"`
		T *float64 `json:"trustworthiness_12"`
	} `json:"layouts"`
}

func stored(t *testing.T, dir string) (a answers) {
	t.Helper()
	if oracle.Case(t, dir, &a); len(a.Layouts) == 0 {
		t.Fatalf("%s has no layouts", dir)
	}
	return a
}
