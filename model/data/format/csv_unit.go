package format

import (
	"bytes"
	"time"

	"blossom/model/data/dataset"
)

// unit is what the numbers of a column are written with besides digits: a sign of money or of a share, or they are
// dates. "" is plain numbers.
type unit string

// dates are days since the beginning of 1970, in UTC: ISO 8601, a day alone or with a time.
const dates unit = "date"

// signs may stand before or behind a number, with or without a space between.
var signs = []unit{"%", "‰", "$", "€", "£", "¥"}

// splitSign takes a sign off a cell. "" where the cell has none, or nothing beside it.
func splitSign(cell []byte) (bare []byte, sign unit) {
	for _, s := range signs {
		if rest, ok := bytes.CutSuffix(cell, []byte(s)); ok && len(rest) > 0 {
			return trimUnit(rest), s
		}
		rest, ok := bytes.CutPrefix(cell, []byte(s))
		if ok && len(rest) > 0 {
			return trimUnit(rest), s
		}
		// -$5 is how much is owed.
		if len(cell) > 1 && cell[0] == '-' {
			rest, ok := bytes.CutPrefix(cell[1:], []byte(s))
			if ok && len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
				return append([]byte{'-'}, rest...), s
			}
		}
	}
	return cell, ""
}

// trimUnit takes off the spaces between a number and its sign, no-break ones too.
func trimUnit(cell []byte) []byte { return bytes.Trim(cell, " \u00a0\u202f") }

// bare is a cell without its sign, if the column has one.
func (f cellForm) bare(cell []byte) []byte {
	if f.unit == "" || f.unit == dates {
		return cell
	}
	if rest, sign := splitSign(cell); sign == f.unit {
		return rest
	}
	return cell
}

// float64 returns a number that was read from a cell with all the digits that float64 holds.
func (f cellForm) float64(n number, cell []byte) float64 {
	cell = trimCell(cell)
	if f.unit == dates {
		if days, ok := readDate(cell); ok {
			return days
		}
	}
	return n.float64(f.bare(cell), f.mark)
}

// dateLayouts are the forms of ISO 8601 that are read, by their lengths.
var dateLayouts = []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05",
	"2006-01-02 15:04:05", time.RFC3339}

// readDate returns the day and the part of it that a cell says.
func readDate(cell []byte) (days float64, ok bool) {
	if len(cell) < 10 || len(cell) > 35 || cell[4] != '-' || cell[7] != '-' {
		return 0, false
	}
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, string(cell), time.UTC); err == nil {
			return (float64(t.Unix()) + float64(t.Nanosecond())/1e9) / (24 * 60 * 60), true
		}
	}
	return 0, false
}

// unitOf finds the unit of column j: the one that every cell has that is neither missing nor a plain number. asked says
// that the column is to be numbers, whatever else is in it: then the unit of most cells that have one.
func (d *dialect) unitOf(j int, body []sniffedRecord, asked bool) unit {
	count, words := map[unit]int{}, 0
	f := d.form(j)
	f.unit = ""
	for _, rec := range body {
		if j >= len(rec.cells) {
			continue
		}
		cell := trimCell(rec.cells[j])
		if kind, _ := f.read(cell); kind != cellText {
			continue
		}
		words++
		if _, ok := readDate(cell); ok {
			count[dates]++
		} else if rest, sign := splitSign(cell); sign != "" {
			if kind, _ := f.read(rest); kind == cellNumber {
				count[sign]++
			}
		}
	}
	for u, n := range count {
		if n == words || asked && 2*n > words {
			return u
		}
	}
	return ""
}

// why is the reason for which column j is left out of the map, as far as its cells tell: dates are.
func (d *dialect) why(j int) string {
	if d.units != nil && !d.text[j] && d.units[j] == dates {
		return dataset.Dates
	}
	return ""
}
