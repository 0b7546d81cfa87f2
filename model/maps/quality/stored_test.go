package quality

import (
	"encoding/json"
	"os"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/format"
)

// answers are those of a case.json.
type answers struct {
	K       int `json:"rnx_K"`
	Layouts map[string]struct {
		R float64  `json:"R_NX"`
		T *float64 `json:"trustworthiness_12"`
	} `json:"layouts"`
}

func stored(t *testing.T, path string) (a answers) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil || len(a.Layouts) == 0 {
		t.Fatalf("%s: %v", path, err)
	}
	return a
}

func npy(t *testing.T, path string) matrix.Matrix32 {
	t.Helper()
	ds, err := format.Open(t.Context(), path, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cols := make([]int, len(ds.Columns))
	for i := range cols {
		cols[i] = i
	}
	return ds.Matrix(cols)
}
