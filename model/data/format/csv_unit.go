package format

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"blossom/model/data/dataset"
)

// unit is what the numbers of a column are written with besides digits: a sign of money or of a share, or they are
// dates. "" is plain numbers.
type unit string

// Dates are days since the beginning of 1970, in UTC, a day alone or with a time: as ISO 8601 has them, or with points
// or strokes between day, month and year.
const (
	isoDate   unit = "2006-01-02"
	pointDate unit = "02.01.2006"
	dayDate   unit = "02/01/2006"
	monthDate unit = "01/02/2006"
)

// dateUnits are those of dates; which of the last two a column has is known where a day is beyond the twelfth.
var dateUnits = []unit{isoDate, pointDate, dayDate, monthDate}

func (u unit) isDate() bool { return slices.Contains(dateUnits, u) }

// said tells how numbers with the unit were read.
func (u unit) said() string {
	const days = "dates are read as days since the beginning of 1970"
	switch u {
	case isoDate, pointDate:
		return days
	case dayDate:
		return days + ", with the day before the month"
	case monthDate:
		return days + ", with the month before the day"
	case brackets:
		return "numbers in brackets are below zero"
	}
	return "the numbers are in " + string(u)
}

// brackets stand around a number that is below zero, as in accounts.
const brackets unit = "()"

// signs may stand before or behind a number, with or without a space between.
var signs = []unit{"%", "‰", "$", "€", "£", "¥"}

// splitSign takes a sign off a cell. "" where the cell has none, or nothing beside it.
func splitSign(cell []byte) (bare []byte, sign unit) {
	if n := len(cell); n > 2 && cell[0] == '(' && cell[n-1] == ')' {
		if bare, sign = splitSign(trimUnit(cell[1 : n-1])); sign == "" {
			sign = brackets
		}
		return append([]byte{'-'}, bare...), sign
	}
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
	if f.unit == "" || f.unit.isDate() {
		return cell
	}
	if rest, sign := splitSign(cell); sign == f.unit || sign == brackets {
		return rest
	}
	return cell
}

// readDate is read for a cell, not absent, of a column of dates. A number without a date's form is none: as days it
// would be another day than the one meant, and nothing would tell.
func (f cellForm) readDate(cell []byte) (cellKind, number) {
	if days, ok := f.unit.date(cell); ok {
		return cellNumber, number{value: float32(days), length: int32(len(cell)), is: inexact}
	}
	if n := scanNumber(cell, f.mark); int(n.length) == len(cell) && f.missing.number(n.value, cell) {
		return cellMissing, number{value: nan32}
	}
	if len(cell) <= longestWord && blankWords[strings.ToLower(string(cell))] {
		return cellMissing, number{value: nan32, is: word}
	}
	return cellText, number{value: nan32}
}

// float64 returns a number that was read from a cell with all the digits that float64 holds.
func (f cellForm) float64(n number, cell []byte) float64 {
	cell = trimCell(cell)
	if days, ok := f.unit.date(cell); ok {
		return days
	}
	return n.float64(f.bare(cell), f.mark)
}

// clocks are how a time may stand behind a day.
var clocks = []string{"", "T15:04", " 15:04", "T15:04:05", " 15:04:05", "T15:04:05Z07:00"}

// layouts are all forms of a unit; but for ISO 8601 days and months may have one digit.
var layouts = func() map[unit][]string {
	out := map[unit][]string{}
	for _, u := range dateUnits {
		day := string(u)
		if u != isoDate {
			day = strings.NewReplacer("01", "1", "02", "2").Replace(day)
		}
		for _, clock := range clocks {
			out[u] = append(out[u], day+clock)
		}
	}
	return out
}()

// compactDate is how ISO 8601 has days without strokes: among days with them such a number can be nothing else.
const compactDate = "20060102"

// date returns the day and the part of it that a cell says, which is written in the form of the unit; ok is false for
// other cells and units.
func (u unit) date(cell []byte) (days float64, ok bool) {
	if u == isoDate && len(cell) == len(compactDate) {
		t, err := time.ParseInLocation(compactDate, string(cell), time.UTC)
		return float64(t.Unix()) / (24 * 60 * 60), err == nil
	}
	if !u.isDate() || len(cell) < 8 || len(cell) > 35 || u == isoDate && len(cell) < 10 {
		return 0, false
	}
	if mark := strings.Trim(string(u), "0126")[0]; bytes.IndexByte(cell[:6], mark) < 1 {
		return 0, false
	}
	for _, layout := range layouts[u] {
		if t, err := time.ParseInLocation(layout, string(cell), time.UTC); err == nil {
			return (float64(t.Unix()) + float64(t.Nanosecond())/1e9) / (24 * 60 * 60), true
		}
	}
	return 0, false
}

// unitOf finds the unit of column j: the one that every cell has that is neither missing nor a plain number. asked says
// that the column is to be numbers, whatever else is in it: then the unit of most cells that have one. Among more plain
// numbers than dates a date is a mistake.
func (d *dialect) unitOf(j int, body []sniffedRecord, asked bool) unit {
	count, words, plain := map[unit]int{}, 0, 0
	f := d.form(j)
	f.unit = ""
	for _, rec := range body {
		if j >= len(rec.cells) {
			continue
		}
		cell := trimCell(rec.cells[j])
		if kind, _ := f.read(cell); kind != cellText {
			if _, day := isoDate.date(cell); kind == cellNumber && !day {
				plain++
			}
			continue
		}
		words++
		dated := false
		for _, u := range dateUnits {
			if _, ok := u.date(cell); ok {
				count[u]++
				dated = true
			}
		}
		if dated {
			continue
		}
		if rest, sign := splitSign(cell); sign != "" {
			if kind, _ := f.read(rest); kind == cellNumber {
				count[sign]++
			}
		}
	}
	if count[dayDate] == count[monthDate] { // nothing says which is the day
		delete(count, dayDate)
		delete(count, monthDate)
	}
	best, most, below := unit(""), 0, count[brackets]
	for u, n := range count {
		if u != brackets && !u.isDate() {
			n += below // which may stand without the sign
		}
		if u.isDate() && n < plain {
			continue
		}
		if (n == words || asked && 2*n > words) && n > most {
			best, most = u, n
		}
	}
	return best
}

// why is the reason for which column j is left out of the map, as far as its cells tell: dates are.
func (d *dialect) why(j int) string {
	if d.units != nil && !d.text[j] && d.units[j].isDate() {
		return dataset.Dates
	}
	return ""
}
