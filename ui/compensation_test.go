package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The choice of compensation and scale is shown where it is made, and one click makes the other.
func TestCompensationAndScaleAreOneClickAway(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{stand.Stained(t)}, Still: true})
	opened(t, a, d)
	spec := func() transform.Spec { return parts.Transform.Of(a.desk.Doc.State()) }
	if len(spec().Mixes) != 1 || !strings.Contains(a.log.last, "compensated with the file's matrix of 9 detectors") {
		t.Fatalf("%v, said %q", spec().Mixes, a.log.last)
	}
	d.ClickOn("Do not compensate") // on the note
	rest(t, a, d)
	if len(spec().Mixes) != 0 || a.desk.Doc.History().Done() != 1 {
		t.Fatal("the note's button did nothing")
	}
	uitest.Do(func() { open(a, "transform") })
	d.Frames(3)
	d.ClickOn("transform/Compensate")
	rest(t, a, d)
	if len(spec().Mixes) != 1 {
		t.Fatal("the switch did nothing")
	}
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if len(spec().Mixes) != 0 {
		t.Fatal("it cannot be undone")
	}

	path := filepath.Join(t.TempDir(), "cells.csv")
	rng := rand.New(rand.NewPCG(3, 3))
	text := "UMI,CD3,CD4\n"
	for range 600 {
		text += fmt.Sprintf("%.0f,%.3f,%.3f\n", 500+40000*rng.Float64(), 3*rng.Float64(), 3*rng.Float64())
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() { a.docs.Open(path) })
	d.Wait("the cells are open", 60*time.Second, func() bool {
		return a.desk != nil && a.desk.Doc.Data.Name == "cells.csv"
	})
	rest(t, a, d)
	if s := spec(); !s.Scale || !s.Robust || !strings.Contains(a.log.last, "because UMI holds 99 %") {
		t.Fatalf("%v, said %q", s, a.log.last)
	}
	uitest.Do(func() { open(a, "transform") })
	d.Frames(3)
	d.ClickOn("transform/scale/None")
	rest(t, a, d)
	if spec().Scale {
		t.Fatal("the choice did nothing")
	}
}
