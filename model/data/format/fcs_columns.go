package format

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

// fcsColumn is one parameter ($Pn...) of a data set.
type fcsColumn struct {
	dataset.Column
	value value // off is not set
}

// columns reads what TEXT says of each parameter.
func (p *fcsPart) columns(in *input, warn *[]string) ([]fcsColumn, error) {
	t := p.text
	if mode, _ := t.get("$MODE"); mode != "" && !strings.EqualFold(mode, "L") {
		return nil, in.problem(exportAgain, "holds histograms, not events ($MODE is %s)", mode)
	}
	par, ok := t.integer("$PAR")
	switch {
	case !ok:
		return nil, in.problem(exportAgain, "does not say how many columns it has ($PAR is missing or no number)")
	case par <= 0:
		return nil, in.problem(exportAgain, "holds no columns ($PAR is %d)", par)
	case par > int64(len(t.values)): // each needs several keywords
		return nil, in.problem(copyAgain, "says that it has %s columns and describes fewer ($PAR)", thousands(par))
	}
	datatype, _ := t.get("$DATATYPE")
	if datatype == "" {
		return nil, in.problem(exportAgain, "does not say how its values are written ($DATATYPE is missing)")
	}
	byteOrder, _ := t.get("$BYTEORD")
	cols := make([]fcsColumn, par)
	names := make([]string, par)
	unnamed := 0
	for i := range cols {
		c := &cols[i]
		key := func(suffix string) string { return "$P" + strconv.Itoa(i+1) + suffix }
		names[i], _ = t.get(key("N"))
		if names[i] == "" {
			names[i] = "P" + strconv.Itoa(i+1)
			unnamed++
		}
		c.Label, _ = t.get(key("S"))
		kind := datatype
		if own, _ := t.get(key("DATATYPE")); own != "" { // FCS 3.2
			kind = own
		}
		if err := c.layout(in, i, names[i], strings.ToUpper(kind), byteOrder, t, warn); err != nil {
			return nil, err
		}
		c.scales(t, key, strings.EqualFold(kind, "I"))
	}
	p.vague = t.vague(par)
	if unnamed > 0 {
		*warn = append(*warn, fmt.Sprintf(
			"%d columns have no name ($PnN): they are called P1, P2 and so on by their place", unnamed))
	}
	*warn = append(*warn, uniqueNames(names)...)
	*warn = append(*warn, gained(cols, names)...)
	for i := range cols {
		cols[i].Name = names[i]
	}
	return cols, nil
}

// layout finds how the values of a column are written.
func (c *fcsColumn) layout(in *input, i int, name, datatype, byteOrder string, t *fcsText, warn *[]string) error {
	keyB := "$P" + strconv.Itoa(i+1) + "B"
	column := fmt.Sprintf("column %d (%s)", i+1, name)
	width, okWidth := t.integer(keyB)
	switch datatype {
	case "F", "D":
		c.value.kind = kindFloat
		want := int64(32)
		if datatype == "D" {
			want = 64
		}
		if okWidth && width != want {
			return in.problem(exportAgain, "%s has %d bits (%s), and numbers of type %s have %d", column, width, keyB,
				datatype, want)
		}
		width = want
	case "I":
		c.value.kind = kindUint
		if !okWidth {
			return in.problem(exportAgain, "%s does not say how many bits it has (%s)", column, keyB)
		}
		if width <= 0 || width > 64 || width%8 != 0 {
			return in.problem(exportAgain, "%s has %d bits (%s): only whole bytes up to 64 bits can be read", column,
				width, keyB)
		}
	case "A":
		return in.problem(exportAgain, "%s is written as text ($DATATYPE A), which is out of use and not read", column)
	default:
		return in.problem(exportAgain, "%s is of type %q ($DATATYPE), which is not known", column, datatype)
	}
	var ok bool
	if c.value.order, ok = fcsOrder(byteOrder, int(width/8)); !ok {
		return in.problem(exportAgain, "the byte order %q ($BYTEORD) makes no sense for %d bits", byteOrder, width)
	}
	if datatype == "I" {
		c.value.mask = fcsMask(t, i, int(width), column, warn)
	}
	return nil
}

// fcsOrder returns the order of the bytes of a value of width bytes from $BYTEORD, which lists for each
// byte in the file its significance, 1 the least: "1,2,3,4" is little endian, "4,3,2,1" big, "3,4,1,2"
// mixed. What it says of 4 bytes holds for other widths where it is plainly the one or the other.
func fcsOrder(byteOrder string, width int) (order, bool) {
	if width == 1 {
		return order{0}, true
	}
	words := strings.Split(byteOrder, ",")
	n := make([]int, len(words))
	seen := make([]bool, len(words)+1)
	for i, w := range words {
		k, err := strconv.Atoi(strings.TrimSpace(w))
		if err != nil || k < 1 || k > len(words) || seen[k] {
			return nil, false
		}
		n[i], seen[k] = k, true
	}
	up, down := true, true
	for i := 1; i < len(n); i++ {
		up = up && n[i] > n[i-1]
		down = down && n[i] < n[i-1]
	}
	switch {
	case len(n) == 1, !up && !down && len(n) < width, !up && !down && width != len(n) && len(n)%width != 0:
		return nil, false
	case up:
		return littleEndian(width), true
	case down:
		return bigEndian(width), true
	}
	// Mixed: the bytes of a narrower value keep the order that they have among themselves.
	o := make(order, width)
	for i := range o {
		for j := range width {
			if n[j] < n[i] {
				o[i] += 8
			}
		}
	}
	return o, true
}

// fcsMask returns which bits of an integer count: $PnR is the number of channels, and instruments leave
// other things in the bits above (FCS 3.1, 3.2.20). 0 means all bits.
func fcsMask(t *fcsText, i, width int, column string, warn *[]string) uint64 {
	keyR := "$P" + strconv.Itoa(i+1) + "R"
	r, ok := t.number(keyR)
	if !ok || r < 2 {
		*warn = append(*warn, fmt.Sprintf("%s does not say its range (%s): all of its %d bits were taken", column,
			keyR, width))
		return 0
	}
	if r > math.Ldexp(1, width-1) {
		return 0
	}
	return 1<<bits.Len64(uint64(math.Ceil(r))-1) - 1
}

// vague says in what the keywords of columns contradict that there are par of them: many of these have
// no $PnN or no $PnB, both of which the standard requires, or a further one has both. "" if in nothing.
func (t *fcsText) vague(par int64) string {
	has := func(n int64, suffix string) bool {
		v, _ := t.get("$P" + strconv.FormatInt(n, 10) + suffix)
		return v != ""
	}
	bare := int64(0)
	for n := int64(1); n <= par; n++ {
		if !has(n, "N") || !has(n, "B") {
			bare++
		}
	}
	switch {
	case 4*bare >= par:
		return fmt.Sprintf("%s of them lack $PnN or $PnB", thousands(bare))
	case has(par+1, "N") && has(par+1, "B"):
		return "describes more"
	}
	return ""
}

// gained says which columns have a linear amplification: as in other programs their values are left as they are stored.
func gained(cols []fcsColumn, names []string) []string {
	var list []string
	for i := range cols {
		if g := cols[i].Gain; g != 0 && g != 1 {
			list = append(list, names[i])
		}
	}
	if len(list) == 0 {
		return nil
	}
	more := ""
	if n := len(list); n > 4 {
		list, more = list[:3], fmt.Sprintf(" and %d more", n-3)
	}
	return []string{fmt.Sprintf("values of %s%s are as stored: their gain ($PnG) is not divided out",
		strings.Join(list, ", "), more)}
}

// scales reads amplification and range.
func (c *fcsColumn) scales(t *fcsText, key func(string) string, integer bool) {
	if r, ok := t.number(key("R")); ok && r > 0 {
		c.Range = r
	}
	if g, ok := t.number(key("G")); ok && g > 0 {
		c.Gain = g
	}
	e, _ := t.get(key("E"))
	if own, _ := t.get(amplificationKeyword(key)); own != "" {
		e = own
	} else if !integer {
		return // the standard has "0,0" for floats; what else is there is no amplification
	}
	a, b, _ := strings.Cut(e, ",")
	decades, err := strconv.ParseFloat(strings.TrimSpace(a), 64)
	if err != nil || !(decades > 0) || math.IsInf(decades, 0) || c.Range <= 0 {
		return
	}
	offset, err := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if err != nil || !(offset > 0) || math.IsInf(offset, 0) {
		offset = 1 // "4,0" is written for "4,1" (FCS 3.1, 3.2.20)
	}
	c.Log = &dataset.LogScale{Decades: decades, Offset: offset, Range: c.Range}
}

// amplificationKeyword keeps $PnE of raw values that are written as floats, for which $PnE must be
// "0,0", with the $PnR that belongs to it.
func amplificationKeyword(key func(string) string) string {
	return "BLOSSOM " + strings.TrimPrefix(key("E"), "$")
}
