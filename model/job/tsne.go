package job

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job/run"
	"blossom/model/maps/tsne"
)

// TSNE wants a map of all points by t-SNE as the command makes it, in the order of the rows.
type TSNE struct {
	Output       string   `json:"output,omitempty"`
	Dims         int      `json:"dims,omitempty"`
	Perplexity   float64  `json:"perplexity"`
	Units        int      `json:"units"`
	Exaggeration float64  `json:"exaggeration"`
	Eta          float64  `json:"eta,omitempty"`
	Theta        *float64 `json:"theta,omitempty"` // missing: as suits the dimensions
	Accuracy     string   `json:"accuracy"`
	Repulsion    string   `json:"repulsion,omitempty"`
	Start        string   `json:"start,omitempty"`      // run.StartPCA, StartRandom or StartEmbedSOM
	StartFile    string   `json:"start_file,omitempty"` // positions, in place of Start
	StartAs      string   `json:"start_as"`
	Neighbours   string   `json:"neighbours"`
	At           string   `json:"at,omitempty"` // a file of positions where forces are wanted, and nothing moves

	Map *run.TSNEMap `json:"-"`
}

func init() { Register(Kind{"tsne", func() Want { return WantTSNE(run.DefaultTSNE(), 0, "") }}) }

// WantTSNE is the wish for what flags say, which place no new points.
func WantTSNE(t run.TSNE, dims int, output string) *TSNE {
	w := &TSNE{Output: output, Dims: dims, Perplexity: t.Perplexity, Units: t.Total, Exaggeration: t.Exaggeration,
		Eta: t.Eta, Accuracy: t.Accuracy, Repulsion: string(t.Method), Start: t.Start, StartAs: t.StartAs,
		Neighbours: t.Neighbours, At: t.At}
	if file := t.StartFile(); file != "" {
		w.Start, w.StartFile = "", file
	}
	if !t.Free() {
		w.Theta = &t.Theta
	}
	return w
}

// What is the ID of the kind.
func (t *TSNE) What() string { return "tsne" }

// Paths are the files that it names.
func (t *TSNE) Paths() (written, read []*string) {
	return []*string{&t.Output}, []*string{&t.StartFile, &t.At}
}

// flags are what a command line would say.
func (t *TSNE) flags() (s run.Settings, out run.TSNE) {
	s, out = run.Defaults(), run.DefaultTSNE()
	s.Dims = t.Dims
	out.Perplexity, out.Total, out.Exaggeration, out.Eta = t.Perplexity, t.Units, t.Exaggeration, t.Eta
	out.Accuracy, out.Method, out.StartAs = t.Accuracy, tsne.Method(t.Repulsion), t.StartAs
	out.Neighbours, out.At, out.Start = t.Neighbours, t.At, t.Start
	if t.Theta != nil {
		out.Theta = *t.Theta
	}
	if t.StartFile != "" {
		out.Start = t.StartFile
	}
	return s, out
}

// Check says what is wrong with the wish.
func (t *TSNE) Check() error {
	s, o := t.flags()
	if t.StartFile == "" && o.StartFile() != "" {
		return problem.New("", "use pca, random or embedsom, or name it start_file", "start %.60q is not known",
			t.Start)
	}
	if err := o.Check(&s); err != nil {
		return err
	}
	return knownTable(t.Output)
}

// Make lays the points out.
func (t *TSNE) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return err
	}
	s, o := t.flags()
	s.Seed, s.GPU, s.Threads, s.Engine = w.Seed, w.Options.Engine, w.Options.Engine.Threads, w.Job.Engine.Kind
	s.GPU.Variant = w.Job.Engine.Variant
	m, err := o.On(ctx, &s, w.Points, w.Report)
	if err != nil {
		return err
	}
	t.Map = m
	w.Notes = append(w.Notes, m.Notes...)
	ds, err := m.Table(ctx)
	if err != nil || t.Output == "" {
		return err
	}
	return format.Save(ctx, t.Output, ds, w.Report.Stage("writing"))
}
