package dataset

import (
	"encoding/json"
	"maps"
)

// LabelInks are colours that somebody has chosen for labels of a column: the number of a colour by the name of the
// label, as the text of a JSON object, "" for none. They are text so that what has them can be compared.
type LabelInks string

// Colours is how many numbers there are.
const Colours = 48

// mostInks is how many labels can have a colour that was chosen: a table of colours has no more entries.
const mostInks = 1024

// Of returns the number of the colour of each label that has one.
func (l LabelInks) Of() map[string]uint8 {
	if l == "" {
		return nil
	}
	var out map[string]uint8
	if json.Unmarshal([]byte(l), &out) != nil {
		return nil
	}
	maps.DeleteFunc(out, func(_ string, ink uint8) bool { return ink >= Colours })
	if len(out) > mostInks {
		return nil
	}
	return out
}

// With returns the colours with another one for a label; ink below 0 is none of its own.
func (l LabelInks) With(name string, ink int) LabelInks {
	all := l.Of()
	if all == nil {
		all = map[string]uint8{}
	}
	if delete(all, name); ink >= 0 && len(all) < mostInks {
		all[name] = uint8(ink % Colours)
	}
	return inksOf(all)
}

// inksOf is the text, which is the same for the same colours: keys are sorted.
func inksOf(all map[string]uint8) LabelInks {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		return "" // names and numbers are always JSON
	}
	return LabelInks(text)
}

// MarshalJSON writes the object itself.
func (l LabelInks) MarshalJSON() ([]byte, error) { return json.Marshal(l.Of()) }

// UnmarshalJSON reads it.
func (l *LabelInks) UnmarshalJSON(raw []byte) error {
	var all map[string]uint8
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	*l = inksOf(inksOf(all).Of())
	return nil
}
