package format

import (
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Reading says how a table is to be read, see dataset.Reading.
type Reading = dataset.Reading

// separatorWords are names of separators that a shell does not make hard to type.
var separatorWords = map[string]string{"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|",
	"pipe": "|", "space": " ", "spaces": " ", "colon": ":"}

// ParseSeparator understands a separator: the character itself, or its name.
func ParseSeparator(text string) (string, error) {
	if s, ok := separatorWords[strings.ToLower(text)]; ok {
		return s, nil
	}
	if len(text) == 1 && text[0] < 0x7f && (text[0] >= ' ' || text[0] == '\t') &&
		!strings.ContainsAny(text, "\"'.+-#0123456789") && !isLetter(text[0]) {
		return text, nil
	}
	return "", problem.New("", "use one of , ; | tab space, or another sign that is in no number",
		"a separator cannot be %q", text)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// ParseDecimal understands a decimal mark: the character itself, or its name.
func ParseDecimal(text string) (string, error) {
	switch strings.ToLower(text) {
	case ".", "point", "dot":
		return ".", nil
	case ",", "comma":
		return ",", nil
	}
	return "", problem.New("", "use . or ,", "a decimal mark cannot be %q", text)
}

// ParseHeader understands whether the first row of a text table names its columns.
func ParseHeader(text string) (string, error) {
	switch strings.ToLower(text) {
	case "yes", "no":
		return strings.ToLower(text), nil
	}
	return "", problem.New("", "use yes or no", "whether there is a header cannot be %q", text)
}

// CheckReading says what of the settings makes no sense by itself.
func CheckReading(r Reading) error {
	if r.Separator != "" {
		if _, err := ParseSeparator(r.Separator); err != nil {
			return err
		}
		if len(r.Separator) != 1 {
			return problem.New("", "give one character", "the separator %q is longer than that", r.Separator)
		}
	}
	if r.Decimal != "" && r.Decimal != "." && r.Decimal != "," {
		_, err := ParseDecimal(r.Decimal)
		return err
	}
	if r.Header != "" && r.Header != "yes" && r.Header != "no" {
		_, err := ParseHeader(r.Header)
		return err
	}
	if r.Matrix != "" {
		if _, err := ParseMatrix(r.Matrix); err != nil {
			return err
		}
	}
	for _, name := range r.Number {
		if slices.Contains(r.Label, name) {
			return problem.New("", "choose one of both", "column %q is asked for as numbers and as labels", name)
		}
	}
	return nil
}

// choose marks the columns whose kind the user gives.
func (d *dialect) choose(r Reading) error {
	for k, list := range [2][]string{r.Number, r.Label} {
		for _, name := range list {
			j := d.find(name)
			if j < 0 {
				return problem.New("", "`blossom info` lists the columns", "there is no column %q to be read as %s",
					name,
					[2]string{"numbers", "labels"}[k])
			}
			d.forced[j], d.text[j] = true, k == 1
		}
	}
	return nil
}

// find returns the column of a name or a heading, or of a number from 1 where none is called that; -1: there is none.
func (d *dialect) find(name string) int {
	if j := slices.Index(d.names, name); j >= 0 {
		return j
	}
	names := slices.Clone(d.names)
	for j := range names {
		names[j], _ = dataset.ParseHeading(names[j])
	}
	uniqueNames(names)
	if j := slices.Index(names, name); j >= 0 {
		return j
	}
	if j := slices.IndexFunc(names, func(s string) bool { return strings.EqualFold(s, name) }); j >= 0 {
		return j
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(names) {
		return n - 1
	}
	return -1
}

// unheeded are warnings of settings that a file of a format does not heed.
func unheeded(r Reading, f Format) (warnings []string) {
	if !r.OfText().IsZero() && !isTextFormat(f.Name) {
		warnings = append(warnings, "is no text: what was asked for about reading text changes nothing")
	}
	if !r.OfMatrices().IsZero() && !f.Matrices {
		warnings = append(warnings, "holds one matrix: what was asked for about parts by name, matrices and genes "+
			"changes nothing")
	}
	return warnings
}

// MatrixWords are the matrices that a file may hold.
const MatrixWords = "X, raw, layer:NAME or obsm:NAME"

// ParseMatrix understands which matrix of a file is meant.
func ParseMatrix(text string) (string, error) {
	kind, name, named := strings.Cut(text, ":")
	if !named && (kind == "X" || kind == "raw") || name != "" && (kind == "layer" || kind == "obsm") {
		return text, nil
	}
	return "", problem.New("", "use "+MatrixWords, "a matrix cannot be %q", text)
}
