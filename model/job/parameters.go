package job

import (
	"encoding/json"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
	"blossom/model/work/embedding"
)

// checkParameters checks those of the state by which something is trained, laid out or run, before anything is read:
// sessions forgive what they do not know, and take the nearest of what cannot be; a job would compute something else.
func (j *Job) checkParameters() error {
	var t parts.TrainingChoice
	if j.part("training", &t) {
		if a, ok := train.ByID(t.Algorithm); ok {
			params := slices.Clone(a.Params)
			for i := range params {
				params[i].Integer = false // a part of an epoch is one
			}
			if err := checkedAs("training", step.CheckValues(params, t.Values)); err != nil {
				return err
			}
		}
	}
	var l parts.LayoutChoice
	if j.part("layout", &l) {
		if a, ok := layout.ByID(l.Algorithm); ok {
			if err := checkedAs("layout", step.CheckValues(a.Params, l.Values)); err != nil {
				return err
			}
		}
	}
	var runs parts.RunTable
	if !j.part("runs", &runs) {
		return nil
	}
	for _, key := range sorted(runs) {
		k := runOf(key)
		if k == nil {
			return problem.New("", "write KIND/DIMENSIONS/, where KIND is "+problem.OneOf(runningIDs()...),
				"runs: %.60q is no embedding that runs", key)
		}
		if err := checkedAs(k.ID, k.Run.CheckValues(runs[key].Values)); err != nil {
			return err
		}
	}
	return nil
}

// part decodes a part of the state. What makes no sense is left to the decoding of the state, which knows the data.
func (j *Job) part(id string, v any) bool {
	e, ok := j.State[id]
	return ok && json.Unmarshal(e.Value, v) == nil
}

// checkedAs says of which parameters an error is.
func checkedAs(of string, err error) error {
	if err == nil {
		return nil
	}
	p := problem.As(err)
	return problem.New("", p.Remedy, "%s: %s", of, p.What)
}

// runOf is the kind of the recipe that has a key, nil where no recipe of an embedding that runs has.
func runOf(key string) *embedding.Kind {
	kinds := Running()
	at := slices.IndexFunc(kinds, func(k *embedding.Kind) bool {
		return key == embedding.Recipe{Kind: k.ID, Dims: 2}.Key() || key == embedding.Recipe{Kind: k.ID, Dims: 3}.Key()
	})
	if at < 0 {
		return nil
	}
	return kinds[at]
}

// runningIDs are the IDs of Running.
func runningIDs() (ids []string) {
	for _, k := range Running() {
		ids = append(ids, k.ID)
	}
	return ids
}
