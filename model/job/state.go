package job

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

func sorted[T any](m map[string]T) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// PutState gives the job parts of a state, those of some IDs. Landmarks are put by PutLandmarks.
func (j *Job) PutState(s state.State, ids ...string) error {
	ds := j.table
	if ds == nil { // the parts say nothing of columns
		ds = &dataset.Dataset{}
	}
	d := state.New(ds, ds.Name, j.Seed, s)
	all, err := d.Encode(state.Context{Arrays: state.InMemory{}})
	if err != nil {
		return err
	}
	if j.State == nil {
		j.State = map[string]state.Encoded{}
	}
	for _, id := range ids {
		if e, ok := all[id]; ok { // else it is as in a new document
			j.State[id] = e
		}
	}
	return nil
}

// PutLandmarks gives the job landmarks whose codebook has the columns cols, in this order.
func (j *Job) PutLandmarks(set *landmark.Set, cols []int, spec transform.Spec) error {
	f := landmark.File{Set: set, Scaled: spec.Scale}
	for _, c := range cols {
		col, setting := &j.table.Columns[c], spec.Columns[c]
		f.Columns = append(f.Columns, landmark.FileColumn{Name: col.Name, Label: strings.TrimSpace(col.Label),
			Transform: setting.File(), SD: setting.SD, Weight: setting.Weight})
	}
	var text bytes.Buffer
	if err := f.Write(&text); err != nil {
		return err
	}
	if j.State == nil {
		j.State = map[string]state.Encoded{}
	}
	j.State["landmarks"] = state.Encoded{Version: 1, Value: json.RawMessage(bytes.TrimSpace(text.Bytes()))}
	return nil
}

// putOrder says in which order columns are, where it is not that of the table.
func (j *Job) putOrder(ds *dataset.Dataset, cols []int) {
	j.Order = nil
	if slices.IsSorted(cols) {
		return
	}
	for _, c := range cols {
		j.Order = append(j.Order, ds.Columns[c].Name)
	}
}

// reordered returns landmarks whose codebook has the columns of the map in another order.
func reordered(set *landmark.Set, from, to []int) *landmark.Set {
	if slices.Equal(from, to) {
		return set
	}
	out := *set
	out.Codebook, out.CodeRev = matrix.New(set.Codebook.Rows, len(to)), revision.Next()
	for i := range out.Codebook.Rows {
		for k, c := range to {
			out.Codebook.Row(i)[k] = set.Codebook.Row(i)[slices.Index(from, c)]
		}
	}
	return &out
}
