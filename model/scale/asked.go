package scale

import (
	"context"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// populations is the part of a state that rows are called by.
const populations = "populations"

// Asked is what a document asks of all rows: its map, and its populations.
type Asked struct {
	Landmarks *landmark.File // with all that brings other data into their space
	State     state.State
	Name      string // the document, as errors name it
}

// AskedBy is what a document asks whose points are those of the table. The error is a Problem.
func AskedBy(doc *state.Document, table *transform.Table, name, program string) (Asked, error) {
	now := doc.State()
	a := Asked{State: now, Name: name}
	if set := parts.Landmarks.Of(now); set.Len() == 0 {
		return a, problem.New(name, "train some first", "has no landmarks to place all rows by")
	}
	if !parts.Settled(now) {
		return a, problem.New(name, "try again in a moment", "a change of the transform is still being applied")
	}
	a.Landmarks = parts.LandmarkFile(state.Context{Data: doc.Data, Seed: doc.Seed, State: now, Program: program})
	a.Landmarks.Columns, a.Landmarks.Mixes = export.Dimensions(doc.Data, table), export.Mixes(doc.Data, table)
	return a, nil
}

// Map has the flags mean the map of the document.
func (a *Asked) Map(s *run.Flags) {
	s.Origin.Made, s.Origin.MadeOf = a.Landmarks, a.Name
	s.Params = parts.Projection.Of(a.State)
}

// Called is what gives a job the map and the populations of the document, for rows of other data. Those that other rows
// cannot have are a Problem or, where partial is set, left out with those that lie in them, and told to say.
func (a *Asked) Called(partial bool, say func(string)) (func(*job.Job, context.Context, *run.Flags) error, error) {
	tree, left := ofOthers(parts.Populations.Of(a.State))
	if len(left) > 0 && !partial {
		return nil, problem.New(a.Name, "define it by columns, landmarks or a region of the map, or leave it out "+
			"(--partial)", "the population %s", left[0])
	}
	for _, text := range left {
		say("left out, with what lies in it: " + text)
	}
	if tree.Len() == 0 {
		return nil, problem.New(a.Name, "name some in the window, and save the session", "has no populations "+
			"that all rows can have")
	}
	return func(j *job.Job, ctx context.Context, s *run.Flags) error {
		if err := j.ForMap(ctx, s); err != nil {
			return err
		}
		if err := known(j, tree, partial); err != nil {
			return err
		}
		var now state.State
		parts.Populations.Put(&now, tree)
		return j.PutState(now, populations)
	}, nil
}

// ofOthers are the populations that other rows have, too, and of others why they have not: they are of fixed rows, or
// regions of maps that those are not on.
func ofOthers(t population.Tree) (others population.Tree, left []string) {
	for _, p := range t.All() {
		why := ofSample(p.Rule)
		if why != "" && t.Place(p.ID) >= 0 {
			left = append(left, population.Brief(p.Name)+" "+why)
			t = t.Remove(p.ID)
		}
	}
	return t, left
}

// OfAllRows says whether rows beyond the sample can be in a population of a rule.
func OfAllRows(r population.Rule) bool { return ofSample(r) == "" }

// ofSample says why only rows of the sample can be in a population of a rule; "": all can.
func ofSample(r population.Rule) (why string) {
	needs := r.Needs()
	if needs.Rows {
		return "is of fixed points of the sample, which says nothing of other rows"
	}
	for _, m := range needs.Maps {
		if k := embedding.ByID(m.Kind); k == nil || k.Way != embedding.ByRange && !k.Columns {
			return "is a region of a map that the sample alone is on"
		}
	}
	return ""
}

// known says which column of a rule the data of a job does not have.
func known(j *job.Job, t population.Tree, partial bool) error {
	if partial {
		return nil
	}
	at := j.Table().Places()
	for _, p := range t.All() {
		for _, name := range p.Rule.Needs().Columns {
			if _, there := at[name]; !there {
				return problem.New(j.Table().Path, "leave it out (--partial), or define it by columns that are there: "+
					strings.Join(some(j.Table()), ", "), "the population %s is of %.60q, which is no column",
					population.Brief(p.Name), name)
			}
		}
	}
	return nil
}

// some are the names of the first columns.
func some(ds *dataset.Dataset) (names []string) {
	const most = 8
	for _, c := range ds.Columns[:min(len(ds.Columns), most)] {
		names = append(names, c.Name)
	}
	if len(ds.Columns) > most {
		names = append(names, "...")
	}
	return names
}
