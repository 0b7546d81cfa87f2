package format

import (
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/data/dataset"
)

// columnKeyword matches the keywords of one column: voltage ($PnV), filter, how programs show it (PnDISPLAY).
var columnKeyword = pattern.Of(`^(\$?P)(\d+)([A-Z]+)$`)

// described are the ends of those that the writer makes itself.
var described = []string{"N", "S", "B", "E", "R", "G", "DATATYPE"}

// carryColumns adds what else a file's keywords say of its columns, under their numbers in the new one. A column is the
// same where it has the name and the label that these keywords give it, and still the scale of the instrument.
func carryColumns(add func(k, v string), ds *dataset.Dataset) {
	said, places := map[string]string{}, ds.Places()
	for k, v := range ds.Metadata {
		said[strings.ToUpper(k)] = v
	}
	for _, k := range sortedKeys(said) {
		m := columnKeyword().FindStringSubmatch(k)
		if m == nil || m[1] == "$P" && slices.Contains(described, m[3]) {
			continue
		}
		at, there := places[said["$P"+m[2]+"N"]]
		if there && ds.Columns[at].Range > 0 && ds.Columns[at].Label == said["$P"+m[2]+"S"] {
			add(m[1]+strconv.Itoa(at+1)+m[3], said[k])
		}
	}
}
