package job

import "blossom/model/document/state"

func init() {
	RegisterSubject(Subject{ID: "blend", Title: "From one moment to another",
		Help:  "straight from one moment of the history to another",
		Flags: "--from (default: the first), --to (default: now)",
		Two:   true,
		Past:  straight,
		Begin: beginMoments})
}

// straight is two moments.
func straight(d *state.Document, from, to string) ([]Past, error) {
	if from == "" {
		from = "1"
	}
	var out []Past
	for _, name := range []string{from, to} {
		e, err := entryOf(d, name)
		if err != nil {
			return nil, err
		}
		if s, ok := d.StateAt(e.ID); ok {
			out = append(out, Past{nameOf(e), s, 1})
		}
	}
	return out, nil
}
