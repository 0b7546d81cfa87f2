package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
)

// The values of a column, or the columns beside it, show something about its role where its name does not. Rules are
// shy: a measured column that they take is one that a scientist misses.

// counterRows is how many points it takes to tell a counter from values that happen to rise.
const counterRows = 20

// counting says in words that the values count rows, "" if they do not: whole numbers that rise at every row in steps
// of about the same size, as the numbers of events do, also of those that a gate has left; or each number of a
// range once. Random whole numbers of n points do the first with probability 1/n!; sorted ones are told by their
// tails: steps longer than the ln n that even the gaps of a random sample stay below, and a middle row that is far from
// the middle of the range.
func counting(c *Column) string {
	n := len(c.Values)
	if n < counterRows || c.Stats.Invalid > 0 || c.Stats.Max-c.Stats.Min < float64(n-1) || c.Stats.SD == 0 {
		return ""
	}
	first, last := c.At(0), c.At(n-1)
	mean, most, before := (last-first)/float64(n-1), 0.0, first
	rises := mean > 0 && first == math.Trunc(first)
	for i := 1; i < n; i++ {
		x := c.At(i)
		if rises = rises && x > before && x == math.Trunc(x); !rises {
			break
		}
		most, before = max(most, x-before), x
	}
	for k := 1; k < 4 && rises; k++ {
		at := (c.At(k*(n-1)/4) - first) / (last - first)
		rises = math.Abs(at-float64(k)/4) < 0.15
	}
	switch {
	case rises && most <= mean*(10+math.Log(float64(n))):
		return fmt.Sprintf("counts up from %s to %s", whole(c.Stats.Min), whole(c.Stats.Max))
	case n >= 2*counterRows && c.Stats.Max-c.Stats.Min == float64(n-1) && eachOnce(c):
		return fmt.Sprintf("has each number from %s to %s once", whole(c.Stats.Min), whole(c.Stats.Max))
	}
	return ""
}

// eachOnce says whether the values are the whole numbers from the least to the largest, each once.
func eachOnce(c *Column) bool {
	seen := make([]bool, len(c.Values))
	for i := range c.Values {
		x := c.At(i) - c.Stats.Min
		if x != math.Trunc(x) || x < 0 || x >= float64(len(seen)) || seen[int(x)] {
			return false
		}
		seen[int(x)] = true
	}
	return true
}

// dated says in words that all values are whole numbers in the range of dates, counted in seconds or milliseconds since
// 1970 (1998 to 2039), where identifiers lie too; "" if they are not. Measurements begin at their noise.
func dated(c *Column) string {
	s := c.Stats
	for unit, word := range map[float64]string{1: "seconds", 1e3: "milliseconds"} {
		if s.Count < counterRows || s.Min < 9e8*unit || s.Max > 2.2e9*unit {
			continue
		}
		for i := range c.Values {
			if x := c.At(i); x-x == 0 && x != math.Trunc(x) {
				return ""
			}
		}
		return fmt.Sprintf("whole numbers about %s, as identifiers and dates in %s are",
			strconv.FormatFloat(s.Mean, 'g', 2, 64), word)
	}
	return ""
}

func whole(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

var (
	// Dyes that tell dead cells: "l/d", LIVE/DEAD Aqua, Zombie NIR, FVS510, 7-AAD, 195Pt_Cisplatin.
	viabilityName = pattern.Of(`(?i)(^|[^a-z])(live[ _/.-]*dead|dead[ _/.-]*live|l[/_-]d|viab(ility|le)?` +
		`|zombie|ghost|fvs ?[0-9]*|fvd|7-?aad|cisplatin|cis-?pt|sytox|propidium[ _-]*iodide|vivid)([^a-z]|$)` +
		`|^(ld|live|dead|dead[ _-]?cells?)$`)
	// Dyes that detectors are called after too: only who labels a column so means them.
	dyeLabel = pattern.Of(`(?i)^(dapi|aqua([ _-]?(amine|blue|dead))?|aarda?|pi|to-?pro-?3|draq7` +
		`|helix[ _-]?nir)$`)
	antigenOf   = pattern.Of(`(?i)\b(cd ?[0-9]+[a-z]?|hla(-?dr)?)\b`)
	antigenName = pattern.Of(`(?i)(^|[^a-z])(cd ?[0-9]+|hla|ccr[0-9]|cxcr[0-9]|tcr|ig[admeg])([^a-z]|$|[a-z]*)`)
	// Proteins and dyes that are what is measured, so that a detector named after them needs no further name.
	reporterName = pattern.Of(`(?i)(^|[^a-z])(e?[gyrcb]fp|mcherry|m?cerulean|tdtomato|dsred|venus|mkate` +
		`|cfse|celltrace|annexin|ki-?67|brdu|edu|dapi|hoechst|dna[0-9]?|p?stat[0-9])([^a-z]|$)`)
	detectorName = pattern.Of(`(?i)[^a-z0-9][ahw]$`) // FITC-A
	isotopeName  = pattern.Of(`^([0-9]{2,3}[A-Z][a-z]?|[A-Z][a-z]?[0-9]{2,3})(D[id]|_?(EMPTY|empty|Empty))?$`)
)

// least is how many columns must be left for a map before what was computed from them is left out.
const least = 3

var (
	// Maps of the points that somebody made: UMAP_1, umap1, X_umap-2, tSNE 1, viSNE2, embedsom1.
	placedName = pattern.Of(`(?i)^(x[_.-])?(w?umap|t-?sne|(opt|vi|fit)-?sne|embedsom|phate|trimap|pacmap` +
		`|largevis|force[_-]?atlas2?|draw[_-]?graph([_-][a-z]+)?)` +
		`([ _.-]*(dim|component|axis)?[ _.-]*[0-9]+|[ _.-]?[xyz])$`)
	// As Seurat, Scanpy and Scater call them: nCount_RNA, n_genes_by_counts, percent.mt, pct_counts_ribo.
	qualityName = pattern.Of(`(?i)^(n_?(count|feature)s?_[a-z0-9]+` +
		`|n_?(genes?|umis?|counts)([_.]by[_.]counts)?|(log1p_)?(total_counts|n_genes_by_counts)(_[a-z]+)?` +
		`|(percent|pct)[._](counts[._](in[._]top[._][0-9]+[._]genes|[a-z]+)|mt|mito|ribo|rb|hb|ercc)` +
		`|doublet[_. ]?scores?|predicted[_. ]doublets?)$`)
)

// computed takes columns that were computed from the others out of a table that has enough of those: a map of them
// would show them twice.
func computed(columns []Column) {
	measured := 0
	var found []int
	for i := range columns {
		c := &columns[i]
		name := strings.TrimSpace(c.Name)
		switch {
		case c.Role != Marker:
		case c.Label == "" && (placedName().MatchString(name) || qualityName().MatchString(name)):
			found = append(found, i)
		default:
			measured++
		}
	}
	if measured < least {
		return
	}
	for _, i := range found {
		role := Placed
		if qualityName().MatchString(strings.TrimSpace(columns[i].Name)) {
			role = Quality
		}
		columns[i].SetRole(role)
	}
}

// viability says in words that a column is a dye of dead cells, "" if it is none. With an antigen beside it, as in
// VIVID / CD14, it tells what is to be gated away all the same.
func viability(c *Column) string {
	dye := dyeLabel().MatchString(strings.TrimSpace(c.Label))
	for _, name := range []string{c.Label, c.Name} {
		dye = dye || viabilityName().MatchString(strings.TrimSpace(name))
	}
	switch antigen := antigenOf().FindString(c.Label); {
	case !dye:
		return ""
	case antigen != "":
		return "a dye of dead cells, with " + antigen + " beside it"
	}
	return "a dye of dead cells"
}

// labelled says whether somebody has said what a detector measures.
func labelled(c *Column) bool {
	label := strings.TrimSpace(c.Label)
	return label != "" && !strings.EqualFold(label, strings.TrimSpace(c.Name)) && !isotopeName().MatchString(label)
}

// named says whether its name alone says what a detector measures.
func named(c *Column) bool {
	return antigenName().MatchString(c.Name) || reporterName().MatchString(c.Name) || strings.Contains(c.Name, "::")
}

// beside takes what other columns say about a column into account: in a table of cells dyes of dead cells, the shape
// of pulses, and detectors without a name where others have one.
func beside(columns []Column) {
	cells, said, markers := false, 0, 0
	for i := range columns {
		c := &columns[i]
		cells = cells || c.Role == Scatter || c.Role == Time || c.Label != ""
		if c.Role == Marker {
			markers++
			if labelled(c) {
				said++
			}
		}
	}
	if !cells {
		return
	}
	for i := range columns {
		c := &columns[i]
		bare := c.Label == "" || strings.EqualFold(c.Label, c.Name)
		switch {
		case c.Role != Marker:
		case bare && pulseName().MatchString(strings.TrimSpace(c.Name)) && hasPulse(columns):
			c.Role, c.Why = Scatter, "the shape of the pulse"
		case viability(c) != "":
			c.Role, c.Why = Viability, viability(c)
		case said >= 2 && 4*said >= markers && !labelled(c) && !named(c):
			c.Role, c.Why = Unlabelled, fmt.Sprintf("no antigen is named, where %d others have one", said)
		}
	}
}

// hasPulse says whether the points passed a laser or a detector one after the other.
func hasPulse(columns []Column) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return c.Role == Scatter || c.Role == Time })
}

// leftShown is how many names LeftOut gives for one reason.
const leftShown = 8

// usual says whether nobody expects the column in a map: light scatter, time, names.
func (c *Column) usual() bool { return c.Role == Scatter || c.Role == Time || c.Role == Label }

// Among says of each column whether it is one of cols.
func (ds *Dataset) Among(cols []int) []bool {
	out := make([]bool, len(ds.Columns))
	for _, c := range cols {
		out[c] = true
	}
	return out
}

// LeftOut tells which columns are none of cols, and why, in a line: "FSC-A, SSC-A (light scatter), l/d (AmCyan-A) (a
// dye of dead cells)"; "" if there is none. Unless all are asked for, those are passed over that nobody expects in a
// map, and markers, which somebody has taken out.
func (ds *Dataset) LeftOut(cols []int, all bool) string {
	var reasons []string
	names, taken := map[string][]string{}, ds.Among(cols)
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if taken[i] || !all && (c.usual() || c.Role == Marker && !c.Aside) {
			continue
		}
		why := c.Why
		if why == "" && c.Aside {
			why = "not in all files"
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], c.Title())
	}
	var out []string
	for _, why := range reasons {
		list := names[why]
		text := strings.Join(list[:min(len(list), leftShown)], ", ")
		if more := len(list) - leftShown; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		if why != "" {
			text += " (" + why + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
