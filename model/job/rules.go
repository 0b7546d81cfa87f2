package job

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"blossom/model/base/bounded"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/clusters/gating"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/space/transform"
)

// rulesFile is populations that other data have too, as a file of their own (docs/populations.md).
type rulesFile struct {
	Blossom     string          `json:"blossom"`
	Version     int             `json:"version"`
	Compensated bool            `json:"compensated"` // values are compensated, each file's with its own matrix
	Tree        json.RawMessage `json:"tree"`
}

// rulesOf is what a file of rules calls itself, rulesMost how large it may be.
const (
	rulesOf   = "populations"
	rulesMost = 64 << 20
)

// rules writes the populations that other data have too, and notes which they have not: fixed points, those of
// landmarks, regions of maps, and all that lies in one of these.
func (n *Named) rules(w *Work) error {
	t, left := n.Tree, []string(nil)
	for _, p := range n.Tree.All() {
		if needs := p.Rule.Needs(); (needs.Rows || needs.Landmarks || len(needs.Maps) > 0) && t.Place(p.ID) >= 0 {
			for _, x := range t.Within(p.ID) {
				left = append(left, population.Brief(x.Name))
			}
			t = t.Remove(p.ID)
		}
	}
	if t.Len() == 0 {
		return problem.New(w.table.Path, "make some of gates, limits or labels",
			"its populations are of its own points or landmarks, and no rules for other data")
	}
	if len(left) > 0 {
		w.Notes = append(w.Notes, "no rules for other data, and left out of them: "+strings.Join(left, ", "))
	}
	tree, err := json.Marshal(t)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(rulesFile{rulesOf, 1, len(w.Points.Spec.Mixes) > 0, tree}, "", "  ")
	if err != nil {
		return err
	}
	return w.Files.Write(n.Rules, func(to io.Writer) error {
		_, err := to.Write(append(text, '\n'))
		return err
	})
}

// ForRules gives an opened job the populations of a file of rules, and the transform that the flags mean. Populations
// that cannot be read are an error, or where partial is set left out and noted.
func (j *Job) ForRules(ctx context.Context, s *run.Flags, path string, partial bool) error {
	text, err := plain.ReadFile(path, rulesMost)
	if err != nil {
		return err
	}
	if xmlfile.Looks(text) {
		return j.forGates(ctx, s, path, partial)
	}
	var f rulesFile
	if err := bounded.Unmarshal(text, &f); err != nil {
		return problem.New(path, "write it anew with blossom label --write-rules", "is no file of populations (%s)",
			bounded.Flaw(err))
	}
	switch {
	case f.Blossom != rulesOf:
		return problem.New(path, "write it with blossom label --write-rules", "is no file of populations")
	case f.Version > 1:
		return problem.New(path, "use a newer program", "is of version %d, and this program reads 1", f.Version)
	case f.Version < 1:
		return problem.New(path, "write it anew with blossom label --write-rules",
			"is of version %d, and there is none below 1", f.Version)
	}
	if !f.Compensated {
		s.Space.Compensation = run.CompensationNone
	}
	spec, err := s.Space.ColourSpec(ctx, j.table)
	if err != nil {
		return err
	}
	if err := mapless(j.table, spec); err != nil {
		return err
	}
	var left []string
	tree, err := population.Decode(f.Tree, j.table.Points, func(said string) { left = append(left, said) })
	if err != nil {
		return problem.Wrap(err, path, problem.As(err).Remedy, "%s", problem.As(err).What)
	}
	if err := unreadable(path, left, partial); err != nil {
		return err
	}
	j.Note(left...)
	j.Note(s.Space.ColourNotes(j.table, spec)...)
	var now state.State
	parts.Transform.Put(&now, spec)
	parts.Populations.Put(&now, tree)
	return j.PutState(now, "transform", "populations")
}

// unreadable is the error about populations of a file that cannot be read, unless somebody wants to go on without them.
func unreadable(path string, left []string, partial bool) error {
	if len(left) == 0 || partial {
		return nil
	}
	more := ""
	if n := len(left) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return problem.New(path, "mend the file, or go on without them (--partial)", "has populations that cannot be "+
		"read: %s%s", left[0], more)
}

// forGates gives an opened job the gates of another program as populations, and the transform that the flags mean.
// Gates that cannot be read are as populations of a file of rules that cannot.
func (j *Job) forGates(ctx context.Context, s *run.Flags, path string, partial bool) error {
	spec, err := s.Space.ColourSpec(ctx, j.table)
	if err != nil {
		return err
	}
	if err := mapless(j.table, spec); err != nil {
		return err
	}
	gates, err := gating.Read(ctx, path, j.table)
	if err != nil {
		return err
	}
	if err := unreadable(path, gates.Left, partial); err != nil {
		return err
	}
	tree, _, err := population.Tree{}.OfGates(ctx, gates, 0, j.table, spec)
	if err != nil {
		return problem.Of(err, path)
	}
	j.Note(gates.Notes...)
	if len(gates.Left) > 0 {
		j.Note("left out of the gates: " + strings.Join(gates.Left, ", "))
	}
	j.Note(s.Space.ColourNotes(j.table, spec)...)
	var now state.State
	parts.Transform.Put(&now, spec)
	parts.Populations.Put(&now, tree)
	return j.PutState(now, "transform", "populations")
}

// mapless has the numbers of a table without markers in its map, which every state has: rules ask for columns, and for
// no map.
func mapless(ds *dataset.Dataset, spec transform.Spec) error {
	if len(spec.MapColumns()) > 0 {
		return nil
	}
	for i := range spec.Columns {
		if ds.Columns[i].Categories == nil {
			spec.Columns[i].Use = transform.InMap
		}
	}
	if len(spec.MapColumns()) == 0 {
		return problem.New(ds.Path, "give a table that has some", "has no column of numbers")
	}
	return nil
}
