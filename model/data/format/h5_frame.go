package format

import (
	"context"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"blossom/model/data/encoding/hdf5"
)

// h5Frame is a data frame of AnnData: obs or var. It is a group of columns or, before AnnData 0.7, a compound dataset.
type h5Frame struct {
	name   string // obs, var
	in     *h5Input
	o      *hdf5.Object
	uns    *hdf5.Object // where old files keep the names of categories; may be nil
	index  string       // which column is the index
	order  []string     // the others
	rows   int64
	part   *picked // a range of them, which alone is read; nil: all are
	raw    []byte  // the rows of a compound
	fields *hdf5.Type
	differ int // about how many texts of the column that is read differ; 0: few
}

// h5Series is a column of a frame, with a value for each row.
type h5Series struct {
	numbers    []float64 // NaN where missing; nil: labels
	labels     []float32 // numbers of categories, NaN where missing
	categories []string
	wide       bool // numbers are of more than 24 bits
}

// frame describes a data frame.
func (in *h5Input) frame(ctx context.Context, name string, o, uns *hdf5.Object) (*h5Frame, error) {
	f := &h5Frame{name: name, in: in, o: o, uns: uns}
	if o.IsDataset() {
		return f, f.compound(ctx)
	}
	a, err := o.Attribute("column-order")
	if err != nil {
		return nil, h5At(err, name)
	}
	names, err := o.Names()
	if err != nil {
		return nil, h5At(err, name)
	}
	if f.index = h5Attribute(o, "_index"); f.index == "" {
		for _, usual := range []string{"_index", "index"} {
			if f.index == "" && slices.Contains(names, usual) {
				f.index = usual
			}
		}
	}
	if a != nil && a.Type.IsText() {
		if f.order, err = a.Texts(); err != nil {
			return nil, h5At(err, name)
		}
	} else if a == nil {
		f.order = slices.DeleteFunc(slices.Clone(names),
			func(n string) bool { return n == f.index || n == "__categories" })
	}
	index, err := h5Child(o, f.index)
	if err != nil {
		return nil, h5At(err, name)
	}
	if f.index == "" || index == nil {
		return nil, in.problem(copyAgain, "%s has no index, which names its rows", name)
	}
	f.rows, err = f.length(index)
	return f, h5At(err, name+"/"+f.index)
}

// length is how many rows a column has.
func (f *h5Frame) length(o *hdf5.Object) (int64, error) {
	for _, part := range []string{"values", "codes"} {
		if o.IsDataset() {
			break
		}
		c, err := o.Child(part)
		if err != nil {
			return 0, err
		}
		if c != nil {
			o = c
		}
	}
	if !o.IsDataset() {
		return 0, f.in.problem(copyAgain, "is no column")
	}
	d, err := o.Dataset()
	if err != nil {
		return 0, err
	}
	if len(d.Shape) != 1 {
		return 0, f.in.problem(copyAgain, "is no column")
	}
	return d.Shape[0], nil
}

// compound reads a frame that is rows of fields, of which the first is the index.
func (f *h5Frame) compound(ctx context.Context) error {
	d, err := f.o.Dataset()
	if err != nil {
		return h5At(err, f.name)
	}
	if d.Type.Class != hdf5.Compound || len(d.Shape) != 1 || len(d.Type.Members) == 0 {
		return f.in.problem(copyAgain, "%s is no table", f.name)
	}
	if f.raw, err = d.Raw(ctx); err != nil {
		return h5At(err, f.name)
	}
	f.fields, f.rows = d.Type, d.Shape[0]
	for i, m := range d.Type.Members {
		if i == 0 {
			f.index = m.Name
		} else {
			f.order = append(f.order, m.Name)
		}
	}
	return nil
}

// series reads a column; nil with the reason in words where it is of a kind that is not read.
func (f *h5Frame) series(ctx context.Context, name string) (s *h5Series, why string, err error) {
	if f.fields != nil {
		s, why, err = f.field(ctx, name)
	} else {
		var o *hdf5.Object
		if o, err = f.o.Path(name); err == nil {
			if o == nil {
				return nil, "it is not there", nil
			}
			s, why, err = f.column(ctx, name, o)
		}
	}
	if err != nil || s == nil {
		return nil, why, h5At(err, f.name+"/"+name)
	}
	if n := max(len(s.numbers), len(s.labels)); int64(n) != f.picked().n {
		return nil, "", f.in.problem(copyAgain, "%s/%s has %s values, the table has %s rows", f.name, name,
			thousands(int64(n)), thousands(f.picked().n))
	}
	return s, "", nil
}

// field takes a field of a compound out of its rows.
func (f *h5Frame) field(ctx context.Context, name string) (*h5Series, string, error) {
	at := slices.IndexFunc(f.fields.Members, func(m hdf5.Member) bool { return m.Name == name })
	if at < 0 {
		return nil, "it is not there", nil
	}
	m := f.fields.Members[at]
	rows := f.picked()
	raw := make([]byte, 0, int(rows.n)*m.Type.Size)
	for i := range int(rows.n) {
		raw = append(raw, f.raw[int(rows.row(i))*f.fields.Size+m.At:][:m.Type.Size]...)
	}
	s, why, err := f.plain(m.Type, raw)
	if err != nil || s == nil || f.uns == nil || s.numbers == nil {
		return s, why, err
	}
	names, err := f.uns.Child(name + "_categories")
	if err != nil || names == nil {
		return s, "", err
	}
	categories, err := f.texts(ctx, names)
	if err != nil {
		return nil, "", err
	}
	s, err = f.coded(s.numbers, categories)
	return s, "", err
}

// column reads a column that is an object of its own.
func (f *h5Frame) column(ctx context.Context, name string, o *hdf5.Object) (*h5Series, string, error) {
	if o.IsGroup() {
		return f.encoded(ctx, o)
	}
	d, err := o.Dataset()
	if err != nil {
		return nil, "", err
	}
	if len(d.Shape) != 1 {
		return nil, "it has more than one value in a row", nil
	}
	if d.Shape[0] != f.rows {
		return nil, "", f.in.problem(copyAgain, "has %s values, the table has %s rows", thousands(d.Shape[0]),
			thousands(f.rows))
	}
	raw, err := f.values(ctx, d)
	if err != nil {
		return nil, "", err
	}
	s, why, err := f.plain(d.Type, raw)
	if err != nil || s == nil || s.numbers == nil {
		return s, why, err
	}
	a, err := o.Attribute("categories") // as AnnData 0.7 to 0.8 refers to them
	if err != nil || a == nil || a.Type.Class != hdf5.Reference {
		return s, "", err
	}
	names, err := a.Object()
	if err != nil {
		return nil, "", err
	}
	categories, err := f.texts(ctx, names)
	if err != nil {
		return nil, "", err
	}
	s, err = f.coded(s.numbers, categories)
	return s, "", err
}

// plain makes a column of values as they are.
func (f *h5Frame) plain(t *hdf5.Type, raw []byte) (*h5Series, string, error) {
	switch {
	case t.IsText():
		texts, err := f.in.file.Texts(t, raw)
		if err != nil {
			return nil, "", err
		}
		return textSeries(texts, f.differ), "", nil
	case t.Bool() && t.Number():
		numbers, err := t.Floats(raw)
		if err != nil {
			return nil, "", err
		}
		return truthSeries(numbers), "", nil
	case t.Number():
		numbers, err := t.Floats(raw)
		return &h5Series{numbers: numbers, wide: t.Size > 4 || t.Class == hdf5.Integer && t.Size > 3}, "", err
	}
	return nil, "its type is " + t.String(), nil
}

// textSeries makes labels of texts, in the order in which they appear, of which about so many differ.
func textSeries(texts []string, differ int) *h5Series {
	index := newTextIndex(differ)
	s := &h5Series{labels: make([]float32, len(texts))}
	for i, text := range texts {
		if !utf8.ValidString(text) {
			text = decodeText([]byte(text))
		}
		if k := index.number(text, maxLabels); k >= 0 {
			s.labels[i] = float32(k)
		} else {
			s.labels[i] = nan32
		}
	}
	s.categories = index.names
	return s
}

// truthSeries makes labels of truth values.
func truthSeries(numbers []float64) *h5Series {
	s := &h5Series{labels: make([]float32, len(numbers)), categories: []string{"False", "True"}}
	for i, x := range numbers {
		switch {
		case x != x:
			s.labels[i] = nan32
		case x != 0:
			s.labels[i] = 1
		}
	}
	return s
}

// coded makes labels of numbers of categories, where -1 is none.
func (f *h5Frame) coded(codes []float64, categories []string) (*h5Series, error) {
	s := &h5Series{labels: make([]float32, len(codes)), categories: slices.Clone(categories)}
	if len(categories) > maxLabels {
		return nil, f.in.problem("merge some of them", "has %s categories", thousands(int64(len(categories))))
	}
	uniqueNames(s.categories)
	for i, c := range codes {
		switch {
		case c == -1:
			s.labels[i] = nan32
		case index(c, int64(len(categories))) < 0:
			return nil, f.in.problem(copyAgain, "has the category number %v of %d", c, len(categories))
		default:
			s.labels[i] = float32(c)
		}
	}
	return s, nil
}

// encoded reads a column that is a group: a categorical, or values with a mask of those that are missing.
func (f *h5Frame) encoded(ctx context.Context, o *hdf5.Object) (*h5Series, string, error) {
	kind := h5Attribute(o, "encoding-type")
	parts := map[string]*hdf5.Object{}
	for _, name := range []string{"codes", "categories", "values", "mask"} {
		c, err := o.Child(name)
		if err != nil {
			return nil, "", err
		}
		if c != nil {
			parts[name] = c
		}
	}
	switch kind {
	case "categorical":
		if parts["codes"] == nil || parts["categories"] == nil || !parts["codes"].IsDataset() {
			return nil, "", f.in.problem(copyAgain, "is a categorical without codes or categories")
		}
		codes, err := f.numbers(ctx, parts["codes"])
		if err != nil {
			return nil, "", err
		}
		categories, err := f.texts(ctx, parts["categories"])
		if err != nil {
			return nil, "", err
		}
		s, err := f.coded(codes, categories)
		return s, "", err
	case "nullable-integer", "nullable-boolean", "nullable-string-array":
		if parts["values"] == nil || parts["mask"] == nil || !parts["values"].IsDataset() {
			return nil, "", f.in.problem(copyAgain, "has no values or no mask")
		}
		s, why, err := f.column(ctx, "", parts["values"])
		if err != nil || s == nil {
			return s, why, err
		}
		mask, err := f.numbers(ctx, parts["mask"])
		if err != nil {
			return nil, "", err
		}
		if kind == "nullable-boolean" && s.numbers != nil {
			s = truthSeries(s.numbers)
		}
		return s, "", s.mask(f, mask)
	}
	if kind == "" {
		return nil, "it is a group", nil
	}
	return nil, "its encoding is " + strconv.Quote(kind), nil
}

// mask takes away values that are missing.
func (s *h5Series) mask(f *h5Frame, mask []float64) error {
	if len(mask) != max(len(s.numbers), len(s.labels)) {
		return f.in.problem(copyAgain, "has a mask of %d values", len(mask))
	}
	for i, m := range mask {
		if m == 0 {
			continue
		}
		if s.numbers != nil {
			s.numbers[i] = math.NaN()
		} else {
			s.labels[i] = nan32
		}
	}
	return nil
}

// numbers reads as many numbers as the frame has rows.
func (f *h5Frame) numbers(ctx context.Context, o *hdf5.Object) ([]float64, error) {
	if !o.IsDataset() {
		return nil, f.in.problem(copyAgain, "holds no values where values belong")
	}
	d, err := o.Dataset()
	if err != nil {
		return nil, err
	}
	if len(d.Shape) != 1 || d.Shape[0] != f.rows {
		return nil, f.in.problem(copyAgain, "has %s values, the table has %s rows", thousands(d.Count()),
			thousands(f.rows))
	}
	raw, err := f.values(ctx, d)
	if err != nil {
		return nil, err
	}
	return d.Type.Floats(raw)
}

// picked are the rows that are read.
func (f *h5Frame) picked() picked {
	if f.part != nil {
		return *f.part
	}
	return picked{n: f.rows}
}

// values are those of the rows that are read, of a dataset with one for each row.
func (f *h5Frame) values(ctx context.Context, d *hdf5.Dataset) ([]byte, error) {
	if f.part != nil {
		return d.Slice(ctx, f.part.from, f.part.from+f.part.n)
	}
	return d.Raw(ctx)
}

// texts reads all of a dataset as texts: also numbers, and texts with a mask.
func (f *h5Frame) texts(ctx context.Context, o *hdf5.Object) ([]string, error) {
	if o.IsGroup() {
		values, err := o.Child("values")
		if err != nil {
			return nil, err
		}
		if values == nil || values.IsGroup() {
			return nil, f.in.problem(copyAgain, "has no texts where texts belong")
		}
		return f.texts(ctx, values)
	}
	d, err := o.Dataset()
	if err != nil {
		return nil, err
	}
	if d.Type.IsText() {
		return o.Texts(ctx)
	}
	numbers, err := o.Floats(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(numbers))
	for i, x := range numbers {
		if out[i] = strconv.FormatFloat(x, 'g', -1, 64); d.Type.Bool() {
			out[i] = []string{"False", "True"}[int(min(1, max(0, x)))]
		}
	}
	return out, nil
}

// named are the texts of the index, as labels.
func (f *h5Frame) named(ctx context.Context) (*h5Series, error) {
	f.differ = int(min(f.picked().n, 1<<20))
	s, why, err := f.series(ctx, f.index)
	f.differ = 0
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return nil, f.in.problem(copyAgain, "%s has no index, which names its rows (%s)", f.name, why)
	case s.numbers != nil:
		return textSeries(s.text(), 0), nil
	}
	return s, nil
}

// names are the texts of the index.
func (f *h5Frame) names(ctx context.Context) ([]string, error) {
	s, err := f.named(ctx)
	if err != nil {
		return nil, err
	}
	return s.text(), nil
}

// text is each value as a text, "" where it is missing.
func (s *h5Series) text() []string {
	out := make([]string, max(len(s.numbers), len(s.labels)))
	for i := range out {
		switch {
		case s.numbers != nil && s.numbers[i] == s.numbers[i]:
			out[i] = strconv.FormatFloat(s.numbers[i], 'g', -1, 64)
		case s.numbers == nil && s.labels[i] == s.labels[i]:
			out[i] = s.categories[int(s.labels[i])]
		}
	}
	return out
}
