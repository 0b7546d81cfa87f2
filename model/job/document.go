package job

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

// computing are the parts that what is computed depends on; others are how it is looked at, or what was computed.
var computing = []string{"transform", "projection", "training", "layout", "runs", "clusters", "populations",
	"samples", "panel", "palettes", "selection"}

// OfDocument makes the job of a document as a window shows it. It wants nothing yet. Landmarks may be missing.
func OfDocument(ctx context.Context, d *state.Document) (*Job, error) {
	now := d.State()
	if set := parts.Landmarks.Of(now); set.Len() > 0 && !parts.Settled(now) {
		return nil, problem.New(d.Data.Path, "try again in a moment",
			"a change of the transform is still being applied")
	}
	j := &Job{Match: d.Sampling.Match, Seed: d.Seed, table: d.Data}
	reading := readingOf(format.Options{Reading: d.Data.Reading, MaxPoints: d.Sampling.MaxPoints,
		Sample: d.Sampling.How, Seed: d.Sampling.Seed})
	for _, path := range d.Files() {
		j.Data = append(j.Data, known(d, path, reading))
	}
	total := d.Data.Total
	if d.Data.Subset != nil {
		total = d.Data.Subset.Total
		var err error
		if j.Subset, err = session.SubsetOf(d.Data); err != nil {
			return nil, err
		}
	}
	if len(j.Data) == 1 {
		j.Data[0].Rows = total
		j.Data[0].Reading.found(d.Data.Found)
	}
	for _, t := range d.Data.Joined {
		f := known(d, t.Path, Reading{Reading: t.Reading})
		f.Rows = total
		f.Reading.found(t.Found)
		j.Join = append(j.Join, f)
	}
	if err := j.PutState(now, computing...); err != nil {
		return nil, err
	}
	j.had.drawn, j.had.ran = sorted(parts.Snapshots.Of(now)), map[string]step.Values{}
	for key, s := range parts.Snapshots.Of(now) {
		if s.Memory != nil {
			j.had.ran[key] = s.Memory.Values
		}
	}
	j.had.session, j.had.state, j.had.maps = true, now, parts.Snapshots.Of(now)
	if set := parts.Landmarks.Of(now); set.Len() > 0 {
		spec := parts.Transform.Of(now)
		if err := j.PutLandmarks(set, spec.MapColumns(), spec); err != nil {
			return nil, err
		}
	}
	views := parts.Views.Of(now)
	j.had.views, j.had.looks, j.had.named = views, parts.Looks.Of(now), parts.Populations.Of(now)
	if r := views.Get(views.Active).Recipe; r.Kind != "embedsom" {
		j.had.shown = r.Kind
	}
	return j, ctx.Err()
}

// OfOther says that the job is of other data than the session was that it is made of: maps of that are not of these.
func (j *Job) OfOther() { j.had.other = true }

// known is a file of a document, with what that knows of its content.
func known(d *state.Document, path string, r Reading) File {
	f := File{Path: path, Reading: r}
	f.look()
	if print := d.Prints[path]; !print.Zero() { // a print is of what was read, whatever is there now
		f.Size, f.SHA256, f.written = print.Size, print.Whole, print.Changed
	}
	return f
}
