package export

import (
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Dimensions describes the columns of a map for a landmark file, so that other data can be brought into the same
// space: what the transform took from the data (floors, deviations) is written as a number. t was made from data.
func Dimensions(data *dataset.Dataset, t *transform.Table) []landmark.FileColumn {
	frozen := t.Frozen()
	out := make([]landmark.FileColumn, len(t.Cols))
	for j, c := range t.Cols {
		col, setting := &data.Columns[c], frozen.Columns[c]
		out[j] = landmark.FileColumn{Name: col.Name, Label: strings.TrimSpace(col.Label), Transform: setting.File(),
			Weight: setting.Weight}
		if frozen.Scale {
			out[j].SD = setting.SD
		}
	}
	return out
}

// Mixes describes what the transform of t changed in several columns of data at once, for the same file.
func Mixes(data *dataset.Dataset, t *transform.Table) []landmark.FileMix {
	var out []landmark.FileMix
	for _, m := range transform.EncodeMixes(data, t.Spec.Mixes) {
		out = append(out, landmark.FileMix(m))
	}
	return out
}
