package output

import (
	"context"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/desk"
)

// Counting populations in all rows of a finished folder, whose sample is open: a job of the rules for each part of it,
// by the runner that has made the folder.

// CanCount says whether there are populations whose rows are not counted, and nothing counts them yet.
func (o *Output) CanCount() bool {
	d := o.w.Desk()
	if d == nil || o.again != nil {
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
func (o *Output) Count() {
	if !o.CanCount() {
		return
	}
	program, err := o.self()
	if err != nil {
		o.w.Fail(problem.Wrap(err, o.w.Desk().Doc.Title, "use blossom label", "the program does not know where it is"))
		return
	}
	o.WhenFresh(func() {
		d := o.w.Desk()
		all := live.AllRowsOf(d.Map)
		if all == nil || o.again != nil {
			return
		}
		asked, err := scale.AskedBy(d.Doc.Snapshot(d.Doc.State()), d.Table(), d.Doc.Title, "blossom "+o.Version)
		if err != nil {
			o.w.Fail(err)
			return
		}
		o.remake(&remake{program: program, title: "Counting populations in all rows", like: all.Whole,
			failed: "the populations could not be counted in all rows: %s",
			plan: func(ctx context.Context, report run.Report) (string, error) {
				p, err := all.Whole.Count(ctx, asked, "blossom "+o.Version, func(string) {}, report)
				if err != nil {
					return "", err
				}
				return p.Folder(), nil
			},
			done: func(folder string) (func(), error) {
				c, err := all.Whole.CountedIn(folder)
				if err == nil && c == nil {
					err = problem.New(folder, "finish it: blossom finish "+folder, "is not finished")
				}
				return func() { o.counted(d, all, c, asked) }, err
			}})
	})
}

// counted shows what was counted, if the folder's sample is still on the desk.
func (o *Output) counted(at *desk.Desk, all *live.AllRows, c *scale.Counted, asked scale.Asked) {
	o.w.Say("populations are counted in all " + problem.Grouped(all.Rows) + " rows: " + filepath.Join(c.Folder,
		scale.CalledFile))
	if o.w.Desk() == at && live.AllRowsOf(at.Map) == all {
		all.Counts(c, asked.State)
	}
}
