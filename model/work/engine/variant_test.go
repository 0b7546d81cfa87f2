package engine

import "testing"

func TestFullName(t *testing.T) {
	if a, b := FullName("cpu", "avx2"), FullName("reference", ""); a != "cpu/avx2" || b != "reference" {
		t.Error(a, b)
	}
}
