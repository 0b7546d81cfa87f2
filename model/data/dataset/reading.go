package dataset

import "slices"

// Reading says how a text table is to be read. What it leaves open is found out from the content; the zero value leaves
// all open.
type Reading struct {
	Separator string   `json:"separator,omitempty"` // one character; " ": any number of spaces
	Decimal   string   `json:"decimal,omitempty"`   // "." or ","
	Header    string   `json:"header,omitempty"`    // "yes" or "no": whether the first row names the columns
	Missing   []string `json:"missing,omitempty"`   // words and numbers without a value, besides those that are known
	Number    []string `json:"number,omitempty"`    // columns of numbers: names, or numbers from 1
	Label     []string `json:"label,omitempty"`     // columns of labels
}

// IsZero says whether nothing is asked for.
func (r Reading) IsZero() bool {
	return r.Separator == "" && r.Decimal == "" && r.Header == "" && len(r.Missing)+len(r.Number)+len(r.Label) == 0
}

// Equal says whether both ask for the same.
func (r Reading) Equal(o Reading) bool {
	return r.Separator == o.Separator && r.Decimal == o.Decimal && r.Header == o.Header &&
		slices.Equal(r.Missing, o.Missing) &&
		slices.Equal(r.Number, o.Number) && slices.Equal(r.Label, o.Label)
}
