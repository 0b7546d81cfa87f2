package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
)

// jsonKind is what a value of JSON is.
type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonNumber
	jsonTruth
	jsonText
	jsonList  // numbers, or nothing
	jsonOther // an object, or a list of other things
)

// jsonValue is a value of JSON. Text and list are valid until the next one is read.
type jsonValue struct {
	kind   jsonKind
	number float64
	text   []byte
	list   []float64
}

// jsonScan reads one object.
type jsonScan struct {
	b    []byte
	at   int
	list []float64
}

var errJSON = errors.New("is no object of JSON, or is cut")

const deepestJSON = 64

// object reads the object that is all of b, and hands on its names and values.
func (s *jsonScan) object(each func(name []byte, v jsonValue)) error {
	if !s.next('{') {
		return errJSON
	}
	for first := true; !s.next('}'); first = false {
		if !first && !s.next(',') {
			return errJSON
		}
		s.space()
		name, ok := s.text()
		if !ok || !s.next(':') {
			return errJSON
		}
		v, ok := s.value()
		if !ok {
			return errJSON
		}
		each(name, v)
	}
	if s.space(); s.at < len(s.b) {
		return errJSON
	}
	return nil
}

func (s *jsonScan) space() {
	for s.at < len(s.b) && (s.b[s.at] == ' ' || s.b[s.at] == '\t' || s.b[s.at] == '\r' || s.b[s.at] == '\n') {
		s.at++
	}
}

// next passes over a sign, if it comes next.
func (s *jsonScan) next(sign byte) bool {
	if s.space(); s.at < len(s.b) && s.b[s.at] == sign {
		s.at++
		return true
	}
	return false
}

// text reads a text in quotes.
func (s *jsonScan) text() ([]byte, bool) {
	if s.at >= len(s.b) || s.b[s.at] != '"' {
		return nil, false
	}
	start, plain := s.at, true
	for s.at++; s.at < len(s.b); s.at++ {
		switch c := s.b[s.at]; {
		case c == '"':
			s.at++
			if plain {
				return s.b[start+1 : s.at-1], true
			}
			var out string
			err := json.Unmarshal(s.b[start:s.at], &out)
			return []byte(out), err == nil
		case c == '\\':
			plain = false
			s.at++
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

var jsonWords = []struct {
	word string
	v    jsonValue
}{{"null", jsonValue{}}, {"true", jsonValue{kind: jsonTruth, number: 1}}, {"false", jsonValue{kind: jsonTruth}},
	{"NaN", jsonValue{}}, {"Infinity", jsonValue{kind: jsonNumber, number: math.Inf(1)}},
	{"-Infinity", jsonValue{kind: jsonNumber, number: math.Inf(-1)}}} // the latter are what Python writes

// value reads a value of any kind.
func (s *jsonScan) value() (jsonValue, bool) {
	s.space()
	rest := s.b[s.at:]
	if len(rest) == 0 {
		return jsonValue{}, false
	}
	switch rest[0] {
	case '"':
		text, ok := s.text()
		return jsonValue{kind: jsonText, text: text}, ok
	case '{':
		return jsonValue{kind: jsonOther}, s.skip(0)
	case '[':
		return s.numbers()
	}
	for _, w := range jsonWords {
		if bytes.HasPrefix(rest, []byte(w.word)) {
			s.at += len(w.word)
			return w.v, true
		}
	}
	x, ok := s.number()
	return jsonValue{kind: jsonNumber, number: x}, ok
}

func (s *jsonScan) number() (float64, bool) {
	end := s.at
	for end < len(s.b) && bytes.IndexByte([]byte("+-.0123456789eE"), s.b[end]) >= 0 {
		end++
	}
	digits := s.b[s.at:end]
	n := scanNumber(digits, '.')
	if len(digits) == 0 || int(n.length) != len(digits) || digits[0] == '+' {
		return 0, false
	}
	s.at = end
	return n.float64(digits, '.'), true
}

// numbers reads a list; of other things than numbers it only passes over it.
func (s *jsonScan) numbers() (jsonValue, bool) {
	start := s.at
	s.at++
	s.list = s.list[:0]
	for first := true; !s.next(']'); first = false {
		if !first && !s.next(',') {
			return jsonValue{}, false
		}
		if s.space(); s.at < len(s.b) && (s.b[s.at] == '[' || s.b[s.at] == '{' || s.b[s.at] == '"') {
			s.at = start
			return jsonValue{kind: jsonOther}, s.skip(0)
		}
		v, ok := s.value()
		if !ok {
			return jsonValue{}, false
		}
		if v.kind == jsonNull {
			v.number = math.NaN()
		}
		s.list = append(s.list, v.number)
	}
	return jsonValue{kind: jsonList, list: s.list}, true
}

// skip passes over an object or a list with all that is in it.
func (s *jsonScan) skip(depth int) bool {
	if s.space(); depth > deepestJSON || s.at >= len(s.b) {
		return false
	}
	open := s.b[s.at]
	if open != '{' && open != '[' {
		_, ok := s.value()
		return ok
	}
	s.at++
	for first := true; !s.next(open + 2); first = false { // } and ] come two signs behind { and [
		if !first && !s.next(',') {
			return false
		}
		if open == '{' {
			s.space()
			if _, ok := s.text(); !ok || !s.next(':') {
				return false
			}
		}
		if !s.skip(depth + 1) {
			return false
		}
	}
	return true
}
