package job

import (
	"context"
	"fmt"
	"io"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
)

// Named wants the population of every row: the populations of the state, evaluated on the data.
type Named struct {
	Output      string `json:"output,omitempty"`
	Counts      string `json:"counts,omitempty"`      // how many rows each has, in long form
	Gates       string `json:"gates,omitempty"`       // the gates among them, as Gating-ML
	Rules       string `json:"rules,omitempty"`       // the ones that other data have too, as a file of rules
	All         bool   `json:"all,omitempty"`         // a column of 0 and 1 of each population too
	Coordinates bool   `json:"coordinates,omitempty"` // EmbedSOM's, before the labels
	// Partial: populations that cannot be evaluated have no rows; else they are an error.
	Partial bool `json:"partial,omitempty"`
	Beside

	Tree population.Tree    `json:"-"`
	Made *population.Labels `json:"-"`
}

func init() { Register(Kind{ID: "populations", New: func() Want { return &Named{} }}) }

// What returns the ID of the kind.
func (n *Named) What() string { return "populations" }

// Paths are the files that it names.
func (n *Named) Paths() (written, read []*string) {
	return []*string{&n.Output, &n.Counts, &n.Gates, &n.Rules}, nil
}

// Check says what is wrong with the wish.
func (n *Named) Check() error {
	if err := knownTable(n.Counts); err != nil {
		return err
	}
	return n.Beside.checkOutput(n.Output)
}

// Make evaluates the populations, and writes what is wanted of them.
func (n *Named) Make(ctx context.Context, w *Work) error {
	if err := n.evaluate(ctx, w); err != nil {
		return err
	}
	w.Notes = append(w.Notes, w.notes...)
	if n.Counts != "" {
		counts, err := export.PopulationCounts(ctx, w.table, n.Tree, n.Made)
		if err != nil {
			return err
		}
		if err := w.Files.Save(ctx, n.Counts, counts, nil); err != nil {
			return err
		}
	}
	if n.Gates != "" {
		if err := n.gates(w); err != nil {
			return err
		}
	}
	if n.Rules != "" {
		if err := n.rules(w); err != nil {
			return err
		}
	}
	if n.Output == "" {
		return nil
	}
	ds, err := n.table(ctx, w)
	if err != nil {
		return err
	}
	w.Notes = append(w.Notes, format.Lost(n.Output, ds)...)
	return w.Files.Save(ctx, n.Output, ds, w.Options.Report.Stage("writing"))
}

// evaluate finds the points of the populations of the state.
func (n *Named) evaluate(ctx context.Context, w *Work) error {
	if n.Tree = parts.Populations.Of(w.Parts); n.Tree.Len() == 0 {
		return problem.New(w.table.Path, "name some in the window, and save the session", "there are no populations")
	}
	if err := w.Space(ctx); err != nil {
		return err
	}
	in, err := n.inputs(ctx, w)
	if err != nil {
		return err
	}
	if n.Made, err = population.LabelRows(ctx, n.Tree, in); err != nil {
		return err
	}
	return n.whole(w)
}

// inputs are what rules look at, as the window has it: columns as the map takes them before their transform, and the
// nearest landmark of each row where a rule asks for it.
func (n *Named) inputs(ctx context.Context, w *Work) (population.Inputs, error) {
	at, columns, cols := w.table.Places(), map[string]*dataset.Column{}, []int(nil)
	for _, name := range n.Tree.Columns() {
		if c, ok := at[name]; ok {
			cols = append(cols, c)
		}
	}
	for c, column := range transform.AllMixed(w.table, w.Points.Spec, cols) {
		columns[w.table.Columns[c].Name] = column
	}
	in := population.Table(w.table.Points, columns)
	if !n.Tree.Needs().Landmarks || w.Landmarks == nil {
		return in, nil
	}
	set, x := w.Landmarks.Set, w.Points.Table.X
	near, progress := make([]int32, x.Rows), w.Options.Report.Stage("landmarks of points")
	err := train.Nearest(ctx, x, set.Codebook, func(point, landmark int, _ float64) {
		near[point] = int32(landmark)
	}, progress)
	in.Nearest = population.Nearest(in.Rows, near, w.Points.Table.Order)
	in.Groups = population.Groups(set.Groups)
	return in, err
}

// whole says which populations could not be evaluated: an error, unless that is allowed.
func (n *Named) whole(w *Work) error {
	for i, err := range n.Made.Why {
		if err == nil {
			continue
		}
		p, name := problem.As(err), n.Tree.All()[i].Name
		if !n.Partial {
			return problem.Wrap(err, w.table.Path, p.Remedy+", or leave it without rows (--partial)",
				"the population %s cannot be evaluated: %s", name, p.What)
		}
		w.Notes = append(w.Notes, fmt.Sprintf("the population %s has no rows: %s", name, p.What))
	}
	return nil
}

// gates writes those that are gates, and notes which are not.
func (n *Named) gates(w *Work) error {
	return w.Files.Write(n.Gates, func(to io.Writer) error {
		left, err := export.Gates(to, w.table, w.Points.Spec, n.Tree)
		if len(left) > 0 {
			w.Notes = append(w.Notes, "no gates, and left out of them: "+strings.Join(left, ", "))
		}
		return err
	})
}

// table is what is written: the data if it is wanted, coordinates if they are, then labels.
func (n *Named) table(ctx context.Context, w *Work) (*dataset.Dataset, error) {
	labels, err := export.Populations(ctx, n.Tree, n.Made, n.All)
	if err != nil {
		return nil, err
	}
	if n.Coordinates {
		e := Embedding{}
		if err := e.Make(ctx, w); err != nil {
			return nil, err
		}
		places, err := e.Map.Coordinates(ctx)
		if err != nil {
			return nil, err
		}
		return n.Beside.table(ctx, dataset.Beside(places, labels...), w.Points, &w.Notes)
	}
	ds, err := dataset.FromColumns(ctx, "populations", labels)
	if err != nil {
		return nil, err
	}
	return n.Beside.table(ctx, ds, w.Points, &w.Notes)
}
