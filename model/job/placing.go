package job

import (
	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"encoding/json"
)

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

// coordinateColumns returns the columns embedsom1, embedsom2 and perhaps embedsom3, nil if they are not there.
func coordinateColumns(ds *dataset.Dataset) (at []int) {
	places := ds.Places()
	for want := range 3 {
		i, there := places[export.CoordinateName(export.EmbedSOM, want)]
		if !there {
			break
		}
		at = append(at, i)
	}
	if len(at) < 2 {
		return nil
	}
	return at
}
