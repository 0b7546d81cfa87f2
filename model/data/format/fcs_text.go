package format

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fcsText is the keywords of a TEXT segment.
type fcsText struct {
	delimiter byte
	values    map[string]string // by upper-case keyword
	spelled   map[string]string // upper-case keyword to how the file writes it
	warnings  []string
}

// parseFCSText reads keywords and values. The first byte is the delimiter; two of them in a row within
// a value stand for one that belongs to it. Writers also leave values empty, which the standard forbids
// and which looks the same: a delimiter is taken to belong to a value that has begun, and to end one
// that has not, because no value may begin with it.
func parseFCSText(raw []byte) *fcsText {
	t := &fcsText{values: map[string]string{}, spelled: map[string]string{}}
	if len(raw) == 0 {
		return t
	}
	d := raw[0]
	t.delimiter = d
	repeated := 0
	for i := 1; i < len(raw); {
		// A keyword ends at the first delimiter.
		start := i
		for i < len(raw) && raw[i] != d {
			i++
		}
		key := strings.Trim(string(raw[start:i]), " \t\r\n\x00")
		if i++; i >= len(raw) {
			break // padding, or a keyword that lost its value
		}
		value := make([]byte, 0, 32)
		for i < len(raw) {
			if raw[i] != d {
				value = append(value, raw[i])
				i++
				continue
			}
			run := 1
			for i+run < len(raw) && raw[i+run] == d {
				run++
			}
			i += run
			if i >= len(raw) { // at the end of the segment they are only padding
				break
			}
			for range run / 2 {
				value = append(value, d)
			}
			if run%2 == 1 {
				break
			}
		}
		if key == "" {
			continue
		}
		upper := strings.ToUpper(key)
		if _, ok := t.values[upper]; ok {
			repeated++
			continue
		}
		t.values[upper] = strings.Trim(decodeText(value), " \t\r\n\x00")
		t.spelled[upper] = decodeText([]byte(key))
	}
	if repeated > 0 {
		t.warnings = append(t.warnings, fmt.Sprintf("%d keywords occur more than once: the first of each counts",
			repeated))
	}
	return t
}

// merge adds the keywords of o that t does not have.
func (t *fcsText) merge(o *fcsText) {
	for k, v := range o.values {
		if _, ok := t.values[k]; !ok {
			t.values[k], t.spelled[k] = v, o.spelled[k]
		}
	}
}

// decodeText returns UTF-8; what is not UTF-8 is taken for Latin-1, as older instruments write.
func decodeText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	r := make([]rune, len(b))
	for i, c := range b {
		r[i] = rune(c)
	}
	return string(r)
}

// get returns the value of the first of the keywords that has one.
func (t *fcsText) get(keywords ...string) (value, keyword string) {
	for _, k := range keywords {
		if v := t.values[k]; v != "" {
			return v, k
		}
	}
	return "", ""
}

// integer returns the value of a keyword that holds a whole number.
func (t *fcsText) integer(keyword string) (int64, bool) {
	v, _ := t.get(keyword)
	if n, err := strconv.ParseInt(v, 10, 64); err == nil {
		return n, true
	}
	// Some writers put "19225.0" or a plus sign.
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || f != float64(int64(f)) || f > 1<<62 || f < -1<<62 {
		return 0, false
	}
	return int64(f), true
}

func (t *fcsText) number(keyword string) (float64, bool) {
	v, _ := t.get(keyword)
	f, err := strconv.ParseFloat(v, 64)
	return f, err == nil && f-f == 0
}

func (t *fcsText) metadata() map[string]string {
	m := make(map[string]string, len(t.values)+1)
	for k, v := range t.values {
		m[t.spelled[k]] = v
	}
	return m
}
