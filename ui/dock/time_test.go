package dock

import (
	"slices"
	"testing"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The history as a line: light at 100 %, and dark at 200 %.
func TestTimeLineLooks(t *testing.T) {
	s, d := begin(t, "time", stand.Options{Data: "demo:cytometry:2000", W: 928, H: 600})
	stand.Deeds(s.Desk, 18, 12, 6)
	uitest.Do(s.Undo)
	s.Rest(d)
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(928*c.scale, 600*c.scale)
		d.Move(1, 1)
		d.Frames(4)
		d.Picture("time"+c.suffix, "dock-time")
	}
}

// Playing goes through all moments by itself, shows runs on their way, and stops at the end.
func TestPlaying(t *testing.T) {
	s, d := begin(t, "time", stand.Options{Data: "demo:cytometry:1000", W: 1100, H: 700, Trained: true}) // a run
	stand.Deeds(s.Desk, 3, 0, 0)
	s.Rest(d)
	run := false
	for _, e := range s.Desk.Doc.History().Entries() {
		run = run || e.Run && e.Moments > 0
	}
	if !run {
		t.Fatal("the run has no moments")
	}
	now := func() (i int) {
		uitest.Do(func() { i = s.Desk.Past().Now })
		return i
	}
	pos := func() []float32 { return slices.Clone(s.Desk.EmbedSOM().Target().Host()) }
	last, end := now(), pos()
	d.ClickOn("dock-time/play")
	seen, between := map[int]bool{}, 0
	for range 600 {
		d.Frames(1)
		seen[now()] = true
		if s.Desk.Previewing() {
			between++
		}
		if len(seen) == last+1 && now() == last && !s.Desk.Previewing() {
			break
		}
	}
	s.Rest(d)
	if len(seen) != last+1 || between < 60 || now() != last || !slices.Equal(pos(), end) {
		t.Errorf("it passed %d of %d moments, %d frames between them, and ends at %d", len(seen), last+1, between,
			now())
	}
	if wake := d.Shell().Wake(); wake == shell.Now {
		t.Error("it goes on drawing when nothing moves")
	}
}
