package job

import "encoding/json"

// Placing names a map whose coordinates the data themselves bring: "X_umap"; "": none of them is meant. As JSON it is
// that text, or true for PlacedByUs.
type Placing string

// PlacedByUs are the columns embedsom1 and so on, as commands write them.
const PlacedByUs Placing = "embedsom"

// MarshalJSON writes true for PlacedByUs.
func (p Placing) MarshalJSON() ([]byte, error) {
	if p == PlacedByUs {
		return []byte("true"), nil
	}
	return json.Marshal(string(p))
}

// UnmarshalJSON reads a text or a truth value.
func (p *Placing) UnmarshalJSON(raw []byte) error {
	switch string(raw) {
	case "true":
		*p = PlacedByUs
		return nil
	case "false":
		*p = ""
		return nil
	}
	return json.Unmarshal(raw, (*string)(p))
}
