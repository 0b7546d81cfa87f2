package transform

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Values is which value of a column is meant, wherever one is told or written.
type Values string

// A value is as it was measured, after mixes such as compensation, or as the map has it: after the transform of its
// column too and, of a dimension, scaled and weighted.
const (
	Raw         Values = "raw"
	Compensated Values = "compensated"
	Mapped      Values = "map"
)

// AllValues are those that can be asked for.
var AllValues = []string{string(Raw), string(Compensated), string(Mapped)}

// Check says what is wrong with a word for values; "" is none.
func (v Values) Check() error {
	if v == "" || slices.Contains(AllValues, string(v)) {
		return nil
	}
	return problem.New("", "use "+problem.OneOf(AllValues...), "there are no values %.40q", string(v))
}

// Compensated says whether a mix takes out of a column what spills over from others.
func (s Spec) Compensated(col int) bool { return slices.ContainsFunc(s.mixesOf(col), Mix.Compensates) }

// Meant is which values of a column are shown in its own unit: compensated where that changes them, else raw.
func (s Spec) Meant(col int) Values {
	if _, linear := s.Linearised(col); linear || s.Compensated(col) {
		return Compensated
	}
	return Raw
}

// CompensatedName is what a column is called once it is compensated, here and in other programs.
func CompensatedName(name string) string { return "Comp-" + name }

// NameOf is the name of a column that holds such values: "PE-A", "Comp-PE-A", "Comp-PE-A [asinh:150]". It is that of
// the raw one where nothing changes it.
func (s Spec) NameOf(ds *dataset.Dataset, col int, v Values) string {
	name := ds.Columns[col].Name
	if v == Raw || v == "" {
		return name
	}
	if s.Compensated(col) {
		name = CompensatedName(name)
	}
	how := s.mixedHow(col)
	if c := s.Columns[col]; v == Mapped {
		if c.Op != None {
			how = append(how, c.brief())
		}
		if c.Use == InMap && (s.Scale || c.Weight != 1) {
			how = append(how, "scaled")
		}
	}
	if len(how) > 0 {
		name += " [" + strings.Join(how, " ") + "]"
	}
	return name
}

// brief is the transform with numbers of six digits at most, for names.
func (c Column) brief() string {
	for i, x := range c.Params {
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64); err == nil {
			c.Params[i] = y
		}
	}
	return c.String()
}

// MixedWords say what the mixes do to a column, in their order: "compensated", "filled".
func (s Spec) MixedWords(col int) (words []string) {
	if s.Compensated(col) {
		words = append(words, "compensated")
	}
	return append(words, s.mixedHow(col)...)
}

// mixedHow are the words of the mixes that change a column, in their order. Compensation has its own, before the name.
func (s Spec) mixedHow(col int) (how []string) {
	for _, m := range s.Mixes {
		if op := MatrixByID(m.Op); op != nil && !m.Compensates() && slices.Contains(m.Changed(), col) {
			how = append(how, cmp.Or(op.Word, strings.ToLower(op.Title)))
		}
	}
	return how
}
