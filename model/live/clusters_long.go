package live

import (
	"context"
	"sync/atomic"

	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/work"
)

// persistAtOnce is of how many leaves the clusters that persist the most are found within a frame: some milliseconds.
// Tests lower it.
var persistAtOnce = 20_000

// long is the search for the clusters that persist the most, beside the window.
type long struct {
	lasting lasting
	finder  *work.Job
	wanted  atomic.Int64 // the least size that is asked for, for a pass that makes new hierarchies; 0: none
}

// lasting is what was found last.
type lasting struct {
	of    *parts.Hierarchy
	least int
	flat  *linkage.Flat
}

// persistent are the clusters of a least size that persist the most; nil: they are looked for.
func (l *long) persistent(m *Map, h *parts.Hierarchy, least int) *linkage.Flat {
	if l.lasting.of == h && l.lasting.least == least {
		return l.lasting.flat
	}
	if h.Len() <= persistAtOnce {
		l.lasting = lasting{h, least, h.Sky.Persistent(least)}
		return l.lasting.flat
	}
	if l.finder != nil {
		return nil
	}
	job := m.Jobs.Aside("Clusters that persist", func(ctx context.Context, j *work.Job) (func(), error) {
		found := lasting{h, least, h.Sky.Persistent(least)}
		return func() {
			if l.finder == j {
				l.finder, l.lasting = nil, found
			}
		}, ctx.Err()
	})
	job.Dropped = func() {
		if l.finder == job {
			l.finder = nil
		}
	}
	l.finder = job
	return nil
}

func (l *long) end() {
	if job := l.finder; job != nil {
		l.finder = nil
		job.Cancel()
	}
	l.lasting = lasting{}
}
