package step

import "sync"

// Bar is how far work has come that has several parts, of which each reports for itself, from 0 to its own total. It
// never runs backwards: a part that begins shares what those before have left, and reports that overtake each other
// change nothing. The zero Bar has not begun. Safe from any goroutine.
type Bar struct {
	mu    sync.Mutex
	floor float64 // where the part under way began
	part  float64 // how far it is, 0 to 1
	total int64   // total of the reported work
	shown float64
}

// Parts that follow share so much; a single part ends so far from the end.
const barRest = 0.04

// A part begins anew where a report falls behind by more than reports of several goroutines can.
const barBack = 0.05

// Report tells how far the part under way is. A total of 0 is unknown, and changes nothing.
func (b *Bar) Report(done, total int64) {
	if total <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	f := min(1, max(0, float64(done)/float64(total)))
	if f < b.part-barBack || total != b.total && f < b.part {
		b.floor, b.part = b.shown, f
	}
	b.total, b.part = total, max(b.part, f)
	b.shown = max(b.shown, b.floor+(1-b.floor)*(1-barRest)*b.part)
}

// Fraction is how far all of it is, 0 to 1, and never falls.
func (b *Bar) Fraction() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shown
}
