package step

import (
	"testing"

	"pgregory.net/rapid"
)

// A report may begin anew, as a table that is read a second time; the bar that is shown goes on.
func TestBarsDoNotRunBackwards(t *testing.T) {
	var b Bar
	for done := int64(0); done <= 560; done++ {
		b.Report(done, 1000)
	}
	at := b.Fraction()
	if at < 0.5 || at > 0.56 {
		t.Fatalf("56 %% of the first part is shown as %g", at)
	}
	b.Report(50, 1000)
	if now := b.Fraction(); now < at || now > at+0.05 {
		t.Fatalf("from %g to %g as the second part begins", at, now)
	}
	b.Report(1000, 1000)
	if now := b.Fraction(); now < 0.95 || now > 1 {
		t.Fatalf("all is done, and %g shown", now)
	}
	rapid.Check(t, func(t *rapid.T) {
		var b Bar
		last := 0.0
		for range rapid.IntRange(1, 60).Draw(t, "reports") {
			b.Report(rapid.Int64Range(-2, 1200).Draw(t, "done"), rapid.Int64Range(0, 1000).Draw(t, "total"))
			now := b.Fraction()
			if now < last || now > 1 {
				t.Fatalf("from %g to %g", last, now)
			}
			last = now
		}
	})
}
