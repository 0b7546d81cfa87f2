package job

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/job/run"
)

// Landmarks wants them trained as the state says, from a beginning or from those of the state, and a file of them.
type Landmarks struct {
	run.Beginning
	Output string `json:"output,omitempty"` // JSON; "": they are for what else is wanted

	Map *run.Map `json:"-"` // that was made, without positions
}

func init() { Register(Kind{ID: "landmarks", New: func() Want { return &Landmarks{} }}) }

// What is the ID of the kind.
func (l *Landmarks) What() string { return "landmarks" }

// Paths are the files that it names.
func (l *Landmarks) Paths() (written, read []*string) {
	return []*string{&l.Output}, []*string{&l.Beginning.Shape}
}

// Check says what is wrong with the wish.
func (l *Landmarks) Check() error {
	if ext := strings.ToLower(filepath.Ext(l.Output)); ext != ".json" && ext != "" && ext != ".landmarks" {
		return run.Usage{Err: problem.New(l.Output, "use a name that ends in .json",
			"landmarks are written as JSON, not as %s", ext)} // others would take them for a table
	}
	return l.Beginning.Check()
}

// Make trains them.
func (l *Landmarks) Make(ctx context.Context, w *Work) error {
	if err := w.spaceAsWindow(ctx); err != nil {
		return err
	}
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
	f, err := run.Train(ctx, w.Points, r, l.Beginning, set, parts.Training.Of(w.Parts), w.Seed, w.Options.Report)
	if err != nil {
		return err
	}
	f.Program, f.Engine = w.Options.Program, w.engineName()
	w.Landmarks = f
	if l.Map, err = w.Map(); err != nil || l.Output == "" {
		return err
	}
	w.Notes = append(w.Notes, l.Map.Notes...)
	return w.Files.Write(l.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return f.Write(to)
	})
}
