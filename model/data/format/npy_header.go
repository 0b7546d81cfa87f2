package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
)

const npyMagic = "\x93NUMPY"

// npyArray is what the header of an NPY array says.
type npyArray struct {
	descr   string
	fortran bool
	shape   []int64
	data    int64 // bytes of the header: where the values begin
	width   int   // bytes of a value
	value   value // kind of its numbers
	text    bool  // strings: 'U' (4 bytes a letter) or 'S'
}

var (
	npyDescr   = pattern.Of(`['"]descr['"]\s*:\s*(['"]([^'"]*)['"]|\[)`)
	npyFortran = pattern.Of(`['"]fortran_order['"]\s*:\s*(True|False)`)
	npyShape   = pattern.Of(`['"]shape['"]\s*:\s*\(([^)]*)\)`)
)

// parseNPYHeader reads the header at the start of head, which is the beginning of an array:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html, versions 1.0 to 3.0.
// need is how many bytes the header takes; where head has fewer, call again with that many.
// wrong says what is wrong with it, and what of it.
func parseNPYHeader(head []byte) (a *npyArray, need int64, wrong string) {
	if len(head) < 10 {
		return nil, 12, "is cut within its header"
	}
	if !bytes.HasPrefix(head, []byte(npyMagic)) {
		return nil, 0, "is not a NumPy array: it does not begin with \\x93NUMPY"
	}
	start := int64(10)
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
	case 2, 3:
		if len(head) < 12 {
			return nil, 12, "is cut within its header"
		}
		start, length = 12, int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		return nil, 0, fmt.Sprintf("is of version %d of the NumPy format; 1 to 3 are known", head[6])
	}
	if need = start + length; need > int64(len(head)) {
		return nil, need, "is cut within its header"
	}
	dict := string(head[start:need])
	descr, fortran, shape := npyDescr().FindStringSubmatch(dict), npyFortran().FindStringSubmatch(dict),
		npyShape().FindStringSubmatch(dict)
	if descr == nil || fortran == nil || shape == nil {
		return nil, need, "is damaged: its header names no type, order or shape"
	}
	if descr[1] == "[" {
		return nil, need, "holds records of several fields, not a plain array"
	}
	a = &npyArray{descr: descr[2], fortran: fortran[1] == "True", data: need}
	for _, word := range strings.Split(shape[1], ",") {
		word = strings.TrimSuffix(strings.TrimSpace(word), "L") // Python 2 wrote 3L
		if word == "" {
			continue
		}
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n < 0 {
			return nil, need, fmt.Sprintf("is damaged: its shape is (%s)", shape[1])
		}
		a.shape = append(a.shape, n)
	}
	if wrong := a.setType(); wrong != "" {
		return nil, need, wrong
	}
	if a.size() < 0 {
		return nil, need, fmt.Sprintf("is damaged: its shape is (%s)", shape[1])
	}
	return a, need, ""
}

// setType understands descr: byte order, letter, bytes ("<f4").
func (a *npyArray) setType() (wrong string) {
	d := a.descr
	big := false
	if d != "" && strings.ContainsRune("<>|=", rune(d[0])) {
		big = d[0] == '>'
		d = d[1:]
	}
	unknown := fmt.Sprintf("holds values of type %q; numbers, truth values and texts can be read", a.descr)
	if strings.HasPrefix(d, "O") { // NumPy writes no width
		return "holds Python objects, which are not read: they can run programs"
	}
	if len(d) < 2 {
		return unknown
	}
	n, err := strconv.Atoi(d[1:])
	if err != nil || n < 0 || n > 1<<20 {
		return unknown
	}
	ok := false
	switch d[0] {
	case 'f':
		a.value.kind, ok = kindFloat, n == 2 || n == 4 || n == 8
	case 'i':
		a.value.kind, ok = kindInt, n == 1 || n == 2 || n == 4 || n == 8
	case 'u':
		a.value.kind, ok = kindUint, n == 1 || n == 2 || n == 4 || n == 8
	case 'b':
		a.value.kind, ok = kindUint, n == 1
	case 'S', 'a':
		a.text, ok = true, true
	case 'U':
		a.text, ok = true, true
		n *= 4
	}
	if !ok {
		return unknown
	}
	if a.width = n; a.text {
		return ""
	}
	if a.value.order = littleEndian(n); big {
		a.value.order = bigEndian(n)
	}
	return ""
}

// size is how many bytes the values take; -1 if that is no sensible number.
func (a *npyArray) size() int64 {
	total := float64(a.width)
	n := int64(a.width)
	for _, s := range a.shape {
		total *= float64(s)
		if s > 0 && total > math.MaxInt64/4 {
			return -1
		}
		n *= s
	}
	return n
}

// matrix returns the array as rows and columns: one dimension is a column, and dimensions of 1 after
// the second do not count.
func (a *npyArray) matrix() (rows, cols int64, ok bool) {
	switch s := a.shape; {
	case len(s) == 1:
		return s[0], 1, true
	case len(s) >= 2:
		for _, n := range s[2:] {
			if n != 1 {
				return 0, 0, false
			}
		}
		return s[0], s[1], true
	}
	return 0, 0, false
}
