package ui

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
)

// Several windows share one file of settings, and each writes it: what another has changed meanwhile stays, unless this
// one has changed it, too.

// asJSON are the settings as JSON has them, for comparing.
func (s *Settings) asJSON() any {
	text, err := json.Marshal(s.written())
	if err != nil {
		return nil
	}
	return valueOf(text)
}

// valueOf is what a text of JSON says, nil where it is none.
func valueOf(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return nil
	}
	return value
}

// merged is what the file is to say: its own values but for those that have been changed here since it was read.
func (s *Settings) merged(ours any) any {
	text, err := os.ReadFile(s.path)
	if err != nil {
		return ours
	}
	theirs, ok := valueOf(text).(map[string]any)
	if !ok {
		return ours
	}
	return merge(s.was, theirs, ours)
}

// merge puts changes of one who began with base into what another has made of it.
func merge(base, theirs, ours any) any {
	if reflect.DeepEqual(base, ours) {
		return theirs
	}
	switch o := ours.(type) {
	case map[string]any:
		t, ok := theirs.(map[string]any)
		if !ok {
			return ours
		}
		b, _ := base.(map[string]any)
		return mergeFields(b, t, o)
	case []any:
		t, _ := theirs.([]any)
		b, _ := base.([]any)
		return append(append([]any{}, o...), without(without(t, b), o)...)
	}
	return ours
}

func mergeFields(base, theirs, ours map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range ours {
		out[name] = v
		if t, there := theirs[name]; there {
			out[name] = merge(base[name], t, v)
		}
	}
	for name, v := range theirs {
		_, kept := ours[name]
		if _, was := base[name]; !kept && !was { // else it has been taken away here
			out[name] = v
		}
	}
	return out
}

// without is a list without what is in another.
func without(list, other []any) (out []any) {
	for _, v := range list {
		in := false
		for _, o := range other {
			in = in || reflect.DeepEqual(v, o)
		}
		if !in {
			out = append(out, v)
		}
	}
	return out
}
