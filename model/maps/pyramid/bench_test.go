package pyramid

import (
	"bytes"
	"testing"
)

// Reading and adding the counts of a part of a million points, which finishing a folder does for each of its parts.
func BenchmarkMergeOfAMillionPoints(b *testing.B) {
	x, y := scattered(1_000_000, 3)
	c := NewCounts(unit)
	c.Add(x, y)
	var text bytes.Buffer
	if err := c.Few().Write(&text); err != nil {
		b.Fatal(err)
	}
	all := NewCounts(unit)
	for b.Loop() {
		if _, err := all.MergeFrom(bytes.NewReader(text.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(text.Len()), "bytes")
}

func BenchmarkCountsOfAMillionPoints(b *testing.B) {
	x, y := scattered(1_000_000, 3)
	c := NewCounts(unit)
	for b.Loop() {
		c.Add(x, y)
	}
}

func BenchmarkWrite(b *testing.B) {
	x, y := scattered(1_000_000, 3)
	c := NewCounts(unit)
	c.Add(x, y)
	for b.Loop() {
		if err := c.Few().Write(&bytes.Buffer{}); err != nil {
			b.Fatal(err)
		}
	}
}
