package scale

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
)

// Phase is what becomes of the parts of a folder that were begun.
type Phase int

const (
	Going   Phase = iota // something has them made
	LeftOff              // nothing holds the folder, and it is not finished
	Ended                // it is finished
)

// Begun is a folder whose parts were begun.
type Begun struct {
	plan   *Plan
	Status Status
	Phase  Phase
	Placed Placed // who has placed them last
}

// BegunIn is what was begun in a folder, or nil: it has no plan. The error is a Problem, or ctx's.
func BegunIn(ctx context.Context, folder string) (*Begun, error) {
	if !IsFolder(folder) {
		return nil, nil
	}
	p, err := Open(filepath.Join(folder, PlanFile))
	if err != nil {
		return nil, err
	}
	b := &Begun{plan: p, Placed: placedIn(folder)}
	return b, b.look(ctx)
}

// Folder is where it is.
func (b *Begun) Folder() string { return b.plan.folder }

// look finds how far it is.
func (b *Begun) look(ctx context.Context) error {
	s, err := b.plan.Status(ctx)
	if err == nil {
		b.saw(s)
	}
	return err
}

// saw takes what was seen of it.
func (b *Begun) saw(s Status) {
	switch b.Status, b.Phase = s, LeftOff; {
	case s.Going:
		b.Phase = Going
	case s.Finished:
		b.Phase = Ended
	}
}

// Follow waits until nothing has the parts made any more; patient: until it is finished, or all parts are there and
// nothing finishes it, for what holds no folder may make them. report is told how many are there meanwhile.
func (b *Begun) Follow(ctx context.Context, patient bool, report func(done, total int64)) error {
	return looking(ctx, b.plan, nil, func(s Status) (enough bool, err error) {
		b.saw(s)
		report(int64(s.Done), int64(s.Parts))
		return b.Phase == Ended || b.Phase == LeftOff && (!patient || s.Done == s.Parts), nil
	})
}

// mostGaps is how many folders may have been removed between others that were begun beside one.
const mostGaps = 50

// Begun is what was begun of all rows in the folder and beside it, the oldest first: counts of populations, and places
// by other landmarks than its own, after it. What cannot be read is left out. The error is ctx's.
func (w *Whole) Begun(ctx context.Context) (all []*Begun, err error) {
	of, err := Open(w.Folder)
	if err != nil {
		return nil, ctx.Err()
	}
	take := func(folder string, is func(*Begun) bool) {
		if b, err := BegunIn(ctx, folder); err == nil && b != nil && is(b) {
			all = append(all, b)
		}
	}
	for i := range w.lastCounts() + 1 {
		take(w.counts(i), func(b *Begun) bool { return b.Counts(w) })
	}
	for i, missing := numberOf(w.Folder)+1, 0; i <= mostCounts; i++ {
		folder := beside(w.Folder, i)
		if _, err := os.Lstat(folder); err != nil {
			if missing++; missing > mostGaps {
				break
			}
			continue
		}
		take(folder, func(b *Begun) bool { return b.places(of) })
	}
	return all, ctx.Err()
}

// Opens says what keeps a window from opening a folder of parts once it is finished. The error is a Problem.
func Opens(folder string) error {
	p, err := Open(filepath.Join(folder, PlanFile))
	switch {
	case err != nil:
		return err
	case p.Map != "":
		return problem.New(folder, "open the folder of the map", "has what rows are called, and no map of them")
	case p.Shown == 0:
		return problem.New(folder, "open a file in "+filepath.Join(folder, partsFolder)+
			", or embed into another folder without --shown 0", "is a folder of parts without a sample to be shown")
	}
	return nil
}

// Counts says whether it is how many of the rows of a finished folder populations have.
func (b *Begun) Counts(w *Whole) bool { return b.plan.Map == w.plan }

// places says whether it places the rows that another plan has placed.
func (b *Begun) places(of *Plan) bool {
	p := b.plan
	return p.Map == "" && p.kind().ID == of.kind().ID && slices.EqualFunc(p.Shards, of.Shards, func(x, y Shard) bool {
		return p.at(x) == of.at(y) && x.From == y.From && x.Rows == y.Rows
	})
}

// beside is the folder of a number, from 1, beside another one, for what is made of the same rows: "out-again" and
// "out-again-2" beside "out", and beside each other.
func beside(folder string, i int) string {
	full := absolute(folder)
	path := filepath.Join(filepath.Dir(full), again().ReplaceAllString(filepath.Base(full), "")+"-again")
	if i > 1 {
		path = fmt.Sprintf("%s-%d", path, i)
	}
	return path
}

// numberOf is the number of a folder that is beside another one, 0 of one that is not.
func numberOf(folder string) int {
	found := again().FindStringSubmatch(filepath.Base(absolute(folder)))
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimPrefix(found[1], "-"))
	if err != nil {
		return 1
	}
	return n
}
