package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/landmarks/landmark"
)

// With equal samples a file of few points counts as much as a large one: the one centre of both is in their middle.
func TestEqualSamplesCountAlike(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		n  int
		at float64
	}{"large.csv": {900, 0}, "small.csv": {30, 10}} {
		var text strings.Builder
		text.WriteString("a,b\n")
		for i := range c.n {
			fmt.Fprintf(&text, "%g,%g\n", c.at+float64(i%10)/100, c.at-float64(i%7)/100)
		}
		write(t, filepath.Join(dir, name), text.String())
	}
	centre := func(more ...string) float64 {
		args := append([]string{"train", "large.csv", "small.csv", "--kmeans", "1", "--algorithm", "lloyd", "-o",
			"l.json"}, more...)
		ok(t, dir, args...)
		in, err := os.Open(filepath.Join(dir, "l.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		f, err := landmark.Read(in, "l.json")
		if err != nil {
			t.Fatal(err)
		}
		return float64(f.Set.Codebook.Data[0])
	}
	plain, equal := centre(), centre("--equal-samples")
	if math.Abs(equal-5.045) > 0.05 || plain > 1 {
		t.Errorf("the centre is at %g, with equal samples at %g", plain, equal)
	}
}
