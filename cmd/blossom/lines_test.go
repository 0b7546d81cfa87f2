package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A stage that begins anew, as a table that is read twice, goes on in its bar.
func TestProgressLineGoesOn(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	b := &bar{out: &out, now: func() time.Time { now = now.Add(time.Second); return now },
		width: func() int { return 100 }}
	last := 0
	for _, done := range []int64{10, 300, 560, 50, 400, 900, 1000} {
		out.Reset()
		b.report("reading", done, 1000)
		if full := strings.Count(out.String(), "━"); full < last {
			t.Fatalf("at %d the bar falls from %d to %d cells", done, last, full)
		} else {
			last = full
		}
	}
	if last < 20 {
		t.Fatalf("all is read, and the bar is %d cells long", last)
	}
}
