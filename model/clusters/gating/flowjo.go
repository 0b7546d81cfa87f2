package gating

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/data/spillover"
	"blossom/model/space/transform"
)

// workspace reads the gates that a workspace of FlowJo 10 has for the sample, or the samples, that a table is of. Gates
// are in raw units there; the edges of polygons are straight on the scales of their columns. Columns called Comp-NAME
// are compensated with the matrix of the sample. Samples of one table may differ in their matrices alone.
func workspace(root *xmlfile.Element, ds *dataset.Dataset) (*Strategy, error) {
	var all []named
	for e := range root.All("Sample") {
		all = append(all, namesOf(e))
	}
	var of []*Strategy
	for f, names := range filesOf(ds) {
		s, err := ofFile(all, names, ds, f)
		if err != nil {
			return nil, err
		}
		of = append(of, s.in(ds, f))
	}
	return together(ds, of)
}

// named is what a file of the data, or a sample of a workspace, is called: as a file, as the workspace or the table has
// it, and as the file says itself in $FIL; "" where there is no such name.
type named struct {
	file, title, fil string
	sample           *xmlfile.Element
}

// says is the name to speak of.
func (n named) says() string { return cmp.Or(n.file, n.title, n.fil) }

// ranks are the pairs of names of a file and of a sample that may be the same, the surest first: files are copied under
// other names, and then say in $FIL what they were called, which may be the name of another by now.
var ranks = []func(file, sample named) (a, b string){
	func(f, s named) (a, b string) { return f.file, s.file },
	func(f, s named) (a, b string) { return f.file, s.title },
	func(f, s named) (a, b string) { return f.title, s.file },
	func(f, s named) (a, b string) { return f.title, s.title },
	func(f, s named) (a, b string) { return f.fil, s.fil },
	func(f, s named) (a, b string) { return f.file, s.fil },
	func(f, s named) (a, b string) { return f.fil, s.file },
	func(f, s named) (a, b string) { return f.fil, s.title },
}

// ofFile are the gates of the sample that file number of a table is, by the surest of their names. Several samples that
// have it must have the same gates.
func ofFile(all []named, f named, ds *dataset.Dataset, number int) (*Strategy, error) {
	for _, rank := range ranks {
		var out *Strategy
		for _, of := range all {
			a, b := rank(f, of)
			if spillover.SampleName(a) == "" || spillover.SampleName(a) != spillover.SampleName(b) {
				continue
			}
			s, err := sample(of.sample, ds, number)
			if err != nil {
				return nil, err
			}
			if out != nil && !reflect.DeepEqual(out, s) {
				return nil, problem.New("", "leave one of them in the workspace",
					"has several samples called %.60s, with different gates, scales or matrices", b)
			}
			out = s
		}
		if out != nil {
			return out, nil
		}
	}
	var names []string
	for _, s := range all[:min(len(all), 5)] {
		names = append(names, s.says())
	}
	return nil, problem.New("", "give the workspace of this file", "has no sample %.60s (it has %s)", f.says(),
		strings.Join(names, ", "))
}

// filesOf are the names of each file of a table.
func filesOf(ds *dataset.Dataset) (files []named) {
	if len(ds.Parts) == 0 {
		return []named{{file: filepath.Base(ds.Path), title: ds.Name, fil: keyword(ds.Metadata, "$FIL")}}
	}
	for i, path := range ds.Parts {
		f := named{file: filepath.Base(path)}
		if i < len(ds.Keywords) {
			f.fil = keyword(ds.Keywords[i], "$FIL")
		}
		files = append(files, f)
	}
	return files
}

// keyword is the value of a keyword of a file, "" where it has none.
func keyword(of map[string]string, name string) string {
	for key, value := range of {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// namesOf are the names of a sample of a workspace.
func namesOf(e *xmlfile.Element) named {
	n := named{sample: e}
	if data := e.Child("DataSet"); data != nil {
		uri, _ := data.Attr("uri")
		n.file = uri[strings.LastIndexAny(uri, `/\`)+1:]
	}
	if node := e.Child("SampleNode"); node != nil {
		n.title, _ = node.Attr("name")
	}
	for k := range e.All("Keyword") {
		if name, _ := k.Attr("name"); name == "$FIL" {
			n.fil, _ = k.Attr("value")
		}
	}
	return n
}

// opened is a sample of a workspace that is being read.
type opened struct {
	ds     *dataset.Dataset
	file   int               // its number in the table
	scales map[string]string // by column, as transform.ParseFile reads them
	bad    map[string]string // the reason why others cannot be read
	matrix *Matrix
	prefix string
	out    *Strategy
}

func sample(e *xmlfile.Element, ds *dataset.Dataset, file int) (*Strategy, error) {
	o := &opened{ds: ds, file: file, out: &Strategy{}, prefix: "Comp-", scales: map[string]string{},
		bad: map[string]string{}}
	if t := e.Child("Transformations"); t != nil {
		for _, f := range t.Children {
			o.scale(f)
		}
	}
	if all := slices.Collect(e.All("spilloverMatrix")); len(all) > 0 {
		if err := o.compensation(all[0]); err != nil {
			return nil, err
		}
	}
	if node := e.Child("SampleNode"); node != nil {
		if err := o.within(node, -1); err != nil {
			return nil, err
		}
	}
	return o.out, nil
}

// scale reads the scale of a column. What is wrong with one costs the polygons that need it, and no others.
func (o *opened) scale(e *xmlfile.Element) {
	of := names(e)
	if len(of) != 1 {
		return
	}
	text, err := scaleOf(e)
	if err == nil && text != "" {
		_, err = transform.ParseFile(text)
	}
	if delete(o.bad, of[0]); err != nil {
		o.bad[of[0]] = fmt.Sprintf("its scale of %.60q: %s", of[0], whatOf(err))
	}
	o.scales[of[0]] = text
}

// scaleOf is a scale of FlowJo as transform.ParseFile reads it, "" for one on which straight edges are straight.
func scaleOf(e *xmlfile.Element) (string, error) {
	if text, known, err := scaleText(e); known {
		return text, err
	}
	var of []string
	switch e.Name.Local {
	case "biex":
		of = []string{"width", "neg", "pos", "maxRange"}
	case "log": // from offset on; what is below counts as that
		of = []string{"offset"}
	case "linear":
		return "", nil
	default:
		return "", wrong("the kind %.40s is not read", e.Name.Local)
	}
	numbers := make([]float64, len(of))
	for i, name := range of {
		var err error
		if numbers[i], err = required(e, name); err != nil {
			return "", err
		}
	}
	return colons(e.Name.Local, numbers...), nil
}

// colons is a transform with its numbers.
func colons(text string, numbers ...float64) string {
	for _, x := range numbers {
		text += ":" + strconv.FormatFloat(x, 'g', -1, 64)
	}
	return text
}

// compensation reads the matrix of the sample.
func (o *opened) compensation(e *xmlfile.Element) error {
	if p, ok := e.Attr("prefix"); ok {
		o.prefix = p
	}
	if e.Child("spillover") == nil {
		return nil
	}
	read, why := spillover.FlowJo(e)
	if why != "" {
		return wrong("has a matrix of spillover that %s", why)
	}
	m := &Matrix{Dyes: read.Names, Detectors: read.Names, Rows: read.M}
	if _, err := m.unmix(); err != nil {
		return wrong("%s", whatOf(err))
	}
	if o.matrix = m; read.Percent {
		o.out.Notes = append(o.out.Notes, "a matrix of spillover "+inPercent)
	}
	return nil
}

// within reads the populations that lie in an element.
func (o *opened) within(e *xmlfile.Element, parent int) error {
	below := e.Child("Subpopulations")
	if below == nil {
		return nil
	}
	for _, p := range below.Children {
		name, ok := p.Attr("name")
		if !ok {
			continue // no population: a statistic
		}
		leave := func(why string) {
			o.out.Left = append(o.out.Left, fmt.Sprintf("%.60s (%s)", name, why))
			if p.Child("Subpopulations") != nil {
				o.out.Left = append(o.out.Left, fmt.Sprintf("what lies in %.60s", name))
			}
		}
		gate := p.Child("Gate")
		if p.Name.Local != "Population" || gate == nil || len(gate.Children) == 0 {
			leave("a gate of the kind " + p.Name.Local + " is not read")
			continue
		}
		g, why, err := o.gate(gate.Children[0])
		if err != nil {
			return err
		}
		if why != "" {
			leave(why)
			continue
		}
		if len(o.out.Gates) >= maxGates {
			return wrong("has more than %d gates in a sample", maxGates)
		}
		at := len(o.out.Gates)
		o.out.Gates = append(o.out.Gates, Named{name, parent, g})
		if err := o.within(p, at); err != nil {
			return err
		}
	}
	return nil
}

// gate reads a gate; why says why it is left out.
func (o *opened) gate(e *xmlfile.Element) (g *Gate, why string, err error) {
	g = &Gate{}
	if inside, ok := e.Attr("eventsInside"); ok && !yes(inside) {
		g.Outside = true
	}
	for of := range e.Named("dimension") {
		low, err := end(of, "min")
		if err != nil {
			return nil, "", err
		}
		high, err := end(of, "max")
		if err != nil {
			return nil, "", err
		}
		name := columnOf(of)
		if name == "" || len(g.Sides) >= maxSides {
			return nil, "a dimension without a column", nil
		}
		g.Sides, g.Range = append(g.Sides, o.side(name)), append(g.Range, Range{low, high})
	}
	switch e.Name.Local {
	case "RectangleGate":
		o.drawn(e, g)
	case "PolygonGate":
		g.Range = nil
		if g.Polygon, err = corners(e); err != nil {
			return nil, "", err
		}
		if why, err = o.scaled(e, g); why != "" || err != nil {
			return nil, why, err
		}
	case "EllipsoidGate":
		return nil, "ellipses of FlowJo are not read", nil
	default:
		return nil, "a gate of the kind " + e.Name.Local + " is not read", nil
	}
	if err := g.Check(); err != nil {
		return nil, whatOf(err), nil
	}
	return g, "", nil
}

// drawn says on which scales a rectangle has been drawn, and whether it is a quadrant: open to one side in both of its
// dimensions.
func (o *opened) drawn(e *xmlfile.Element, g *Gate) {
	g.Quarter = len(g.Sides) == 2 && !g.Outside
	i := 0
	for of := range e.Named("dimension") {
		if name := columnOf(of); o.bad[name] == "" {
			g.Sides[i].Drawn = o.scales[name]
		}
		g.Quarter = g.Quarter && (g.Range[i].Low == nil) != (g.Range[i].High == nil)
		i++
	}
}

// columnOf is the name of the column of a dimension, "" for none.
func columnOf(dimension *xmlfile.Element) string {
	if all := names(dimension); len(all) > 0 {
		return all[0]
	}
	return ""
}

// side is a dimension of a name of FlowJo: Comp-NAME is NAME compensated, unless the table has it so.
func (o *opened) side(name string) Side {
	if _, there := o.ds.Meant(o.file, name); !there && o.prefix != "" {
		if of, ok := strings.CutPrefix(name, o.prefix); ok {
			if o.matrix != nil && o.matrix.has(of) {
				return Side{Column: of, Matrix: o.matrix}
			}
			return Side{Column: of, Own: true}
		}
	}
	return Side{Column: name}
}

// scaled brings the corners of a polygon onto the scales of its dimensions.
func (o *opened) scaled(e *xmlfile.Element, g *Gate) (why string, err error) {
	for at, of := range slices.Collect(e.Named("dimension")) {
		if why := o.bad[columnOf(of)]; why != "" {
			return why, nil
		}
		text := o.scales[columnOf(of)]
		if text == "" || at > 1 {
			continue
		}
		g.Sides[at].Scale = text
		place, err := g.Sides[at].Place()
		if err != nil {
			return "", err
		}
		for i := range g.Polygon {
			if g.Polygon[i][at] = place(g.Polygon[i][at]); math.IsInf(g.Polygon[i][at], 0) {
				return "a corner has no place on its scale", nil
			}
		}
	}
	return "", nil
}
