package ui

import (
	"math"
	"testing"
	"time"
)

// Frames a second are those of frames that follow each other: the time since one that none was to follow is a pause.
func TestFramesASecondCountFrames(t *testing.T) {
	var f frameClock
	for range 20 {
		f.begin(10 * time.Millisecond)
		f.end(true)
	}
	if r := f.rate(); math.Abs(r-100) > 1 {
		t.Errorf("%g of 100 frames a second", r)
	}
	for range 20 {
		f.begin(400 * time.Millisecond) // the mouse moves now and then
		f.end(false)
	}
	if r := f.rate(); r != 0 {
		t.Errorf("%g frames a second where frames wait for the user", r)
	}
	f.begin(300 * time.Millisecond)
	f.end(true)
	for range 10 {
		f.begin(20 * time.Millisecond)
		f.end(true)
	}
	if r := f.rate(); math.Abs(r-50) > 1 {
		t.Errorf("%g of 50 frames a second after a pause", r)
	}
}
