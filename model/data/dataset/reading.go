package dataset

import "slices"

// Reading says how a table is to be read: text, and files that hold several matrices. What it leaves open is found out
// from the content; the zero value leaves all open.
type Reading struct {
	Separator string   `json:"separator,omitempty"` // one character; " ": any number of spaces
	Decimal   string   `json:"decimal,omitempty"`   // "." or ","
	Header    string   `json:"header,omitempty"`    // "yes" or "no": whether the first row names the columns
	Missing   []string `json:"missing,omitempty"`   // words and numbers without a value, besides those that are known
	Number    []string `json:"number,omitempty"`    // columns of numbers: names, or numbers from 1
	Label     []string `json:"label,omitempty"`     // columns of labels
	Modality  string   `json:"modality,omitempty"`  // name of the part of a file that holds several
	Matrix    string   `json:"matrix,omitempty"`    // the matrix of the map: X, raw, layer:NAME or obsm:NAME
	Genes     []string `json:"genes,omitempty"`     // columns of a matrix that is too wide for a map, to colour by
}

// IsZero says whether nothing is asked for.
func (r Reading) IsZero() bool {
	return r.noText() && r.Modality == "" && r.Matrix == "" && len(r.Genes) == 0
}

// noText says whether nothing is asked for about text.
func (r Reading) noText() bool {
	return r.Separator == "" && r.Decimal == "" && r.Header == "" && len(r.Missing)+len(r.Number)+len(r.Label) == 0
}

// OfText is what of it is about text.
func (r Reading) OfText() Reading {
	r.Modality, r.Matrix, r.Genes = "", "", nil
	return r
}

// OfMatrices is what of it is about files of several matrices.
func (r Reading) OfMatrices() Reading {
	return Reading{Modality: r.Modality, Matrix: r.Matrix, Genes: r.Genes}
}

// Equal says whether both ask for the same.
func (r Reading) Equal(o Reading) bool {
	return r.Separator == o.Separator && r.Decimal == o.Decimal && r.Header == o.Header && r.Matrix == o.Matrix &&
		r.Modality == o.Modality &&
		slices.Equal(r.Missing, o.Missing) && slices.Equal(r.Genes, o.Genes) &&
		slices.Equal(r.Number, o.Number) && slices.Equal(r.Label, o.Label)
}
