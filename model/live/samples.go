package live

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/maps/derived"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// Samples is the sheet of the samples, and the columns that are made of it.
type Samples struct {
	m      *Map
	labels map[string]*derived.Labels // by columns of the sheet
	names  map[string]string          // names of the derived columns, by those of the sheet
	rev    revision.Revision          // the sheet, and the data, that these are of
	data   revision.Revision
}

// Samples returns the samples that populations are counted in.
func (p *Populations) Samples() *Samples { return &p.m.named.samples }

// Sheet is the sheet as the document has it.
func (s *Samples) Sheet() sheet.Sheet { return parts.Samples.Of(s.m.Doc.State()) }

// Rev changes with the sheet.
func (s *Samples) Rev() revision.Revision { return parts.Samples.Rev(s.m.Doc.State()) }

// Column is the name of the derived column that is made of one of the sheet.
func (s *Samples) Column(of string) string {
	s.fresh()
	name, known := s.names[of]
	if !known {
		name = derived.ByID("sheet").ColumnName(s.m.Doc.Data, of)
		s.names[of] = name
	}
	return name
}

// fresh forgets what is of another sheet or of other data.
func (s *Samples) fresh() {
	if now, data := s.Rev(), s.m.Doc.Data.Rev; s.labels == nil || s.rev != now || s.data != data {
		s.labels, s.names, s.rev, s.data = map[string]*derived.Labels{}, map[string]string{}, now, data
	}
}

// of returns the labels of a column of the sheet, nil where there is none.
func (s *Samples) of(column string) *derived.Labels {
	s.fresh()
	l, known := s.labels[column]
	if !known {
		l = derived.OfSheet(s.Sheet(), s.m.Doc.Data, column)
		s.labels[column] = l
	}
	return l
}

// ofSheet is a column of the sheet as labels.
type ofSheet struct {
	*Samples
	column string
}

func (s ofSheet) lack() error {
	if s.Sheet().At(s.column) >= 0 {
		return nil
	}
	return problem.New("", "add it in the Samples panel, or choose another column",
		"the sheet of samples has no column %q", s.column)
}

func (s ofSheet) offered() bool { return s.lack() == nil }

func (s ofSheet) put(in *derived.Inputs) bool {
	in.Of, in.Sheet = s.column, s.of(s.column)
	return in.Sheet != nil
}

// Contrasts are two groups of points whose densities are compared.
type Contrasts struct {
	m     *Map
	value *work.Value[contrastKey, *derived.Contrast]

	pair       parts.GroupPair // see Pair
	of         pairKey
	can, known bool
	gone       string        // a group of the pair that its column has no more, "": none
	kind       *derived.Kind // the kind of its column, whose labels come and go; nil: it is of the table
	which      string
}

// pairKey is what the groups that are compared depend on.
type pairKey struct{ contrast, sheet, data revision.Revision }

// contrastKey is what they depend on.
type contrastKey struct {
	pair            parts.GroupPair
	column, samples revision.Revision
}

// Contrast returns the two groups that are compared.
func (p *Populations) Contrast() *Contrasts { return &p.m.named.contrast }

// Columns are the names of the columns whose labels can be groups: those of the sheet, then those of the table.
func (c *Contrasts) Columns() (names []string) {
	samples := &c.m.named.samples
	for i, name := range samples.Sheet().Columns() {
		if !samples.Sheet().Measure(i) {
			names = append(names, samples.Column(name))
		}
	}
	for i := range c.m.Doc.Data.Columns {
		if x := &c.m.Doc.Data.Columns[i]; len(x.Categories) > 1 && len(x.Categories) <= mostGroups {
			names = append(names, x.Name)
		}
	}
	return names
}

// mostGroups is how many labels a column may have of which two are compared.
const mostGroups = 2000

// Groups are the labels of a column; nil: it is not there.
func (c *Contrasts) Groups(column string) []string {
	x, _, err := c.m.Column(column)
	if err != nil || x == nil {
		return nil
	}
	return x.Categories
}

// Pair is the two groups that are compared: those that the document names, where they are there, else the first two of
// the first column of the sheet that has two, or the first two files. ok is false where there are none. Asking in each
// frame costs little.
func (c *Contrasts) Pair() (p parts.GroupPair, ok bool) {
	s := c.m.Doc.State()
	at := pairKey{parts.Contrast.Rev(s), parts.Samples.Rev(s), c.m.Doc.Data.Rev}
	if c.of != at || !c.known {
		c.gone = ""
		c.pair, c.can = c.find(parts.Contrast.Of(s))
		c.of, c.known = at, true
	}
	return c.pair, c.can && (c.kind == nil || c.m.named.labels(c.kind, c.which).lack() == nil)
}

// find is Pair of what the document names.
func (c *Contrasts) find(p parts.GroupPair) (parts.GroupPair, bool) {
	data := c.m.Doc.Data
	if c.kind = nil; p.Column != "" {
		for i := range data.Columns {
			if x := &data.Columns[i]; x.Name == p.Column {
				c.gone = p.Lacks(x.Categories)
				return p, x.Categories != nil
			}
		}
		k, of, made := derived.Named(data, p.Column, embedding.Sources())
		if !made || !k.Label || c.m.named.labels(k, of) == nil { // numbers, as the difference itself, are no groups
			return p, false
		}
		if c.kind, c.which = k, of; k.Needs&derived.NeedSheet != 0 {
			if l := c.m.named.samples.of(of); l != nil {
				c.gone = p.Lacks(l.Names)
			}
		}
		return p, true
	}
	samples := &c.m.named.samples
	for _, name := range samples.Sheet().Columns() {
		if l := samples.of(name); l != nil && len(l.Names) > 1 {
			return parts.GroupPair{Column: samples.Column(name), A: l.Names[0], B: l.Names[1]}, true
		}
	}
	if of := data.Origin(); of != nil && len(of.Categories) > 1 {
		return parts.GroupPair{Column: of.Name, A: of.Categories[0], B: of.Categories[1]}, true
	}
	return p, false
}

// Can says whether there is a column of groups to compare. One that is chosen may be gone from it, which is mended by
// choosing another.
func (c *Contrasts) Can() bool {
	_, ok := c.Pair()
	return ok
}

func (c *Contrasts) offered() bool { return c.Can() }

func (c *Contrasts) lack() error {
	if p, ok := c.Pair(); ok {
		if c.gone == "" {
			return nil
		}
		return problem.New("", "choose another group in the Colour panel", "%s has no group %q to compare", p.Column,
			c.gone)
	}
	return problem.New("", "open several files together, or name groups in the Samples panel",
		"there are no two groups of points to compare")
}

func (c *Contrasts) put(in *derived.Inputs) bool {
	p, ok := c.Pair()
	if !ok {
		return false
	}
	x, _, err := c.m.Column(p.Column)
	if err != nil || x == nil {
		return false
	}
	samples, of := c.m.named.samples.Sheet().Of(c.m.Doc.Data)
	key := contrastKey{pair: p, column: x.Rev}
	if of != nil {
		key.samples = of.Rev
	}
	if c.value.Want(key) {
		c.value.Make(0, func(context.Context, func(done, total int64)) (*derived.Contrast, error) {
			return contrastOf(p, x, of, len(samples)), nil
		})
	}
	in.Contrast, _ = c.value.Now()
	return in.Contrast != nil
}

// contrastOf says which rows are in the groups, and of which sample; of is nil where all are one sample.
func contrastOf(p parts.GroupPair, by, of *dataset.Column, samples int) *derived.Contrast {
	n := len(by.Values)
	out := &derived.Contrast{A: p.A, B: p.B, Group: make([]int8, n), Sample: make([]int32, n), Samples: samples,
		Rev: revision.Next()}
	group := make([]int8, len(by.Categories))
	for i, name := range by.Categories {
		switch name {
		case p.A:
			group[i] = 0
		case p.B:
			group[i] = 1
		default:
			group[i] = -1
		}
	}
	for row, x := range by.Values {
		if out.Group[row] = -1; x >= 0 && int(x) < len(group) {
			out.Group[row] = group[int(x)]
		}
		if of == nil {
			continue
		}
		if out.Sample[row] = -1; of.Values[row] >= 0 {
			out.Sample[row] = int32(of.Values[row])
		}
	}
	return out
}

// begin makes the values.
func (n *named) beginSamples(m *Map) {
	n.samples.m, n.contrast.m = m, m
	n.contrast.value = work.Keep[contrastKey, *derived.Contrast](&m.Values, work.Policy{Title: "Groups compared",
		Quiet: true, Remedy: "choose others"})
}
