package scale

import (
	"context"
	"os"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/job"
	"blossom/model/job/run"
)

// Linking finds the hierarchy of single linkage of the rows of many files, or of ranges of one, in parts: each is of
// the rows of two of them. The same linking made once more goes on where it has stopped.
type Linking struct {
	Wish      // its Folder holds the plan; Want and Output are of no meaning
	Metric    linkage.Metric
	Algorithm string
	// Make has what is missing of a plan made, and finishes it.
	Make func(ctx context.Context, p *Plan) error
	// Report may be nil.
	Report run.Report

	Shards []Shard // the files, or ranges of them, in the order of the rows, once they are linked
}

// linksFolder is the folder of the plan in that of a linking.
const linksFolder = "links"

// Check says what of a linking cannot be made in parts.
func (l *Linking) Check() error {
	w := l.Wish
	w.Want = &job.Grove{}
	flags := *l.Flags
	flags.Origin.Landmarks = spaceFile
	w.Flags = &flags
	return w.check()
}

// Linked is the job.Labels.Linked of the linking.
func (l *Linking) Linked(ctx context.Context, p *run.Points) (*linkage.Linkage, error) {
	space, err := l.writeSpace(p, spaceFile)
	if err != nil {
		return nil, err
	}
	want := &job.Grove{Metric: l.Metric.String(), Algorithm: l.Algorithm}
	plan, err := l.inSpace(ctx, space, filepath.Join(l.Folder, linksFolder), want, groveExt, l.Report)
	switch {
	case err != nil:
		return nil, err
	case len(plan.Shards) > mostShards:
		return nil, problem.New(l.Folder, "give a larger --part-rows", "more than %d pairs of parts", mostShards)
	case tableRows(plan.Shards) != int64(p.Data.Points):
		return nil, problem.New(l.Folder, "see that no file changes", "the files have %d rows, and had %d",
			tableRows(plan.Shards), p.Data.Points)
	}
	if err := plan.Write(filepath.Join(l.Folder, linksFolder)); err != nil {
		return nil, err
	}
	if !plan.merged(ctx) {
		if err := l.Make(ctx, plan); err != nil {
			return nil, err
		}
	}
	l.Shards = singles(plan.Shards, plan.at)
	all := linkage.NewGroves(p.Data.Points, 0)
	if err := addGrove(ctx, all, plan.mergedFile(), plan.folder); err != nil {
		return nil, err
	}
	return all.Linkage(ctx)
}

// singles are the shards that pairs are of, with the paths that at gives.
func singles(of []Shard, at func(Shard) string) (out []Shard) {
	out = append(out, of[0])
	for _, s := range of {
		if s.Path != of[0].Path || s.From != of[0].From || s.With == nil {
			break
		}
		out = append(out, *s.With)
	}
	for i := range out {
		out[i].With, out[i].Path = nil, at(out[i])
	}
	return out
}

// Remove takes the folder away, when the labels are there. Of what others have put into it nothing is.
func (l *Linking) Remove() {
	_ = os.RemoveAll(filepath.Join(l.Folder, linksFolder))
	_ = os.Remove(filepath.Join(l.Folder, spaceFile))
	_ = os.Remove(l.Folder)
}
