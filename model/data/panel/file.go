package panel

import (
	"encoding/json"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
)

// written is a panel in a session.
type written struct {
	Rows []Row `json:"rows"`
}

// MarshalJSON encodes the panel: {"rows": [{"column", "label", "bare", "class"}]}.
func (p Panel) MarshalJSON() ([]byte, error) { return json.Marshal(written{p.rows}) }

// UnmarshalJSON reads what MarshalJSON has written, with the error of Decode.
func (p *Panel) UnmarshalJSON(raw []byte) (err error) {
	*p, err = Decode(raw)
	return err
}

// Decode reads what MarshalJSON has written. The error is a Problem.
func Decode(raw []byte) (Panel, error) {
	var in written
	if err := bounded.Unmarshal(raw, &in); err != nil {
		return Panel{}, problem.Wrap(err, "", "leave it out", "the panel cannot be read: %s", bounded.Flaw(err))
	}
	wrong := func(format string, args ...any) (Panel, error) {
		return Panel{}, problem.New("", "leave it out", "the panel "+format, args...)
	}
	if len(in.Rows) > MostRows {
		return wrong("has %d rows, of %d at most", len(in.Rows), MostRows)
	}
	seen := map[string]bool{}
	for _, r := range in.Rows {
		known := r.Class == Unsaid || r.Class == Type || r.Class == State || r.Class == None
		switch {
		case r.Column == "" || r.Column != short(r.Column) || r.Label != short(r.Label):
			return wrong("has a row without a name, or with one that is none: %.60q", r.Column)
		case r.Bare && r.Label != "":
			return wrong("says of %.60q that it has an antigen and that it has none", r.Column)
		case seen[folded(r.Column)]:
			return wrong("names %.60q twice", r.Column)
		case !known:
			return wrong("says the class %.60q of %.60q", string(r.Class), r.Column)
		}
		seen[folded(r.Column)] = true
	}
	return Panel{in.Rows}, nil
}
