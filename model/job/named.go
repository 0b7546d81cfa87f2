package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/landmarks/train"
	"blossom/model/maps/derived"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// Named wants the population of every row: the populations of the state, evaluated on the data.
type Named struct {
	Output      string `json:"output,omitempty"`      // labels
	Counts      string `json:"counts,omitempty"`      // how many rows each has, in long form
	Sheet       string `json:"samples,omitempty"`     // a sheet of the samples, in the place of the state's
	Key         string `json:"key,omitempty"`         // number, path, name, colour and number of rows of each
	Gates       string `json:"gates,omitempty"`       // the gates among them, as Gating-ML
	Rules       string `json:"rules,omitempty"`       // the ones that other data have too, as a file of rules
	All         bool   `json:"all,omitempty"`         // a column of 0 and 1 of each population too
	Selected    bool   `json:"selected,omitempty"`    // a column of 0 and 1 of the selected points, after the labels
	Coordinates bool   `json:"coordinates,omitempty"` // EmbedSOM's, before the labels
	// Partial: populations that cannot be evaluated have no rows; else they are an error.
	Partial bool `json:"partial,omitempty"`
	Beside

	Tree  population.Tree    `json:"-"`
	Made  *population.Labels `json:"-"`
	Files []string           `json:"-"` // the files of labels
	// Session is that which the populations of the state are from, as remarks name it; "": nobody knows.
	Session string `json:"-"`
	From    string `json:"-"` // the file of rules that the populations of the state are from; "": none is
}

func init() { Register(Kind{ID: "populations", New: func() Want { return &Named{} }}) }

// What returns the ID of the kind.
func (n *Named) What() string { return "populations" }

// Paths are the files that it names.
func (n *Named) Paths() (written, read []*string) {
	return []*string{&n.Output, &n.Counts, &n.Key, &n.Gates, &n.Rules}, []*string{&n.Sheet, &n.From}
}

// Check says what is wrong with the wish.
func (n *Named) Check() error {
	for _, table := range []string{n.Counts, n.Key} {
		if err := knownTable(table); err != nil {
			return err
		}
	}
	return n.beside().checkFiles(n.Output)
}

// beside is which columns of the data stand before labels: those of the rows of a population are what it is.
func (n *Named) beside() Beside {
	b := n.Beside
	b.WithData = b.WithData || n.Each == export.EachPopulation
	return b
}

// Make evaluates the populations, and writes what is wanted of them.
func (n *Named) Make(ctx context.Context, w *Work) error {
	if err := n.readSheet(ctx, w); err != nil {
		return err
	}
	if err := n.evaluate(ctx, w); err != nil {
		return err
	}
	w.Notes = append(w.Notes, w.notes...)
	n.noteSample(w)
	names := &export.Names{Data: w.table, Tree: n.Tree, Labels: n.Made, Colour: w.Options.Colour, All: n.All,
		Samples: parts.Samples.Of(w.Parts)}
	if n.Selected {
		names.Selected = cmp.Or(parts.Selection.Of(w.Parts), selection.None(w.table.Points))
	}
	for _, x := range []struct {
		path  string
		write func() error
	}{
		{n.Counts, func() error { return w.save(ctx, n.Counts, names.Counts) }},
		{n.Key, func() error { return w.save(ctx, n.Key, names.Key) }},
		{n.Gates, func() error { return n.gates(w) }},
		{n.Rules, func() error { return n.rules(w) }},
		{n.Output, func() error { return n.labels(ctx, w, names) }},
	} {
		if x.path == "" {
			continue
		}
		if err := x.write(); err != nil {
			return err
		}
	}
	return nil
}

// noteSample notes that rows are a sample of those of a folder, and what calls and counts all of these.
func (n *Named) noteSample(w *Work) {
	all := allRowsOf(w.table, w)
	if all == nil {
		return
	}
	note, by := "rows and counts are of "+all.sample(w.table), "--session "+cmp.Or(n.Session, "SESSION")
	if n.From != "" {
		by = "--rules " + n.From
	}
	if n.From != "" || all.countable(w.table, w.Parts) {
		note += "; of all rows are those of: blossom label " + all.Folder + " " + by + " -o LABELS/"
	}
	w.Notes = append(w.Notes, note)
}

// readSheet reads the sheet of samples that is named, and says what of it there is no sample for.
func (n *Named) readSheet(ctx context.Context, w *Work) error {
	if n.Sheet == "" {
		return nil
	}
	own := parts.Samples.Of(w.Parts)
	names, _ := own.Of(w.table)
	found, err := sheet.Read(ctx, n.Sheet, names, own.By())
	if err != nil {
		return err
	}
	if says := found.Says(); says != "" {
		w.Notes = append(w.Notes, "the sheet of samples has "+says)
	}
	parts.Samples.Put(&w.Parts, found.Sheet)
	return nil
}

// save writes a table that has to be made.
func (w *Work) save(ctx context.Context, path string, make func(context.Context) (*dataset.Dataset, error)) error {
	ds, err := make(ctx)
	if err != nil {
		return err
	}
	return w.Files.Save(ctx, path, ds, nil)
}

// evaluate finds the points of the populations of the state.
func (n *Named) evaluate(ctx context.Context, w *Work) error {
	if n.Tree = parts.Populations.Of(w.Parts); n.Tree.Len() == 0 && !n.Selected {
		what, remedy := "there are no populations", "name some in the window, and save the session"
		if n.From != "" {
			what, remedy = "there are no populations in "+n.From, "give a file of rules that has some"
		}
		if len(w.notes) > 0 { // why there are none
			what += " (" + strings.Join(w.notes, "; ") + ")"
		}
		return problem.New(w.table.Path, remedy, "%s", what)
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

// inputs are what rules look at, as the window has it: columns as the map takes them before their transform, the
// nearest landmark of each row and the places of points on maps where a rule asks for them.
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
	for _, name := range n.Tree.Columns() { // columns of the sheet of samples
		k, of, made := derived.Named(w.table, name, nil)
		if _, own := at[name]; own || !made || k.Needs != derived.NeedSheet {
			continue
		}
		in := derived.Inputs{Data: w.table, Of: of, Sheet: derived.OfSheet(parts.Samples.Of(w.Parts), w.table, of)}
		if c, err := k.Column(ctx, in, nil); err == nil {
			columns[name] = &c
		}
	}
	in, needs := population.Table(w.table.Points, columns), n.Tree.Needs()
	in.Data = w.table
	var err error
	if in.Places, err = n.places(ctx, w, needs.Maps); err != nil || !needs.Landmarks || w.Landmarks == nil {
		return in, err
	}
	set, x := w.Landmarks.Set, w.Points.Table.X
	near, progress := make([]int32, x.Rows), w.Options.Report.Stage("landmarks of points")
	err = train.Nearest(ctx, x, set.Codebook, func(point, landmark int, _ float64) {
		near[point] = int32(landmark)
	}, progress)
	in.Nearest = population.Nearest(in.Rows, near, w.Points.Table.Order)
	in.Groups = population.Groups(set.Groups)
	return in, err
}

// whole says which populations could not be evaluated: an error, unless that is allowed.
func (n *Named) whole(w *Work) error {
	err := (&export.Names{Data: w.table, Tree: n.Tree, Labels: n.Made}).Whole()
	if err != nil && !n.Partial {
		p := problem.As(err)
		return problem.Wrap(err, p.File, p.Remedy+", or leave it without rows (--partial)", "%s", p.What)
	}
	for i, why := range n.Made.Why {
		if why != nil {
			w.Notes = append(w.Notes, fmt.Sprintf("the population %s has no rows: %s", n.Tree.All()[i].Name,
				problem.As(why).What))
		}
	}
	return nil
}

// gates writes those that are gates, and notes which are not.
func (n *Named) gates(w *Work) error {
	return w.Files.Write(n.Gates, func(to io.Writer) error {
		left, err := export.Gates(to, w.table, w.Points.Spec, n.Tree)
		if len(left) > 0 {
			w.Notes = append(w.Notes, "not among the gates, as they are none: "+strings.Join(left, ", "))
		}
		return err
	})
}

// labels writes those of all rows, in one file or in several, with what is to stand before them.
func (n *Named) labels(ctx context.Context, w *Work, names *export.Names) (err error) {
	rows := &export.Rows{Data: w.table, Each: n.Each, Append: n.Append, Names: names, Paint: w.paint}
	n.Files, _ = rows.Paths(n.Output)
	if err = n.apart(); err != nil {
		return err
	}
	if n.Coordinates || n.Append && w.Landmarks != nil {
		e := Embedding{}
		if err = e.Make(ctx, w); err != nil {
			return err
		}
		if rows.Made, err = e.Map.Coordinates(ctx); err != nil {
			return err
		}
	}
	said, err := n.beside().write(ctx, w, rows, w.Points, n.Output)
	w.Notes = append(w.Notes, said...)
	return err
}

// apart refuses files of labels, whose names are known now, that are other files of the job.
func (n *Named) apart() error {
	if n.Each == "" {
		return nil // then it is the output, which has been looked at
	}
	var others []string
	for _, path := range []string{n.Counts, n.Key, n.Gates, n.Rules} {
		others = append(others, filepath.Clean(path))
	}
	for _, path := range n.Files {
		if slices.Contains(others, filepath.Clean(path)) {
			return problem.New(path, "give each output a file of its own", "is named twice")
		}
	}
	return nil
}
