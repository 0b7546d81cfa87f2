package gating

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
)

// remedy is what a file of gates should be like.
const remedy = "give Gating-ML 2.0 or a workspace of FlowJo 10"

// Read reads the gates of the file at path that are meant for a table. The error is ctx's or a Problem.
func Read(ctx context.Context, path string, ds *dataset.Dataset) (*Strategy, error) {
	root, err := xmlfile.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return Of(root, path, ds)
}

// Of is Read of a document that has been opened.
func Of(root *xmlfile.Element, path string, ds *dataset.Dataset) (*Strategy, error) {
	for _, k := range dialects {
		if k.is(root) {
			s, err := k.read(root, ds)
			if err != nil {
				p := problem.As(err)
				return nil, problem.Wrap(err, path, p.Remedy, "%s", p.What)
			}
			if len(s.Gates) == 0 {
				why := "has no gates"
				if len(s.Left) > 0 {
					why += " that can be read: " + s.Left[0]
				}
				return nil, problem.New(path, "export gates and try again", "%s", why)
			}
			return s, nil
		}
	}
	return nil, problem.New(path, remedy, "is XML (%.40s) without gates", root.Name.Local)
}

// Looks says whether a document is one of gates, by its outermost element.
func Looks(root *xmlfile.Element) bool {
	return slices.ContainsFunc(dialects, func(k dialect) bool { return k.is(root) })
}

// dialect is a kind of documents with gates.
type dialect struct {
	is   func(root *xmlfile.Element) bool
	read func(root *xmlfile.Element, ds *dataset.Dataset) (*Strategy, error)
}

var dialects = []dialect{
	{func(root *xmlfile.Element) bool { return strings.EqualFold(root.Name.Local, "Gating-ML") }, gatingML},
	{func(root *xmlfile.Element) bool { return root.Name.Local == "Workspace" }, workspace},
}

// wrong is an error about what a file says.
func wrong(format string, args ...any) error {
	return problem.New("", "write it again with the program that made it", format, args...)
}

// number reads the number of an attribute; ok is false where there is none of that name.
func number(e *xmlfile.Element, name string) (x float64, ok bool, err error) {
	text, ok := e.Attr(name)
	if !ok {
		return 0, false, nil
	}
	x, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !finite(x) {
		return 0, true, wrong("has %.40q for %s, which is not a number", text, name)
	}
	return x, true, nil
}

// required reads the number of an attribute that must be there.
func required(e *xmlfile.Element, name string) (float64, error) {
	x, ok, err := number(e, name)
	if err == nil && !ok {
		err = wrong("has a %.40s without %s", e.Name.Local, name)
	}
	return x, err
}

// end reads the number of an attribute, nil where there is none.
func end(e *xmlfile.Element, name string) (*float64, error) {
	x, ok, err := number(e, name)
	if err != nil || !ok {
		return nil, err
	}
	return &x, nil
}

// values are those of the children of an element.
func values(e *xmlfile.Element, child string) (out []float64, err error) {
	for c := range e.Named(child) {
		x, err := required(c, "value")
		if err != nil {
			return nil, err
		}
		if len(out) > maxDetector {
			return nil, wrong("has more than %d numbers in a row", maxDetector)
		}
		out = append(out, x)
	}
	return out, nil
}

// corners are the vertices of a polygon.
func corners(e *xmlfile.Element) (path [][2]float64, err error) {
	n := 0
	for range e.Named("vertex") {
		n++
	}
	if n > MostCorners {
		return nil, problem.New("", "leave it out", "a polygon of %d corners is no gate", n)
	}
	path = [][2]float64{}
	for v := range e.Named("vertex") {
		at, err := values(v, "coordinate")
		if err != nil {
			return nil, err
		}
		if len(at) != 2 {
			return nil, wrong("has a polygon with a corner of %d coordinates", len(at))
		}
		path = append(path, [2]float64{at[0], at[1]})
	}
	return path, nil
}

// names are those of the fcs-dimension or parameter elements within an element.
func names(e *xmlfile.Element) (out []string) {
	if e == nil {
		return nil
	}
	for _, c := range e.Children {
		if name, ok := c.Attr("name"); ok {
			out = append(out, name)
		}
	}
	return out
}

// scaleText is a scale of Gating-ML as transform.ParseFile reads it.
func scaleText(e *xmlfile.Element) (text string, known bool, err error) {
	letters, known := map[string]string{"logicle": "TWMA", "hyperlog": "TWMA", "fasinh": "TMA", "flog": "TM",
		"flin": "TA"}[e.Name.Local]
	if !known {
		return "", false, nil
	}
	text = e.Name.Local
	if text == "logicle" { // in files that is logicle as it was
		text = "logicle-e"
	}
	for _, letter := range letters {
		x, err := required(e, string(letter))
		if err != nil {
			return "", true, err
		}
		text += ":" + strconv.FormatFloat(x, 'g', -1, 64)
	}
	return text, true, nil
}

// textNumber is the number that is the text of an element.
func textNumber(e *xmlfile.Element) (float64, error) {
	x, err := strconv.ParseFloat(e.Text, 64)
	if err != nil || !finite(x) {
		return 0, wrong("has %.40q in a %s, which is not a number", e.Text, e.Name.Local)
	}
	return x, nil
}

// whatOf is what an error says.
func whatOf(err error) string { return problem.As(err).What }
