package documents

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/live"
	"blossom/model/maps/pyramid"
	"blossom/model/scale"
	"blossom/model/work"
	"blossom/ui/uitest"
	"blossom/ui/uitest/folder"
)

// slowly opens a file or a folder as the window does; what is to be read comes when free is closed, or fails with err.
func slowly(r *room, path string, err error) (free chan struct{}) {
	free, path = make(chan struct{}), scale.Shown(path)
	uitest.Do(func() {
		r.docs.opens("Opening out", path, func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
			j.Report(1, 4)
			select {
			case <-free:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			return opening.Load(ctx, []string{path}, format.Options{}, j)
		}, func(string, string) {})
		r.docs.Ahead.look(path, make(chan struct{}))
	})
	return free
}

// seenAhead says whether the window shows rows of what is being opened.
func seenAhead(r *room) bool {
	a := &r.docs.Ahead
	return a.Here() && a.shown != nil && a.shown.Shown()
}

// inked is the box of the pixels that have the colours of counts, in the part of a window below its header.
func inked(shot *image.RGBA) (box image.Rectangle) {
	for y := 120; y < shot.Rect.Dy()-60; y++ { // without the card above and the key below
		for x := range shot.Rect.Dx() {
			c := shot.RGBAAt(x, y)
			if apart := int(max(c.R, c.G, c.B)) - int(min(c.R, c.G, c.B)); apart > 60 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// All rows of a finished folder are seen while its sample is read, where the map has them then.
func TestAllRowsAreSeenBeforeTheirSampleIsRead(t *testing.T) {
	out := folder.Finished(t, "16x16", 500)
	r, d := enter(t, 900, 700, Options{})
	free := slowly(r, out, nil)
	d.Wait("all rows are seen", 20*time.Second, func() bool { return seenAhead(r) })
	d.Frames(3)
	if d.Has("welcome/open") || !d.Has("opening/cancel-opening") {
		t.Error("the start page is there, or nothing to cancel it with")
	}
	ahead := inked(d.Screenshot())
	uitest.Do(func() {
		inside := r.docs.Ahead.rows.Density.Inside
		want := problem.Grouped(inside) + " of 5,000 rows are shown; a sample is being read."
		if inside == 5000 {
			want = "All 5,000 rows are shown; a sample is being read."
		}
		if got := r.docs.Ahead.words(); got != want {
			t.Errorf("%q, of %d rows in the picture", got, inside)
		}
	})
	uitest.Do(func() { // how many lie far out is not the same on all machines
		all := *r.docs.Ahead.rows
		all.Density = &pyramid.Pyramid{}
		all.Density.Inside = all.Rows
		r.docs.Ahead.rows = &all
	})
	looks(r, d, "ahead", "opening")
	close(free)
	opened(t, r, d)
	uitest.Do(func() { // as a map without colours has them
		r.Desk().ColourBy("")
	})
	rest(t, r, d)
	there := inked(d.Screenshot())
	near := func(a, b int) bool { return a-b < 20 && b-a < 20 }
	if ahead.Dx() < 300 || !near(ahead.Min.X, there.Min.X) || !near(ahead.Max.X, there.Max.X) {
		t.Errorf("all rows were seen in %v, and the map is in %v", ahead, there)
	}
	if seenAhead(r) || r.docs.Ahead.shown != nil {
		t.Error("they are kept although the map is there")
	}
}

// An opening that is cancelled, or fails, leaves the start page.
func TestAFolderThatDoesNotComeLeavesTheStartPage(t *testing.T) {
	out := folder.Finished(t, "4x4", 100)
	for _, c := range []struct {
		name string
		err  error
		end  func(d *uitest.Driver, free chan struct{})
	}{
		{"cancelled", nil, func(d *uitest.Driver, _ chan struct{}) { d.ClickOn("opening/cancel-opening") }},
		{"failed", problem.New("a file", "do otherwise", "is torn"),
			func(d *uitest.Driver, free chan struct{}) { close(free) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, d := enter(t, 700, 500, Options{})
			free := slowly(r, out, c.err)
			d.Wait("all rows are seen", 20*time.Second, func() bool { return seenAhead(r) })
			c.end(d, free)
			d.Wait("it ends", 10*time.Second, func() bool { return r.docs.Opening() == nil })
			if got := r.troubled(); c.err != nil && (got == nil || !errors.Is(got, c.err)) {
				t.Errorf("it is said that %v", got)
			}
			d.Keys("Escape")
			d.Frames(3)
			if !d.Has("welcome/open") || d.Has("opening/cancel-opening") || r.docs.Ahead.shown != nil {
				t.Error("the start page is not there")
			}
		})
	}
}

// Rows are not seen of a folder whose pyramid is damaged, of another table, or over a map that is there: the sample
// comes as it would.
func TestNoRowsAreSeenAhead(t *testing.T) {
	out := folder.Finished(t, "4x4", 100)
	table := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(table, []byte("a,b\n1,2\n3,5\n4,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("another table", func(t *testing.T) {
		r, d := enter(t, 700, 500, Options{})
		free := slowly(r, table, nil)
		d.Frames(5)
		if seenAhead(r) || !d.Has("welcome/cancel-opening") {
			t.Error("something is seen of a table")
		}
		close(free)
		opened(t, r, d)
	})
	t.Run("a map is there", func(t *testing.T) {
		r, d := enter(t, 700, 500, Options{}, table)
		opened(t, r, d)
		free := slowly(r, out, nil)
		d.Frames(5)
		if seenAhead(r) || d.Has("opening/cancel-opening") {
			t.Error("they are seen over a map")
		}
		close(free)
		opened(t, r, d)
	})
	t.Run("a damaged pyramid", func(t *testing.T) {
		tiles, err := filepath.Glob(filepath.Join(out, scale.PyramidFolder, "256", "*"))
		if err != nil || len(tiles) == 0 {
			t.Fatal(tiles, err)
		}
		for _, path := range tiles {
			if err := os.WriteFile(path, []byte("rubbish"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := pyramid.Open(filepath.Join(out, scale.PyramidFolder)); err != nil {
			t.Fatal(err) // its head is sound
		}
		r, d := enter(t, 700, 500, Options{})
		free := slowly(r, out, nil)
		d.Wait("they are found", 20*time.Second, func() bool { return r.docs.Ahead.shown != nil })
		d.Frames(10)
		if seenAhead(r) || !d.Has("opening/cancel-opening") || r.troubled() != nil {
			t.Error("they are seen, or it is said before the map is there")
		}
		close(free)
		d.Wait("the map is there", time.Minute, func() bool { return r.Desk() != nil })
	})
}

// The dialog of files opens a folder of parts, and its sample as the folder: with the map that was saved.
func TestAFolderIsOpenedFromTheDialog(t *testing.T) {
	out := folder.Finished(t, "4x4", 100)
	for _, path := range []string{out, scale.SampleIn(out)} {
		r, d := enter(t, 900, 700, Options{})
		d.ClickOn("welcome/open")
		answer(d, path)
		opened(t, r, d)
		all := live.AllRowsOf(r.Desk().Map)
		if all == nil || all.Footing() != live.Saved || r.Desk().Map.Landmarks().Len() != 16 {
			t.Errorf("%s is not opened as it was saved", path)
		}
		d.End()
	}
}
