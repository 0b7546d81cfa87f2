package job

import (
	"context"
	"io"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Landmarks wants them trained as the state says, from a beginning or from those of the state, and a file of them.
type Landmarks struct {
	run.Beginning
	Output string `json:"output,omitempty"` // JSON; "": they are for what else is wanted

	Map *run.Map `json:"-"` // that was made, without positions
}

func init() { Register(Kind{"landmarks", func() Want { return &Landmarks{} }}) }

// WantLandmarks wants a file of the landmarks that the job trains in any case, or of those of its state, trained on.
func (j *Job) WantLandmarks(output string) *Landmarks {
	for _, w := range j.Wanted {
		if w.What() == "landmarks" {
			l := w.(*Landmarks)
			l.Output = output
			return l
		}
	}
	l := &Landmarks{Output: output}
	j.Want(l)
	return l
}

// What is the ID of the kind.
func (l *Landmarks) What() string { return "landmarks" }

// Paths are the files that it names.
func (l *Landmarks) Paths() (written, read []*string) {
	return []*string{&l.Output}, []*string{&l.Beginning.Shape}
}

// Check says what is wrong with the wish.
func (l *Landmarks) Check() error { return l.Beginning.Check() }

// Make trains them.
func (l *Landmarks) Make(ctx context.Context, w *Work) error {
	r, err := w.Resident(ctx)
	if err != nil {
		return err
	}
	if l.Beginning.Zero() && w.Landmarks == nil {
		return problem.New(w.table.Path, "say som, som_shape or kmeans, or give the state landmarks",
			"there is nothing that landmarks would begin with")
	}
	set := parts.Landmarks.Of(w.Parts)
	if w.Landmarks != nil {
		set = w.Landmarks.Set
	}
	f, err := run.Train(ctx, w.Points, r, l.Beginning, set, parts.Training.Of(w.Parts), w.Seed, w.Report)
	if err != nil {
		return err
	}
	e := w.Engines.Engine()
	f.Program, f.Engine = w.Program, engine.FullName(e.Name(), e.Variant())
	w.Landmarks = f
	if l.Map, err = w.Map(); err != nil || l.Output == "" {
		return err
	}
	w.Notes = append(w.Notes, l.Map.Notes...)
	return format.AtomicWrite(l.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return f.Write(to)
	})
}
