package live

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/maps/derived"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// ColumnInfo is a column as menus list it: one of the table, or one that can be made.
type ColumnInfo struct {
	Name      string // the key: of Map.Column, of looks, of recipes
	Title     string // the shortest name that people use
	Secondary string // the name in the file, where the title is another
	Label     bool   // its values are labels
	Derived   bool
	Help      string // a derived column's meaning
	// Kind and Of are of a column that can be made: the ID of its kind; the title of its embedding, "" for EmbedSOM or
	// none, or which of the columns of its kind it is.
	Kind, Of string
}

// columns are those beside the table's own: derived ones that have been asked for, and mixed ones.
type columns struct {
	list    []*made
	changes int // how often values of derived columns have changed
	frame   int // number of this Frame

	mixed []*dataset.Column // by the table's columns, of mixTable
	mixes *transform.Table

	sampled []*dataset.Column // values of mixed columns for the points of told, for Value
	told    *transform.Table
}

// made is a derived column.
type made struct {
	name  string
	kind  *derived.Kind
	which string          // which of the columns of its kind it is, where that makes many
	of    *embedding.Kind // whose positions it is made of; nil for those of EmbedSOM, or none
	asked int             // the number of the frame that last asked for it
	value *work.Value[madeKey, *dataset.Column]
}

// madeKey is what a derived column depends on.
type madeKey struct {
	derived.Key
	table *transform.Table // the table of embeddings that are computed for it
	at    *parts.Snapshot  // the state of embeddings that are kept as data
}

// Columns lists the columns that there are, the table's first, then those that can be made now.
func (m *Map) Columns() []ColumnInfo {
	var out []ColumnInfo
	for i := range m.Doc.Data.Columns {
		c := &m.Doc.Data.Columns[i]
		info := ColumnInfo{Name: c.Name, Title: c.Short(), Label: c.Categories != nil,
			Derived: c.Provenance == dataset.Derived}
		if info.Title != c.Name {
			info.Secondary = c.Name
		}
		out = append(out, info)
	}
	return append(out, m.Makeable()...)
}

// Makeable lists the columns that can be made now.
func (m *Map) Makeable() []ColumnInfo {
	var out []ColumnInfo
	titles := []string{""}
	for _, e := range m.list {
		if e.kind != nil && e.at.Err == nil && slices.Contains(embedding.Sources()[1:], e.kind.Title) &&
			!slices.Contains(titles, e.kind.Title) {
			titles = append(titles, e.kind.Title)
		}
	}
	for _, k := range derived.Registered() {
		if k.Needs&derived.NeedFiles != 0 {
			continue // it is among the table's
		}
		of := titles
		switch {
		case k.Prefix != "":
			of = m.named.samples.Sheet().Columns()
		case k.Needs&(derived.NeedPositions|derived.NeedDepth) == 0:
			of = titles[:1]
		}
		for _, title := range of {
			if k.Needs&derived.NeedDepth != 0 && m.depth(title) < 3 {
				continue
			}
			if l := m.named.labels(k, title); l != nil && !l.offered() {
				continue
			}
			name := k.ColumnName(m.Doc.Data, title)
			c := ColumnInfo{Name: name, Title: name, Label: k.Label, Derived: true, Help: k.Help, Kind: k.ID, Of: title}
			if k.Prefix != "" {
				s := m.named.samples.Sheet()
				c.Title, c.Secondary, c.Label = title, "of samples", !s.Measure(s.At(title))
			}
			out = append(out, c)
		}
	}
	return out
}

// depth returns the largest number of dimensions that an embedding of a title has here.
func (m *Map) depth(title string) (dims int) {
	for _, e := range m.list {
		if e == m.som && title == "" || e.kind != nil && e.kind.Title == title {
			dims = max(dims, e.Dims())
		}
	}
	return dims
}

// makes says whether there is a derived column of that name.
func (m *Map) makes(name string) bool {
	_, _, ok := derived.Named(m.Doc.Data, name, embedding.Sources())
	return ok
}

// Column returns a column by its name, the table's and derived ones alike, in the order of the rows, with the
// transform that it is shown with. A derived one is made when it is first asked for: it is nil, without an
// error, until it is there. While it is made anew, because the map has changed, it stays as it was. It is kept
// up to date as long as every frame asks for it.
func (m *Map) Column(name string) (*dataset.Column, transform.Column, error) {
	for i := range m.Doc.Data.Columns {
		if m.Doc.Data.Columns[i].Name == name {
			return m.made.own(m, i), m.table.Spec.Columns[i], nil
		}
	}
	d := m.made.find(m, name)
	if d == nil {
		return nil, transform.Column{}, problem.New(m.Doc.Data.Path, "choose another column",
			"there is no column %q", name)
	}
	d.asked = m.made.frame
	if l := m.named.labels(d.kind, d.which); l != nil && l.lack() != nil {
		return nil, transform.Column{}, l.lack()
	}
	if d.kind.Quick {
		d.tend(m)
	}
	if err := d.value.Err(); err != nil {
		return nil, transform.Column{}, err
	}
	column, _ := d.value.Now()
	return column, d.kind.Shown, nil
}

// own returns a column of the table as its transform takes it.
func (c *columns) own(m *Map, i int) *dataset.Column {
	if len(m.table.Spec.Mixes) == 0 {
		return &m.Doc.Data.Columns[i]
	}
	if c.mixes != m.table {
		c.mixes, c.mixed = m.table, make([]*dataset.Column, len(m.Doc.Data.Columns))
	}
	if c.mixed[i] == nil {
		c.mixed[i] = transform.Mixed(m.Doc.Data, m.table.Spec, i)
	}
	return c.mixed[i]
}

// Value returns the value that column i of the table has in a row as its transform takes it, after matrix ops such as
// compensation, and what to compare it with: the table's own values or, where matrix ops change
// them, a sample of some thousand.
func (m *Map) Value(i, row int) (x float64, among *dataset.Column) {
	among, changed := m.among(i)
	if !changed {
		return among.At(row), among
	}
	return transform.Sample(m.Doc.Data, m.table.Spec, i, []int32{int32(row)})[0], among
}

// among returns the values of column i of the table as its transform takes them: the table's own or, where matrix ops
// such as compensation change them, a sample of some thousand. It costs a moment whatever the size of the table.
func (m *Map) among(i int) (among *dataset.Column, changed bool) {
	own, spec := &m.Doc.Data.Columns[i], m.table.Spec
	if !slices.ContainsFunc(spec.Mixes, func(x transform.Mix) bool { return slices.Contains(x.Changed(), i) }) {
		return own, false
	}
	c := &m.made
	if c.told != m.table {
		c.told, c.sampled = m.table, make([]*dataset.Column, len(m.Doc.Data.Columns))
	}
	if c.sampled[i] == nil {
		s := []dataset.Column{{Name: own.Name, Label: own.Label}}
		s[0].SetExact(transform.Sample(m.Doc.Data, spec, i, nil))
		if _, err := dataset.FromColumns(context.Background(), own.Name, s); err != nil {
			return own, false
		}
		c.sampled[i] = &s[0]
	}
	return c.sampled[i], true
}

// find returns the derived column of a name, not yet made if it is new; nil if there is none.
func (c *columns) find(m *Map, name string) *made {
	for _, d := range c.list {
		if d.name == name {
			return d
		}
	}
	k, title, ok := derived.Named(m.Doc.Data, name, embedding.Sources())
	if !ok {
		return nil
	}
	d := &made{name: name, kind: k}
	if k.Prefix != "" {
		d.which, title = title, ""
	}
	d.value = work.Keep[madeKey, *dataset.Column](&m.Values, work.Policy{Title: "Column " + name, Silent: true,
		Remedy: "choose another column", Serve: func() { d.tend(m) }, Due: func() bool { return d.due(m) },
		Done: func() { m.made.changes++ }})
	for _, e := range embedding.Kinds() {
		if title != "" && e.Title == title {
			d.of = e
		}
	}
	c.list = append(c.list, d)
	return d
}

// ask asks for the columns that a recipe names, and says whether one is not there yet.
func (m *Map) ask(r embedding.Recipe) (wait bool, err error) {
	for _, name := range r.Columns {
		c, _, err := m.Column(name)
		if err != nil {
			return false, err
		}
		wait = wait || c == nil
	}
	return wait, nil
}

// inputs returns what an embedding is made from, with the columns that it names as they are now.
func (m *Map) inputs(r embedding.Recipe) embedding.Inputs {
	in := embedding.Inputs{Data: m.Doc.Data, Table: m.table, Caps: m.dev.caps, Engine: m.dev.engines.Another,
		Memory: format.AvailableMemory()}
	type found struct {
		column *dataset.Column
		shown  transform.Column
	}
	named := map[string]found{}
	for _, name := range r.Columns {
		if c, shown, err := m.Column(name); err == nil && c != nil {
			named[name] = found{c, shown}
		}
	}
	in.Column = func(name string) (*dataset.Column, transform.Column, bool) {
		f, ok := named[name]
		return f.column, f.shown, ok
	}
	return in
}

// wants says what a derived column should be made of now, and whether that is at rest.
func (d *made) wants(m *Map) (in derived.Inputs, key madeKey, ready bool) {
	s := m.Doc.State()
	in = derived.Inputs{Data: m.Doc.Data, Table: m.table}
	ready = true
	if d.kind.Needs&derived.NeedLandmarks != 0 {
		in.Landmarks, ready = parts.Landmarks.Of(s), m.still()
	}
	if d.kind.Needs&derived.NeedProjection != 0 {
		in.Projection = parts.Projection.Of(s)
	}
	if d.kind.Needs&(derived.NeedPositions|derived.NeedDepth) != 0 {
		p := &in.Positions
		switch {
		case d.of == nil:
			p.Dims, p.Rev, p.Marks = m.som.Dims(), m.som.at.Rev, parts.Landmarks.Of(s).Pos
			ready = ready && m.still() && !m.som.Busy()
		case d.of.Way == embedding.AtOnce:
			p.ID, p.Title, key.table = d.of.ID, d.of.Title, m.table
		default:
			p.ID, p.Title, key.at = d.of.ID, d.of.Title, parts.Snapshots.Of(s).Kind(d.of.ID)
			ready = ready && key.at != nil
		}
	}
	if l := m.named.labels(d.kind, d.which); l != nil {
		ready = l.put(&in) && ready
	}
	key.Key = d.kind.Key(in)
	return in, key, ready
}

// due says whether a column that is in use is not as it should be.
func (d *made) due(m *Map) bool {
	if d.asked < m.made.frame-1 {
		return false
	}
	_, key, ready := d.wants(m)
	return ready && d.value.Lacks(key)
}

// tend begins to make a column that is in use and not as it should be.
func (d *made) tend(m *Map) {
	if d.asked < m.made.frame-1 {
		return
	}
	if in, key, ready := d.wants(m); ready && d.value.Want(key) {
		d.make(m, in, key)
	}
}

// make begins to make the column of in.
func (d *made) make(m *Map, in derived.Inputs, key madeKey) {
	dims, cost := 2, work.Aside
	if d.kind.Needs&derived.NeedDepth != 0 {
		dims = 3
	}
	if d.kind.Quick {
		cost = 0
	}
	switch {
	case d.kind.Needs&(derived.NeedPositions|derived.NeedDepth) == 0:
	case d.of == nil:
		pos, ok := m.som.Positions()
		if !ok {
			return // on its way from the card
		}
		in.Positions.Pos = slices.Clone(pos) // the engine writes there again
	case key.at != nil:
		in.Positions.Dims, in.Positions.Pos = key.at.Recipe.Dims, key.at.InOrder(m.table.Order)
	}
	var from embedding.Inputs
	if key.table != nil {
		from = m.inputs(embedding.Recipe{})
	}
	d.value.Make(cost, func(ctx context.Context, report func(done, total int64)) (*dataset.Column, error) {
		if key.table != nil {
			p, err := d.of.Compute(ctx, from, embedding.Recipe{Kind: d.of.ID, Dims: dims}, nil)
			if err != nil {
				return nil, err
			}
			in.Positions.Dims, in.Positions.Pos, in.Positions.Rev = p.Dims, p.Pos, revision.Next()
		}
		column, err := d.kind.Column(ctx, in, report)
		return &column, err
	})
}
