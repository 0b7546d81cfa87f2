package output

import (
	"context"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/desk"
)

// Counting populations in all rows of a finished folder, whose sample is open: a job of the rules for each part of it,
// by the runner that has made the folder.

// CanCount says whether there are populations whose rows are not counted, and nothing counts them yet.
func (a *AllRows) CanCount() bool {
	d := a.of.w.Desk()
	if d == nil || a.job != nil {
		return false
	}
	all := live.AllRowsOf(d.Map)
	if all == nil || !all.ByLandmarks() || d.Map.Landmarks().Len() == 0 {
		return false
	}
	for _, p := range parts.Populations.Of(d.Doc.State()).All() {
		if _, known := all.Count(p.ID); !known && scale.OfAllRows(p.Rule) {
			return true
		}
	}
	return false
}

// Count counts them, once nothing is stale.
func (a *AllRows) Count() {
	if !a.CanCount() {
		return
	}
	program, err := a.of.self()
	if err != nil {
		a.of.w.Fail(problem.Wrap(err, a.of.w.Desk().Doc.Title, "use blossom label",
			"the program does not know where it is"))
		return
	}
	a.of.WhenFresh(func() {
		d := a.of.w.Desk()
		all := live.AllRowsOf(d.Map)
		if all == nil || a.job != nil {
			return
		}
		asked, err := scale.AskedBy(d.Doc.Snapshot(d.Doc.State()), d.Table(), d.Doc.Title, "blossom "+a.of.Version)
		if err != nil {
			a.of.w.Fail(err)
			return
		}
		r := a.counting(d, all)
		r.program, r.by = program, all.Placed
		r.plan = func(ctx context.Context, report run.Report) (string, error) {
			p, err := all.Whole.Count(ctx, asked, "blossom "+a.of.Version, func(string) {}, report)
			if err != nil {
				return "", err
			}
			return p.Folder(), nil
		}
		a.remake(r)
	})
}

// counting is a folder in which populations are counted in all rows of that of a desk.
func (a *AllRows) counting(d *desk.Desk, all *live.AllRows) *remake {
	return &remake{title: "Counting populations in all rows", skip: all.Skipped > 0,
		failed: "the populations could not be counted in all rows: %s",
		done: func(folder string) (func(), error) {
			c, err := all.Whole.CountedIn(folder)
			if err == nil && c == nil {
				err = problem.New(folder, "finish it: blossom finish "+folder, "is not finished")
			}
			if err != nil {
				return nil, err
			}
			asked, err := c.Asked(d.Doc.Data)
			return func() { a.counted(d, all, c, asked) }, err
		}}
}

// counted shows what was counted, if the folder's sample is still on the desk.
func (a *AllRows) counted(at *desk.Desk, all *live.AllRows, c *scale.Counted, asked state.State) {
	a.of.w.Say("populations are counted in all " + problem.Grouped(all.Rows) + " rows: " + filepath.Join(c.Folder,
		scale.CalledFile))
	if a.of.w.Desk() == at && live.AllRowsOf(at.Map) == all {
		all.Counts(c, asked)
	}
}
