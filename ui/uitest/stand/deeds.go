package stand

import (
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// Deeds gives the document of a desk a history: n moves of landmarks, 40 seconds apart on a day of 2026, then back to
// the entry called back, and others from there; no others: it stays at the last.
func Deeds(at *desk.Desk, n, back, more int) {
	uitest.Do(func() {
		d := at.Doc
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
			d.Go(e[back].ID)
			d.Bookmark(e[back].ID, e[back].Name)
			for i := range more {
				move([]string{"Straighten along a stroke", "Drag 12 landmarks"}[i%2], 100+i)
			}
		}
	})
}

// Coordinates implements desk.Output: what was asked for is written down.
func (w *Window) Coordinates(_ string, t desk.Table) { w.Wrote = t }

// Populations remembers what was to be written of them.
func (w *Window) Populations(_ string, n desk.Names) {
	w.WroteNames = append(w.WroteNames, n)
}
