package scale

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
)

// Status is how far the work of a folder has come.
type Status struct {
	Folder   string `json:"folder"`
	Epoch    int    `json:"epoch,omitempty"` // number of that of a training, from 1; 0: it is none
	Stage    string `json:"stage,omitempty"` // SampleStage, MapStage; "": parts are made
	Step     string `json:"step,omitempty"`  // Kind.Step of its parts
	Parts    int    `json:"parts"`
	Done     int    `json:"done"`
	Rows     int64  `json:"rows"`
	RowsDone int64  `json:"rows_done"`
	Finished bool   `json:"finished"` // there is a manifest of it
	Going    bool   `json:"going"`    // something is at work on it: it holds the folder
	Gone     int    `json:"gone"`     // parts that this lists and that are missing now
	Missing  []Left `json:"missing"`
}

// Why is why a part is missing, as its last try has said; "": none has.
func (s *Status) Why() string {
	for _, l := range s.Missing {
		if l.Why != "" {
			return l.Why
		}
	}
	return ""
}

// The stages of some plans before their parts: the sample of all rows is made, and its map.
const (
	SampleStage = "sample"
	MapStage    = "map"
)

// status is that of a plan whose map has still to be made: of the plan of its sample, as long as that is
// there.
func (of *Layout) status(ctx context.Context) (s Status, err error) {
	p := of.Of
	s = Status{Stage: SampleStage, Parts: len(p.Shards), Rows: p.Rows(), Missing: []Left{}}
	if sample, err := Open(filepath.Join(p.folder, layoutPlace)); err == nil {
		if s, err = sample.Status(ctx); err != nil {
			return s, err
		}
		s.Stage = SampleStage
		if len(s.Missing) == 0 {
			s.Stage, s.Done, s.RowsDone, s.Parts = MapStage, 0, 0, len(p.Shards)
		}
	}
	s.Folder, s.Finished = p.folder, false
	return s, nil
}

// Status looks at the receipts of all parts, not at what is in their files.
func (p *Plan) Status(ctx context.Context) (s Status, err error) {
	held := Held(p.folder) // before the parts, lest it ends between the two
	if p.Layout != nil && p.laid == nil {
		s, err = (&Layout{Of: p}).status(ctx)
	} else {
		s, err = statusOfParts(ctx, p)
	}
	s.Going = held
	return s, err
}

// statusOfParts is that of a plan whose parts can be made.
func statusOfParts(ctx context.Context, p *Plan) (s Status, err error) {
	s = Status{Folder: p.folder, Epoch: epochOf(p.folder), Step: p.kind().Step, Parts: len(p.Shards), Rows: p.Rows(),
		Missing: []Left{}}
	merged := p.merged(ctx)
	for i, shard := range p.Shards {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		if _, ok := p.Done(ctx, i, false); !ok && !merged {
			s.Missing = append(s.Missing, Left{i, fromHere(p.at(shard)), shard.Rows, p.Why(i)})
			continue
		}
		s.Done, s.RowsDone = s.Done+1, s.RowsDone+int64(shard.Rows)
	}
	m, err := ReadManifest(p.folder)
	if err == nil {
		if s.Finished = m.Plan == p.sum; s.Finished {
			s.Gone = max(0, len(s.Missing)-len(m.Skipped))
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return s, err
}

// fromHere is a path as a person can use it in the working folder: of what lies in that, else from the root on.
func fromHere(path string) string {
	full := absolute(path)
	here, err := real(".")
	if err != nil {
		return full
	}
	if at, err := real(filepath.Dir(full)); err == nil { // the folder of a plan is behind its links
		if to, err := filepath.Rel(here, filepath.Join(at, filepath.Base(full))); err == nil && filepath.IsLocal(to) {
			return to
		}
	}
	return full
}
