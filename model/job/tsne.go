package job

import (
	"context"
	"errors"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// TSNE wants a map of all points by t-SNE as the command makes it, in the order of the rows.
type TSNE struct {
	Output       string   `json:"output,omitempty"`
	Dims         int      `json:"dims,omitempty"` // 0: 2
	Perplexity   float64  `json:"perplexity"`
	Units        int      `json:"units"` // in all; 0: until it rests
	Exaggeration float64  `json:"exaggeration"`
	Eta          float64  `json:"eta,omitempty"`   // 0: as suits the number of points
	Theta        *float64 `json:"theta,omitempty"` // missing: as suits the dimensions
	Accuracy     string   `json:"accuracy"`        // fast, normal, fine
	Repulsion    string   `json:"repulsion,omitempty"`
	Start        string   `json:"start,omitempty"`      // StartPCA, StartRandom or StartEmbedSOM
	StartFile    string   `json:"start_file,omitempty"` // positions, in place of Start
	StartAs      string   `json:"start_as"`             // fresh: made small, keep: as it is, without exaggeration
	Neighbours   string   `json:"neighbours"`           // exact, auto
	At           string   `json:"at,omitempty"`         // positions where forces are wanted, and nothing moves
	Beside
	Keep bool `json:"keep,omitempty"` // an interrupted run keeps the positions that it has

	Measure bool       `json:"-"` // R_NX and trustworthiness in the end
	Made    *PointsMap `json:"-"`
}

// Where a map starts.
const (
	StartPCA      = "pca"
	StartRandom   = "random"
	StartEmbedSOM = "embedsom"
)

func init() {
	Register(Kind{ID: "tsne", New: func() Want { return DefaultTSNE() },
		Lays:  func(w Want) Laying { return w.(*TSNE).lays() },
		Needs: func(Want) engine.Capability { return engine.MapsByTSNE }})
}

// DefaultTSNE is a map as a command line without flags makes it.
func DefaultTSNE() *TSNE {
	d := tsne.Defaults()
	return &TSNE{Perplexity: d.Perplexity, Units: d.Total, Exaggeration: d.Exaggeration, Eta: d.Eta,
		Accuracy: "normal", Repulsion: string(d.Method), Start: StartPCA, StartAs: "fresh", Neighbours: "auto"}
}

// Begin makes the map start as a command line says: by one of the words, or from a file.
func (t *TSNE) Begin(start string) {
	if t.Start, t.StartFile = start, ""; !slices.Contains([]string{StartPCA, StartRandom, StartEmbedSOM}, start) {
		t.Start, t.StartFile = "", start
	}
}

// What returns the ID of the kind.
func (t *TSNE) What() string { return "tsne" }

// Paths are the files that it names.
func (t *TSNE) Paths() (written, read []*string) {
	return []*string{&t.Output}, []*string{&t.StartFile, &t.At}
}

// options are those of a map of so many dimensions. An error is one of Usage.
func (t *TSNE) options(dims int, seed uint64) (o tsne.Options, err error) {
	o = tsne.DefaultsIn(dims)
	o.Dims, o.Seed = dims, seed
	o.Perplexity, o.Total, o.Exaggeration, o.Eta = t.Perplexity, t.Units, t.Exaggeration, t.Eta
	o.Until, o.Method = tsne.Defaults().Until, tsne.Method(t.Repulsion)
	if t.Theta != nil {
		o.Theta = *t.Theta
	}
	if t.StartAs == "keep" {
		o.Until = 0
	}
	if o.Accuracy, err = tsne.ParseAccuracy(t.Accuracy); err == nil {
		err = o.Validate()
	}
	if err != nil {
		return o, run.Usage{Err: err}
	}
	return o, nil
}

// Check says what is wrong with the wish.
func (t *TSNE) Check() error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	switch {
	case t.Dims != 0 && t.Dims != 2 && t.Dims != 3:
		return wrong("use --dims 2 or --dims 3", "a map has 2 or 3 dimensions, not %d", t.Dims)
	case t.StartFile == "" && !slices.Contains([]string{StartPCA, StartRandom, StartEmbedSOM}, t.Start):
		return wrong("use pca, random or embedsom, or name it start_file", "start %.60q is not known", t.Start)
	case t.StartAs != "fresh" && t.StartAs != "keep":
		return wrong("use fresh or keep", "--start-as %q is not known", t.StartAs)
	case t.Neighbours != "exact" && t.Neighbours != "auto":
		return wrong("use exact or auto", "--neighbours %q is not known", t.Neighbours)
	case t.StartAs == "keep" && t.StartFile == "" && t.Start != StartEmbedSOM:
		return wrong("give --start a file or embedsom, or leave --start-as out",
			"--start-as keep keeps the size of a map that is there, --start %s has none", t.Start)
	}
	if _, err := t.options(max(2, t.Dims), 0); err != nil {
		return err
	}
	return t.Beside.checkOutput(t.Output)
}

// Make lays the points out, or looks at a given map.
func (t *TSNE) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return err
	}
	l := &layingOut{mapper: w.mapper(max(2, t.Dims)), t: t}
	t.Made = l.out
	l.valid()
	err := l.make(ctx)
	if err != nil && !(t.Keep && l.out.Interrupted && errors.Is(err, context.Canceled)) {
		return named(err, w.table.Path)
	}
	return l.end(ctx, err, t.Output, t.Beside, l.table)
}

// table is what is written: coordinates with the columns tsne1, tsne2 and so on, or forces.
func (l *layingOut) table(ctx context.Context) (*dataset.Dataset, error) {
	m := l.out
	if m.Forces == nil {
		return l.coordinates(ctx, "tsne")
	}
	ds, err := export.Coordinates(ctx, "", m.Forces, 2*m.Dims, nil)
	if err == nil {
		for j := range ds.Columns {
			ds.Columns[j].Name = export.CoordinateName([]string{"attraction", "repulsion"}[j/m.Dims], j%m.Dims)
		}
	}
	return ds, err
}
