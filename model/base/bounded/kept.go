package bounded

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Kept says in plain words what of the JSON given is not in the JSON kept, which a program has made of what it read; ""
// if all is: a word that it does not know and took for its default, a number that cannot be and was bounded, a field in
// other letters, null. Empty values may be left out, and numbers may be as float32 has them.
func Kept(given, kept []byte) string {
	var a, b any
	switch err := cmp.Or(Unmarshal(given, &a), Unmarshal(kept, &b)); {
	case errors.Is(err, ErrLarge):
		return "it " + ErrLarge.Error()
	case err != nil:
		return "" // who reads it says what is wrong
	}
	return lost("", a, b)
}

func lost(where string, given, kept any) string {
	switch g := given.(type) {
	case map[string]any:
		k, ok := kept.(map[string]any)
		if !ok && !(kept == nil && len(g) == 0) {
			return fmt.Sprintf("%sit makes no sense", at(where))
		}
		var names []string // without those that say nothing, of which there may be very many
		for name, v := range g {
			if inner, there := k[name]; !(!there && empty(v) || there && v == nil && inner == nil) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if flaw := lost(within(where, name), g[name], k[name]); flaw != "" {
				return flaw
			}
		}
		return ""
	case []any:
		k, ok := kept.([]any)
		if len(g) != len(k) || !ok && len(g) > 0 {
			return fmt.Sprintf("%s%d of %d entries make sense", at(where), len(k), len(g))
		}
		for i := range g {
			if flaw := lost(fmt.Sprintf("%s[%d]", where, i+1), g[i], k[i]); flaw != "" {
				return flaw
			}
		}
		return ""
	case float64:
		if k, ok := kept.(float64); ok && (g == k || float32(g) == float32(k)) {
			return ""
		}
	case nil:
		return at(where) + "null is no value"
	default:
		if reflect.DeepEqual(given, kept) {
			return ""
		}
	}
	return fmt.Sprintf("%s%s is not possible", at(where), short(given))
}

// empty says whether a value is what a field has that is left out.
func empty(v any) bool {
	switch x := v.(type) {
	case map[string]any:
		return len(x) == 0
	case []any:
		return len(x) == 0
	}
	return v != nil && reflect.ValueOf(v).IsZero()
}

// short is a value as JSON, not too long for a line.
func short(v any) string {
	text, _ := json.Marshal(v)
	if r := []rune(string(text)); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return string(text)
}

func at(where string) string {
	if where == "" {
		return ""
	}
	return where + ": "
}

func within(where, name string) string {
	if r := []rune(name); len(r) > 60 {
		name = string(r[:59]) + "…"
	}
	if where == "" {
		return name
	}
	return where + "." + name
}

// Twice is a name that an object of the JSON has twice, "" if none has: readers take one of the two without a word.
func Twice(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	type level struct {
		names map[string]bool // nil in a list
		value bool            // the next token of an object is a value
	}
	var open []*level
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		delim, _ := token.(json.Delim)
		if delim == '}' || delim == ']' {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open); n > 0 && open[n-1].names != nil {
			if in := open[n-1]; !in.value {
				name, _ := token.(string)
				if in.names[name] {
					return name
				}
				in.names[name], in.value = true, true
				continue
			}
			open[n-1].value = false
		}
		switch delim {
		case '{':
			open = append(open, &level{names: map[string]bool{}})
		case '[':
			open = append(open, &level{})
		}
	}
}
