package main

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// readingFlags say how tables are read, as far as that is not to be found out from their content.
func readingFlags(f *pflag.FlagSet, to *dataset.Reading) {
	f.Var(parsedVar{&to.Separator, format.ParseSeparator}, "separator",
		"what separates the cells of a text table: `, ; | tab space` (default: found out)")
	f.Var(parsedVar{&to.Decimal, format.ParseDecimal}, "decimal",
		"decimal mark of a text table: `. or ,` (default: found out)")
	f.Var(parsedVar{&to.Header, format.ParseHeader}, "header",
		"`yes or no`: whether the first row of a text table names the columns (default: found out)")
	f.Var(wordsVar{&to.Missing}, "missing",
		"`WORDS` of a text table that stand for no value, besides NA, None, ?, #N/A and the like: -999,off")
	f.Var(wordsVar{&to.Number}, "number",
		"`COLUMN` of a text table to read as numbers, by name or number from 1; repeat or use commas")
	f.Var(wordsVar{&to.Label}, "label",
		"`COLUMN` of a text table to read as labels, by name or number from 1; repeat or use commas")
	f.Var(parsedVar{&to.Matrix, format.ParseMatrix}, "matrix",
		"which matrix of an h5ad file the map is made of: `X, raw, layer:NAME or obsm:NAME` (default: X)")
	f.Var(wordsVar{&to.Genes}, "genes",
		"`NAMES` of columns of that matrix to colour by, where it is too wide for a map: CD3E,MS4A1")
}

// parsedVar is a flag of one of a few texts.
type parsedVar struct {
	to    *string
	parse func(string) (string, error)
}

func (v parsedVar) Type() string { return "string" }
func (v parsedVar) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}
func (v parsedVar) Set(text string) (err error) {
	*v.to, err = v.parse(text)
	return err
}

// wordsVar is a flag of words, which may be repeated: "a,b" is two of them, and a word with a comma is put in quotes.
type wordsVar struct{ to *[]string }

func (v wordsVar) Type() string { return "strings" }
func (v wordsVar) String() string {
	if v.to == nil {
		return ""
	}
	return strings.Join(*v.to, ",")
}
func (v wordsVar) Set(text string) error {
	words, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return err
	}
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			*v.to = append(*v.to, w)
		}
	}
	return nil
}

// asked is a Reading for JSON: nil where nothing was asked for.
func asked(r dataset.Reading) *dataset.Reading {
	if r.IsZero() {
		return nil
	}
	return &r
}
