package dataset

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"blossom/model/base/pattern"
)

// MostLabels is how many distinct whole numbers a column may hold to be taken for labels.
const MostLabels = 256

// manyNames is how many texts, all different, make a column of names of points rather than labels.
const manyNames = 1000

var (
	// Light scatter: FSC-A, SSC-H, 405SSC, VSSC-W, FS INT, SS Log, "forward scatter"; and the length of the
	// ion cloud in mass cytometry, which says as little about what a cell carries.
	scatterName = pattern.Of(`(?i)(^|[^a-z])([vb]?(fsc|ssc)|bsc)[ahw]?([^a-z]|$)` +
		`|^(fs|ss)([ _.-]*(a|h|w|int|integral|peak|tof|log|lin|area|height|width))*$` +
		`|(forward|side|back)[ _-]*scatter|^(event|cell)[ _-]?length$`)
	// The shape of a pulse of light, or of the ion cloud in a mass cytometer.
	pulseName = pattern.Of(`(?i)^(width|area|height|center|offset|residual)$`)
	// MACSQuant instruments call it HDR-T.
	timeName = pattern.Of(
		`(?i)^(time|hdr-t|timestamp|time[ _-]?stamp|time *[(\[].*[)\]]|acquisition[ _-]?time)$`)
	indexName = pattern.Of(
		`(?i)^(id|idx|index|row|rows|rownames?|row[ _.-]?(names?|id|number|index)|unnamed: ?0` +
			`|(event|cell|point|object|particle|spot)s?[ _.-]*` +
			`(#|no\.?|nr\.?|num|number|id|ids|index|count|barcode)|events?|barcodes?|uuid)$`)
)

var labelWords = map[string]bool{
	"label": true, "labels": true, "class": true, "classes": true, "cluster": true, "clusters": true,
	"clustering": true, "metacluster": true, "metaclusters": true, "metaclustering": true,
	"population": true, "populations": true, "pop": true, "gate": true, "gates": true, "gating": true,
	"sample": true, "donor": true, "batch": true, "group": true, "condition": true, "patient": true,
	"subject": true, "individual": true, "celltype": true, "phenotype": true, "tissue": true, "file": true,
	"plate": true, "well": true, "timepoint": true, "target": true, "category": true, "treatment": true,
	"leiden": true, "louvain": true, "digit": true, "species": true, "cohort": true, "segment": true, "outcome": true,
	"diagnosis": true, "sex": true, "gender": true,
}

// answerName is how a column is called that says of each row whether something holds, where it has two values.
var answerName = pattern.Of(`(?i)^(is|has|was)[ _.-]`)

// Dates is why a column whose values were dates in its file is left out of the map; who reads it says so.
const Dates = "dates"

// GuessRole says what a column is for, from its names and its values alone. Rules, first match wins:
// text is a Label (unless all of very many texts differ: then it names the points, Index); a column
// with no finite value, or with a single one over several points, is Ignored; FSC, SSC and their
// -A, -H, -W are Scatter; Time; event numbers and ids are Index; few whole numbers under a name such
// as cluster, gate, sample or batch are a Label; values that count rows, or are dates, are Index; everything else
// is a Marker. A column that has no name of its own (IsDefaultName) is a Marker unless nothing is in it, or it counts
// rows. In a table, the columns beside it add to that: Viability, Unlabelled,
// the shape of pulses, Placed and Quality.
func GuessRole(c *Column) Role {
	r, _ := guess(c)
	return r
}

// guess returns the role with why it is none of a marker.
func guess(c *Column) (Role, string) {
	s := c.Stats
	switch {
	case len(c.Categories) > manyNames && len(c.Categories) >= s.Count:
		return Index, "names of points, all different"
	case c.Categories != nil && s.Count > 0:
		return Label, "names"
	case s.Count == 0 && len(c.Values) == 0 && c.Categories == nil:
		r := roleByName(c)
		return r, reasons[r]
	case s.Count == 0:
		return Ignored, "no values"
	}
	if c.Why == Dates {
		return Time, Dates
	}
	own := !IsDefaultName(c.Name) || c.Label != ""
	if own && s.Count > 1 && s.Min == s.Max {
		return Ignored, "constant"
	}
	if own {
		if r := roleByName(c); r != Marker {
			return r, reasons[r]
		}
	}
	if labelled(c) || named(c) || detectorName().MatchString(c.Name) {
		return Marker, "" // somebody says what it measures
	}
	if why := counting(c); why != "" {
		return Index, why
	}
	if why := dated(c); why != "" {
		return Index, why
	}
	return Marker, ""
}

// guessRoles guesses the role of every column of a table.
func guessRoles(columns []Column) {
	for i := range columns {
		columns[i].Role, columns[i].Why = guess(&columns[i])
	}
	beside(columns)
	computed(columns)
	target(columns)
}

// target takes y for labels, as they are called beside what is to be learned from: where it has few whole numbers, and
// no x stands beside it.
func target(columns []Column) {
	at := -1
	for i := range columns {
		switch strings.ToLower(strings.TrimSpace(columns[i].Name)) {
		case "x":
			return
		case "y":
			at = i
		}
	}
	if at >= 0 && columns[at].Role == Marker && len(columns) > 2 && fewWholeNumbers(&columns[at]) {
		columns[at].SetRole(Label)
	}
}

// Cytometry says whether the points are cells: a table that a cytometer has written, or one with light scatter.
func (ds *Dataset) Cytometry() bool {
	return ds.Cells ||
		slices.ContainsFunc(ds.Columns, func(c Column) bool { return c.Role == Scatter })
}

// PointWord is what a point is called: cell in cytometry, point elsewhere.
func (ds *Dataset) PointWord() string {
	if ds.Cytometry() {
		return "cell"
	}
	return "point"
}

// ColumnWord is what a column of the map is called: marker in cytometry, column elsewhere.
func (ds *Dataset) ColumnWord() string {
	if ds.Cytometry() {
		return "marker"
	}
	return "column"
}

// RoleWord names a role in the words of the field that the data is from.
func (ds *Dataset) RoleWord(r Role) string {
	if r == Marker {
		return ds.ColumnWord()
	}
	return r.String()
}

func roleByName(c *Column) Role {
	for _, name := range []string{c.Name, c.Label} {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
		case scatterName().MatchString(name):
			return Scatter
		case timeName().MatchString(name):
			return Time
		case indexName().MatchString(name):
			return Index
		case NamesLabels(name) && fewWholeNumbers(c),
			answerName().MatchString(name) && c.Distinct(3) <= 2 && fewWholeNumbers(c):
			return Label
		}
	}
	return Marker
}

// NamesLabels says whether one of the words in name is one that people put above labels:
// "cluster_id", "CellType", "Batch 2".
func NamesLabels(name string) bool {
	if labelWords[strings.ToLower(name)] {
		return true
	}
	start := 0
	runes := []rune(name)
	word := func(end int) bool { return labelWords[strings.ToLower(string(runes[start:end]))] }
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			if word(i) {
				return true
			}
			start = i + 1
		case i > start && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			if word(i) {
				return true
			}
			start = i
		}
	}
	return start < len(runes) && word(len(runes))
}

func fewWholeNumbers(c *Column) bool {
	w := wholes{}
	w.take(c)
	return len(w.numbers()) > 0
}

// wholes are the distinct whole numbers of a column, as long as it has no others, and few of them. The zero wholes has
// none yet.
type wholes struct {
	seen map[float64]struct{}
	not  bool // there are others, or too many
}

// take takes the finite values of a column.
func (w *wholes) take(c *Column) {
	for i := range c.Values {
		if v := c.At(i); v-v == 0 && !w.add(v) {
			return
		}
	}
}

// add adds a number, and says whether there are still few whole ones.
func (w *wholes) add(v float64) bool {
	if w.not = w.not || v != math.Trunc(v); w.not {
		return false
	}
	if _, had := w.seen[v]; !had {
		if w.not = len(w.seen) == MostLabels; w.not {
			return false
		}
		if w.seen == nil {
			w.seen = make(map[float64]struct{}, MostLabels)
		}
		w.seen[v] = struct{}{}
	}
	return true
}

// numbers are these, ascending; nil: there are none, or not few whole ones.
func (w *wholes) numbers() []float64 {
	if w.not || len(w.seen) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(w.seen))
}

// mayNameLabels says whether a column is labels by one of its names if it has few whole numbers.
func (c *Column) mayNameLabels() bool {
	for _, name := range []string{c.Name, c.Label} {
		name = strings.TrimSpace(name)
		if NamesLabels(name) || answerName().MatchString(name) || strings.EqualFold(name, "y") {
			return true
		}
	}
	return false
}
