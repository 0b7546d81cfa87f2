package run

import (
	"context"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/derived"
	"blossom/model/maps/embedsom"
	"blossom/model/work/embedding"
)

// Derivable are the words that name derived columns to write: kinds of them, but the coordinates that are
// written in any case, and embeddings that are computed at once.
func Derivable() (words []string) {
	const beside = derived.NeedFiles | derived.NeedClusters | derived.NeedPopulations | derived.NeedSheet |
		derived.NeedContrast // other commands have these, or sessions
	for _, k := range derived.Registered() {
		if k.Needs&beside == 0 && !slices.Contains([]string{"x", "y", "z"}, k.ID) {
			words = append(words, k.ID)
		}
	}
	for _, k := range embedding.Kinds() {
		if k.Way == embedding.AtOnce && !k.Columns {
			words = append(words, k.ID)
		}
	}
	return words
}

// CheckDerived says why derived columns of these words cannot be had.
func CheckDerived(words []string) error {
	known := Derivable()
	for _, word := range words {
		if !slices.Contains(known, word) {
			return Usage{problem.New("", "derived columns are "+strings.Join(known, ", "),
				"there is no derived column %q", word)}
		}
	}
	return nil
}

// Derived makes the derived columns of these words, in that order, each once.
func (m *Map) Derived(ctx context.Context, words []string, params embedsom.Params,
	report Report) ([]dataset.Column, error) {
	in := derived.Inputs{Data: m.Points.Data, Table: m.Points.Table, Landmarks: m.File.Set, Projection: params,
		Positions: derived.Positions{Dims: m.Embedding.M, Pos: m.Embedding.Data, Marks: m.File.Set.Pos,
			Rev: revision.Next()}}
	var out []dataset.Column
	for at, word := range words {
		if slices.Contains(words[:at], word) {
			continue
		}
		progress := report.Stage(word)
		if k := derived.ByID(word); k != nil {
			c, err := k.Column(ctx, in, progress)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
			continue
		}
		k := embedding.ByID(word)
		made, err := k.Compute(ctx, embedding.Inputs{Data: m.Points.Data, Table: m.Points.Table},
			embedding.Recipe{Kind: word, Dims: m.Embedding.M}, progress)
		if err != nil {
			return nil, err
		}
		table, err := export.Coordinates(ctx, word, made.Pos, made.Dims, m.Points.Table.Order)
		if err != nil {
			return nil, err
		}
		for _, c := range table.Columns {
			c.Provenance, c.From = dataset.Derived, "positions of "+k.Title
			out = append(out, c)
		}
	}
	return out, nil
}

// ArrangedNote says that landmarks were moved by hand, "" where they were not.
func ArrangedNote(l *landmark.Set) string {
	if l == nil || !l.ByHand {
		return ""
	}
	return "the landmarks were arranged by hand: distances on the map are partly a choice"
}
