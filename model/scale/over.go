package scale

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/source"
	"blossom/model/document/state"
	"blossom/model/job"
)

// Over is the plan of something else of the files of a plan, in a folder of its own: they are read in the same way, and
// have the same landmarks and transforms. State is put beside that of its jobs. It is not written yet. The error is a
// Problem.
func (p *Plan) Over(want job.Want, put map[string]state.Encoded, output, folder, program string) (*Plan, error) {
	k, known := making.Find(want.What())
	if !known {
		panic("scale: no kind of parts: " + want.What())
	}
	if err := k.Check(&Wish{Want: want}); err != nil {
		return nil, err
	}
	if p.kind().File != nil {
		return nil, problem.New(p.folder, "give a folder that blossom embed -o FOLDER/ has made",
			"has no landmarks: its rows were placed in a map of other points")
	}
	out := &Plan{Format: planFormat, Version: planVersion, Program: program, Mixed: p.Mixed, Output: output,
		Fingerprint: k.fingerprint(p.Jobs[0].Engine, program)}
	for _, s := range p.Shards {
		path := p.at(s)
		if err := p.unchanged(s); err != nil {
			return nil, err
		}
		if !filepath.IsAbs(s.Path) {
			var err error
			if path, err = from(folder, path); err != nil {
				return nil, plain.Problem(err, path)
			}
		}
		s.Path = path
		out.Shards = append(out.Shards, s)
	}
	for _, j := range p.Jobs {
		var text bytes.Buffer
		if err := j.Write(&text); err != nil {
			return nil, err
		}
		next, err := job.Read(&text, p.folder)
		if err != nil {
			return nil, err
		}
		for id, e := range put {
			next.State[id] = e
		}
		made := k.Copy(want)
		written, _ := made.Paths()
		*written[0] = "part" + output
		next.Wanted = []job.Want{made}
		out.Jobs = append(out.Jobs, next)
	}
	return out, nil
}

func init() { source.Refuse(noData) }

// noData refuses a folder of parts as a folder of data: the tables in it are parts, or places on its map.
func noData(path string) error {
	if !IsFolder(path) {
		return nil
	}
	p, err := Open(filepath.Join(path, PlanFile))
	if err != nil {
		return nil // a file of another program that has that name
	}
	const what = "is a folder of parts, no folder of data"
	switch shown := filepath.Join(path, ShownFile); {
	case Shown(path) != path:
		return problem.New(path, "name the table of its sample: "+SampleIn(path)+" (its map, for --session, is "+
			shown+")", what)
	case !p.merged(context.Background()):
		return problem.New(path, "finish it first: blossom resume "+path, what+", and it is not finished")
	}
	return problem.New(path, "name the files that its parts are of", what+", and it has no sample")
}

// IsFolder says whether a path is the folder of a plan.
func IsFolder(path string) bool {
	st, err := os.Stat(filepath.Join(path, PlanFile))
	return err == nil && st.Mode().IsRegular()
}
