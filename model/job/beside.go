package job

import (
	"context"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/maps/derived"
	"blossom/model/space/transform"
)

// Beside is what stands beside columns that are made of the data, and the files that rows are parted into.
type Beside struct {
	WithData bool             `json:"with_data,omitempty"` // the columns of the data, before them
	Values   transform.Values `json:"values,omitempty"`    // scale of those columns; "": raw, which is noted
	// Append: the files of the data go on with what is made. Their columns are raw, coordinates follow, and the nearest
	// landmark and the populations of each row, where there are any.
	Append bool        `json:"append,omitempty"`
	Each   export.Each `json:"each,omitempty"` // output is a file for each of these, a folder of those of the inputs
}

// checkOutput says what is wrong with the wish, and whether tables can be written under the name of the output.
func (b Beside) checkOutput(path string) error {
	if b.Each == export.EachPopulation {
		return run.Usage{Err: problem.New("", "write them with blossom label",
			"labels alone are files of each population")}
	}
	return b.checkFiles(path)
}

// checkFiles is checkOutput where there are populations.
func (b Beside) checkFiles(path string) error {
	wrong := func(file, remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New(file, remedy, format, args...)}
	}
	if err := b.Each.Check(); err != nil {
		return run.Usage{Err: err}
	}
	folder := export.IsFolder(path)
	switch {
	case b.Each == "" && folder:
		return wrong(path, "give the name of a file, or ask for a file of each input (--split)", "is a folder")
	case b.Each != "" && (path == "" || path == "-"):
		return wrong("", "name them with -o: cells.csv for cells_T.csv, cells_B.csv; a folder with --split",
			"each %s has a file of its own (--each), and these have no name", b.Each)
	case folder, b.Each != "" && filepath.Ext(path) == "": // they are in the format of the data
	default:
		if err := knownTable(path); err != nil {
			return err
		}
	}
	switch {
	case b.Append && b.Values != "":
		return wrong("", "leave it out, or use with_data (--with-data)",
			"what is made is appended to the values as they are (--append)")
	case b.Values != "" && !b.WithData:
		return wrong("", "say with_data (--with-data) too, or leave it out",
			"values of the data are asked for, and none of its columns")
	}
	return run.Wrong(context.Background(), b.Values.Check())
}

// save writes a table that was made of points into the files of a name, with what is wanted beside it. What there is
// to say of that goes to each of notes.
func (b Beside) save(ctx context.Context, w *Work, path string, made *dataset.Dataset, p *run.Points,
	notes ...*[]string) (err error) {
	rows := &export.Rows{Data: p.Data, Each: b.Each, Made: made, Append: b.Append, Paint: w.paint}
	var said []string
	if b.Append && p.Data == w.table {
		if rows.Names, said, err = w.names(ctx); err != nil {
			return err
		}
	}
	more, err := b.write(ctx, w, rows, p, path)
	for _, to := range notes {
		*to = append(*to, append(said, more...)...)
	}
	return err
}

// write writes rows, with what stands before and beside what was made of the points, into files that are none of those
// that the job reads. It returns what there is to say.
func (b Beside) write(ctx context.Context, w *Work, rows *export.Rows, p *run.Points,
	path string) (said []string, err error) {
	if rows.Before, err = b.data(ctx, p, &said); err != nil {
		return nil, err
	}
	if b.Append && rows.Made != nil {
		if rows.Made, err = w.withNearest(ctx, rows.Made, p); err != nil {
			return nil, err
		}
	}
	if b.Each != "" { // else it is the output, which has been looked at
		paths, _ := rows.Paths(path)
		for _, path := range paths {
			if err := format.SameFile(path, w.Inputs()...); err != nil {
				return nil, err
			}
		}
	}
	lost, err := rows.Save(ctx, &w.Files, path, w.Options.Report.Stage("writing"))
	return append(said, lost...), err
}

// withNearest is a table of the points with the nearest landmark of each, where there are landmarks and it has none.
func (w *Work) withNearest(ctx context.Context, made *dataset.Dataset, p *run.Points) (*dataset.Dataset, error) {
	kind := derived.ByID("nearest")
	_, has := made.Places()[kind.ColumnName(p.Data, "")]
	if has || w.Landmarks == nil || w.Landmarks.Set.Codebook.Cols != p.Table.X.Cols {
		return made, nil
	}
	in := derived.Inputs{Data: p.Data, Table: p.Table, Landmarks: w.Landmarks.Set}
	c, err := kind.Column(ctx, in, w.Options.Report.Stage("nearest landmarks"))
	if err != nil {
		return nil, err
	}
	return export.WithDerived(made, c), nil
}

// names are the populations of the state, where it has some, with what there is to say of them.
func (w *Work) names(ctx context.Context) (*export.Names, []string, error) {
	if parts.Populations.Of(w.Parts).Len() == 0 {
		return nil, nil, nil
	}
	n, said := &Named{Partial: true}, w.Notes
	w.Notes = nil
	err := n.evaluate(ctx, w)
	notes := w.Notes
	w.Notes = said
	return &export.Names{Data: w.table, Tree: n.Tree, Labels: n.Made, Colour: w.Options.Colour}, notes, err
}

// data are the columns of the data that stand before others; nil: none do.
func (b Beside) data(ctx context.Context, p *run.Points, notes ...*[]string) (*dataset.Dataset, error) {
	if b.Append {
		return p.Data, nil
	}
	if !b.WithData {
		return nil, nil
	}
	data, err := p.As(ctx, b.Values)
	if err != nil {
		return nil, err
	}
	for _, c := range p.Cols {
		if b.Values == "" && p.Spec.Compensated(c) {
			for _, to := range notes {
				*to = append(*to, "the columns of the data are raw, and the map is of compensated values: "+
					"--values compensated writes those")
			}
			break
		}
	}
	return data, nil
}
