package format

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// mostMarkers is how many columns of a matrix make a map; of more it is made of something else, see anndata.choose.
const mostMarkers = 512

// labelColumns are those of var that say what a column is called by people, the best first.
var labelColumns = []string{"feature_name", "gene_symbols", "gene_name", "marker", "antigen", "channel"}

// anndata is an annotated matrix: an h5ad file, or a part of an h5mu file.
type anndata struct {
	in       *h5Input
	o        *hdf5.Object
	obs      *h5Frame
	vars     *h5Frame
	uns      *hdf5.Object // may be nil
	matrices []string     // in the order in which they are taken, as --matrix calls them
	obsm     []string     // embeddings
	found    map[string]*h5Matrix
}

// isAnnData says whether a group has the parts of AnnData.
func isAnnData(o *hdf5.Object) (bool, error) {
	names, err := o.Names()
	return err == nil && slices.Contains(names, "obs") && slices.Contains(names, "var"), err
}

// openAnnData reads what describes the matrices.
func openAnnData(ctx context.Context, in *h5Input, o *hdf5.Object) (*anndata, error) {
	a := &anndata{in: in, o: o, found: map[string]*h5Matrix{}}
	uns, err := h5Child(o, "uns")
	if err != nil {
		in.warn(fmt.Sprintf("uns is left out: %s", problem.As(err).What))
	}
	frames := [2]*h5Frame{}
	for i, name := range []string{"obs", "var"} {
		f, err := h5Child(o, name)
		if err != nil {
			return nil, err
		}
		if f == nil {
			return nil, in.problem(copyAgain, "is AnnData without %s", name)
		}
		if frames[i], err = in.frame(ctx, name, f, uns); err != nil {
			return nil, err
		}
	}
	a.obs, a.vars, a.uns = frames[0], frames[1], uns
	return a, a.list(ctx)
}

// list finds the matrices and embeddings.
func (a *anndata) list(ctx context.Context) error {
	for _, name := range []string{"X", "raw"} {
		o, err := a.o.Path(map[string]string{"X": "X", "raw": "raw/X"}[name])
		if err := a.add(name, o, h5At(err, name)); err != nil {
			return err
		}
	}
	for _, group := range []string{"layers", "obsm"} {
		g, err := h5Child(a.o, group)
		if err != nil {
			return err
		}
		if g == nil {
			continue
		}
		if !g.IsGroup() { // before AnnData 0.7 obsm was rows of fields
			held, err := a.in.heldMatrices(ctx, strings.TrimSuffix(group, "s")+":", g)
			if err != nil {
				return h5At(err, group)
			}
			for _, m := range held {
				a.take(m.name, m)
			}
			continue
		}
		names, err := g.Names()
		if err != nil {
			return h5At(err, group)
		}
		for _, name := range names {
			o, err := h5Child(g, name)
			if err := a.add(strings.TrimSuffix(group, "s")+":"+name, o, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// add takes a matrix, or what is wrong with it: an error of another than that which is wanted is a warning.
func (a *anndata) add(name string, o *hdf5.Object, err error) error {
	if o == nil && err == nil {
		return nil
	}
	var m *h5Matrix
	if err == nil {
		m, err = a.in.matrix(name, o)
	}
	if err != nil {
		if _, ok := err.(*problem.Problem); !ok || name == cmp.Or(a.in.o.Reading.Matrix, "X") {
			return err
		}
		a.in.warn(fmt.Sprintf("%s is left out: %s", name, problem.As(err).What))
		return nil
	}
	if m == nil {
		if kind := h5Attribute(o, "encoding-type"); kind != "null" {
			a.in.warn(fmt.Sprintf("%s is left out: it is no matrix of numbers", name))
		}
		return nil
	}
	a.take(name, m)
	return nil
}

// take notes a matrix.
func (a *anndata) take(name string, m *h5Matrix) {
	a.found[name] = m
	if embedding, ok := strings.CutPrefix(name, "obsm:"); ok {
		a.obsm = append(a.obsm, embedding)
	} else {
		a.matrices = append(a.matrices, name)
	}
}

// h5Plan is what becomes columns.
type h5Plan struct {
	matrix *h5Matrix // the columns are its own
	names  []string  // all its columns are called so
	labels []string  // the same; nil: none
	cols   []int     // which are the markers
	asked  []int     // the same in the order in which they were asked for; nil: that of cols
	genes  *h5Plan   // columns of another matrix that colour alone; nil: none
}

// choose says what the map is made of.
func (a *anndata) choose(ctx context.Context) (*h5Plan, error) {
	want, asked := a.in.o.Reading.Matrix, true
	if want == "" {
		want, asked = a.usual(), false
	}
	if want == "" || len(a.found) == 0 {
		return nil, a.in.problem("write X, raw, a layer, or an embedding of more than 3 columns into it",
			"has %s cells and %s names, and nothing that was measured", thousands(a.obs.rows), thousands(a.vars.rows))
	}
	m := a.found[want]
	if m == nil {
		return nil, a.in.problem("use "+problem.OneOf(a.all()...), "has no matrix %s", want)
	}
	p, err := a.named(ctx, m)
	if err != nil {
		return nil, err
	}
	p.cols = upTo(m.cols)
	if strings.HasPrefix(want, "obsm:") && len(a.matrices) > 0 { // the genes still colour
		if q, err := a.named(ctx, a.found[a.matrices[0]]); err == nil {
			return p, a.in.genes(p, q)
		}
	}
	if asked || m.cols <= mostMarkers || strings.HasPrefix(want, "obsm:") {
		return p, a.in.genes(p, p)
	}
	if e := a.embedding(); e != nil {
		a.in.warn(fmt.Sprintf("%s has %s columns, too many for a map: it is made of %s (%d columns)", want,
			thousands(m.cols), e.name, e.cols))
		q, err := a.named(ctx, e)
		if err != nil {
			return nil, err
		}
		q.cols = upTo(e.cols)
		return q, a.in.genes(q, p)
	}
	if cols := a.variable(ctx, m); len(cols) > 0 {
		a.in.warn(fmt.Sprintf("%s has %s columns, too many for a map: it is made of the %s that are highly variable",
			want, thousands(m.cols), thousands(int64(len(cols)))))
		p.cols = cols
		return p, a.in.genes(p, p)
	}
	return p, a.in.unchosen(ctx, p)
}

// unchosen is what becomes of a matrix that is too wide for a map where nothing says what to take: a dense one is taken
// as a whole, a sparse one is not made dense.
func (in *h5Input) unchosen(ctx context.Context, p *h5Plan) error {
	m := p.matrix
	if m.sparse == nil && !m.turned {
		in.warn(fmt.Sprintf("%s has %s columns, and neither a PCA nor a choice of genes: all make the map", m.name,
			thousands(m.cols)))
		return in.genes(p, p)
	}
	in.warn(fmt.Sprintf("%s has %s columns, too many for a map: it is made of the %d of the greatest variance", m.name,
		thousands(m.cols), mostMarkers))
	var err error
	if m.turned {
		p.cols, err = m.variedLines(ctx, mostMarkers)
	} else {
		p.cols, err = m.sparse.varied(ctx, in, mostMarkers)
	}
	if err != nil {
		return err
	}
	return in.genes(p, p)
}

// usual is the matrix that is taken where nobody says which.
func (a *anndata) usual() string {
	if len(a.matrices) > 0 {
		if a.matrices[0] != "X" {
			a.in.warn("there is no X: " + a.matrices[0] + " was read")
		}
		return a.matrices[0]
	}
	for _, least := range []int64{4, 1} { // coordinates of another map are better than nothing
		for _, name := range a.obsm {
			if a.found["obsm:"+name].cols >= least {
				a.in.warn("there is no X: obsm:" + name + " was read")
				return "obsm:" + name
			}
		}
	}
	return ""
}

// all are the matrices as --matrix calls them.
func (a *anndata) all() []string {
	out := slices.Clone(a.matrices)
	for _, name := range a.obsm {
		out = append(out, "obsm:"+name)
	}
	return out
}

// embedding is what stands for a matrix that is too wide: the PCA, else the first of 4 to 512 columns.
func (a *anndata) embedding() *h5Matrix {
	if m := a.found["obsm:X_pca"]; m != nil && m.cols <= mostMarkers && m.rows == a.obs.rows {
		return m
	}
	for _, name := range a.obsm {
		if m := a.found["obsm:"+name]; m.cols >= 4 && m.cols <= mostMarkers && m.rows == a.obs.rows {
			return m
		}
	}
	return nil
}

// variable are the columns that var says are highly variable.
func (a *anndata) variable(ctx context.Context, m *h5Matrix) (cols []int) {
	if m.cols != a.vars.rows || !slices.Contains(a.vars.order, "highly_variable") {
		return nil
	}
	s, _, err := a.vars.series(ctx, "highly_variable")
	if err != nil || s == nil || s.labels == nil {
		return nil
	}
	for i, v := range s.labels {
		if v == v && s.categories[int(v)] == "True" {
			cols = append(cols, i)
		}
	}
	return cols
}

func upTo(n int64) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// named gives the columns of a matrix their names, after its shape was checked.
func (a *anndata) named(ctx context.Context, m *h5Matrix) (*h5Plan, error) {
	p := &h5Plan{matrix: m}
	embedding, is := strings.CutPrefix(m.name, "obsm:")
	frame := a.vars
	if m.name == "raw" {
		o, err := a.o.Path("raw/var")
		if err != nil {
			return nil, h5At(err, "raw/var")
		}
		if o == nil {
			return nil, a.in.problem(copyAgain, "has a raw matrix without names (raw/var)")
		}
		if frame, err = a.in.frame(ctx, "raw/var", o, nil); err != nil {
			return nil, err
		}
	}
	if is {
		if err := m.fits(ctx, a.in, a.obs.rows, -1); err != nil {
			return nil, err
		}
		if m.cols > maxColumns {
			return nil, a.in.o.guard(a.in.path, m.rows, m.cols)
		}
		for k := range m.cols {
			p.names = append(p.names, fmt.Sprintf("%s%d", strings.TrimPrefix(embedding, "X_"), k+1))
		}
		return p, nil
	}
	if err := m.fits(ctx, a.in, a.obs.rows, frame.rows); err != nil {
		return nil, err
	}
	var err error
	if p.names, err = frame.names(ctx); err != nil {
		return nil, err
	}
	a.in.warn(uniqueNames(p.names)...)
	p.labels, err = frame.labels(ctx)
	return p, err
}

// labels are what people call the columns; nil: nobody has said.
func (f *h5Frame) labels(ctx context.Context) ([]string, error) {
	for _, name := range labelColumns {
		if !slices.Contains(f.order, name) {
			continue
		}
		s, _, err := f.series(ctx, name)
		if err != nil {
			return nil, err
		}
		if s != nil && s.labels != nil {
			return s.text(), nil
		}
	}
	return nil, nil
}

// besides are the columns of a matrix that are neither among the markers of p nor among cols.
func (from *h5Plan) besides(p *h5Plan, cols []int) (out []dataset.Unread) {
	read := make([]bool, len(from.names))
	if from == p {
		cols = append(slices.Clip(cols), p.cols...)
	}
	for _, at := range cols {
		read[at] = true
	}
	for at, name := range from.names {
		if read[at] {
			continue
		}
		u := dataset.Unread{Name: name}
		if from.labels != nil && from.labels[at] != name {
			u.Label = from.labels[at]
		}
		out = append(out, u)
	}
	return out
}

// genes adds the columns of the matrix of from that were asked for and are no markers of p.
func (in *h5Input) genes(p, from *h5Plan) error {
	var cols []int
	wanted := &in.o.Reading.Genes
	*wanted = slices.Clone(*wanted)
	for _, name := range slices.Concat(in.o.Wanted, in.o.Coloured) {
		taken := slices.IndexFunc(p.cols, func(c int) bool { return p.names[c] == name }) >= 0
		there := slices.Contains(from.names, name) || slices.Contains(from.labels, name)
		if !taken && there && !slices.Contains(*wanted, name) {
			*wanted = append(*wanted, name)
		}
	}
	for _, name := range *wanted {
		at := slices.Index(from.names, name)
		if at < 0 {
			at = slices.Index(from.labels, name)
		}
		if at < 0 {
			return in.problem("check its spelling; var has the names", "%s has no column %q", from.matrix.name, name)
		}
		if (from != p || !slices.Contains(p.cols, at)) && !slices.Contains(cols, at) {
			cols = append(cols, at)
		}
	}
	in.unread = from.besides(p, cols)
	if len(cols) > 0 {
		p.genes = &h5Plan{matrix: from.matrix, names: from.names, labels: from.labels, asked: slices.Clone(cols),
			cols: cols}
		slices.Sort(cols)
	}
	return nil
}
