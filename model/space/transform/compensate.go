package transform

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"
)

// Compensate undoes spillover between the detectors of a cytometer. What was measured is x S, in linear values, where
// row i of S tells which share of the signal of detector i is seen in each detector; so it takes x to x S⁻¹ (Bagwell
// and Adams, "Fluorescence spectral overlap compensation for any number of flow cytometry parameters", 1993). Its
// numbers are S, row after row.
const Compensate ID = "compensate"

func init() {
	RegisterMatrix(MatrixOp{
		ID: Compensate, Title: "Compensate", Off: "Do not compensate", Order: 1,
		Help: "Takes the light out of each detector that spills over from the others, with the matrix that came with " +
			"the file. Switch it off to see values as they were measured.",
		Suggest: suggestCompensation,
		Wrong: func(columns int, values []float64) string {
			if columns == 0 || len(values) != columns*columns {
				return fmt.Sprintf("compensation of %d detectors takes %d numbers, it has %d", columns,
					columns*columns, len(values))
			}
			for _, x := range values {
				if x-x != 0 {
					return "the matrix of compensation must be finite"
				}
			}
			switch inverse, condition := invert(columns, values); {
			case inverse == nil:
				return "the matrix of compensation cannot be inverted"
			case condition > maxCondition:
				return fmt.Sprintf("the matrix of compensation cannot be inverted well: its condition number is %.2g, "+
					"above %g", condition, float64(maxCondition))
			}
			return ""
		},
		New: func(columns int, values []float64) (forward, back func(Block)) {
			inverse, _ := invert(columns, values)
			return times(columns, inverse), times(columns, values)
		},
	})
}

// suggestCompensation is about the matrix that came with a file. A file of a cytometer holds what was measured, so a
// newly opened one is compensated, unless something speaks against it: see asked.
func suggestCompensation(ds *dataset.Dataset) Suggestion {
	if ds.Spillover == nil {
		return Suggestion{}
	}
	what := fmt.Sprintf("with the file's matrix of %d detectors (%s)", len(ds.Spillover.Names), ds.Spillover.Keyword)
	if ds.Spillover.Identity() {
		return Suggestion{Needless: true,
			Said: "not compensated " + what + ": it is the identity, which changes nothing"}
	}
	m, why := Compensation(ds, ds.Spillover)
	if why != "" {
		return Suggestion{Said: "not compensated " + what + ", which does not fit: " + why}
	}
	if some := declined(ds); len(some) > 0 && len(some) < len(ds.Parts) && ds.OriginAt() >= 0 {
		return suggestOf(ds, slices.Repeat([]*dataset.Spillover{ds.Spillover}, len(ds.Parts)))
	}
	return asked(ds, m, what)
}

// asked is the suggestion of a mix that compensates, unless the table speaks against it.
func asked(ds *dataset.Dataset, m Mix, what string) Suggestion {
	for _, i := range m.Changed() {
		for _, name := range compensatedNames(ds.Columns[i].Name) {
			if columnNamed(ds, name) >= 0 {
				return Suggestion{Mix: m, Said: "not compensated " + what + ": there is " + name + " already"}
			}
		}
	}
	if declinedAll(ds) {
		return Suggestion{Mix: m, Said: "not compensated " + what + ", as the file says APPLY COMPENSATION FALSE"}
	}
	if massCytometry(ds) {
		return Suggestion{Mix: m, Said: "not compensated " + what + ", as this is mass cytometry"}
	}
	return Suggestion{Mix: m, On: true, Said: strings.Join(append([]string{"compensated " + what}, m.Remarks()...),
		"; ")}
}

// declinedAll says whether the operators of all files want no compensation.
func declinedAll(ds *dataset.Dataset) bool {
	return declines(ds.Metadata) || len(ds.Keywords) > 0 && len(declined(ds)) == len(ds.Keywords)
}

// declined are the numbers of those files of a table whose operators want no compensation.
func declined(ds *dataset.Dataset) (files []int) {
	for f, keywords := range ds.Keywords {
		if declines(keywords) {
			files = append(files, f)
		}
	}
	return files
}

// declines says whether a file says that its operator wants no compensation.
func declines(keywords map[string]string) bool {
	for key, value := range keywords {
		if strings.EqualFold(key, "APPLY COMPENSATION") && strings.EqualFold(strings.TrimSpace(value), "FALSE") {
			return true
		}
	}
	return false
}

// compensatedNames are what programs call a detector once it is compensated.
func compensatedNames(name string) []string {
	return []string{"Comp-" + name, "FJComp-" + name, "<" + name + ">"}
}

// saysCompensated says whether the name of a column is one of compensated values.
func saysCompensated(name string) bool {
	return strings.HasPrefix(name, "Comp-") || strings.HasPrefix(name, "FJComp-") ||
		len(name) > 2 && name[0] == '<' && name[len(name)-1] == '>'
}

// Compensation returns the mix that compensates ds with the matrix s, or why that cannot be.
func Compensation(ds *dataset.Dataset, s *dataset.Spillover) (m Mix, why string) {
	m.Op = Compensate
	for _, name := range s.Names {
		i, why := detector(ds, name)
		switch {
		case why != "":
			return Mix{}, why
		case slices.Contains(m.Cols, i):
			return Mix{}, fmt.Sprintf("it names %q twice", name)
		case ds.Columns[i].Categories != nil:
			return Mix{}, fmt.Sprintf("%q has no numbers", name)
		case saysCompensated(ds.Columns[i].Name):
			return Mix{}, fmt.Sprintf("%q is compensated already", ds.Columns[i].Name)
		}
		m.Cols = append(m.Cols, i)
	}
	for i, row := range s.M {
		if len(row) != len(s.Names) || i >= len(s.Names) {
			return Mix{}, "it is not square"
		}
		m.Values = append(m.Values, row...)
	}
	o := MatrixByID(Compensate)
	if why := o.Wrong(len(m.Cols), m.Values); why != "" {
		return Mix{}, strings.Replace(why, "the matrix of compensation", "it", 1)
	}
	m.Units = unitsOf(ds, m.Cols)
	return m, ""
}

// detector returns the column that a matrix means by a name, or why there is none.
func detector(ds *dataset.Dataset, name string) (column int, why string) {
	i, alike := dataset.Detector(ds.Columns, name)
	switch {
	case i >= 0:
		return i, ""
	case len(alike) > 1:
		return -1, fmt.Sprintf("%q may be %q or %q", name, alike[0], alike[1])
	}
	short, _, _ := strings.Cut(name, "::")
	for _, n := range compensatedNames(strings.TrimSpace(short)) {
		if columnNamed(ds, n) >= 0 {
			return -1, n + " is compensated already"
		}
	}
	return -1, fmt.Sprintf("%q is no column", name)
}

func columnNamed(ds *dataset.Dataset, name string) int {
	return slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == name })
}
