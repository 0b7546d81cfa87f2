package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blossom/model/landmark"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/ui/uitest"
)

// deeds gives the document a history: n moves of landmarks, a minute apart, then back to the one called at, and others
// from there.
func deeds(a *App, n, at, more int) {
	uitest.Do(func() {
		d := a.desk.Doc
		now := time.Date(2026, 11, 22, 14, 2, 0, 0, time.Local)
		d.SetClock(func() time.Time { now = now.Add(40 * time.Second); return now })
		move := func(name string, i int) {
			d.Do(name, func(s *state.State) {
				l := parts.Landmarks.Of(*s)
				pos := l.Pos.Clone()
				for j := range pos.Data {
					pos.Data[j] += 0.3 * float32((i*7+j*3)%11-5)
				}
				moved, err := l.WithPos(pos)
				if err != nil {
					panic(err)
				}
				parts.Landmarks.Put(s, moved)
			})
		}
		words := []string{"Move 3 landmarks", "Pin 4 landmarks", "Add a landmark", "Move landmark 17", "Name landmarks"}
		for i := range n {
			move(words[i%len(words)], i)
		}
		if more > 0 {
			e := d.History().Entries()
			d.Go(e[at].ID)
			d.Bookmark(e[at].ID, e[at].Name)
			for i := range more {
				move([]string{"Straighten along a stroke", "Drag 12 landmarks"}[i%2], 100+i)
			}
		}
	})
}

func landmarksOf(a *App) (l *landmark.Set) {
	uitest.Do(func() { l = parts.Landmarks.Of(a.desk.Doc.State()) })
	return l
}

func TestTimeLineLooks(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		by   float32
		dark bool
	}{{"light-100", 1280, 800, 1, false}, {"dark-200", 2560, 1600, 2, true}, {"small", 500, 400, 1, false}} {
		a, d := begin(t, c.w, c.h, c.by, Options{Paths: []string{"demo:cytometry:4000"}, Still: true})
		opened(t, a, d)
		if c.dark {
			uitest.Do(a.toggleTheme)
		}
		deeds(a, 18, 12, 6)
		uitest.Do(func() {
			open(a, "history")
			a.desk.Doc.Undo()
		})
		d.Keys("Alt+L")
		rest(t, a, d)
		calm(a, d)
		d.Golden("time-" + c.name)
		d.End()
	}
	_ = fmt.Sprint
	_ = slices.Contains[[]int]
}
