package bounded

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// grown is how much more than its content a list takes while it grows: the old one and the new one are there at once.
const grown = 2

// entry is what a map takes for each of its entries beside the value.
const entry = 100

var rawMessage = reflect.TypeFor[json.RawMessage]()

// becomes estimates what a text becomes as a value of a type: an element of a list takes what its type does, also where
// the text has another kind of thing in its place, which json passes over. A text that is no JSON is worth something
// too.
func becomes(text []byte, t reflect.Type) int64 {
	w := walk{text: text}
	w.value(t, 0)
	return w.cost
}

// walk goes through a text once. Its types are nil within what is made nothing of.
type walk struct {
	text []byte
	at   int
	cost int64
}

// next is the next character that is no space, 0 at the end.
func (w *walk) next() byte {
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return c
		}
	}
	return 0
}

func (w *walk) value(t reflect.Type, depth int) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
		w.cost += int64(t.Size())
	}
	if t == rawMessage || depth > Depth {
		t = nil
	}
	switch w.next() {
	case '{':
		w.object(t, depth)
	case '[':
		w.list(t, depth)
	case '"':
		w.words()
	default:
		for w.at < len(w.text) && strings.IndexByte(",:]} \t\r\n", w.text[w.at]) < 0 {
			w.at++
		}
	}
}

func (w *walk) list(t reflect.Type, depth int) {
	var of reflect.Type
	each := int64(0)
	switch {
	case t == nil:
	case t.Kind() == reflect.Slice:
		of = t.Elem()
		each = grown * int64(of.Size())
	case t.Kind() == reflect.Array:
		of = t.Elem()
	case t.Kind() == reflect.Interface:
		of, each = t, grown*int64(t.Size())+valueCost
		w.cost += arrayCost
	}
	for w.at++; w.more(']'); {
		w.cost += each
		w.value(of, depth+1)
	}
}

func (w *walk) object(t reflect.Type, depth int) {
	var fields map[string]reflect.Type
	var of reflect.Type
	each := int64(0)
	switch {
	case t == nil:
	case t.Kind() == reflect.Struct:
		fields = fieldsOf(t)
	case t.Kind() == reflect.Map:
		of = t.Elem()
		each = entry + grown*int64(of.Size())
	case t.Kind() == reflect.Interface:
		of, each = t, entry
		w.cost += objectCost
	}
	for w.at++; w.more('}'); {
		w.cost += each
		if w.next() != '"' { // no JSON
			w.at++
			continue
		}
		name := w.words()
		if fields != nil {
			of = fields[string(bytes.ToLower(name))]
		}
		w.value(of, depth+1)
	}
}

// more says whether a list or an object goes on, and passes its end.
func (w *walk) more(end byte) bool {
	switch w.next() {
	case 0:
		return false
	case ']', '}':
		w.at++
		return false
	}
	return true
}

// words passes a text, and returns it as it stands.
func (w *walk) words() []byte {
	from := w.at + 1
	for w.at++; w.at < len(w.text) && w.text[w.at] != '"'; w.at++ {
		if w.text[w.at] == '\\' {
			w.at++
		}
	}
	to := min(w.at, len(w.text))
	w.at++
	return w.text[min(from, to):to]
}

var known sync.Map // fieldsOf by reflect.Type

// fieldsOf are the types of a struct's fields by the names that they have in JSON, in small letters.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if f, ok := known.Load(t); ok {
		return f.(map[string]reflect.Type)
	}
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		out[strings.ToLower(name)] = f.Type
	}
	known.Store(t, out)
	return out
}
