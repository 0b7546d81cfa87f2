package spillover

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"

	"gonum.org/v1/gonum/mat"
)

// ofXML reads the matrices of a document: those of FlowJo (spilloverMatrix), each of its sample where it is in one, and
// those of Gating-ML 2.0 (spectrumMatrix).
func ofXML(root *xmlfile.Element, path string) ([]Matrix, error) {
	var out []Matrix
	seen := map[*xmlfile.Element]bool{}
	add := func(e *xmlfile.Element, samples []string) error {
		if seen[e] {
			return nil
		}
		seen[e] = true
		var m Matrix
		why := ""
		if e.Name.Local == "spilloverMatrix" {
			m.Spillover, why = flowjo(e)
		} else {
			m, why = gatingML(e)
		}
		m.Samples = samples
		if m.ID, _ = e.Attr("name"); m.ID == "" {
			m.ID, _ = e.Attr("id")
		}
		if why != "" {
			return problem.New(path, "write it again with the program that made it", "its matrix %.60q %s", m.ID, why)
		}
		out = append(out, m)
		return nil
	}
	for s := range root.All("Sample") {
		samples := samplesOf(s)
		for e := range s.All("spilloverMatrix") {
			if err := add(e, samples); err != nil {
				return nil, err
			}
		}
	}
	for _, kind := range []string{"spilloverMatrix", "spectrumMatrix"} {
		for e := range root.All(kind) {
			if len(out) > 0 && len(out[0].Samples) > 0 && kind == "spilloverMatrix" {
				break // matrices beside the samples of a workspace are of none of them
			}
			if err := add(e, nil); err != nil {
				return nil, err
			}
		}
	}
	if len(out) == 0 {
		return nil, problem.New(path, remedy, "is XML (%s) without a matrix of spillover", root.Name.Local)
	}
	return out, nil
}

// samplesOf are the names of a sample of a workspace: what the file says in $FIL, its name in the workspace, its file.
func samplesOf(s *xmlfile.Element) (names []string) {
	for k := range s.All("Keyword") {
		if name, _ := k.Attr("name"); name == "$FIL" {
			value, _ := k.Attr("value")
			names = append(names, value)
		}
	}
	if node := s.Child("SampleNode"); node != nil {
		name, _ := node.Attr("name")
		names = append(names, name)
	}
	if data := s.Child("DataSet"); data != nil {
		uri, _ := data.Attr("uri")
		names = append(names, uri)
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// FlowJo reads an element spilloverMatrix, whatever document it is in. why says what is wrong with it.
func FlowJo(e *xmlfile.Element) (m Matrix, why string) {
	if m.Spillover, why = flowjo(e); why == "" {
		m.Percent = m.Shares()
	}
	return m, why
}

// flowjo reads a spilloverMatrix: an element for each detector, with a coefficient for each in which it is seen.
func flowjo(e *xmlfile.Element) (m dataset.Spillover, why string) {
	rows := slices.Collect(e.Named("spillover"))
	at := map[string]int{}
	for _, row := range rows {
		name, ok := row.Attr("parameter")
		if _, twice := at[name]; !ok || twice {
			return m, fmt.Sprintf("has a row without a name, or two of %.60q", name)
		}
		at[name] = len(m.Names)
		m.Names = append(m.Names, name)
	}
	n := len(rows)
	if n == 0 || n > maxDetectors {
		return m, fmt.Sprintf("has %d rows", n)
	}
	for i, row := range rows {
		m.M = append(m.M, make([]float64, n))
		seen := 0
		for c := range row.Named("coefficient") {
			name, _ := c.Attr("parameter")
			j, ok := at[name]
			if !ok {
				return m, fmt.Sprintf("is not square: %.60q has no row of its own", name)
			}
			if m.M[i][j], why = coefficient(c); why != "" {
				return m, why
			}
			seen++
		}
		if seen != n {
			return m, fmt.Sprintf("has %d coefficients of %.60q for %d detectors", seen, m.Names[i], n)
		}
	}
	return m, ""
}

// Spectra is a spectrumMatrix of Gating-ML 2.0: a row for each dye with its share in each detector.
type Spectra struct {
	Dyes, Detectors []string
	Rows            [][]float64
	Inverse         bool // it is the inverse as it stands
	Percent         bool // the file had it in percent
}

// SpectraOf reads a spectrumMatrix, whatever document it is in. why says what is wrong with it.
func SpectraOf(e *xmlfile.Element) (s Spectra, why string) {
	if s.Detectors, why = dimensions(e.Child("detectors"), "detector"); why != "" {
		return s, why
	}
	n := len(s.Detectors)
	if n == 0 || n > maxDetectors {
		return s, fmt.Sprintf("has %d detectors", n)
	}
	if s.Dyes, why = dimensions(e.Child("fluorochromes"), "dye"); why != "" {
		return s, why
	}
	if len(s.Dyes) == 0 {
		s.Dyes = s.Detectors
	}
	for row := range e.Named("spectrum") {
		var values []float64
		for c := range row.Named("coefficient") {
			x, why := coefficient(c)
			if why != "" {
				return s, why
			}
			values = append(values, x)
		}
		if s.Rows = append(s.Rows, values); len(values) != n {
			return s, fmt.Sprintf("has %d coefficients in a row for %d detectors", len(values), n)
		}
	}
	switch {
	case len(s.Rows) == len(s.Dyes):
	case len(s.Dyes) == n:
		return s, fmt.Sprintf("is not square: it has %d spectra of %d detectors", len(s.Rows), n)
	default:
		return s, fmt.Sprintf("has %d spectra of %d dyes", len(s.Rows), len(s.Dyes))
	}
	inverted, _ := e.Attr("matrix-inverted-already")
	if inverted = strings.TrimSpace(inverted); inverted == "1" || strings.EqualFold(inverted, "true") {
		s.Inverse = true
	} else {
		s.Percent = s.shares()
	}
	return s, ""
}

// shares divides spectra in percent by 100, and says whether they were: the diagonal of a square matrix is about 100
// then, else the greatest share of each dye, whatever the order of the detectors.
func (s *Spectra) shares() bool {
	if m := (dataset.Spillover{Names: s.Detectors, M: s.Rows}); len(s.Rows) == len(s.Detectors) && m.Shares() {
		return true
	}
	for _, row := range s.Rows {
		if most := slices.Max(row); most < 90 || most > 110 {
			return false
		}
	}
	for _, row := range s.Rows {
		for j := range row {
			row[j] /= 100
		}
	}
	return len(s.Rows) > 0
}

// dimensions are the names of detectors, or of dyes.
func dimensions(of *xmlfile.Element, what string) (names []string, why string) {
	if of == nil {
		return nil, ""
	}
	for c := range of.Named("fcs-dimension") {
		name, _ := c.Attr("name")
		if name == "" || slices.Contains(names, name) {
			return nil, fmt.Sprintf("has a %s without a name, or two of %.60q", what, name)
		}
		if len(names) >= maxDetectors {
			return nil, fmt.Sprintf("has more than %d of a %s", maxDetectors, what)
		}
		names = append(names, name)
	}
	return names, ""
}

// gatingML reads a spectrumMatrix as one of spillover, which has as many dyes as detectors.
func gatingML(e *xmlfile.Element) (m Matrix, why string) {
	s, why := SpectraOf(e)
	n := len(s.Detectors)
	switch {
	case why != "":
		return m, why
	case len(s.Rows) != n:
		return m, fmt.Sprintf("is not square: it has %d spectra of %d detectors", len(s.Rows), n)
	}
	m.Names, m.M, m.Percent = s.Detectors, s.Rows, s.Percent
	if s.Inverse {
		var inverse mat.Dense
		if inverse.Inverse(mat.NewDense(n, n, slices.Concat(m.M...))) != nil {
			return m, "is an inverse that cannot be inverted"
		}
		for i := range m.M {
			mat.Row(m.M[i], i, &inverse)
		}
	}
	return m, ""
}

// coefficient is the number of an element.
func coefficient(e *xmlfile.Element) (float64, string) {
	text, _ := e.Attr("value")
	x, ok := number(text)
	if !ok {
		return 0, fmt.Sprintf("has a coefficient %.40q, which is not a number", text)
	}
	return x, ""
}
