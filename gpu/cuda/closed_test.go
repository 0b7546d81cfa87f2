package cuda

import (
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/work/engine"
)

// Points that are given back after their engine was closed do no harm: the driver is not asked about what is gone.
func TestPointsMayOutliveTheirEngine(t *testing.T) {
	needsCard(t)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(engine.Options{}) // keeps the card's context
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	r, err := e.Load(t.Context(), matrix.New(5, 3))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r.Free()
	if _, err := e.Load(t.Context(), matrix.New(5, 3)); err == nil {
		t.Error("a closed engine takes points")
	}
}
