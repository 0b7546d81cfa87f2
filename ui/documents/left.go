package documents

import (
	"context"
	"fmt"
	"time"

	"blossom/model/document/recovery"
	"blossom/model/work"
)

// Left is the sessions that windows have left behind or have open, as they were listed last. It is for the main thread.
type Left struct {
	Store  *recovery.Store
	Jobs   *work.Jobs
	Now    func() time.Time
	Failed func(error) // the list could not be made, or not as a whole

	items   []recovery.Item
	listing bool
	again   bool // list once more
	listed  time.Time
	offered map[string]bool // IDs of those that were offered in this window
}

// Find lists what is left, off the main thread.
func (l *Left) Find() {
	if l.listing {
		l.again = true
		return
	}
	l.listing, l.again = true, false
	l.Jobs.Quiet(func(ctx context.Context) (func(), error) {
		items, err := l.Store.List(ctx)
		return func() {
			l.listing, l.items, l.listed = false, items, l.Now()
			if err != nil {
				l.Failed(err)
			}
			if l.again {
				l.Find()
			}
		}, nil
	})
}

// Watch lists what is left anew where the list is of such an age.
func (l *Left) Watch(age time.Duration) {
	if !l.listing && !l.listed.IsZero() && l.Now().Sub(l.listed) >= age {
		l.Find()
	}
}

// Forget deletes sessions for good, off the main thread, and says of which that failed.
func (l *Left) Forget(items []recovery.Item, say func(text string)) {
	l.Jobs.Quiet(func(context.Context) (func(), error) {
		var said []string
		for _, i := range items {
			if err := l.Store.Forget(i); err != nil {
				said = append(said, fmt.Sprintf("%s was not forgotten: %v", i.Name, err))
			}
		}
		return func() {
			for _, text := range said {
				say(text)
			}
			l.Find()
		}, nil
	})
}

// Unsaved returns the sessions with work that was not saved, and what other windows have open.
func (l *Left) Unsaved(own string) (out []recovery.Item) {
	for _, i := range l.items {
		if i.ID != own && (i.Held || i.Changed) {
			out = append(out, i)
		}
	}
	return out
}

// Crashed returns the sessions whose window ended without closing, and without saving what was done in it.
func (l *Left) Crashed() (out []recovery.Item) {
	for _, i := range l.items {
		if i.Lost() {
			out = append(out, i)
		}
	}
	return out
}

// Last is the session that was worked on last, and that no window has open, or nil.
func (l *Left) Last() *recovery.Item {
	for k := range l.items {
		if i := &l.items[k]; !i.Held && i.Path != "" {
			return i
		}
	}
	return nil
}

// Fresh are the crashed ones that were not offered yet; from now on they were.
func (l *Left) Fresh() (out []recovery.Item) {
	for _, i := range l.items {
		if !i.Lost() || l.offered[i.ID] {
			continue
		}
		if out = append(out, i); l.offered == nil {
			l.offered = map[string]bool{}
		}
		l.offered[i.ID] = true
	}
	return out
}
